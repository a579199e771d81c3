//! What exactly may stand in each file? JSON Schemas, made from the declarations.

use serde_json::{Map, Value, json};

use crate::compare::{Comparison, Project};
use crate::dialect::{Field, Shape};
use crate::lock::Lock;
use crate::report::{Checked, Report};
use crate::request::key::{self, Key};
use crate::suite::Suite;

/// A schema, by name.
pub struct Schema {
    /// The name that users type.
    pub name: String,
    /// What it describes.
    pub summary: String,
    /// The schema.
    pub schema: Value,
}

impl Schema {
    fn new(name: impl Into<String>, summary: impl Into<String>, schema: Value) -> Self {
        Schema { name: name.into(), summary: summary.into(), schema }
    }
}

/// Every schema, in alphabetical order: those of the files that suites read, and of what karat writes.
#[must_use]
pub fn all(suites: &[&'static Suite]) -> Vec<Schema> {
    let mut all = vec![
        Schema::new(
            "comparison",
            "a comparison of two reports (`karat compare --format json`)",
            schemars::schema_for!(Comparison).to_value(),
        ),
        Schema::new(
            "comparisons",
            "a comparison of two checks (`karat compare --format json`)",
            schemars::schema_for!(Project).to_value(),
        ),
        Schema::new(
            "check",
            "the result of `karat check` (`--format json`)",
            schemars::schema_for!(Checked).to_value(),
        ),
        Schema::new("config", "karat.toml, read as JSON", config(suites)),
        Schema::new("gold", "one row of a gold set, any suite", any(suites, "A gold row", gold)),
        Schema::new("lock", "a frozen gold set (`gold.lock`)", schemars::schema_for!(Lock).to_value()),
        Schema::new("report", "the full report (`--format json`)", schemars::schema_for!(Report).to_value()),
        Schema::new("trace", "one trace, any suite", any(suites, "A trace", trace)),
    ];
    all.extend(suites.iter().flat_map(|suite| files(suite)));
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// The schemas of the files that a suite reads.
fn files(suite: &'static Suite) -> Vec<Schema> {
    let one = |role: &str, schema: Value| {
        let row = match role {
            "gold" => "row of a gold set",
            "trace" => "trace",
            _ => "row",
        };
        let of = if ["gold", "trace"].contains(&role) { "of" } else { &format!("of the {role} file of") };
        Schema::new(
            format!("{}.{role}", suite.name),
            format!("one {row} {of} `{}`", suite.name),
            whole(schema),
        )
    };
    let role = suite.dialects.first().map_or("trace", |dialect| dialect.trace_role);
    let others = suite.dialects.iter().flat_map(|dialect| {
        dialect.others.iter().map(|(role, fields)| one(role, object(dialect.name, dialect.summary, fields)))
    });
    let gold = gold(suite).map(|schema| one("gold", schema));
    let trace = trace(suite).map(|schema| one(role, schema));
    gold.into_iter().chain(trace).chain(others).collect()
}

/// A gold row of a suite: in any of its dialects.
fn gold(suite: &'static Suite) -> Option<Value> {
    let all = suite.dialects.iter().flat_map(|dialect| dialect.base.iter().chain([dialect]));
    let mut shapes: Vec<Value> = all
        .filter(|dialect| !dialect.gold.is_empty())
        .map(|dialect| object(dialect.name, dialect.summary, dialect.gold))
        .collect();
    match shapes.len() {
        0 | 1 => shapes.pop(),
        _ => Some(json!({ "title": "A gold row", "anyOf": shapes })),
    }
}

/// A trace of a suite: one object with the fields of every dialect, because a trace may mix them, and each field is
/// checked wherever it stands.
fn trace(suite: &'static Suite) -> Option<Value> {
    let base = || suite.dialects.iter().flat_map(|dialect| dialect.base);
    let mut fields: Vec<Field> = Vec::new();
    for field in suite.dialects.iter().chain(base()).flat_map(|dialect| dialect.trace) {
        if !fields.iter().any(|known| known.name == field.name) {
            fields.push(*field);
        }
    }
    let (name, summary) = match suite.dialects {
        [one] => (one.name, one.summary.to_owned()),
        several => {
            let each = several.iter().map(|dialect| format!("`{}`: {}", dialect.name, dialect.summary));
            ("trace", each.collect::<Vec<_>>().join(" "))
        }
    };
    let mut schema = object(name, &summary, &fields);
    // A trace that need not have an id must name its case in another way: by the question's text.
    let questions = ["qid", "q_id", "q", "question"];
    if fields.iter().any(|field| field.name == "q") {
        let named = |key: &str| json!({ "required": [key], "properties": { key: { "not": { "enum": [null, ""] } } } });
        schema["anyOf"] = questions.iter().map(|key| named(key)).collect();
    }
    (!fields.is_empty()).then_some(schema)
}

fn any(suites: &[&'static Suite], title: &str, of: fn(&'static Suite) -> Option<Value>) -> Value {
    let mut shapes: Vec<Value> = Vec::new();
    for shape in suites.iter().filter_map(|suite| of(suite)) {
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    whole(json!({ "title": title, "anyOf": shapes }))
}

fn whole(mut schema: Value) -> Value {
    schema["$schema"] = json!(DRAFT);
    schema
}

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// karat.toml, as an editor checks it.
fn config(suites: &[&'static Suite]) -> Value {
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
    let suites: Vec<Value> = suites.iter().map(suite).collect();
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
