//! Ratings of `agreement`: pairs, and one file a rater.
#![no_main]

use karat_core::Source;
use karat_core::formats::{ALL, Style};
use karat_core::suites::agreement::{Inputs, Settings, evaluate};

const RATER: &str = "{\"qid\":\"a\",\"label\":\"VALID\"}\n{\"qid\":\"b\",\"label\":\"REJECT\",\"reason\":\"r\"}";

// As pairs, and as one rater beside two sound ones.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    score(&Inputs::Pairs(vec![Source::bytes("pairs", data)]), None);
    let rater = |name: &str, bytes: &[u8]| (name.to_owned(), Source::bytes(name, bytes));
    let raters = vec![rater("one", RATER.as_bytes()), rater("two", data), rater("three", RATER.as_bytes())];
    score(&Inputs::Raters(raters[..2].to_vec()), Some("one"));
    score(&Inputs::Raters(raters), Some("two"));
});

fn score(inputs: &Inputs, truth: Option<&str>) {
    for lenient in [false, true] {
        let settings = Settings { truth: truth.map(str::to_owned), lenient, threads: 1, ..Settings::default() };
        match evaluate(inputs, &settings) {
            Ok(report) => ALL.iter().for_each(|format| {
                (format.render)(&report, &Style { color: true, brief: false });
            }),
            Err(failure) => assert!(!failure.problems.is_empty() && !failure.to_string().is_empty()),
        }
    }
}
