//! Every conformance sample of the specification gives the figures and labels that it must.
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::fs;

use common::words;
use serde_json::Value;

#[test]
fn every_sample_gives_its_figures() {
    let samples = common::root().join("tests/conformance");
    let (mut checked, mut wrong) = (0, Vec::new());
    let folders = |path| fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path());
    for suite in folders(samples) {
        if suite.ends_with("release") || suite.ends_with("stability") {
            continue; // by the stage, or the measures, of each case: below
        }
        for sample in folders(suite) {
            let read = |name: &str| fs::read_to_string(sample.join(name)).expect("a file of the sample");
            let words = words(&read("args.txt"));
            let format = words.iter().position(|word| word == "--format").expect("a format");
            let args = [&words[1..format], &words[format + 2..]].concat();
            let (flat, report, status) = common::both(&sample, &args);
            let expected: Value = serde_json::from_str(&read("expected.json")).expect("JSON");
            for (key, value) in expected.as_object().expect("an object") {
                let got = match key.as_str() {
                    "labels" => serde_json::to_value(common::by_case(&report, "label")).expect("labels"),
                    _ => flat[key].clone(),
                };
                if !common::same(&got, value) {
                    wrong.push(format!("{}: {key}: expected {value}, got {got}", sample.display()));
                }
            }
            assert_eq!(status == 0, flat["pass"] == Value::Bool(true));
            checked += 1;
        }
    }
    assert!(checked >= 55, "only {checked} samples were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_release_sample_gives_every_stage() {
    let sample = common::root().join("tests/conformance/release");
    let read = |name: &str| fs::read_to_string(sample.join(name)).expect("a file of the sample");
    let args = read("args.txt");
    let words = words(args.split_once('#').expect("a comment behind the call").0);
    let format = words.iter().position(|word| word == "--format").expect("a format");
    let (flat, report, status) = common::both(&sample, &words[1..format]);
    let expected: Value = serde_json::from_str(&read("expected.json")).expect("JSON");
    let stages = serde_json::to_value(common::by_case(&report, "first_failed_stage")).expect("stages");
    assert_eq!(stages, expected);
    assert_eq!((status, &flat["pass"]), (0, &Value::Bool(true)));
}

#[test]
fn every_stability_sample_gives_the_measures_of_its_cases() {
    let samples = common::root().join("tests/conformance/stability");
    let mut checked = 0;
    for sample in fs::read_dir(samples).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let read = |name: &str| fs::read_to_string(sample.join(name)).expect("a file of the sample");
        let args = read("args.txt");
        let words = words(args.split_once('#').expect("a comment behind the call").0);
        let format = words.iter().position(|word| word == "--format").expect("a format");
        let (flat, _, _) = common::both(&sample, &words[1..format]);
        let expected: Value = serde_json::from_str(&read("expected.json")).expect("JSON");
        let expected = expected.as_object().expect("an object");
        assert_eq!(flat["details"].as_object().expect("details").len(), expected.len());
        for (id, measures) in expected {
            for (name, value) in measures.as_object().expect("measures") {
                let got = &flat["details"][id][name];
                assert!(
                    common::same(got, value),
                    "{}: {id} {name}: {got}, expected {value}",
                    sample.display()
                );
                checked += 1;
            }
        }
    }
    assert!(checked >= 100, "only {checked} measures were found");
}
