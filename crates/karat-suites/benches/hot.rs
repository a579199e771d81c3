//! The hot path in pieces: skip, parse, judge, tally. `cargo bench -p karat-suites`.
#![allow(clippy::expect_used, missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use karat_engine::input::Source;
use karat_engine::input::json::Reader;
use karat_engine::tally::{Figure, Tally};
use karat_suites::gold::Gold;
use karat_suites::judge::{Params, Rules, Scratch, Scu, Verdict, judge};
use karat_suites::rows::TraceRow;

fn lines() -> Vec<String> {
    let line = |i: usize| {
        let ids: Vec<String> = (0..10)
            .map(|r| format!("\"doc{:05}.p{}#{}\"", (i * 31 + r * 7) % 99_991, r % 9 + 1, r % 4))
            .collect();
        format!(
            "{{\"ts\": 17{i:08}, \"qid\": \"Q{i:06}\", \"q\": \"What is setting {i} of the object store?\", \"retrieved_ids\": [{}], \
             \"answer_json\": {{\"claim\": \"According to the documentation setting {i} is {} days for the bucket policy keeps objects limit request upload invoice after version\", \
             \"citations\": [{}, {}]}}, \"ok\": true, \"reason\": \"ok\", \"latency_ms\": {}.5}}",
            ids.join(", "),
            i % 90 + 1,
            ids[1],
            ids[5],
            i % 3000
        )
    };
    (0..1000).map(line).collect()
}

fn gold() -> Gold {
    let rows: String = (0..1000)
        .map(|i| {
            format!(
                "{{\"qid\":\"Q{i:06}\",\"question\":\"{i}?\",\"answerable\":true,\"gold_claim_substr\":[\"setting {i} is {} days\"],\"gold_citations\":[\"doc{:05}.p2#1\"]}}\n",
                i % 90 + 1,
                (i * 31 + 7) % 99_991
            )
        })
        .collect();
    Gold::load(&Source::bytes("gold", rows.into_bytes()), &[], 1).expect("sound gold")
}

fn hot(c: &mut Criterion) {
    let (lines, gold, rules) = (lines(), gold(), Rules::default());
    let bytes: usize = lines.iter().map(String::len).sum();
    let mut group = c.benchmark_group("hot");
    group.throughput(Throughput::Bytes(bytes as u64)).sample_size(30);
    group.bench_function("skip", |b| {
        b.iter(|| lines.iter().filter(|line| Reader::new(line).skip().is_ok()).count())
    });
    group.bench_function("parse", |b| {
        b.iter(|| {
            let mut row = TraceRow::default();
            for line in &lines {
                row.read(line, |_| Some(0));
                black_box(&row);
            }
        });
    });
    group.bench_function("parse and judge", |b| {
        let mut scratch = Scratch::default();
        b.iter(|| {
            let mut row = TraceRow::default();
            for line in &lines {
                row.read(line, |id| gold.by_id(id));
                let case = &gold.cases[row.case.unwrap_or(0) as usize];
                black_box(judge(case, &row.trace, &rules, &mut scratch));
            }
        });
    });
    let params = Params { k: 5, scu: Scu::Report };
    let figures: Vec<Figure<Verdict>> = karat_suites::suites::answers::metrics::ALL
        .iter()
        .map(|&&metric| Figure { metric, params, name: metric.at(5) })
        .collect();
    let mut row = TraceRow::default();
    row.read(&lines[7], |_| Some(7));
    let verdict = judge(&gold.cases[7], &row.trace, &rules, &mut Scratch::default());
    group.throughput(Throughput::Elements(1));
    group.bench_function("tally", |b| {
        let mut tally = Tally::new(&figures);
        b.iter(|| tally.add(black_box(&verdict), &figures));
    });
}

criterion_group!(benches, hot);
criterion_main!(benches);
