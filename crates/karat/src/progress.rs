//! How far is a long run? A bar on standard error, where somebody is looking and the wait is worth one.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat_engine::input::Source;

use crate::output::Terminal;

/// Shorter runs are over before a bar could be read.
const WORTH_A_BAR: u64 = 64 << 20;

/// A bar over the bytes of the traces; a hidden one where it would not help.
pub(crate) fn bar(traces: &[Source], terminal: &Terminal) -> ProgressBar {
    let sizes: Option<u64> = traces.iter().map(Source::size).sum();
    let packed =
        traces.iter().any(|source| source.name().ends_with(".gz") || source.name().ends_with(".zst"));
    if !terminal.watched() || sizes.is_some_and(|bytes| bytes < WORTH_A_BAR) {
        return ProgressBar::hidden();
    }
    let (bar, template) = match sizes.filter(|_| !packed) {
        Some(bytes) => {
            (ProgressBar::new(bytes), "{bar:40} {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left")
        }
        None => (ProgressBar::new_spinner(), "{spinner} {bytes} read  {bytes_per_sec}"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
