//! The whole of a run, top to bottom: requests at their moments, so many at a time, each with its attempts, each ending in one
//! line.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use karat_core::problem::{self, Failure, Problem};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::drivers::Driver;
use crate::journal::{Held, Journal};
use crate::json;
use crate::map::Map;
use crate::meter::{Call, Meter};
use crate::pace::{self, Due, Queue};
use crate::plan::Plan;
use crate::reply::{self, Reason};
use crate::retry::{self, Attempt};
use crate::secrets::Secrets;
use crate::stop::{self, Level, Signal, Stop};

/// How a plan is gone through.
#[derive(Debug)]
pub struct Settings {
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Requests that the file held already, answered.
    pub held: u64,
    /// Requests that the file held already, failed, and that were not asked again.
    pub held_failed: u64,
    /// Requests of the plan, or of its first round, that have no trace now.
    pub unasked: u64,
    /// The signal that ended it.
    pub signal: Option<Signal>,
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
    map: Map,
    secrets: Secrets,
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
    let (left, answered, failed) = queue.left();
    let mut ended = Ended { held: answered, held_failed: failed, ..Ended::default() };
    meter.start(settings.duration.is_none().then_some(left), Instant::now());
    if left == 0 {
        return Ok(ended);
    }
    driver.reach(settings.retries).await.map_err(|e| trouble(&problem::RUN_UNREACHABLE, "--http", e))?;

    let stop = Stop::default();
    let (lines, taken) = mpsc::channel(1024);
    let writer = {
        let (meter, stop) = (meter.clone(), stop.clone());
        std::thread::spawn(move || write(journal, taken, &meter, &stop))
    };
    let shared = Arc::new(Shared {
        driver: driver.clone(),
        map: settings.map,
        secrets: settings.secrets,
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
    driver.close().await;
    let hopeless = shared.hopeless.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
    drop(shared);
    let written = tokio::task::spawn_blocking(move || writer.join()).await;
    match written {
        Ok(Ok(Ok(()))) => {}
        Ok(Ok(Err(e))) => {
            return Err(trouble(&problem::RUN_OUT, &name, format!("a trace could not be written: {e}")));
        }
        _ => return Err(trouble(&problem::RUN_OUT, &name, "the writer broke off".into())),
    }
    if let Some(message) = hopeless {
        return Err(trouble(&problem::RUN_EXEC, "--exec", message));
    }
    ended.signal = signal.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let done = meter.read().done();
    ended.unasked = left.saturating_sub(done);
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
    let (mut attempts, mut outcome) = (0, None);
    while outcome.is_none() {
        attempts += 1;
        outcome = match shared.driver.call(&due.ask, &shared.map).await {
            Attempt::Reply(reply) => Some(reply::read(&reply, &due.ask, &shared.map)),
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
                hopeless.get_or_insert_with(|| shared.secrets.redact(&message).into_owned());
                shared.stop.at_least(Level::Drop);
                break;
            }
        };
    }
    let latency = due.at.elapsed();
    if let Some(outcome) = outcome {
        let line = trace(shared, &due, attempts, latency, lag, outcome);
        let _ = shared.lines.send(line).await;
    }
    shared.in_flight.fetch_sub(1, Ordering::Relaxed);
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
    let (text, failed) = match outcome {
        Ok(said) => (format!("{head}{}{time}{tries}}}", said.fields), said.failed),
        Err(reason) => {
            let words = json::quoted(&reason.to_string());
            (format!("{head},\"ok\":false,\"reason\":{words}{time}{tries}}}"), Some(reason))
        }
    };
    let (clean, redacted) = match shared.secrets.redact_json(&text) {
        std::borrow::Cow::Owned(clean) => (Some(clean), true),
        std::borrow::Cow::Borrowed(_) => (None, false),
    };
    Line { text: clean.unwrap_or(text), latency, lag, failed: failed.map(|reason| reason.kind), redacted }
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
        meter.count(&Call {
            latency: line.latency,
            lag: line.lag,
            failed: line.failed.as_deref(),
            redacted: line.redacted,
        });
    }
    Ok(())
}
