//! Overrides: values put in place of those of the text, before anything is interpreted.

use ictus::names::nearest;

use super::quantity::shortened;
use crate::problem::{Found, Span, suggestion};
use crate::registry::Family;
use crate::source::MOST_BYTES;
use crate::tree::{self, Key, Node, Table, Value};
use crate::units::{self, FRACTION, SEMITONES, VELOCITY};

const FAMILIES: &[Family] = &[
    Family::Objects,
    Family::Contacts,
    Family::Exciters,
    Family::Forces,
    Family::Pickups,
    Family::Sets,
    Family::Showers,
    Family::Controls,
];

/// Keys that only live parameters have: a place of something the text names by a point, the travel over a rough surface, and how far a string
/// is bent.
const ONLY_LIVE: &[&str] = &["at", "across", "from_at", "from_across", "to_at", "to_across", "travel", "bent"];

/// Longest path in bytes: a name has at most 100, and a path a few names.
const LONGEST_PATH: usize = 1000;

/// Most values that are set: each is looked for among the keys of its table.
const MOST_SET: usize = 10_000;

/// What is set is bounded as the text is, before it is taken apart.
pub(crate) fn check_size(overrides: &[(String, String)]) -> Result<(), Found> {
    let refuse = |message| Err(Found::new(Span::Override(0), message));
    if overrides.len() > MOST_SET {
        return refuse(format!("{} values are set; at most {MOST_SET} are allowed", overrides.len()));
    }
    if let Some((name, _)) = overrides.iter().find(|(name, _)| name.len() > LONGEST_PATH) {
        return refuse(format!("what is set has a path of {} bytes; at most {LONGEST_PATH} are allowed", name.len()));
    }
    let bytes: usize = overrides.iter().map(|(name, value)| name.len() + value.len()).sum();
    if bytes > MOST_BYTES {
        return refuse(format!("all that is set is larger than {} MB, the most it may have", MOST_BYTES >> 20));
    }
    match tree::too_large(overrides.iter().map(|(_, value)| &**value)) {
        Some([megabytes, most]) => {
            refuse(format!("reading what is set would take {megabytes} MB; the limit is {most} MB"))
        }
        None => Ok(()),
    }
}

/// The value of an override in SI that is for a live parameter and for no key of the text: it is set when the score begins.
pub(crate) fn only_live(name: &str, value: &str) -> Option<f64> {
    let (thing, key) = name.rsplit_once('.')?;
    let in_table = thing.rsplit_once('.').is_some_and(|(_, table)| matches!(table, "start" | "profile" | "roughness"));
    if in_table || thing.starts_with("events.") || !ONLY_LIVE.contains(&key) {
        return None;
    }
    let measure = match key {
        "travel" => VELOCITY,
        "bent" => SEMITONES,
        _ => FRACTION,
    };
    units::parse(value.trim().trim_matches('"'), &measure).ok()
}

/// Puts an override in place: `NAME` is a control (its starting value), a key at the top, or a path from a named table on. What only one set
/// names needs no name of the set.
pub(crate) fn apply(scene: &mut Table, number: usize, name: &str, value: &str) -> Result<(), Found> {
    let span = Span::Override(number);
    let node = tree::parse_override(value, number);
    if let Some(control) = table_mut(scene, "controls").and_then(|controls| table_mut(controls, name)) {
        control.set("value", node);
        return Ok(());
    }
    let parts: Vec<&str> = name.split('.').collect();
    match parts[..] {
        // Keys at the top may be new; the reader knows them.
        [key] if is_top(key) => {
            scene.set(key, node);
            Ok(())
        }
        ["events", number, key] => match event_mut(scene, number) {
            Some(event) => {
                event.set(key, node);
                Ok(())
            }
            None => Err(unknown(scene, span, name)),
        },
        [ref path @ .., last] if !path.is_empty() => {
            // Names that sets make have points in them: the longest name that there is.
            let first = |length: &usize| path[..*length].join(".");
            let length = (1..=path.len()).rev().find(|length| has_name(scene, &first(length))).unwrap_or(1);
            let section = match path[0] {
                section @ ("output" | "limits" | "notes") => table_or_new(scene, section, span),
                _ if has_name(scene, &first(&length)) => named_mut(scene, &first(&length)),
                _ => of_only_set(scene, path[0]),
            };
            let table = path[length..].iter().try_fold(section, |table, part| Some(inner_mut(table?, part)));
            match table.flatten() {
                Some(table) => {
                    // A level takes the place of the weight that it would be by itself, as it does live.
                    if last == "level" {
                        table.entries.retain(|(key, _)| key.name != "gravity");
                    }
                    table.set(last, node);
                    Ok(())
                }
                None => Err(unknown(scene, span, name)),
            }
        }
        _ => Err(unknown(scene, span, name)),
    }
}

fn is_top(key: &str) -> bool {
    crate::registry::whole::scene().field(key).is_some_and(|field| {
        !matches!(
            field.kind,
            crate::registry::Kind::Named(_) | crate::registry::Kind::Table(_) | crate::registry::Kind::List(_)
        )
    })
}

fn table_mut<'t>(table: &'t mut Table, key: &str) -> Option<&'t mut Table> {
    if let Value::Table(table) = &mut table.get_mut(key)?.value { Some(table) } else { None }
}

fn table_or_new<'t>(table: &'t mut Table, key: &str, span: Span) -> Option<&'t mut Table> {
    if table.get(key).and_then(Node::table).is_none() {
        table.set(key, Node { span, value: Value::Table(Table::default()) });
    }
    table_mut(table, key)
}

/// Whether a family has a table of this name.
fn is_in(scene: &Table, family: Family, name: &str) -> bool {
    scene.get(family.key()).and_then(Node::table).is_some_and(|named| named.get(name).is_some())
}

fn has_name(scene: &Table, name: &str) -> bool {
    FAMILIES.iter().any(|family| is_in(scene, *family, name))
}

/// An event by its number, from 0.
fn event_mut<'t>(scene: &'t mut Table, number: &str) -> Option<&'t mut Table> {
    let Value::List(events) = &mut scene.get_mut("events")?.value else { return None };
    let Value::Table(event) = &mut events.get_mut(number.parse::<usize>().ok()?)?.value else { return None };
    Some(event)
}

/// A table in a table; of a set also what it calls by this name, in whichever family that is.
fn inner_mut<'t>(table: &'t mut Table, key: &str) -> Option<&'t mut Table> {
    if table.get(key).and_then(Node::table).is_some() { table_mut(table, key) } else { named_mut(table, key) }
}

/// The table of a name, in whichever family it is.
fn named_mut<'t>(scene: &'t mut Table, name: &str) -> Option<&'t mut Table> {
    let family = FAMILIES.iter().find(|family| is_in(scene, **family, name))?;
    table_mut(table_mut(scene, family.key())?, name)
}

/// The table of a name that only one set has: `mallet.mass` for `bars.mallet.mass`.
fn of_only_set<'t>(scene: &'t mut Table, name: &str) -> Option<&'t mut Table> {
    let sets = named(scene, Family::Sets).iter();
    let mut having =
        sets.filter(|(_, set)| set.table().is_some_and(|set| has_name(set, name))).map(|(key, _)| &key.name);
    let (Some(set), None) = (having.next().cloned(), having.next()) else { return None };
    named_mut(table_mut(table_mut(scene, Family::Sets.key())?, &set)?, name)
}

fn unknown(scene: &Table, span: Span, name: &str) -> Found {
    let mut names: Vec<String> = Vec::new();
    for (key, _) in named(scene, Family::Controls) {
        names.push(key.name.clone());
    }
    add_paths(&mut names, "", scene);
    for (set, node) in named(scene, Family::Sets) {
        let Some(table) = node.table() else { continue };
        add_paths(&mut names, &format!("{}.", set.name), table);
        let template = table.get("object").and_then(Node::table).map(|table| &*table.entries).unwrap_or_default();
        names.extend(template.iter().map(|(key, _)| format!("{}.object.{}", set.name, key.name)));
    }
    for (number, event) in scene.get("events").and_then(Node::list).unwrap_or_default().iter().enumerate() {
        let keys = event.table().map(|table| &*table.entries).unwrap_or_default();
        names.extend(keys.iter().map(|(key, _)| format!("events.{number}.{}", key.name)));
    }
    let found = Found::new(span, format!("there is no control and no key `{}`", shortened(name)));
    let all = || names.iter().map(String::as_str);
    // What a set has may be meant without its name.
    let inner = || all().filter_map(|path| path.split_once('.')).filter(|(_, inner)| inner.contains('.'));
    let meant = nearest(name, all()).is_none().then(|| nearest(name, inner().map(|(_, inner)| inner))).flatten();
    match meant.and_then(|meant| inner().find(|(_, inner)| *inner == meant)) {
        Some((set, meant)) => found.help(format!("did you mean `{set}.{meant}`?")),
        None => found.help(suggestion(name, "there are", all())),
    }
}

fn named(table: &Table, family: Family) -> &[(Key, Node)] {
    table.get(family.key()).and_then(Node::table).map(|table| &*table.entries).unwrap_or_default()
}

/// The keys that are written in the named tables of a scene or a set.
fn add_paths(names: &mut Vec<String>, prefix: &str, table: &Table) {
    for family in FAMILIES.iter().filter(|family| !matches!(family, Family::Sets)) {
        for (key, node) in named(table, *family) {
            let keys = node.table().map(|table| &*table.entries).unwrap_or_default();
            names.extend(keys.iter().map(|(inner, _)| format!("{prefix}{}.{}", key.name, inner.name)));
        }
    }
}
