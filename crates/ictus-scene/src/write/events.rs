//! The score: one event for each thing that happens, keys that go down and up as notes where that keeps the order.

use super::WriteError;
use super::keys::{Entry, entries};
use super::names::Names;
use super::numbers::bare;
use super::paths::Paths;
use super::rows::Rows;
use crate::ExciterId;
use crate::notes::key_name;
use crate::registry::played::event;
use crate::scene::{Action, Amount, Event, ToolInfo};
use crate::units::Measure;

/// Most events that have a table each.
pub(super) const MOST_TABLES: usize = 8;

/// The events of a score as rows.
pub(super) fn rows(names: &Names<'_>, paths: &Paths) -> Result<Vec<Rows<'static>>, WriteError> {
    let score = &names.scene.score;
    if score.windows(2).any(|pair| pair[0].time.total_cmp(&pair[1].time).is_gt()) {
        return Err(WriteError::unsayable("the score", "events that are not in order of time"));
    }
    let mut all = Vec::new();
    let mut list = entries(score).into_iter().peekable();
    while let Some(entry) = list.next() {
        let of = format!("the event at {} s", bare(score[entry.event].time));
        let Event { time, action } = &score[entry.event];
        let mut rows = Rows::new(event(), &*of);
        rows.number("time", *time)?;
        let next = list.peek().map(|next| &score[next.event]);
        match pressed_bow(names, &score[entry.event], next) {
            Some((bow, force, amount, over)) => {
                list.next();
                play(&mut rows, names, bow, amount, over, Some(force))?;
            }
            None => write(&mut rows, names, paths, action, &entry)?,
        }
        all.push(rows);
    }
    Ok(all)
}

/// A bow that is pressed anew and played, which is one event: the bow, its force, its amount and the time it takes.
fn pressed_bow(names: &Names<'_>, set: &Event, next: Option<&Event>) -> Option<(ExciterId, f64, f64, f64)> {
    let (Action::Set { targets, value, over, logarithmic: false }, Action::Play { exciter, amount, over: same }) =
        (&set.action, &next?.action)
    else {
        return None;
    };
    let pressed = names.scene.exciters.get(exciter.index())?.tool.pressed()?;
    let together = set.time.to_bits() == next?.time.to_bits() && over.to_bits() == same.to_bits();
    (together && targets[..] == [pressed]).then_some((*exciter, *value, *amount, *over))
}

fn write(
    rows: &mut Rows<'_>,
    names: &Names<'_>,
    paths: &Paths,
    action: &Action,
    entry: &Entry,
) -> Result<(), WriteError> {
    let has_notes = names.scene.notes.is_some();
    match action {
        Action::Play { exciter, amount, over } => play(rows, names, *exciter, *amount, *over, None),
        Action::Release { exciter, over } => {
            let name =
                names.exciters.get(exciter.index()).ok_or_else(|| WriteError::missing(&*rows.of, "an exciter"))?;
            rows.text("release", name);
            rows.number_unless("over", *over, 0.0)
        }
        Action::Set { targets, value, over, logarithmic } => {
            let found = paths.of(&rows.of, targets)?;
            let measure = found[0].measure;
            let is_one = found.iter().all(|path| path.measure == measure);
            let texts: Vec<&str> = found.iter().map(|path| &*path.path).collect();
            rows.texts("set", &texts);
            rows.value("to", *value, if is_one { &measure } else { &crate::units::NUMBER })?;
            way(rows, *over, *logarithmic, false)
        }
        Action::NoteOn { .. } | Action::NoteOff { .. } if !has_notes => {
            Err(rows.unsayable("a key in a scene without notes"))
        }
        Action::NoteOn { key, velocity } => {
            let verb = if entry.length.is_some() { "note" } else { "press" };
            rows.text(verb, &name_of(rows, *key)?);
            if !(0.0..=1.0).contains(velocity) {
                let (of, key, allowed) = (rows.of.clone(), "velocity".to_owned(), "from 0 to 1".to_owned());
                return Err(WriteError::OutOfRange { of, key, value: *velocity, allowed });
            }
            if velocity.to_bits() != 0.8_f64.to_bits() {
                rows.value("velocity", *velocity, &Measure::of_unit(""))?;
            }
            entry.length.map_or(Ok(()), |length| rows.number_unless("length", length, 1.0))
        }
        Action::NoteOff { key } => {
            rows.text("lift", &name_of(rows, *key)?);
            Ok(())
        }
        Action::Sustain(down) => {
            rows.raw("sustain", down.to_string());
            Ok(())
        }
        Action::PitchBend(semitones) => rows.number("wheel", *semitones),
        Action::Turn { control, value, over, logarithmic } => {
            let missing = || WriteError::missing(&*rows.of, "a control");
            let knob = names.scene.controls.get(control.index()).ok_or_else(missing)?;
            let measure = paths.of(&rows.of, &knob.targets)?[0].measure;
            rows.text("turn", &names.controls[control.index()]);
            rows.value("to", *value, &measure)?;
            way(rows, *over, *logarithmic, knob.logarithmic)
        }
    }
}

/// How long something takes to get somewhere, and which way, if that is not the usual one.
fn way(rows: &mut Rows<'_>, over: f64, logarithmic: bool, usual: bool) -> Result<(), WriteError> {
    rows.number_unless("over", over, 0.0)?;
    if logarithmic != usual {
        rows.text("scale", if logarithmic { "log" } else { "linear" });
    }
    Ok(())
}

/// The name of a key, if the keyboard has it.
fn name_of(rows: &Rows<'_>, key: u8) -> Result<String, WriteError> {
    if key > 127 { Err(rows.unsayable(format!("the key {key}"))) } else { Ok(key_name(key)) }
}

fn play(
    rows: &mut Rows<'_>,
    names: &Names<'_>,
    exciter: ExciterId,
    amount: f64,
    over: f64,
    force: Option<f64>,
) -> Result<(), WriteError> {
    let missing = || WriteError::missing(&*rows.of, "an exciter");
    let (tool, usual) =
        names.scene.exciters.get(exciter.index()).map(|own| (own.tool, own.amount)).ok_or_else(missing)?;
    let ToolInfo { verb, amount: Amount { key, .. }, takes_time, .. } = *tool.info();
    rows.text(verb, &names.exciters[exciter.index()]);
    rows.number_unless(key, amount, usual)?;
    if let Some(force) = force {
        rows.number("force", force)?;
    }
    if over.to_bits() != 0 && !takes_time {
        return Err(rows.unsayable(format!("that to `{verb}` takes {over} s")));
    }
    rows.number_unless("over", over, 0.0)
}

/// Events as a list at the top of the text.
pub(super) fn list(score: &[Rows<'_>]) -> String {
    let lines: String = score.iter().map(|rows| format!("  {},\n", rows.inline())).collect();
    format!("\nevents = [\n{lines}]\n")
}

/// Events with a table each.
pub(super) fn tables(score: &[Rows<'_>]) -> String {
    score.iter().map(|rows| rows.table("[[events]]")).collect()
}
