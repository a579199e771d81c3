//! Which chunks may hold the answer? BM25 over the stems and, when asked to intersect, over the letters too.

use std::collections::BTreeMap;

use bm25::{Embedder, EmbedderBuilder, Scorer, Tokenizer};

use crate::corpus::Chunk;
use crate::text::{Letters, Stems};

/// How many chunks each index offers.
const POOL: usize = 24;

/// What damps the head of a ranking when two are fused (reciprocal rank fusion).
const DAMPING: f64 = 60.0;

/// The handbook, searchable in two ways.
pub(crate) struct Index {
    stems: Ranking<Stems>,
    letters: Ranking<Letters>,
    /// In how many chunks a stem occurs.
    frequencies: BTreeMap<String, usize>,
    chunks: usize,
}

impl Index {
    pub(crate) fn new(chunks: &[Chunk]) -> Self {
        let texts: Vec<String> = chunks.iter().map(Chunk::body).collect();
        let mut frequencies = BTreeMap::new();
        for text in &texts {
            let mut stems = Stems.tokenize(text);
            stems.sort_unstable();
            stems.dedup();
            for stem in stems {
                *frequencies.entry(stem).or_insert(0) += 1;
            }
        }
        Self {
            stems: Ranking::new(Stems, &texts),
            letters: Ranking::new(Letters, &texts),
            frequencies,
            chunks: chunks.len(),
        }
    }

    /// The chunks to look at, best first. With `intersect`, those that words and letters both offer.
    pub(crate) fn candidates(&self, question: &str, intersect: bool) -> Vec<usize> {
        let stems = self.stems.first(question);
        if !intersect {
            return stems;
        }
        let letters = self.letters.first(question);
        let share = |rank: usize| 1.0 / (DAMPING + rank as f64);
        let mut both: Vec<(f64, usize)> = stems
            .iter()
            .enumerate()
            .filter_map(|(rank, chunk)| {
                let other = letters.iter().position(|c| c == chunk)?;
                Some((share(rank) + share(other), *chunk))
            })
            .collect();
        both.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        both.into_iter().map(|(_, chunk)| chunk).collect()
    }

    /// How much a stem tells: the rarer the more, and one that the handbook lacks the most.
    pub(crate) fn weight(&self, stem: &str) -> f64 {
        let seen = self.frequencies.get(stem).copied().unwrap_or(0) as f64;
        (1.0 + (self.chunks as f64 - seen + 0.5) / (seen + 0.5)).ln()
    }
}

/// One BM25 index.
struct Ranking<T> {
    embedder: Embedder<u64, T>,
    scorer: Scorer<usize, u64>,
}

impl<T: Tokenizer + Sync> Ranking<T> {
    fn new(tokenizer: T, texts: &[String]) -> Self {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let embedder = EmbedderBuilder::<u64, T>::with_tokenizer_and_fit_to_corpus(tokenizer, &texts).build();
        let mut scorer = Scorer::new();
        for (chunk, text) in texts.iter().enumerate() {
            scorer.upsert(&chunk, embedder.embed(text));
        }
        Self { embedder, scorer }
    }

    /// The chunks with the highest scores; equal ones in the handbook's order, because the scorer's is by chance.
    fn first(&self, question: &str) -> Vec<usize> {
        let mut found = self.scorer.matches(&self.embedder.embed(question));
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        found.truncate(POOL);
        found.into_iter().map(|document| document.id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    fn ids(question: &str, intersect: bool) -> Vec<String> {
        let chunks = corpus::chunks();
        let found = Index::new(&chunks).candidates(question, intersect);
        found.into_iter().map(|chunk| chunks[chunk].id.clone()).collect()
    }

    #[test]
    fn the_section_that_speaks_of_it_comes_first() {
        assert_eq!(ids("swollen battery pack", false)[0], "batteries#4");
        assert_eq!(ids("swollen battery pack", true)[0], "batteries#4");
    }

    #[test]
    fn to_intersect_only_takes_away() {
        let question = "Which tools are charged late?";
        let (plain, both) = (ids(question, false), ids(question, true));
        assert!(both.len() < plain.len());
        assert!(both.iter().all(|id| plain.contains(id)));
    }

    #[test]
    fn nothing_asked_nothing_found() {
        for question in ["", "?", "zzzzqqq"] {
            assert!(ids(question, false).is_empty(), "{question}");
            assert!(ids(question, true).is_empty(), "{question}");
        }
    }

    #[test]
    fn rare_words_tell_more() {
        let index = Index::new(&corpus::chunks());
        assert!(index.weight("ombudsman") > index.weight("euro"));
        assert!(index.weight("norway") > index.weight("ombudsman"));
    }
}
