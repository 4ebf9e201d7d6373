//! Where actions arrive: those of the score and those of a person go the same way.

use super::controls::{Controls, follow};
use super::voices::Voices;
use super::{Mechanism, PlayError};
use crate::ControlId;
use crate::scene::Action;

/// What plays the instrument: a score or a person, it makes no difference.
#[derive(Clone, Debug)]
pub(super) struct Console {
    pub(super) mechanism: Mechanism,
    pub(super) voices: Option<Voices>,
    pub(super) controls: Controls,
}

impl Console {
    pub(super) fn act(&mut self, action: &Action) -> Result<(), PlayError> {
        match *action {
            Action::Play { exciter, amount, over } => self.mechanism.play(exciter, amount, over)?,
            Action::Release { exciter, over } => self.mechanism.release(exciter, over)?,
            Action::Set { ref targets, value, over, logarithmic } => {
                follow(&mut self.mechanism, targets, value, over, logarithmic)?;
            }
            Action::NoteOn { key, velocity } => self.note_on(key, velocity),
            Action::NoteOff { key } => self.note_off(key),
            Action::Sustain(down) => self.sustain(down),
            Action::PitchBend(semitones) => self.mechanism.bend_all(semitones)?,
            Action::Turn { control, value, over, logarithmic } => {
                self.controls.turn(&mut self.mechanism, control, value, over, logarithmic)?;
            }
        }
        Ok(())
    }

    pub(super) fn note_on(&mut self, key: u8, velocity: f64) {
        if let Some(voices) = &mut self.voices
            && !velocity.is_nan()
        {
            voices.strike(&mut self.mechanism, &mut self.controls, key, velocity);
        }
    }

    pub(super) fn note_off(&mut self, key: u8) {
        if let Some(voices) = &mut self.voices {
            voices.lift(&mut self.mechanism, key);
        }
    }

    pub(super) fn sustain(&mut self, down: bool) {
        if let Some(voices) = &mut self.voices {
            voices.sustain(&mut self.mechanism, down);
        }
    }

    pub(super) fn turn(&mut self, control: ControlId, value: f64) -> Result<(), PlayError> {
        self.controls.turn(&mut self.mechanism, control, value, 0.0, false)
    }
}
