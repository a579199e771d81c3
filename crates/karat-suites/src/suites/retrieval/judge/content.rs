//! Types of content: prose, code, tables, figures, and others.
//!
//! Averages hide failures in code and tables, which break first when chunking changes.

use super::section;

/// A type of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Running text.
    Prose,
    /// Source code.
    Code,
    /// A table.
    Table,
    /// A figure.
    Figure,
    /// Captions, formulas, and anything of an unknown type.
    Other,
}

impl Kind {
    /// Every type, in the order of reports.
    pub const ALL: [Kind; 5] = [Kind::Prose, Kind::Code, Kind::Table, Kind::Figure, Kind::Other];

    /// The name of the type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Prose => "prose",
            Kind::Code => "code",
            Kind::Table => "table",
            Kind::Figure => "figure",
            Kind::Other => "other",
        }
    }

    /// The type that a word names.
    #[must_use]
    pub fn named(word: &str) -> Kind {
        match word {
            "prose" | "paragraph" => Kind::Prose,
            "code" => Kind::Code,
            "table" => Kind::Table,
            "figure" => Kind::Figure,
            _ => Kind::Other,
        }
    }

    /// The type that the tag of an id names.
    #[must_use]
    pub fn of_id(id: &str) -> Kind {
        match section::tag(id) {
            Some("p") => Kind::Prose,
            Some("c") => Kind::Code,
            Some("t") => Kind::Table,
            Some("f") => Kind::Figure,
            _ => Kind::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn words_and_tags() {
        for kind in Kind::ALL {
            assert_eq!(Kind::named(kind.name()), kind);
        }
        assert_eq!(Kind::named("paragraph"), Kind::Prose);
        assert_eq!((Kind::named("caption"), Kind::named("formula")), (Kind::Other, Kind::Other));
        let tags = ["p", "c", "t", "f", "cap"].map(|tag| Kind::of_id(&format!("S.4.2.{tag}.Bk011a")));
        assert_eq!(tags, Kind::ALL);
        assert_eq!(Kind::of_id("A.3.1.bk012"), Kind::Other);
        assert_eq!(Kind::of_id("doc|s=3.2|p=014"), Kind::Other, "a page, not prose");
    }
}
