//! What a row is does not depend on the lines before it: its memory, and the keys it remembers, are used again.
#![allow(clippy::unwrap_used)]

use karat_engine::text;
use karat_suites::judge::Ranks;
use karat_suites::model::Id;
use karat_suites::rows::TraceRow;
use proptest::prelude::*;

/// Lines whose keys come in few shapes, so that many are what the line before had at their place, and many nearly.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let key = prop::sample::select(vec![
        "qid",
        "q_id",
        "q",
        "question",
        "ok",
        "reason",
        "ts",
        "retrieved_ids",
        "answer_json",
        "chunks",
        "answer",
        "citations",
        "qi",
        "qidd",
        "paraphrase",
        "größe",
        "a_key_that_is_longer_than_what_is_remembered",
        "\\u0071id",
    ]);
    let value = prop::sample::select(vec![
        "\"A1\"",
        "7",
        "null",
        "true",
        "[\"p1\", \" p2 \", 3, null]",
        "{\"claim\": \"x\", \"citations\": [\"p1\"]}",
        "{\"claim\":\"y\",\"citations\":\"p1\"}",
        "[{\"id\": \"c\", \"text\": \"…\"}]",
        "\"citations: [p1]\"",
        "1.5",
        "{",
        "\"\\ud83d\"",
    ]);
    let colon = prop::sample::select(vec![":", ": ", " : ", ":\t"]);
    let comma = prop::sample::select(vec![",", ", ", " ,", ",  ", ";"]);
    let field = (key, prop_oneof![8 => Just(": "), 1 => colon], value)
        .prop_map(|(key, colon, value)| format!("\"{key}\"{colon}{value}"));
    let comma = prop_oneof![12 => Just(", "), 1 => comma];
    let line =
        (prop::collection::vec(field, 0..6), comma, any::<bool>()).prop_map(|(fields, comma, whole)| {
            format!("{{{}{}", fields.join(comma), if whole { "}" } else { "} " })
        });
    // Lines come again, as they do in a log.
    (prop::collection::vec(line, 1..4), prop::collection::vec(any::<prop::sample::Index>(), 1..12))
        .prop_map(|(lines, order)| order.iter().map(|at| lines[at.index(lines.len())].clone()).collect())
}

fn told(row: &TraceRow<'_>) -> String {
    format!("{:?} {:?} {:?}", row.trace, row.case, row.wrong)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn a_row_read_behind_others_is_the_row_read_alone(lines in lines()) {
        let find = |id: &str| (id == "A1").then_some(3);
        let mut warm = TraceRow::default();
        for line in &lines {
            warm.read(line, find);
            let mut fresh = TraceRow::default();
            fresh.read(line, find);
            prop_assert_eq!(told(&warm), told(&fresh), "{}", line);
        }
    }

    #[test]
    fn ids_are_equal_as_their_texts_are(a in "[ab]{0,3}(long-prefix-)?[ab]{0,9}", b in "[ab]{0,3}(long-prefix-)?[ab]{0,9}") {
        let (one, other) = (Id::new((&a).into(), false), Id::new((&b).into(), false));
        prop_assert_eq!(one == other, a == b);
        prop_assert_eq!(one.is(Id::key_of(&b), &b), a == b);
        prop_assert!(one != Id::new((&a).into(), true) && !Id::new((&a).into(), true).is(Id::key_of(&a), &a));
    }

    #[test]
    fn lower_case_is_that_of_the_whole_text(text in "(\\PC|[a-zA-Z ΣσİÖß]){0,60}") {
        let mut lower = "old".to_owned();
        text::lower_into(&text, &mut lower);
        prop_assert_eq!(lower, text.to_lowercase());
    }

    #[test]
    fn ranks_come_back_sorted(mut ranks in prop::collection::vec(1u32..50, 0..8)) {
        let kept = Ranks::new(ranks.iter().copied());
        ranks.sort_unstable();
        prop_assert_eq!(kept.within(u32::MAX).collect::<Vec<_>>(), ranks);
    }
}
