//! The page and the schema say what the reader does. `UPDATE=1 cargo test -p ictus-scene --test all documentation` rewrites both.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ictus_scene::{documentation, schema, schema_text};
use serde_json::Value;

fn docs(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

/// Compares a file with what it should be, or makes it so.
fn is_current(name: &str, expected: &str) {
    let path = docs(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, expected).unwrap();
    }
    let actual = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = actual.lines().zip(expected.lines()).position(|(a, b)| a != b);
    assert!(
        actual == expected,
        "docs/{name} is not current (line {:?}): UPDATE=1 cargo test -p ictus-scene --test all documentation",
        differs.map(|line| line + 1)
    );
}

#[test]
fn the_schema_is_current() {
    is_current("scene.schema.json", &schema_text());
}

#[test]
fn the_text_of_the_schema_is_the_schema() {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(parsed(&schema_text()), parsed(&schema().to_string()));
}

#[test]
fn the_tables_of_the_page_are_current() {
    let page = std::fs::read_to_string(docs("scenes.md")).unwrap();
    is_current("scenes.md", &documentation::update(&page).unwrap());
}

#[test]
fn the_scenes_of_the_page_are_scenes_that_sound_and_do_not_clip() {
    let page = std::fs::read_to_string(docs("scenes.md")).unwrap();
    let blocks = page.split("```toml\n").skip(1).map(|block| block.split("```").next().unwrap());
    let scenes: Vec<&str> = blocks.filter(|block| block.contains("ictus = 1")).collect();
    assert!(scenes.len() >= 2);
    for text in scenes {
        let source = ictus_scene::Source::new("scenes.md", text);
        let scene = ictus_scene::read(&source, &ictus_scene::Reading::default());
        let scene = scene.unwrap_or_else(|problems| panic!("{problems:?}"));
        let mut instrument = ictus_scene::Instrument::new(&scene).unwrap();
        let mut sound = vec![0.0; (scene.duration * scene.model.rate) as usize * instrument.channels()];
        instrument.process(&mut sound);
        let peak = sound.iter().fold(0.0, |peak: f64, sample| peak.max(sample.abs()));
        assert!((0.1..1.0).contains(&peak), "{}: {peak}", scene.title);
    }
}

/// What a schema says against a value: enough of draft 7 for this schema.
fn errors(root: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let mut all = Vec::new();
    let sub = |schema: &Value, value: &Value, at: &str| errors(root, schema, value, at);
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.strip_prefix("#/definitions/").unwrap();
        return sub(&root["definitions"][name], value, at);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        all.extend(sub(part, value, at));
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let each: Vec<Vec<String>> = any.iter().map(|schema| sub(schema, value, at)).collect();
        if each.iter().all(|errors| !errors.is_empty()) {
            all.push(format!("{at}: none of {each:?}"));
        }
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    let is = |name: &&str| match *name {
        "number" => value.is_number(),
        "integer" => value.is_i64(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        _ => value.is_object(),
    };
    if !types.is_empty() && !types.iter().any(is) {
        all.push(format!("{at}: {value} is not {types:?}"));
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        all.push(format!("{at}: {value} is none of {words:?}"));
    }
    if !schema["const"].is_null() && schema["const"] != *value {
        all.push(format!("{at}: {value} is not {}", schema["const"]));
    }
    if let (Some(number), Some(least)) = (value.as_f64(), schema["minimum"].as_f64())
        && number < least
    {
        all.push(format!("{at}: {number} is below {least}"));
    }
    if let (Some(number), Some(bound)) = (value.as_f64(), schema["exclusiveMinimum"].as_f64())
        && number <= bound
    {
        all.push(format!("{at}: {number} is not above {bound}"));
    }
    if let Some(table) = value.as_object() {
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !table.contains_key(key) {
                all.push(format!("{at}: needs {key}"));
            }
        }
        for (key, inner) in table {
            let at = format!("{at}.{key}");
            match (&schema["properties"][key], &schema["additionalProperties"]) {
                (Value::Null, Value::Bool(false)) => all.push(format!("{at}: unknown")),
                (Value::Null, Value::Null) => {}
                (Value::Null, other) => all.extend(sub(other, inner, &at)),
                (property, _) => all.extend(sub(property, inner, &at)),
            }
        }
    }
    for (index, inner) in value.as_array().into_iter().flatten().enumerate() {
        let at = format!("{at}[{index}]");
        match &schema["items"] {
            Value::Array(list) => match list.get(index) {
                Some(item) => all.extend(sub(item, inner, &at)),
                None => all.push(format!("{at}: too many")),
            },
            Value::Null => {}
            items => all.extend(sub(items, inner, &at)),
        }
    }
    all
}

fn json_of(text: &str) -> Value {
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
}

#[test]
fn what_the_reader_accepts_the_schema_accepts() {
    let schema = schema();
    for text in [
        include_str!("scenes/hammer.toml"),
        include_str!("scenes/kinds.toml"),
        include_str!("scenes/parts.toml"),
        include_str!("scenes/memory.toml"),
        include_str!("scenes/sets.toml"),
        include_str!("scenes/pool.toml"),
    ] {
        assert_eq!(errors(&schema, &schema, &json_of(text), ""), Vec::<String>::new());
    }
    for entry in std::fs::read_dir(docs("../scenes")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(errors(&schema, &schema, &json_of(&text), ""), Vec::<String>::new(), "{}", path.display());
        }
    }
}

#[test]
fn the_schema_refuses_slips() {
    let schema = schema();
    for text in [
        "ictus = 1\n",
        "ictus = 1\ntitle = \"x\"\nduraton = 3",
        "ictus = 1\ntitle = \"x\"\nduration = -3",
        "ictus = 1\ntitle = \"x\"\n[objects.a]\nkind = \"strin\"",
        "ictus = 1\ntitle = \"x\"\n[objects.a]\nkind = \"string\"\nlenght = 1",
        "ictus = 1\ntitle = \"x\"\n[contacts.a]\nfrom = \"a\"\nto = \"b\"\nlaw = \"bow-friction\"\nnormal_force = 1\nstiffness = 1",
        "ictus = 1\ntitle = \"x\"\n[objects.a]\nkind = \"mass\"\nmass = { low = 1, high = 2 }",
        "ictus = 1\ntitle = \"x\"\n[[events]]\ntime = \"1 s\"\nshake = \"a\"",
    ] {
        assert!(!errors(&schema, &schema, &json_of(text), "").is_empty(), "{text}");
    }
}

#[test]
fn every_key_is_documented() {
    fn walk(schema: &Value, undocumented: &mut BTreeSet<String>) {
        if let Some(properties) = schema["properties"].as_object() {
            for (key, property) in properties {
                if property["description"].as_str().unwrap_or_default().is_empty()
                    && property["type"] != serde_json::json!(["number", "string"])
                    && key != "values"
                {
                    undocumented.insert(key.clone());
                }
            }
        }
        match schema {
            Value::Object(map) => map.values().for_each(|inner| walk(inner, undocumented)),
            Value::Array(list) => list.iter().for_each(|inner| walk(inner, undocumented)),
            _ => {}
        }
    }
    let mut undocumented = BTreeSet::new();
    walk(&schema(), &mut undocumented);
    assert_eq!(undocumented, BTreeSet::new());
}
