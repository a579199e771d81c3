//! `lint` on sets that break it, and on sets that only look sound.
#![allow(clippy::expect_used, clippy::panic)]

use karat_engine::input::Source;
use karat_suites::lint::{Contract, Linted, lint};

fn linted(gold: &str, slices: &[&str]) -> Linted {
    let slices: Vec<String> = slices.iter().map(|&field| field.to_owned()).collect();
    lint(&Source::bytes("gold.jsonl", gold.as_bytes().to_vec()), None, &slices).expect("it can be read")
}

/// Lines, slugs, and the text that is marked.
#[track_caller]
fn check(gold: &str, slices: &[&str], expected: &[&str]) {
    let linted = linted(gold, slices);
    let told = |p: &karat_engine::problem::Problem| {
        let marked = p.excerpt.text.chars().skip(p.excerpt.mark.start).take(p.excerpt.mark.len());
        format!("{} {} {}", p.line, p.kind.slug, marked.collect::<String>())
    };
    let found: Vec<String> = linted.found.iter().map(told).collect();
    assert_eq!(found, expected, "{gold}");
}

fn row(id: &str, question: &str, phrases: &str, citation: &str) -> String {
    format!(
        "{{\"qid\":\"{id}\",\"question\":\"{question}\",\"answerable\":true,\"gold_claim_substr\":[{phrases}],\"gold_citations\":[\"{citation}\"]}}\n"
    )
}

const REFUSAL: &str = "{\"qid\":\"U\",\"question\":\"unknown?\",\"answerable\":false,\"gold_claim_substr\":[],\"gold_citations\":[]}\n";

#[test]
fn a_sound_set_has_no_finding() {
    let gold = row("a", "What is alpha?", "\"first letter\"", "p1")
        + &row("b", "What is beta?", "\"second one\"", "p2")
        + REFUSAL;
    check(&gold, &[], &[]);
    assert_eq!(linted(&gold, &[]).contract, Contract::Answers);
}

#[test]
fn refusal_must_be_measurable() {
    check(&row("a", "What is alpha?", "\"first letter\"", "p1"), &[], &["0 gold/few-unanswerable "]);
    let ten = |n: usize| -> String {
        let rows = |i: usize| {
            row(&format!("q{i}"), &format!("item{i}00?"), &format!("\"phrase {i}!\""), &format!("p{i}"))
        };
        (0..n).map(rows).collect::<String>() + REFUSAL
    };
    check(&ten(9), &[], &[]);
    check(&ten(10), &[], &["0 gold/few-unanswerable "]);
}

#[test]
fn substrings_that_other_answers_hold() {
    // In another substring, in the other direction not; the same chunks are the same fact.
    let gold = row("a", "one?", "\"14 days\"", "p1") + &row("b", "two?", "\"after 14 DAYS\"", "p2") + REFUSAL;
    check(&gold, &[], &["1 gold/shared-substring \"14 days\""]);
    let gold = row("a", "one?", "\"14 days\"", "p1") + &row("b", "two?", "\"after 14 days\"", "p1") + REFUSAL;
    check(&gold, &[], &[]);
    // Equal ones are told of both.
    let gold = row("a", "one?", "\"14 days\"", "p1") + &row("b", "two?", "\"14 days\"", "p2") + REFUSAL;
    check(&gold, &[], &["1 gold/shared-substring \"14 days\"", "2 gold/shared-substring \"14 days\""]);
    // The first row has the same chunks, the third has others.
    let gold = row("a", "one?", "\"14 days\"", "p1")
        + &row("b", "two?", "\"14 days\"", "p1")
        + &row("c", "three?", "\"in 14 days\"", "p3")
        + REFUSAL;
    check(&gold, &[], &["1 gold/shared-substring \"14 days\"", "2 gold/shared-substring \"14 days\""]);
    assert!(linted(&gold, &[]).found[1].message.contains("line 3 (\"c\")"));
    // The array contract: runs of the claim.
    let array = r#"[{"qid":1,"q":"one?","answerable":true,"gold_ids":["a"],"gold_claim":"Kept for 14 days"},
{"qid":2,"q":"two?","answerable":true,"gold_ids":["b"],"gold_claim":"It is kept for 14 days, then gone."},
{"qid":3,"q":"three?","answerable":false,"gold_ids":[]}]"#;
    check(array, &[], &["1 gold/shared-substring \"Kept for 14 days\""]);
}

#[test]
fn texts_that_decide_nothing_or_too_much() {
    let gold = row("a", "Why is the Cache cold?", "\"cache cold\"", "p1") + REFUSAL;
    check(&gold, &[], &["1 gold/in-question \"cache cold\""]);
    let forbids = |how: &str, forbidden: &str| {
        let wanted = "\"key owners\",\"the admins\"";
        row("a", "who?", wanted, "p1").replace(
            "\"gold_cit",
            &format!("\"match\":\"{how}\",\"forbidden_substr\":[{forbidden}],\"gold_cit"),
        ) + REFUSAL
    };
    check(&forbids("all", "\"OWNER\""), &[], &["1 gold/forbidden-required \"OWNER\""]);
    check(&forbids("any", "\"owner\""), &[], &[]);
    check(&forbids("any", "\"owner\",\"admin\""), &[], &["1 gold/forbidden-required \"owner\""]);
    let gold =
        row("a\u{202e}", "why?", "\"zero\\u200bwidth\"", "p\u{0}1".replace('\u{0}', "\\u0000").as_str())
            + REFUSAL;
    let told = |held: &str| format!("1 gold/hidden-character {held}");
    let told = [told("\"a\u{fffd}\""), told("\"zero\\u200bwidth\""), told("\"p\\u00001\"")];
    check(&gold, &[], &told.each_ref().map(String::as_str));
}

#[test]
fn slices_need_rows() {
    let of = |value: &str, n: usize| -> String {
        (0..n)
            .map(|i| {
                let row =
                    row(&format!("{value}{i}"), &format!("{value} item{i}?"), "", &format!("p{value}{i}"));
                row.replace("\"answerable\":true", &format!("\"answerable\":false,\"team\":\"{value}\""))
                    .replace(&format!("\"p{value}{i}\""), "")
            })
            .collect()
    };
    check(&(of("many", 5) + &of("few", 4)), &["team"], &["6 gold/thin-slice {"]);
    check(&(of("many", 5) + &of("few", 4)), &[], &[]);
    check(&of("many", 5), &["absent"], &[]);
}

#[test]
fn twins_are_found_in_every_contract() {
    let release = |id: &str, question: &str| {
        format!(
            "{{\"case_id\":\"{id}\",\"question\":\"{question}\",\"required_source_ids\":[\"c\"],\"required_points\":[\"p\"],\"points\":{{\"p\":[\"phrase\"]}}}}\n"
        )
    };
    check(
        &(release("a", "May I deploy?") + &release("b", "may I deploy")),
        &[],
        &["2 gold/near-duplicate \"may I deploy\""],
    );
    let retrieval = |id: &str, questions: &str| {
        format!("{{\"qid\":\"{id}\",\"paraphrases\":[{questions}],\"relevant\":[\"a\"]}}\n")
    };
    let gold = retrieval("a", "\"Reset the password\",\"reset password?\"")
        + &retrieval("b", "\"Other thing\",\"the password reset\"");
    check(&gold, &[], &["2 gold/near-duplicate \"the password reset\""]);
    // Equal to the letter is the contract's word in `answers`.
    let gold = row("a", "Why X?", "\"alpha\"", "p") + &row("b", "Why X?", "\"gamma\"", "p") + REFUSAL;
    check(&gold, &[], &["2 gold/same-question \"Why X?\""]);
}

#[test]
fn a_broken_contract_is_told_first_and_alone() {
    let gold = "{\"qid\":\"a\"}\n{\"qid\":\"b\",\"answerable\":\"yes\",\"gold_claim_substr\":[],\"gold_citations\":[]}\n";
    let linted = linted(gold, &[]);
    assert_eq!(linted.counts(), (4, 0));
    assert!(linted.found.iter().all(|problem| problem.line > 0));
    // More errors than are listed are counted all the same.
    let many = "{\"qid\":1}\n".repeat(30);
    let linted = self::linted(&many, &[]);
    assert!(linted.counts().0 >= 90 && linted.found.len() == 20, "{:?}", linted.counts());
    // What cannot be frozen is an error here.
    let twice = REFUSAL.replace("\"qid\":\"U\"", "\"qid\":\"U\",\"x\":1,\"x\":2");
    check(&twice, &[], &["1 input/repeated-field \""]);
}

#[test]
fn hostile_sets_end_in_words() {
    let long = row("L", &"why ".repeat(1 << 18), &format!("\"{}\"", "x".repeat(1 << 20)), "p") + REFUSAL;
    check(&long, &[], &[]);
    let deep = format!("{{\"qid\":\"D\",\"x\":{}", "[".repeat(100_000));
    assert_eq!(linted(&deep, &[]).found[0].kind.slug, "input/bad-json");
    assert_eq!(linted("", &[]).found[0].kind.slug, "gold/empty");
    assert_eq!(linted("[1,2]", &[]).found[0].kind.slug, "gold/not-an-object");
    // Thousands of phrases inside one another.
    let nested: String = (5..250)
        .map(|n| row(&n.to_string(), &format!("q{n}0"), &format!("\"{}\"", "a".repeat(n)), &format!("p{n}")))
        .collect();
    let linted = linted(&nested, &[]);
    let shared = linted.totals.iter().find(|(kind, _)| kind.slug == "gold/shared-substring").map(|(_, n)| *n);
    assert_eq!(shared, Some(244), "each but the longest");
}
