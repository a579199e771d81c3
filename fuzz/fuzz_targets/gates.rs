//! Gate expressions, refusal patterns and rule packs.
#![no_main]

use karat_engine::gate::{Origin, parse};
use karat_suites::judge::{Refusal, RulePack};
use karat_suites::suites::answers;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let all = (answers::SUITE.profile)().metrics;
    if let Ok(gates) = parse(text, "--gates", &all, 5, Origin::Explicit) {
        // What a gate prints reads back as the same gate.
        for gate in gates {
            let printed = gate.to_string();
            let again = parse(&printed, "", &all, 5, Origin::Explicit).expect("a printed gate reads");
            assert_eq!(again[0].to_string(), printed);
        }
    }
    if text.len() < 64 {
        let _ = RulePack::parse("pack", text);
        let _ = Refusal::parse(&[text.to_owned()]);
    }
});
