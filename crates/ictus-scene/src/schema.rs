//! The JSON Schema of scenes, for editors that complete and check as one types.
//!
//! It is written from the same lists that the reader checks against. It knows keys, types, words and ranges; units and names are
//! the reader's.

use ictus::laws::Law;
use ictus::objects::MATERIALS;
use serde_json::{Map, Value, json};

use crate::objects::{mode_info, start_info};
use crate::read::parts_info;
use crate::registry::contact::{contacts, force, pickup, profile, roughness};
use crate::registry::field::{Bounds, Family, Field, Kind, TableInfo};
use crate::registry::{KindInfo, exciters, objects, played, whole};

/// The schema, draft 7.
pub fn schema() -> Value {
    let mut definitions = Map::new();
    for template in [false, true] {
        let mut define = |family: Family, value: Value| {
            definitions.insert(name_of(family, template), value);
        };
        define(Family::Objects, by_kind(objects(), template));
        let mut all = by_kind(exciters(), template);
        if let Some(kinds) = all["anyOf"].as_array_mut().filter(|_| !template) {
            kinds.push(table(parts_info(), false));
        }
        define(Family::Exciters, all);
        define(Family::Contacts, any_of(contacts().iter().map(|(law, info)| with_law(info, law, template))));
        define(Family::Forces, table(force(), template));
        define(Family::Pickups, table(pickup(), template));
        let count = if template { OF_TEMPLATES } else { NESTED.len() };
        for info in NESTED.iter().take(count).map(|info| info()) {
            definitions.insert(nested_name(info, template), table(info, template));
        }
    }
    let materials: Vec<&str> = MATERIALS.iter().map(|material| material.name).collect();
    definitions.insert("material".into(), json!({ "enum": materials }));
    definitions.insert(name_of(Family::Sets, false), table(played::set(), true));
    definitions.insert(name_of(Family::Showers, false), table(played::shower(), false));
    definitions.insert(name_of(Family::Controls, false), table(played::control(), false));
    definitions.insert("point".into(), point());
    definitions.insert("note-by-note".into(), note_by_note());
    definitions.insert("drawn".into(), drawn());
    let mut schema = table(whole::scene(), false);
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("$schema".into(), json!("http://json-schema.org/draft-07/schema#"));
        schema.insert("title".into(), json!("An ictus scene"));
        schema.insert("definitions".into(), Value::Object(definitions));
    }
    schema
}

/// The schema as text: one key to a line.
pub fn schema_text() -> String {
    let mut text = String::new();
    write(&schema(), 0, &mut text);
    text.push('\n');
    text
}

fn write(value: &Value, depth: usize, text: &mut String) {
    const DEEPEST: usize = 6;
    let indent = |depth: usize| format!("\n{}", "  ".repeat(depth));
    match value {
        Value::Object(map) if depth < DEEPEST && !map.is_empty() => {
            text.push('{');
            for (index, (key, inner)) in map.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                text.push_str(&format!("{}{}: ", indent(depth + 1), json!(key)));
                write(inner, depth + 1, text);
            }
            text.push_str(&format!("{}}}", indent(depth)));
        }
        Value::Array(list) if depth < DEEPEST - 1 && list.iter().any(Value::is_object) => {
            text.push('[');
            for (index, inner) in list.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                text.push_str(&indent(depth + 1));
                write(inner, depth + 1, text);
            }
            text.push_str(&format!("{}]", indent(depth)));
        }
        flat => text.push_str(&flat.to_string()),
    }
}

/// The definition of a family's tables, in a scene or in a set's templates.
fn name_of(family: Family, template: bool) -> String {
    let name = family.key().trim_end_matches('s');
    if template { format!("{name}-of-each") } else { name.to_owned() }
}

/// Tables within tables; the first of them also in the templates of sets.
const NESTED: [fn() -> &'static TableInfo; 9] = [
    start_info,
    mode_info,
    profile,
    roughness,
    whole::limits,
    whole::output,
    played::notes,
    played::voice,
    played::event,
];

const OF_TEMPLATES: usize = 4;

/// The definition of a table within a table.
fn nested_name(info: &TableInfo, template: bool) -> String {
    let name = info.title.trim_start_matches("a ").trim_start_matches("an ").trim_matches(['[', ']']);
    if template { format!("{name}-of-each") } else { name.to_owned() }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

fn any_of(values: impl Iterator<Item = Value>) -> Value {
    json!({ "anyOf": values.collect::<Vec<_>>() })
}

fn by_kind(kinds: &[KindInfo], template: bool) -> Value {
    let tables = |kind: &KindInfo| match kind.by_law.is_empty() {
        true => vec![table(&kind.table, template)],
        false => kind.by_law.iter().map(|(law, info)| exciter_with_law(kind, info, law, template)).collect(),
    };
    any_of(kinds.iter().flat_map(tables))
}

/// A table that names a law.
fn with_law(info: &TableInfo, law: &str, template: bool) -> Value {
    let mut value = table(info, template);
    value["properties"]["law"] = json!({ "const": law, "description": info.doc });
    value
}

/// The same where the law may be left out if it is the default.
fn exciter_with_law(kind: &KindInfo, info: &TableInfo, law: &str, template: bool) -> Value {
    let mut value = with_law(info, law, template);
    let is_default = kind.table.fields.len() == info.fields.len()
        && kind.table.fields.iter().zip(&info.fields).all(|(a, b)| a.key == b.key && a.default == b.default);
    if !is_default && let Some(required) = value["required"].as_array_mut() {
        required.push(json!("law"));
    }
    value
}

fn table(info: &TableInfo, template: bool) -> Value {
    let properties: Map<String, Value> =
        info.fields.iter().map(|field| (field.key.to_string(), property(field, template))).collect();
    let required: Vec<&str> = info.fields.iter().filter(|field| field.required).map(|field| &*field.key).collect();
    json!({
        "type": "object",
        "description": info.doc,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn property(field: &Field, template: bool) -> Value {
    let mut value = kind(&field.kind, template);
    let mut text = field.doc.to_string();
    if let Kind::Quantity(measure, bounds) = &field.kind {
        let range = bounds.describe(measure);
        if !range.is_empty() {
            text += &format!(" {}{}.", range[..1].to_uppercase(), &range[1..]);
        }
    }
    if !field.default.is_empty() {
        text += &format!(" Default: {}.", field.default);
    }
    if let Some(value) = value.as_object_mut() {
        // Beside a reference everything else is ignored.
        if value.contains_key("$ref") {
            let reference = value.remove("$ref");
            value.insert("allOf".into(), json!([{ "$ref": reference }]));
        }
        value.insert("description".into(), json!(text));
    }
    value
}

fn kind(of: &Kind, template: bool) -> Value {
    let inner = |of: &Kind| kind(of, template);
    match of {
        Kind::Quantity(measure, bounds) => {
            let text = json!({ "type": "string", "minLength": 1, "examples": [measure.example] });
            let mut values = vec![number(bounds), text, reference("drawn")];
            if template {
                values.push(reference("note-by-note"));
            }
            json!({ "anyOf": values })
        }
        Kind::Whole(least, most) => {
            let text = json!({ "type": "string", "examples": ["8 ± 2"] });
            json!({ "anyOf": [{ "type": "integer", "minimum": least, "maximum": most }, text, reference("drawn")] })
        }
        Kind::Truth => json!({ "type": "boolean" }),
        Kind::Text | Kind::Name(_) | Kind::Path | Kind::Note => json!({ "type": "string" }),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::Constant(word) => json!({ "const": word }),
        Kind::Material => reference("material"),
        Kind::Law => json!({ "enum": Law::ALL.iter().map(|law| law.name).collect::<Vec<_>>() }),
        Kind::Point => reference("point"),
        Kind::Value => json!({ "anyOf": [{ "type": ["number", "string", "boolean"] }, reference("drawn")] }),
        Kind::NoteRange => {
            json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] })
        }
        Kind::Columns(kinds) => {
            let items: Vec<Value> = kinds.iter().map(inner).collect();
            json!({ "type": "array", "items": items, "minItems": kinds.len(), "maxItems": kinds.len() })
        }
        Kind::List(of) => json!({ "type": "array", "items": inner(of) }),
        Kind::Either(kinds) => any_of(kinds.iter().map(inner)),
        Kind::Table(info) => reference(&nested_name(info(), template)),
        Kind::Named(family) => {
            let is_scene = matches!(family, Family::Sets | Family::Showers | Family::Controls);
            json!({ "type": "object", "additionalProperties": reference(&name_of(*family, template && !is_scene)) })
        }
        Kind::Template => reference(&name_of(Family::Objects, true)),
    }
}

fn number(bounds: &Bounds) -> Value {
    let mut value = json!({ "type": "number" });
    let mut limit = |key: &str, bound: f64| {
        if bound.is_finite() {
            value[key] = json!(bound);
        }
    };
    limit(if bounds.above { "exclusiveMinimum" } else { "minimum" }, bounds.least);
    limit(if bounds.below { "exclusiveMaximum" } else { "maximum" }, bounds.most);
    value
}

fn point() -> Value {
    let fraction = json!({ "anyOf": [
        { "type": "number", "minimum": 0, "maximum": 1 },
        { "type": "string" },
        reference("note-by-note"),
        reference("drawn"),
    ] });
    json!({
        "description": Kind::Point.describe(),
        "anyOf": [
            { "type": "string", "examples": ["string@0.12", "plate@0.3,0.4", "mass", "bell#1"] },
            {
                "type": "object",
                "properties": {
                    "object": { "type": "string", "description": "Its name." },
                    "at": {
                        "description": "A fraction of the length, or of the two sides.",
                        "anyOf": [fraction, { "type": "array", "items": fraction, "minItems": 2, "maxItems": 2 }],
                    },
                    "point": { "type": "integer", "minimum": 1, "description": "Number of a modal object's point." },
                    "everywhere": { "const": true, "description": "All of it, every part by its mass." },
                },
                "required": ["object"],
                "additionalProperties": false,
            },
        ],
    })
}

fn drawn() -> Value {
    let one = json!({ "type": ["number", "string"] });
    json!({
        "description": "A number drawn from the seed.",
        "anyOf": [
            {
                "type": "object",
                "properties": {
                    "between": { "description": "The least and the most.", "type": "array", "items": one, "minItems": 2, "maxItems": 2 },
                    "scale": { "description": "`log`: equal ratios are equally likely. Default: linear.", "enum": ["linear", "log"] },
                },
                "required": ["between"],
                "additionalProperties": false,
            },
            {
                "type": "object",
                "properties": { "around": one, "spread": one },
                "required": ["around", "spread"],
                "additionalProperties": false,
            },
        ],
    })
}

fn note_by_note() -> Value {
    let one = json!({ "type": ["number", "string"] });
    json!({
        "description": "A value for each note of a set.",
        "anyOf": [
            { "type": "object", "properties": { "low": one, "high": one }, "required": ["low", "high"], "additionalProperties": false },
            {
                "type": "object",
                "properties": { "values": { "type": "array", "items": one } },
                "required": ["values"],
                "additionalProperties": false,
            },
        ],
    })
}
