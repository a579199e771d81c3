//! Where does a reply have the fields of a trace? `--map field=/json/pointer`.
//!
//! Pointers are those of RFC 6901, with one addition: `*` goes through every element of a list, so that
//! `retrieved_ids=/hits/*/id` is the list of their ids. `answer_json.claim=…` fills a field of an object.

use karat_input::json::{Kind, Reader, Syntax};
use karat_input::text::{shorten, visible};

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
    /// `answer_json.claim=/result/text`, as it was typed.
    typed: String,
    /// `answer_json`, and `claim` where one of its fields is meant.
    name: String,
    within: Option<String>,
    path: Vec<String>,
}

impl Field {
    /// Whether both fill the same field, or one the whole and the other a part of it.
    fn clashes(&self, other: &Field) -> bool {
        let parts = self.within.is_some() && other.within.is_some();
        self.name == other.name && (!parts || self.within == other.within)
    }
}

impl Map {
    /// Reads `field=/json/pointer` texts, or says what is wrong with each.
    pub fn parse(texts: &[String]) -> Result<Map, Vec<String>> {
        let (mut fields, mut wrong): (Vec<Field>, Vec<String>) = (Vec::new(), Vec::new());
        for text in texts {
            match field(text) {
                Ok(field) if fields.iter().any(|other| field.clashes(other)) => {
                    wrong.push(format!("`{text}`: `{}` is mapped twice", field.name));
                }
                Ok(field) => fields.push(field),
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

    /// What was typed, in the order of [`Mapped::led`].
    pub(crate) fn typed(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| field.typed.as_str())
    }

    /// The mapped fields that a reply has, each with its value as it is written. A field whose pointer leads nowhere is
    /// absent.
    pub(crate) fn take(&self, reply: &str) -> Result<Mapped, Syntax> {
        let found = self.fields.iter().map(|field| find(reply, &field.path));
        let found: Vec<(Option<String>, bool)> = found.collect::<Result<_, Syntax>>()?;
        let mut fields = Vec::new();
        for (i, field) in self.fields.iter().enumerate() {
            if self.fields[..i].iter().any(|earlier| earlier.name == field.name) {
                continue; // came with its first part
            }
            let value = if field.within.is_none() {
                found[i].0.clone()
            } else {
                let parts = self.fields.iter().zip(&found).filter(|(part, _)| part.name == field.name);
                let part = |(part, (value, _)): (&Field, &(Option<String>, bool))| {
                    Some(format!("{}:{}", json::quoted(part.within.as_ref()?), value.as_ref()?))
                };
                let parts: Vec<String> = parts.filter_map(part).collect();
                (!parts.is_empty()).then(|| format!("{{{}}}", parts.join(",")))
            };
            fields.extend(value.map(|value| (field.name.clone(), value)));
        }
        Ok(Mapped { fields, led: found.into_iter().map(|(_, led)| led).collect() })
    }
}

/// What a map found in a reply.
pub(crate) struct Mapped {
    pub(crate) fields: Vec<(String, String)>,
    /// Whether each pointer led to something.
    pub(crate) led: Vec<bool>,
}

/// Pointers to what a reply has, the outer ones first: a help for users whose own pointers lead nowhere.
pub(crate) fn pointers(reply: &str) -> String {
    const SHOWN: usize = 12;
    let mut all: Vec<(String, &str)> = vec![(String::new(), reply)];
    let mut next = 0;
    while next < all.len() && all.len() <= 4 * SHOWN {
        let (path, value) = all[next].clone();
        next += 1;
        let mut reader = Reader::new(value);
        // The reply was read before: it is JSON.
        let _ = match reader.peek() {
            Ok(Kind::Object) => reader.object(|reader, key| {
                let key = key.replace('~', "~0").replace('/', "~1");
                let raw = reader.raw()?;
                if all.len() <= 4 * SHOWN {
                    all.push((format!("{path}/{key}"), raw));
                }
                Ok::<(), Syntax>(())
            }),
            Ok(Kind::Array) => {
                let mut first = None;
                let read = reader.array(|reader| {
                    let raw = reader.raw()?;
                    first.get_or_insert(raw);
                    Ok::<(), Syntax>(())
                });
                all.extend(first.map(|raw| (format!("{path}/*"), raw)));
                read
            }
            _ => Ok(()),
        };
    }
    // What holds something is told by what it holds.
    let outer = |path: &str| {
        all.iter().any(|(other, _)| other.len() > path.len() + 1 && other.starts_with(&format!("{path}/")))
    };
    let leaves: Vec<&str> =
        all.iter().map(|(path, _)| path.as_str()).filter(|path| !path.is_empty() && !outer(path)).collect();
    if leaves.is_empty() {
        return "nothing to point to".into();
    }
    let more = if leaves.len() > SHOWN { ", …" } else { "" };
    let shown: Vec<String> =
        leaves.iter().take(SHOWN).map(|path| shorten(&visible(path), 60).into_owned()).collect();
    format!("{}{more}", shown.join(", "))
}

fn field(text: &str) -> Result<Field, String> {
    let (typed, pointer) = text.split_once('=').ok_or("expected FIELD=/json/pointer")?;
    let (name, within) = typed.split_once('.').map_or((typed, None), |(name, within)| (name, Some(within)));
    if name.is_empty() || within.is_some_and(str::is_empty) {
        return Err("the field has no name".into());
    }
    if HEAD.contains(&name) || OWN.contains(&name) {
        return Err(format!("karat itself writes `{name}`: leave it out"));
    }
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(format!("a JSON pointer begins with `/`: write `{typed}=/{pointer}`"));
    }
    let mut path = Vec::new();
    for part in pointer.split('/').skip(1) {
        let plain = part.replace("~1", "").replace("~0", "");
        if plain.contains('~') {
            return Err("in a JSON pointer `~` is written `~0`, and `/` in a key `~1`".into());
        }
        path.push(part.replace("~1", "/").replace("~0", "~"));
    }
    Ok(Field { typed: text.into(), name: name.into(), within: within.map(str::to_owned), path })
}

/// The value at a path, a list of values where the path goes through every element of one; and whether it led anywhere: a
/// list that is there and empty counts, one whose elements all lack the rest of the path does not.
fn find(reply: &str, path: &[String]) -> Result<(Option<String>, bool), Syntax> {
    let mut at = vec![reply];
    let (mut many, mut empty) = (false, false);
    for part in path {
        let mut next = Vec::new();
        for value in at {
            let mut reader = Reader::new(value);
            match reader.peek()? {
                Kind::Object => {
                    let mut last = None;
                    reader.object(|reader, key| {
                        let raw = reader.raw()?;
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
                        let raw = reader.raw()?;
                        if part == "*" || wanted == Some(place) {
                            next.push(raw);
                        }
                        place += 1;
                        Ok::<(), Syntax>(())
                    })?;
                    many |= part == "*";
                    empty |= part == "*" && place == 0;
                }
                _ => {}
            }
        }
        at = next;
    }
    if many {
        let list = at.iter().map(|raw| raw.trim()).collect::<Vec<_>>().join(",");
        return Ok((Some(format!("[{list}]")), empty || !at.is_empty()));
    }
    Ok((at.first().map(|raw| raw.trim().to_owned()), !at.is_empty()))
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
                let fields = map.take(REPLY).unwrap().fields;
                fields.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
            }
        }
    }

    #[test]
    fn values_come_as_they_are_written() {
        let parts = ["answer_json.claim=/out/text", "n=/out/n", "answer_json.citations=/hits/2/id"];
        for (maps, fields) in [
            (&["answer=/out/text", "ids=/hits/*/id"][..], r#"answer="yes \u00e9" ids=["a",7]"#),
            (&parts, r#"answer_json={"claim":"yes \u00e9","citations":7} n=1.50"#),
            (&["t=/a~1b/~0", "x=/x", "i=/hits/01", "none=/out/text/0"], "t=true x=null"),
            (&["all="], &format!("all={REPLY}")),
            (&["ids=/hits/*/nope"], "ids=[]"),
        ] {
            assert_eq!(check(maps), fields);
        }
    }

    #[test]
    fn a_pointer_that_leads_nowhere_is_known_and_what_is_there_is_told() {
        let maps = ["a=/out/text", "b=/hits/*/nope", "c=/none", "d=/hits/*/id"].map(String::from);
        assert_eq!(Map::parse(&maps).unwrap().take(REPLY).unwrap().led, [true, false, false, true]);
        let empty = Map::parse(&["d=/hits/*/id".to_owned()]).unwrap().take("{\"hits\":[]}").unwrap();
        assert_eq!((empty.led, &*empty.fields[0].1), (vec![true], "[]"));
        assert_eq!(pointers(REPLY), "/x, /out/text, /out/n, /a~1b/~0, /hits/*/id, /hits/*/s");
        assert_eq!(pointers("[]"), "nothing to point to");
        assert_eq!(pointers("7"), "nothing to point to");
        let wide = format!("{{{}}}", (0..99).map(|i| format!("\"k{i:02}\":1")).collect::<Vec<_>>().join(","));
        assert!(pointers(&wide).ends_with("/k11, …"));
        assert!(pointers(&"[".repeat(1000).replace('[', "[{\"a\":")).len() < 1000);
    }

    #[test]
    fn what_is_no_map_is_named() {
        for (maps, said) in [
            (&["answer"][..], "`answer`: expected FIELD=/json/pointer"),
            (&["answer=out"], "`answer=out`: a JSON pointer begins with `/`: write `answer=/out`"),
            (&["qid=/id"], "`qid=/id`: karat itself writes `qid`: leave it out"),
            (&["=/x", "a."], "`=/x`: the field has no name; `a.`: expected FIELD=/json/pointer"),
            (&["a=/~2"], "`a=/~2`: in a JSON pointer `~` is written `~0`, and `/` in a key `~1`"),
            (&["a=/x", "a.b=/y"], "`a.b=/y`: `a` is mapped twice"),
        ] {
            assert_eq!(check(maps), said);
        }
    }
}
