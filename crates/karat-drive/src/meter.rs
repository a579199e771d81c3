//! How is the run going: how many, how fast, how many failed?

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

use crate::locked;

/// Counts what has been written.
#[derive(Debug)]
pub struct Meter(Mutex<State>);

#[derive(Debug)]
struct State {
    started: Instant,
    /// All counts; times are filled in when somebody reads.
    counts: Reading,
    /// Microseconds; three digits are kept.
    latency: Option<Histogram<u64>>,
    /// How late requests were sent, in microseconds.
    lag: Option<Histogram<u64>>,
}

/// What a meter shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Requests of this run; `None` where only the clock ends it.
    pub total: Option<u64>,
    /// Calls with an answer.
    pub answered: u64,
    /// Calls without.
    pub failed: u64,
    /// Traces that lost a secret.
    pub redacted: u64,
    /// Answers that were taken back, which count as failed.
    pub recalled: u64,
    /// How often each pointer of the map led to something; empty before the first reply.
    pub led: Vec<u64>,
    /// Pointers to what the last reply had of which one led nowhere.
    pub has: Option<String>,
    /// Failed calls by kind of reason.
    pub reasons: BTreeMap<String, u64>,
    /// Time since the start.
    pub elapsed: Duration,
    /// Milliseconds: p50, p95, p99 and the longest; `None` before the first answer.
    pub latency: Option<[f64; 4]>,
    /// Milliseconds by which 99 of 100 requests were sent late, at most.
    pub lag: Option<f64>,
}

impl Reading {
    /// Calls that ended.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.answered + self.failed
    }

    /// Calls per second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.done() as f64 / seconds } else { 0.0 }
    }
}

/// What is counted of one call.
#[derive(Debug, Default)]
pub(crate) struct Call {
    pub(crate) latency: Duration,
    pub(crate) lag: Option<Duration>,
    /// The kind of reason why it failed.
    pub(crate) failed: Option<String>,
    pub(crate) redacted: bool,
    /// Whether it takes an earlier answer back.
    pub(crate) recall: bool,
    /// Whether each pointer of the map led to something.
    pub(crate) led: Vec<bool>,
    /// Pointers to what the reply has, where one led nowhere.
    pub(crate) has: Option<String>,
}

impl Meter {
    /// A meter for `total` requests; `None` where only the clock ends the run.
    #[must_use]
    pub fn new(total: Option<u64>) -> Self {
        let histogram = || Histogram::new(3).ok();
        let counts = Reading { total, ..Reading::default() };
        Meter(Mutex::new(State { started: Instant::now(), counts, latency: histogram(), lag: histogram() }))
    }

    /// Starts the clock.
    pub(crate) fn start(&self, total: Option<u64>, at: Instant) {
        let mut state = locked(&self.0);
        (state.counts.total, state.started) = (total, at);
    }

    pub(crate) fn count(&self, call: Call) {
        let record = |histogram: &mut Option<Histogram<u64>>, time: Duration| {
            let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
            histogram.as_mut().map(|histogram| histogram.record(micros));
        };
        let State { counts, latency, lag, .. } = &mut *locked(&self.0);
        counts.redacted += u64::from(call.redacted);
        if call.recall {
            counts.recalled += 1;
            counts.answered = counts.answered.saturating_sub(1);
        }
        counts.has = call.has.or(counts.has.take());
        counts.led.resize(counts.led.len().max(call.led.len()), 0);
        for (times, led) in counts.led.iter_mut().zip(call.led) {
            *times += u64::from(led);
        }
        if let Some(late) = call.lag {
            record(lag, late);
        }
        match call.failed {
            Some(kind) => {
                counts.failed += 1;
                *counts.reasons.entry(kind).or_default() += 1;
            }
            None => {
                counts.answered += 1;
                record(latency, call.latency);
            }
        }
    }

    /// What it shows now.
    #[must_use]
    pub fn read(&self) -> Reading {
        let state = locked(&self.0);
        let at = |histogram: &Histogram<u64>, quantile: f64| {
            histogram.value_at_quantile(quantile).min(histogram.max()) as f64 / 1000.0
        };
        let some = |histogram: &Option<Histogram<u64>>| histogram.clone().filter(|h| !h.is_empty());
        Reading {
            elapsed: state.started.elapsed(),
            latency: some(&state.latency).map(|h| [0.5, 0.95, 0.99, 1.0].map(|quantile| at(&h, quantile))),
            lag: some(&state.lag).map(|h| at(&h, 0.99)),
            ..state.counts.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_counts() {
        let meter = Meter::new(Some(3));
        assert_eq!((meter.read().done(), meter.read().latency), (0, None));
        let call = |ms, failed| Call {
            latency: Duration::from_millis(ms),
            lag: Some(Duration::from_micros(700)),
            failed,
            ..Call::default()
        };
        meter.count(call(10, None));
        meter.count(call(90, None));
        meter.count(call(5000, Some("timeout".into())));
        let read = meter.read();
        assert_eq!((read.answered, read.failed, read.reasons["timeout"]), (2, 1, 1));
        let [p50, p95, _, longest] = read.latency.unwrap();
        assert!((p50 - 10.0).abs() < 0.1 && (p95 - 90.0).abs() < 0.1 && (longest - 90.0).abs() < 0.1);
        assert!((read.lag.unwrap() - 0.7).abs() < 0.01);
    }
}
