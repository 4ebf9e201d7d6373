//! A part: a scene that is played, with the fingers that play it.

use ictus::id::{ForceId, ObjectId};
use ictus::model::{Force, Point};
use ictus_scene::instrument::{BuildError, Nature};
use ictus_scene::{ControlId, Instrument, Scene};
use nice_plug::midi::NoteEvent;
use nice_plug::prelude::PluginApi;

use crate::bodies::Body;
use crate::fade::Fade;
use crate::fingers::Fingers;
use crate::knobs::{KNOBS, USUAL_POSITION};
use crate::picture::{Drawing, Picture};
use crate::score::Score;

/// Most frames made at a time.
pub const MOST_FRAMES: usize = 256;

/// The force that follows the audio from outside.
pub const INPUT: &str = "input";

/// A scene at work, or nothing where there is none that can be played.
#[derive(Debug)]
pub struct Part {
    /// The number of the choice it was made for.
    pub choice: u64,
    /// A bit for each knob that is to be where the host has it; the others leave what the scene says.
    pub turned: u64,
    /// Where the host's knobs stood when it was chosen.
    pub positions: [f32; KNOBS],
    playing: Option<Playing>,
}

#[derive(Debug)]
struct Playing {
    instrument: Instrument,
    fingers: Fingers,
    input: Option<ForceId>,
    /// What was made last, interleaved.
    mix: Vec<f64>,
    breakdowns: u64,
    score: Score,
    /// What sounded when the score jumped goes in its stead; only a scene with a score has one.
    twin: Option<Twin>,
}

/// A second instrument of the same scene, which takes over where the first stops.
#[derive(Debug)]
struct Twin {
    instrument: Instrument,
    fade: Fade,
    mix: Vec<f64>,
}

impl Part {
    /// What plays nothing.
    pub fn silent() -> Self {
        Self { choice: 0, turned: 0, positions: [USUAL_POSITION; KNOBS], playing: None }
    }

    /// A part for a scene, which is prepared for audio from outside, that of an effect in any case; and what can be drawn of it.
    ///
    /// # Errors
    /// The scene cannot be built.
    pub fn new(scene: &mut Scene, is_effect: bool) -> Result<(Self, Drawing), BuildError> {
        if is_effect {
            with_input(scene);
        }
        let input = lent_to_input(scene);
        // Where there are no notes to play, keys strike the bodies.
        let mut instrument =
            if scene.notes.is_none() { Instrument::with_hands(scene)? } else { Instrument::new(scene)? };
        instrument.stop_score();
        let bodies = if scene.notes.is_none() { Body::all(scene, &instrument) } else { vec![] };
        let bend = scene.notes.as_ref().map(|notes| notes.bend_range);
        let drawing = Drawing::of(scene, instrument.engine());
        let mix = vec![0.0; MOST_FRAMES * instrument.channels()];
        let score = Score::new(std::mem::take(&mut scene.score), scene.beat());
        let twin = || Twin { instrument: instrument.clone(), fade: Fade::over(), mix: mix.clone() };
        let playing = Playing {
            twin: (!score.is_empty()).then(twin),
            mix,
            fingers: Fingers::new(scene.controls.clone(), bend, bodies),
            instrument,
            input,
            breakdowns: 0,
            score,
        };
        Ok((Self { playing: Some(playing), ..Self::silent() }, drawing))
    }

    /// Rate in Hz, if there is anything to play.
    pub fn rate(&self) -> Option<f64> {
        self.playing.as_ref().map(|playing| playing.instrument.rate())
    }

    /// Turns the control of a knob to a position from 0 to 1. At the very beginning what it turns is there at once, as if the scene had been
    /// written so; later it gets there as everything that is turned does.
    pub fn turn(&mut self, knob: usize, position: f32) {
        let Some(Playing { instrument, fingers, .. }) = &mut self.playing else { return };
        let Some(control) = fingers.controls().get(knob) else { return };
        let value = control.value_at(f64::from(position));
        if instrument.position() > 0 {
            let _ = instrument.turn(ControlId::new(knob), value);
            return;
        }
        for &target in &control.targets {
            let _ = instrument.set_target(target, value);
        }
    }

    /// Where a knob stands that turns nothing from where the scene has it.
    pub fn home(&self, knob: usize) -> Option<f32> {
        let control = self.playing.as_ref()?.fingers.controls().get(knob)?;
        Some(control.position_of(control.value) as f32)
    }

    /// How many knobs turn something.
    pub fn knobs(&self) -> usize {
        self.playing.as_ref().map_or(0, |playing| playing.fingers.controls().len().min(KNOBS))
    }

    /// Whether every note has a channel of its own.
    pub fn set_mpe(&mut self, is_mpe: bool) {
        if let Some(playing) = &mut self.playing {
            playing.fingers.set_mpe(is_mpe);
        }
    }

    /// Does what a host says of notes.
    pub fn hear(&mut self, event: &NoteEvent<()>, api: PluginApi) {
        if let Some(Playing { instrument, fingers, .. }) = &mut self.playing {
            fingers.hear(instrument, event, api);
        }
    }

    /// Length in s of a beat of the scene's score.
    pub fn beat(&self) -> f64 {
        self.playing.as_ref().map_or(0.5, |playing| playing.score.beat())
    }

    /// Begins anew at a time in s of the scene's score, which plays at so many seconds for one of its own. What sounds fades out.
    pub fn seek(&mut self, time: f64, pace: f64) {
        let Some(Playing { instrument, fingers, twin, .. }) = &mut self.playing else { return };
        fingers.rest(instrument);
        if let Some(twin) = twin {
            std::mem::swap(instrument, &mut twin.instrument);
            twin.fade = Fade::new(instrument.rate());
        }
        self.reset_instrument();
        if let Some(Playing { instrument, score, .. }) = &mut self.playing {
            score.seek(instrument, time, pace);
        }
    }

    /// Plays what the score has before a time in s, and returns the time of what comes after it.
    pub fn play_until(&mut self, time: f64, pace: f64) -> f64 {
        let Some(Playing { instrument, score, .. }) = &mut self.playing else { return f64::INFINITY };
        score.play_until(instrument, time, pace)
    }

    /// Everything at rest, as at the beginning.
    pub fn reset(&mut self) {
        if let Some(Playing { instrument, fingers, twin, .. }) = &mut self.playing {
            fingers.rest(instrument);
            twin.iter_mut().for_each(|twin| twin.fade = Fade::over());
        }
        self.reset_instrument();
    }

    fn reset_instrument(&mut self) {
        if let Some(Playing { instrument, breakdowns, .. }) = &mut self.playing {
            instrument.reset();
            instrument.stop_score();
            *breakdowns = 0;
        }
    }

    /// Makes so many frames, at most [`MOST_FRAMES`], and returns them interleaved with their channels; none where there is nothing to play.
    pub fn play(&mut self, frames: usize, input: Option<&[f32]>) -> (&[f64], usize) {
        let Some(Playing { instrument, input: force, mix, twin, .. }) = &mut self.playing else { return (&[], 1) };
        if let (Some(force), Some(input)) = (*force, input) {
            let mut samples = [0.0; MOST_FRAMES];
            samples.iter_mut().zip(input).for_each(|(sample, heard)| *sample = f64::from(*heard));
            let _ = instrument.feed(force, &samples[..frames]);
        }
        let channels = instrument.channels();
        let mix = &mut mix[..frames * channels];
        instrument.process(mix);
        if let Some(Twin { instrument, fade, mix: going }) = twin.as_mut().filter(|twin| !twin.fade.is_over()) {
            let going = &mut going[..frames * channels];
            instrument.process(going);
            for (sounds, going) in mix.chunks_exact_mut(channels).zip(going.chunks_exact(channels)) {
                let gain = fade.step();
                sounds.iter_mut().zip(going).for_each(|(sound, going)| *sound += gain * going);
            }
        }
        (mix, channels)
    }

    /// How often the sound broke since the last call.
    pub fn take_breakdowns(&mut self) -> u64 {
        let Some(playing) = &mut self.playing else { return 0 };
        let all = playing.instrument.breakdowns();
        let new = all.saturating_sub(playing.breakdowns);
        playing.breakdowns = all;
        new
    }

    /// Draws how everything stands.
    pub fn draw(&mut self, picture: &mut Picture) {
        if let Some(playing) = &mut self.playing {
            picture.draw(self.choice, &mut playing.instrument);
        }
    }
}

/// Finds the force that audio from outside drives, `input`, and gives it room for a block; its level is the factor of the sound. A signal's own
/// samples make way.
fn lent_to_input(scene: &mut Scene) -> Option<ForceId> {
    let index = scene.model.forces.iter().position(|force| force.name == INPUT)?;
    let room = scene.model.forces[index].signal.get_or_insert_default();
    room.resize(room.len().max(MOST_FRAMES), 0.0);
    Some(ForceId::new(index))
}

/// Gives a scene that says nothing of audio from outside a force that drives its first object: at full scale as hard as moves the object's
/// wave impedance at 1 m/s.
fn with_input(scene: &mut Scene) {
    let is_own = |index: &usize| !scene.is_part_of_exciter(ObjectId::new(*index));
    let natures = (0..scene.model.objects.len()).filter(is_own).filter_map(|index| {
        let object = &scene.model.objects[index];
        Nature::of(object).map(|nature| (object.name.clone(), nature))
    });
    let found = natures.into_iter().next();
    if let (Some((object, nature)), false) = (found, scene.model.forces.iter().any(|force| force.name == INPUT)) {
        let at = Point::on(&object, nature.rest_place);
        scene.model.forces.push(Force { name: INPUT.into(), at, level: nature.impedance(), signal: Some(vec![]) });
    }
}
