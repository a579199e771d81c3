//! What must not appear in any trace, log or message?
//!
//! The value of every environment variable that a header names, and what is typed into headers that carry credentials.
//! A reply that echoes one loses it: the answer's bytes are evidence, but a leak is worse. What karat itself writes is never
//! changed; a plan that holds a secret, or a secret that is a word of every trace, is refused before anything is asked.

use std::borrow::Cow;
use std::fmt;

use karat_input::field::TraceContract;
use karat_input::json::Reader;

use crate::json;
use crate::map::OWN;
use crate::plan::{HEAD, Plan};

/// Values to keep out of everything that is written.
#[derive(Clone, Default)]
pub struct Secrets {
    /// What stands in a value's place, and the value; longer ones first, as one may hold another.
    values: Vec<(String, String)>,
}

/// A secret with fewer characters could not be distinguished from other text.
const LEAST: usize = 4;

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: std::collections::BTreeSet<&str> =
            self.values.iter().map(|(shown, _)| shown.as_str()).collect();
        write!(f, "Secrets({})", names.len())
    }
}

/// The secrets that the plan or the names of fields contain, each with a sentence that says where.
///
/// They could neither be kept out of traces nor replaced in them.
#[must_use]
pub fn refused(secrets: &Secrets, plan: &Plan, traces: TraceContract) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    if secrets.values.is_empty() {
        return found;
    }
    let names = [HEAD, OWN].concat().into_iter().chain((traces.keys)());
    let words = names.map(|name| ("the names of a trace's fields".to_owned(), Cow::Borrowed(name)));
    for (place, text) in words.chain(plan.texts()) {
        let held = secrets.values.iter().find(|(_, value)| text.contains(value.as_str()));
        if let Some((shown, _)) = held.filter(|(shown, _)| found.iter().all(|(known, _)| known != shown)) {
            let name = shown.trim_matches(['[', ']']);
            let message = format!(
                "the value of `{name}` stands in {place}, which every trace repeats: it could not be kept out"
            );
            found.push((shown.clone(), message));
        }
    }
    found
}

/// How the environment is asked: the variable's value, if it has one that is text.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Every character but ASCII letters, digits and those in `kept` as `%XX`.
fn percent_encoded(text: &str, kept: &str, upper: bool) -> String {
    let byte = |byte: u8| if upper { format!("%{byte:02X}") } else { format!("%{byte:02x}") };
    let encode = |c: char| match c.is_ascii_alphanumeric() || kept.contains(c) {
        true => c.to_string(),
        false => c.to_string().bytes().map(byte).collect(),
    };
    text.chars().map(encode).collect()
}

impl Secrets {
    /// Replaces `$NAME` and `${NAME}` by the environment's values, which are secrets from here on; `$$` is a dollar sign.
    pub fn expand(&mut self, text: &str, environment: Environment<'_>) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            if let Some(after) = after.strip_prefix('$') {
                out.push('$');
                rest = after;
                continue;
            }
            let (name, left) = match after.strip_prefix('{') {
                Some(braced) => braced.split_once('}').ok_or("`${` is not closed by `}`")?,
                None => {
                    let end =
                        after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
                    after.split_at(end)
                }
            };
            let is_name = !name.is_empty()
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !is_name {
                return Err("`$` is followed by no name of a variable; a dollar sign is written `$$`".into());
            }
            out.push_str(&self.variable(name, environment)?);
            rest = left;
        }
        out.push_str(rest);
        Ok(out)
    }

    /// Treats the value of an environment variable as a secret.
    pub fn variable(&mut self, name: &str, environment: Environment<'_>) -> Result<String, String> {
        let value = environment(name)
            .ok_or_else(|| format!("the environment has no variable `{name}`, or it is not text"))?;
        if value.chars().count() < LEAST {
            return Err(format!(
                "the value of `${name}` has fewer than {LEAST} characters: it could not be kept out of traces"
            ));
        }
        self.add(format!("[${name}]"), &value);
        Ok(value)
    }

    /// Treats a text as a secret; `shown` is written in its place.
    pub fn add(&mut self, shown: String, value: &str) {
        let known = |values: &[(String, String)], text: &str| values.iter().any(|(_, known)| known == text);
        if value.chars().count() < LEAST || known(&self.values, value) {
            return;
        }
        let escape = |c: char| match c {
            '+' | '=' | '&' | '<' | '>' | '\'' => format!("\\u{:04x}", u32::from(c)),
            c => c.to_string(),
        };
        let inner = |text: &str| {
            let quoted = json::quoted(text);
            quoted[1..quoted.len() - 1].to_owned()
        };
        let plain = inner(value);
        let escaped: String = plain.chars().map(escape).collect();
        // As others spell it in text that is not read as JSON: escaped, or as part of an address.
        let spellings = [
            plain.replace('/', "\\/"),
            escaped.replace('/', "\\/"),
            escaped,
            inner(&plain),
            percent_encoded(value, "-._~", true),
            percent_encoded(value, "", true),
            percent_encoded(value, "", false),
            plain,
            value.to_owned(),
        ];
        for spelling in spellings {
            if !known(&self.values, &spelling) {
                self.values.push((shown.clone(), spelling));
            }
        }
        self.values.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.cmp(b)));
    }

    /// The text without secrets.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        for (shown, value) in &self.values {
            if text.contains(value.as_str()) {
                text = Cow::Owned(text.replace(value.as_str(), shown));
            }
        }
        self.without_beginnings(text)
    }

    /// Removes beginnings of secrets before an ellipsis: an excerpt may be cut within a secret.
    fn without_beginnings<'t>(&self, text: Cow<'t, str>) -> Cow<'t, str> {
        const CUT: char = '…';
        if !text.contains(CUT) || self.values.is_empty() {
            return text;
        }
        let clean = |part: &str| {
            let begun = self.values.iter().find_map(|(shown, value)| {
                let starts = value.char_indices().map(|(at, _)| at).skip(LEAST).chain([value.len()]);
                let length = starts.filter(|&at| part.ends_with(&value[..at])).last()?;
                Some(format!("{}{shown}", &part[..part.len() - length]))
            });
            begun.unwrap_or_else(|| part.to_owned())
        };
        let (before, last) = text.rsplit_once(CUT).unwrap_or(("", &text));
        let parts = before.split(CUT).map(clean).chain([last.to_owned()]);
        Cow::Owned(parts.collect::<Vec<_>>().join(&CUT.to_string()))
    }

    /// The line of JSON without secrets, however its strings spell them; the result is JSON too.
    #[must_use]
    pub fn redact_json<'t>(&self, line: &'t str) -> Cow<'t, str> {
        if self.values.is_empty() {
            return Cow::Borrowed(line);
        }
        let (mut out, mut copied, mut at) = (String::new(), 0, 0);
        while at < line.len() {
            let (end, text) = match line.as_bytes()[at] {
                b'"' => {
                    let mut reader = Reader::new(&line[at..]);
                    let Ok(string) = reader.string() else { break };
                    (at + reader.at(), string.decode())
                }
                b'-' | b'0'..=b'9' => {
                    let number = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.');
                    let end = line.as_bytes()[at..].iter().position(|&b| !number(b));
                    let end = end.map_or(line.len(), |length| at + length);
                    (end, Cow::Borrowed(&line[at..end]))
                }
                _ => {
                    at += 1;
                    continue;
                }
            };
            let redacted = self.redact(&text);
            let clean = (redacted != text).then(|| json::quoted(&redacted));
            if let Some(clean) = clean {
                out.push_str(&line[copied..at]);
                out.push_str(&clean);
                copied = end;
            }
            at = end;
        }
        if copied == 0 {
            return Cow::Borrowed(line);
        }
        out.push_str(&line[copied..]);
        Cow::Owned(out)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn environment(name: &str) -> Option<String> {
        match name {
            "TOKEN" => Some("s3cr\"et".into()),
            "LONG" => Some("s3cr\"et-and-more".into()),
            "PIN" => Some("48151623".into()),
            "SHORT" => Some("abc".into()),
            _ => None,
        }
    }

    #[test]
    fn variables_are_put_in_their_places() {
        let mut secrets = Secrets::default();
        assert_eq!(
            secrets.expand("Bearer $TOKEN, ${PIN}x $$5", &environment).unwrap(),
            "Bearer s3cr\"et, 48151623x $5"
        );
        for (text, said) in [
            ("$NOPE", "no variable `NOPE`"),
            ("${NOPE", "not closed"),
            ("a $ b", "`$$`"),
            ("$1", "`$$`"),
            ("$SHORT", "fewer than 4"),
        ] {
            assert!(secrets.expand(text, &environment).unwrap_err().contains(said), "{text}");
        }
        assert_eq!(format!("{secrets:?}"), "Secrets(2)");
    }

    #[test]
    fn neither_a_cut_nor_an_escape_saves_a_secret() {
        let mut secrets = Secrets::default();
        secrets.add("[$TOKEN]".into(), "Zm9v/YmFy+cXV1eA==");
        let clean = |text: &str| secrets.redact(text).into_owned();
        assert_eq!(clean("said `Bearer Zm9v/YmFy…` and more"), "said `Bearer [$TOKEN]…` and more");
        assert_eq!(clean("Zm9v/Y… and Zm9…"), "[$TOKEN]… and Zm9…");
        assert_eq!(clean(r"bad Zm9v\/YmFy+cXV1eA== x"), "bad [$TOKEN] x");
        assert_eq!(clean(r"bad Zm9v\/YmFy\u002bcXV1eA\u003d\u003d x"), "bad [$TOKEN] x");
        assert_eq!(clean("?t=Zm9v%2FYmFy%2BcXV1eA%3D%3D"), "?t=[$TOKEN]");
    }

    #[test]
    fn no_spelling_survives() {
        let mut secrets = Secrets::default();
        secrets.expand("$TOKEN $PIN $LONG", &environment).unwrap();
        assert_eq!(secrets.redact("a s3cr\"et-and-more, s3cr\"et"), "a [$LONG], [$TOKEN]");
        let line =
            r#"{"s3cr\"et":"x s3cr\u0022\u0065t y","n":[48151623,-481516230.5e1,1],"t":true,"é":"\\"}"#;
        assert_eq!(
            secrets.redact_json(line),
            r#"{"[$TOKEN]":"x [$TOKEN] y","n":["[$PIN]","-[$PIN]0.5e1",1],"t":true,"é":"\\"}"#
        );
        let plain = r#"{"a":"b","c":4815162}"#;
        assert!(matches!(secrets.redact_json(plain), Cow::Borrowed(_)));
    }
    proptest! {
        #[test]
        fn what_was_json_is_json_and_holds_no_secret(
            before in any::<String>(), after in any::<String>(), secret in "[!-~]{4,9}", escape in any::<bool>(),
        ) {
            let mut secrets = Secrets::default();
            // A mark that no secret of this alphabet can be part of.
            secrets.add("…".into(), &secret);
            let text = format!("{before}{secret}{after}");
            let string = if escape {
                format!("\"{}\"", text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect::<String>())
            } else {
                json::quoted(&text)
            };
            let line = format!("{{\"a\":[{string},1.5,null],{string}:true}}");
            let clean = secrets.redact_json(&line);
            let value: serde_json::Value = serde_json::from_str(&clean).unwrap();
            let said = value["a"][0].as_str().unwrap();
            prop_assert!(!said.contains(&secret), "{said}");
            prop_assert!(said.contains('…'));
        }
    }
}
