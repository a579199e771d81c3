//! What may be set, and how it is written: the one declaration behind flags, keys of karat.toml, help, docs and schema.

use super::Entries;
use crate::text;

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One file.
    File,
    /// Files or patterns.
    Files,
    /// A text.
    Text,
    /// One or more texts.
    Texts,
    /// One of these words, each with its meaning.
    Word(&'static [(&'static str, &'static str)]),
    /// A whole number between these two.
    Number(u64, u64),
    /// One or more whole numbers between these two.
    Numbers(u64, u64),
    /// A day: 2026-12-31.
    Date,
    /// True or false.
    Flag,
    /// Names, each with its file.
    NamedFiles,
    /// Names, each with a list of values.
    NamedTexts,
}

/// The largest cut-off that anybody may ask for.
pub const LARGEST_CUT: u64 = 1_000_000;

impl Shape {
    /// Whether the value names files to read.
    #[must_use]
    pub fn is_input(self) -> bool {
        matches!(self, Shape::File | Shape::Files | Shape::NamedFiles)
    }

    /// What karat.toml takes, for messages and docs.
    #[must_use]
    pub fn expected(self) -> String {
        match self {
            Shape::File => "a file name in quotes".into(),
            Shape::Files => "a file name, or a list of them: [\"runs/*.jsonl\"]".into(),
            Shape::Text => "a text in quotes".into(),
            Shape::Texts => "a text, or a list of texts".into(),
            Shape::Word(words) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                format!("one of {}", words.join(", "))
            }
            Shape::Number(least, most) => format!("a whole number{}", range(least, most)),
            Shape::Numbers(least, most) => format!("a whole number{}, or a list of them", range(least, most)),
            Shape::Date => "a day: 2026-12-31".into(),
            Shape::Flag => "true or false".into(),
            Shape::NamedFiles => "a table of names and files: { human = \"labels.jsonl\" }".into(),
            Shape::NamedTexts => "a table of names and lists: { seeds = [0, 1] }".into(),
        }
    }
}

fn range(least: u64, most: u64) -> String {
    if most == u64::MAX {
        format!(" from {least}")
    } else {
        format!(" from {least} to {}", text::group(most))
    }
}

/// One thing that may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The name in karat.toml, in a report's request and as a keyword.
    pub name: &'static str,
    /// The name on the command line, without its dashes.
    pub flag: &'static str,
    /// What stands for the value in help.
    pub value_name: &'static str,
    /// What the value looks like.
    pub shape: Shape,
    /// What it says, in one sentence.
    pub meaning: &'static str,
    /// The value where none is given, as it would be typed; empty where there is none.
    pub default: &'static str,
    /// It must be given.
    pub required: bool,
    /// One flag takes several values: `--trace a.jsonl b.jsonl`.
    pub several: bool,
    /// It shows more to whoever runs the command, changes no figure, and is not a key of karat.toml.
    pub typed_only: bool,
    /// Another spelling: a flag without a value that stands for this value of the key.
    pub shorthand: Option<(&'static str, &'static str)>,
    /// When it has an effect. Where it has none it is refused: nobody sets a thing that is to be ignored.
    pub applies: Applies,
}

/// When a key has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// Always.
    Always,
    /// If this key is given too.
    With(&'static str),
    /// Unless this key has this value.
    Unless(&'static str, &'static str),
    /// If this layout of the suite is printed.
    Layout(&'static str),
}

impl Key {
    /// A key whose flag has the same name.
    #[must_use]
    pub const fn new(name: &'static str, shape: Shape, meaning: &'static str) -> Self {
        Key {
            name,
            flag: name,
            value_name: match shape {
                Shape::File | Shape::Files => "FILE",
                Shape::NamedFiles => "NAME=FILE",
                Shape::NamedTexts => "AXIS=LIST",
                Shape::Number(..) | Shape::Numbers(..) => "N",
                Shape::Word(_) => "HOW",
                _ => "TEXT",
            },
            shape,
            meaning,
            default: "",
            required: false,
            several: matches!(shape, Shape::Files | Shape::NamedFiles | Shape::NamedTexts),
            typed_only: false,
            shorthand: None,
            applies: Applies::Always,
        }
    }

    /// A key that must be there.
    #[must_use]
    pub const fn required(name: &'static str, shape: Shape, meaning: &'static str) -> Self {
        Key { required: true, ..Key::new(name, shape, meaning) }
    }

    /// Gives the key another name on the command line.
    #[must_use]
    pub const fn flag(self, flag: &'static str) -> Self {
        Key { flag, ..self }
    }

    /// Gives its value another word in help.
    #[must_use]
    pub const fn value(self, value_name: &'static str) -> Self {
        Key { value_name, ..self }
    }

    /// Gives it a value where none is given.
    #[must_use]
    pub const fn or(self, default: &'static str) -> Self {
        Key { default, ..self }
    }

    /// Lets its flag take several values.
    #[must_use]
    pub const fn several(self) -> Self {
        Key { several: true, ..self }
    }

    /// Leaves the key out of karat.toml and of a report's request.
    #[must_use]
    pub const fn typed_only(self) -> Self {
        Key { typed_only: true, ..self }
    }

    /// Adds a flag that means one of its values.
    #[must_use]
    pub const fn shorthand(self, flag: &'static str, value: &'static str) -> Self {
        Key { shorthand: Some((flag, value)), ..self }
    }

    /// The same key, which has an effect only now and then.
    #[must_use]
    pub const fn applies(self, applies: Applies) -> Self {
        Key { applies, ..self }
    }

    /// The number that was given for the key, or its default.
    #[must_use]
    pub fn number(&self, given: &Entries) -> u64 {
        given.number(self.name).unwrap_or_else(|| self.default.parse().unwrap_or(0))
    }

    /// The flag as it is typed: `--scu-rules`.
    #[must_use]
    pub fn typed(&self) -> String {
        format!("--{}", self.flag.replace('_', "-"))
    }

    /// Whether karat.toml calls it so: by its name, or by the flag's.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.flag == name
    }
}

/// `[gold]`.
pub const GOLD: &[Key] = &[
    Key::new("path", Shape::File, "the gold set of every suite that names none of its own"),
    Key::new(
        "lock",
        Shape::File,
        "the lock that `karat gold freeze` writes: a change of gold or gates is no-ship",
    ),
    MAX_WAIVER_DAYS,
];

/// How long a waiver may hold.
pub const MAX_WAIVER_DAYS: Key = Key::new(
    "max_waiver_days",
    Shape::Number(1, 36_500),
    "how many days a waiver may hold, counted from the day of the check; one that ends later waives nothing",
)
.or("90");

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

/// What every suite of karat.toml has beside its own keys.
pub const KIND: Key = Key::required("kind", Shape::Text, "which suite it is");

/// What every suite takes, from whichever door.
pub const COMMON: &[Key] = &[
    Key::new(
        "gates",
        Shape::Texts,
        "Gates instead of the preset's: 'METRIC>=0.80, METRIC<=0.05, METRIC>=0.75@95, METRIC[field=*]>=0.75'; `karat explain` lists the metrics",
    )
    .value("EXPR")
    .several(),
    Key::new(
        "preset",
        Shape::Text,
        "A named set of gates [default: the suite's own; `karat explain` lists them]",
    )
    .value("NAME"),
    Key::new(
        "slices",
        Shape::Texts,
        "Report the figures for each value of this gold field too (repeatable)",
    )
    .flag("slice")
    .value("FIELD"),
    Key::new(
        "lenient",
        Shape::Flag,
        "Skip and count malformed lines of the traces instead of refusing them",
    ),
];

/// The tables at the top of karat.toml.
pub const TABLES: &[&str] = &["gold", "suites", "report", "waivers"];
