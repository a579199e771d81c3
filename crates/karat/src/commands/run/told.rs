//! What came of a run, and what to do next.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use karat_drive::meter::Reading;
use karat_drive::run::Ended;
use karat_engine::text::{count, group, visible};

use super::Args;
use super::live::ms;
use crate::output::Terminal;

/// Says what came of it, and what to do next.
pub(super) fn report(args: &Args, terminal: &Terminal, ended: &Ended, read: &Reading) -> ExitCode {
    let failed = read.failed + ended.held_failed;
    let mut text = if ended.nothing_left {
        "nothing was left to ask\n".to_owned()
    } else {
        format!(
            "{} in {:.1} s ({:.1}/s): {} answered, {} failed\n",
            count(read.done(), "request"),
            read.elapsed.as_secs_f64(),
            read.rate(),
            group(read.answered),
            group(read.failed)
        )
    };
    if !terminal.quiet {
        details(args, ended, read, &mut text);
    }
    if args.out == Path::new("-") {
        terminal.complain(&text);
    } else if let Err(e) = terminal.print(&text) {
        return crate::commands::fail(&format!("standard output: {e}"), terminal);
    }
    match ended.signal {
        Some(signal) => ExitCode::from(signal.status()),
        None if failed > 0 || ended.unasked > 0 => ExitCode::from(1),
        None => ExitCode::SUCCESS,
    }
}

/// What a command did that it should not, and what of --map led nowhere.
fn conduct(ended: &Ended, read: &Reading, text: &mut String) {
    if ended.conduct.unasked > 0 {
        let _ = writeln!(
            text,
            "  {} on standard output replied to nothing that was asked, and went into no trace",
            count(ended.conduct.unasked, "line")
        );
    }
    if read.recalled > 0 {
        let _ = writeln!(
            text,
            "  {} taken back, as a surplus reply may have shifted them: let each reply repeat its qid",
            count(read.recalled, "answer")
        );
    }
    if ended.conduct.restarts > 0 {
        let _ = writeln!(text, "  the command was started anew {}", count(ended.conduct.restarts, "time"));
    }
    for typed in &ended.astray {
        let _ = writeln!(text, "  --map {} led to nothing in any reply", visible(typed));
    }
    if let (false, Some(has)) = (ended.astray.is_empty(), &ended.reply_has) {
        let _ = writeln!(text, "  the last reply had {}", visible(has));
    }
}

fn details(args: &Args, ended: &Ended, read: &Reading, text: &mut String) {
    if let Some([p50, p95, p99, longest]) = read.latency {
        let _ = writeln!(
            text,
            "  answers took p50 {} · p95 {} · p99 {} · at most {}",
            ms(p50),
            ms(p95),
            ms(p99),
            ms(longest)
        );
    }
    if let Some(lag) = read.lag.filter(|lag| *lag >= 50.0) {
        let _ = writeln!(
            text,
            "  requests waited for room, 1 % of them {} or longer, and their latency counts it: the\n  pipeline cannot keep up with --rps, or --concurrency is too low",
            ms(lag)
        );
    }
    for (kind, times) in &read.reasons {
        let _ = writeln!(text, "  {:>6}  {}", group(*times), visible(kind));
    }
    if read.failed > 0 && ended.signal.is_none() && args.out != Path::new("-") && args.duration.is_none() {
        let _ = writeln!(text, "  the same with --resume --retry-failed asks again what failed");
    }
    conduct(ended, read, text);
    let held = ended.held + ended.held_failed + ended.retried;
    if held > 0 {
        let _ = writeln!(text, "  the file held {} already", count(held, "trace"));
    }
    if ended.held_failed > 0 {
        let _ = writeln!(text, "  {} of them failed: --retry-failed asks again", group(ended.held_failed));
    }
    if ended.retried > 0 {
        let _ = writeln!(
            text,
            "  {} of them had failed: asked again, and the last trace counts",
            group(ended.retried)
        );
    }
    if ended.others > 0 {
        let _ = writeln!(
            text,
            "  the file also holds {} that this plan does not ask: gold or an option was another",
            count(ended.others, "trace")
        );
    }
    if ended.unasked > 0 && ended.signal.is_some() {
        let _ = writeln!(text, "  {} without a trace: --resume asks them", count(ended.unasked, "request"));
    } else if ended.unasked > 0 {
        let _ = writeln!(
            text,
            "  {} of the gold set not asked: the time was up",
            count(ended.unasked, "request")
        );
    }
    if read.redacted > 0 {
        let _ = writeln!(
            text,
            "  {} held a secret, which was replaced: the pipeline should not repeat it",
            count(read.redacted, "trace")
        );
    }
    if args.out != Path::new("-") && read.done() + held == 0 {
        let _ = writeln!(text, "  no trace was written");
    } else if args.out != Path::new("-") {
        let _ = writeln!(text, "  traces in {}", visible(&args.out.display().to_string()));
    }
}
