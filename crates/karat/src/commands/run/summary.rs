//! What came of a run, and what to do next.

use std::path::Path;
use std::process::ExitCode;

use karat_drive::meter::Reading;
use karat_drive::run::RunOutcome;
use karat_engine::text::{count, group, visible};

use super::Args;
use super::live::ms;
use crate::commands::answer;
use crate::output::Terminal;

/// Says what came of it, and what to do next.
pub(super) fn report(args: &Args, terminal: &Terminal, ended: &RunOutcome, read: &Reading) -> ExitCode {
    let mut text = if ended.nothing_left {
        "nothing was left to ask\n".to_owned()
    } else {
        let (requests, seconds) = (count(read.done(), "request"), read.elapsed.as_secs_f64());
        let (rate, answered, failed) = (read.rate(), group(read.answered), group(read.failed));
        format!("{requests} in {seconds:.1} s ({rate:.1}/s): {answered} answered, {failed} failed\n")
    };
    if !terminal.quiet {
        details(args, ended, read).iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    let status = match ended.signal {
        Some(signal) => signal.status(),
        None => u8::from(read.failed + ended.held_failed + ended.unasked > 0),
    };
    if args.out == Path::new("-") {
        terminal.complain(&text);
        return ExitCode::from(status);
    }
    answer(&text, status, terminal)
}

/// The rest of the report, line by line.
fn details(args: &Args, ended: &RunOutcome, read: &Reading) -> Vec<String> {
    let to_file = args.out != Path::new("-");
    let held = ended.held + ended.held_failed + ended.retried;
    let mut lines = Vec::new();
    if let Some([p50, p95, p99, longest]) = read.latency.map(|latency| latency.map(ms)) {
        lines.push(format!("answers took p50 {p50} · p95 {p95} · p99 {p99} · at most {longest}"));
    }
    if let Some(lag) = read.lag.filter(|lag| *lag >= 50.0).map(ms) {
        lines.push(format!("requests waited for room, 1 % of them {lag} or longer, and their latency counts it: the\n  pipeline cannot keep up with --rps, or --concurrency is too low"));
    }
    lines.extend(read.reasons.iter().map(|(kind, n)| format!("{:>6}  {}", group(*n), visible(kind))));
    if read.failed > 0 && ended.signal.is_none() && to_file && args.duration.is_none() {
        lines.push("the same with --resume --retry-failed asks again what failed".into());
    }
    // What is said of a number that is not 0, and what is counted.
    let counted = |rows: &[(u64, &str, &str)]| -> Vec<String> {
        let number = |n, noun: &str| if noun.is_empty() { group(n) } else { count(n, noun) };
        let told = rows.iter().filter(|(n, ..)| *n > 0);
        told.map(|(n, noun, said)| said.replace("{}", &number(*n, noun))).collect()
    };
    lines.extend(counted(&[
        (
            ended.conduct.unasked,
            "line",
            "{} on standard output replied to nothing that was asked, and went into no trace",
        ),
        (
            read.recalled,
            "answer",
            "{} taken back, as a surplus reply may have shifted them: let each reply repeat its qid",
        ),
        (ended.conduct.restarts, "time", "the command was started anew {}"),
    ]));
    let astray = ended.astray.iter();
    lines.extend(astray.map(|typed| format!("--map {} led to nothing in any reply", visible(typed))));
    if let (false, Some(has)) = (ended.astray.is_empty(), &ended.reply_has) {
        lines.push(format!("the last reply had {}", visible(has)));
    }
    let unasked = match ended.signal {
        Some(_) => "{} without a trace: --resume asks them",
        None => "{} of the gold set not asked: the time was up",
    };
    lines.extend(counted(&[
        (held, "trace", "the file held {} already"),
        (ended.held_failed, "", "{} of them failed: --retry-failed asks again"),
        (ended.retried, "", "{} of them had failed: asked again, and the last trace counts"),
        (
            ended.others,
            "trace",
            "the file also holds {} that this plan does not ask: gold or an option was another",
        ),
        (ended.unasked, "request", unasked),
        (read.redacted, "trace", "{} held a secret, which was replaced: the pipeline should not repeat it"),
    ]));
    if to_file && read.done() + held == 0 {
        lines.push("no trace was written".into());
    } else if to_file {
        lines.push(format!("traces in {}", visible(&args.out.display().to_string())));
    }
    lines
}
