//! Overrides: values put in place of those of the text, before anything is interpreted.

use super::quantity::shortened;
use crate::problem::{Found, Span, suggestion};
use crate::registry::Family;
use crate::tree::{self, Node, Table, Value};

const FAMILIES: &[Family] = &[
    Family::Objects,
    Family::Contacts,
    Family::Exciters,
    Family::Forces,
    Family::Pickups,
    Family::Sets,
    Family::Controls,
];

/// Puts an override in place: `NAME` is a control (its starting value), a key at the top, or a path from a named table on.
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
        [ref path @ .., last] if !path.is_empty() => {
            // Names that sets make have points in them: the longest name that there is.
            let first = |length: &usize| path[..*length].join(".");
            let length = (1..=path.len()).rev().find(|length| has_name(scene, &first(length))).unwrap_or(1);
            let section = match path[0] {
                section @ ("output" | "limits" | "notes") => table_or_new(scene, section, span),
                _ => named_mut(scene, &first(&length)),
            };
            let table = path[length..].iter().try_fold(section, |table, part| Some(table_mut(table?, part)));
            match table.flatten() {
                Some(table) => {
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

/// The table of a name, in whichever family it is.
fn named_mut<'t>(scene: &'t mut Table, name: &str) -> Option<&'t mut Table> {
    let family = FAMILIES.iter().find(|family| is_in(scene, **family, name))?;
    table_mut(table_mut(scene, family.key())?, name)
}

fn unknown(scene: &Table, span: Span, name: &str) -> Found {
    let mut names: Vec<String> = Vec::new();
    for family in FAMILIES {
        for (key, node) in
            scene.get(family.key()).and_then(Node::table).map(|table| &*table.entries).unwrap_or_default()
        {
            if *family == Family::Controls {
                names.push(key.name.clone());
            }
            let keys = node.table().map(|table| &*table.entries).unwrap_or_default();
            names.extend(keys.iter().map(|(inner, _)| format!("{}.{}", key.name, inner.name)));
        }
    }
    let message = format!("there is no control and no key `{}`", shortened(name));
    Found::new(span, message).help(suggestion(name, "there are", names.iter().map(String::as_str)))
}
