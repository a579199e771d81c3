//! A pipeline that is a command: requests on its standard input, replies on its standard output, a line each.
//!
//! Each request that runs at the same time has a process of its own. A process stays up; one that dies, hangs or breaks the
//! protocol is killed with everything that it started, and the next request gets a new one.

use std::fmt;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use karat_core::text::{shorten, visible};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

use super::{Limits, sized, spoken};
use crate::map::Map;
use crate::plan::Ask;
use crate::reply::{self, NOT_JSON, Reason, WRONG_CASE};
use crate::retry::{Again, Attempt};

/// How many lines of what the processes say on standard error are passed on.
const HEARD: usize = 200;
/// How long a process may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(2);

/// Called with each line that a process writes on its standard error.
pub type Listener = Arc<dyn Fn(&str) + Send + Sync>;

/// A command and its processes.
pub struct Exec {
    command: String,
    pub(super) limits: Limits,
    idle: Mutex<Vec<Process>>,
    /// Whether any process has ever replied.
    replied: AtomicBool,
    heard: Arc<AtomicUsize>,
    listener: Listener,
}

impl fmt::Debug for Exec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exec").field("command", &self.command).finish_non_exhaustive()
    }
}

struct Process {
    child: Child,
    group: Option<u32>,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// The last thing it said on standard error.
    last: Arc<Mutex<String>>,
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Process {
    /// Ends it and whatever it started.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group.take()
            && let Some(group) = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.start_kill();
    }
}

/// What went wrong with a process that is of no use any more.
enum Broken {
    Io(std::io::Error),
    Ended,
    TooLong,
    Unasked,
}

impl Exec {
    /// A driver of `command`, which the shell reads.
    #[must_use]
    pub fn new(command: String, limits: Limits, listener: Listener) -> Self {
        Exec {
            command,
            limits,
            idle: Mutex::default(),
            replied: AtomicBool::new(false),
            heard: Arc::default(),
            listener,
        }
    }

    pub(super) async fn call(&self, ask: &Ask, map: &Map) -> Attempt {
        let limit = self.limits.timeout;
        loop {
            let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let used = idle.is_some();
            let mut process = match idle.map_or_else(|| self.start(), Ok) {
                Ok(process) => process,
                Err(e) => return Attempt::Hopeless(format!("the command cannot be started: {e}")),
            };
            match tokio::time::timeout(limit, exchange(&mut process, &ask.body, self.limits.reply)).await {
                Ok(Ok(reply)) => {
                    self.replied.store(true, Ordering::Relaxed);
                    // After a line that is no reply to this question, nobody knows what the next one replies to.
                    let lost = reply::read(&reply, ask, map)
                        .is_err_and(|reason| reason.kind == WRONG_CASE || reason.kind == NOT_JSON);
                    if !lost {
                        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
                    }
                    return Attempt::Reply(reply);
                }
                // It had ended after its last reply, which is its right: a new one is asked.
                Ok(Err(Broken::Ended | Broken::Io(_))) if used => {}
                Ok(Err(broken)) => return self.explain(process, broken).await,
                Err(_) => {
                    let detail = format!("no reply within {}; the process was killed", spoken(limit));
                    return Attempt::Failed(Reason::new("timeout", detail), Again::Yes);
                }
            }
        }
    }

    async fn explain(&self, mut process: Process, broken: Broken) -> Attempt {
        let protocol = "standard output is for replies alone, a line each; the process was killed";
        match broken {
            Broken::TooLong => {
                let detail = format!("the reply is longer than {} (--max-reply)", sized(self.limits.reply));
                return Attempt::Failed(Reason::new("too long", detail), Again::No);
            }
            Broken::Unasked => {
                let detail = format!("the process wrote a line that nobody asked for; {protocol}");
                return Attempt::Failed(Reason::new("protocol", detail), Again::Yes);
            }
            Broken::Ended | Broken::Io(_) => {}
        }
        // It has closed its end: it is ending, or it does not know what it does.
        let status = tokio::time::timeout(GRACE, process.child.wait()).await;
        // What it said last may still be on its way.
        tokio::time::sleep(Duration::from_millis(20)).await;
        let last = process.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let said = if last.is_empty() { String::new() } else { format!("; it last said: {last}") };
        match status {
            Ok(Ok(status)) => {
                if matches!(status.code(), Some(126 | 127)) && !self.replied.load(Ordering::Relaxed) {
                    return Attempt::Hopeless(format!("the command cannot be run{said}"));
                }
                let detail = format!("the process ended {}{said}", ending(status));
                Attempt::Failed(Reason::new("died", detail), Again::Yes)
            }
            _ => {
                let why = match broken {
                    Broken::Io(e) => e.to_string(),
                    _ => "the process closed its standard output".into(),
                };
                Attempt::Failed(Reason::new("died", format!("{why}; it was killed{said}")), Again::Yes)
            }
        }
    }

    fn start(&self) -> std::io::Result<Process> {
        let mut command = shell(&self.command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        // A group of its own: it can be ended as a whole, and Ctrl-C is ours to hear.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn()?;
        let missing = || std::io::Error::other("a standard stream is missing");
        let input = Some(child.stdin.take().ok_or_else(missing)?);
        let output = BufReader::with_capacity(1 << 16, child.stdout.take().ok_or_else(missing)?);
        let errors = child.stderr.take().ok_or_else(missing)?;
        let last = Arc::new(Mutex::new(String::new()));
        tokio::spawn(listen(errors, last.clone(), self.heard.clone(), self.listener.clone()));
        Ok(Process { group: child.id(), child, input, output, last })
    }

    /// Ends every process: asked first, by closing its input, then killed.
    pub(super) async fn close(&self) {
        let mut all = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        for process in &mut all {
            process.input = None;
        }
        let end = tokio::time::Instant::now() + GRACE;
        for process in &mut all {
            let _ = tokio::time::timeout_at(end, process.child.wait()).await;
        }
    }
}

/// Sends a line and takes one.
async fn exchange(process: &mut Process, body: &str, limit: usize) -> Result<Vec<u8>, Broken> {
    let output = &mut process.output;
    // Bytes that are there before anything was asked would be taken for the reply, and every later one be off by one.
    match tokio::time::timeout(Duration::ZERO, output.fill_buf()).await {
        Err(_) => {}
        Ok(Err(e)) => return Err(Broken::Io(e)),
        Ok(Ok([])) => return Err(Broken::Ended),
        Ok(Ok(_)) => return Err(Broken::Unasked),
    }
    let input = process.input.as_mut().ok_or(Broken::Ended)?;
    let line = format!("{body}\n");
    input.write_all(line.as_bytes()).await.map_err(Broken::Io)?;
    input.flush().await.map_err(Broken::Io)?;
    let mut reply = Vec::new();
    let taken = output.take(limit as u64 + 1).read_until(b'\n', &mut reply).await.map_err(Broken::Io)?;
    match reply.last() {
        Some(b'\n') => Ok(reply),
        _ if taken > limit => Err(Broken::TooLong),
        _ => Err(Broken::Ended),
    }
}

/// Passes on what a process says, line by line, and remembers the last thing.
async fn listen(
    mut errors: ChildStderr,
    last: Arc<Mutex<String>>,
    heard: Arc<AtomicUsize>,
    listener: Listener,
) {
    const LINE: usize = 400;
    let (mut piece, mut line) = (vec![0; 8192], Vec::new());
    loop {
        let taken = errors.read(&mut piece).await.unwrap_or(0);
        for &byte in &piece[..taken] {
            if byte != b'\n' {
                // The rest of a very long line is dropped.
                if line.len() < 4 * LINE {
                    line.push(byte);
                }
                continue;
            }
            say(&line, LINE, &last, &heard, &listener);
            line.clear();
        }
        if taken == 0 {
            return say(&line, LINE, &last, &heard, &listener);
        }
    }
}

fn say(line: &[u8], most: usize, last: &Mutex<String>, heard: &AtomicUsize, listener: &Listener) {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    if text.is_empty() {
        return;
    }
    let text = shorten(&visible(text), most).into_owned();
    match heard.fetch_add(1, Ordering::Relaxed) {
        before if before < HEARD => listener(&text),
        HEARD => listener("… more is said, which is not passed on"),
        _ => {}
    }
    *last.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("with status {code}"),
        None => "in an unknown way".into(),
    }
}

fn shell(text: &str) -> Command {
    #[cfg(windows)]
    let (shell, flag) = ("cmd", "/C");
    #[cfg(not(windows))]
    let (shell, flag) = ("sh", "-c");
    let mut command = Command::new(shell);
    command.arg(flag).arg(text);
    command
}
