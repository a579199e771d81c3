//! Qrels and runs of any bytes: read or refused with a place; the quick way through a line agrees with the slow one.
#![no_main]

use karat_suites::trec::layout::layout;
use karat_suites::trec::measures::{Over, of_all, of_topics};
use karat_engine::Source;
use karat_suites::trec;

fn text(qrels: &[u8], run: &[u8]) -> Option<String> {
    match trec::read(&[Source::bytes("qrels", qrels)], &[Source::bytes("run", run)], 1, &|_| ()) {
        Ok(rankings) => {
            let topics: Vec<_> = rankings.asked().collect();
            Some(layout(of_topics(&topics, &[])) + &layout(of_all(&topics, Over::Complete, &[])))
        },
        Err(failure) => {
            assert!(!failure.problems.is_empty() && !failure.to_string().is_empty());
            None
        }
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (qrels, run) = match data.iter().position(|&b| b == 0) {
        Some(cut) => (&data[..cut], &data[cut + 1..]),
        None => (&b"q1 0 a 1\nq1 0 b 0\n"[..], data),
    };
    let plain = text(qrels, run);
    // A comment behind it makes the last lines quick, doubled blanks make all of them slow.
    let padded = [run, b"\n#", &[b'.'; 600]].concat();
    let doubled: Vec<u8> = run.iter().flat_map(|&b| std::iter::repeat_n(b, 1 + usize::from(b == b' '))).collect();
    assert_eq!(text(qrels, &padded), plain);
    assert_eq!(text(qrels, &doubled), plain);
});
