//! The whole of a run, top to bottom: requests at their moments, so many at a time, each with its attempts, each ending in one
//! line.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use karat_input::field::TraceContract;
use karat_input::problem::{self, Failure, Problem};
use karat_input::text::count;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::drivers::Driver;
use crate::drivers::exec::Conduct;
use crate::journal::{Held, Journal};
use crate::json;
use crate::map::Map;
use crate::meter::{Call, Meter};
use crate::pace::{self, Due, Left, Queue};
use crate::plan::Plan;
use crate::reply::{self, Contract, Reason};
use crate::retry::{self, Attempt};
use crate::secrets::Secrets;
use crate::stop::{self, Level, Signal, Stop};

/// How a plan is gone through.
#[derive(Debug)]
pub struct Settings {
    /// What a trace must keep to.
    pub traces: TraceContract,
    /// Where the fields of a trace stand in a reply.
    pub map: Map,
    /// What must appear nowhere.
    pub secrets: Secrets,
    /// Further attempts after one that failed by bad luck.
    pub retries: u32,
    /// Requests at the same time.
    pub concurrency: usize,
    /// Requests a second; without it, as many as are answered.
    pub rps: Option<f64>,
    /// For how long requests are sent, the plan over and over.
    pub duration: Option<Duration>,
    /// Whether the failed requests of a file that is resumed are asked again.
    pub retry_failed: bool,
    /// Whether Ctrl-C is listened to.
    pub signals: bool,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Requests that the file held already, answered.
    pub held: u64,
    /// Requests that the file held already, failed, and that were not asked again.
    pub held_failed: u64,
    /// Requests of the plan, or of its first round, that have no trace now.
    pub unasked: u64,
    /// The signal that ended it.
    pub signal: Option<Signal>,
    /// Whether the file held everything already.
    pub nothing_left: bool,
    /// Failed requests of the file that were asked again.
    pub retried: u64,
    /// Requests that the file holds and the plan does not.
    pub others: u64,
    /// How the processes of a command behaved.
    pub conduct: Conduct,
    /// What was typed into --map and led to nothing in any reply.
    pub astray: Vec<String>,
    /// Pointers to what such a reply had.
    pub reply_has: Option<String>,
}

/// Called when a signal was heard: which, how far it stops the run, and how many requests are in flight.
pub type Heard<'a> = &'a (dyn Fn(Signal, Level, u64) + Sync);

/// Goes through a plan. `meter` shows how far it is, and in the end what came of it.
pub fn drive(
    plan: Plan,
    driver: Driver,
    journal: (Journal, Held),
    settings: Settings,
    meter: &Arc<Meter>,
    heard: Heard<'_>,
) -> Result<Ended, Failure> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
        .map_err(|e| trouble(&problem::RUN_UNREACHABLE, "karat run", e.to_string()))?;
    let ended = runtime.block_on(go(plan, Arc::new(driver), journal, settings, meter, heard));
    runtime.shutdown_timeout(Duration::from_millis(100));
    ended
}

fn trouble(kind: &'static problem::Kind, source: &str, message: String) -> Failure {
    Problem::of_file(kind, source, message).into()
}

/// What every call needs.
struct Shared {
    driver: Arc<Driver>,
    plan: Arc<Plan>,
    contract: Contract,
    retries: u32,
    stop: Stop,
    in_flight: AtomicU64,
    lines: mpsc::Sender<Line>,
    /// Why the whole run is hopeless.
    hopeless: std::sync::Mutex<Option<String>>,
}

/// A trace on its way to the file.
struct Line {
    text: String,
    latency: Duration,
    lag: Option<Duration>,
    failed: Option<String>,
    redacted: bool,
    /// Whether it takes back an earlier one.
    recall: bool,
    led: Vec<bool>,
    has: Option<String>,
}

async fn go(
    plan: Plan,
    driver: Arc<Driver>,
    (journal, held): (Journal, Held),
    settings: Settings,
    meter: &Arc<Meter>,
    heard: Heard<'_>,
) -> Result<Ended, Failure> {
    let name = journal.name().to_owned();
    let queue = Queue {
        plan: Arc::new(plan),
        held,
        retry_failed: settings.retry_failed,
        duration: settings.duration,
        next: 0,
    };
    let Left { left, held, held_failed, retried, others } = queue.left();
    let mut ended = Ended { held, held_failed, retried, others, ..Ended::default() };
    if others > 0 && held + held_failed + retried == 0 {
        let message = format!(
            "none of the {} that this file holds is of this plan: the gold set, seeds, jitters, knobs or --rps are others",
            count(others, "request")
        );
        return Err(trouble(&problem::RUN_OUT_FOREIGN, &name, message));
    }
    meter.start(settings.duration.is_none().then_some(left), Instant::now());
    if left == 0 {
        ended.nothing_left = true;
        return Ok(ended);
    }
    #[cfg(unix)]
    let _too_large = stop::hear_of_limits();
    driver.reach(settings.retries).await.map_err(|e| trouble(&problem::RUN_UNREACHABLE, "--http", e))?;

    let stop = Stop::default();
    let (lines, taken) = mpsc::channel(1024);
    let writer = {
        let (meter, stop) = (meter.clone(), stop.clone());
        std::thread::spawn(move || write(journal, taken, &meter, &stop))
    };
    let shared = Arc::new(Shared {
        driver: driver.clone(),
        plan: queue.plan.clone(),
        contract: Contract { traces: settings.traces, map: settings.map, secrets: settings.secrets },
        retries: settings.retries,
        stop: stop.clone(),
        in_flight: AtomicU64::new(0),
        lines,
        hopeless: std::sync::Mutex::default(),
    });
    let start = Instant::now();
    meter.start(settings.duration.is_none().then_some(left), start);
    let signal = std::sync::Mutex::new(None);
    let hear = |which: Signal, level: Level| {
        *signal.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(which);
        heard(which, level, shared.in_flight.load(Ordering::Relaxed));
    };
    let work = async {
        match settings.rps {
            Some(rps) => paced(queue, rps, start, settings.concurrency, &shared).await,
            None => unpaced(queue, start, settings.concurrency, &shared).await,
        }
    };
    if settings.signals {
        tokio::select! {
            () = work => {}
            () = stop::listen(stop.clone(), hear) => {}
        }
    } else {
        work.await;
    }
    driver.close(&shared.contract).await;
    recall(&shared).await;
    ended.conduct = driver.conduct();
    let typed: Vec<String> = shared.contract.map.typed().map(str::to_owned).collect();
    let hopeless = shared.hopeless.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
    drop(shared);
    let written = tokio::task::spawn_blocking(move || writer.join()).await;
    match written {
        Ok(Ok(Ok(()))) => {}
        Ok(Ok(Err(e))) => {
            let whole = match meter.read().done() {
                0 => "nothing of this run was written before it".to_owned(),
                number => format!("{} of this run stood before it, and stay", count(number, "trace")),
            };
            let message = format!("a trace could not be written: {e}; {whole}");
            return Err(trouble(&problem::RUN_BROKEN_OFF, &name, message));
        }
        _ => return Err(trouble(&problem::RUN_OUT, &name, "the writer broke off".into())),
    }
    if let Some(message) = hopeless {
        return Err(trouble(&problem::RUN_EXEC, "--exec", message));
    }
    ended.signal = signal.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let read = meter.read();
    ended.unasked = left.saturating_sub(read.done());
    let led = typed.into_iter().zip(&read.led);
    ended.reply_has = read.has.clone();
    ended.astray = led.filter(|(_, led)| **led == 0).map(|(typed, _)| typed).collect();
    Ok(ended)
}

/// As many at a time as may be, each as soon as there is room.
async fn unpaced(mut queue: Queue, start: Instant, concurrency: usize, shared: &Arc<Shared>) {
    let room = Arc::new(Semaphore::new(concurrency));
    loop {
        let permit = tokio::select! {
            biased;
            () = shared.stop.reached(Level::Finish) => break,
            permit = room.clone().acquire_owned() => permit,
        };
        let (Ok(permit), Some(ask)) = (permit, queue.next(start.elapsed())) else { break };
        let due = Due { ask, at: Instant::now(), paced: false };
        tokio::spawn(in_flight(shared.clone(), due, permit));
    }
    settle(&room, concurrency, shared).await;
}

/// Each at its moment, or as soon after it as there is room.
async fn paced(queue: Queue, rps: f64, start: Instant, concurrency: usize, shared: &Arc<Shared>) {
    let room = Arc::new(Semaphore::new(concurrency));
    let (requests, mut due) = mpsc::channel(1024);
    let (go_on, quit) = std::sync::mpsc::channel();
    let clock = std::thread::spawn(move || pace::keep(queue, rps, start, &requests, &quit));
    loop {
        let next = async {
            let due = due.recv().await?;
            Some((due, room.clone().acquire_owned().await.ok()?))
        };
        let next = tokio::select! {
            biased;
            () = shared.stop.reached(Level::Finish) => break,
            next = next => next,
        };
        let Some((due, permit)) = next else { break };
        tokio::spawn(in_flight(shared.clone(), due, permit));
    }
    drop((go_on, due));
    settle(&room, concurrency, shared).await;
    // The clock's thread has heard by now that nobody listens.
    drop(clock);
}

/// Waits for what is in flight, unless it is to be dropped.
async fn settle(room: &Semaphore, concurrency: usize, shared: &Shared) {
    let all = u32::try_from(concurrency).unwrap_or(u32::MAX);
    tokio::select! {
        () = shared.stop.reached(Level::Drop) => {}
        _ = room.acquire_many(all) => {}
    }
}

/// A call that is dropped when everything is; its room is free after it.
async fn in_flight(shared: Arc<Shared>, due: Due, _room: OwnedSemaphorePermit) {
    tokio::select! {
        biased;
        () = call(&shared, due) => {}
        () = shared.stop.reached(Level::Drop) => {}
    }
}

/// One request with all its attempts, and its trace.
async fn call(shared: &Shared, due: Due) {
    shared.in_flight.fetch_add(1, Ordering::Relaxed);
    let lag = due.paced.then(|| due.at.elapsed());
    let (mut attempts, mut outcome, mut process, mut ended) = (0, None, None, None);
    while outcome.is_none() {
        attempts += 1;
        outcome = match shared.driver.call(&due.ask, &shared.contract).await {
            Attempt::Reply(reply) => {
                (process, ended) = (reply.by, Some(reply.at));
                Some(reply.said)
            }
            Attempt::Failed(reason, again) => {
                match retry::wait(attempts, shared.retries, again, shared.driver.timeout()) {
                    None => Some(Err(reason)),
                    Some(pause) => {
                        tokio::select! {
                            () = tokio::time::sleep(pause) => None,
                            // Between two attempts nothing is in flight: a resumed run asks this one again.
                            () = shared.stop.reached(Level::Finish) => break,
                        }
                    }
                }
            }
            Attempt::Hopeless(message) => {
                let mut hopeless = shared.hopeless.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                hopeless.get_or_insert_with(|| shared.contract.secrets.redact(&message).into_owned());
                shared.stop.at_least(Level::Drop);
                break;
            }
        };
    }
    let latency = ended.unwrap_or_else(Instant::now).saturating_duration_since(due.at);
    if let Some(outcome) = outcome {
        let line = trace(shared, &due, attempts, latency, lag, outcome);
        let _ = shared.lines.send(line).await;
    }
    // Only now: should its next words take this reply back, they come behind it.
    if let Some(process) = process {
        shared.driver.free(process);
    }
    recall(shared).await;
    shared.in_flight.fetch_sub(1, Ordering::Relaxed);
}

/// Takes back replies that may be those to other questions: of two traces of a request, the last counts.
async fn recall(shared: &Shared) {
    for ask in shared.driver.recalled().into_iter().filter_map(|number| shared.plan.ask(number)) {
        let reason = Reason::new(
            "protocol",
            "the process wrote more lines than it was asked for, so that its reply may be to another question; replies that repeat their qid can be told apart",
        );
        let text = format!("{},\"ok\":false,\"reason\":{}}}", ask.head, json::quoted(&reason.to_string()));
        let line = Line {
            text,
            latency: Duration::ZERO,
            lag: None,
            failed: Some(reason.kind),
            redacted: false,
            recall: true,
            led: Vec::new(),
            has: None,
        };
        let _ = shared.lines.send(line).await;
    }
}

fn trace(
    shared: &Shared,
    due: &Due,
    attempts: u32,
    latency: Duration,
    lag: Option<Duration>,
    outcome: Result<reply::Said, Reason>,
) -> Line {
    let micros = latency.as_micros();
    let time = format!(",\"e2e_ms\":{}.{:03}", micros / 1000, micros % 1000);
    let tries = if attempts > 1 { format!(",\"attempts\":{attempts}") } else { String::new() };
    let head = &due.ask.head;
    let (mut led, mut has) = (Vec::new(), None);
    let (text, failed, redacted) = match outcome {
        Ok(said) => {
            (led, has) = (said.led, said.has);
            (format!("{head}{}{time}{tries}}}", said.fields), said.failed, said.redacted)
        }
        Err(reason) => {
            let detail = shared.contract.secrets.redact(&reason.detail);
            let redacted = *detail != *reason.detail;
            let words = json::quoted(&format!("{}: {detail}", reason.kind));
            (format!("{head},\"ok\":false,\"reason\":{words}{time}{tries}}}"), Some(reason), redacted)
        }
    };
    Line { text, latency, lag, failed: failed.map(|reason| reason.kind), redacted, recall: false, led, has }
}

/// Writes lines as they come; the first that cannot be written ends the run.
fn write(
    mut journal: Journal,
    mut lines: mpsc::Receiver<Line>,
    meter: &Meter,
    stop: &Stop,
) -> std::io::Result<()> {
    while let Some(line) = lines.blocking_recv() {
        if let Err(e) = journal.append(&line.text) {
            stop.at_least(Level::Drop);
            return Err(e);
        }
        meter.count(Call {
            latency: line.latency,
            lag: line.lag,
            failed: line.failed.as_deref(),
            redacted: line.redacted,
            recall: line.recall,
            led: &line.led,
            has: line.has,
        });
    }
    Ok(())
}
