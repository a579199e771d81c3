//! How is the pipeline reached? One file for each way.

pub mod exec;
pub mod http;

use crate::plan::Ask;
use crate::reply::Contract;
use crate::retry::{Attempt, Retry};

/// A way to reach the pipeline.
pub enum Driver {
    /// A URL that is posted to.
    Http(Box<http::Http>),
    /// A process that reads requests and writes replies, one line each.
    Exec(exec::Exec),
}

impl Driver {
    /// Checks that the pipeline can be reached at all.
    pub(crate) async fn reach(&self, retries: u32) -> Result<(), String> {
        match self {
            Driver::Http(http) => http.reach(retries).await,
            // A command is there or not when it is first started.
            Driver::Exec(_) => Ok(()),
        }
    }

    /// Sends one request and reads the reply, within the time that an attempt may take.
    pub(crate) async fn call(&self, ask: &Ask, contract: &Contract) -> Attempt {
        match self {
            Driver::Http(http) => http.call(ask, contract).await,
            Driver::Exec(exec) => exec.call(ask, contract).await,
        }
    }

    fn exec(&self) -> Option<&exec::Exec> {
        match self {
            Driver::Http(_) => None,
            Driver::Exec(exec) => Some(exec),
        }
    }

    /// Makes a process free for another request.
    pub(crate) fn free(&self, process: exec::Process) {
        if let Some(exec) = self.exec() {
            exec.free(process);
        }
    }

    /// Requests, by their places in the plan, whose replies turned out not to be theirs for certain.
    pub(crate) fn recalled(&self) -> Vec<u64> {
        self.exec().map(exec::Exec::recalled).unwrap_or_default()
    }

    /// How the processes behaved.
    pub(crate) fn conduct(&self) -> exec::Conduct {
        self.exec().map(exec::Exec::conduct).unwrap_or_default()
    }

    /// Ends the processes of the pipeline.
    pub(crate) async fn close(&self, contract: &Contract) {
        if let Some(exec) = self.exec() {
            exec.close(contract).await;
        }
    }

    /// The longest that one attempt may take.
    pub(crate) fn timeout(&self) -> std::time::Duration {
        match self {
            Driver::Http(http) => http.limits.timeout,
            Driver::Exec(exec) => exec.limits.timeout,
        }
    }
}

/// What bounds an attempt.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long it may take.
    pub timeout: std::time::Duration,
    /// How many bytes a reply may have.
    pub reply: usize,
    /// How many attempts are made at the same time.
    pub concurrency: usize,
}

/// `30 s`, `1.5 s`, `20 ms`.
pub(crate) fn spoken(time: std::time::Duration) -> String {
    let ms = time.as_millis();
    if ms < 1000 { format!("{ms} ms") } else { format!("{} s", ms as f64 / 1000.0) }
}

impl Limits {
    /// What becomes of an attempt whose reply is too long.
    fn too_long(&self) -> Attempt {
        let most = match self.reply {
            bytes if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
            bytes => karat_input::text::count(bytes as u64, "byte"),
        };
        Attempt::failed("too long", format!("the reply is longer than {most} (--max-reply)"), Retry::No)
    }
}
