//! May a failed call be tried again, and after how long? The same waits every time: no draw decides.

use std::time::{Duration, Instant};

use crate::drivers::exec::Process;
use crate::reply::{Reason, Said};

/// The first wait; each further one is twice as long.
const FIRST: Duration = Duration::from_millis(250);
/// No wait is longer than this, unless the pipeline asks for it.
const LONGEST: Duration = Duration::from_secs(10);

/// What came of one attempt.
pub(crate) enum Attempt {
    /// Something was answered.
    Reply(Box<Reply>),
    /// Nothing usable was.
    Failed(Reason, Again),
    /// It never will be: the call itself is wrong.
    Hopeless(String),
}

/// A reply that was read.
pub(crate) struct Reply {
    /// What it says, or why it is no trace.
    pub(crate) said: Result<Said, Reason>,
    /// When it was whole.
    pub(crate) at: Instant,
    /// The process that said it, which is free again once the trace is on its way.
    pub(crate) by: Option<Process>,
}

/// Whether another attempt makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// It would end the same.
    No,
    /// It may have been bad luck.
    Yes,
    /// The pipeline says when.
    After(Duration),
}

/// How long to wait before attempt `number` + 1; `None` where no attempt follows. A pipeline that asks for a longer wait
/// than an attempt may take is not waited for.
pub(crate) fn wait(number: u32, retries: u32, again: Again, timeout: Duration) -> Option<Duration> {
    if number > retries {
        return None;
    }
    let own = FIRST.saturating_mul(1 << number.saturating_sub(1).min(16)).min(LONGEST);
    match again {
        Again::No => None,
        Again::Yes => Some(own),
        Again::After(asked) => (asked <= timeout).then_some(asked.max(own)),
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
        assert_eq!(waits(Again::Yes, 8), all);
        assert_eq!(waits(Again::Yes, 1)[..2], [Some(250), None]);
        assert_eq!(waits(Again::No, 8), [None; 8]);
        assert_eq!(waits(Again::After(Duration::from_secs(3)), 8)[..2], [Some(3000), Some(3000)]);
        assert_eq!(waits(Again::After(Duration::from_secs(31)), 8), [None; 8]);
        assert_eq!(wait(u32::MAX, u32::MAX, Again::Yes, LONGEST), Some(LONGEST));
    }
}
