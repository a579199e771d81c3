//! May a failed call be tried again, and after how long? The waits are the same every time: nothing is random.

use std::time::{Duration, Instant};

use crate::drivers::exec::Process;
use crate::reply::{Reason, TraceFields};

/// The first wait; each further one is twice as long.
const FIRST: Duration = Duration::from_millis(250);
/// No wait is longer than this, unless the pipeline asks for it.
const LONGEST: Duration = Duration::from_secs(10);

/// What came of one attempt.
pub(crate) enum Attempt {
    /// Something was answered.
    Reply(Box<Reply>),
    /// There was no usable answer.
    Failed(Reason, Retry),
    /// There will never be an answer: the call itself is wrong.
    Hopeless(String),
}

impl Attempt {
    /// An attempt that failed, by a word to count by and the rest of the sentence.
    pub(crate) fn failed(kind: impl Into<String>, detail: impl Into<String>, again: Retry) -> Self {
        Attempt::Failed(Reason::new(kind, detail), again)
    }
}

/// A reply that was read.
pub(crate) struct Reply {
    /// What it says, or why it is not a trace.
    pub(crate) said: Result<TraceFields, Reason>,
    /// When it was complete.
    pub(crate) at: Instant,
    /// The process that wrote it, which is free again once the trace is on its way.
    pub(crate) by: Option<Process>,
}

/// Whether another attempt makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// It would end the same way.
    No,
    /// It may have been bad luck.
    Yes,
    /// The pipeline says when.
    After(Duration),
}

/// How long to wait before attempt `number` + 1; `None` if there is none. A pipeline that asks for a longer wait than
/// an attempt may take is not waited for.
pub(crate) fn wait(number: u32, retries: u32, again: Retry, timeout: Duration) -> Option<Duration> {
    if number > retries {
        return None;
    }
    let own = FIRST.saturating_mul(1 << number.saturating_sub(1).min(16)).min(LONGEST);
    match again {
        Retry::No => None,
        Retry::Yes => Some(own),
        Retry::After(asked) => (asked <= timeout).then_some(asked.max(own)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_end() {
        let waits = |again, retries| -> Vec<Option<u128>> {
            (1..=8).map(|n| wait(n, retries, again, Duration::from_secs(30)).map(|d| d.as_millis())).collect()
        };
        let all = [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000].map(Some);
        assert_eq!(waits(Retry::Yes, 8), all);
        assert_eq!(waits(Retry::Yes, 1)[..2], [Some(250), None]);
        assert_eq!(waits(Retry::No, 8), [None; 8]);
        assert_eq!(waits(Retry::After(Duration::from_secs(3)), 8)[..2], [Some(3000), Some(3000)]);
        assert_eq!(waits(Retry::After(Duration::from_secs(31)), 8), [None; 8]);
        assert_eq!(wait(u32::MAX, u32::MAX, Retry::Yes, LONGEST), Some(LONGEST));
    }
}
