//! Shows how the run is going, in one line that fits the terminal: done, rate, errors, time left, p50 and p95 so far.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat_drive::meter::Reading;
use karat_engine::text::{count, group};

use crate::output::Terminal;

/// The greatest width of the bar, and the least: a narrower one is left out.
const BAR: (usize, usize) = (24, 8);

/// A bar on standard error, where somebody is looking.
pub(super) fn bar(terminal: &Terminal) -> ProgressBar {
    if !terminal.watched() {
        return ProgressBar::hidden();
    }
    ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10))
}

/// Draws the line anew.
pub(super) fn show(bar: &ProgressBar, read: &Reading, duration: Option<Duration>) {
    let Some((position, length)) = place(read, duration) else { return };
    let columns =
        terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
    let (wide, text) = line(read, duration, columns);
    let template = if wide > 0 { format!("{{bar:{wide}}} {{msg}}") } else { "{msg}".to_owned() };
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar.set_length(length.max(1));
    bar.set_position(position.min(length));
    bar.set_message(text);
}

/// How far it is, of how much: requests, or tenths of a second where the clock decides.
fn place(read: &Reading, duration: Option<Duration>) -> Option<(u64, u64)> {
    let tenths = |time: Duration| u64::try_from(time.as_millis() / 100).unwrap_or(u64::MAX);
    match (duration, read.total) {
        (Some(duration), _) => Some((tenths(read.elapsed), tenths(duration))),
        (None, Some(total)) => Some((read.done(), total)),
        (None, None) => None,
    }
}

/// The width of the bar and the words after it. What a narrow terminal has no room for is left out, the least needed first.
fn line(read: &Reading, duration: Option<Duration>, columns: usize) -> (usize, String) {
    let done = match read.total.filter(|_| duration.is_none()) {
        Some(total) => format!("{}/{}", group(read.done()), group(total)),
        None => group(read.done()),
    };
    let mut words = vec![done, count(read.failed, "error")];
    words.extend(left(read, duration));
    words.insert(1, format!("{:.1}/s", read.rate()));
    if let Some([p50, p95, ..]) = read.latency {
        words.push(format!("p50 {}  p95 {}", ms(p50), ms(p95)));
    }
    // Some terminals wrap when the last column is written, and Ctrl-C shows as `^C` behind the line.
    let room = columns.saturating_sub(3);
    let length =
        |words: &[String]| words.iter().map(|word| word.chars().count() + 2).sum::<usize>().saturating_sub(2);
    while length(&words) > room && words.len() > 1 {
        words.pop();
    }
    let bar = room.saturating_sub(length(&words) + 1).min(BAR.0);
    (if bar < BAR.1 { 0 } else { bar }, words.join("  "))
}

/// `12s left`, as far as the rate so far tells.
fn left(read: &Reading, duration: Option<Duration>) -> Option<String> {
    let left = match duration {
        Some(duration) => duration.saturating_sub(read.elapsed),
        None => {
            let rest = read.total?.saturating_sub(read.done()) as f64;
            Duration::try_from_secs_f64(rest / read.rate()).ok().filter(|_| read.done() > 0)?
        }
    };
    // A second that has begun is one.
    let seconds = left.as_millis().div_ceil(1000);
    Some(match seconds {
        0..60 => format!("{seconds}s left"),
        60..3600 => format!("{}m{:02}s left", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m left", seconds / 3600, seconds / 60 % 60),
    })
}

/// `8.3 ms`, `81 ms`, `1.24 s`.
pub(super) fn ms(ms: f64) -> String {
    match ms {
        ..10.0 => format!("{ms:.1} ms"),
        ..1000.0 => format!("{ms:.0} ms"),
        _ => format!("{:.2} s", ms / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_its_terminal() {
        let read = Reading {
            total: Some(12_000),
            answered: 3_400,
            failed: 12,
            elapsed: Duration::from_secs(100),
            latency: Some([240.4, 1312.0, 2000.0, 3000.0]),
            ..Reading::default()
        };
        let check = |columns, expected: (usize, &str)| {
            let (bar, text) = line(&read, None, columns);
            assert_eq!((bar, &*text), expected, "{columns} columns");
        };
        check(140, (24, "3,412/12,000  34.1/s  12 errors  4m12s left  p50 240 ms  p95 1.31 s"));
        check(80, (9, "3,412/12,000  34.1/s  12 errors  4m12s left  p50 240 ms  p95 1.31 s"));
        check(71, (0, "3,412/12,000  34.1/s  12 errors  4m12s left  p50 240 ms  p95 1.31 s"));
        check(60, (13, "3,412/12,000  34.1/s  12 errors  4m12s left"));
        check(30, (0, "3,412/12,000  34.1/s"));
        check(5, (0, "3,412/12,000"));
        for columns in 15..200 {
            let (bar, text) = line(&read, None, columns);
            assert!(bar + usize::from(bar > 0) + text.chars().count() + 2 < columns, "{columns}");
        }
    }

    #[test]
    fn the_clock_or_the_rate_tells_the_time_left() {
        let read = |total, answered, seconds| Reading {
            total,
            answered,
            elapsed: Duration::from_secs_f64(seconds),
            ..Reading::default()
        };
        assert_eq!(line(&read(Some(10), 0, 5.0), None, 80).1, "0/10  0.0/s  0 errors");
        assert_eq!(line(&read(Some(10), 9, 5.0), None, 80).1, "9/10  1.8/s  0 errors  1s left");
        let timed = Some(Duration::from_secs(7200));
        assert_eq!(line(&read(None, 9000, 100.0), timed, 80).1, "9,000  90.0/s  0 errors  1h58m left");
        assert_eq!(place(&read(None, 9000, 100.0), timed), Some((1000, 72_000)));
    }
}
