//! A pipeline that is a command: requests on its standard input, replies on its standard output, one line each.
//!
//! Each request that runs at the same time has a process of its own. A process stays up; one that dies, hangs or breaks the
//! protocol is killed with everything that it started, and the next request gets a new one.

use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use karat_input::text::{shorten, visible};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

use super::{Limits, spoken};
use crate::locked;
use crate::plan::{Ask, Key, key};
use crate::reply::{Contract, NOT_JSON, Stray, WRONG_CASE};
use crate::retry::{Attempt, Reply, Retry};

/// How many lines from the standard error of the processes are passed on.
const STDERR_LINES: usize = 200;
/// How long a process may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(2);
/// How long a second line may take to follow a reply that does not name its case.
const SETTLE: Duration = Duration::from_millis(2);
/// How long the rest of a line that nobody asked for is waited for.
const DRAIN: Duration = Duration::from_millis(20);
/// More lines than this are not looked at.
const LINES: usize = 1000;
const PROTOCOL: &str = "standard output is for replies alone, a line each; the process was killed";

/// Called with each line that a process writes on its standard error.
pub type Listener = Arc<dyn Fn(&str) + Send + Sync>;

/// A command and its processes.
pub struct Exec {
    command: String,
    pub(super) limits: Limits,
    state: Mutex<State>,
    /// How many lines the processes have written on standard error.
    heard: Arc<AtomicUsize>,
    listener: Listener,
}

#[derive(Default)]
struct State {
    idle: Vec<Process>,
    /// Whether any process has ever replied.
    replied: bool,
    /// How many processes ended or were ended.
    lost: u64,
    conduct: Conduct,
    /// Requests whose replies may be those to others.
    recalled: Vec<u64>,
}

pub(crate) struct Process {
    child: Child,
    group: Option<u32>,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// The last thing it said on standard error.
    last: Arc<Mutex<String>>,
    /// The case that it was last asked for.
    asked: Option<Box<str>>,
    /// What it answered without naming the case, by place in the plan: if it ever says more than it was asked, nobody
    /// knows which reply was to which.
    uncertain: Vec<(u64, Key)>,
}

impl Drop for Process {
    /// Ends it and whatever it started.
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group.take()
            && let Some(group) = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.start_kill();
    }
}

impl Process {
    /// Whether there is more to read than white space, now or within a time.
    async fn says_more(&mut self, within: Duration) -> Result<bool, Broken> {
        let end = tokio::time::Instant::now() + within;
        loop {
            let blank = match tokio::time::timeout_at(end, self.output.fill_buf()).await {
                Err(_) => return Ok(false),
                Ok(Err(e)) => return Err(Broken::Io(e)),
                Ok(Ok([])) => return Err(Broken::Ended),
                Ok(Ok(bytes)) if !bytes.trim_ascii_start().is_empty() => return Ok(true),
                Ok(Ok(bytes)) => bytes.len(),
            };
            self.output.consume(blank);
        }
    }

    /// The lines that it still writes before a time; very long lines, and very many, are cut.
    async fn rest(&mut self, limit: usize, end: tokio::time::Instant) -> Vec<Vec<u8>> {
        let (mut lines, mut line, mut taken) = (Vec::new(), Vec::new(), 0);
        while taken < limit && lines.len() < LINES {
            let bytes = match tokio::time::timeout_at(end, self.output.fill_buf()).await {
                Ok(Ok(bytes)) if !bytes.is_empty() => bytes,
                _ => break,
            };
            let length = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
            line.extend_from_slice(&bytes[..length]);
            taken += length;
            self.output.consume(length);
            if line.ends_with(b"\n") {
                lines.push(std::mem::take(&mut line));
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines.retain(|line| !line.trim_ascii().is_empty());
        lines
    }
}

/// How the processes behaved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    /// Processes that were started in place of others.
    pub restarts: u64,
    /// Lines that were no reply to what was asked.
    pub unasked: u64,
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
        Exec { command, limits, state: Mutex::default(), heard: Arc::default(), listener }
    }

    /// Counts a process that ended or was ended.
    fn lose(&self) {
        locked(&self.state).lost += 1;
    }

    pub(super) async fn call(&self, ask: &Ask, contract: &Contract) -> Attempt {
        let limit = self.limits.timeout;
        let end = tokio::time::Instant::now() + limit;
        let mut anew = false;
        loop {
            let idle = if anew { None } else { locked(&self.state).idle.pop() };
            let used = idle.is_some();
            let mut process = match idle.map_or_else(|| self.start(), Ok) {
                Ok(process) => process,
                Err(e) => return Attempt::Hopeless(format!("the command cannot be started: {e}")),
            };
            let exchange = exchange(&mut process, &ask.body, self.limits.reply);
            let reply = match tokio::time::timeout_at(end, exchange).await {
                Ok(Ok(reply)) => reply,
                // It had ended after its last reply, which is its right: a new one is asked.
                Ok(Err(Broken::Ended | Broken::Io(_))) if used => {
                    self.lose();
                    continue;
                }
                Ok(Err(Broken::Unasked)) if used => {
                    self.hear_out(process, contract, None, DRAIN).await;
                    anew = true;
                    continue;
                }
                Ok(Err(broken)) => {
                    self.lose();
                    return self.explain(process, broken).await;
                }
                Err(_) => {
                    // Its reply may still come: nobody will hear it.
                    self.lose();
                    let detail = format!("no reply within {}; the process was killed", spoken(limit));
                    return Attempt::failed("timeout", detail, Retry::Yes);
                }
            };
            let at = Instant::now();
            let answer = |said, by| Attempt::Reply(Box::new(Reply { said, at, by }));
            locked(&self.state).replied = true;
            let said = contract.read(&reply, ask);
            // After a line that is no reply to this question, nobody knows what the next one replies to.
            let stray =
                said.as_ref().is_err_and(|reason| reason.kind == WRONG_CASE || reason.kind == NOT_JSON);
            let certain =
                said.as_ref().is_ok_and(|said| said.named) && process.asked.as_deref() != Some(&*ask.id);
            let settle = if stray || certain { Duration::ZERO } else { SETTLE };
            let more = matches!(process.says_more(settle).await, Ok(true));
            if !stray && !more {
                if !certain && said.as_ref().is_ok_and(|said| said.failed.is_none()) {
                    process.uncertain.push((ask.number, key(&ask.id)));
                }
                process.asked = Some(ask.id.clone());
                return answer(said, Some(process));
            }
            let owed = stray.then_some((reply, &*ask.id));
            let shifted = self.hear_out(process, contract, owed, DRAIN).await;
            match said {
                // What follows is no reply, or this one names its case.
                Ok(said) if certain || !shifted => return answer(Ok(said), None),
                // One line too many of an earlier question, perhaps: this one is put to a process that knows no other.
                _ if used => anew = true,
                Err(reason) => return answer(Err(reason), None),
                Ok(_) => {
                    let detail = format!("the process replied more than once to one question; {PROTOCOL}");
                    return Attempt::failed("protocol", detail, Retry::No);
                }
            }
        }
    }

    /// Reads what a process still writes within a time, which nobody asked for, and ends it. True if that contains replies:
    /// then its earlier replies may be shifted by one, and are recalled unless they name their case.
    ///
    /// `owed` is a line that was read instead of the last reply, and the case that was asked for: that reply may still come.
    async fn hear_out(
        &self,
        mut process: Process,
        contract: &Contract,
        owed: Option<(Vec<u8>, &str)>,
        within: Duration,
    ) -> bool {
        self.lose();
        let end = tokio::time::Instant::now() + within;
        let mut lines = process.rest(self.limits.reply, end).await;
        let (mut replies, mut due, mut own) = (0, 0, None);
        if let Some((line, id)) = owed {
            lines.push(line);
            (due, own) = (1, Some(id));
        }
        for line in &lines {
            replies += match contract.stray(line) {
                Stray::Noise => 0,
                Stray::Reply => 1,
                Stray::ReplyTo(id) if own == Some(&*id) => 1,
                // Of a case that it answered without naming it: that answer was another's.
                Stray::ReplyTo(id) if process.uncertain.iter().any(|(_, known)| *known == key(&id)) => 2,
                Stray::ReplyTo(_) => 0,
            };
        }
        let shifted = replies > due;
        {
            let State { conduct, recalled, .. } = &mut *locked(&self.state);
            conduct.unasked += (lines.len() as u64).saturating_sub(due.min(replies));
            let uncertain = process.uncertain.drain(..).filter(|_| shifted);
            recalled.extend(uncertain.map(|(number, _)| number));
        }
        if process.input.is_none() {
            let _ = tokio::time::timeout_at(end, process.child.wait()).await;
        }
        shifted
    }

    pub(super) fn free(&self, process: Process) {
        locked(&self.state).idle.push(process);
    }

    pub(super) fn recalled(&self) -> Vec<u64> {
        std::mem::take(&mut locked(&self.state).recalled)
    }

    pub(super) fn conduct(&self) -> Conduct {
        locked(&self.state).conduct
    }

    /// Why a process is of no use any more.
    async fn explain(&self, mut process: Process, broken: Broken) -> Attempt {
        let why = match broken {
            Broken::TooLong => return self.limits.too_long(),
            Broken::Unasked => {
                let detail = format!("the process wrote a line that nobody asked for; {PROTOCOL}");
                return Attempt::failed("protocol", detail, Retry::Yes);
            }
            Broken::Ended => "the process closed its standard output".to_owned(),
            Broken::Io(e) => e.to_string(),
        };
        // It has closed its end: it is ending, or it does not know what it does.
        let status = tokio::time::timeout(GRACE, process.child.wait()).await;
        // What it said last may still be on its way.
        tokio::time::sleep(Duration::from_millis(20)).await;
        let last = locked(&process.last).clone();
        let said = if last.is_empty() { String::new() } else { format!("; it last said: {last}") };
        let detail = match status {
            Ok(Ok(status)) if matches!(status.code(), Some(126 | 127)) && !locked(&self.state).replied => {
                return Attempt::Hopeless(format!("the command cannot be run{said}"));
            }
            Ok(Ok(status)) => format!("the process ended {}{said}", ending(status)),
            _ => format!("{why}; it was killed{said}"),
        };
        Attempt::failed("died", detail, Retry::Yes)
    }

    fn start(&self) -> std::io::Result<Process> {
        {
            let State { lost, conduct, .. } = &mut *locked(&self.state);
            conduct.restarts += u64::from(conduct.restarts < *lost);
        }
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
        Ok(Process { group: child.id(), child, input, output, last, asked: None, uncertain: Vec::new() })
    }

    /// Ends every process: closes its input, waits, then kills it. What it still writes, nobody asked for.
    pub(super) async fn close(&self, contract: &Contract) {
        let mut all = std::mem::take(&mut locked(&self.state).idle);
        for process in &mut all {
            process.input = None;
        }
        let end = tokio::time::Instant::now() + GRACE;
        for process in all {
            let left = end.saturating_duration_since(tokio::time::Instant::now());
            self.hear_out(process, contract, None, left).await;
        }
    }
}

/// Sends a line and reads one.
async fn exchange(process: &mut Process, body: &str, limit: usize) -> Result<Vec<u8>, Broken> {
    // Bytes that are there before anything was asked would be taken for the reply, and every later one be off by one.
    if process.says_more(Duration::ZERO).await? {
        return Err(Broken::Unasked);
    }
    let output = &mut process.output;
    let input = process.input.as_mut().ok_or(Broken::Ended)?;
    let line = format!("{body}\n");
    input.write_all(line.as_bytes()).await.map_err(Broken::Io)?;
    input.flush().await.map_err(Broken::Io)?;
    let mut reply = Vec::new();
    let taken = output.take(limit as u64 + 1).read_until(b'\n', &mut reply).await.map_err(Broken::Io)?;
    match reply.last() {
        Some(b'\n') => Ok(reply),
        _ if taken > limit => Err(Broken::TooLong),
        // A command that answers once may leave out the last line end; what broke off is no whole JSON.
        Some(_) if serde_json::from_slice::<serde_json::Value>(&reply).is_ok() => Ok(reply),
        _ => Err(Broken::Ended),
    }
}

/// Passes on the standard error of a process, line by line, and remembers the last line.
async fn listen(
    mut errors: ChildStderr,
    last: Arc<Mutex<String>>,
    heard: Arc<AtomicUsize>,
    listener: Listener,
) {
    const LINE: usize = 400;
    let say = |line: &[u8]| {
        let text = String::from_utf8_lossy(line);
        if text.trim_end().is_empty() {
            return;
        }
        let text = shorten(&visible(text.trim_end()), LINE).into_owned();
        match heard.fetch_add(1, Ordering::Relaxed) {
            before if before < STDERR_LINES => listener(&text),
            STDERR_LINES => listener("… more is said, which is not passed on"),
            _ => {}
        }
        *locked(&last) = text;
    };
    let (mut piece, mut line) = (vec![0; 8192], Vec::new());
    loop {
        let taken = errors.read(&mut piece).await.unwrap_or(0);
        for &byte in &piece[..taken] {
            match byte {
                b'\n' => {
                    say(&line);
                    line.clear();
                }
                // The rest of a very long line is dropped.
                _ if line.len() < 4 * LINE => line.push(byte),
                _ => {}
            }
        }
        if taken == 0 {
            return say(&line);
        }
    }
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
