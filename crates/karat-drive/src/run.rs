//! The whole of a run, top to bottom: requests when they are due, a limited number at a time, each with its attempts, each
//! ending in one line.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use karat_input::problem::{self, Failure, Problem};
use karat_input::text::count;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::drivers::Driver;
use crate::drivers::exec::Conduct;
use crate::journal::{Journal, Resumed};
use crate::meter::{Call, Meter};
use crate::pace::{self, Due, Queue};
use crate::plan::Plan;
use crate::reply::{self, Reason};
use crate::retry::{self, Attempt};
use crate::stop::{self, Level, Signal, Stop};
use crate::{json, locked};

pub use crate::reply::Contract;

/// Everything that a run needs.
pub struct Run {
    /// What is asked.
    pub plan: Plan,
    /// How the pipeline is reached.
    pub driver: Driver,
    /// Where the traces go, and what was there before.
    pub journal: (Journal, Resumed),
    /// How the plan is worked through.
    pub settings: Settings,
    /// Shows how far the run is, and in the end what came of it.
    pub meter: Arc<Meter>,
}

/// How a plan is worked through.
#[derive(Debug)]
pub struct Settings {
    /// How replies are read.
    pub contract: Contract,
    /// Further attempts after one that failed by bad luck.
    pub retries: u32,
    /// Requests at the same time.
    pub concurrency: usize,
    /// Requests per second; without it, as many as are answered.
    pub rps: Option<f64>,
    /// For how long requests are sent; the plan is repeated until then.
    pub duration: Option<Duration>,
    /// Whether the failed requests of a file that is resumed are asked again.
    pub retry_failed: bool,
    /// Whether Ctrl-C is listened to.
    pub signals: bool,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunOutcome {
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
    /// The values of --map whose pointer led to nothing in any reply.
    pub astray: Vec<String>,
    /// Pointers to what such a reply had.
    pub reply_has: Option<String>,
}

/// Called on a signal: which one, how far it stops the run, and how many requests are in flight.
pub type OnSignal<'a> = &'a (dyn Fn(Signal, Level, u64) + Sync);

fn failure(kind: &'static problem::Kind, source: &str, message: String) -> Failure {
    Problem::of_file(kind, source, message).into()
}

/// What every call needs.
struct Shared {
    driver: Driver,
    plan: Arc<Plan>,
    contract: Contract,
    retries: u32,
    stop: Stop,
    in_flight: AtomicU64,
    lines: mpsc::Sender<Line>,
    /// Why the whole run is hopeless.
    hopeless: Mutex<Option<String>>,
}

/// A trace on its way to the file, and what is counted of it.
type Line = (String, Call);

impl Run {
    /// Works through the plan.
    pub fn drive(self, on_signal: OnSignal<'_>) -> Result<RunOutcome, Failure> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads)
            .enable_all()
            .build()
            .map_err(|e| failure(&problem::RUN_UNREACHABLE, "karat run", e.to_string()))?;
        let ended = runtime.block_on(self.go(on_signal));
        runtime.shutdown_timeout(Duration::from_millis(100));
        ended
    }

    async fn go(self, on_signal: OnSignal<'_>) -> Result<RunOutcome, Failure> {
        let Run { plan, driver, journal: (journal, held), settings, meter } = self;
        let Settings { contract, retries, concurrency, rps, duration, retry_failed, signals } = settings;
        let name = journal.name().to_owned();
        let queue = Queue { plan: Arc::new(plan), held, retry_failed, duration, next: 0 };
        let (left, mut ended) = queue.left();
        if ended.others > 0 && ended.held + ended.held_failed + ended.retried == 0 {
            let message = format!(
                "none of the {} that this file holds is of this plan: the gold set, seeds, jitters, knobs or --rps are others",
                count(ended.others, "request")
            );
            return Err(failure(&problem::RUN_OUT_FOREIGN, &name, message));
        }
        let total = duration.is_none().then_some(left);
        meter.start(total, Instant::now());
        if left == 0 {
            ended.nothing_left = true;
            return Ok(ended);
        }
        #[cfg(unix)]
        let _too_large = stop::hear_of_limits();
        driver.reach(retries).await.map_err(|e| failure(&problem::RUN_UNREACHABLE, "--http", e))?;

        let stop = Stop::default();
        let (lines, taken) = mpsc::channel(1024);
        let writer = {
            let (meter, stop) = (meter.clone(), stop.clone());
            std::thread::spawn(move || write(journal, taken, &meter, &stop))
        };
        let (plan, in_flight, hopeless) = (queue.plan.clone(), AtomicU64::new(0), Mutex::default());
        let shared = Shared { driver, plan, contract, retries, stop, in_flight, lines, hopeless };
        let shared = Arc::new(shared);
        let start = Instant::now();
        meter.start(total, start);
        let signal = Mutex::new(None);
        let hear = |which: Signal, level: Level| {
            *locked(&signal) = Some(which);
            on_signal(which, level, shared.in_flight.load(Ordering::Relaxed));
        };
        let work = send_all(queue, rps, start, concurrency, &shared);
        if signals {
            tokio::select! {
                () = work => {}
                () = stop::listen(shared.stop.clone(), hear) => {}
            }
        } else {
            work.await;
        }
        shared.driver.close(&shared.contract).await;
        recall(&shared).await;
        ended.conduct = shared.driver.conduct();
        let typed: Vec<String> = shared.contract.map.typed().map(str::to_owned).collect();
        let hopeless = locked(&shared.hopeless).take();
        drop(shared);
        match tokio::task::spawn_blocking(move || writer.join()).await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(e))) => {
                let whole = match meter.read().done() {
                    0 => "nothing of this run was written before it".to_owned(),
                    number => format!("{} of this run stood before it, and stay", count(number, "trace")),
                };
                let message = format!("a trace could not be written: {e}; {whole}");
                return Err(failure(&problem::RUN_BROKEN_OFF, &name, message));
            }
            _ => return Err(failure(&problem::RUN_OUT, &name, "the writer broke off".into())),
        }
        if let Some(message) = hopeless {
            return Err(failure(&problem::RUN_EXEC, "--exec", message));
        }
        ended.signal = *locked(&signal);
        let read = meter.read();
        ended.unasked = left.saturating_sub(read.done());
        let led = typed.into_iter().zip(&read.led);
        ended.astray = led.filter(|(_, led)| **led == 0).map(|(typed, _)| typed).collect();
        ended.reply_has = read.has;
        Ok(ended)
    }
}

/// Sends every request of the queue: each when it is due, or, without a rate, as soon as there is room.
async fn send_all(
    mut queue: Queue,
    rps: Option<f64>,
    start: Instant,
    concurrency: usize,
    shared: &Arc<Shared>,
) {
    let Some(rps) = rps else {
        let soon = async move |room: Arc<Semaphore>| {
            let permit = room.acquire_owned().await.ok()?;
            let ask = queue.next(start.elapsed())?;
            Some((Due { ask, at: Instant::now(), paced: false }, permit))
        };
        return send(shared, concurrency, soon).await;
    };
    let (requests, mut due) = mpsc::channel(1024);
    let (go_on, quit) = std::sync::mpsc::channel();
    std::thread::spawn(move || pace::keep(queue, rps, start, &requests, &quit));
    let paced = async move |room: Arc<Semaphore>| {
        // The clock's thread ends when this is dropped.
        let (due, _go_on) = (due.recv().await?, &go_on);
        Some((due, room.acquire_owned().await.ok()?))
    };
    send(shared, concurrency, paced).await;
}

/// Makes the calls that `next` gives, until there are no more or the run is stopped; then waits for what is in flight,
/// unless it is to be dropped.
async fn send(
    shared: &Arc<Shared>,
    concurrency: usize,
    mut next: impl AsyncFnMut(Arc<Semaphore>) -> Option<(Due, OwnedSemaphorePermit)>,
) {
    let room = Arc::new(Semaphore::new(concurrency));
    loop {
        let next = tokio::select! {
            biased;
            () = shared.stop.reached(Level::Finish) => break,
            next = next(room.clone()) => next,
        };
        let Some((due, permit)) = next else { break };
        tokio::spawn(in_flight(shared.clone(), due, permit));
    }
    drop(next);
    tokio::select! {
        () = shared.stop.reached(Level::Drop) => {}
        _ = room.acquire_many(u32::try_from(concurrency).unwrap_or(u32::MAX)) => {}
    }
}

/// Makes a call, unless all calls are dropped; after it there is room for another.
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
                let secrets = &shared.contract.secrets;
                locked(&shared.hopeless).get_or_insert_with(|| secrets.redact(&message).into_owned());
                shared.stop.at_least(Level::Drop);
                break;
            }
        };
    }
    let latency = ended.unwrap_or_else(Instant::now).saturating_duration_since(due.at);
    if let Some(outcome) = outcome {
        let call = Call { latency, lag, ..Call::default() };
        let _ = shared.lines.send(trace(shared, &due, attempts, call, outcome)).await;
    }
    // Only now: should its next words take this reply back, they come after it.
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
        let call = Call { failed: Some(reason.kind), recall: true, ..Call::default() };
        let _ = shared.lines.send((text, call)).await;
    }
}

/// The line of a call, and what is counted of it.
fn trace(
    shared: &Shared,
    due: &Due,
    attempts: u32,
    call: Call,
    outcome: Result<reply::TraceFields, Reason>,
) -> Line {
    let micros = call.latency.as_micros();
    let tries = if attempts > 1 { format!(",\"attempts\":{attempts}") } else { String::new() };
    let end = format!(",\"e2e_ms\":{}.{:03}{tries}}}", micros / 1000, micros % 1000);
    let head = &due.ask.head;
    match outcome {
        Ok(reply::TraceFields { fields, failed, redacted, led, has, .. }) => {
            let failed = failed.map(|reason| reason.kind);
            (format!("{head}{fields}{end}"), Call { failed, redacted, led, has, ..call })
        }
        Err(Reason { kind, detail, .. }) => {
            let clean = shared.contract.secrets.redact(&detail);
            let words = json::quoted(&format!("{kind}: {clean}"));
            let text = format!("{head},\"ok\":false,\"reason\":{words}{end}");
            (text, Call { redacted: *clean != *detail, failed: Some(kind), ..call })
        }
    }
}

/// Writes lines as they come; the first that cannot be written ends the run.
fn write(
    mut journal: Journal,
    mut lines: mpsc::Receiver<Line>,
    meter: &Meter,
    stop: &Stop,
) -> std::io::Result<()> {
    while let Some((text, call)) = lines.blocking_recv() {
        journal.append(&text).inspect_err(|_| stop.at_least(Level::Drop))?;
        meter.count(call);
    }
    Ok(())
}
