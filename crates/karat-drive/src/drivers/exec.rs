//! A pipeline that is a command: requests on its standard input, replies on its standard output, a line each.
//!
//! Each request that runs at the same time has a process of its own. A process stays up; one that dies, hangs or breaks the
//! protocol is killed with everything that it started, and the next request gets a new one.

use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use karat_input::text::{shorten, visible};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

use super::{Limits, sized, spoken};
use crate::locked;
use crate::plan::{Ask, Key, key};
use crate::reply::{Contract, NOT_JSON, Reason, Stray, WRONG_CASE};
use crate::retry::{Again, Attempt, Reply};

/// How many lines of what the processes say on standard error are passed on.
const HEARD: usize = 200;
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
    idle: Mutex<Vec<Process>>,
    /// Whether any process has ever replied.
    replied: AtomicBool,
    /// Processes that ended or were ended, how many took their places, and lines that nobody asked for.
    lost: AtomicU64,
    restarted: AtomicU64,
    unasked: AtomicU64,
    /// Requests whose replies may be those to others.
    recalled: Mutex<Vec<u64>>,
    heard: Arc<AtomicUsize>,
    listener: Listener,
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

    /// The lines that it still says until a moment; a very long one, or very many, are cut.
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

/// What a process had still to say when it was let go.
enum Owed<'a> {
    /// It had answered everything.
    Nothing,
    /// The reply to its last question, about this case, behind this line, which is none.
    ReplyBehind(Vec<u8>, &'a str),
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
        Exec {
            command,
            limits,
            idle: Mutex::default(),
            replied: AtomicBool::new(false),
            lost: AtomicU64::default(),
            restarted: AtomicU64::default(),
            unasked: AtomicU64::default(),
            recalled: Mutex::default(),
            heard: Arc::default(),
            listener,
        }
    }

    pub(super) async fn call(&self, ask: &Ask, contract: &Contract) -> Attempt {
        let limit = self.limits.timeout;
        let end = tokio::time::Instant::now() + limit;
        let mut anew = false;
        loop {
            let idle = if anew { None } else { locked(&self.idle).pop() };
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
                    self.lost.fetch_add(1, Ordering::Relaxed);
                    continue;
                }
                Ok(Err(Broken::Unasked)) if used => {
                    self.hear_out(process, contract, Owed::Nothing, DRAIN).await;
                    anew = true;
                    continue;
                }
                Ok(Err(broken)) => {
                    self.lost.fetch_add(1, Ordering::Relaxed);
                    return self.explain(process, broken).await;
                }
                Err(_) => {
                    // Its reply may still come: nobody will hear it.
                    self.lost.fetch_add(1, Ordering::Relaxed);
                    let detail = format!("no reply within {}; the process was killed", spoken(limit));
                    return Attempt::Failed(Reason::new("timeout", detail), Again::Yes);
                }
            };
            let at = Instant::now();
            let answer = |said, by| Attempt::Reply(Box::new(Reply { said, at, by }));
            self.replied.store(true, Ordering::Relaxed);
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
            let owed = if stray { Owed::ReplyBehind(reply, &ask.id) } else { Owed::Nothing };
            let shifted = self.hear_out(process, contract, owed, DRAIN).await;
            match said {
                // What follows is no reply, or this one names its case.
                Ok(said) if certain || !shifted => return answer(Ok(said), None),
                // One line too many of an earlier question, perhaps: this one is put to a process that knows no other.
                _ if used => anew = true,
                Err(reason) => return answer(Err(reason), None),
                Ok(_) => {
                    let detail = format!("the process replied more than once to one question; {PROTOCOL}");
                    return Attempt::Failed(Reason::new("protocol", detail), Again::No);
                }
            }
        }
    }

    /// Takes what a process still says within a time, which nobody asked for, and lets go of it. Tells whether replies were
    /// among it: then those that it gave before may be shifted by one, and are recalled, but for those that name their case.
    async fn hear_out(
        &self,
        mut process: Process,
        contract: &Contract,
        owed: Owed<'_>,
        within: Duration,
    ) -> bool {
        self.lost.fetch_add(1, Ordering::Relaxed);
        let end = tokio::time::Instant::now() + within;
        let mut lines = process.rest(self.limits.reply, end).await;
        let (mut replies, mut due, mut own) = (0, 0, None);
        if let Owed::ReplyBehind(line, id) = owed {
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
        self.unasked.fetch_add((lines.len() as u64).saturating_sub(due.min(replies)), Ordering::Relaxed);
        let shifted = replies > due;
        if shifted {
            locked(&self.recalled).extend(process.uncertain.drain(..).map(|(number, _)| number));
        }
        if process.input.is_none() {
            let _ = tokio::time::timeout_at(end, process.child.wait()).await;
        }
        shifted
    }

    pub(super) fn free(&self, process: Process) {
        locked(&self.idle).push(process);
    }

    pub(super) fn recalled(&self) -> Vec<u64> {
        std::mem::take(&mut *locked(&self.recalled))
    }

    pub(super) fn conduct(&self) -> Conduct {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Conduct { restarts: read(&self.restarted), unasked: read(&self.unasked) }
    }

    async fn explain(&self, mut process: Process, broken: Broken) -> Attempt {
        match broken {
            Broken::TooLong => {
                let detail = format!("the reply is longer than {} (--max-reply)", sized(self.limits.reply));
                return Attempt::Failed(Reason::new("too long", detail), Again::No);
            }
            Broken::Unasked => {
                let detail = format!("the process wrote a line that nobody asked for; {PROTOCOL}");
                return Attempt::Failed(Reason::new("protocol", detail), Again::Yes);
            }
            Broken::Ended | Broken::Io(_) => {}
        }
        // It has closed its end: it is ending, or it does not know what it does.
        let status = tokio::time::timeout(GRACE, process.child.wait()).await;
        // What it said last may still be on its way.
        tokio::time::sleep(Duration::from_millis(20)).await;
        let last = locked(&process.last).clone();
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
        let lost = self.lost.load(Ordering::Relaxed);
        let again = |restarted: u64| (restarted < lost).then_some(restarted + 1);
        let _ = self.restarted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, again);
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

    /// Ends every process: asked first, by closing its input, then killed. What it still says, nobody asked for.
    pub(super) async fn close(&self, contract: &Contract) {
        let mut all = std::mem::take(&mut *locked(&self.idle));
        for process in &mut all {
            process.input = None;
        }
        let end = tokio::time::Instant::now() + GRACE;
        for process in all {
            let left = end.saturating_duration_since(tokio::time::Instant::now());
            self.hear_out(process, contract, Owed::Nothing, left).await;
        }
    }
}

/// Sends a line and takes one.
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
    *locked(last) = text;
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
