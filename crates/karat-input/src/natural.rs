//! The order of file names: digits as numbers, and of a rotated log the oldest part first.

/// A part of a name: a number, or the text between two.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A run of digits, by its value; runs of one value by their length.
    Number(u128, usize),
    /// What is not a digit.
    Text(String),
}

/// The place of a name among others: `run-9` comes before `run-10`, and `log.2`, `log.1`, `log` in this order, because the
/// last part of a rotated log is the one without a number.
#[must_use]
pub fn order(name: &str) -> (Vec<Part>, std::cmp::Reverse<u128>, Vec<Part>) {
    let (stem, rotation, ending) = rotated(name);
    (parts(stem), std::cmp::Reverse(rotation), parts(ending))
}

/// A name without the number of its rotation, the number (0 where there is none), and what follows it: `.gz`.
fn rotated(name: &str) -> (&str, u128, &str) {
    let bare = [".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    let number = bare.rsplit_once('.').and_then(|(stem, number)| {
        let digits = !number.is_empty() && number.len() <= 9 && number.bytes().all(|b| b.is_ascii_digit());
        Some((stem, number.parse().ok().filter(|_| digits)?))
    });
    match number {
        Some((stem, number)) => (stem, number, &name[bare.len()..]),
        None => (bare, 0, &name[bare.len()..]),
    }
}

fn parts(name: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let digits = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        parts.push(match digits {
            true => Part::Number(part.parse().unwrap_or(u128::MAX), part.len()),
            false => Part::Text(part.to_owned()),
        });
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_as_people_count() {
        for line in [
            &["run-1.jsonl", "run-2.jsonl", "run-9.jsonl", "run-10.jsonl", "run-11.jsonl"][..],
            &["log.jsonl.10", "log.jsonl.2.gz", "log.jsonl.1", "log.jsonl"],
            &["a/2.jsonl", "a/10.jsonl", "b/1.jsonl"],
            &["2026-01-31.jsonl", "2026-02-01.jsonl", "2026-11-17.jsonl"],
            &["run1.jsonl", "run01.jsonl", "run.jsonl"],
        ] {
            let mut sorted = line.to_vec();
            sorted.reverse();
            sorted.sort_by_cached_key(|name| order(name));
            assert_eq!(sorted, line);
        }
    }
}
