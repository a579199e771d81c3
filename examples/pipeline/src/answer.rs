//! What does the pipeline say? The sentence that covers most of the question, word for word; a second one where it
//! covers what the first does not. This is the step where others would call a model.

use crate::corpus::{Chunk, Sentence};
use crate::knobs::Knobs;
use crate::question::{Question, Word};
use crate::text;

/// What a word with another ending counts, beside the word itself.
const ENDING: f64 = 0.9;

/// What a word in the heading counts, beside one in the sentence.
const HEADING: f64 = 0.6;

/// What a word elsewhere in the section counts.
const AROUND: f64 = 0.4;

/// What is left of a sentence without a number where an amount was asked for.
const NUMBERLESS: f64 = 0.7;

/// What each place further down the list costs.
const PLACE: f64 = 0.1;

/// A second sentence must add at least this share of the question.
const ADDS: f64 = 0.25;

/// What might be said, before the guard has looked at it.
pub(crate) struct Draft {
    pub(crate) claim: String,
    /// The chunks it was taken from, by number.
    pub(crate) from: Vec<usize>,
    /// The share of the question's weight that it covers, heading included.
    pub(crate) covers: f64,
}

/// Reads the first `k` chunks; `None` if they hold no word of the question.
pub(crate) fn draft(
    question: &Question,
    chunks: &[Chunk],
    read: &[usize],
    seed: i64,
    knobs: &Knobs,
) -> Option<Draft> {
    let mut found: Vec<Found<'_>> = Vec::new();
    for (place, &number) in read.iter().enumerate() {
        let Some(chunk) = chunks.get(number) else { continue };
        let heading: Vec<String> = text::words(&chunk.heading).iter().map(|word| text::stem(word)).collect();
        for (line, sentence) in chunk.sentences.iter().enumerate() {
            let covered = cover(question, &heading, chunk, sentence);
            let covers: f64 = covered.iter().sum::<f64>() / question.weight;
            let noise = knobs.temperature * (chance(seed, &question.text, &chunk.id, line) - 0.5);
            let fits = !question.wants_number || sentence.words.iter().any(|word| text::is_number(word));
            let score =
                covers * (1.0 - PLACE * place as f64) * (1.0 + noise) * if fits { 1.0 } else { NUMBERLESS };
            found.push(Found { chunk: number, sentence, covered, covers, score });
        }
    }
    // A stable sort: equals stay in reading order.
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let best = found.first().filter(|best| best.covers > 0.0)?;
    let mut draft = Draft { claim: best.sentence.text.clone(), from: vec![best.chunk], covers: best.covers };
    let second = found.iter().skip(1).find(|other| other.chunk == best.chunk);
    if let Some(second) = second {
        let both: f64 = best.covered.iter().zip(&second.covered).map(|(a, b)| a.max(*b)).sum();
        let both = both / question.weight;
        if both - best.covers >= ADDS {
            draft.claim = format!("{} {}", draft.claim, second.sentence.text);
            draft.covers = both;
        }
    }
    Some(draft)
}

/// A sentence beside the question.
struct Found<'a> {
    chunk: usize,
    sentence: &'a Sentence,
    /// What it covers of each word's weight.
    covered: Vec<f64>,
    covers: f64,
    score: f64,
}

fn cover(question: &Question, heading: &[String], chunk: &Chunk, sentence: &Sentence) -> Vec<f64> {
    let share = |word: &Word| {
        if sentence.words.contains(&word.text) {
            1.0
        } else if sentence.stems.contains(&word.stem) {
            ENDING
        } else if heading.contains(&word.stem) {
            HEADING
        } else if chunk.sentences.iter().any(|other| other.stems.contains(&word.stem)) {
            AROUND
        } else {
            0.0
        }
    };
    question.words.iter().map(|word| word.weight * share(word)).collect()
}

/// A number in 0..1 that looks like chance and is the same for the same seed, question and sentence.
fn chance(seed: i64, question: &str, chunk: &str, line: usize) -> f64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    for part in [question.as_bytes(), chunk.as_bytes(), &line.to_le_bytes()] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut first = [0; 4];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..4]);
    f64::from(u32::from_le_bytes(first)) / f64::from(u32::MAX)
}
