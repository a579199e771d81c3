//! Who takes a field of a trace, or of a gold row?

use crate::dialects::{Dialect, Field};
use crate::suites::answers::input::{BY_FIELD, TakeTrace};

/// Who takes a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldOwner {
    Id,
    OtherId,
    Question,
    OtherQuestion,
    Ok,
    Reason,
    /// A dialect takes the field: their numbers.
    Dialect(u8, u8),
    Nobody,
}

impl FieldOwner {
    pub(super) fn of(key: &str) -> Self {
        match key {
            "qid" => FieldOwner::Id,
            "q_id" => FieldOwner::OtherId,
            "q" => FieldOwner::Question,
            "question" => FieldOwner::OtherQuestion,
            "ok" => FieldOwner::Ok,
            "reason" => FieldOwner::Reason,
            _ => declares(key, |dialect| dialect.trace)
                .map_or(FieldOwner::Nobody, |(dialect, field)| FieldOwner::Dialect(dialect, field)),
        }
    }

    /// How a dialect takes a field, and the name it knows it by.
    #[inline(always)]
    pub(super) fn dialect(dialect: u8, field: u8) -> Option<(TakeTrace, &'static str)> {
        let (dialect, by_field) = BY_FIELD.get(usize::from(dialect))?;
        Some((by_field.trace, dialect.trace.get(usize::from(field))?.name))
    }
}

/// Who takes a field of a gold row.
#[derive(Clone, Copy, Debug)]
pub(super) enum GoldOwner {
    Id,
    Question,
    Answerable,
    Paraphrases,
    /// A dialect, by its number.
    Dialect(u8),
    Nobody,
}

impl GoldOwner {
    pub(super) fn of(key: &str) -> Self {
        match key {
            "qid" => GoldOwner::Id,
            "question" | "q" => GoldOwner::Question,
            "answerable" => GoldOwner::Answerable,
            "paraphrases" => GoldOwner::Paraphrases,
            _ => declares(key, |dialect| dialect.gold)
                .map_or(GoldOwner::Nobody, |(dialect, _)| GoldOwner::Dialect(dialect)),
        }
    }
}

/// The first dialect that declares a field, and the field: their numbers.
fn declares(key: &str, fields: fn(&Dialect) -> &'static [Field]) -> Option<(u8, u8)> {
    (0..)
        .zip(BY_FIELD)
        .map(|(number, (dialect, _))| (number, fields(dialect)))
        .find_map(|(dialect, fields)| Some((dialect, (0..).zip(fields).find(|(_, f)| f.name == key)?.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_one_taker() {
        let envelope = |name: &str| crate::dialects::TRACE_ENVELOPE.iter().any(|field| field.name == name);
        let mut names: Vec<&str> = BY_FIELD
            .iter()
            .flat_map(|(dialect, _)| dialect.trace)
            .map(|field| field.name)
            .filter(|name| !envelope(name))
            .collect();
        assert!(names.contains(&"retrieved_ids") && names.contains(&"chunks"));
        let taken = |name| match FieldOwner::of(name) {
            FieldOwner::Dialect(dialect, field) => FieldOwner::dialect(dialect, field).map(|(_, name)| name),
            _ => None,
        };
        assert!(names.iter().all(|name| taken(name) == Some(name)));
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn what_a_dialect_reads_of_gold_is_declared_by_it_alone() {
        for (name, dialect) in [("gold_claim_substr", 0), ("match", 0), ("gold_ids", 1), ("gold_claim", 1)] {
            assert!(matches!(GoldOwner::of(name), GoldOwner::Dialect(number) if number == dialect), "{name}");
        }
        assert!(matches!(GoldOwner::of("area"), GoldOwner::Nobody));
    }
}
