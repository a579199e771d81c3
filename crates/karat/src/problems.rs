//! Shows problems: what is wrong, where, and what to do.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use karat_engine::problem::{Failure, Problem, Severity};
use karat_engine::text::visible;
use unicode_width::UnicodeWidthChar;

use crate::output::{BAD, BOLD, UNSURE, paint};

const BLUE: Style = AnsiColor::Blue.on_default().bold();

/// All problems of a failure to score, and a last line that sums them up.
pub(crate) fn render(failure: &Failure, color: bool) -> String {
    render_for(failure, "nothing was scored", color)
}

/// All of a failure's problems, and a last line that sums them up and says what was not done.
pub(crate) fn render_for(failure: &Failure, outcome: &str, color: bool) -> String {
    let mut out: String = failure.problems.iter().map(|problem| single(problem, color) + "\n").collect();
    let (shown, total) = (failure.problems.len(), failure.total);
    let first = if total > shown as u64 { format!("; the first {shown} are shown") } else { String::new() };
    let problems = karat_engine::text::count(total, "problem");
    let _ = writeln!(out, "karat: {problems}{first}; {outcome}");
    out
}

/// One problem by itself.
pub(crate) fn single(problem: &Problem, color: bool) -> String {
    let paint = |style: Style, text: &str| paint(style, text, color);
    let mut out = String::new();
    let (word, style) = match problem.kind.severity {
        Severity::Error => ("error", BAD),
        Severity::Warning => ("warning", UNSURE),
    };
    let head = paint(style, &format!("{word}[{}]", problem.kind.slug));
    let _ = writeln!(out, "{head}{}", paint(BOLD, &format!(": {}", problem.message)));
    let place = match problem.line {
        0 => visible(&problem.source).into_owned(),
        line => format!("{}:{line}:{}", visible(&problem.source), problem.column),
    };
    let number = if problem.line > 0 { problem.line.to_string() } else { String::new() };
    let margin = " ".repeat(number.len());
    let field =
        if problem.path.is_empty() { String::new() } else { format!(" (field {})", visible(&problem.path)) };
    let _ = writeln!(out, "{margin}{} {place}{field}", paint(BLUE, "-->"));
    if problem.line > 0 && !problem.excerpt.text.is_empty() {
        let (text, mark) = (&problem.excerpt.text, &problem.excerpt.mark);
        let wide = |text: &mut dyn Iterator<Item = char>| text.map(|c| c.width().unwrap_or(0)).sum::<usize>();
        let before = wide(&mut text.chars().take(mark.start));
        let under = wide(&mut text.chars().skip(mark.start).take(mark.len())).max(1);
        let _ = writeln!(out, "{margin} {}", paint(BLUE, "|"));
        let _ = writeln!(out, "{} {text}", paint(BLUE, &format!("{number} |")));
        let arrows = paint(style, &format!("{} {}", "^".repeat(under), problem.expected));
        let _ = writeln!(out, "{margin} {} {}{}", paint(BLUE, "|"), " ".repeat(before), arrows.trim_end());
    } else if !problem.expected.is_empty() {
        let _ = writeln!(out, "{margin} {} {}", paint(BLUE, "="), problem.expected);
    }
    let _ = writeln!(out, "{margin} {} {}: {}", paint(BLUE, "="), paint(BOLD, "help"), problem.kind.help);
    out
}
