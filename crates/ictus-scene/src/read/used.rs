//! Scenes that a scene uses: read from their own texts, by the same limits, before the scene that uses them.
//!
//! Each is read as if it stood alone, at the rate of this one, and then joined to it (`joined.rs`). All share one room for numbers, samples and
//! files, whoever uses whom, so that scenes that use each other cannot grow.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use super::context::Context;
use super::fields::Fields;
use super::quantity::shortened;
use super::{Reading, can_be_name, read_within};
use crate::problem::{Found, Span};
use crate::registry::whole;
use crate::scene::{Action, Scene};
use crate::tree::{Node, Table, Value};

/// Most scenes that a scene uses, with those that they use.
const MOST_USED: usize = 64;

/// Most scenes that use each other in a row.
const DEEPEST: usize = 8;

/// A scene that is used.
pub(super) struct Used {
    /// What the names of its things begin with.
    pub(super) prefix: String,
    /// Where it is named.
    pub(super) span: Span,
    pub(super) scene: Scene,
    /// When its score begins, in s.
    pub(super) time: f64,
    /// Factor on what its pickups hear.
    pub(super) gain: f64,
    /// The folder of its file, as a path from this scene's on; empty or with a slash at its end.
    pub(super) folder: String,
}

/// The texts of the scenes that use this one and its own, and how many scenes have been read.
#[derive(Clone, Default)]
pub(super) struct Lineage {
    texts: Vec<Arc<str>>,
    count: Rc<Cell<usize>>,
}

impl Lineage {
    /// With another text that is read.
    pub(super) fn with(&self, text: &Arc<str>) -> Self {
        let texts = self.texts.iter().chain([text]).cloned().collect();
        Self { texts, count: self.count.clone() }
    }
}

/// One entry of `use`, as far as it can be read.
struct Entry<'a> {
    span: Span,
    file: &'a str,
    prefix: String,
    fields: Option<Fields<'a>>,
}

impl<'a> Entry<'a> {
    fn of(context: &'a Context, node: &'a Node) -> Option<Self> {
        let (file, fields) = match &node.value {
            Value::Text(file) => (&**file, None),
            Value::Table(table) => {
                let fields = Fields::unchecked(context, whole::used(), table, node.span, None);
                (fields.text("scene")?, Some(fields))
            }
            _ => return None,
        };
        let given = fields.as_ref().and_then(|fields| fields.text("name"));
        Some(Self { span: node.span, file, prefix: given.unwrap_or(stem(file)).to_owned(), fields })
    }

    fn number_or(&self, key: &str, default: f64) -> f64 {
        self.fields.as_ref().map_or(default, |fields| fields.number_or(key, default))
    }
}

/// The name of a file without its folder and its ending.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(".toml").unwrap_or(name)
}

fn entries(table: &Table) -> &[Node] {
    table.get("use").and_then(Node::list).unwrap_or_default()
}

/// Whether a value that is set is one of a scene that is used, and which: its prefix and the rest of the path.
pub(super) fn split<'p>(context: &Context, table: &Table, path: &'p str) -> Option<(&'p str, &'p str)> {
    let (prefix, rest) = path.split_once('.')?;
    let is_used = |node: &Node| Entry::of(context, node).is_some_and(|entry| entry.prefix == prefix);
    entries(table).iter().take(MOST_USED).any(is_used).then_some((prefix, rest))
}

/// What was read of `use`.
pub(super) struct Reads {
    pub(super) all: Vec<Used>,
    /// What the things of those would be called that could not be read.
    pub(super) broken: Vec<String>,
}

/// Reads the scenes that a table uses; what is wrong is reported.
pub(super) fn read(context: &Context, fields: &Fields<'_>, options: &Reading) -> Reads {
    let (mut all, mut broken): (Vec<Used>, _) = (Vec::new(), Vec::new());
    for entry in entries(fields.table).iter().filter_map(|node| Entry::of(context, node)) {
        let report = |message: String, help: &str| {
            context.report(Found::new(entry.span, message).help(help));
        };
        if !can_be_name(&entry.prefix) || entry.prefix.contains('.') {
            let message =
                format!("`{}` cannot be what the things of a scene are called after", shortened(&entry.prefix));
            report(message, "give a `name`: { scene = \"…\", name = \"rain\" }, of letters, digits, - and _");
            continue;
        }
        if all.iter().any(|other| other.prefix == entry.prefix) {
            let message = format!("two scenes are called `{}`", entry.prefix);
            report(message, "give one another `name`: { scene = \"…\", name = \"other\" }");
            continue;
        }
        match read_one(context, &entry, options) {
            Ok(scene) => all.push(Used {
                span: entry.span,
                time: entry.number_or("time", 0.0),
                gain: entry.number_or("gain", 1.0),
                folder: entry.file[..entry.file.rfind('/').map_or(0, |slash| slash + 1)].to_owned(),
                prefix: entry.prefix,
                scene,
            }),
            Err((message, help)) => {
                report(message, &help);
                broken.push(entry.prefix);
            }
        }
        if context.is_full() {
            break;
        }
    }
    check_keyboards(context, fields, &all);
    Reads { all, broken }
}

fn read_one(context: &Context, entry: &Entry<'_>, options: &Reading) -> Result<Scene, (String, String)> {
    let shown = shortened(entry.file);
    let refused = |message: String, help: &str| Err((message, help.to_owned()));
    let Some(files) = &context.files else {
        let help = "save the scene as a file beside the other, and name that file";
        return refused(format!("`{shown}` cannot be read: this text has no folder"), help);
    };
    let Lineage { texts, count } = &context.lineage;
    count.set(count.get() + 1);
    if count.get() > MOST_USED {
        return refused(format!("with `{shown}` more than {MOST_USED} scenes are used"), "use fewer");
    }
    let source = match files.scene(entry.file) {
        Ok(source) => source,
        Err(reason) => return refused(format!("`{shown}` {reason}"), ""),
    };
    if texts.contains(&source.text) {
        return refused(format!("`{shown}` uses itself, or is used by what it uses"), "leave it out of `use`");
    }
    if texts.len() > DEEPEST {
        return refused(format!("`{shown}` is used by more than {DEEPEST} scenes in a row"), "");
    }
    let own = |(path, value): &(String, String)| {
        let (prefix, rest) = path.split_once('.')?;
        (prefix == entry.prefix).then(|| (rest.to_owned(), value.clone()))
    };
    let seed = entry.fields.as_ref().and_then(|fields| fields.whole("seed")).map(|seed| seed as u64);
    let reading = Reading {
        rate: Some(context.rate),
        // What is given for the whole moves them all, and leaves them different.
        seed: options.seed.map(|given| given.wrapping_add(seed.unwrap_or(0))).or(seed),
        duration: None,
        overrides: options.overrides.iter().filter_map(own).collect(),
    };
    read_within(&source, &reading, Some(context)).map_err(|problems| {
        let first = problems.iter().next().map_or(String::new(), |first| match first.line {
            0 => format!(": {}", first.message),
            line => format!(": in line {line} {}", first.message),
        });
        (format!("`{shown}` is no scene{first}"), format!("`ictus check {shown}` tells more"))
    })
}

/// A scene has one keyboard: where scenes that are used play keys, no other may have one.
fn check_keyboards(context: &Context, fields: &Fields<'_>, all: &[Used]) {
    let keyboards = all.iter().filter(|used| used.scene.notes.is_some()).count() + usize::from(fields.has("notes"));
    let is_of_keys = |action: &Action| {
        matches!(action, Action::NoteOn { .. } | Action::NoteOff { .. } | Action::Sustain(_) | Action::PitchBend(_))
    };
    let plays = |used: &&Used| used.scene.score.iter().any(|event| is_of_keys(&event.action));
    if keyboards > 1
        && let Some(used) = all.iter().find(plays)
    {
        let message = format!("`{}` plays keys, and it is not the only one of these scenes with [notes]", used.prefix);
        let help = "a scene has one keyboard: strike, pluck and bow there instead, or render it by itself";
        context.report(Found::new(used.span, message).help(help));
    }
}
