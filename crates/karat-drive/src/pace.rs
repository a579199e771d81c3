//! When is each request due? With a rate, at fixed times from the start, however slow the pipeline is (an open loop); without
//! one, as soon as there is room.
//!
//! A thread keeps time: its waits are exact to some hundredths of a millisecond, those of the runtime only to one.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::Sender;

use crate::journal::Resumed;
use crate::plan::{Ask, Plan, key};
use crate::run::RunOutcome;

/// What there is to ask, in order.
#[derive(Debug)]
pub(crate) struct Queue {
    pub(crate) plan: Arc<Plan>,
    pub(crate) held: Resumed,
    /// Whether failed requests that the file holds are asked again.
    pub(crate) retry_failed: bool,
    /// For how long new requests are sent; the plan is repeated until then.
    pub(crate) duration: Option<Duration>,
    pub(crate) next: u64,
}

/// A request and the time from which its latency counts.
#[derive(Debug)]
pub(crate) struct Due {
    pub(crate) ask: Ask,
    pub(crate) at: Instant,
    /// Whether that time was set by a rate.
    pub(crate) paced: bool,
}

impl Queue {
    /// How many requests are left, unless the clock decides, and what the file holds.
    pub(crate) fn left(&self) -> (u64, RunOutcome) {
        let (mut left, mut ended) = (0, RunOutcome::default());
        if self.held.requests.is_empty() {
            return (self.plan.size(), ended);
        }
        for ask in (0..self.plan.size()).filter_map(|number| self.plan.ask(number)) {
            match self.outcome(&ask) {
                Some(true) => ended.held += 1,
                Some(false) if !self.retry_failed => ended.held_failed += 1,
                Some(false) => ended.retried += 1,
                None => left += 1,
            }
        }
        let known = ended.held + ended.held_failed + ended.retried;
        ended.others = (self.held.requests.len() as u64).saturating_sub(known);
        (left + ended.retried, ended)
    }

    /// The next request, `elapsed` after the start.
    pub(crate) fn next(&mut self, elapsed: Duration) -> Option<Ask> {
        if self.duration.is_some_and(|duration| elapsed >= duration) {
            return None;
        }
        while self.duration.is_some() || self.next < self.plan.size() {
            let ask = self.plan.ask(self.next)?;
            self.next += 1;
            if self.outcome(&ask).is_none_or(|answered| !answered && self.retry_failed) {
                return Some(ask);
            }
        }
        None
    }

    /// Whether the file holds an answer to a request; `None` where it holds no trace of it.
    fn outcome(&self, ask: &Ask) -> Option<bool> {
        if self.held.requests.is_empty() { None } else { self.held.requests.get(&key(&ask.head)).copied() }
    }
}

/// Sends requests when they are due until there are none, nobody takes them, or `quit` is dropped.
pub(crate) fn keep(mut queue: Queue, rps: f64, start: Instant, requests: &Sender<Due>, quit: &Receiver<()>) {
    for number in 0u64.. {
        let offset = Duration::try_from_secs_f64(number as f64 / rps).unwrap_or(Duration::MAX);
        let (Some(ask), Some(at)) = (queue.next(offset), start.checked_add(offset)) else { break };
        let left = at.saturating_duration_since(Instant::now());
        if !left.is_zero() && quit.recv_timeout(left) != Err(RecvTimeoutError::Timeout) {
            break;
        }
        if requests.blocking_send(Due { ask, at, paced: true }).is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use karat_input::Source;
    use karat_input::questions::questions;

    use super::*;
    use crate::plan::Grid;

    fn queue(duration: Option<Duration>) -> Queue {
        let gold = "{\"qid\":1,\"question\":\"x\"}\n{\"qid\":2,\"question\":\"y\"}\n";
        let questions = questions(&Source::bytes("gold", gold.as_bytes().to_vec())).unwrap();
        let grid = Grid { rounds: duration.is_some(), ..Grid::default() };
        let plan = Arc::new(Plan::new(questions, grid));
        Queue { plan, held: Resumed::default(), retry_failed: false, duration, next: 0 }
    }

    #[test]
    fn a_rate_sets_moments_and_a_duration_ends_them() {
        let (send, mut take) = tokio::sync::mpsc::channel(100);
        let (_go_on, quit) = std::sync::mpsc::channel();
        let start = Instant::now();
        keep(queue(Some(Duration::from_millis(9))), 500.0, start, &send, &quit);
        drop(send);
        let mut taken = Vec::new();
        while let Ok(due) = take.try_recv() {
            taken.push((due.at - start, due.ask.id));
        }
        let ms = Duration::from_millis;
        let all: Vec<_> =
            (0..5).map(|i| (ms(2 * i), if i % 2 == 0 { "1".into() } else { "2".into() })).collect();
        assert_eq!(taken, all);
    }

    #[test]
    fn without_a_duration_the_plan_is_gone_through_once() {
        let mut queue = queue(None);
        assert_eq!(queue.left(), (2, RunOutcome::default()));
        let ids: Vec<_> = std::iter::from_fn(|| queue.next(Duration::ZERO)).map(|ask| ask.id).collect();
        assert_eq!(ids, ["1".into(), "2".into()]);
    }
}
