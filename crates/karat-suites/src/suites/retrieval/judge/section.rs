//! Sections: where a block lies in the title tree, and how far that is from another section.
//!
//! Ids give the section in two grammars: dotted, `S.4.2.p.Bk011a` (a section, perhaps a type tag, the block's own key), and with
//! pipes, `doc|r=8c1e9a02|s=3.2|p=014|b=006`. A `|` decides which one it is: `p` is prose in the first and a page in the
//! second. An id of neither kind has no known section.

/// A path in the title tree: `S.4.2`. Components of digits compare as numbers, so `S.04` equals `S.4`.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a>(&'a str);

impl<'a> Section<'a> {
    /// The section with this name; `None` if the name is empty.
    #[must_use]
    pub fn named(path: &'a str) -> Option<Self> {
        (!path.trim().is_empty()).then_some(Section(path))
    }

    /// The section that an id names.
    #[must_use]
    pub fn of_id(id: &'a str) -> Option<Self> {
        if id.contains('|') {
            return id.split('|').skip(1).find_map(|part| part.strip_prefix("s=")).and_then(Section::named);
        }
        dotted(id).map(|(section, _)| section)
    }

    /// The number of edges between two sections, through their lowest common ancestor.
    #[must_use]
    pub fn distance(self, other: Section<'_>) -> u32 {
        let shared = self.components().zip(other.components()).take_while(|(a, b)| a == b).count();
        let below = |section: Section<'_>| section.components().count() - shared;
        u32::try_from(below(self) + below(other)).unwrap_or(u32::MAX)
    }

    /// The canonical spelling, which equal sections share.
    #[must_use]
    pub fn spelling(self) -> String {
        self.components().collect::<Vec<_>>().join(".")
    }

    fn components(self) -> impl Iterator<Item = &'a str> {
        self.0.split('.').map(|component| match component.trim_start_matches('0') {
            "" if component.is_empty() => component,
            "" => "0",
            number if component.bytes().all(|b| b.is_ascii_digit()) => number,
            _ => component,
        })
    }
}

impl PartialEq for Section<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.components().eq(other.components())
    }
}
impl Eq for Section<'_> {}

/// The type tag of a dotted id: `p`, `c`, `t`, `f` or `cap`.
#[must_use]
pub fn tag(id: &str) -> Option<&str> {
    if id.contains('|') { None } else { dotted(id)?.1 }
}

/// A dotted id's section and type tag: one capital letter and any components, optionally a tag, `Bk` and digits, and optionally
/// the letter of a part.
fn dotted(id: &str) -> Option<(Section<'_>, Option<&str>)> {
    let (path, key) = id.rsplit_once('.')?;
    let number = key.strip_prefix("Bk").or_else(|| key.strip_prefix("bk"))?;
    let digits = number.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(number);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (path, tag) = match path.rsplit_once('.') {
        Some((path, tag @ ("p" | "c" | "t" | "f" | "cap"))) => (path, Some(tag)),
        _ => (path, None),
    };
    let mut components = path.split('.');
    let document = components.next()?.as_bytes();
    let sound =
        |component: &str| !component.is_empty() && component.bytes().all(|b| b.is_ascii_alphanumeric());
    let whole = matches!(document, [b'A'..=b'Z']) && components.all(sound);
    whole.then_some((Section(path), tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(id: &str, section: Option<&str>, of_type: Option<&str>) {
        assert_eq!(Section::of_id(id).map(|section| section.0), section, "{id}");
        assert_eq!(tag(id), of_type, "{id}");
    }

    #[test]
    fn sections_of_ids() {
        check("S.4.2.p.Bk011a", Some("S.4.2"), Some("p"));
        check("S.4.1.cap.Bk010", Some("S.4.1"), Some("cap"));
        check("A.3.1.bk012", Some("A.3.1"), None);
        check("B.2.bk045", Some("B.2"), None);
        check("S.Bk1", Some("S"), None);
        check("S.p.Bk1", Some("S"), Some("p"));
        check("doc|r=8c1e9a02|s=3.2|p=014|b=006", Some("3.2"), None);
        check("S.4.2.p.Bk011a|s=p005", Some("p005"), None);
        let unknown = "docA#s03#p002,c_00123,,.,S.4.2,S.4.2.p.Bk,S.4.2.p.Bk01A,S.4.2.p.Bk01ab,S.4.2.p.BK01,s.4.2.p.Bk011,\
                       SS.4.Bk011,S..Bk011,.Bk011,Bk011,p.Bk011,S.é.Bk1,doc|r=1|p=2,doc|s=,doc|r=1|s= |b=1,|,s=3|r=1";
        for unknown in unknown.split(',') {
            check(unknown, None, None);
        }
    }

    #[test]
    fn distances_in_the_title_tree() {
        let section = |path| Section::named(path).unwrap();
        let distance = |a, b| (section(a).distance(section(b)), section(b).distance(section(a)));
        assert_eq!(distance("S.4.2", "S.4.2"), (0, 0));
        assert_eq!(distance("S.4.2", "S.4"), (1, 1));
        assert_eq!(distance("S.4.2", "S.4.1"), (2, 2));
        assert_eq!(distance("S.4.2", "S.5"), (3, 3));
        assert_eq!(distance("S.4.2", "A.4.2"), (6, 6));
        assert_eq!(distance("S.4.2", "4.2"), (5, 5), "the pipe grammar has no letter");
    }

    #[test]
    fn components_compare_as_numbers() {
        let same = |a, b| Section::named(a) == Section::named(b);
        assert!(same("S.04", "S.4") && same("S.4.000", "S.4.0") && same("007", "7"));
        assert!(!same("S.4", "S.4.0") && !same("S.4a", "S.04a") && !same("S.4", "s.4") && !same("S.", "S.0"));
        assert_eq!(Section::named("S.04.0x.00").unwrap().spelling(), "S.4.0x.0");
        assert!(Section::named(" ").is_none());
    }
}
