//! In what order should the candidates be read? Each is read closely: every word of the question beside every word of
//! the chunk, and every pair beside every pair. It is the slow step, and what it buys is a better order.

use crate::corpus::{Chunk, Sentence};
use crate::question::Question;
use crate::text;

/// Words that are less alike than this are different words.
const ALIKE: f64 = 0.9;

/// What a word in the heading counts, beside one in the sentence.
const HEADING: f64 = 0.6;

/// What two neighbours of the question add when the sentence has them too, one after the other.
const NEIGHBOURS: f64 = 0.25;

/// Pairs that are less alike than this are different pairs.
const ALIKE_PAIRS: f64 = 0.6;

/// Puts the first `depth` candidates into the order of a close reading; the others keep their place behind them.
pub(crate) fn rerank(question: &Question, chunks: &[Chunk], candidates: &mut [usize], depth: usize) {
    let depth = depth.min(candidates.len());
    let mut read: Vec<(f64, usize)> = candidates[..depth]
        .iter()
        .filter_map(|&chunk| Some((closeness(question, chunks.get(chunk)?), chunk)))
        .collect();
    // A stable sort: equals stay in the index's order.
    read.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (place, (_, chunk)) in candidates.iter_mut().zip(read) {
        *place = chunk;
    }
}

/// How well the best sentence of a chunk, under its heading, meets the question.
fn closeness(question: &Question, chunk: &Chunk) -> f64 {
    let heading = text::words(&chunk.heading);
    chunk.sentences.iter().map(|sentence| meets(question, &heading, sentence)).fold(0.0, f64::max)
}

fn meets(question: &Question, heading: &[String], sentence: &Sentence) -> f64 {
    let mut sum = 0.0;
    for word in &question.words {
        let here = nearest(&word.text, &sentence.words);
        let above = nearest(&word.text, heading);
        sum += word.weight * here.max(HEADING * above);
    }
    let pairs: Vec<String> = sentence.words.windows(2).map(|pair| pair.join(" ")).collect();
    for two in question.words.windows(2) {
        if let [a, b] = two {
            let wanted = format!("{} {}", a.text, b.text);
            let likeness = pairs.iter().map(|pair| strsim::normalized_damerau_levenshtein(&wanted, pair));
            let best = likeness.filter(|likeness| *likeness >= ALIKE_PAIRS).fold(0.0, f64::max);
            sum += NEIGHBOURS * (a.weight + b.weight) * best;
        }
    }
    sum
}

/// How alike the most similar word is; 0 when none is.
fn nearest(word: &str, words: &[String]) -> f64 {
    words
        .iter()
        .map(|other| strsim::jaro_winkler(word, other))
        .filter(|likeness| *likeness >= ALIKE)
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;
    use crate::index::Index;

    #[test]
    fn the_tail_stays_where_it_was() {
        let chunks = corpus::chunks();
        let index = Index::new(&chunks);
        let question = Question::new("How long does a refund take to reach my card?", &index);
        let plain = index.candidates(&question.text, false);
        let mut read = plain.clone();
        rerank(&question, &chunks, &mut read, 4);
        assert_eq!(read[4..], plain[4..]);
        let mut none = plain.clone();
        rerank(&question, &chunks, &mut none, 0);
        assert_eq!(none, plain);
        rerank(&question, &chunks, &mut read, usize::MAX);
        read.sort_unstable();
        let mut all = plain;
        all.sort_unstable();
        assert_eq!(read, all, "nothing is lost");
    }

    #[test]
    fn alike_words_meet_and_others_do_not() {
        let words = ["charger".to_owned(), "ladder".to_owned()];
        assert!(nearest("chargers", &words) > ALIKE);
        assert_eq!(nearest("insurance", &words), 0.0);
    }
}
