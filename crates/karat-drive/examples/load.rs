//! How fast is `karat run`, and how well does it keep time? A trivial server in a process of its own, on loopback.
//!
//! ```text
//! cargo run --release --package karat-drive --example load
//! ```
//!
//! Three runs: as fast as it goes; 500 requests a second, timed by the server; and a server that stalls for a second.
#![allow(clippy::print_stdout, clippy::expect_used)]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use karat_drive::drivers::http::{self, Http};
use karat_drive::drivers::{Driver, Limits};
use karat_drive::journal::Journal;
use karat_drive::meter::{Meter, Reading};
use karat_drive::plan::{Grid, Plan};
use karat_drive::run::{Contract, Run, Settings};
use karat_input::Source;
use karat_input::questions::questions;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("serve") => serve(std::env::args().nth(2).and_then(|at| at.parse().ok())),
        _ => measure(),
    }
}

fn measure() {
    let with = |stall: Option<u64>, rps: Option<f64>, seconds: u64, concurrency: usize| {
        let mut server = Command::new(std::env::current_exe().expect("this program"))
            .arg("serve")
            .args(stall.map(|at| at.to_string()))
            .stdout(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut said = BufReader::new(server.stdout.take().expect("its output"));
        let mut port = String::new();
        said.read_line(&mut port).expect("its port");
        let read = run(port.trim(), rps, Duration::from_secs(seconds), concurrency);
        // The server says when requests came, and ends.
        let mut stream =
            std::net::TcpStream::connect(format!("127.0.0.1:{}", port.trim())).expect("the server");
        std::io::Write::write_all(&mut stream, b"QUIT\r\n\r\n").expect("a last word");
        let mut times = String::new();
        said.read_line(&mut times).expect("its figures");
        server.wait().expect("it ends");
        let times: Vec<f64> = times.split_whitespace().filter_map(|t| t.parse().ok()).collect();
        (read, times)
    };
    let show = |read: &Reading| {
        let [p50, p95, p99, longest] = read.latency.expect("answers");
        format!(
            "{} answered, {} failed, p50 {p50:.2} ms, p95 {p95:.2} ms, p99 {p99:.2} ms, at most {longest:.0} ms",
            read.answered, read.failed
        )
    };
    let (read, _) = with(None, None, 5, 64);
    println!("as fast as it goes, 64 at a time, 5 s: {:.0} requests a second; {}", read.rate(), show(&read));
    let (read, times) = with(None, Some(500.0), 10, 1024);
    let (count, span) = (times.first().copied().unwrap_or(0.0), times.get(1).copied().unwrap_or(1.0));
    let rate = (count - 1.0) / span;
    println!(
        "500 a second for 10 s: {rate:.2} a second arrived, an error of {:.3} %; sent late by {:.2} ms at most in 99 of 100; {}",
        (rate / 500.0 - 1.0).abs() * 100.0,
        read.lag.unwrap_or(0.0),
        show(&read)
    );
    let (read, _) = with(Some(1000), Some(500.0), 10, 1024);
    println!("the same with a stall of 1 s: {}", show(&read));
}

fn run(port: &str, rps: Option<f64>, duration: Duration, concurrency: usize) -> Reading {
    let gold: String =
        (0..1000).map(|i| format!("{{\"qid\":{i},\"question\":\"Question number {i}?\"}}\n")).collect();
    let questions = questions(&Source::bytes("gold", gold.into_bytes())).expect("gold");
    let plan = Plan::new(questions, Grid { load: rps, rounds: true, ..Grid::default() });
    let limits = Limits { timeout: Duration::from_secs(30), reply: 1 << 20, concurrency };
    let url = http::url(&format!("http://127.0.0.1:{port}/ask")).expect("a URL");
    let driver = Driver::Http(Box::new(Http::new(url, Default::default(), limits).expect("a driver")));
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(&folder.path().join("t.jsonl"), false).expect("a file");
    let traces = karat_suites::dialects::TRACE_CONTRACT;
    let settings = Settings {
        contract: Contract { traces, map: Default::default(), secrets: Default::default() },
        retries: 0,
        concurrency,
        rps,
        duration: Some(duration),
        retry_failed: false,
        signals: false,
    };
    let meter = Arc::new(Meter::new(None));
    let run = Run { plan, driver, journal, settings, meter: meter.clone() };
    run.drive(&|_, _, _| {}).expect("a run");
    meter.read()
}

/// Answers everything alike, on two threads; the request at `stall` holds up all of them for a second.
#[tokio::main(worker_threads = 2)]
async fn serve(stall: Option<u64>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("an address").port());
    let count = Arc::new(AtomicU64::new(0));
    let times: Arc<Mutex<(Option<Instant>, Option<Instant>)>> = Arc::default();
    let turn = Arc::new(tokio::sync::RwLock::new(()));
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        let (count, times, turn) = (count.clone(), times.clone(), turn.clone());
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            answer(stream, stall, &count, &times, &turn).await
        });
    }
}

async fn answer(
    mut stream: TcpStream,
    stall: Option<u64>,
    count: &AtomicU64,
    times: &Mutex<(Option<Instant>, Option<Instant>)>,
    turn: &tokio::sync::RwLock<()>,
) -> Option<()> {
    const BODY: &str = r#"{"retrieved_ids":["p1"],"answer_json":{"claim":"alpha","citations":["p1"]}}"#;
    let reply = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{BODY}", BODY.len());
    let mut taken = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = taken.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut taken).await.ok()? == 0 {
                return None;
            }
        };
        let head = String::from_utf8_lossy(&taken[..end]).to_ascii_lowercase();
        if head.starts_with("quit") {
            let times = *times.lock().ok()?;
            let span = times.1? - times.0?;
            println!("{} {}", count.load(Ordering::SeqCst), span.as_secs_f64());
            std::process::exit(0);
        }
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok());
        let whole = end + length.unwrap_or(0);
        while taken.len() < whole {
            if stream.read_buf(&mut taken).await.ok()? == 0 {
                return None;
            }
        }
        taken.drain(..whole);
        {
            let now = Instant::now();
            let mut times = times.lock().ok()?;
            times.0.get_or_insert(now);
            times.1 = Some(now);
        }
        if Some(count.fetch_add(1, Ordering::SeqCst)) == stall {
            let _all = turn.write().await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        drop(turn.read().await);
        stream.write_all(reply.as_bytes()).await.ok()?;
    }
}
