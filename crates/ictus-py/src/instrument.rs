//! An instrument in Python's hands: stepped block by block, played, changed and looked at.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ictus::math::Plain;
use ictus_scene::Scene;
use ictus_scene::instrument::Hand;
use ictus_scene::parameters::ParameterId;
use ictus_scene::scene::{Action, Event};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::calls::{Call, Played};
use crate::place::{contact, point, unknown};
use crate::problem::{finite, problem, refused};
use crate::render::TOUCHES;
use crate::signals::Signals;

/// Frames made between two looks at whether the user wants to stop.
pub const BLOCK: usize = 1024;
/// Most samples of one call, all channels together.
const MOST_SAMPLES: usize = 1 << 28;

/// Sound (channels, frames) and what was looked at (points, frames).
type Traced = (Py<PyArray2<f32>>, Py<PyArray2<f64>>);

/// A scene at play.
#[pyclass(frozen, module = "ictus._ictus")]
pub struct Instrument {
    scene: Arc<Scene>,
    played: Mutex<Played>,
}

impl Instrument {
    /// A scene about to be played.
    pub fn of(py: Python<'_>, scene: Arc<Scene>) -> PyResult<Self> {
        let built = py.detach(|| ictus_scene::Instrument::with_hands(&scene)).map_err(problem)?;
        Ok(Self { scene, played: Mutex::new(Played::new(built)) })
    }

    /// The instrument, once no other thread plays it. Never to be called with the interpreter's lock held by this thread.
    pub fn lock(&self) -> MutexGuard<'_, Played> {
        self.played.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the instrument while others may use the interpreter.
    fn with<T: Send>(&self, py: Python<'_>, look: impl FnOnce(&ictus_scene::Instrument) -> T + Send) -> T {
        py.detach(|| look(&self.lock().instrument))
    }

    /// Does to the instrument what the call says, and remembers it.
    fn play_call<T: Send>(
        &self,
        py: Python<'_>,
        call: Call,
        act: impl FnOnce(&mut ictus_scene::Instrument) -> T + Send,
    ) -> T {
        py.detach(|| {
            let mut played = self.lock();
            played.note(call);
            act(&mut played.instrument)
        })
    }

    fn parameter(&self, py: Python<'_>, path: &str) -> PyResult<ParameterId> {
        self.with(py, |instrument| instrument.parameter(path).ok_or_else(|| instrument.suggest(path)))
            .map_err(|help| problem(format!("there is no parameter {path:?}; {help}")))
    }

    /// Room for so many samples.
    fn room<T: Clone + Default>(&self, rows: usize, frames: usize) -> PyResult<Vec<T>> {
        let count = rows.checked_mul(frames).filter(|count| *count <= MOST_SAMPLES);
        let count = count.ok_or_else(|| {
            refused("frames", frames, format!("must be at most {} at a time", MOST_SAMPLES / rows.max(1)))
        })?;
        let mut samples = Vec::new();
        let no_memory = |_| PyMemoryError::new_err("there is not enough memory for so many frames");
        samples.try_reserve_exact(count).map_err(no_memory)?;
        samples.resize(count, T::default());
        Ok(samples)
    }
}

/// A number of frames.
fn frames_of(frames: i128) -> PyResult<usize> {
    usize::try_from(frames).map_err(|_| refused("frames", frames, "must be a whole number, 0 or above"))
}

#[pymethods]
impl Instrument {
    #[getter]
    fn rate(&self) -> f64 {
        self.scene.model.rate
    }

    #[getter]
    pub fn channels(&self, py: Python<'_>) -> usize {
        self.with(py, |instrument| instrument.channels())
    }

    #[getter]
    fn time(&self, py: Python<'_>) -> f64 {
        self.with(py, |instrument| instrument.time())
    }

    /// The next frames, (channels, frames).
    fn process(&self, py: Python<'_>, frames: i128) -> PyResult<Py<PyArray2<f32>>> {
        let frames = frames_of(frames)?;
        let channels = self.channels(py);
        let mut samples: Vec<f32> = self.room(channels, frames)?;
        py.detach(|| -> PyResult<()> {
            let mut signals = Signals::new();
            for first in (0..frames).step_by(BLOCK) {
                let last = (first + BLOCK).min(frames);
                let rows = samples.chunks_exact_mut(frames);
                let mut blocks: Vec<&mut [f32]> = rows.map(|row| &mut row[first..last]).collect();
                self.lock().instrument.process_planar_f32(&mut blocks);
                signals.look()?;
            }
            Ok(())
        })?;
        Ok(PyArray1::from_vec(py, samples).reshape([channels, frames])?.unbind())
    }

    /// The next frames, and the displacement of points and the force of contacts at each of them.
    fn trace(&self, py: Python<'_>, frames: i128, points: Vec<String>, contacts: Vec<String>) -> PyResult<Traced> {
        let frames = frames_of(frames)?;
        let channels = self.channels(py);
        let model = &self.scene.model;
        let points = points.iter().map(|text| point(model, text)).collect::<PyResult<Vec<_>>>()?;
        let contacts = contacts.iter().map(|name| contact(model, name)).collect::<PyResult<Vec<_>>>()?;
        let mut samples: Vec<f32> = self.room(channels, frames)?;
        let rows = points.len() + contacts.len();
        let mut seen: Vec<f64> = self.room(rows, frames)?;
        py.detach(|| -> PyResult<()> {
            let mut signals = Signals::new();
            let mut frame = vec![0.0; channels];
            for n in 0..frames {
                let mut played = self.lock();
                let instrument = &mut played.instrument;
                instrument.process(&mut frame);
                for (channel, sample) in frame.iter().enumerate() {
                    samples[channel * frames + n] = *sample as f32;
                }
                let engine = instrument.engine();
                let heights = points.iter().map(|(object, place)| engine.displacement(*object, *place));
                let forces = contacts.iter().map(|contact| engine.interaction_force(*contact));
                for (row, value) in heights.chain(forces).enumerate() {
                    seen[row * frames + n] = value.unwrap_or(f64::NAN);
                }
                drop(played);
                if n % BLOCK == 0 {
                    signals.look()?;
                }
            }
            Ok(())
        })?;
        let audio = PyArray1::from_vec(py, samples).reshape([channels, frames])?.unbind();
        Ok((audio, PyArray1::from_vec(py, seen).reshape([rows, frames])?.unbind()))
    }

    /// Displacement of a point in m.
    fn displacement(&self, py: Python<'_>, at: &str) -> PyResult<f64> {
        let (object, place) = point(&self.scene.model, at)?;
        let seen = self.with(py, |instrument| instrument.engine().displacement(object, place));
        seen.ok_or_else(|| problem(format!("{at:?} cannot be looked at")))
    }

    /// Force in N, compression in m and whether it touches, of a contact.
    fn contact(&self, py: Python<'_>, name: &str) -> PyResult<(f64, f64, bool)> {
        let contact = contact(&self.scene.model, name)?;
        let seen = self.with(py, |instrument| {
            let engine = instrument.engine();
            Some((engine.interaction_force(contact)?, engine.compression(contact)?, engine.is_touching(contact)?))
        });
        seen.ok_or_else(|| problem(format!("the contact {name:?} cannot be looked at")))
    }

    /// Frequencies in Hz, decay rates in 1/s and masses in kg of an object's modes, if it is computed in modes.
    fn modes(&self, py: Python<'_>, name: &str) -> PyResult<Option<Vec<(f64, f64, f64)>>> {
        let objects = &self.scene.model.objects;
        let found = objects.iter().position(|object| object.name == name);
        let found = found.ok_or_else(|| unknown("object", name, objects.iter().map(|object| object.name.as_str())))?;
        let object = ictus::id::ObjectId::new(found);
        let numbers = |mode: ictus::objects::BodyMode| (mode.frequency, mode.decay_rate, mode.mass);
        Ok(self.with(py, |instrument| instrument.engine().modes(object).map(|modes| modes.map(numbers).collect())))
    }

    pub fn note_on(&self, py: Python<'_>, key: i128, velocity: f64) -> PyResult<()> {
        let (key, velocity) = (key_of(key)?, within("velocity", velocity, 0.0, 1.0)?);
        self.play_call(py, Call::NoteOn(key, velocity), |instrument| instrument.note_on(key, velocity));
        Ok(())
    }

    pub fn note_off(&self, py: Python<'_>, key: i128) -> PyResult<()> {
        let key = key_of(key)?;
        self.play_call(py, Call::NoteOff(key), |instrument| instrument.note_off(key));
        Ok(())
    }

    pub fn sustain(&self, py: Python<'_>, down: bool) {
        self.play_call(py, Call::Sustain(down), |instrument| instrument.sustain(down));
    }

    /// Throws a hammer at a point, or one of the scene's own exciters.
    pub fn strike(&self, py: Python<'_>, what: &str, velocity: Option<f64>) -> PyResult<()> {
        if self.scene.exciter(what).is_some() {
            return self.play(py, what, velocity, 0.0);
        }
        let velocity = finite("velocity", velocity.unwrap_or(1.0), "m/s")?;
        let call = Call::Strike(what.to_owned(), velocity);
        self.by_hand(py, what, call, |instrument, object, place| instrument.strike(object, place, velocity))
    }

    pub fn bow(&self, py: Python<'_>, at: &str, velocity: f64, force: f64) -> PyResult<()> {
        let (velocity, force) = (finite("velocity", velocity, "m/s")?, finite("force", force, "N")?);
        let call = Call::Bow(at.to_owned(), velocity, force);
        self.by_hand(py, at, call, |instrument, object, place| instrument.bow(object, place, velocity, force))
    }

    pub fn pull(&self, py: Python<'_>, at: &str, height: f64) -> PyResult<()> {
        let height = finite("height", height, "m")?;
        let call = Call::Pull(at.to_owned(), height);
        self.by_hand(py, at, call, |instrument, object, place| instrument.pull(object, place, height))
    }

    pub fn damp(&self, py: Python<'_>, at: &str) -> PyResult<()> {
        let call = Call::Damp(at.to_owned());
        self.by_hand(py, at, call, |instrument, object, place| instrument.damp(object, place))
    }

    /// Lets an exciter of the scene stop, or the hands leave an object.
    pub fn release(&self, py: Python<'_>, what: &str, over: f64) -> PyResult<()> {
        let over = finite("over", over, "s")?;
        let call = Call::Release(what.to_owned(), over);
        if let Some(exciter) = self.scene.exciter(what) {
            let action = Action::Release { exciter, over };
            return self.play_call(py, call, |instrument| instrument.act(&action)).map_err(problem);
        }
        let name = what.split_once('@').map_or(what, |(name, _)| name).trim();
        let objects = &self.scene.model.objects;
        let found = objects.iter().position(|object| object.name == name);
        let found = found
            .ok_or_else(|| unknown("exciter or object", name, objects.iter().map(|object| object.name.as_str())))?;
        let object = ictus::id::ObjectId::new(found);
        let hands = [Hand::Bow, Hand::Pull, Hand::Damp];
        self.play_call(py, call, |instrument| hands.into_iter().try_for_each(|hand| instrument.release(object, hand)))
            .map_err(problem)
    }

    /// Plays an exciter of the scene, with its own amount or another.
    pub fn play(&self, py: Python<'_>, exciter: &str, amount: Option<f64>, over: f64) -> PyResult<()> {
        let names = self.scene.exciters.iter().map(|exciter| exciter.name.as_str());
        let id = self.scene.exciter(exciter).ok_or_else(|| unknown("exciter", exciter, names))?;
        let played = &self.scene.exciters[id.index()];
        let amount = amount.unwrap_or(played.amount);
        let unit = played.tool.unit();
        let (amount, over) = (finite("amount", amount, unit)?, finite("over", over, "s")?);
        let (call, action) = (Call::Play(exciter.to_owned(), amount, over), Action::Play { exciter: id, amount, over });
        self.play_call(py, call, |instrument| instrument.act(&action)).map_err(problem)
    }

    /// Brings a live parameter to a value over a time in s.
    pub fn set(&self, py: Python<'_>, path: &str, value: f64, over: f64) -> PyResult<()> {
        let parameter = self.parameter(py, path)?;
        let (value, over) = (finite(path, value, "in its unit")?, finite("over", over, "s")?);
        let call = Call::Set(path.to_owned(), value, over);
        self.play_call(py, call, |instrument| instrument.glide(parameter, value, over)).map_err(|error| match error {
            ictus_scene::instrument::PlayError::NotLive(_) => problem(format!(
                "{path:?} cannot change while the instrument sounds: use Scene.set and build the instrument anew"
            )),
            other => problem(format!("{path}: {other}")),
        })
    }

    /// What a parameter stands at, in its unit.
    fn get(&self, py: Python<'_>, path: &str) -> PyResult<f64> {
        let parameter = self.parameter(py, path)?;
        Ok(self.with(py, |instrument| instrument.value(parameter)).unwrap_or(f64::NAN))
    }

    /// Values of all parameters, in the order of the scene's table.
    fn values(&self, py: Python<'_>) -> Vec<f64> {
        self.with(py, |instrument| {
            let count = instrument.parameters().len();
            (0..count).map(|index| instrument.value(ParameterId::new(index)).unwrap_or(f64::NAN)).collect()
        })
    }

    pub fn keep_account(&self, py: Python<'_>, keep: bool) {
        self.play_call(py, Call::KeepAccount(keep), |instrument| instrument.keep_account_of_energy(keep));
    }

    /// Stored, dissipated, supplied, initial, residual: energies in J, the last relative.
    fn balance(&self, py: Python<'_>) -> (f64, f64, f64, f64, f64) {
        let balance = self.with(py, |instrument| instrument.engine().balance());
        (balance.stored, balance.dissipated, balance.supplied, balance.initial, balance.residual())
    }

    /// Contacts that have ended since the last call: interaction; start, end, touch, release, v_in, v_out, peak force.
    pub fn drain_contacts(&self, py: Python<'_>) -> Vec<(usize, [f64; TOUCHES])> {
        let rate = self.scene.model.rate;
        self.play_call(py, Call::DrainContacts, |instrument| {
            let row = |of: ictus::probe::ContactEvent| {
                let times = [of.start as f64, of.end as f64, of.touch, of.release].map(|sample| sample / rate);
                let [start, end, touch, release] = times;
                (of.contact.index(), [start, end, touch, release, of.v_in, of.v_out, of.peak_force])
            };
            instrument.drain_contacts().map(row).collect()
        })
    }

    pub fn stop_score(&self, py: Python<'_>) {
        self.play_call(py, Call::StopScore, |instrument| instrument.stop_score());
    }

    fn reset(&self, py: Python<'_>) {
        py.detach(|| self.lock().reset());
    }

    /// How often the sound broke, and what broke last.
    fn breakdowns(&self, py: Python<'_>) -> (u64, Option<String>) {
        self.with(py, |instrument| (instrument.breakdowns(), instrument.culprit().map(str::to_owned)))
    }

    /// Times in s of the score's events.
    #[getter]
    fn score(&self) -> Vec<f64> {
        self.scene.score.iter().map(|Event { time, .. }| *time).collect()
    }

    /// Another one that goes on like this one.
    fn copy(&self, py: Python<'_>) -> Self {
        let played = py.detach(|| self.lock().clone());
        Self { scene: self.scene.clone(), played: Mutex::new(played) }
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.scene.seed
    }

    /// Frames since the start, and all calls since then as JSON.
    fn history(&self, py: Python<'_>) -> PyResult<(u64, String)> {
        self.told(py)
    }

    /// Brings a new instrument to where another one was, by its history.
    fn replay(&self, py: Python<'_>, frames: u64, calls: &str) -> PyResult<()> {
        self.played_again(py, frames, calls)
    }
}

impl Instrument {
    fn by_hand(
        &self,
        py: Python<'_>,
        at: &str,
        call: Call,
        act: impl FnOnce(
            &mut ictus_scene::Instrument,
            ictus::id::ObjectId,
            ictus::objects::Place,
        ) -> Result<(), ictus_scene::instrument::PlayError>
        + Send,
    ) -> PyResult<()> {
        let (object, place) = point(&self.scene.model, at)?;
        if !self.with(py, |instrument| instrument.has_hands(object)) {
            return Err(problem(format!("{at:?} cannot be played by hand: it is a part of a tool, or is held")));
        }
        self.play_call(py, call, |instrument| act(instrument, object, place)).map_err(problem)
    }
}

fn key_of(key: i128) -> PyResult<u8> {
    u8::try_from(key)
        .ok()
        .filter(|key| *key < 128)
        .ok_or_else(|| refused("key", key, "must be a whole number from 0 to 127"))
}

fn within(argument: &str, value: f64, least: f64, most: f64) -> PyResult<f64> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(refused(argument, Plain(value), format!("must be a number from {least} to {most}")))
}
