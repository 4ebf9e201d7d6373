//! `[notes]`: exciters and fingers by their names, if the voices follow from them; else the voices one by one.

use ictus::id::ObjectId;

use super::WriteError;
use super::names::Names;
use super::numbers::{bare, quoted};
use super::rows::Rows;
use crate::ExciterId;
use crate::notes::key_name;
use crate::read::{can_bend, keys_of};
use crate::registry::played::{notes as notes_info, voice as voice_info};
use crate::scene::{NoteMap, Voice};
use crate::units::Measure;

/// The table of what a keyboard plays, if there is one.
pub(super) fn notes(names: &Names<'_>) -> Result<String, WriteError> {
    let Some(map) = &names.scene.notes else { return Ok(String::new()) };
    let of = "the notes";
    let mut rows = Rows::new(notes_info(), of);
    let exciter = |exciter: ExciterId| {
        names.scene.exciters.get(exciter.index()).ok_or_else(|| WriteError::missing(of, "an exciter"))
    };
    for voice in &map.voices {
        exciter(voice.exciter)?;
        let damper = voice.damper.map(exciter).transpose()?;
        if damper.is_some_and(|damper| !damper.tool.damps()) {
            return Err(rows.unsayable("a damper that is not a finger"));
        }
        let stop = voice.stop.as_ref().map(|stop| exciter(stop.finger)).transpose()?;
        if stop.is_some_and(|stop| !stop.tool.damps()) {
            return Err(rows.unsayable("a string that is stopped by no finger"));
        }
    }
    let Some(first) = map.voices.first() else { return Err(rows.unsayable("notes without a voice")) };
    let first = exciter(first.exciter)?;
    let other = |voice: &Voice| names.scene.exciters[voice.exciter.index()].tool.unit() != first.tool.unit();
    if map.voices.iter().any(other) {
        return Err(rows.unsayable("voices of exciters that are played in different units"));
    }
    match named_voices(names, map)? {
        Some(Named { play, dampers }) => {
            rows.texts("play", &play);
            if !dampers.is_empty() {
                rows.texts("damper", &dampers);
            }
        }
        None => rows.raw("voices", voices(names, map)?),
    }
    let usual = [0.2 * first.amount, 2.0 * first.amount];
    if map.amounts.map(f64::to_bits) != usual.map(f64::to_bits) {
        let key = match first.tool.unit() {
            "m/s" => "velocity",
            "m" => "height",
            "N" => "force",
            _ => "amount",
        };
        rows.values(key, map.amounts, &Measure::of_unit(first.tool.unit()))?;
    }
    rows.number_unless("curve", map.curve, 1.0)?;
    rows.number_unless("over", map.over, 0.02)?;
    rows.number_unless("bend_range", map.bend_range, 2.0)?;
    if !map.cents.is_empty() {
        rows.long_list("cents", &map.cents)?;
    }
    Ok(rows.table("[notes]"))
}

/// The object that an exciter plays.
fn played(names: &Names<'_>, exciter: ExciterId) -> Result<usize, WriteError> {
    let model = &names.scene.model;
    let point = names.scene.exciters[exciter.index()].tool.point(model);
    let point = point.ok_or_else(|| WriteError::missing("the notes", "an exciter"))?;
    names.object_place("the notes", &point.object)
}

/// Exciters and fingers by their names.
struct Named<'n> {
    play: Vec<&'n str>,
    dampers: Vec<&'n str>,
}

/// Names of exciters and fingers from which the reader makes these voices, if it does.
fn named_voices<'n>(names: &'n Names<'_>, map: &NoteMap) -> Result<Option<Named<'n>>, WriteError> {
    let mut dampers: Vec<ExciterId> = Vec::new();
    for damper in map.voices.iter().filter_map(|voice| voice.damper) {
        if !dampers.contains(&damper) {
            dampers.push(damper);
        }
    }
    let damped = dampers.iter().map(|damper| played(names, *damper)).collect::<Result<Vec<_>, _>>()?;
    for voice in &map.voices {
        let object = played(names, voice.exciter)?;
        let spec = &names.scene.model.objects[object].spec;
        let damper = damped.iter().position(|other| *other == object).map(|index| dampers[index]);
        let string = can_bend(spec).then_some(ObjectId::new(object));
        if (Voice { keys: keys_of(spec, 440.0), exciter: voice.exciter, damper, string, stop: None }) != *voice {
            return Ok(None);
        }
    }
    let name = |exciter: ExciterId| &*names.exciters[exciter.index()];
    let play = map.voices.iter().map(|voice| name(voice.exciter)).collect();
    Ok(Some(Named { play, dampers: dampers.into_iter().map(name).collect() }))
}

fn voices(names: &Names<'_>, map: &NoteMap) -> Result<String, WriteError> {
    let mut text = String::from("[\n");
    for voice in &map.voices {
        let mut rows = Rows::new(voice_info(), "the notes");
        rows.text("play", &names.exciters[voice.exciter.index()]);
        let [low, high] = voice.keys;
        if low > high || high > 127 {
            return Err(rows.unsayable(format!("keys from {low} to {high}")));
        }
        match low == high {
            true => rows.text("keys", &key_name(low)),
            false => rows.raw("keys", format!("[{}, {}]", quoted(&key_name(low)), quoted(&key_name(high)))),
        }
        if let Some(damper) = voice.damper {
            rows.text("damper", &names.exciters[damper.index()]);
        }
        if let Some(string) = voice.string {
            if !names.spec(string.index()).is_some_and(can_bend) {
                return Err(rows.unsayable("a voice with something that cannot be bent"));
            }
            rows.text("string", names.object("the notes", string.index())?);
        }
        if let Some(stop) = &voice.stop {
            rows.text("stop", &names.exciters[stop.finger.index()]);
            let is_sayable = |(semitones, place): &(u8, f64)| *semitones > 0 && (0.0..=1.0).contains(place);
            if stop.places.is_empty() || !stop.places.iter().all(is_sayable) {
                return Err(rows.unsayable("a string that is stopped beyond its ends, or nowhere"));
            }
            let place = |(semitones, place): &(u8, f64)| format!("[{semitones}, {}]", bare(*place));
            let places: Vec<String> = stop.places.iter().map(place).collect();
            rows.raw("stops", format!("[{}]", places.join(", ")));
        }
        text += &format!("  {},\n", rows.inline());
    }
    Ok(text + "]")
}
