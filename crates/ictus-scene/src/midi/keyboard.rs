//! What a player's messages do to a scene: keys, pedal, pitch wheel and controls, in the scene's own terms.
//!
//! All channels play one instrument. A key held on two channels comes up with the last of them, and the pedal is down while it is
//! on any channel. A file's messages and those of a live keyboard pass through here alike.

use crate::ControlId;
use crate::scene::{Action, Control};

/// The controllers with a fixed meaning.
const SUSTAIN: u8 = 64;
const ALL_SOUND_OFF: u8 = 120;
const RESET_CONTROLLERS: u8 = 121;
/// This one and those after it: all notes off, and modes that imply it.
const ALL_NOTES_OFF: u8 = 123;

/// Semitones of a pitch wheel turned all the way, where a scene does not say.
pub const USUAL_BEND: f64 = 2.0;

/// The pressure of a channel turns the controls with one of these controllers, the first that there is: expression, timbre, modulation.
pub const PRESSURE: [u8; 3] = [11, 71, 1];

/// Every channel.
const ALL: u16 = u16::MAX;

/// Who holds what. Costs no memory: fit for the audio thread.
#[derive(Clone, Debug)]
pub struct Keyboard {
    /// Channels that hold each key, and those whose pedal is down: a bit for each.
    held: [u16; 128],
    pedals: u16,
    /// Semitones of the pitch wheel.
    bend_range: f64,
}

impl Keyboard {
    /// No key is down. A pitch wheel turned all the way means so many semitones.
    pub fn new(bend_range: f64) -> Self {
        Self { held: [0; 128], pedals: 0, bend_range }
    }

    /// A key goes down on a channel from 0 to 15, this hard from 1 to 127; between those too, where an instrument is finer.
    pub fn strike(&mut self, channel: u8, key: u8, velocity: f64, mut act: impl FnMut(Action)) {
        let key = key & 127;
        self.held[usize::from(key)] |= bit(channel);
        // The softest stroke there is is 1.
        act(Action::NoteOn { key, velocity: (velocity - 1.0) / 126.0 });
    }

    /// A key comes up on a channel.
    pub fn lift(&mut self, channel: u8, key: u8, act: impl FnMut(Action)) {
        self.lift_on(bit(channel), key, act);
    }

    /// Every key comes up, and the pedal.
    pub fn rest(&mut self, mut act: impl FnMut(Action)) {
        self.lift_all(ALL, &mut act);
        self.pedal(ALL, false, &mut act);
    }

    /// The pitch wheel moves, from -1 to 1.
    pub fn bend(&mut self, position: f64, mut act: impl FnMut(Action)) {
        act(Action::PitchBend(self.bend_range * position));
    }

    /// A controller from 0 to 127 moves on a channel, to a value from 0 to 127. It turns the controls that name it.
    pub fn control(&mut self, controls: &[Control], channel: u8, number: u8, value: f64, mut act: impl FnMut(Action)) {
        let channel = bit(channel);
        match number {
            ALL_SOUND_OFF => {
                self.lift_all(channel, &mut act);
                self.pedal(channel, false, act);
            }
            RESET_CONTROLLERS => {
                self.pedal(channel, false, &mut act);
                self.bend(0.0, act);
            }
            ALL_NOTES_OFF.. => self.lift_all(channel, &mut act),
            _ => {
                let turned = turn(controls, number, value, &mut act);
                // A control that names the pedal's controller takes it.
                if number == SUSTAIN && !turned {
                    self.pedal(channel, value >= 64.0, act);
                }
            }
        }
    }

    /// The keys of a channel are pressed after they are down, from 0 to 127: like a controller, for all that sounds.
    pub fn press(&mut self, controls: &[Control], value: f64, mut act: impl FnMut(Action)) {
        let _ = PRESSURE.iter().any(|number| turn(controls, *number, value, &mut act));
    }

    /// Whether a channel holds a key.
    pub fn holds(&self, channel: u8, key: u8) -> bool {
        self.held[usize::from(key & 127)] & bit(channel) != 0
    }

    fn lift_on(&mut self, channels: u16, key: u8, mut act: impl FnMut(Action)) {
        let key = key & 127;
        let held = &mut self.held[usize::from(key)];
        let was_down = *held != 0;
        *held &= !channels;
        if was_down && *held == 0 {
            act(Action::NoteOff { key });
        }
    }

    fn lift_all(&mut self, channels: u16, act: &mut impl FnMut(Action)) {
        (0..128).for_each(|key| self.lift_on(channels, key, &mut *act));
    }

    fn pedal(&mut self, channels: u16, down: bool, mut act: impl FnMut(Action)) {
        let before = self.pedals != 0;
        if down {
            self.pedals |= channels;
        } else {
            self.pedals &= !channels;
        }
        let after = self.pedals != 0;
        if before != after {
            act(Action::Sustain(after));
        }
    }
}

fn bit(channel: u8) -> u16 {
    1 << (channel & 15)
}

/// Turns the controls that name a controller; whether there are any.
fn turn(controls: &[Control], number: u8, value: f64, act: &mut impl FnMut(Action)) -> bool {
    let named = controls.iter().enumerate().filter(|(_, control)| control.midi == Some(number));
    let mut any = false;
    for (index, control) in named {
        let (control, value) = (ControlId::new(index), control.value_at(value / 127.0));
        act(Action::Turn { control, value, over: 0.0, logarithmic: false });
        any = true;
    }
    any
}

/// Position of the pitch wheel from -1 to 1 for its number from 0 to 16383; there is one step more below the middle than above.
pub fn wheel(raw: u16) -> f64 {
    let from_middle = f64::from(raw) - 8192.0;
    from_middle / if from_middle < 0.0 { 8192.0 } else { 8191.0 }
}
