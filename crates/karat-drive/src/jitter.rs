//! How may a question be written differently without asking something else? Pure transforms of text.

use std::sync::LazyLock;

use regex::{Captures, Regex, Replacer};

/// A way to write a question differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jitter {
    /// As it stands.
    None,
    /// Spaces round commas and colons tidied, runs of spaces made one.
    Ws,
    /// A space before `?`, dashes as hyphens, a final `?` where no sentence ends.
    Punct,
    /// explain, list, compare and show as describe, enumerate, contrast and display.
    Syn,
    /// "with citations" and "in one sentence" in each other's place.
    Order,
}

impl Jitter {
    /// All of them, in the order of the documentation.
    pub const ALL: [Jitter; 5] = [Jitter::None, Jitter::Ws, Jitter::Punct, Jitter::Syn, Jitter::Order];

    fn entry(self) -> (&'static str, fn(&str) -> String) {
        match self {
            Jitter::None => ("none", str::to_owned),
            Jitter::Ws => ("ws", tidy),
            Jitter::Punct => ("punct", punctuate),
            Jitter::Syn => ("syn", reword),
            Jitter::Order => ("order", reorder),
        }
    }

    /// The name in options, requests and traces.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().0
    }

    /// The jitter of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Jitter> {
        Jitter::ALL.into_iter().find(|jitter| jitter.name() == name)
    }

    /// The question, written differently.
    #[must_use]
    pub fn apply(self, question: &str) -> String {
        self.entry().1(question)
    }
}

/// A pattern that is compiled once. None of them can fail to compile: a test uses each. A broken one would match nothing.
type Pattern = LazyLock<Option<Regex>>;

fn replaced(pattern: &Pattern, text: &str, with: impl Replacer) -> String {
    pattern.as_ref().map_or_else(|| text.to_owned(), |pattern| pattern.replace_all(text, with).into_owned())
}

fn tidy(question: &str) -> String {
    static COMMA: Pattern = LazyLock::new(|| Regex::new(r"\s*,\s*").ok());
    // Only a colon that has drifted: 12:30 stays a time.
    static COLON: Pattern = LazyLock::new(|| Regex::new(r"\s+:\s*").ok());
    static SPACES: Pattern = LazyLock::new(|| Regex::new(r"\s+").ok());
    let text = replaced(&COMMA, question, ", ");
    let text = replaced(&COLON, &text, ": ");
    replaced(&SPACES, &text, " ").trim().to_owned()
}

fn punctuate(question: &str) -> String {
    let mut text = question.replace('?', " ?").replace("  ", " ").replace(['\u{2013}', '\u{2014}'], "-");
    if text.trim_end().chars().next_back().is_some_and(|last| !matches!(last, '.' | '!' | '?')) {
        text.push('?');
    }
    text
}

fn reword(question: &str) -> String {
    static WORDS: Pattern = LazyLock::new(|| Regex::new(r"\b(?i-u:explain|list|compare|show)\b").ok());
    let other = |found: &Captures<'_>| {
        let word = match found[0].to_ascii_lowercase().as_str() {
            "explain" => "describe",
            "list" => "enumerate",
            "compare" => "contrast",
            _ => "display",
        };
        cased_as(word, &found[0])
    };
    replaced(&WORDS, question, other)
}

fn reorder(question: &str) -> String {
    const PHRASES: [&str; 2] = ["with citations", "in one sentence"];
    let lower = question.to_ascii_lowercase();
    let [Some(cited), Some(short)] = PHRASES.map(|phrase| lower.find(phrase)) else {
        return question.to_owned();
    };
    let mut places = [(cited, PHRASES[0]), (short, PHRASES[1])];
    places.sort_unstable();
    let [(first, one), (second, two)] = places;
    let (one_stood, two_stood) = (&question[first..first + one.len()], &question[second..second + two.len()]);
    [
        &question[..first],
        &cased_as(two, one_stood),
        &question[first + one.len()..second],
        &cased_as(one, two_stood),
        &question[second + two.len()..],
    ]
    .concat()
}

/// `word`, its first letter a capital if that of `model` is one.
fn cased_as(word: &str, model: &str) -> String {
    let mut word = word.to_owned();
    if model.starts_with(|c: char| c.is_ascii_uppercase()) {
        word[..1].make_ascii_uppercase();
    }
    word
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_jitter_does_what_it_says() {
        let citations_first = "Explain X, with citations, in one sentence";
        let whole_words_only = "Listing the showroom's comparer; a_list éshow";
        for (jitter, from, to) in [
            (Jitter::None, " a ,b  ?", " a ,b  ?"),
            (Jitter::Ws, "List  the items ,please :now?", "List the items, please: now?"),
            (Jitter::Ws, "  At 12:30 ,\tor\u{a0}\n later ", "At 12:30, or later"),
            (Jitter::Ws, "a,", "a,"),
            (Jitter::Ws, "", ""),
            (Jitter::Punct, "List  the items ,please :now?", "List the items ,please :now ?"),
            (Jitter::Punct, "What is X – or Y—Z", "What is X - or Y-Z?"),
            (Jitter::Punct, "Explain X.", "Explain X."),
            (Jitter::Punct, "Stop!", "Stop!"),
            (Jitter::Punct, "Who? Why ?", "Who ? Why ?"),
            (Jitter::Punct, "Who? ", "Who ? "),
            (Jitter::Punct, "", ""),
            (Jitter::Syn, "List  the items ,please :now?", "Enumerate  the items ,please :now?"),
            (Jitter::Syn, "Explain, list, Compare and show", "Describe, enumerate, Contrast and display"),
            (Jitter::Syn, "show SHOW.", "display Display."),
            (Jitter::Syn, whole_words_only, whole_words_only),
            (Jitter::Order, citations_first, "Explain X, in one sentence, with citations"),
            (
                Jitter::Order,
                "In one sentence and with citations: x?",
                "With citations and in one sentence: x?",
            ),
            (Jitter::Order, "Explain X with citations", "Explain X with citations"),
        ] {
            assert_eq!(jitter.apply(from), to, "{jitter:?}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for jitter in Jitter::ALL {
            assert_eq!(Jitter::named(jitter.name()), Some(jitter));
        }
        assert_eq!(Jitter::named("WS"), None);
    }

    proptest! {
        #[test]
        fn jitters_keep_every_letter_and_digit(question in any::<String>()) {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            for jitter in [Jitter::None, Jitter::Ws, Jitter::Punct] {
                prop_assert_eq!(letters(&jitter.apply(&question)), letters(&question));
            }
        }

        #[test]
        fn tidying_twice_is_tidying_once(question in "([a-c]+[ \t]{0,2}[,:?]?[ \t]{0,2}){0,9}") {
            let once = Jitter::Ws.apply(&question);
            prop_assert_eq!(Jitter::Ws.apply(&once), once);
        }

        #[test]
        fn order_undoes_itself(before in "[a-z ,.]{0,9}", between in "[a-z ,.]{0,9}", after in "[a-z ,.]{0,9}") {
            let question = format!("{before}with citations{between}in one sentence{after}");
            // Unless the pieces happen to spell one of the phrases anew.
            if question.matches("with citations").count() == 1 && question.matches("in one sentence").count() == 1 {
                prop_assert_eq!(Jitter::Order.apply(&Jitter::Order.apply(&question)), question);
            }
        }
    }
}
