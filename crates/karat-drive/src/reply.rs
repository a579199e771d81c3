//! What did the pipeline answer, and is it a trace? Bytes become the fields of a trace's line, or a reason.
//!
//! What the model said is passed on to the byte. What the log itself writes must keep the contract, because one line that
//! breaks it makes the whole file unreadable: such a reply is a failed call.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use karat_input::field::TraceContract;
use karat_input::json::{Kind, Reader, Syntax};
use karat_input::rows::Wrong;
use karat_input::text::{shorten, visible};

use crate::json;
use crate::map::{Map, OWN, pointers};
use crate::plan::{Ask, HEAD};
use crate::secrets::Secrets;

/// The reply is for another question.
pub(crate) const WRONG_CASE: &str = "wrong case";
/// The reply is not JSON at all.
pub(crate) const NOT_JSON: &str = "not json";

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason {
    /// The word that failures are counted by: `timeout`, `http 500`.
    pub kind: String,
    /// The rest of the sentence.
    pub detail: String,
    /// The other case that a reply is for.
    pub case: Option<Box<str>>,
}

impl Reason {
    pub(crate) fn new(kind: impl Into<String>, detail: impl Into<String>) -> Self {
        Reason { kind: kind.into(), detail: detail.into(), case: None }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

/// A line that nobody asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stray {
    /// It cannot be a reply.
    Noise,
    /// A reply, to some question.
    Reply,
    /// A reply to this case.
    ReplyTo(Box<str>),
}

/// The fields of a reply, ready to be written to a trace.
#[derive(Debug)]
pub(crate) struct TraceFields {
    /// `,"answer_json":{…},"retrieved_ids":[…]`
    pub(crate) fields: String,
    /// The pipeline's own word that it failed, and why.
    pub(crate) failed: Option<Reason>,
    /// Whether it names its case, which is then the one that was asked.
    pub(crate) named: bool,
    /// Whether a secret was replaced in it.
    pub(crate) redacted: bool,
    /// Whether each pointer of the map led to something.
    pub(crate) led: Vec<bool>,
    /// Pointers to what the reply has, if one led nowhere.
    pub(crate) has: Option<String>,
}

/// How replies are read.
#[derive(Debug)]
pub struct Contract {
    /// What a trace must keep to.
    pub traces: TraceContract,
    /// Where the fields of a trace stand in a reply.
    pub map: Map,
    /// What must appear nowhere.
    pub secrets: Secrets,
}

/// The beginning of something that is not a trace, for a message.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(600)]);
    let text = text.trim();
    if text.is_empty() { "nothing".into() } else { format!("`{}`", shorten(&visible(text), 120)) }
}

impl Contract {
    /// Decides what a line is that nobody asked for.
    pub(crate) fn stray(&self, line: &[u8]) -> Stray {
        let any = Ask { number: 0, id: "".into(), head: r#"{"qid":"?""#.into(), body: String::new() };
        match self.read(line, &any) {
            Ok(_) => Stray::Reply,
            Err(reason) => reason.case.map_or(Stray::Noise, Stray::ReplyTo),
        }
    }

    /// Reads a reply to `ask`.
    pub(crate) fn read(&self, reply: &[u8], ask: &Ask) -> Result<TraceFields, Reason> {
        let Contract { traces, map, secrets } = self;
        let bad = |detail: String| Reason::new("bad reply", detail);
        let reply = reply.strip_prefix(b"\xef\xbb\xbf").unwrap_or(reply);
        let no_text = |detail: String| Reason::new(NOT_JSON, detail);
        let text = std::str::from_utf8(reply)
            .map_err(|e| no_text(format!("byte {} is not UTF-8 in {}", e.valid_up_to(), excerpt(reply))))?;
        if text.trim().is_empty() {
            return Err(no_text("the reply is empty".into()));
        }
        let not_json = |error: Syntax| {
            let message = Wrong::syntax(error, text).message.replace("this is not JSON: ", "");
            no_text(format!("{message} at byte {} of {}", error.at(), excerpt(reply)))
        };
        let mut reader = Reader::new(text);
        let kind = reader.peek().map_err(not_json)?;
        reader.skip().and_then(|()| reader.end()).map_err(not_json)?;
        let (fields, named, led, has) = if map.is_empty() {
            if kind != Kind::Object {
                let (kind, shown) = (kind.with_article(), excerpt(reply));
                return Err(bad(format!("the reply is {kind}, not an object: {shown}")));
            }
            let (fields, named) = own_fields(text, ask, traces)?;
            (fields, named, Vec::new(), None)
        } else {
            let taken = map.take(text).map_err(not_json)?;
            if taken.fields.is_empty() {
                let has = pointers(text);
                return Err(bad(format!("no pointer of --map leads to anything; the reply has {has}")));
            }
            let has = taken.led.contains(&false).then(|| secrets.redact(&pointers(text)).into_owned());
            (taken.fields, false, taken.led, has)
        };
        let field =
            |(name, value): &(String, String)| format!(",{}:{}", json::quoted(name), json::one_line(value));
        let line: String = fields.iter().map(field).collect();
        // What karat itself wrote stays as it is: a resumed run knows requests by it.
        let line = secrets.redact_json(&line);
        let redacted = matches!(line, Cow::Owned(_));
        // The strictest readers of traces have the last word.
        let whole = format!("{}{line}}}", ask.head);
        // A time of the pipeline's own is not used, but it shows whether its clock can be believed.
        let own = if map.is_empty() { (traces.refused)(text) } else { Vec::new() };
        let mut refused =
            (traces.refused)(&whole).into_iter().chain(own.into_iter().filter(|w| w.path == "e2e_ms"));
        if let Some(wrong) = refused.next() {
            let why = if redacted { " (a secret in the reply was replaced)" } else { "" };
            return Err(bad(format!("{}; {}{why}", wrong.message, wrong.expected)));
        }
        let failed = failed(&whole).map_err(not_json)?;
        Ok(TraceFields { fields: line.into_owned(), failed, named, redacted, led, has })
    }
}

/// The pipeline's own word that it failed, and why.
fn failed(line: &str) -> Result<Option<Reason>, Syntax> {
    let (mut ok, mut said) = (true, None);
    Reader::new(line).object(|reader, key| {
        match (key, reader.peek()?) {
            ("ok", Kind::Bool) => ok = reader.boolean()?,
            ("reason", Kind::String) => said = Some(reader.string()?.decode().into_owned()),
            _ => reader.skip()?,
        }
        Ok::<(), Syntax>(())
    })?;
    let reason = || Reason::new("pipeline", said.unwrap_or_else(|| "it says `ok: false`".into()));
    Ok((!ok).then(reason))
}

/// The reply's own fields, except those that karat writes; and whether it names the case.
fn own_fields(
    text: &str,
    ask: &Ask,
    traces: &TraceContract,
) -> Result<(Vec<(String, String)>, bool), Reason> {
    let bad = |detail: String| Reason::new("bad reply", detail);
    let (mut fields, mut keys): (Vec<(String, String)>, Vec<String>) = Default::default();
    let (mut seen, mut twice, mut other, mut named) = (BTreeSet::new(), None, None, false);
    let read = Reader::new(text).object(|reader, key| {
        if !seen.insert(key.to_owned()) {
            twice = Some(key.to_owned());
        } else if keys.len() < 8 {
            keys.push(key.to_owned());
        }
        let mut ahead = *reader;
        let raw = reader.raw()?;
        if key == "qid" || key == "case_id" {
            let id = match ahead.peek()? {
                Kind::String => ahead.string()?.decode().into_owned(),
                _ => raw.to_owned(),
            };
            match id {
                id if id == *ask.id => named = true,
                id if id == "null" => {}
                id => other = Some(id),
            }
        }
        if !HEAD.contains(&key) && !OWN.contains(&key) {
            fields.push((key.to_owned(), raw.to_owned()));
        }
        Ok::<(), Syntax>(())
    });
    read.map_err(|error| bad(Wrong::syntax(error, text).message))?;
    if let Some(id) = other {
        let detail = format!("the reply is for `{}`, not for the question asked", visible(&shorten(&id, 60)));
        return Err(Reason { case: Some(id.into()), ..Reason::new(WRONG_CASE, detail) });
    }
    if let Some(key) = twice {
        return Err(bad(format!("the reply gives `{}` twice", visible(&shorten(&key, 60)))));
    }
    let known = (traces.fields)();
    if !fields.iter().any(|(name, _)| known.contains(&name.as_str())) {
        let names = if keys.is_empty() { "no fields".to_owned() } else { keys.join(", ") };
        return Err(bad(format!(
            "the reply has no field of a trace, such as `answer_json`; it has {}: --map says where they stand",
            shorten(&visible(&names), 120)
        )));
    }
    Ok((fields, named))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ask() -> Ask {
        let head = r#"{"qid":"A1","q":"x? 48151623""#;
        Ask { number: 0, id: "A1".into(), head: head.into(), body: String::new() }
    }

    fn contract() -> Contract {
        let traces = karat_suites::dialects::TRACE_CONTRACT;
        Contract { traces, map: Map::default(), secrets: Secrets::default() }
    }

    fn check_with(reply: &[u8], maps: &[&str]) -> String {
        let maps: Vec<String> = maps.iter().map(ToString::to_string).collect();
        let mut secrets = Secrets::default();
        secrets.add("[$PIN]".into(), "48151623");
        match (Contract { map: Map::parse(&maps).unwrap(), secrets, ..contract() }).read(reply, &ask()) {
            Ok(TraceFields { fields, failed: None, .. }) => fields,
            Ok(TraceFields { fields, failed: Some(reason), .. }) => format!("{fields} / {reason}"),
            Err(reason) => reason.to_string(),
        }
    }

    fn check(reply: &str) -> String {
        check_with(reply.as_bytes(), &[])
    }

    #[test]
    fn what_the_model_said_passes_to_the_byte() {
        let said = r#"{"claim":"\ud800 é \u00e9","citations":"p1", "x":[1.50,1e400]}"#;
        let reply = format!(r#"{{"qid":"A1","e2e_ms":3,"retrieved_ids":["p"],"answer_json":{said}}}"#);
        let several_lines = "{\n \"answer_json\": {\n \"claim\": \"a  b\"\n }\n}\n";
        let maps = ["answer_json.claim=/0", "retrieved_ids=/1/s"];
        for (reply, maps, fields) in [
            (&*reply, &[][..], &*format!(r#","retrieved_ids":["p"],"answer_json":{said}"#)),
            (several_lines, &[], ",\"answer_json\":{\"claim\":\"a  b\"}"),
            (r#"["yes",{"s":["p1"]}]"#, &maps, r#","answer_json":{"claim":"yes"},"retrieved_ids":["p1"]"#),
        ] {
            assert_eq!(check_with(reply.as_bytes(), maps), fields);
        }
    }

    /// JSON of any shape, with the fields of a trace among others.
    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let keys = "answer_json answer citations claim retrieved_ids chunks ok reason qid q seed e2e_ms x\n";
        let key = prop::sample::select(keys.split(' ').collect::<Vec<_>>());
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i32>().prop_map(Into::into),
            any::<String>().prop_map(Into::into),
            Just("A1".into())
        ];
        leaf.prop_recursive(3, 24, 5, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                prop::collection::vec((key.clone(), inner), 0..5).prop_map(|fields| fields
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_trace_is_one_line_that_every_reader_takes(reply in any_json(), pretty in any::<bool>()) {
            let text = if pretty { format!("{reply:#}") } else { reply.to_string() };
            let ask = ask();
            if let Ok(said) = contract().read(text.as_bytes(), &ask) {
                let line = format!("{}{}}}", ask.head, said.fields);
                prop_assert!(!line.contains(['\n', '\r']));
                let trace: serde_json::Value = serde_json::from_str(&line).unwrap();
                prop_assert_eq!(&trace["qid"], "A1");
                for (key, value) in reply.as_object().unwrap() {
                    if !HEAD.contains(&key.as_str()) && !OWN.contains(&key.as_str()) {
                        prop_assert_eq!(&trace[key.as_str()], value, "what was said is passed on");
                    }
                }
            }
        }

        #[test]
        fn no_bytes_break_it(reply in prop::collection::vec(any::<u8>(), 0..200), open in any::<bool>()) {
            let reply = if open { [b"{\"answer\":".as_slice(), &reply].concat() } else { reply };
            let ask = ask();
            if let Err(reason) = contract().read(&reply, &ask) {
                prop_assert!(reason.to_string().len() < 1000);
            }
        }
    }

    #[test]
    fn a_pipeline_may_say_that_it_failed() {
        assert_eq!(
            check(r#"{"ok":false,"reason":"no index"}"#),
            r#","ok":false,"reason":"no index" / pipeline: no index"#
        );
        assert_eq!(check(r#"{"ok":false}"#), r#","ok":false / pipeline: it says `ok: false`"#);
    }

    #[test]
    fn a_time_that_is_none_is_a_bad_reply() {
        for (times, said) in [
            (
                r#""stage_ms":{"llm":-1}"#,
                "`stage_ms.llm` is negative; expected milliseconds as a number, 0 or more",
            ),
            (
                r#""stage_ms":{"guard":1e400}"#,
                "`stage_ms.guard` is larger than 1e12; expected milliseconds as a number, 0 or more",
            ),
            (r#""stage_ms":{"llm":"12"}"#, "`stage_ms.llm` is a string; expected milliseconds as a number"),
            (r#""stage_ms":[1]"#, "`stage_ms` is a list; expected an object of milliseconds by stage"),
            (r#""e2e_ms":-0.5"#, "`e2e_ms` is negative; expected milliseconds as a number, 0 or more"),
            (
                r#""stage_ms":{"llm":48151623}"#,
                "`stage_ms.llm` is a string; expected milliseconds as a number (a secret in the reply was replaced)",
            ),
        ] {
            assert_eq!(check(&format!("{{\"answer\":\"x\",{times}}}")), format!("bad reply: {said}"));
        }
        assert!(check(r#"{"answer":"x","stage_ms":{"llm":NaN}}"#).starts_with("not json: found `N`"));
        let mapped = check_with(br#"{"a":"x","t":-3}"#, &["answer=/a", "stage_ms.llm=/t"]);
        assert!(mapped.starts_with("bad reply: `stage_ms.llm` is negative"), "{mapped}");
        assert_eq!(
            check(r#"{"answer":"x","stage_ms":{"llm":0,"embed":"fast"},"e2e_ms":null}"#),
            r#","answer":"x","stage_ms":{"llm":0,"embed":"fast"}"#
        );
    }

    #[test]
    fn what_is_no_trace_is_a_reason() {
        let open = r#"{"answer":"x"} {"#;
        for (reply, said) in [
            ("", "not json: the reply is empty"),
            ("<html>", "not json: found `<`, expected a value at byte 0 of `<html>`"),
            ("[1]", "bad reply: the reply is a list, not an object: `[1]`"),
            (open, &format!("not json: found `{{`, expected the end of the line at byte 15 of `{open}`")),
            (r#"{"qid":"B2","answer":"x"}"#, "wrong case: the reply is for `B2`, not for the question asked"),
            (r#"{"answer":"x","answer":"y"}"#, "bad reply: the reply gives `answer` twice"),
            (
                r#"{"answer":"x","retrieved_ids":"p1"}"#,
                "bad reply: `retrieved_ids` is a string; expected a list of ids",
            ),
        ] {
            assert_eq!(check(reply), said);
        }
        for (reply, part) in [
            (&*"[".repeat(100_000), "1,024 levels of nesting"),
            (r#"{"result":{"text":"x"}}"#, "it has result: --map says where they stand"),
            ("{}", "it has no fields"),
            (r#"{"q":"x?","qid":"A1","knobs":{}}"#, "it has q, qid, knobs: --map"),
        ] {
            assert!(check(reply).contains(part), "{part}");
        }
        assert_eq!(check_with(b"\xff{}", &[]), "not json: byte 0 is not UTF-8 in `\u{fffd}{}`");
        assert_eq!(
            check_with(br#"{"result":1}"#, &["answer=/text"]),
            "bad reply: no pointer of --map leads to anything; the reply has /result"
        );
    }
}
