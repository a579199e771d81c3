//! How may a question be written differently without asking something else? Pure transforms of text.

use std::sync::LazyLock;

use regex::{Captures, Regex};

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

    /// The name in options, requests and traces.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Jitter::None => "none",
            Jitter::Ws => "ws",
            Jitter::Punct => "punct",
            Jitter::Syn => "syn",
            Jitter::Order => "order",
        }
    }

    /// The jitter of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Jitter> {
        Jitter::ALL.into_iter().find(|jitter| jitter.name() == name)
    }

    /// The question, written differently.
    #[must_use]
    pub fn apply(self, question: &str) -> String {
        match self {
            Jitter::None => question.to_owned(),
            Jitter::Ws => tidy(question),
            Jitter::Punct => punctuate(question),
            Jitter::Syn => reword(question),
            Jitter::Order => reorder(question),
        }
    }
}

/// No pattern here can fail to compile: a test uses each of them. A broken one would match nothing.
fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

fn replaced(pattern: &LazyLock<Option<Regex>>, text: &str, with: &str) -> String {
    match &**pattern {
        Some(pattern) => pattern.replace_all(text, with).into_owned(),
        None => text.to_owned(),
    }
}

fn tidy(question: &str) -> String {
    static COMMA: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"\s*,\s*"));
    // Only a colon that has drifted: 12:30 stays a time.
    static COLON: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"\s+:\s*"));
    static SPACES: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"\s+"));
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
    static WORDS: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern(r"\b(?i-u:explain|list|compare|show)\b"));
    let Some(words) = &*WORDS else { return question.to_owned() };
    let other = |found: &Captures<'_>| {
        let word = match found[0].to_ascii_lowercase().as_str() {
            "explain" => "describe",
            "list" => "enumerate",
            "compare" => "contrast",
            _ => "display",
        };
        cased_as(word, &found[0])
    };
    words.replace_all(question, other).into_owned()
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

    #[track_caller]
    fn check(jitter: Jitter, from: &str, to: &str) {
        assert_eq!(jitter.apply(from), to);
    }

    #[test]
    fn none_is_the_question() {
        check(Jitter::None, " a ,b  ?", " a ,b  ?");
    }

    #[test]
    fn ws_tidies_spaces_round_commas_and_colons() {
        check(Jitter::Ws, "List  the items ,please :now?", "List the items, please: now?");
        check(Jitter::Ws, "  At 12:30 ,\tor\u{a0}\n later ", "At 12:30, or later");
        check(Jitter::Ws, "a,", "a,");
        check(Jitter::Ws, "", "");
    }

    #[test]
    fn punct_changes_signs_alone() {
        check(Jitter::Punct, "List  the items ,please :now?", "List the items ,please :now ?");
        check(Jitter::Punct, "What is X – or Y—Z", "What is X - or Y-Z?");
        check(Jitter::Punct, "Explain X.", "Explain X.");
        check(Jitter::Punct, "Stop!", "Stop!");
        check(Jitter::Punct, "Who? Why ?", "Who ? Why ?");
        check(Jitter::Punct, "Who? ", "Who ? ");
        check(Jitter::Punct, "", "");
    }

    #[test]
    fn syn_swaps_whole_words_and_keeps_the_first_letter() {
        check(Jitter::Syn, "List  the items ,please :now?", "Enumerate  the items ,please :now?");
        check(
            Jitter::Syn,
            "Explain, list, Compare and show SHOW.",
            "Describe, enumerate, Contrast and display Display.",
        );
        check(
            Jitter::Syn,
            "Listing the showroom's comparer; a_list éshow",
            "Listing the showroom's comparer; a_list éshow",
        );
    }

    #[test]
    fn order_swaps_the_two_phrases() {
        check(
            Jitter::Order,
            "Explain X, with citations, in one sentence",
            "Explain X, in one sentence, with citations",
        );
        check(
            Jitter::Order,
            "In one sentence and with citations: why? Thanks.",
            "With citations and in one sentence: why? Thanks.",
        );
        check(Jitter::Order, "Explain X with citations", "Explain X with citations");
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
