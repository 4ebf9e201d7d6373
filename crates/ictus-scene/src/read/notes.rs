//! What a keyboard plays: exciters as voices, the fingers that quiet them, the strings that are bent.

use ictus::id::ObjectId;
use ictus::model::ObjectSpec;
use ictus::objects::{StringMass, StringPitch, StringSpec};

use super::draft::{Draft, Scope};
use super::fields::Fields;
use crate::ExciterId;
use crate::notes::{self, nearest_key};
use crate::registry::played::voice;
use crate::scene::{Exciter, NoteMap, Stop, Voice};
use crate::tree::Node;
use crate::units::{FRACTION, Measure};

impl Draft<'_> {
    /// `[notes]`
    pub(crate) fn read_notes(&self, fields: &Fields<'_>) -> Option<NoteMap> {
        if let Some(list) = fields.node("cents").and_then(Node::list)
            && !matches!(list.len(), 12 | 128)
        {
            let message =
                format!("`cents` is a list of {}, must have 12, from C on, or 128, one for every key", list.len());
            fields.report("cents", message, "");
            return None;
        }
        let named = |key: &str| -> Option<Vec<ExciterId>> {
            let each = fields.texts(key).into_iter().map(|(name, span)| self.find_exciters(name, span, "exciters"));
            Some(each.collect::<Option<Vec<_>>>()?.concat())
        };
        if fields.has("voices") {
            return self.read_voices(fields);
        }
        let exciters = named("play")?;
        let dampers = named("damper")?;
        let first = self.exciters.get(exciters.first()?.index())?;
        if exciters.iter().any(|exciter| self.exciters[exciter.index()].tool.unit() != first.tool.unit()) {
            let message = "these exciters are played in different units";
            fields.report("play", message, "one `[notes]` plays exciters of one kind");
            return None;
        }
        for damper in &dampers {
            if !self.exciters[damper.index()].tool.damps() {
                let message = format!("`{}` is not a finger and cannot damp", self.exciters[damper.index()].name);
                fields.report("damper", message, "");
                return None;
            }
        }
        let fingers = named("stop")?;
        let places = self.read_stops(fields)?;
        let voice = |exciter: &ExciterId| {
            let object = self.played[exciter.index()];
            let on_it = |tools: &[ExciterId]| tools.iter().copied().find(|tool| self.played[tool.index()] == object);
            let string = can_bend(&self.model.objects[object].spec).then_some(ObjectId::new(object));
            let keys = self.keys_of(object);
            let voice = Voice { keys, exciter: *exciter, damper: on_it(&dampers), string, stop: None };
            match on_it(&fingers) {
                Some(finger) => {
                    self.stopped(voice, self.lowest_key_of(object), Stop { finger, places: places.clone() })
                }
                None => voice,
            }
        };
        let voices: Vec<Voice> = exciters.iter().map(voice).collect();
        if !dampers.is_empty() && voices.iter().all(|voice| voice.damper.is_none()) {
            fields.report("damper", "none of these fingers lies on an object that is played", "");
            return None;
        }
        if !fingers.is_empty() && voices.iter().all(|voice| voice.stop.is_none()) {
            fields.report("stop", "none of these fingers lies on a string that is played", "");
            return None;
        }
        self.note_map(fields, voices, first)
    }

    /// Where fingers stop strings, `stop` and `stops` both there or neither.
    fn read_stops(&self, fields: &Fields<'_>) -> Option<Vec<(u8, f64)>> {
        let rows = fields.node("stops").and_then(Node::list);
        let rows = match (fields.has("stop"), rows) {
            (false, None) => return Some(vec![]),
            (true, Some(rows)) if !rows.is_empty() => rows,
            (true, _) => {
                fields.report("stop", "`stop` needs `stops`", "say where, as in `stops = [[12, 0.5]]`");
                return None;
            }
            (false, Some(_)) => {
                fields.report("stops", "`stops` needs `stop`", "name the finger");
                return None;
            }
        };
        let mut places: Vec<(u8, f64)> = Vec::with_capacity(rows.len());
        for row in rows {
            let [semitones, place] = row.list()? else { return None };
            let semitones = fields.whole_of(semitones, "stops", (1, 127))?;
            let semitones = u8::try_from(semitones).ok()?;
            if places.iter().any(|(other, _)| *other == semitones) {
                fields.report("stops", format!("{semitones} semitones stand there twice"), "");
                return None;
            }
            places.push((semitones, fields.quantity_of(place, "stops", &FRACTION)?));
        }
        for (finger, span) in fields.texts("stop") {
            for finger in self.find_exciters(finger, span, "fingers")? {
                let exciter = &self.exciters[finger.index()];
                let object = &self.model.objects[self.played[finger.index()]];
                let is_finger = exciter.tool.damps() && exciter.tool.parts().contact.is_some();
                if !is_finger || !matches!(object.spec, ObjectSpec::String(_)) {
                    let message = format!("`{}` is not a finger on a string and cannot stop one", exciter.name);
                    fields.report("stop", message, "");
                    return None;
                }
            }
        }
        Some(places)
    }

    /// A voice whose string is stopped from its lowest key upwards.
    fn stopped(&self, voice: Voice, lowest: Option<u8>, stop: Stop) -> Voice {
        let low = lowest.unwrap_or(voice.keys[0]);
        let reach = stop.places.iter().map(|(semitones, _)| *semitones).max().unwrap_or(0);
        Voice { keys: [low, low.saturating_add(reach).min(127)], string: None, stop: Some(stop), ..voice }
    }

    /// The key of a string's own pitch, or of its set's note.
    fn lowest_key_of(&self, object: usize) -> Option<u8> {
        if let Some([low, _]) = self.keys.get(&object) {
            return Some(*low);
        }
        let ObjectSpec::String(spec) = &self.model.objects[object].spec else { return None };
        nearest_key(fundamental(spec), self.context.tuning)
    }

    fn note_map(&self, fields: &Fields<'_>, voices: Vec<Voice>, first: &Exciter) -> Option<NoteMap> {
        Some(NoteMap {
            voices,
            amounts: self.note_amounts(fields, first.tool.unit(), first.amount)?,
            curve: fields.number_or("curve", 1.0),
            over: fields.number_or("over", 0.02),
            bend_range: fields.number_or("bend_range", 2.0),
            cents: self.context.cents.clone(),
        })
    }

    /// Voices that are given one by one.
    fn read_voices(&self, fields: &Fields<'_>) -> Option<NoteMap> {
        let nodes = fields.node("voices").and_then(Node::list)?;
        let voice = |node: &Node| self.read_voice(&Fields::new(self.context, voice(), node.table()?, node.span, None));
        let voices: Vec<Voice> = nodes.iter().map(voice).collect::<Option<_>>()?;
        let Some(first) = voices.first().and_then(|voice| self.exciters.get(voice.exciter.index())) else {
            fields.report("voices", "there is no voice that could sound", "");
            return None;
        };
        if voices.iter().any(|voice| self.exciters[voice.exciter.index()].tool.unit() != first.tool.unit()) {
            fields.report(
                "voices",
                "these exciters are played in different units",
                "all voices have one kind of exciter",
            );
            return None;
        }
        self.note_map(fields, voices, first)
    }

    fn read_voice(&self, fields: &Fields<'_>) -> Option<Voice> {
        let exciter = |key: &str| -> Option<ExciterId> {
            let [(name, span)] = fields.texts(key)[..] else { return None };
            match self.find_exciters(name, span, "exciters")?[..] {
                [one] => Some(one),
                _ => {
                    fields.report(key, format!("`{name}` is several exciters, and a voice has one"), "");
                    None
                }
            }
        };
        let keys: Vec<u8> =
            fields.texts("keys").iter().map(|(text, _)| Some(notes::parse(text)?.key)).collect::<Option<_>>()?;
        let keys = match keys[..] {
            [one] => [one; 2],
            [low, high] if low <= high => [low, high],
            _ => {
                fields.report("keys", "keys go from the lowest to the highest", "");
                return None;
            }
        };
        let damper = if fields.has("damper") { Some(exciter("damper")?) } else { None };
        if damper.is_some_and(|damper| !self.exciters[damper.index()].tool.damps()) {
            fields.report("damper", "this is not a finger and cannot damp", "");
            return None;
        }
        let string = match fields.text("string") {
            None => None,
            Some(name) => {
                let object = self.find_object(name, fields.span_of("string"), Scope::SCENE)?;
                if !can_bend(&self.model.objects[object].spec) {
                    fields.report("string", format!("`{name}` cannot be bent"), "give the string a `bend`");
                    return None;
                }
                Some(ObjectId::new(object))
            }
        };
        let voice = Voice { keys, exciter: exciter("play")?, damper, string, stop: None };
        let places = self.read_stops(fields)?;
        if places.is_empty() {
            return Some(voice);
        }
        let stop = Stop { finger: exciter("stop")?, places };
        Some(Voice { stop: Some(stop), ..voice })
    }

    fn note_amounts(&self, fields: &Fields<'_>, unit: &str, own: f64) -> Option<[f64; 2]> {
        let Some(key) = ["amount", "velocity", "height", "force"].into_iter().find(|key| fields.has(key)) else {
            return Some([0.2 * own, 2.0 * own]);
        };
        let [low, high] = fields.node(key).and_then(Node::list)? else { return None };
        let measure = Measure::of_unit(unit);
        Some([fields.quantity_of(low, key, &measure)?, fields.quantity_of(high, key, &measure)?])
    }

    /// The keys an object can sound: those of its set, those a string can be bent to, or all for what has no pitch.
    fn keys_of(&self, object: usize) -> [u8; 2] {
        if let Some(keys) = self.keys.get(&object) {
            return *keys;
        }
        keys_of(&self.model.objects[object].spec, self.context.tuning)
    }
}

/// Whether it is a string that can be bent.
pub(crate) fn can_bend(spec: &ObjectSpec) -> bool {
    matches!(spec, ObjectSpec::String(spec) if spec.bend > 1.0)
}

/// The keys an object outside of sets can sound, A4 being the tuning in Hz.
pub(crate) fn keys_of(spec: &ObjectSpec, tuning: f64) -> [u8; 2] {
    let ObjectSpec::String(spec) = spec else { return [0, 127] };
    let bend = spec.bend;
    match nearest_key(fundamental(spec), tuning) {
        Some(key) if bend > 1.0 => {
            // A hair up, so that an octave is twelve keys in spite of rounding.
            let reach = (12.0 * libm::log2(bend) + 1e-6).floor().min(f64::from(127 - key));
            [key, key + reach as u8]
        }
        _ => [0, 127],
    }
}

/// The lowest frequency of a string in Hz, without its stiffness if the tension is given.
pub(crate) fn fundamental(spec: &StringSpec) -> f64 {
    match spec.pitch {
        StringPitch::Fundamental(frequency) => frequency,
        StringPitch::Tension(tension) => {
            let linear_density = match spec.mass {
                StringMass::PerLength(linear_density) => linear_density,
                StringMass::Density(density) => density * std::f64::consts::PI * spec.radius * spec.radius,
                _ => return f64::NAN,
            };
            (tension / linear_density).sqrt() / (2.0 * spec.length)
        }
        _ => f64::NAN,
    }
}
