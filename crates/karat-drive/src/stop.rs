//! When does a run end early, and how? The first Ctrl-C lets what is in flight finish; the second drops it.

use tokio::sync::watch;

/// How far a run has been stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// It continues.
    Go,
    /// Nothing new is sent; what is in flight finishes.
    Finish,
    /// What is in flight is dropped.
    Drop,
}

/// The switch that stops a run; all its parts share it.
#[derive(Clone, Debug)]
pub struct Stop {
    sender: watch::Sender<Level>,
}

impl Default for Stop {
    fn default() -> Self {
        Stop { sender: watch::Sender::new(Level::Go) }
    }
}

impl Stop {
    /// Stops at least this far.
    pub fn at_least(&self, level: Level) {
        self.sender.send_if_modified(|now| {
            let further = level > *now;
            *now = level.max(*now);
            further
        });
    }

    /// Waits until the run is stopped at least this far.
    pub async fn reached(&self, level: Level) {
        let mut receiver = self.sender.subscribe();
        // The sender lives as long as `self`.
        let _ = receiver.wait_for(|now| *now >= level).await;
    }
}

/// A signal that ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// The request to end that process managers send.
    Terminate,
}

impl Signal {
    /// The exit status of a process that the signal ended.
    #[must_use]
    pub fn status(self) -> u8 {
        match self {
            Signal::Interrupt => 130,
            Signal::Terminate => 143,
        }
    }
}

/// Turns a limit on the size of files into an error of the write that hits it, instead of the death of the run.
#[cfg(unix)]
pub(crate) fn hear_of_limits() -> Option<tokio::signal::unix::Signal> {
    let kind = tokio::signal::unix::SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
    tokio::signal::unix::signal(kind).ok()
}

/// Turns signals into stops, for as long as it is polled; `heard` is called at each.
pub(crate) async fn listen(stop: Stop, heard: impl Fn(Signal, Level)) {
    // Without signals a run can only end by itself.
    let Ok(mut signals) = Signals::new() else { return std::future::pending().await };
    for level in std::iter::once(Level::Finish).chain(std::iter::repeat(Level::Drop)) {
        let signal = signals.next().await;
        stop.at_least(level);
        heard(signal, level);
    }
}

#[cfg(unix)]
struct Signals(tokio::signal::unix::Signal, tokio::signal::unix::Signal);

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals(signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?))
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.0.recv() => Signal::Interrupt,
            _ = self.1.recv() => Signal::Terminate,
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Signals)
    }

    async fn next(&mut self) -> Signal {
        if tokio::signal::ctrl_c().await.is_err() {
            return std::future::pending().await;
        }
        Signal::Interrupt
    }
}
