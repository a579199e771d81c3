//! Types of content: prose, code, tables, figures, and others.
//!
//! Averages hide failures in code and tables, which break first when chunking changes.

use super::section;
use crate::suites::terms::terms;

terms! {
    /// A type of content, in the order of reports.
    pub enum Kind {
        Prose: "prose", "Running text.";
        Code: "code", "Source code.";
        Table: "table", "A table.";
        Figure: "figure", "A figure.";
        Other: "other", "Captions, formulas, and anything of an unknown type.";
    }
}

impl Kind {
    /// The type that a word names.
    #[must_use]
    pub fn of_word(word: &str) -> Kind {
        if word == "paragraph" { Kind::Prose } else { Kind::named(word).unwrap_or(Kind::Other) }
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
            assert_eq!(Kind::of_word(kind.name()), kind);
        }
        assert_eq!(Kind::of_word("paragraph"), Kind::Prose);
        assert_eq!((Kind::of_word("caption"), Kind::of_word("formula")), (Kind::Other, Kind::Other));
        let tags = ["p", "c", "t", "f", "cap"].map(|tag| Kind::of_id(&format!("S.4.2.{tag}.Bk011a")));
        assert_eq!(tags, Kind::ALL);
        assert_eq!(Kind::of_id("A.3.1.bk012"), Kind::Other);
        assert_eq!(Kind::of_id("doc|s=3.2|p=014"), Kind::Other, "a page, not prose");
    }
}
