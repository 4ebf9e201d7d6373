//! What was asked of an instrument since its start, so that another process can play it again.
//!
//! An engine makes the same bits of the same calls at the same samples, on every machine. So a pickled instrument is its scene and its calls, each
//! with the number of frames that were made before it: small, and playing them again leads to the same state. Writing the state itself
//! was rejected: it is megabytes of coefficients for a piano, and would tie a pickle to how this version steps.

use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::instrument::{BLOCK, Instrument};
use crate::problem::problem;
use crate::signals::Signals;

/// Calls that are remembered at most. Beyond, an instrument plays on, but cannot be pickled until it is reset.
const MOST_CALLS: usize = 100_000;

/// A call that changes what is heard or told later, with its arguments as they were given.
#[derive(Clone, Serialize, Deserialize)]
pub enum Call {
    NoteOn(u8, f64),
    NoteOff(u8),
    Sustain(bool),
    Strike(String, f64),
    Bow(String, f64, f64),
    Pull(String, f64),
    Damp(String),
    Release(String, f64),
    Play(String, f64, f64),
    Set(String, f64, f64),
    KeepAccount(bool),
    DrainContacts,
    StopScore,
}

/// An instrument and what was asked of it since the start or the last reset.
#[derive(Clone)]
pub struct Played {
    pub instrument: ictus_scene::Instrument,
    /// The calls, oldest first, with the number of frames that were made before each; none if they were too many.
    calls: Option<Vec<(u64, Call)>>,
    /// Whether the energy account was asked for last. A reset leaves that as it is.
    keeps_account: bool,
}

impl Played {
    pub fn new(instrument: ictus_scene::Instrument) -> Self {
        Self { instrument, calls: Some(vec![]), keeps_account: false }
    }

    /// Remembers a call that is about to be made.
    pub fn note(&mut self, call: Call) {
        if let Call::KeepAccount(keep) = call {
            self.keeps_account = keep;
        }
        let frames = self.instrument.position();
        let Some(calls) = &mut self.calls else { return };
        // Two of these in a row leave what the second leaves.
        if matches!((calls.last(), &call), (Some((_, Call::DrainContacts)), Call::DrainContacts)) {
            calls.pop();
        }
        if calls.len() < MOST_CALLS {
            calls.push((frames, call));
        } else {
            self.calls = None;
        }
    }

    /// Everything back to the start; what was called before no longer matters.
    pub fn reset(&mut self) {
        self.instrument.reset();
        self.calls = Some(vec![]);
        if self.keeps_account {
            self.note(Call::KeepAccount(true));
        }
    }
}

impl Instrument {
    /// Frames since the start, and all calls since then as JSON.
    pub fn told(&self, py: Python<'_>) -> PyResult<(u64, String)> {
        py.detach(|| {
            let played = self.lock();
            let calls = played.calls.as_ref().ok_or_else(|| {
                problem(format!(
                    "an Instrument that got more than {MOST_CALLS} calls since its start or its last reset cannot be pickled: \
                     copy() it, or pickle its scene"
                ))
            })?;
            Ok((played.instrument.position(), serde_json::to_string(calls).map_err(problem)?))
        })
    }

    /// Brings a new instrument to where another one was when it told its frames and calls.
    pub fn played_again(&self, py: Python<'_>, frames: u64, calls: &str) -> PyResult<()> {
        let calls: Vec<(u64, Call)> = serde_json::from_str(calls)
            .map_err(|error| problem(format!("the calls of a pickled Instrument cannot be read: {error}")))?;
        for (when, call) in &calls {
            self.go_to(py, *when)?;
            // What was refused there is refused here, and left the instrument as it was.
            let _ = self.make(py, call);
        }
        self.go_to(py, frames)
    }

    fn make(&self, py: Python<'_>, call: &Call) -> PyResult<()> {
        match call {
            Call::NoteOn(key, velocity) => self.note_on(py, (*key).into(), *velocity)?,
            Call::NoteOff(key) => self.note_off(py, (*key).into())?,
            Call::Sustain(down) => self.sustain(py, *down),
            Call::Strike(at, velocity) => self.strike(py, at, Some(*velocity))?,
            Call::Bow(at, velocity, force) => self.bow(py, at, *velocity, *force)?,
            Call::Pull(at, height) => self.pull(py, at, *height)?,
            Call::Damp(at) => self.damp(py, at)?,
            Call::Release(what, over) => self.release(py, what, *over)?,
            Call::Play(exciter, amount, over) => self.play(py, exciter, Some(*amount), *over)?,
            Call::Set(path, value, over) => self.set(py, path, *value, *over)?,
            Call::KeepAccount(keep) => self.keep_account(py, *keep),
            Call::DrainContacts => drop(self.drain_contacts(py)),
            Call::StopScore => self.stop_score(py),
        }
        Ok(())
    }

    /// Plays on, unheard, until so many frames are made.
    fn go_to(&self, py: Python<'_>, frames: u64) -> PyResult<()> {
        let channels = self.channels(py);
        py.detach(|| {
            let mut signals = Signals::new();
            let mut block = vec![0.0; BLOCK * channels];
            loop {
                let mut played = self.lock();
                let left = frames.saturating_sub(played.instrument.position()).min(BLOCK as u64) as usize;
                if left == 0 {
                    return Ok(());
                }
                played.instrument.process(&mut block[..left * channels]);
                drop(played);
                signals.look()?;
            }
        })
    }
}
