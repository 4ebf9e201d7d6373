//! What a keyboard plays: which voice sounds a key, and what becomes of it when the key comes up.
//!
//! A key that sounds is struck again on its own voice. Another takes one that was never played, then the one let go longest ago,
//! then the oldest. The pedal holds what would be let go. A voice let go is damped, if it has a damper, and rings on if not.

use super::controls::{Controls, FOLLOWING};
use super::error::{BuildError, PlayError};
use super::mechanism::{LONGEST, Mechanism};
use crate::ExciterId;
use crate::notes::interval;
use crate::scene::{NoteMap, Voice};

/// What a voice does, oldest first by its number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Use {
    /// Never played.
    Free,
    /// Its key is down, since that many notes.
    Held(u64),
    /// Its key came up while the pedal was down.
    Sustained(u64),
    /// Let go: it rings on, or is damped.
    Released(u64),
}

/// A voice and what it does.
#[derive(Clone, Debug)]
struct VoiceState {
    voice: Voice,
    key: u8,
    doing: Use,
    /// Sample at which its key went down last.
    began: u64,
}

/// All voices of a note map.
#[derive(Clone, Debug)]
pub(super) struct Voices {
    voices: Vec<VoiceState>,
    amounts: [f64; 2],
    curve: f64,
    over: f64,
    bend_range: f64,
    cents: Vec<f64>,
    pedal: bool,
    /// Keys struck and let go so far.
    count: u64,
}

impl Voices {
    pub(super) fn new(map: &NoteMap) -> Result<Self, BuildError> {
        let check = |what, value: f64, holds: bool, allowed| {
            if value.is_finite() && holds { Ok(()) } else { Err(BuildError::Value { what, value, allowed }) }
        };
        for amount in map.amounts {
            check("an amount of the notes", amount, true, "finite")?;
        }
        check("the curve of the notes", map.curve, map.curve > 0.0, "above 0")?;
        let is_time = (0.0..=LONGEST).contains(&map.over);
        check("the time over which notes come and go", map.over, is_time, "from 0 to 86400 s")?;
        check("the range of the pitch wheel", map.bend_range, true, "finite")?;
        for cents in &map.cents {
            check("how far a key is from equal temperament", *cents, true, "finite")?;
        }
        let state = |voice: &Voice| VoiceState { voice: voice.clone(), key: voice.keys[0], doing: Use::Free, began: 0 };
        Ok(Self {
            voices: map.voices.iter().map(state).collect(),
            amounts: map.amounts,
            curve: map.curve,
            over: map.over,
            bend_range: map.bend_range,
            cents: map.cents.clone(),
            pedal: false,
            count: 0,
        })
    }

    pub(super) fn reset(&mut self) {
        self.voices.iter_mut().for_each(|state| state.doing = Use::Free);
        (self.pedal, self.count) = (false, 0);
    }

    /// Semitones of a pitch wheel turned all the way.
    pub(super) fn bend_range(&self) -> f64 {
        self.bend_range
    }

    /// A key goes down, this hard from 0 to 1.
    pub(super) fn strike(&mut self, mechanism: &mut Mechanism, controls: &mut Controls, key: u8, velocity: f64) {
        let Some(index) = self.choose(key) else { return };
        // What the note before has said is not said of this one. A note that is cut off changes over, one that has ended is over.
        let is_cut_off = matches!(self.voices[index].doing, Use::Held(_) | Use::Sustained(_));
        let Voice { exciter, damper, .. } = self.voices[index].voice;
        for tool in [Some(exciter), damper].into_iter().flatten() {
            controls.forget(mechanism, tool, if is_cut_off { FOLLOWING } else { 0.0 });
        }
        let amount = self.amount(velocity);
        self.count += 1;
        self.take_tools_of(index);
        let state = &mut self.voices[index];
        (state.key, state.doing, state.began) = (key, Use::Held(self.count), mechanism.time);
        let Voice { exciter, damper, string, keys, ref stop } = state.voice;
        // A voice whose parts refuse what the map asks of them stays silent; the rest of the keyboard plays on.
        if let Some(string) = string {
            let _ = mechanism.bend_to_key(string, interval(&self.cents, keys[0], key));
        }
        if let Some(damper) = damper {
            // It is off the string before anything else touches it.
            let _ = mechanism.release(damper, 0.0);
        }
        if let Some(stop) = stop {
            // It stays there after the key has come up, for what rings on.
            let _ = mechanism.stop_string(stop.finger, stop.place(key - keys[0]));
        }
        let _ = mechanism.play(exciter, amount, self.over);
    }

    /// Voices that share the exciter of one that is about to play have lost it: their keys come up without a touch.
    fn take_tools_of(&mut self, index: usize) {
        let exciter = self.voices[index].voice.exciter;
        for (other, state) in self.voices.iter_mut().enumerate() {
            if other != index
                && state.voice.exciter == exciter
                && matches!(state.doing, Use::Held(_) | Use::Sustained(_))
            {
                state.doing = Use::Released(self.count);
            }
        }
    }

    /// A key comes up.
    pub(super) fn lift(&mut self, mechanism: &mut Mechanism, key: u8) {
        let pedal = self.pedal;
        for index in 0..self.voices.len() {
            let state = &mut self.voices[index];
            if let (Use::Held(age), true) = (state.doing, state.key == key) {
                if pedal {
                    state.doing = Use::Sustained(age);
                } else {
                    self.let_go(mechanism, index);
                }
            }
        }
    }

    /// The string of a key that sounds is bent by so many semitones from where the key has it; other keys are not.
    pub(super) fn bend(&self, mechanism: &mut Mechanism, key: u8, semitones: f64) -> Result<(), PlayError> {
        for state in self.sounding(key) {
            if let Some(string) = state.voice.string {
                mechanism.bend_to_key(string, interval(&self.cents, state.voice.keys[0], key) + semitones)?;
            }
        }
        Ok(())
    }

    /// The tools that sound a key, and whether the key has gone down at this sample.
    pub(super) fn tools_of(&self, key: u8, now: u64) -> impl Iterator<Item = (ExciterId, bool)> + Clone + '_ {
        let tools = move |state: &VoiceState| {
            let begins = state.began == now;
            [Some(state.voice.exciter), state.voice.damper].map(|tool| tool.map(|tool| (tool, begins)))
        };
        self.sounding(key).flat_map(tools).flatten()
    }

    fn sounding(&self, key: u8) -> impl Iterator<Item = &VoiceState> + Clone {
        let sounds =
            move |state: &&VoiceState| state.key == key && !matches!(state.doing, Use::Free | Use::Released(_));
        self.voices.iter().filter(sounds)
    }

    /// The pedal goes down or up.
    pub(super) fn sustain(&mut self, mechanism: &mut Mechanism, down: bool) {
        self.pedal = down;
        if down {
            return;
        }
        for index in 0..self.voices.len() {
            if let Use::Sustained(_) = self.voices[index].doing {
                self.let_go(mechanism, index);
            }
        }
    }

    fn let_go(&mut self, mechanism: &mut Mechanism, index: usize) {
        self.count += 1;
        let state = &mut self.voices[index];
        state.doing = Use::Released(self.count);
        let _ = mechanism.release(state.voice.exciter, self.over);
        if let Some(damper) = state.voice.damper
            && let Some(amount) = mechanism.amount(damper)
        {
            let _ = mechanism.play(damper, amount, self.over);
        }
    }

    /// The voice for a key, if there is any.
    fn choose(&self, key: u8) -> Option<usize> {
        let rank = |state: &VoiceState| match state.doing {
            Use::Free => (1, 0),
            _ if state.key == key => (0, 0),
            Use::Released(age) => (2, age),
            Use::Held(age) | Use::Sustained(age) => (3, age),
        };
        let candidates = self.voices.iter().enumerate().filter(|(_, state)| state.voice.plays(key));
        // Of strings that could all be stopped for it, the one that is stopped least.
        candidates.min_by_key(|(_, state)| (rank(state), key - state.voice.keys[0])).map(|(index, _)| index)
    }

    /// Amount of the exciter for a key stroke.
    fn amount(&self, velocity: f64) -> f64 {
        let [soft, hard] = self.amounts;
        soft + (hard - soft) * libm::pow(velocity.clamp(0.0, 1.0), self.curve)
    }

    /// Keys that are down or held by the pedal.
    pub(super) fn keys(&self) -> impl Iterator<Item = u8> + '_ {
        let is_down = |state: &&VoiceState| matches!(state.doing, Use::Held(_) | Use::Sustained(_));
        self.voices.iter().filter(is_down).map(|state| state.key)
    }
}
