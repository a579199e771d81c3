//! Which requests belong to the same point? Those whose knobs are the same JSON, whatever the order of the keys.
//!
//! Canonical text: keys sorted, no spaces, strings escaped as little as can be, numbers as they were written (`0.2` and
//! `0.20` are what somebody typed, and may well be two settings). The last of a repeated key counts.

use std::collections::BTreeMap;

use crate::input::json::{Reader, Syntax};

pub use karat_input::KNOBS_LIMIT as LIMIT;

/// A list or an object whose end has not come yet.
enum Open {
    List(Vec<String>),
    Object(BTreeMap<String, String>, String),
}

/// The canonical text of a JSON value that was read already. Iterative, so that depth costs no stack.
pub(in crate::suites) fn canonical(json: &str) -> Result<String, Syntax> {
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    loop {
        at += spaces(&json[at..]);
        let mut reader = Reader::new(&json[at..]);
        let value = match json.as_bytes().get(at) {
            Some(b'[') => {
                at += 1;
                open.push(Open::List(Vec::new()));
                None
            }
            Some(b'{') => {
                at += 1;
                open.push(Open::Object(BTreeMap::new(), String::new()));
                None
            }
            Some(b',') => {
                at += 1;
                None
            }
            Some(b']' | b'}') => {
                at += 1;
                open.pop().map(closed)
            }
            Some(b'"') => {
                let text = reader.string()?.decode();
                at += reader.since(0).len();
                let behind = at + spaces(&json[at..]);
                match open.last_mut() {
                    // A text before a colon is a key.
                    Some(Open::Object(_, key)) if json.as_bytes().get(behind) == Some(&b':') => {
                        *key = text.into_owned();
                        at = behind + 1;
                        None
                    }
                    _ => Some(quoted(&text)),
                }
            }
            _ => {
                reader.skip()?;
                at += reader.since(0).len();
                Some(reader.since(0).to_owned())
            }
        };
        let Some(value) = value else { continue };
        match open.last_mut() {
            Some(Open::List(items)) => items.push(value),
            Some(Open::Object(fields, key)) => _ = fields.insert(std::mem::take(key), value),
            None => return Ok(value),
        }
    }
}

fn closed(open: Open) -> String {
    match open {
        Open::List(items) => format!("[{}]", items.join(",")),
        Open::Object(fields, _) => {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("{}:{value}", quoted(key))).collect();
            format!("{{{}}}", fields.join(","))
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn spaces(json: &str) -> usize {
    json.bytes().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count()
}

/// The knobs at the top of a canonical object, each with its value as people would write it.
pub(super) fn settings(canonical: &str) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    let _ = Reader::new(canonical).object(|reader, key| {
        let start = reader.offset();
        reader.skip()?;
        let value = reader.since(start);
        let plain = Reader::new(value).string().map(|text| text.decode().into_owned());
        settings.push((key.to_owned(), plain.unwrap_or_else(|_| value.to_owned())));
        Ok::<(), Syntax>(())
    });
    settings
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(json: &str, expected: &str) {
        assert_eq!(canonical(json).as_deref(), Ok(expected));
    }

    #[test]
    fn the_order_of_keys_is_no_difference_and_a_digit_is() {
        check(
            r#" { "b" : [ 1 , {"z":null,"a":true} , [] ] , "a" : {} } "#,
            r#"{"a":{},"b":[1,{"a":true,"z":null},[]]}"#,
        );
        check(r#"{"t":0.20}"#, r#"{"t":0.20}"#);
        check(r#"{"t":1E3,"n":-0}"#, r#"{"n":-0,"t":1E3}"#);
        check(r#"{"m":"\u00e8 \"q\" \\ \/ \u0001 \n","":"x"}"#, r#"{"":"x","m":"è \"q\" \\ / \u0001 \n"}"#);
        check(r#"{"a":1,"a":{"b":2}}"#, r#"{"a":{"b":2}}"#);
        check(r#"{"a":"b:","c":[":","x"]}"#, r#"{"a":"b:","c":[":","x"]}"#);
        check("{}", "{}");
        let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
        check(&deep, &deep);
    }

    #[test]
    fn settings_are_what_people_write() {
        let settings = settings(r#"{"k":20,"m":"a \"b\"","r":{"d":4}}"#);
        let shown: Vec<String> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(shown, ["k=20", "m=a \"b\"", r#"r={"d":4}"#]);
    }

    proptest! {
        /// Equal values have equal texts, and a text is its own canonical form.
        #[test]
        fn canonical_text_is_a_fixed_point(keys in prop::collection::vec("[a-c\"\\\\ é]{0,3}", 0..5), n in 0u8..4) {
            let mut object = serde_json::Map::new();
            for (i, key) in keys.iter().enumerate() {
                object.insert(key.clone(), serde_json::json!([i, key, {"x": n, key.clone(): null}]));
            }
            let mut turned = serde_json::Map::new();
            for (key, value) in object.iter().rev() {
                turned.insert(key.clone(), value.clone());
            }
            let (a, b) = (serde_json::Value::from(object), serde_json::Value::from(turned));
            let text = canonical(&a.to_string()).unwrap();
            prop_assert_eq!(&text, &canonical(&format!("{b:#}")).unwrap());
            prop_assert_eq!(&text, &canonical(&text).unwrap());
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), a);
        }
    }
}
