//! What a host says of notes, as calls of an instrument: notes with velocity, the messages of MIDI, expressions of CLAP and VST3, and MPE.
//!
//! What a MIDI file says is done by the [`Keyboard`] that also reads files, so a performance is a render. Beyond files, every note may have a bend,
//! a pressure and a slide of its own (MIDI Polyphonic Expression 1.1): pressure turns, for this note alone, the control with controller 11, else 71,
//! else 1; slide that with controller 74.

use ictus_scene::midi::{Keyboard, PRESSURE, USUAL_BEND, wheel};
use ictus_scene::scene::Control;
use ictus_scene::{ControlId, Instrument};
use nice_plug::midi::{Channel, Key, NoteEvent, VoiceID};
use nice_plug::prelude::PluginApi;

use crate::bodies::Body;

/// Semitones of a member's wheel, unless it says otherwise.
const MEMBER_BEND: f64 = 48.0;

/// Farthest that one note is bent, in semitones.
const FARTHEST: f64 = 60.0;

/// A control with one of these controllers follows the slide, and so on; that of the pressure are the keyboard's.
const SLIDE: &[u8] = &[74];
const VIBRATO: &[u8] = &[1];
const EXPRESSION: &[u8] = &[11];

/// Controllers that choose and set a registered parameter, and the one that says how many members a zone has.
const HIGH: u8 = 101;
const LOW: u8 = 100;
const ENTRY: u8 = 6;
const MEMBERS: u8 = 6;

/// Controllers that mean the same on a member channel as on any other: the pedal, and all notes off.
const COMMON: [u8; 4] = [64, 120, 121, 123];

/// Notes whose numbers are remembered, for hosts that tell them by nothing else.
const REMEMBERED: usize = 128;

/// What a channel of MIDI has said.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// The wheel from -1 to 1, and its semitones.
    bend: f64,
    range: f64,
    pressure: Option<f64>,
    slide: Option<f64>,
    /// The registered parameter it has chosen.
    registered: [u8; 2],
}

/// What fingers do on an instrument.
#[derive(Debug)]
pub struct Fingers {
    keyboard: Keyboard,
    controls: Vec<Control>,
    /// What keys strike where the scene has no notes.
    bodies: Vec<Body>,
    members: [Member; 16],
    /// Members of the lower zone, from channel 2 up, and of the upper one, from 15 down.
    zones: [u8; 2],
    /// Whether all channels but the first are members, whatever was said.
    is_mpe: bool,
    /// Numbers of the last notes, with channel and key.
    numbers: [Option<(i32, u8, u8)>; REMEMBERED],
    next_number: usize,
}

impl Fingers {
    /// Fingers for an instrument with these controls; a wheel turned all the way is so many semitones. Without notes, keys strike bodies.
    pub fn new(controls: Vec<Control>, bend_range: Option<f64>, bodies: Vec<Body>) -> Self {
        let member = Member { bend: 0.0, range: MEMBER_BEND, pressure: None, slide: None, registered: [127; 2] };
        Self {
            keyboard: Keyboard::new(bend_range.unwrap_or(USUAL_BEND)),
            controls,
            bodies,
            members: [member; 16],
            zones: [0; 2],
            is_mpe: false,
            numbers: [None; REMEMBERED],
            next_number: 0,
        }
    }

    /// The controls of the instrument.
    pub fn controls(&self) -> &[Control] {
        &self.controls
    }

    /// Whether every note has a channel of its own, although no message has said so.
    pub fn set_mpe(&mut self, is_mpe: bool) {
        self.is_mpe = is_mpe;
    }

    /// All keys come up.
    pub fn rest(&mut self, instrument: &mut Instrument) {
        self.keyboard.rest(|action| drop(instrument.act(&action)));
    }

    /// Does what an event says. What an instrument cannot do is left.
    pub fn hear(&mut self, instrument: &mut Instrument, event: &NoteEvent<()>, api: PluginApi) {
        match *event {
            NoteEvent::NoteOn { voice_id, channel, key: Key::Number(key), velocity, .. } => {
                self.strike(instrument, voice_id, channel.number().unwrap_or(0), key, velocity);
            }
            NoteEvent::NoteOff { voice_id, channel, key, .. } | NoteEvent::Choke { voice_id, channel, key, .. } => {
                self.lift(instrument, voice_id, channel, key);
            }
            NoteEvent::PolyTuning { voice_id, key, tuning, .. } => {
                if let Some(key) = self.key_of(voice_id, key) {
                    let _ = instrument.bend_note(key, f64::from(tuning).clamp(-FARTHEST, FARTHEST));
                }
            }
            NoteEvent::PolyPressure { voice_id, key, pressure, .. } => {
                self.express_note(instrument, voice_id, key, &PRESSURE, pressure);
            }
            NoteEvent::PolyVibrato { voice_id, key, vibrato, .. } => {
                self.express_note(instrument, voice_id, key, VIBRATO, vibrato);
            }
            // The framework takes the one for the other in VST3.
            NoteEvent::PolyBrightness { voice_id, key, brightness, .. } => {
                let means = if api == PluginApi::Vst3 { EXPRESSION } else { SLIDE };
                self.express_note(instrument, voice_id, key, means, brightness);
            }
            NoteEvent::PolyExpression { voice_id, key, expression, .. } => {
                let means = if api == PluginApi::Vst3 { SLIDE } else { EXPRESSION };
                self.express_note(instrument, voice_id, key, means, expression);
            }
            NoteEvent::MidiChannelPressure { channel, pressure, .. } => self.press(instrument, channel, pressure),
            NoteEvent::MidiPitchBend { channel, value, .. } => self.bend(instrument, channel, value),
            NoteEvent::MidiCC { channel, cc, value, .. } => self.control(instrument, channel & 15, cc & 127, value),
            _ => {}
        }
    }

    fn strike(&mut self, instrument: &mut Instrument, number: VoiceID, channel: u8, key: u8, velocity: f32) {
        let (channel, key) = (channel & 15, key & 127);
        if velocity.is_nan() || velocity <= 0.0 {
            // So MIDI says that a key comes up; what is no number says nothing.
            return self.lift(instrument, number, Channel::Number(channel), Key::Number(key));
        }
        if let VoiceID::ID(number) = number {
            self.numbers[self.next_number] = Some((number, channel, key));
            self.next_number = (self.next_number + 1) % REMEMBERED;
        }
        let velocity = of_127(velocity).clamp(1.0, 127.0);
        self.keyboard.strike(channel, key, velocity, |action| drop(instrument.act(&action)));
        // The softest stroke there is is 1.
        Body::strike(&self.bodies, instrument, key, (velocity - 1.0) / 126.0);
        if self.is_member(channel) {
            let Member { bend, range, pressure, slide, .. } = self.members[usize::from(channel)];
            if bend != 0.0 {
                let _ = instrument.bend_note(key, (range * bend).clamp(-FARTHEST, FARTHEST));
            }
            for (means, said) in [(&PRESSURE[..], pressure), (SLIDE, slide)] {
                if let Some(position) = said {
                    self.express(instrument, key, means, position);
                }
            }
        }
    }

    /// The pressure of a channel: of a member, for its notes; of any other, for all that sounds.
    fn press(&mut self, instrument: &mut Instrument, channel: u8, pressure: f32) {
        if pressure.is_nan() {
            return;
        }
        if !self.is_member(channel) {
            let value = of_127(pressure).clamp(0.0, 127.0);
            return self.keyboard.press(&self.controls, value, |action| drop(instrument.act(&action)));
        }
        self.members[usize::from(channel & 15)].pressure = Some(f64::from(pressure));
        self.express_channel(instrument, channel, &PRESSURE, f64::from(pressure));
    }

    fn lift(&mut self, instrument: &mut Instrument, number: VoiceID, channel: Channel, key: Key) {
        let act = |action| drop(instrument.act(&action));
        match (number, channel, key) {
            (_, Channel::Number(channel), Key::Number(key)) => self.keyboard.lift(channel, key, act),
            (VoiceID::ID(number), _, _) => {
                if let Some((_, channel, key)) = self.numbers.into_iter().flatten().find(|(known, ..)| *known == number)
                {
                    self.keyboard.lift(channel, key, act);
                }
            }
            (_, channel, key) => self.lift_all(instrument, channel.number(), key.number()),
        }
    }

    /// Lifts a key on every channel, every key of a channel, or all.
    fn lift_all(&mut self, instrument: &mut Instrument, channel: Option<u8>, key: Option<u8>) {
        for channel in channel.map_or(0..=15, |channel| channel..=channel) {
            for key in key.map_or(0..=127, |key| key..=key) {
                self.keyboard.lift(channel, key, |action| drop(instrument.act(&action)));
            }
        }
    }

    /// The key of a note that is told by its key or its number.
    fn key_of(&self, number: VoiceID, key: Key) -> Option<u8> {
        let by_number = || {
            let number = number.id()?;
            self.numbers.iter().flatten().find(|(known, ..)| *known == number).map(|(_, _, key)| *key)
        };
        key.number().map(|key| key & 127).or_else(by_number)
    }

    fn is_member(&self, channel: u8) -> bool {
        let [lower, upper] = self.zones;
        let channel = channel & 15;
        self.is_mpe && channel > 0 || (1..=lower).contains(&channel) || channel <= 14 && channel >= 15 - upper
    }

    fn bend(&mut self, instrument: &mut Instrument, channel: u8, value: f32) {
        if value.is_nan() {
            return;
        }
        let raw = (f64::from(value) * 16_383.0).round().clamp(0.0, 16_383.0) as u16;
        if !self.is_member(channel) {
            return self.keyboard.bend(wheel(raw), |action| drop(instrument.act(&action)));
        }
        let member = &mut self.members[usize::from(channel & 15)];
        member.bend = (f64::from(raw) - 8192.0) / 8192.0;
        let semitones = (member.range * member.bend).clamp(-FARTHEST, FARTHEST);
        for key in (0..128).filter(|key| self.keyboard.holds(channel, *key)) {
            let _ = instrument.bend_note(key, semitones);
        }
    }

    fn control(&mut self, instrument: &mut Instrument, channel: u8, number: u8, value: f32) {
        if value.is_nan() {
            return;
        }
        let value = of_127(value).clamp(0.0, 127.0);
        self.register(channel, number, value);
        let is_member = self.is_member(channel);
        if is_member && SLIDE.contains(&number) {
            self.members[usize::from(channel)].slide = Some(value / 127.0);
            self.express_channel(instrument, channel, SLIDE, value / 127.0);
        }
        if !is_member || COMMON.contains(&number) {
            let act = |action| drop(instrument.act(&action));
            self.keyboard.control(&self.controls, channel, number, value, act);
        }
    }

    /// Registered parameters: how many members a zone has, and how far their wheels bend.
    fn register(&mut self, channel: u8, number: u8, value: f64) {
        let at = usize::from(channel);
        match number {
            HIGH => self.members[at].registered[0] = value as u8,
            LOW => self.members[at].registered[1] = value as u8,
            ENTRY => match (self.members[at].registered, channel) {
                ([0, MEMBERS], 0 | 15) => self.zones[usize::from(channel == 15)] = (value as u8).min(15),
                ([0, 0], _) => {
                    // One member's range is that of all of its zone.
                    let of_zone = self.is_member(channel);
                    for other in 0..16 {
                        if other == channel || of_zone && self.is_member(other) {
                            self.members[usize::from(other)].range = value;
                        }
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn express_note(&self, instrument: &mut Instrument, number: VoiceID, key: Key, means: &[u8], position: f32) {
        if let Some(key) = self.key_of(number, key) {
            self.express(instrument, key, means, f64::from(position));
        }
    }

    fn express_channel(&self, instrument: &mut Instrument, channel: u8, means: &[u8], position: f64) {
        for key in (0..128).filter(|key| self.keyboard.holds(channel, *key)) {
            self.express(instrument, key, means, position);
        }
    }

    /// Turns, for one key, the control that has the first of some controllers that any has.
    fn express(&self, instrument: &mut Instrument, key: u8, means: &[u8], position: f64) {
        let with = |number: &u8| self.controls.iter().position(|control| control.midi == Some(*number));
        if let (Some(index), false) = (means.iter().find_map(with), position.is_nan()) {
            let _ = instrument.express(key, ControlId::new(index), self.controls[index].value_at(position));
        }
    }
}

/// A value from 0 to 1 as one from 0 to 127; what came from MIDI is the whole number it was.
fn of_127(value: f32) -> f64 {
    let scaled = 127.0 * f64::from(value);
    let whole = scaled.round();
    if (scaled - whole).abs() < 1e-3 { whole } else { scaled }
}
