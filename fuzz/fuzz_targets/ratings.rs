//! Ratings of `agreement`: pairs, and one file for each rater.
#![no_main]
#[path = "shared.rs"]
mod shared;

use karat_engine::{Request, Source};
use karat_suites::suites;
use shared::{exercise, request};

const RATER: &str = "{\"qid\":\"a\",\"label\":\"VALID\"}\n{\"qid\":\"b\",\"label\":\"REJECT\",\"reason\":\"r\"}";

// As pairs, and as one rater beside two sound ones.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    exercise(&request(&suites::agreement::SUITE, &[("pairs", data)]), |asked| asked);
    let rater = |name: &str, bytes: &[u8]| (name.to_owned(), Source::bytes(name, bytes));
    let raters = vec![rater("one", RATER.as_bytes()), rater("two", data), rater("three", RATER.as_bytes())];
    let asked = || Request::new(&suites::agreement::SUITE).threads(1);
    exercise(&asked().named("raters", raters[..2].to_vec()).set("truth", "one"), |asked| asked);
    exercise(&asked().named("raters", raters).set("truth", "two"), |asked| asked);
});
