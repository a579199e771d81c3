//! The laws of a lock: writing the same content in another way changes nothing, any change of content changes exactly the
//! row it is in.
#![allow(clippy::expect_used, clippy::panic)]

use karat_engine::input::Source;
use karat_suites::lock::{Gates, Lock, Signature, State, freeze};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};

/// Texts with characters that have two Unicode forms.
fn texts() -> impl Strategy<Value = String> {
    let parts = select(vec!["a", "é", "ü", "가", "\n", "\"", "\\", "😀", " ", "Å", "x"]);
    prop::collection::vec(parts, 0..5).prop_map(|parts| parts.concat())
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        texts().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(texts(), inner, 0..3)
                .prop_map(|map| Value::from(map.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn gold() -> impl Strategy<Value = Vec<Map<String, Value>>> {
    let row = prop::collection::btree_map("[a-d]é?", values(), 0..4);
    prop::collection::vec(row, 1..6).prop_map(|rows| {
        let named = |(i, row): (usize, std::collections::BTreeMap<String, Value>)| {
            let mut map: Map<String, Value> = row.into_iter().collect();
            map.insert("qid".into(), json!(format!("Q{i}")));
            map
        };
        rows.into_iter().enumerate().map(named).collect()
    })
}

/// How a gold set may be written.
#[derive(Clone, Debug)]
struct Writing {
    reversed_keys: bool,
    reversed_rows: bool,
    decomposed: bool,
    escaped: bool,
    array: bool,
    bom: bool,
    end: &'static str,
    gap: &'static str,
}

fn writings() -> impl Strategy<Value = Writing> {
    (any::<[bool; 6]>(), select(vec!["\n", "\r\n", "\n \r\n"]), select(vec!["", " ", "\t "])).prop_map(
        |([reversed_keys, reversed_rows, decomposed, escaped, array, bom], end, gap)| Writing {
            reversed_keys,
            reversed_rows,
            decomposed,
            escaped,
            array,
            bom: bom && !array,
            end,
            gap,
        },
    )
}

impl Writing {
    fn file(&self, gold: &[Map<String, Value>]) -> String {
        let mut lines: Vec<String> = gold
            .iter()
            .map(|row| {
                let mut out = String::new();
                self.value(&Value::from(row.clone()), &mut out);
                out
            })
            .collect();
        if self.reversed_rows {
            lines.reverse();
        }
        if self.array {
            return format!("[{}{}]", self.end, lines.join(&format!(",{}", self.end)));
        }
        format!("{}{}", if self.bom { "\u{feff}" } else { "" }, lines.join(self.end))
    }

    fn value(&self, value: &Value, out: &mut String) {
        match value {
            Value::Object(map) => {
                let mut fields: Vec<_> = map.iter().collect();
                if self.reversed_keys {
                    fields.reverse();
                }
                out.push('{');
                for (i, (key, inner)) in fields.into_iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    out.push_str(self.gap);
                    self.string(key, out);
                    out.push_str(self.gap);
                    out.push(':');
                    self.value(inner, out);
                }
                out.push('}');
            }
            Value::Array(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    out.push_str(self.gap);
                    self.value(item, out);
                }
                out.push(']');
            }
            Value::String(text) => self.string(text, out),
            Value::Number(number) if self.escaped => out.push_str(&format!("{number}.0e0")),
            other => out.push_str(&other.to_string()),
        }
    }

    fn string(&self, text: &str, out: &mut String) {
        let text = if self.decomposed {
            text.replace('é', "e\u{301}")
                .replace('ü', "u\u{308}")
                .replace('가', "\u{1100}\u{1161}")
                .replace('Å', "\u{212b}")
        } else {
            text.to_owned()
        };
        if self.escaped {
            out.push('"');
            text.encode_utf16().for_each(|unit| out.push_str(&format!("\\u{unit:04X}")));
            out.push('"');
        } else {
            out.push_str(&Value::from(text).to_string());
        }
    }
}

const PLAIN: Writing = Writing {
    reversed_keys: false,
    reversed_rows: false,
    decomposed: false,
    escaped: false,
    array: false,
    bom: false,
    end: "\n",
    gap: "",
};

fn lock(text: String) -> Lock {
    let files = [("gold.jsonl".to_owned(), Source::bytes("gold.jsonl", text.into_bytes()))];
    freeze(&files, None, &[]).expect("gold that can be frozen")
}

proptest! {
    #[test]
    fn the_same_content_has_the_same_lock(gold in gold(), writing in writings()) {
        // Another Unicode form looks the same and matches other answers: it cannot be locked.
        let text = writing.file(&gold);
        let composed = Writing { decomposed: false, ..writing.clone() }.file(&gold);
        if text != composed {
            let files = [("gold.jsonl".to_owned(), Source::bytes("gold.jsonl", text.into_bytes()))];
            let refused = freeze(&files, None, &[]).expect_err("another form");
            prop_assert_eq!(refused.problems[0].kind.slug, "lock/not-nfc");
            return Ok(());
        }
        let (plain, other) = (lock(PLAIN.file(&gold)), lock(text));
        prop_assert_eq!(plain.text(), other.text());
        prop_assert!(plain.compare(&other).is_empty());
    }

    #[test]
    fn a_changed_value_changes_its_row_alone(gold in gold(), row in any::<Index>(), at in any::<Index>(), new in values()) {
        let row = row.index(gold.len());
        let keys: Vec<String> = gold[row].keys().filter(|key| *key != "qid").cloned().chain(["new".into()]).collect();
        let key = &keys[at.index(keys.len())];
        let mut changed = gold.clone();
        let old = changed[row].insert(key.clone(), new.clone());
        let changes = lock(PLAIN.file(&gold)).compare(&lock(PLAIN.file(&changed)));
        let expected = if old == Some(new) { vec![] } else { vec![format!("Q{row}")] };
        prop_assert_eq!(&changes.files[0].changed, &expected);
        prop_assert!(changes.files[0].added.is_empty() && changes.files[0].removed.is_empty());
        prop_assert_eq!(changes.is_empty(), expected.is_empty());
    }

    #[test]
    fn rows_that_come_and_go_are_named(gold in gold(), cut in any::<Index>()) {
        let cut = cut.index(gold.len());
        prop_assume!(cut > 0);
        let (all, some) = (lock(PLAIN.file(&gold)), lock(PLAIN.file(&gold[..cut])));
        let gone: Vec<String> = (cut..gold.len()).map(|i| format!("Q{i}")).collect();
        prop_assert_eq!(&all.compare(&some).files[0].removed, &gone);
        prop_assert_eq!(&some.compare(&all).files[0].added, &gone);
    }

    #[test]
    fn a_lock_is_read_as_it_was_written(gold in gold(), gates in "[a-z>=0-9.\n]{0,20}", name in "[A-Za-z :]{1,9}") {
        let files = [("a.jsonl".to_owned(), Source::bytes("a", PLAIN.file(&gold).into_bytes()))];
        let signed: Vec<Signature> = Signature::parse(&format!("{name}:lead")).into_iter().collect();
        let lock = freeze(&files, Some(&gates), &signed).expect("gold");
        let read = Lock::load(&Source::bytes("gold.lock", lock.text().into_bytes())).expect("a lock");
        prop_assert_eq!(&read, &lock);
        prop_assert_eq!(read.text(), lock.text());
    }
}

fn one(path: &str, text: &str) -> (String, Source) {
    (path.to_owned(), Source::bytes(path, text.as_bytes().to_vec()))
}

#[test]
fn files_and_gates_come_and_go() {
    let (a, b) = (one("a.jsonl", "{\"qid\":1}"), one("b.jsonl", "{\"case_id\":\"x\"}"));
    let then = freeze(std::slice::from_ref(&a), Some("answers: precision>=0.80\nanswers: chr>=0.75"), &[])
        .expect("a lock");
    let now = freeze(&[b, a], Some("answers: precision>=0.70\n\nanswers: chr>=0.75\n"), &[]).expect("a lock");
    let changes = then.compare(&now);
    assert_eq!(
        changes.files.iter().map(|f| (f.path.as_str(), f.state)).collect::<Vec<_>>(),
        [("a.jsonl", State::Kept), ("b.jsonl", State::Added)]
    );
    assert_eq!(changes.totals(), [1, 0, 0]);
    assert!(changes.gates_changed);
    assert_eq!(changes.gates_removed, ["answers: precision>=0.80"]);
    assert_eq!(changes.gates_added, ["answers: precision>=0.70"]);
    assert_eq!(now.compare(&then).files[1].state, State::Removed);
    // The same content with no gates is not the same.
    let none = Lock { gates: None, ..then.clone() };
    assert!(!then.compare(&none).is_empty() && then.compare(&none).gates_changed);
    assert_eq!(Gates::of(" a \r\n\n b"), Gates::of("a\nb\n"), "line ends are no gates");
    assert_ne!(Gates::of("a\nb").sha256, Gates::of("ab").sha256);
}

#[test]
fn a_lock_that_contradicts_itself_is_refused() {
    let text =
        freeze(&[one("a.jsonl", "{\"qid\":1}\n{\"qid\":2}")], Some("g>=1"), &[]).expect("a lock").text();
    let refused = |text: String| {
        let failure = Lock::load(&Source::bytes("gold.lock", text.into_bytes())).expect_err("no lock");
        failure.problems[0].message.clone()
    };
    for (from, to, said) in [
        ("karat.lock/1", "karat.lock/9", "its schema is `karat.lock/9`"),
        ("\"rows\": 2", "\"rows\": 3", "is said to have 3 rows, and 2 are listed"),
        ("\"g>=1\"", "\"g>=0\"", "the hash of its gates is not that of the lines"),
        ("\"2\": \"", "\"1\": \"", "is said to have 2 rows, and 1 are listed"),
        ("\"1\": \"", "\"1\": \"X", "the hash of \"1\" is no SHA-256"),
        ("\"rows\"", "\"rosw\"", "this is no lock: unknown field `rosw`"),
        ("{", "<<<<<<< HEAD\n{", "this is no lock: expected value"),
        ("karat", "[[[[[", "its schema is"),
    ] {
        assert_ne!(text.replacen(from, to, 1), text);
        let message = refused(text.replacen(from, to, 1));
        assert!(message.contains(said), "{message}");
    }
    assert!(refused("[".repeat(1_000_000)).contains("this is no lock"));
    // A hash of the whole that was replaced by hand is told by the comparison.
    let lock = Lock::load(&Source::bytes("l", text.into_bytes())).expect("a lock");
    let mut edited = lock.clone();
    edited.gold[0].sha256 = "0".repeat(64);
    assert!(edited.compare(&lock).files[0].contradiction && !edited.compare(&lock).is_empty());
}

#[test]
fn the_lock_shows_what_would_hide() {
    let lock =
        freeze(&[one("a.jsonl", "{\"qid\":\"a\u{202e}b\\u0000\u{e0041}\"}")], None, &[]).expect("a lock");
    assert!(lock.text().contains("\"a\\u202eb\\u0000\\udb40\\udc41\": "), "{}", lock.text());
    assert_eq!(Lock::load(&Source::bytes("l", lock.text().into_bytes())).expect("a lock"), lock);
}

#[test]
fn signatures_are_a_name_and_a_role() {
    let parse = |text: &str| Signature::parse(text).map(|s| format!("{}|{}", s.name, s.role));
    assert_eq!(parse(" Ada Lovelace : QA lead "), Some("Ada Lovelace|QA lead".into()));
    assert_eq!(parse("team:search:owner"), Some("team:search|owner".into()));
    for bad in ["", "Ada", ":", "Ada:", ":lead", "A\u{202e}:x", "A\nB:x"] {
        assert_eq!(parse(bad), None, "{bad:?}");
    }
}

#[test]
fn qrels_are_gold_and_a_topic_is_a_row() {
    let lock = |text: &str| {
        freeze(&[("qrels".into(), Source::bytes("qrels", text.as_bytes().to_vec()))], None, &[])
            .map_err(|failure| failure.problems[0].to_string())
    };
    let agreed = lock("q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n").expect("a lock");
    assert_eq!(agreed.gold[0].rows, 2);
    // Another order, other blanks, a comment, or BEIR's columns say the same.
    for same in [
        "# judged in May\nq2\t0  a 2\nq1 Q0 b 0\r\n\nq1 0 a 1",
        "query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\ta\t2\nq1\tb\t0\n",
    ] {
        assert!(agreed.compare(&lock(same).expect("a lock")).is_empty(), "{same}");
    }
    let changed = agreed.compare(&lock("q1 0 a 1\nq1 0 b 1\nq3 0 a 2\n").expect("a lock"));
    let file = &changed.files[0];
    assert_eq!(
        (&file.added[..], &file.removed[..], &file.changed[..]),
        (&["q3".into()][..], &["q2".into()][..], &["q1".into()][..])
    );
    // What is no judgement is told as `karat retrieval` tells it.
    assert!(lock("q1 0 a 1\nq1 0 b high\n").expect_err("no number").contains("qrels:2:8"));
}
