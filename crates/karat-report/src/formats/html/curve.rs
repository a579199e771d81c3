//! How fast, and how right? A point a setting of the knobs; the frontier joins those that no other beats in both.

use super::Head::{self, Number, Text};
use super::labels::{self, Line, Stands, Wants};
use super::markup::{Attributes, Markup};
use super::scale::{Scale, nice};
use super::{View, below, figure_of, rule, section, table_around};
use crate::formats::text::tables::cell;
use crate::report::{self, Axis, Column, Curve, Kind, Place, Point, number};
use crate::text;

const HEIGHT: f64 = 240.0;
/// More points than these are a cloud, which a list under it does not explain.
const MOST: usize = 60;
/// More names than these are not even tried.
const NAMED: usize = 24;

/// The curve.
pub(super) fn plot(m: &mut Markup, view: &View<'_>, curve: &Curve) {
    let drawn: Vec<&Point> = curve.points.iter().filter(|point| spot(curve, point).is_some()).collect();
    if !drawn.is_empty() {
        let title = format!("{} and {}", text::capital(&curve.x.title), curve.y.title);
        section(m, &title, |m| draw(m, view, curve, &drawn));
    }
}

/// Its points, one by one.
pub(super) fn points(m: &mut Markup, curve: &Curve) {
    section(m, "Points of the curve", |m| listed(m, curve));
    histograms(m, curve);
}

/// A time and a share.
type Spot = (f64, f64);

/// Where a point lies between the axes.
fn spot(curve: &Curve, point: &Point) -> Option<Spot> {
    let value = |axis: &Axis| number(point.facts.get(&axis.key));
    Some((value(&curve.x)?, value(&curve.y)?))
}

fn draw(m: &mut Markup, view: &View<'_>, curve: &Curve, drawn: &[&Point]) {
    let spot = |point: &Point| spot(curve, point);
    let described = |point: &Point| described(curve, point);
    let (x_metric, y_metric) = (curve.x.metric(), curve.y.metric());
    let threshold = |metric: &str| view.report.gate_on(metric).map(|gate| gate.threshold);
    let (slow, right) = (threshold(x_metric), threshold(y_metric));
    let before: Vec<Spot> = curve.baseline.iter().flat_map(|curve| &curve.points).filter_map(spot).collect();
    let spots = || drawn.iter().filter_map(|point| spot(point)).chain(before.iter().copied());
    let end = nice(spots().map(|spot| spot.0).chain(slow).fold(0.0, f64::max) * 1.05);
    // From the tenth below the lowest point: points that lie close together are told apart.
    let lowest = spots().map(|spot| spot.1).chain(right).fold(1.0, f64::min);
    let floor = ((lowest - 0.05).max(0.0) * 10.0).floor() / 10.0;
    let (across, up) = (Scale::new(0.0, end), Scale::new(floor, 1.0));
    let knob = only_knob(drawn);
    let told: Vec<String> = drawn.iter().take(MOST).filter_map(|point| described(point)).collect();
    figure_of(m, &told.join("; "), HEIGHT, |m| {
        for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let value = floor + (1.0 - floor) * tick;
            rule(m, &up.down(value, HEIGHT), &format!("{value:.2}"));
            below(m, &across.across(end * tick), HEIGHT, &milliseconds(end * tick));
        }
        if let Some(x) = slow.map(|at| across.across(at)) {
            m.stroke("line.wanted", [&x, &x, "0", &HEIGHT.to_string()]);
        }
        if let Some(y) = right.map(|at| up.down(at, HEIGHT)) {
            m.stroke("line.wanted", ["0", "100%", &y, &y]);
        }
        let place = |(time, share): Spot| (across.across(time), up.down(share, HEIGHT));
        let mut frontier: Vec<Spot> =
            drawn.iter().filter(|point| point.on_frontier).filter_map(|point| spot(point)).collect();
        frontier.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for pair in frontier.windows(2) {
            let ((x1, y1), (x2, y2)) = (place(pair[0]), place(pair[1]));
            m.stroke("line.frontier", [&x1, &x2, &y1, &y2]);
        }
        for (x, y) in before.iter().map(|spot| place(*spot)) {
            m.point("circle.before", [&x, &y, "4"], "");
        }
        for (point, at) in drawn.iter().filter_map(|point| Some((point, spot(point)?))) {
            let (x, y) = place(at);
            if point.selected {
                m.point("circle.chosen", [&x, &y, "9"], "");
            }
            let tag = if point.passes { "circle.point.pass" } else { "circle.point.fail" };
            m.point(tag, [&x, &y, "5"], &described(point).unwrap_or_default());
        }
        let dashes = slow.map(|at| ((across.share(at), 0.0), (across.share(at), HEIGHT)));
        let level = right.map(|at| (1.0 - up.share(at)) * HEIGHT);
        let dashes: Vec<Line> =
            dashes.into_iter().chain(level.map(|down| ((0.0, down), (1.0, down)))).collect();
        named(m, curve, drawn, knob.as_deref(), (&before, &frontier, &dashes), (across, up));
    });
    let named = knob.map(|knob| format!(" Points are named by {knob}.")).unwrap_or_default();
    m.note(&format!("Across: {x_metric}; up: {y_metric}. The line is the frontier, the ring the selected point, dashes are gates; hollow: the baseline.{named}"));
}

/// The names of points, where they fit: the selected one's before all, then the frontier's, then the others'.
fn named(
    m: &mut Markup,
    curve: &Curve,
    drawn: &[&Point],
    knob: Option<&str>,
    (before, frontier, dashes): (&[Spot], &[Spot], &[Line]),
    (across, up): (Scale, Scale),
) {
    let spot = |point: &Point| spot(curve, point);
    let place = |(time, share): Spot| (across.share(time), (1.0 - up.share(share)) * HEIGHT);
    let mut order: Vec<(&Point, Spot)> =
        drawn.iter().filter_map(|point| Some((*point, spot(point)?))).collect();
    order.sort_by_key(|(point, _)| (!point.selected, !point.on_frontier));
    order.truncate(NAMED);
    let names: Vec<String> =
        order.iter().map(|(point, _)| text::shorten(&short(point, knob), 28).into_owned()).collect();
    let wants = order.iter().zip(&names).map(|((_, at), name)| {
        let (across, down) = place(*at);
        Wants { across, down, name }
    });
    let wants: Vec<Wants<'_>> = wants.collect();
    let spots = drawn.iter().filter_map(|point| spot(point)).chain(before.iter().copied());
    let points: Vec<Spot> = spots.map(place).collect();
    let lines: Vec<_> = frontier.windows(2).map(|pair| (place(pair[0]), place(pair[1]))).collect();
    let placed = labels::place(&wants, &points, (&lines, dashes), HEIGHT);
    for (((point, at), name), stands) in order.iter().zip(&names).zip(placed) {
        // The name of one that fits nowhere is in its tooltip, and in the table below.
        let Some(Stands { anchor, dx, dy }) = stands else { continue };
        let class = if point.selected { "label always" } else { "label" };
        let (x, y) = (across.across(at.0), up.down(at.1, HEIGHT));
        let attributes: Attributes<'_> =
            &[("class", class), ("x", &x), ("dx", dx), ("y", &y), ("dy", dy), ("text-anchor", anchor)];
        m.element_with("text", attributes, name);
    }
}

/// The one knob that tells the points apart, where it is one.
fn only_knob(drawn: &[&Point]) -> Option<String> {
    let mut knobs = drawn.iter().map(|point| {
        let (knob, value) = point.name.split_once('=')?;
        (!value.contains('=')).then_some(knob)
    });
    let first = knobs.next()??;
    (drawn.len() > 1 && knobs.all(|knob| knob == Some(first))).then(|| text::shorten(first, 60).into_owned())
}

/// A name without the knob that all have.
fn short(point: &Point, knob: Option<&str>) -> String {
    let name = point.full_name();
    match knob.and_then(|_| name.split_once('=')) {
        Some((_, rest)) => rest.to_owned(),
        None => name,
    }
}

fn described(curve: &Curve, point: &Point) -> Option<String> {
    let (time, share) = spot(curve, point)?;
    let (x, y, time) = (curve.x.metric(), curve.y.metric(), milliseconds(time));
    Some(format!(
        "{}: {x} {time}, {y} {share:.4}{}",
        point.full_name(),
        marks(point, ", selected", ", on the frontier")
    ))
}

/// What sets a point apart, in these words.
fn marks(point: &Point, selected: &str, frontier: &str) -> String {
    let words = [(point.selected, selected), (point.on_frontier, frontier)];
    words.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word).collect()
}

/// A time for people.
fn milliseconds(time: f64) -> String {
    if time >= 10_000.0 { format!("{:.1} s", time / 1000.0) } else { format!("{time:.0} ms") }
}

fn listed(m: &mut Markup, curve: &Curve) {
    let columns: Vec<&Column> = report::listed(&curve.columns, Place::Page).collect();
    let numbers = columns.iter().map(|column| Number(&column.title));
    let heads: Vec<Head<'_>> = std::iter::once(Text("point")).chain(numbers).chain([Text("gates")]).collect();
    table_around(m, "Points of the curve", &heads, |m| {
        for point in curve.points.iter().take(200) {
            m.within(if point.selected { "tr.chosen" } else { "tr" }, |m| row(m, &columns, point));
        }
    });
    if curve.points.len() > 200 {
        let more = text::count((curve.points.len() - 200) as u64, "more point");
        m.note(&format!("{more}: the json report has them all."));
    }
}

fn row(m: &mut Markup, columns: &[&Column], point: &Point) {
    m.within("th[scope=row]", |m| {
        m.element("bdi", &text::shorten(&point.name, 80));
        let detail = point.detail.as_ref().map(|detail| format!(", {detail}")).unwrap_or_default();
        m.element("small", &format!("{detail}{}", marks(point, " · selected", " · frontier")));
    });
    for column in columns {
        let value = point.facts.get(&column.key);
        let words = match (column.kind, number(value)) {
            (Kind::Milliseconds, Some(time)) => milliseconds(time),
            _ => cell(column.kind, value),
        };
        m.element("td.number", &words);
    }
    match point.passes {
        true => m.element("td.pass", "✓ pass"),
        false => m.element("td.fail", &format!("✗ {}", point.stuck.join(", "))),
    }
}

/// How the times of each point are spread.
fn histograms(m: &mut Markup, curve: &Curve) {
    let drawn: Vec<&Point> =
        curve.points.iter().filter(|point| !point.histogram.is_empty()).take(24).collect();
    if drawn.is_empty() {
        return;
    }
    section(m, "How long requests took", |m| {
        m.within("ul.spread", |m| drawn.iter().for_each(|point| m.within("li", |m| histogram(m, point))));
        if curve.points.len() > drawn.len() {
            m.note("The first points are drawn; the json report has every histogram.");
        }
    });
}

fn histogram(m: &mut Markup, point: &Point) {
    const TALL: f64 = 56.0;
    let most = point.histogram.iter().map(|bin| bin.count).max().unwrap_or(1).max(1);
    let (across, up) = (Scale::new(0.0, point.histogram.len() as f64), Scale::new(0.0, most as f64));
    m.within("h3", |m| m.element("bdi", &text::shorten(&point.full_name(), 40)));
    let requests = text::count(point.histogram.iter().map(|bin| bin.count).sum(), "request");
    let label = format!("{}: {requests}", point.full_name());
    m.within_with("svg[role=img]", &[("aria-label", &label), ("width", "100%"), ("height", "56")], |m| {
        m.empty("line.axis[x1=0][x2=100%][y1=55.5][y2=55.5]");
        for (at, bin) in point.histogram.iter().enumerate() {
            let (x, width) = (across.across(at as f64 + 0.05), across.width(0.0, 0.9));
            let y = up.down(bin.count as f64, TALL);
            let height = super::scale::pixels(bin.count as f64 / most as f64 * TALL);
            m.within_with("rect", &[("x", &x), ("y", &y), ("width", &width), ("height", &height)], |m| {
                let to = bin.to.map_or_else(|| "and more".into(), |to| format!("to {}", milliseconds(to)));
                m.element("title", &format!("{} {to}: {}", milliseconds(bin.from), text::group(bin.count)));
            });
        }
    });
    let (first, last) = (point.histogram.first(), point.histogram.last());
    if let (Some(first), Some(last)) = (first, last) {
        m.within("p.ends", |m| {
            m.element("span", &milliseconds(first.from));
            m.element("span", &last.to.map_or_else(|| "more".into(), milliseconds));
        });
    }
}
