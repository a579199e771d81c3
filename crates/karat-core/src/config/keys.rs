//! Which keys does karat.toml know? Declared once: reading, hints, the schema and the reference page come from here.

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A file, relative to karat.toml.
    File,
    /// A file or a pattern, or several.
    Files,
    /// A text.
    Text,
    /// A text, or several.
    Texts,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number from 1.
    Number,
    /// A whole number from 1, or several.
    Numbers,
    /// A whole number from 0.
    Count,
    /// A day: 2026-12-31, with or without quotes.
    Date,
    /// True or false.
    Flag,
    /// Names, each with its file.
    NamedFiles,
    /// Names, each with texts.
    NamedTexts,
}

impl Shape {
    /// What is expected, for messages.
    #[must_use]
    pub fn expected(self) -> String {
        match self {
            Shape::File => "a file name in quotes".into(),
            Shape::Files => "a file name, or a list of them: [\"runs/*.jsonl\"]".into(),
            Shape::Text => "a text in quotes".into(),
            Shape::Texts => "a text, or a list of texts".into(),
            Shape::Word(words) => format!("one of {}", words.join(", ")),
            Shape::Number => "a whole number, 1 or more".into(),
            Shape::Numbers => "a whole number from 1, or a list of them".into(),
            Shape::Count => "a whole number, 0 or more".into(),
            Shape::Date => "a day: 2026-12-31".into(),
            Shape::Flag => "true or false".into(),
            Shape::NamedFiles => "a table of names and files: { human = \"labels.jsonl\" }".into(),
            Shape::NamedTexts => "a table of names and lists: { seeds = [0, 1] }".into(),
        }
    }
}

/// A key, declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The name.
    pub name: &'static str,
    /// What its value looks like.
    pub shape: Shape,
    /// What it says, in one sentence.
    pub meaning: &'static str,
    /// It must be given.
    pub required: bool,
}

impl Key {
    /// A key that may be left out.
    #[must_use]
    pub const fn new(name: &'static str, shape: Shape, meaning: &'static str) -> Self {
        Key { name, shape, meaning, required: false }
    }

    /// A key that must be there.
    #[must_use]
    pub const fn required(name: &'static str, shape: Shape, meaning: &'static str) -> Self {
        Key { name, shape, meaning, required: true }
    }
}

/// The tables of the file, beside `[suites.NAME]` and `[[waivers]]`.
pub const GOLD: &[Key] = &[
    Key::new("path", Shape::File, "the gold set of every suite that names none of its own"),
    Key::new(
        "lock",
        Shape::File,
        "the lock that `karat gold freeze` writes: a change of gold or gates is no-ship",
    ),
];

/// `[report]`.
pub const REPORT: &[Key] = &[
    Key::new("out", Shape::Files, "files that `karat check` writes; the ending picks the format"),
    Key::new("history", Shape::File, "an SQLite file that keeps every check's figures, for `karat trend`"),
];

/// `[[waivers]]`.
pub const WAIVER: &[Key] = &[
    Key::required("gate", Shape::Text, "the gate as it is written: precision>=0.80"),
    Key::new(
        "suite",
        Shape::Text,
        "the suite that it is waived for; without it, every one that has the gate",
    ),
    Key::required(
        "gold",
        Shape::Text,
        "the hash of the gold set that it is waived for, as `karat gold freeze` prints it",
    ),
    Key::required("reason", Shape::Text, "why it may fail for now"),
    Key::required("owner", Shape::Text, "who answers for it"),
    Key::required("expires", Shape::Date, "the last day that it holds"),
];

/// What every suite has.
pub const SUITE: &[Key] = &[
    Key::required("kind", Shape::Text, "which suite it is"),
    Key::new("gates", Shape::Texts, "gates instead of the preset's"),
    Key::new("preset", Shape::Text, "a named set of gates"),
    Key::new("slices", Shape::Texts, "gold fields to report by"),
    Key::new("lenient", Shape::Flag, "skip and count malformed lines of the traces"),
];

/// The tables at the top.
pub const TABLES: &[&str] = &["gold", "suites", "report", "waivers"];
