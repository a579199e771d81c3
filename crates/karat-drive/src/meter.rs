//! How is the run going: how many, how fast, how many failed?

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

/// Counts what has been written.
#[derive(Debug)]
pub struct Meter(Mutex<State>);

#[derive(Debug)]
struct State {
    started: Instant,
    /// Requests of this run; `None` where only the clock ends it.
    total: Option<u64>,
    answered: u64,
    failed: u64,
    redacted: u64,
    /// Calls whose reply was taken back.
    recalled: u64,
    /// How often each pointer of the map led to something.
    led: Vec<u64>,
    has: Option<String>,
    reasons: BTreeMap<String, u64>,
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

    /// Calls a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.done() as f64 / seconds } else { 0.0 }
    }
}

/// What is counted of one call.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) latency: Duration,
    pub(crate) lag: Option<Duration>,
    pub(crate) failed: Option<&'a str>,
    pub(crate) redacted: bool,
    /// Whether it takes an earlier answer back.
    pub(crate) recall: bool,
    pub(crate) led: &'a [bool],
    pub(crate) has: Option<String>,
}

impl Meter {
    /// A meter for so many requests.
    #[must_use]
    pub fn new(total: Option<u64>) -> Self {
        let histogram = || Histogram::new(3).ok();
        Meter(Mutex::new(State {
            started: Instant::now(),
            total,
            answered: 0,
            failed: 0,
            redacted: 0,
            recalled: 0,
            led: Vec::new(),
            has: None,
            reasons: BTreeMap::new(),
            latency: histogram(),
            lag: histogram(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The clock starts now.
    pub(crate) fn start(&self, total: Option<u64>, at: Instant) {
        let mut state = self.state();
        (state.total, state.started) = (total, at);
    }

    pub(crate) fn count(&self, call: Call<'_>) {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let mut state = self.state();
        state.redacted += u64::from(call.redacted);
        if call.recall {
            state.recalled += 1;
            state.answered = state.answered.saturating_sub(1);
        }
        if call.has.is_some() {
            state.has = call.has;
        }
        if state.led.len() < call.led.len() {
            state.led.resize(call.led.len(), 0);
        }
        for (times, led) in state.led.iter_mut().zip(call.led) {
            *times += u64::from(*led);
        }
        if let (Some(lag), Some(histogram)) = (call.lag, &mut state.lag) {
            let _ = histogram.record(micros(lag));
        }
        match call.failed {
            Some(kind) => {
                state.failed += 1;
                *state.reasons.entry(kind.to_owned()).or_default() += 1;
            }
            None => {
                state.answered += 1;
                if let Some(histogram) = &mut state.latency {
                    let _ = histogram.record(micros(call.latency));
                }
            }
        }
    }

    /// What it shows now.
    #[must_use]
    pub fn read(&self) -> Reading {
        let state = self.state();
        let ms = |micros: u64| micros as f64 / 1000.0;
        let some = |histogram: &Option<Histogram<u64>>| histogram.clone().filter(|h| !h.is_empty());
        Reading {
            total: state.total,
            answered: state.answered,
            failed: state.failed,
            redacted: state.redacted,
            recalled: state.recalled,
            led: state.led.clone(),
            has: state.has.clone(),
            reasons: state.reasons.clone(),
            elapsed: state.started.elapsed(),
            latency: some(&state.latency)
                .map(|h| {
                    [0.5, 0.95, 0.99]
                        .map(|q| ms(h.value_at_quantile(q).min(h.max())))
                        .into_iter()
                        .chain([ms(h.max())])
                        .collect::<Vec<_>>()
                })
                .and_then(|all| all.try_into().ok()),
            lag: some(&state.lag).map(|h| ms(h.value_at_quantile(0.99))),
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
            redacted: false,
            recall: false,
            led: &[],
            has: None,
        };
        meter.count(call(10, None));
        meter.count(call(90, None));
        meter.count(call(5000, Some("timeout")));
        let read = meter.read();
        assert_eq!((read.answered, read.failed, read.reasons["timeout"]), (2, 1, 1));
        let [p50, p95, _, longest] = read.latency.unwrap();
        assert!((p50 - 10.0).abs() < 0.1 && (p95 - 90.0).abs() < 0.1 && (longest - 90.0).abs() < 0.1);
        assert!((read.lag.unwrap() - 0.7).abs() < 0.01);
    }
}
