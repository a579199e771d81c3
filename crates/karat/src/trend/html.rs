//! One page without a script or a request: one chart per figure, one row per run. Light and dark, on a phone and on paper.

use std::fmt::Write;

use karat_report::formats::html;

use super::{Suite, Trend, condition, failed, gate, minute, range, value};

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 96.0;
/// Room for points at the edges.
const MARGIN: f64 = 8.0;
/// Room for the ends of the scale, at the right.
const SCALE: f64 = 40.0;
/// More runs than this are not listed.
const LISTED: usize = 200;

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1b1f24;--dim:#5d6670;--line:#d5dae0;--good:#0f6e56;--bad:#b3361b;--unsure:#8a6100;--mark:#1f5fa8;--paper:#fbfbfa}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--dim:#9aa4af;--line:#3a424c;--good:#4ac26b;--bad:#ff7b6b;--unsure:#e0b341;--mark:#79aef8;--paper:#14171b}}
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
h2{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:1rem}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(19rem,100%),1fr));gap:1rem}
figure{margin:0;border:1px solid var(--line);border-radius:.5rem;padding:.75rem}
figcaption{display:flex;justify-content:space-between;gap:1rem}
svg{width:100%;height:auto;display:block}
.dim{color:var(--dim)}.good{color:var(--good);fill:var(--good)}.bad{color:var(--bad);fill:var(--bad)}.unsure{color:var(--unsure);fill:var(--unsure)}
.path{fill:none;stroke:var(--mark);stroke-width:1.5}.gate{stroke:var(--dim);stroke-dasharray:4 3}.gold{stroke:var(--line);stroke-width:2}
table{border-collapse:collapse;width:100%;margin-top:1rem}td,th{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--line)}
text{fill:var(--dim);font-size:10px;text-anchor:end}.runs{overflow-x:auto}figcaption b{overflow-wrap:anywhere}
code{font-family:ui-monospace,monospace}@media print{body{max-width:none;margin:0}figure{break-inside:avoid}}
";

pub(super) fn render(trend: &Trend, names: Option<&[String]>, _: bool) -> String {
    let mut out = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    let policy = html::policy(STYLE, None);
    let _ = writeln!(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n");
    let _ = writeln!(
        out,
        "<title>karat trend</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>karat trend</h1>"
    );
    if trend.suites.is_empty() {
        out.push_str("<p>The history has no run yet.</p>\n");
    }
    for suite in &trend.suites {
        write_suite(suite, names, &mut out);
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn write_suite(suite: &Suite, names: Option<&[String]>, out: &mut String) {
    let Some(last) = suite.last() else { return };
    let _ = writeln!(
        out,
        "<h2>{}: <span class=\"{}\">{}</span></h2>\n<p class=\"dim\">{}; the last on {}</p>\n<div class=\"charts\">",
        escape(&suite.name),
        class(&last.verdict),
        escape(&last.verdict),
        karat_engine::text::count((suite.runs.len() + suite.earlier) as u64, "run"),
        escape(&minute(last)),
    );
    let known = |name: &&str| suite.runs.iter().any(|run| value(run, name).is_some());
    let gated = suite.gated();
    let all = || last.metrics.keys().map(String::as_str);
    let shown: Vec<&str> = match names {
        Some(names) => names.iter().map(String::as_str).filter(known).collect(),
        // What is gated first, then every other figure that has a value.
        None => {
            gated.iter().copied().chain(all().filter(|name| !gated.contains(name))).filter(known).collect()
        }
    };
    for name in shown {
        chart(suite, name, out);
    }
    out.push_str(
        "</div>\n<div class=\"runs\" tabindex=\"0\" role=\"region\" aria-label=\"runs\"><table>\n<tr><th>run</th><th>verdict</th><th>commit</th><th>gold</th><th>fails</th></tr>\n",
    );
    for (i, run) in suite.runs.iter().enumerate().rev().take(LISTED) {
        let gold = run.gold.as_deref().unwrap_or("–");
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td class=\"{}\">{}</td><td><code>{}</code></td><td><code>{}</code>{}</td><td>{}</td></tr>",
            escape(&minute(run)),
            class(&run.verdict),
            escape(&run.verdict),
            escape(&start(run.commit.as_deref().unwrap_or("–"), 10)),
            escape(&start(gold.trim_start_matches("sha256:"), 12)),
            if suite.gold_changed(i) { " (changed)" } else { "" },
            escape(&failed(run).join(", ")),
        );
    }
    out.push_str("</table></div>\n");
}

/// A line through the values, a point for each run, the gate's threshold, and where gold changed.
fn chart(suite: &Suite, name: &str, out: &mut String) {
    let values: Vec<Option<f64>> = suite.runs.iter().map(|run| value(run, name)).collect();
    let gated = suite.last().and_then(|run| gate(run, name));
    let threshold = gated.map(|gate| gate.threshold);
    let (least, most) = range(values.iter().flatten().copied().chain(threshold));
    let x = |i: usize| MARGIN + (WIDTH - 2.0 * MARGIN - SCALE) * (i as f64 + 0.5) / values.len() as f64;
    let y = |value: f64| match (value - least) / (most - least) {
        share if share.is_finite() => HEIGHT - MARGIN - share * (HEIGHT - 2.0 * MARGIN),
        _ => HEIGHT / 2.0,
    };
    let newest = values.last().copied().flatten();
    let told = newest.map_or_else(|| "–".to_owned(), |value| suite.shown(name, value));
    let (style, condition) = gated.map_or(("dim", String::new()), |gate| {
        let style = match gate.outcome.as_str() {
            "pass" => "good",
            "fail" => "bad",
            _ => "unsure",
        };
        (style, format!(" <span class=\"dim\">{}</span>", escape(condition(gate))))
    });
    let _ = write!(
        out,
        "<figure><figcaption><b>{}</b><span class=\"{style}\">{told}{condition}</span></figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{} over {}\">",
        escape(name),
        escape(name),
        karat_engine::text::count(values.len() as u64, "run"),
    );
    for (i, pair) in suite.runs.windows(2).enumerate().filter(|(_, pair)| pair[0].gold != pair[1].gold) {
        let at = (x(i) + x(i + 1)) / 2.0;
        let day = escape(&minute(&pair[1]));
        let _ = write!(
            out,
            "<line class=\"gold\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"0\" y2=\"{HEIGHT}\"><title>gold changed: {day}</title></line>"
        );
    }
    if let Some(threshold) = threshold {
        let (at, end) = (y(threshold), WIDTH - SCALE);
        let _ = write!(out, "<line class=\"gate\" x1=\"0\" x2=\"{end}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>");
    }
    if least < most {
        for (value, at) in [(most, MARGIN), (least, HEIGHT - MARGIN)] {
            let label = suite.shown(name, value);
            let _ = write!(out, "<text x=\"{WIDTH}\" y=\"{at}\" dy=\"3\">{label}</text>");
        }
    }
    // The line breaks where a run has no value.
    let mut path = String::new();
    let mut pen = 'M';
    for (i, value) in values.iter().enumerate() {
        match value {
            Some(value) => {
                let _ = write!(path, "{pen}{:.1} {:.1}", x(i), y(*value));
                pen = 'L';
            }
            None => pen = 'M',
        }
    }
    let _ = write!(out, "<path class=\"path\" d=\"{path}\"/>");
    for (i, (run, value)) in suite.runs.iter().zip(&values).enumerate() {
        let Some(value) = value else { continue };
        let _ = write!(
            out,
            "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{}\"><title>{}: {} ({})</title></circle>",
            class(&run.verdict),
            x(i),
            y(*value),
            if values.len() > 60 { 1.5 } else { 3.0 },
            escape(&minute(run)),
            suite.shown(name, *value),
            escape(&start(run.commit.as_deref().unwrap_or("no commit"), 10)),
        );
    }
    out.push_str("</svg></figure>\n");
}

fn class(verdict: &str) -> &'static str {
    match verdict {
        "SHIP" => "good",
        "NO-SHIP" => "bad",
        _ => "unsure",
    }
}

fn start(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Nothing from a file is markup.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    html::escape(text, &mut out);
    out
}
