//! What a piece does to a scene: keys, pedal, pitch wheel and controls, in the scene's own terms.
//!
//! All channels play one instrument. A key held on two channels comes up with the last of them, and the pedal is down while it is
//! on any channel. Keys still down at the end come up there.

use super::{Gesture, Midi};
use crate::ControlId;
use crate::scene::{Action, Event, Scene};

/// The controllers with a fixed meaning.
const SUSTAIN: u8 = 64;
const ALL_SOUND_OFF: u8 = 120;
const RESET_CONTROLLERS: u8 = 121;
/// This one and those after it: all notes off, and modes that imply it.
const ALL_NOTES_OFF: u8 = 123;

/// Semitones of a pitch wheel turned all the way, where a scene does not say.
const USUAL_BEND: f64 = 2.0;

impl Midi {
    /// The piece as events of a scene, in order of time. Notes play what the scene's note map says, controllers turn the controls
    /// that name them.
    pub fn events(&self, scene: &Scene) -> Vec<Event> {
        let mut keyboard = Keyboard { scene, held: [0; 128], pedals: 0, time: 0.0, events: Vec::new() };
        for message in &self.messages {
            keyboard.time = message.time;
            let channel = 1_u16 << (message.channel & 15);
            match message.gesture {
                Gesture::Strike { key, velocity } => keyboard.strike(channel, key, velocity),
                Gesture::Lift { key } => keyboard.lift(channel, key),
                Gesture::Controller { number, value } => keyboard.control(channel, number, value),
                Gesture::Wheel(position) => keyboard.bend(position),
            }
        }
        keyboard.time = self.end;
        keyboard.lift_all(u16::MAX);
        keyboard.pedal(u16::MAX, false);
        keyboard.events
    }
}

/// Who holds what.
struct Keyboard<'a> {
    scene: &'a Scene,
    /// Channels that hold each key, and those whose pedal is down: a bit for each.
    held: [u16; 128],
    pedals: u16,
    time: f64,
    events: Vec<Event>,
}

impl Keyboard<'_> {
    fn add(&mut self, action: Action) {
        self.events.push(Event { time: self.time, action });
    }

    fn strike(&mut self, channel: u16, key: u8, velocity: u8) {
        self.held[usize::from(key & 127)] |= channel;
        // The softest stroke there is is 1.
        self.add(Action::NoteOn { key, velocity: (f64::from(velocity) - 1.0) / 126.0 });
    }

    fn lift(&mut self, channels: u16, key: u8) {
        let held = &mut self.held[usize::from(key & 127)];
        let was_down = *held != 0;
        *held &= !channels;
        if was_down && *held == 0 {
            self.add(Action::NoteOff { key });
        }
    }

    fn lift_all(&mut self, channels: u16) {
        (0..128).for_each(|key| self.lift(channels, key));
    }

    fn pedal(&mut self, channels: u16, down: bool) {
        let before = self.pedals != 0;
        if down {
            self.pedals |= channels;
        } else {
            self.pedals &= !channels;
        }
        let after = self.pedals != 0;
        if before != after {
            self.add(Action::Sustain(after));
        }
    }

    fn bend(&mut self, position: f64) {
        let range = self.scene.notes.as_ref().map_or(USUAL_BEND, |notes| notes.bend_range);
        self.add(Action::PitchBend(range * position));
    }

    fn control(&mut self, channel: u16, number: u8, value: u8) {
        match number {
            ALL_SOUND_OFF => {
                self.lift_all(channel);
                self.pedal(channel, false);
            }
            RESET_CONTROLLERS => {
                self.pedal(channel, false);
                self.bend(0.0);
            }
            ALL_NOTES_OFF.. => self.lift_all(channel),
            _ => {
                let turned = self.turn(number, value);
                // A control that names the pedal's controller takes it.
                if number == SUSTAIN && !turned {
                    self.pedal(channel, value >= 64);
                }
            }
        }
    }

    /// Turns the controls that name a controller; whether there are any.
    fn turn(&mut self, number: u8, value: u8) -> bool {
        let scene = self.scene;
        let named = scene.controls.iter().enumerate().filter(|(_, control)| control.midi == Some(number));
        let before = self.events.len();
        for (index, control) in named {
            let value = control.value_at(f64::from(value) / 127.0);
            self.add(Action::Turn { control: ControlId::new(index), value });
        }
        self.events.len() > before
    }
}
