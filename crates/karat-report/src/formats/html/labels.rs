//! Where can the name of a point stand in a drawing, so that it covers no point, no line and no other name?
//!
//! A drawing is as wide as its place, so names are placed as if it had a usual width; on a phone only the most important stay.

/// The width that a drawing usually has, in pixels.
const WIDTH: f64 = 500.0;
/// About what a letter takes, and a line of letters.
const LETTER: f64 = 6.4;
const LINE: f64 = 13.0;
/// A point and the air around it.
const AIR: f64 = 8.0;

/// A point that wants a name: its place from the left, from 0 to 1, and from the top in pixels.
pub(super) struct Wants<'a> {
    pub(super) across: f64,
    pub(super) down: f64,
    pub(super) name: &'a str,
}

/// Where a name stands: how it is anchored, and how far from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stands {
    pub(super) anchor: &'static str,
    pub(super) dx: &'static str,
    pub(super) dy: &'static str,
}

/// A box: left, top, right, bottom.
type Area = [f64; 4];

/// A line from one place to another, as `Wants` has them.
pub(super) type Line = ((f64, f64), (f64, f64));

/// A line as many small places on it.
fn along(((x1, y1), (x2, y2)): &Line) -> impl Iterator<Item = Area> + use<> {
    const PARTS: u32 = 60;
    let (from, by) = ((*x1, *y1), (x2 - x1, y2 - y1));
    (0..=PARTS).map(move |part| {
        let share = f64::from(part) / f64::from(PARTS);
        let (x, y) = ((from.0 + by.0 * share) * WIDTH, from.1 + by.1 * share);
        [x - 2.0, y - 2.0, x + 2.0, y + 2.0]
    })
}

/// Places names, the most important first; `None` for one that fits nowhere.
/// Over those of `light` it may lie where there is no better place.
pub(super) fn place(
    wants: &[Wants<'_>],
    points: &[(f64, f64)],
    (lines, light): (&[Line], &[Line]),
    height: f64,
) -> Vec<Option<Stands>> {
    let around = |(across, down): (f64, f64)| {
        let x = across * WIDTH;
        [x - AIR, down - AIR, x + AIR, down + AIR]
    };
    let mut taken: Vec<Area> = points.iter().map(|point| around(*point)).collect();
    taken.extend(lines.iter().flat_map(along));
    let light: Vec<Area> = light.iter().flat_map(along).collect();
    let mut placed = Vec::new();
    for want in wants {
        let (x, y, long) = (want.across * WIDTH, want.down, want.name.chars().count() as f64 * LETTER);
        let right = |top: f64, side: f64| [x + side, top, x + side + long, top + LINE];
        let left = |top: f64, side: f64| [x - side - long, top, x - side, top + LINE];
        let middle = |top: f64| [x - long / 2.0, top, x + long / 2.0, top + LINE];
        let stands = |anchor, dx, dy| Stands { anchor, dx, dy };
        // The base of letters stands 10 pixels under the top of their line.
        let places = [
            (right(y - 6.0, 12.0), stands("start", "12", "4")),
            (left(y - 6.0, 12.0), stands("end", "-12", "4")),
            (middle(y - 24.0), stands("middle", "0", "-14")),
            (middle(y + 11.0), stands("middle", "0", "21")),
            (right(y + 6.0, 8.0), stands("start", "8", "16")),
            (left(y - 20.0, 8.0), stands("end", "-8", "-10")),
            (right(y - 20.0, 8.0), stands("start", "8", "-10")),
            (left(y + 6.0, 8.0), stands("end", "-8", "16")),
        ];
        let off = |area: &Area, others: &[Area]| {
            let [l, t, r, b] = *area;
            !others.iter().any(|o| l < o[2] && o[0] < r && t < o[3] && o[1] < b)
        };
        let free = |area: &Area| {
            let [l, t, r, b] = *area;
            l >= 0.0 && r <= WIDTH && t >= -2.0 * LINE && b <= height && off(area, &taken)
        };
        let best = places.iter().find(|(area, _)| free(area) && off(area, &light));
        let found = best.or_else(|| places.iter().find(|(area, _)| free(area))).copied();
        taken.extend(found.map(|(area, _)| area));
        placed.push(found.map(|(_, stands)| stands));
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wants<'a>(places: &[(f64, f64)], name: &'a str) -> Vec<Wants<'a>> {
        places.iter().map(|&(across, down)| Wants { across, down, name }).collect()
    }

    #[test]
    fn a_name_stands_where_nothing_is() {
        let alone = [(0.5, 100.0)];
        let right = place(&wants(&alone, "k=1"), &alone, (&[], &[]), 200.0);
        assert_eq!(right, [Some(Stands { anchor: "start", dx: "12", dy: "4" })]);
        // At the right edge it stands at the left, and where a line comes from there, above.
        let edge = [(1.0, 100.0)];
        let left = place(&wants(&edge, "k=1"), &edge, (&[], &[]), 200.0);
        assert_eq!(left[0].map(|at| at.anchor), Some("end"));
        let line = [((0.0, 100.0), (0.5, 100.0))];
        let crossed = place(&wants(&[(0.25, 100.0)], "k=1"), &[(0.25, 100.0)], (&line, &[]), 200.0);
        assert_eq!(crossed[0].map(|at| at.anchor), Some("middle"));
        // A light line is crossed rather than nothing said.
        let lights = [((0.6, 0.0), (0.6, 200.0)), ((0.4, 0.0), (0.4, 200.0))];
        let over = place(&wants(&alone, "a name that is long"), &alone, (&[], &lights), 200.0);
        assert_eq!(over[0].map(|at| at.anchor), Some("start"));
    }

    #[test]
    fn no_two_names_lie_on_each_other_and_what_does_not_fit_is_left_out() {
        let close: Vec<(f64, f64)> = (0..12).map(|i| (0.5 + f64::from(i) * 0.002, 100.0)).collect();
        let placed = place(&wants(&close, "rerank_depth=20, 1 rps"), &close, (&[], &[]), 200.0);
        assert!(placed[0].is_some());
        assert!(placed.iter().flatten().count() < 8);
    }
}
