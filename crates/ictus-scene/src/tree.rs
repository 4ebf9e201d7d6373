//! The text as a tree of values, each with the place where it was written.

use serde_spanned::Spanned;
use toml::de::{DeTable, DeValue};
use toml_parser::lexer::TokenKind;

use crate::problem::{Found, Span};

/// A value and where it was written.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) value: Value,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Whole(i64),
    Number(f64),
    Truth(bool),
    Date,
    List(Vec<Node>),
    Table(Table),
    /// A number that is drawn: a range or a spread, as it was written.
    Varied(Box<Varied>),
}

/// A number that is drawn, by the name of which its draws are seeded.
#[derive(Clone, Debug)]
pub(crate) struct Varied {
    /// Path in the text, as `--set` takes it: `mallet.mass`, `events.0.velocity`.
    pub(crate) name: String,
    /// A text with `±`, or a table with `between` or `around`.
    pub(crate) written: Value,
}

/// Keys and values in the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) entries: Vec<(Key, Node)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl Table {
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        self.entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.entries.iter_mut().find(|(key, _)| key.name == name).map(|(_, node)| node)
    }

    pub(crate) fn key(&self, name: &str) -> Option<&Key> {
        self.entries.iter().find(|(key, _)| key.name == name).map(|(key, _)| key)
    }

    /// Puts a value in, instead of one that is there.
    pub(crate) fn set(&mut self, name: &str, node: Node) {
        match self.get_mut(name) {
            Some(there) => *there = node,
            None => self.entries.push((Key { name: name.to_owned(), span: node.span }, node)),
        }
    }
}

impl Node {
    pub(crate) fn table(&self) -> Option<&Table> {
        if let Value::Table(table) = &self.value { Some(table) } else { None }
    }

    pub(crate) fn list(&self) -> Option<&[Node]> {
        if let Value::List(list) = &self.value { Some(list) } else { None }
    }

    /// Whether it is true. What is set from outside may say so as a number, as a live parameter does.
    pub(crate) fn truth(&self) -> Option<bool> {
        match (&self.value, &self.span) {
            (Value::Truth(truth), _) => Some(*truth),
            (Value::Whole(0), Span::Override(_)) => Some(false),
            (Value::Whole(1), Span::Override(_)) => Some(true),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::Varied(varied) => {
                if let Value::Text(text) = &varied.written {
                    Some(text)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// What it is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "a text",
            Value::Whole(_) => "a whole number",
            Value::Number(_) => "a number",
            Value::Truth(_) => "true or false",
            Value::Date => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Varied(_) => "a range",
        }
    }
}

/// Most errors of the parser that are passed on.
const MOST_ERRORS: usize = 100;

/// Largest text in bytes of which more than one error of the parser is told: it keeps them all, one for every byte if need be.
const MOST_RECOVERED: usize = 256 << 10;

/// Most bytes that a text may take while it is taken apart.
const MOST_MEMORY: usize = 56 << 20;

/// Bytes that the parser takes while it takes a text apart, at most: measured, and held to by `tests/memory.rs`. It keeps every word (a key,
/// a value, a comma, a space, an end of a line), makes a map of every table, and one for every point of a key.
fn memory_of(text: &str) -> usize {
    let mut bytes = 7 * text.len();
    let mut words = [TokenKind::Newline; 2];
    let mut is_number = false;
    for token in toml_parser::Source::new(text).lex() {
        let kind = token.kind();
        bytes += match kind {
            // The point of a number: the number before it has been counted, and nothing before that is a point too.
            TokenKind::Dot if words[1] == TokenKind::Atom && words[0] != TokenKind::Dot && is_number => 24,
            TokenKind::Dot | TokenKind::LeftCurlyBracket => 1300,
            TokenKind::Equals => 260,
            TokenKind::Atom if words[1] == TokenKind::Dot && is_number => 60,
            TokenKind::Atom | TokenKind::LeftSquareBracket => 170,
            TokenKind::LiteralString
            | TokenKind::BasicString
            | TokenKind::MlLiteralString
            | TokenKind::MlBasicString => 210,
            _ => 60,
        };
        if kind == TokenKind::Atom && words[1] != TokenKind::Dot {
            let first = text.as_bytes().get(token.span().start());
            is_number = first.is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-'));
        }
        words = [words[1], kind];
    }
    bytes
}

/// The memory in MB that taking texts apart would need, and the most it may, if that is less.
pub(crate) fn too_large<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<[usize; 2]> {
    let memory: usize = texts.into_iter().map(memory_of).sum();
    (memory > MOST_MEMORY).then_some([memory >> 20, MOST_MEMORY >> 20])
}

/// Reads TOML. The parser bounds how deep tables and lists lie in each other, so that neither it nor we run out of stack.
pub(crate) fn parse(text: &str) -> Result<Table, Vec<Found>> {
    if let Some([megabytes, most]) = too_large([text]) {
        let message = format!("reading this text would take {megabytes} MB; the limit is {most} MB");
        let help = "use fewer numbers and tables: about 350 bytes are needed for a number, 1500 for a table";
        return Err(vec![Found::new(Span::Text { start: 0, end: 0 }, message).help(help)]);
    }
    let errors = match DeTable::parse(text) {
        Ok(table) => return Ok(table_of(table.into_inner())),
        Err(first) if text.len() > MOST_RECOVERED => vec![first],
        Err(_) => DeTable::parse_recoverable(text).1,
    };
    let found = |error: &toml::de::Error| {
        let span = error.span().unwrap_or(0..0);
        Found::new(Span::Text { start: span.start, end: span.end }, format!("this is not TOML: {}", error.message()))
    };
    if let Some(deepest) = errors.iter().find(|error| error.message().contains("recurs")) {
        // What is said after it follows from it.
        let message = "tables and lists lie too deep in each other";
        return Err(vec![Found { message: message.to_owned(), ..found(deepest) }]);
    }
    // One slip often makes many; the parser finds its way back within a line.
    Err(errors.iter().take(MOST_ERRORS).map(found).collect())
}

/// A value as it is written in an override: TOML, or a text without its quotation marks.
pub(crate) fn parse_override(text: &str, number: usize) -> Node {
    let value = match DeValue::parse(text) {
        Ok(value) => node_of(value).value,
        Err(_) => Value::Text(text.trim().to_owned()),
    };
    let mut node = Node { span: Span::Override(number), value };
    mark(&mut node, number);
    node
}

/// Gives all of a value to an override: its places are not places of the text.
fn mark(node: &mut Node, number: usize) {
    node.span = Span::Override(number);
    match &mut node.value {
        Value::List(list) => list.iter_mut().for_each(|node| mark(node, number)),
        Value::Table(table) => {
            for (key, node) in &mut table.entries {
                key.span = Span::Override(number);
                mark(node, number);
            }
        }
        _ => {}
    }
}

fn table_of(table: DeTable<'_>) -> Table {
    let entry = |(key, value): (Spanned<_>, Spanned<DeValue<'_>>)| {
        let span = span_of(&key);
        let name: std::borrow::Cow<'_, str> = key.into_inner();
        (Key { name: name.into_owned(), span }, node_of(value))
    };
    let mut entries: Vec<_> = table.into_iter().map(entry).collect();
    entries.sort_by_key(|(key, _)| if let Span::Text { start, .. } = key.span { start } else { 0 });
    Table { entries }
}

fn span_of<T>(spanned: &Spanned<T>) -> Span {
    let span = spanned.span();
    Span::Text { start: span.start, end: span.end }
}

fn node_of(value: Spanned<DeValue<'_>>) -> Node {
    let span = span_of(&value);
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(whole) => match i64::from_str_radix(whole.as_str(), whole.radix()) {
            Ok(whole) => Value::Whole(whole),
            // Too large for a whole number is no harm where a number will do.
            Err(_) => Value::Number(whole.as_str().parse().unwrap_or(f64::INFINITY)),
        },
        DeValue::Float(number) => Value::Number(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(truth) => Value::Truth(truth),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(list) => Value::List(list.into_iter().map(node_of).collect()),
        DeValue::Table(table) => Value::Table(table_of(table)),
    };
    Node { span, value }
}
