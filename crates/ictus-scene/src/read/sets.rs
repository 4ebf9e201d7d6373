//! Tuned sets: the notes of a set, and the objects that each note has.

use ictus::objects::StringPitch;

use super::draft::{Draft, Scope, SetDraft, Written};
use super::fields::Fields;
use super::quantity::shortened;
use crate::notes::{self, Note, RangeError, SCALES};
use crate::objects::{OBJECTS, start};
use crate::parameters::Thing;
use crate::problem::{Span, suggestion};
use crate::registry::{objects, played};
use crate::tree::{Node, Table, Value};

/// Most notes of a set: the keys of a keyboard.
const MOST_NOTES: usize = 128;

impl Draft<'_> {
    /// The notes of `[sets.NAME]`.
    pub(crate) fn read_set(&self, name: &str, span: Span, table: &Table) -> Option<SetDraft> {
        let fields = Fields::new(self.context, played::set(), table, span, None);
        let notes = self.notes_of(fields.node("notes")?)?;
        let suffixes = match fields.whole("voices") {
            Some(voices) => (1..=voices).map(|number| number.to_string()).collect(),
            None => notes.iter().map(|note| note.name.clone()).collect(),
        };
        Some(SetDraft { name: name.to_owned(), notes, suffixes, is_pool: fields.has("voices") })
    }

    fn notes_of(&self, node: &Node) -> Option<Vec<Note>> {
        let notes: Vec<Note> = match &node.value {
            Value::Text(text) => match notes::parse_range(text) {
                Ok(notes) => notes,
                Err(error) => {
                    let scales: Vec<&str> = SCALES.iter().map(|(name, _)| *name).collect();
                    let (message, help) = match &error {
                        RangeError::NoRange => (
                            format!("\"{}\" is not a range of notes", shortened(text)),
                            "write \"C4..C5\", or a list of notes".into(),
                        ),
                        RangeError::NoNote(note) => {
                            (format!("\"{}\" is not a note of the keyboard", shortened(note)), notes::advice(note))
                        }
                        RangeError::NoScale(scale) => (
                            format!("there is no scale \"{}\"", shortened(scale)),
                            suggestion(scale, "scales", scales.iter().copied()),
                        ),
                        RangeError::Downwards => ("a range of notes goes upwards".into(), String::new()),
                    };
                    self.report(node.span, message, help);
                    return None;
                }
            },
            Value::List(list) => {
                let note = |node: &Node| {
                    let note = node.text().and_then(notes::parse);
                    if note.is_none() {
                        self.report(
                            node.span,
                            "this is not a note of the keyboard",
                            notes::advice(node.text().unwrap_or_default()),
                        );
                    }
                    note
                };
                let notes: Vec<Option<Note>> = list.iter().map(note).collect();
                notes.into_iter().collect::<Option<_>>()?
            }
            _ => return None,
        };
        if notes.is_empty() || notes.len() > MOST_NOTES {
            self.report(node.span, format!("a set has from 1 to {MOST_NOTES} notes, this one has {}", notes.len()), "");
            return None;
        }
        for (index, note) in notes.iter().enumerate() {
            if notes[..index].iter().any(|other| other.name == note.name) {
                self.report(node.span, format!("the note {} is in this set twice", note.name), "");
                return None;
            }
        }
        Some(notes)
    }

    /// The object that each note of a set has.
    pub(crate) fn read_each(&mut self, set: &SetDraft, table: &Table) {
        let Some(node) = table.get("object") else { return };
        let (Some(template), Some(key)) = (node.table(), table.key("object")) else { return };
        for index in 0..set.count() {
            let scope = Scope { set: Some((set, index)) };
            let lowest = || set.notes.iter().min_by_key(|note| note.key);
            let Some(note) = (if set.is_pool { lowest() } else { set.notes.get(index) }) else { return };
            let deviation = notes::deviation(&self.context.cents, note.key);
            let retuned = if deviation == 0.0 { 1.0 } else { libm::exp2(deviation / 1200.0) };
            let frequency = note.frequency(self.context.tuning) * retuned;
            let keys = if set.is_pool { set.keys() } else { [note.key; 2] };
            let Some(object) = self.read_object(&scope.referred("each"), key.span, template, scope, Some(frequency))
            else {
                return;
            };
            if set.is_pool && !self.make_bendable(object, set, key.span) {
                return;
            }
            self.keys.insert(object, keys);
            self.things.insert(scope.referred("each"), vec![Thing::Object(object)]);
            self.things.entry(set.name.clone()).or_default().push(Thing::Object(object));
        }
    }

    /// Gives a pool's string the headroom to reach its highest note.
    fn make_bendable(&mut self, object: usize, set: &SetDraft, span: Span) -> bool {
        let [low, high] = set.keys();
        let up = |key| notes::interval(&self.context.cents, low, key);
        let ratio = libm::exp2((low..=high).map(up).fold(0.0, f64::max) / 12.0);
        match &mut self.model.objects[object].spec {
            ictus::model::ObjectSpec::String(spec) if matches!(spec.pitch, StringPitch::Fundamental(_)) => {
                spec.bend = spec.bend.max(ratio);
                true
            }
            _ => {
                self.report(
                    span,
                    "a pool of voices is bent to its notes, which only strings can be",
                    "leave out `voices`",
                );
                false
            }
        }
    }

    /// An object of the scene or of a set; its place in the model.
    pub(crate) fn read_object(
        &mut self,
        full_name: &str,
        span: Span,
        table: &Table,
        scope: Scope<'_>,
        note: Option<f64>,
    ) -> Option<usize> {
        let kind = self.kind_of("object", table, span, OBJECTS.iter().map(|kind| kind.name))?;
        let reader = OBJECTS.iter().find(|reader| reader.name == kind)?;
        let info = objects().iter().find(|info| info.name == kind)?;
        let mut fields = Fields::new(self.context, &info.table, table, span, scope.share());
        if let Some(frequency) = note {
            fields = fields.with_note(frequency);
        }
        let spec = (reader.read)(&fields);
        if spec.is_some() && !fields.took_note() {
            let message = format!("a {kind} has no pitch that could follow the notes of a set");
            self.report(span, message, "give it a kind that has: string, bar, membrane, plate or modal; or a mass, which is the same for all notes");
            return None;
        }
        if note.is_some() {
            // What excludes a pitch is what the pitch sets.
            let groups = info.table.exclusive.iter().filter(|group| group.contains(&"pitch"));
            for key in groups.flat_map(|group| group.iter()).filter(|key| **key != "pitch" && fields.has(key)) {
                let message = format!("`{key}` is set by the note of the set");
                fields.report(key, message, format!("leave `{key}` out"));
            }
        }
        let grid = fields.node("segments").or_else(|| fields.node("grid")).map(|node| node.span);
        let t60 = fields.node("t60").map(|node| node.span);
        let written = Written { span, grid, t60, kind: reader.name, is_faulty: fields.is_faulty() };
        let name = self.model_name(&fields, scope, full_name.to_owned());
        let object = self.add_object(name, spec?, written);
        self.model.objects[object].start = start(&fields);
        self.check_start(object, &fields);
        Some(object)
    }

    fn check_start(&self, object: usize, fields: &Fields<'_>) {
        let Some(start) = self.model.objects[object].start else { return };
        if !self.fits(object, start.centre) {
            let message = "strings and bars start around one fraction, membranes and plates around two";
            fields.report("start", message, "write `at = 0.3`, or `at = [0.3, 0.4]`");
        }
    }
}
