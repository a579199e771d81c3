//! What does the pipeline know? The handbook of Hollin, a made-up company that lends tools from unattended lockers.
//!
//! A page is Markdown: one `#` title, sections under `##`, and lines that start with `> Rule:` for what an answer from
//! that section has to repeat. A section is a chunk; `returns#2` is the second section of returns.md.

use crate::text;

/// One section of a page: what is retrieved, read and cited.
pub(crate) struct Chunk {
    /// `page#number`, counted from 1.
    pub(crate) id: String,
    /// The page's title and the section's heading.
    pub(crate) heading: String,
    /// Its sentences, in order.
    pub(crate) sentences: Vec<Sentence>,
    /// What an answer from here has to repeat word for word.
    pub(crate) rules: Vec<String>,
}

/// A sentence and its words, cut once.
pub(crate) struct Sentence {
    pub(crate) text: String,
    pub(crate) words: Vec<String>,
    pub(crate) stems: Vec<String>,
}

impl Sentence {
    fn new(text: &str) -> Self {
        let words = text::words(text);
        let stems = words.iter().map(|word| text::stem(word)).collect();
        Self { text: text.to_owned(), words, stems }
    }
}

impl Chunk {
    /// What the index finds it by: its sentences. The heading is left to those who read closely.
    pub(crate) fn body(&self) -> String {
        self.sentences.iter().map(|sentence| sentence.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

macro_rules! pages {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("../corpus/", $name, ".md")))),*] };
}

/// The pages, as they were when this was built: the example needs no file at run time.
const PAGES: &[(&str, &str)] = pages! {
    "accounts" "api" "batteries" "business" "cleaning" "damage" "delivery" "deposits" "expenses" "incidents"
    "insurance" "leave" "lockers" "membership" "oncall" "payments" "pricing" "privacy" "refunds" "releases"
    "reservations" "returns" "safety" "support" "training" "warehouse"
};

/// Every chunk, page by page.
pub(crate) fn chunks() -> Vec<Chunk> {
    PAGES.iter().flat_map(|(name, page)| cut(name, page)).collect()
}

/// A page's sections.
fn cut(name: &str, page: &str) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut title = "";
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            chunks.push(Chunk {
                id: format!("{name}#{}", chunks.len() + 1),
                heading: format!("{title}: {heading}"),
                sentences: Vec::new(),
                rules: Vec::new(),
            });
        } else if let Some(text) = line.strip_prefix("# ") {
            title = text;
        } else if let Some(chunk) = chunks.last_mut() {
            if let Some(rule) = line.strip_prefix("> Rule:") {
                chunk.rules.push(rule.trim().to_owned());
            } else {
                chunk.sentences.extend(text::sentences(line).into_iter().map(Sentence::new));
            }
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_becomes_numbered_sections() {
        let chunks =
            cut("tea", "# Tea\n\n## Green\nSteep it. Two minutes.\n> Rule: Never boil.\n\n## Black\nBoil.\n");
        let seen: Vec<_> = chunks
            .iter()
            .map(|c| (c.id.as_str(), c.heading.as_str(), c.sentences.len(), c.rules.clone()))
            .collect();
        assert_eq!(
            seen,
            [("tea#1", "Tea: Green", 2, vec!["Never boil.".to_owned()]), ("tea#2", "Tea: Black", 1, vec![])]
        );
    }

    #[test]
    fn every_page_of_the_folder_is_bundled() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap().replace(".md", ""))
            .collect();
        names.sort();
        assert_eq!(names, PAGES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }

    #[test]
    fn every_section_says_something() {
        for chunk in chunks() {
            assert!(!chunk.sentences.is_empty(), "{} is empty", chunk.id);
        }
    }
}
