//! Whether a value is what its key asks for: kind, range, and the names it may be.

use ictus::laws::Law;
use ictus::objects::{MATERIALS, material};

use super::contacts::unknown_law;
use super::context::Context;
use super::fields::Fields;
use super::quantity::{Share, is_spread, quantity, shortened};
use super::variation;
use crate::notes;
use crate::problem::{Found, suggestion};
use crate::registry::Kind;
use crate::tree::{Node, Value};

/// Whether a value has the outward shape of a kind.
fn has_shape(kind: &Kind, node: &Node) -> bool {
    match (kind, &node.value) {
        (Kind::Quantity(..) | Kind::Value, Value::Whole(_) | Value::Number(_) | Value::Text(_)) => true,
        (Kind::Quantity(..), Value::Table(table)) => is_spread(table),
        (Kind::Quantity(..) | Kind::Value | Kind::Whole(..), Value::Varied(_)) => true,
        (Kind::Text | Kind::Point, Value::Varied(varied)) => matches!(varied.written, Value::Text(_)),
        (Kind::Whole(..), Value::Whole(_)) => true,
        (Kind::Truth | Kind::Value, Value::Truth(_)) => true,
        (Kind::Truth, _) => node.truth().is_some(),
        (Kind::Columns(_) | Kind::List(_) | Kind::NoteRange, Value::List(_)) => true,
        (Kind::Table(_) | Kind::Named(_) | Kind::Template | Kind::Point, Value::Table(_)) => true,
        (Kind::Either(kinds), _) => kinds.iter().any(|kind| has_shape(kind, node)),
        (
            Kind::Text
            | Kind::Choice(_)
            | Kind::Constant(_)
            | Kind::Material
            | Kind::Law
            | Kind::Name(_)
            | Kind::Point
            | Kind::Path
            | Kind::Note
            | Kind::NoteRange,
            Value::Text(_),
        ) => true,
        _ => false,
    }
}

/// What is wrong with a value, for the kind that its key has.
pub(super) fn check(context: &Context, kind: &Kind, key: &str, node: &Node, share: Option<Share>) -> Vec<Found> {
    let wrong = |message: String| vec![Found::new(node.span, message).help(format!("expected {}", kind.describe()))];
    if let Kind::Quantity(measure, bounds) = kind {
        return quantity(context, node, key, measure, bounds, share).err().into_iter().collect();
    }
    if !has_shape(kind, node) {
        return wrong(format!("`{key}` cannot be {}", node.kind()));
    }
    match (kind, &node.value) {
        (Kind::Whole(least, most), Value::Varied(_)) => {
            variation::whole(context, node, key, [*least, *most], share).err().into_iter().collect()
        }
        (Kind::Whole(least, most), Value::Whole(whole)) if !(least..=most).contains(&whole) => {
            let found = Found::new(node.span, format!("`{key}` is {whole}, must be {}", kind.describe()));
            vec![found]
        }
        (Kind::Choice(words), Value::Text(text)) if !words.contains(&&**text) => {
            let found = Found::new(node.span, format!("`{key}` cannot be \"{}\"", shortened(text)));
            vec![found.help(suggestion(text, "it can be", words.iter().copied()))]
        }
        (Kind::Material, Value::Text(text)) if material(text).is_none() => {
            let names = MATERIALS.iter().map(|material| material.name);
            let found = Found::new(node.span, format!("there is no material \"{}\"", shortened(text)));
            vec![found.help(suggestion(text, "materials", names))]
        }
        (Kind::Law, Value::Text(text)) if !Law::ALL.iter().any(|law| law.name == text) => {
            vec![unknown_law(text, node.span)]
        }
        (Kind::Note, Value::Text(text)) if notes::parse(text).is_none() => {
            wrong(format!("\"{}\" is not a note of the keyboard", shortened(text)))
        }
        (Kind::Columns(kinds), Value::List(list)) if kinds.len() != list.len() => {
            wrong(format!("`{key}` is a list of {}, must have {}", list.len(), kinds.len()))
        }
        (Kind::Columns(kinds), Value::List(list)) => {
            let each = kinds.iter().zip(list);
            each.flat_map(|(kind, node)| check(context, kind, key, node, share)).collect()
        }
        (Kind::List(kind), Value::List(list)) if !matches!(**kind, Kind::Table(_)) || key != "events" => {
            list.iter().flat_map(|node| check(context, kind, key, node, share)).collect()
        }
        (Kind::Either(kinds), _) => {
            let fitting = kinds.iter().filter(|kind| has_shape(kind, node));
            let mut findings = fitting.map(|kind| check(context, kind, key, node, share));
            let first = findings.next().unwrap_or_default();
            if first.is_empty() || findings.any(|other| other.is_empty()) { vec![] } else { first }
        }
        (Kind::Table(info), Value::Table(table)) => {
            let fields = Fields::unchecked(context, info(), table, node.span, share);
            [fields.check_unknown_keys(), fields.check()].concat()
        }
        _ => vec![],
    }
}
