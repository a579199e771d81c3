//! How do figures change with a number, such as a cut-off? A line for each; dashed where it is the baseline's.

use super::markup::Markup;
use super::scale::Scale;
use super::{below, figure_of, rule, section};
use crate::report::{Lines, Series};

const HEIGHT: f64 = 200.0;

pub(super) fn lines(m: &mut Markup, title: &str, Lines { by, series }: &Lines) {
    if series.is_empty() {
        return;
    }
    let mut cuts: Vec<u32> = series.iter().flat_map(|line| line.points.iter().map(|(k, _)| *k)).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let place = |k: u32| cuts.iter().position(|cut| *cut == k).unwrap_or(0) as f64;
    let (across, up) = (Scale::new(0.0, cuts.len().saturating_sub(1) as f64), Scale::new(0.0, 1.0));
    section(m, title, |m| {
        let told: Vec<String> = series.iter().map(described).collect();
        figure_of(m, &told.join("; "), HEIGHT, |m| {
            for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
                rule(m, &up.down(tick, HEIGHT), &tick.to_string());
            }
            for k in &cuts {
                below(m, &across.across(place(*k)), HEIGHT, &format!("{by} = {k}"));
            }
            let spot = |(k, value): &(u32, f64)| (across.across(place(*k)), up.down(*value, HEIGHT));
            for (at, line) in series.iter().enumerate() {
                let class = format!("series s{}", at % 6);
                m.within_with("g", &[("class", &class)], |m| {
                    for (points, tag) in [(&line.baseline, "line.old"), (&line.points, "line.new")] {
                        for pair in points.windows(2) {
                            let ((x1, y1), (x2, y2)) = (spot(&pair[0]), spot(&pair[1]));
                            m.stroke(tag, [&x1, &x2, &y1, &y2]);
                        }
                    }
                    for point in &line.points {
                        let (x, y) = spot(point);
                        let title = format!("{}@{} {:.4}", line.name, point.0, point.1);
                        m.point("circle", [&x, &y, "3.5"], &title);
                    }
                });
            }
        });
        m.within("ul.key", |m| {
            for (at, line) in series.iter().enumerate() {
                m.within_with("li", &[("class", &format!("series s{}", at % 6))], |m| {
                    m.within("svg[aria-hidden=true][width=26][height=10]", |m| {
                        m.empty("line.new[x1=0][x2=26][y1=5][y2=5]");
                        m.empty("circle[cx=13][cy=5][r=3.5]");
                    });
                    m.text(&described(line));
                });
            }
            if series.iter().any(|line| !line.baseline.is_empty()) {
                m.element("li", "dashed: the baseline");
            }
        });
    });
}

fn described(line: &Series) -> String {
    let values: Vec<String> = line.points.iter().map(|(k, value)| format!("@{k} {value:.4}")).collect();
    format!("{} {}", line.name, values.join(", "))
}
