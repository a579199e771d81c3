//! karat's reader accepts exactly what serde_json accepts, up to its limit of nesting.
#![no_main]

use karat_engine::input::json::Reader;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut reader = Reader::new(text);
    let ours = reader.skip().and_then(|()| reader.end());
    let theirs = serde_json::from_str::<serde::de::IgnoredAny>(text);
    let too_deep = ours.is_err_and(|e| e.expected().contains("nesting"));
    assert!(too_deep || ours.is_ok() == theirs.is_ok(), "{text:?}: {ours:?} {theirs:?}");
});
