//! karat's JSON reader accepts and decodes exactly what serde_json does.
#![allow(clippy::unwrap_used)]

use karat_engine::input::json::Reader;
use proptest::prelude::*;

fn accepts(text: &str) -> bool {
    let mut reader = Reader::new(text);
    reader.skip().and_then(|()| reader.end()).is_ok()
}

/// Texts that are JSON, nearly JSON, or noise made of JSON's own characters.
fn texts() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<f64>().prop_map(|n| format!("{n:e}")),
        any::<i64>().prop_map(|n| n.to_string()),
        any::<String>().prop_map(|s| serde_json::to_string(&s).unwrap_or_default()),
    ];
    let tree = leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(" , "))),
            prop::collection::vec((any::<String>(), inner), 0..4).prop_map(|fields| {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(key, value)| {
                        format!("{}:\t{value}", serde_json::to_string(key).unwrap_or_default())
                    })
                    .collect();
                format!("{{{}}}", fields.join(","))
            }),
        ]
    });
    prop_oneof![
        4 => tree.clone(),
        4 => (tree, any::<prop::sample::Index>(), "[\\[\\]{},:\"0-9a-f.eE\\-\\\\ ]").prop_map(|(text, at, new)| {
            let at = at.index(text.len() + 1);
            let at = (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
            format!("{}{new}{}", &text[..at], &text[at..])
        }),
        2 => "[\\[\\]{},:\"0-9truefalsn.eE\\-\\\\u ]{0,24}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn accepts_what_serde_json_accepts(text in texts()) {
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        prop_assert_eq!(accepts(&text), theirs.is_ok(), "{} {:?}", text, theirs.err());
    }

    #[test]
    fn decodes_what_serde_json_decodes(value in any::<String>(), ascii in any::<bool>()) {
        let plain = serde_json::to_string(&value).unwrap_or_default();
        let text = if ascii {
            value.encode_utf16().fold("\"".to_owned(), |out, unit| format!("{out}\\u{unit:04x}")) + "\""
        } else {
            plain
        };
        prop_assert_eq!(Reader::new(&text).string().unwrap().decode(), value);
    }
}
