//! A scene as plain data: a model, the tools that excite it, a score, controls, and notes.
//!
//! Everything is resolved: quantities are SI numbers, names are places in the model's lists, tuned sets are written out note by
//! note. Times are in seconds, so that one scene can be played at any rate.

use crate::parameters::{Thing, Written};
pub use crate::tools::{Amount, Moved, Part, Parts, Tool, ToolInfo};
use crate::{ControlId, ExciterId};
use ictus::Model;
use ictus::control::End;
use ictus::id::{ContactId, ForceId, ObjectId, PickupId};

/// An instrument and what is played on it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scene {
    /// What it is called.
    pub title: String,
    /// Its physics in a few sentences; empty if the file says nothing.
    pub about: String,
    /// How long it sounds in s, above 0.
    pub duration: f64,
    /// What the random numbers of this scene were drawn from.
    pub seed: u64,
    /// Objects, interactions, forces and pickups, those of the exciters included, at the rate the scene was read for.
    pub model: Model,
    /// The tools that play it.
    pub exciters: Vec<Exciter>,
    /// What happens when, in order of time.
    pub score: Vec<Event>,
    /// What can be turned by hand.
    pub controls: Vec<Control>,
    /// What a keyboard plays, if anything.
    pub notes: Option<NoteMap>,
    /// What becomes of the pickups' sum.
    pub output: Output,
    /// What the text called things; empty for a scene that was not read.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub written: Written,
}

impl Scene {
    /// The exciter of a name.
    pub fn exciter(&self, name: &str) -> Option<ExciterId> {
        self.exciters.iter().position(|exciter| exciter.name == name).map(ExciterId::new)
    }

    /// The names of the pickups, in their order: those of the text, or numbers.
    pub fn pickup_names(&self) -> Vec<String> {
        let mut names: Vec<String> = (1..=self.model.pickups.len()).map(|number| format!("pickup-{number}")).collect();
        for (name, things) in &self.written.names {
            if let [Thing::Pickup(index)] = things[..]
                && let Some(named) = names.get_mut(index)
            {
                named.clone_from(name);
            }
        }
        names
    }

    /// Gives each pickup channels of its own, a stem, behind those of the mix, which stays the same to the bit. The names of the pickups, in the order of
    /// their channels.
    pub fn split_stems(&mut self) -> Vec<String> {
        let names = self.pickup_names();
        for (number, pickup) in self.model.pickups.iter_mut().enumerate() {
            let (gain, mut direction) = self.written.heard.of(number, &pickup.gains);
            for gains in [&mut direction, &mut pickup.gains] {
                let own = gains.clone();
                let channels = own.len();
                gains.resize((1 + names.len()) * channels, 0.0);
                gains[(1 + number) * channels..(2 + number) * channels].copy_from_slice(&own);
            }
            self.written.heard.note(number, gain, direction);
        }
        names
    }

    /// The sounds that its signals were read from, by their names in the text.
    pub fn sounds(&self) -> impl Iterator<Item = &str> {
        self.written.recordings.iter().map(|recorded| &*recorded.file)
    }

    /// The control of a name.
    pub fn control(&self, name: &str) -> Option<ControlId> {
        self.controls.iter().position(|control| control.name == name).map(ControlId::new)
    }
}

/// A tool that sets an object going or quiets it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Exciter {
    /// Name, unique in the scene.
    pub name: String,
    /// What it is, and the parts of the model it consists of.
    pub tool: Tool,
    /// How hard it plays when nothing else is said, in the unit of [`Tool::unit`].
    pub amount: f64,
}

/// Something that happens at a time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Event {
    /// When, in s from the start.
    pub time: f64,
    /// What.
    pub action: Action,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Action {
    /// An exciter plays: strikes, plucks, bows, damps.
    Play {
        /// Which exciter.
        exciter: ExciterId,
        /// How hard, in the unit of its tool.
        amount: f64,
        /// Time in s over which a bow or a finger comes to that amount; 0 for at once.
        over: f64,
    },
    /// An exciter stops: a bow leaves, a finger lifts, a signal ends. Hammers and plectra have left by themselves.
    Release {
        /// Which exciter.
        exciter: ExciterId,
        /// Time in s over which it leaves.
        over: f64,
    },
    /// Parameters go to a value.
    Set {
        /// Which parameters; all of them get the value.
        targets: Vec<Parameter>,
        /// The value, in their unit.
        value: f64,
        /// Time in s over which they go there; 0 for at once.
        over: f64,
        /// Whether equal times are equal ratios on the way, where both ends are on one side of 0; else it is a straight line.
        #[cfg_attr(feature = "serde", serde(default))]
        logarithmic: bool,
    },
    /// A key goes down, as in [`NoteMap`].
    NoteOn {
        /// Key as in MIDI: 69 is A4.
        key: u8,
        /// How hard, from 0 to 1.
        velocity: f64,
    },
    /// A key comes up.
    NoteOff {
        /// Key as in MIDI.
        key: u8,
    },
    /// The pedal that holds the notes, down or up.
    Sustain(bool),
    /// All strings that can bend go to this many semitones from where they were built.
    PitchBend(f64),
    /// A control is turned.
    Turn {
        /// Which control.
        control: ControlId,
        /// The value, in its unit; brought into its range.
        value: f64,
        /// Time in s over which its parameters follow; 0 for as soon as is not heard as a step.
        #[cfg_attr(feature = "serde", serde(default))]
        over: f64,
        /// As of [`Action::Set`].
        #[cfg_attr(feature = "serde", serde(default))]
        logarithmic: bool,
    },
}

/// A number of the model that can change while it sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Parameter {
    /// A parameter of an interaction's law, by its place in [`LawInfo::parameters`](ictus::laws::LawInfo::parameters).
    Law(ContactId, usize),
    /// Resistance in N s/m beside an interaction's law.
    Damping(ContactId),
    /// Gap of an interaction in m.
    Gap(ContactId),
    /// Whether an interaction acts: above ½ it does.
    Active(ContactId),
    /// Velocity in m/s over the roughness of an interaction.
    Travel(ContactId),
    /// Place of an end of an interaction along the first side, a fraction.
    Along(ContactId, End),
    /// Place of an end of an interaction along the second side, a fraction.
    Across(ContactId, End),
    /// Velocity of a barrier in m/s.
    Velocity(ObjectId),
    /// Height of a barrier in m.
    Height(ObjectId),
    /// Semitones that a string is bent from its built pitch.
    Bend(ObjectId),
    /// How many times sooner an object in modes dies than it was built to.
    Losses(ObjectId),
    /// Level of a force in N.
    Level(ForceId),
    /// Gain of a pickup, as in a text: that of its only channel or of equal power in two, else the root of the sum of the squares.
    Gain(PickupId),
    /// Where between left (-1) and right (1) a pickup is heard that is heard in the first two channels alone.
    Pan(PickupId),
    /// Place of a pickup along the first side, a fraction.
    PickupAlong(PickupId),
    /// Place of a pickup along the second side, a fraction.
    PickupAcross(PickupId),
    /// The amount an exciter plays with, a bow or finger that plays follows at once.
    Amount(ExciterId),
    /// Centre of a pluck, a fraction of the length.
    Centre(ExciterId),
}

/// A knob.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Control {
    /// Name, unique among the controls.
    pub name: String,
    /// What it turns; all of them get the value.
    pub targets: Vec<Parameter>,
    /// Lowest and highest value, in the unit of the targets.
    pub range: [f64; 2],
    /// Where it starts.
    pub value: f64,
    /// Whether its parameters are brought to that value at the start. If not, each starts at what the scene says of it, which may
    /// differ from note to note of a set, and the value is that of the first.
    pub is_given: bool,
    /// Whether equal turns are equal ratios. The range is then above 0.
    pub logarithmic: bool,
    /// SI unit of the value, for people to read.
    pub unit: String,
    /// MIDI controller that turns it, 0 to 127.
    pub midi: Option<u8>,
}

/// What a keyboard plays.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NoteMap {
    /// What can sound at once.
    pub voices: Vec<Voice>,
    /// Amount of the exciter at the softest and the hardest key stroke, in the unit of its tool.
    pub amounts: [f64; 2],
    /// Exponent of the way from one to the other: 1 is a straight line, more needs harder strokes.
    pub curve: f64,
    /// Time in s over which bows and fingers come and go.
    pub over: f64,
    /// Semitones of a pitch wheel turned all the way.
    pub bend_range: f64,
    /// How far each of the 128 keys is from equal temperament, in cents; empty for not at all. Bent strings follow it.
    pub cents: Vec<f64>,
}

impl NoteMap {
    /// Whether any voice sounds a key.
    pub fn plays(&self, key: u8) -> bool {
        self.voices.iter().any(|voice| voice.plays(key))
    }

    /// All keys that sound, from the lowest to the highest.
    pub fn keys(&self) -> impl Iterator<Item = u8> {
        (0..=127).filter(|key| self.plays(*key))
    }
}

/// One thing that can sound a note.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Voice {
    /// Lowest and highest key it can play. Of one that plays a single key, both are the same.
    pub keys: [u8; 2],
    /// What sounds it.
    pub exciter: ExciterId,
    /// The finger that quiets it when the key comes up, if it is quieted at all.
    pub damper: Option<ExciterId>,
    /// The string that is bent to the key, and by the pitch wheel; its built pitch is the lowest key's.
    pub string: Option<ObjectId>,
    /// The finger that stops the string for all keys but the lowest, if it is stopped.
    pub stop: Option<Stop>,
}

/// A finger that lies on a string for as long as a key wants it to: firmly, to shorten it to a fret, or lightly, to leave a harmonic.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stop {
    /// The finger.
    pub finger: ExciterId,
    /// Semitones above the voice's lowest key, and where the finger lies then, a fraction of the length. Other keys do not sound.
    pub places: Vec<(u8, f64)>,
}

impl Stop {
    /// Where the finger lies so many semitones above the lowest key, a fraction of the length.
    pub fn place(&self, semitones: u8) -> Option<f64> {
        self.places.iter().find(|(above, _)| *above == semitones).map(|(_, place)| *place)
    }
}

impl Voice {
    /// Whether it sounds a key.
    pub fn plays(&self, key: u8) -> bool {
        let [low, high] = self.keys;
        let is_stopped = |stop: &Stop| key == low || stop.place(key - low).is_some();
        (low..=high).contains(&key) && self.stop.as_ref().is_none_or(is_stopped)
    }

    /// Whether its keys differ in pitch: its string is bent or stopped to them. Any other voice sounds all of its keys alike.
    pub fn has_pitches(&self) -> bool {
        self.string.is_some() || self.stop.is_some()
    }

    /// The keys that sound unlike each other, from the lowest: one, where all sound alike.
    pub fn pitches(&self) -> impl Iterator<Item = u8> {
        let [low, high] = self.keys;
        (low..=if self.has_pitches() { high } else { low }).filter(|key| self.plays(*key))
    }
}

/// What becomes of the pickups' sum before it is heard.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Output {
    /// Factor on everything.
    pub gain: f64,
    /// Corner in Hz of the filter that keeps drift out of the loudspeaker (second order, Butterworth); 0 for none.
    pub highpass: f64,
    /// Time in s over which the sound is faded at the end of a render, so that it does not click.
    pub fade: f64,
}

impl Default for Output {
    fn default() -> Self {
        Self { gain: 1.0, highpass: 20.0, fade: 0.01 }
    }
}
