//! What type of content is a block: prose, code, a table, a figure, something else?
//!
//! Averages hide failures in code and tables: after a change of chunking these break first.

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
    /// Captions, formulas, and whatever has no type that is known.
    Other,
}

impl Kind {
    /// Every type, in the order of reports.
    pub const ALL: [Kind; 5] = [Kind::Prose, Kind::Code, Kind::Table, Kind::Figure, Kind::Other];

    /// Its name.
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

    /// The type that a word says.
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

    /// The type that an id's tag says.
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
