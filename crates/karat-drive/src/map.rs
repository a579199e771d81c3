//! Where in a reply do a trace's fields stand? `--map field=/json/pointer`.
//!
//! Pointers are those of RFC 6901, with one addition: `*` goes through every element of a list, so that
//! `retrieved_ids=/hits/*/id` is the list of their ids. `answer_json.claim=…` fills a field of an object.

use karat_core::input::json::{Kind, Reader, Syntax};

use crate::json;
use crate::plan::HEAD;

/// The fields that karat itself writes; a reply cannot.
pub(crate) const OWN: &[&str] = &["e2e_ms", "attempts"];

/// Where the fields of a trace come from; an empty map takes the reply's own.
#[derive(Clone, Debug, Default)]
pub struct Map {
    fields: Vec<Field>,
}

#[derive(Clone, Debug)]
struct Field {
    /// `answer_json`, and `claim` where one of its fields is meant.
    name: String,
    within: Option<String>,
    path: Vec<String>,
}

impl Map {
    /// Reads `field=/json/pointer` texts; what is wrong with each is told.
    pub fn parse(texts: &[String]) -> Result<Map, Vec<String>> {
        let (mut fields, mut wrong): (Vec<Field>, Vec<String>) = (Vec::new(), Vec::new());
        for text in texts {
            match field(text) {
                Ok(field) => {
                    let clash = fields.iter().find(|other| {
                        other.name == field.name
                            && (other.within == field.within
                                || other.within.is_none()
                                || field.within.is_none())
                    });
                    match clash {
                        Some(_) => wrong.push(format!("`{text}`: `{}` is mapped twice", field.name)),
                        None => fields.push(field),
                    }
                }
                Err(message) => wrong.push(format!("`{text}`: {message}")),
            }
        }
        if wrong.is_empty() { Ok(Map { fields }) } else { Err(wrong) }
    }

    /// Whether the reply's own fields are taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The mapped fields that a reply has, each with its value as it is written. A field whose pointer leads nowhere is
    /// absent.
    pub(crate) fn take(&self, reply: &str) -> Result<Vec<(String, String)>, Syntax> {
        let mut taken: Vec<(String, String)> = Vec::new();
        for (i, field) in self.fields.iter().enumerate() {
            if self.fields[..i].iter().any(|earlier| earlier.name == field.name) {
                continue; // came with its first part
            }
            if field.within.is_none() {
                taken.extend(find(reply, &field.path)?.map(|value| (field.name.clone(), value)));
                continue;
            }
            let mut parts = Vec::new();
            for part in self.fields.iter().filter(|other| other.name == field.name) {
                if let (Some(within), Some(value)) = (&part.within, find(reply, &part.path)?) {
                    parts.push(format!("{}:{value}", json::quoted(within)));
                }
            }
            if !parts.is_empty() {
                taken.push((field.name.clone(), format!("{{{}}}", parts.join(","))));
            }
        }
        Ok(taken)
    }
}

fn field(text: &str) -> Result<Field, String> {
    let (name, pointer) = text.split_once('=').ok_or("expected FIELD=/json/pointer")?;
    let (name, within) = match name.split_once('.') {
        Some((name, within)) => (name, Some(within.to_owned())),
        None => (name, None),
    };
    if name.is_empty() || within.as_ref().is_some_and(String::is_empty) {
        return Err("the field has no name".into());
    }
    if HEAD.contains(&name) || OWN.contains(&name) {
        return Err(format!("karat itself writes `{name}`: leave it out"));
    }
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(format!("a JSON pointer begins with `/`: write `{name}=/{pointer}`"));
    }
    let mut path = Vec::new();
    for part in pointer.split('/').skip(1) {
        let plain = part.replace("~1", "").replace("~0", "");
        if plain.contains('~') {
            return Err("in a JSON pointer `~` is written `~0`, and `/` in a key `~1`".into());
        }
        path.push(part.replace("~1", "/").replace("~0", "~"));
    }
    Ok(Field { name: name.into(), within, path })
}

/// The value at a path; a list of values where the path goes through every element of one.
fn find(reply: &str, path: &[String]) -> Result<Option<String>, Syntax> {
    let mut at = vec![reply];
    let mut many = false;
    for part in path {
        let mut next = Vec::new();
        for value in at {
            let mut reader = Reader::new(value);
            match reader.peek()? {
                Kind::Object => {
                    let mut last = None;
                    reader.object(|reader, key| {
                        let raw = json::raw(reader)?;
                        if key == part {
                            last = Some(raw);
                        }
                        Ok::<(), Syntax>(())
                    })?;
                    next.extend(last);
                }
                Kind::Array => {
                    let wanted = index(part);
                    let mut place = 0;
                    reader.array(|reader| {
                        let raw = json::raw(reader)?;
                        if part == "*" || wanted == Some(place) {
                            next.push(raw);
                        }
                        place += 1;
                        Ok::<(), Syntax>(())
                    })?;
                    many |= part == "*";
                }
                _ => {}
            }
        }
        at = next;
    }
    if many {
        return Ok(Some(format!("[{}]", at.iter().map(|raw| raw.trim()).collect::<Vec<_>>().join(","))));
    }
    Ok(at.first().map(|raw| raw.trim().to_owned()))
}

fn index(part: &str) -> Option<usize> {
    if part.len() > 1 && part.starts_with('0') { None } else { part.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPLY: &str = r#"{"out":{"text":"yes \u00e9","n":1.50},"hits":[{"id":"a","s":1},{"s":2},{"id":7}],"a/b":{"~":true},"x":null}"#;

    fn check(maps: &[&str]) -> String {
        let maps: Vec<String> = maps.iter().map(ToString::to_string).collect();
        match Map::parse(&maps) {
            Err(wrong) => wrong.join("; "),
            Ok(map) => {
                let fields = map.take(REPLY).unwrap();
                fields.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
            }
        }
    }

    #[test]
    fn values_come_as_they_are_written() {
        assert_eq!(
            check(&["answer=/out/text", "retrieved_ids=/hits/*/id"]),
            r#"answer="yes \u00e9" retrieved_ids=["a",7]"#
        );
        assert_eq!(
            check(&["answer_json.claim=/out/text", "n=/out/n", "answer_json.citations=/hits/2/id"]),
            r#"answer_json={"claim":"yes \u00e9","citations":7} n=1.50"#
        );
        assert_eq!(check(&["t=/a~1b/~0", "x=/x", "i=/hits/01", "none=/out/text/0"]), "t=true x=null");
        assert_eq!(check(&["all="]), format!("all={REPLY}"));
        assert_eq!(check(&["ids=/hits/*/nope"]), "ids=[]");
    }

    #[test]
    fn what_is_no_map_is_named() {
        assert_eq!(check(&["answer"]), "`answer`: expected FIELD=/json/pointer");
        assert_eq!(
            check(&["answer=out"]),
            "`answer=out`: a JSON pointer begins with `/`: write `answer=/out`"
        );
        assert_eq!(
            check(&["qid=/id", "=/x"]),
            "`qid=/id`: karat itself writes `qid`: leave it out; `=/x`: the field has no name"
        );
        assert_eq!(
            check(&["a=/~2"]),
            "`a=/~2`: in a JSON pointer `~` is written `~0`, and `/` in a key `~1`"
        );
        assert_eq!(check(&["a=/x", "a.b=/y"]), "`a.b=/y`: `a` is mapped twice");
    }
}
