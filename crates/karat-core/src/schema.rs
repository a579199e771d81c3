//! What exactly may stand in each file? JSON Schemas, made from the declarations.

use serde_json::{Map, Value, json};

use crate::dialects::{self, Dialect, Field, Shape};
use crate::lock::Lock;
use crate::report::{Checked, Report};
use crate::request::key::{self, Key};
use crate::suite::Suite;
use crate::suites;

/// A schema, by name.
pub struct Schema {
    /// The name that users type.
    pub name: &'static str,
    /// What it describes.
    pub summary: &'static str,
    /// The schema.
    pub build: fn() -> Value,
}

/// Every schema.
pub const ALL: &[Schema] = &[
    Schema { name: "agreement.pairs", summary: "one pair of ratings of `agreement`", build: agreement_pairs },
    Schema {
        name: "agreement.rater",
        summary: "one rating of a rater's own file of `agreement`",
        build: agreement_rater,
    },
    Schema {
        name: "answers.gold",
        summary: "one row of a gold set of `answers`, either contract",
        build: answers_gold,
    },
    Schema { name: "answers.trace", summary: "one trace of `answers`, either dialect", build: answers_trace },
    Schema {
        name: "comparison",
        summary: "a comparison of two reports (`karat compare --format json`)",
        build: comparison,
    },
    Schema {
        name: "comparisons",
        summary: "a comparison of two checks (`karat compare --format json`)",
        build: comparisons,
    },
    Schema { name: "check", summary: "the result of `karat check` (`--format json`)", build: check },
    Schema { name: "config", summary: "karat.toml, read as JSON", build: config },
    Schema { name: "gold", summary: "one row of a gold set, any suite", build: any_gold },
    Schema { name: "lock", summary: "a frozen gold set (`gold.lock`)", build: lock },
    Schema {
        name: "latency.trace",
        summary: "one timed trace of `latency`: that of `answers`, with times",
        build: latency_trace,
    },
    Schema {
        name: "release.evidence",
        summary: "one chunk of the evidence store of `release`",
        build: release_evidence,
    },
    Schema { name: "release.gold", summary: "one row of a gold set of `release`", build: release_gold },
    Schema { name: "release.trace", summary: "one case of `release`", build: release_trace },
    Schema { name: "report", summary: "the full report (`--format json`)", build: report },
    Schema {
        name: "retrieval.blocks",
        summary: "one row of the block table of `retrieval`",
        build: retrieval_blocks,
    },
    Schema { name: "retrieval.gold", summary: "one question of `retrieval`", build: retrieval_gold },
    Schema { name: "retrieval.trace", summary: "one run of `retrieval`", build: retrieval_trace },
    Schema {
        name: "stability.gold",
        summary: "one row of a gold set of `stability`: that of `answers`",
        build: answers_gold,
    },
    Schema { name: "stability.trace", summary: "one run of `stability`", build: stability_trace },
    Schema { name: "trace", summary: "one trace, any suite", build: any_trace },
];

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

fn comparison() -> Value {
    schemars::schema_for!(crate::compare::Comparison).to_value()
}

fn comparisons() -> Value {
    schemars::schema_for!(crate::compare::Project).to_value()
}

fn check() -> Value {
    schemars::schema_for!(Checked).to_value()
}

/// karat.toml, as an editor checks it.
fn config() -> Value {
    let table = |keys: &[Key]| -> Value {
        let properties: Map<String, Value> =
            keys.iter().map(|key| (key.name.to_owned(), value_of(key))).collect();
        let required: Vec<&str> = keys.iter().filter(|key| key.required).map(|key| key.name).collect();
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    };
    let suite = |suite: &&'static Suite| {
        let own = suite.inputs.iter().chain(suite.options).filter(|key| !key.typed_only);
        let keys: Vec<Key> = std::iter::once(&key::KIND).chain(key::COMMON).chain(own).copied().collect();
        let mut schema = table(&keys);
        schema["properties"]["kind"] = json!({ "const": suite.name });
        schema
    };
    let suites: Vec<Value> = suites::ALL.iter().map(suite).collect();
    json!({
        "$schema": DRAFT,
        "title": "karat.toml",
        "type": "object",
        "additionalProperties": false,
        "required": ["suites"],
        "properties": {
            "gold": table(key::GOLD),
            "report": table(key::REPORT),
            "suites": { "type": "object", "minProperties": 1, "additionalProperties": { "oneOf": suites } },
            "waivers": { "type": "array", "items": table(key::WAIVER) },
        },
    })
}

fn value_of(key: &Key) -> Value {
    use key::Shape;
    let text = || json!({ "type": "string", "minLength": 1 });
    let number = |least: u64, most: u64| match most {
        u64::MAX => json!({ "type": "integer", "minimum": least }),
        most => json!({ "type": "integer", "minimum": least, "maximum": most }),
    };
    let or_several = |one: Value| json!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }] });
    let mut schema = match key.shape {
        Shape::File | Shape::Text => text(),
        Shape::Files | Shape::Texts => or_several(text()),
        Shape::Word(words) => json!({ "enum": words.iter().map(|(word, _)| *word).collect::<Vec<_>>() }),
        Shape::Number(least, most) => number(least, most),
        Shape::Numbers(least, most) => or_several(number(least, most)),
        Shape::Date => json!({ "type": "string", "format": "date" }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::NamedFiles => json!({ "type": "object", "additionalProperties": text() }),
        Shape::NamedTexts => json!({ "type": "object", "additionalProperties": {
            "anyOf": [{ "type": ["string", "integer"] }, { "type": "array", "items": { "type": ["string", "integer"] } }]
        } }),
    };
    schema["description"] = json!(key.meaning);
    schema
}

fn report() -> Value {
    schemars::schema_for!(Report).to_value()
}

fn lock() -> Value {
    schemars::schema_for!(Lock).to_value()
}

fn of(suite: &str) -> impl Iterator<Item = &'static Dialect> {
    dialects::ALL.iter().copied().filter(move |dialect| dialect.suite == suite)
}

fn answers_gold() -> Value {
    titled("A gold row", of("answers").map(|d| object(d.name, d.summary, d.gold)).collect())
}

fn any_gold() -> Value {
    let with_gold = dialects::ALL.iter().filter(|dialect| !dialect.gold.is_empty());
    titled("A gold row", with_gold.map(|d| object(d.name, d.summary, d.gold)).collect())
}

fn any_trace() -> Value {
    let others = dialects::ALL.iter().filter(|d| d.suite != "answers");
    let mut answers = answers_trace();
    if let Some(map) = answers.as_object_mut() {
        map.remove("$schema");
    }
    let shapes = std::iter::once(answers).chain(others.map(|d| object(d.name, d.summary, d.trace)));
    titled("A trace", shapes.collect())
}

fn agreement_pairs() -> Value {
    alone(&suites::agreement::input::DIALECT, suites::agreement::input::DIALECT.trace)
}

fn agreement_rater() -> Value {
    let fields = suites::agreement::input::DIALECT.others.iter().find(|(role, _)| *role == "rater");
    alone(&suites::agreement::input::DIALECT, fields.map_or(&[][..], |(_, fields)| fields))
}

/// A trace of `answers` with the fields of time beside its own.
fn latency_trace() -> Value {
    let mut schema = answers_trace();
    for field in suites::latency::input::DIALECT.trace.iter().filter(|field| field.name != "qid") {
        schema["properties"][field.name] = property(field);
    }
    schema["description"] = json!(suites::latency::input::DIALECT.summary);
    schema
}

fn release_gold() -> Value {
    alone(&suites::release::input::DIALECT, suites::release::input::DIALECT.gold)
}

fn release_trace() -> Value {
    alone(&suites::release::input::DIALECT, suites::release::input::DIALECT.trace)
}

fn release_evidence() -> Value {
    other(&suites::release::input::DIALECT, "evidence")
}

fn retrieval_gold() -> Value {
    alone(&suites::retrieval::input::DIALECT, suites::retrieval::input::DIALECT.gold)
}

fn retrieval_trace() -> Value {
    alone(&suites::retrieval::input::DIALECT, suites::retrieval::input::DIALECT.trace)
}

fn retrieval_blocks() -> Value {
    other(&suites::retrieval::input::DIALECT, "blocks")
}

fn stability_trace() -> Value {
    alone(&suites::stability::input::DIALECT, suites::stability::input::DIALECT.trace)
}

fn other(dialect: &Dialect, role: &str) -> Value {
    let fields = dialect.others.iter().find(|(known, _)| *known == role);
    alone(dialect, fields.map_or(&[][..], |(_, fields)| fields))
}

fn alone(dialect: &Dialect, fields: &[Field]) -> Value {
    let mut schema = object(dialect.name, dialect.summary, fields);
    schema["$schema"] = json!(DRAFT);
    schema
}

/// One object with the fields of every dialect: a trace may mix them, and each field is checked wherever it stands.
fn answers_trace() -> Value {
    let mut fields: Vec<Field> = Vec::new();
    for field in of("answers").flat_map(|dialect| dialect.trace) {
        if !fields.iter().any(|known| known.name == field.name) {
            fields.push(*field);
        }
    }
    let summaries: Vec<String> = of("answers").map(|d| format!("`{}`: {}", d.name, d.summary)).collect();
    let mut schema = object("trace", &summaries.join(" "), &fields);
    // A trace must name its case: by id, or by the question's text.
    let named =
        |key: &str| json!({ "required": [key], "properties": { key: { "not": { "enum": [null, ""] } } } });
    schema["anyOf"] = ["qid", "q_id", "q", "question"].iter().map(|key| named(key)).collect();
    schema["$schema"] = json!(DRAFT);
    schema
}

fn titled(title: &str, shapes: Vec<Value>) -> Value {
    json!({ "$schema": DRAFT, "title": title, "anyOf": shapes })
}

fn object(name: &str, summary: &str, fields: &[Field]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.to_owned(), property(field))).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| field.required.is_some()).map(|field| field.name).collect();
    let mut object =
        json!({ "type": "object", "title": name, "description": summary, "properties": properties });
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}

fn property(field: &Field) -> Value {
    let id = || json!({ "type": ["string", "integer"] });
    let offsets = || json!({ "type": "array", "items": { "type": "integer", "minimum": 0 }, "minItems": 2, "maxItems": 2 });
    let list = |items: Value| json!({ "type": "array", "items": items });
    let mut schema = match field.shape {
        Shape::Id => id(),
        Shape::Text => json!({ "type": "string" }),
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Whole => json!({ "type": "integer" }),
        Shape::Numbers => list(json!({ "type": ["number", "null"] })),
        Shape::Offsets => offsets(),
        Shape::OffsetsByName => json!({ "type": "object", "additionalProperties": offsets() }),
        Shape::Graded => json!({ "anyOf": [
            { "type": "array", "items": id(), "minItems": 1 },
            { "type": "object", "additionalProperties": { "type": ["integer", "null"], "minimum": 0 }, "minProperties": 1 },
        ] }),
        Shape::Time => json!({ "type": ["string", "number"] }),
        Shape::TextsByName => {
            json!({ "type": "object", "additionalProperties": list(json!({ "type": "string" })) })
        }
        Shape::Pairs => json!({ "type": ["object", "array"] }),
        Shape::Texts => list(json!({ "type": "string" })),
        Shape::Ids if field.required.is_some() => list(id()),
        Shape::Ids | Shape::Objects(_) => list(json!({})), // in a log, an element of another type is scored, not refused
        Shape::OneOf(words) => json!({ "enum": words }),
        Shape::Record(fields) => {
            let properties: Map<String, Value> =
                fields.iter().map(|field| (field.name.to_owned(), property(field))).collect();
            json!({ "type": "object", "properties": properties })
        }
        Shape::Object(_) | Shape::Any => json!({}),
    };
    if field.required.is_none() && !schema.as_object().is_some_and(Map::is_empty) {
        schema = json!({ "anyOf": [schema, { "type": "null" }] }); // a null is an absent field
    }
    if let Shape::Object(fields) | Shape::Objects(fields) = field.shape {
        let named: Vec<String> = fields.iter().map(|f| format!("`{}`: {}", f.name, f.doc)).collect();
        schema["description"] = json!(format!("{} {}", field.doc, named.join(" ")));
    } else {
        schema["description"] = json!(field.doc);
    }
    schema
}
