//! The audio thread's side: blocks of the host, cut at events, from the part that is played and from one that is leaving.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use nice_plug::prelude::*;

use crate::desk::Desk;
use crate::fade::Fade;
use crate::knobs::{KNOBS, Knobs};
use crate::part::{MOST_FRAMES, Part};

/// Below this a part is silent, and leaves at once.
const SILENCE: f32 = 1e-7;

/// Pictures drawn per second while somebody looks.
const PICTURES: f64 = 60.0;

/// How far in s of the score a host may be from where it was expected and still go on: tempo that changes within a block is no jump.
const DRIFT: f64 = 0.05;

/// What plays for a host.
pub struct Player {
    desk: Arc<Desk>,
    knobs: Arc<Knobs>,
    current: Option<Box<Part>>,
    /// What fades out.
    leaving: Option<(Box<Part>, Fade)>,
    rate: f64,
    /// The largest sample of the last frames made.
    level: f32,
    /// Where the host had its knobs, and its choice of a scene, when they were last looked at.
    seen: [f32; KNOBS],
    picked: i32,
    /// Time in s in the score up to which it has played, while it does.
    score: Option<f64>,
    until_picture: u32,
}

/// Where the scene's score is in a block of the host.
#[derive(Clone, Copy)]
struct Clock {
    /// Time in s of the score at the first frame, and how far it goes in a frame.
    start: f64,
    step: f64,
    /// The host's seconds for one of the score.
    pace: f64,
}

/// What is beside the main output of a block.
pub struct Beside<'a, 'b> {
    /// Outputs of one channel each, for the scene's channels one by one.
    pub stems: &'a mut [Buffer<'b>],
    /// Audio from outside; none if it comes where the main output goes.
    pub input: Option<&'a Buffer<'b>>,
    /// Whether what comes where the main output goes is audio from outside.
    pub in_place: bool,
}

impl Player {
    /// A player for the scenes of a desk.
    pub fn new(desk: Arc<Desk>, knobs: Arc<Knobs>) -> Self {
        let picked = knobs.scene.value();
        Self {
            desk,
            knobs,
            current: None,
            leaving: None,
            rate: 0.0,
            level: 0.0,
            seen: [0.0; KNOBS],
            picked,
            score: None,
            until_picture: 0,
        }
    }

    /// The host is about to play at a rate in Hz. Builds what is not built for it. Not for the audio thread.
    pub fn activate(&mut self, rate: f64) {
        let is_built = |part: &Part| part.choice == self.desk.last_choice() && part.rate() == Some(rate);
        self.desk.set_rate(rate);
        (self.rate, self.leaving) = (rate, None);
        if !self.current.as_deref().is_some_and(is_built) {
            self.current = None;
            self.desk.build();
        }
        self.picked = self.knobs.scene.value();
    }

    /// The host plays no more.
    pub fn deactivate(&mut self) {
        self.desk.set_rate(0.0);
    }

    /// Everything to rest. For the audio thread.
    pub fn reset(&mut self) {
        if let Some(part) = &mut self.current {
            part.reset();
        }
        self.score = None;
        self.settle();
    }

    /// Brings all knobs that have been turned to where the host has them; the others are as the scene says.
    fn settle(&mut self) {
        let Some(part) = &mut self.current else { return };
        let turned = part.turned;
        for knob in (0..part.knobs()).filter(|knob| turned >> knob & 1 == 1) {
            self.seen[knob] = self.knobs.position(knob);
            part.turn(knob, self.seen[knob]);
        }
    }

    /// Fills a block of the host.
    pub fn process<P: Plugin<SysExMessage = ()>>(
        &mut self,
        main: &mut Buffer,
        mut beside: Beside,
        context: &mut impl ProcessContext<P>,
    ) {
        self.take_up();
        self.follow();
        let (frames, api) = (main.samples(), context.plugin_api());
        let clock = self.clock(context.transport());
        let mut next = context.next_event();
        let mut done = 0;
        loop {
            while let Some(event) = next.filter(|event| event.timing() as usize <= done || done == frames) {
                if let Some(part) = &mut self.current {
                    part.hear(&event, api);
                }
                next = context.next_event();
            }
            if done == frames {
                // What comes after the last frame is the next block's, if the host goes on there.
                self.score = clock.map(|clock| clock.start + frames as f64 * clock.step);
                break;
            }
            let until = next.map_or(frames, |event| (event.timing() as usize).min(frames));
            let until = self.play_score(clock, done, until);
            let count = (until - done).min(MOST_FRAMES);
            self.play(done, count, main, &mut beside);
            done += count;
        }
        self.draw(frames as u32);
    }

    /// Takes up a new part if there is one; the old one fades out, or leaves at once if it is silent.
    fn take_up(&mut self) {
        if self.leaving.is_some() {
            return;
        }
        let Some(part) = self.desk.take() else { return };
        // What has moved since the scene was chosen has been turned.
        self.seen = part.positions;
        if let Some(old) = self.current.replace(part) {
            self.leaving = Some((old, if self.level < SILENCE { Fade::over() } else { Fade::new(self.rate) }));
            self.see_off();
        }
        self.score = None;
        self.settle();
    }

    /// Gives back what has faded out.
    fn see_off(&mut self) {
        if let Some((part, fade)) = self.leaving.take_if(|(_, fade)| fade.is_over()) {
            self.leaving = self.desk.return_part(part).err().map(|part| (part, fade));
        }
    }

    /// Follows the host's knobs and its choice of a scene.
    fn follow(&mut self) {
        self.see_off();
        let picked = self.knobs.scene.value();
        if picked != self.picked {
            self.picked = picked;
            if let Some(number) = usize::try_from(picked).ok().filter(|number| *number > 0) {
                self.desk.pick(number);
            }
        }
        let Some(part) = &mut self.current else { return };
        part.set_mpe(self.knobs.mpe.value());
        for knob in 0..part.knobs() {
            let position = self.knobs.position(knob);
            if position != self.seen[knob] {
                self.seen[knob] = position;
                // A knob that is put where the scene has its control has not been turned.
                if part.turned >> knob & 1 == 0 && part.home(knob) == Some(position) {
                    continue;
                }
                part.turned |= 1 << knob;
                part.turn(knob, position);
                self.desk.turn(knob);
            }
        }
    }

    /// The scene's score at the start of a block; nothing where it does not play.
    fn clock(&mut self, transport: &Transport) -> Option<Clock> {
        if !(self.knobs.score.value() && transport.playing) {
            self.score = None;
            return None;
        }
        let part = self.current.as_mut()?;
        let beats = transport
            .pos_beats()
            .zip(transport.tempo)
            .filter(|(beats, tempo)| beats.is_finite() && tempo.is_finite() && *tempo > 0.0);
        let (start, pace) = match beats {
            Some((beats, tempo)) => (part.beat() * beats, 60.0 / (part.beat() * tempo)),
            None => (transport.pos_seconds().filter(|seconds| seconds.is_finite())?, 1.0),
        };
        let clock = Clock { start, step: 1.0 / (pace * self.rate), pace };
        // The host has just started, or has jumped.
        if self.score.is_none_or(|played| (played - start).abs() > DRIFT.max(2.0 * clock.step)) {
            part.seek(start - 0.5 * clock.step, pace);
            self.settle();
        }
        Some(clock)
    }

    /// Plays what the score has at a frame, and returns the frame of what comes next, at most `until`.
    fn play_score(&mut self, clock: Option<Clock>, done: usize, until: usize) -> usize {
        let (Some(Clock { start, step, pace }), Some(part)) = (clock, &mut self.current) else { return until };
        let now = start + done as f64 * step;
        self.score = Some(now);
        let next = part.play_until(now + 0.5 * step, pace);
        // A cast keeps what is infinite in range.
        (((next - start) / step).round() as usize).clamp(done.min(until), until).max((done + 1).min(until))
    }

    /// Makes some frames from a place in the block on.
    fn play(&mut self, from: usize, frames: usize, main: &mut Buffer, beside: &mut Beside) {
        let range = from..from + frames;
        let mut heard = [0.0_f32; MOST_FRAMES];
        let outputs = main.as_slice();
        let input = self.listen(range.clone(), outputs, beside, &mut heard).then_some(&heard[..frames]);
        outputs.iter_mut().for_each(|output| output[range.clone()].fill(0.0));
        for stem in beside.stems.iter_mut() {
            stem.as_slice().iter_mut().for_each(|output| output[range.clone()].fill(0.0));
        }
        let (is_wide, mut peaks) = (outputs.len() > 2, [0.0_f32; 2]);
        let leaving = self.leaving.as_mut().map(|(part, fade)| (part, Some(fade)));
        for (part, mut fade) in self.current.iter_mut().map(|part| (part, None)).chain(leaving) {
            let (mix, channels) = part.play(frames, input);
            for (frame, sounds) in mix.chunks_exact(channels).enumerate() {
                let gain = fade.as_mut().map_or(1.0, |fade| fade.step());
                let at = from + frame;
                for (number, output) in outputs.iter_mut().enumerate() {
                    // Two channels are the two sides; an output that is wider has the scene's channels one by one.
                    let sound = if is_wide { sounds.get(number).copied() } else { Some(side_of(number, sounds)) };
                    let sample = (gain * sound.unwrap_or(0.0)) as f32;
                    // What plays alone is not even added to silence, which would turn -0 into 0.
                    output[at] = if fade.is_some() { output[at] + sample } else { sample };
                    peaks[number % 2] = peaks[number % 2].max(output[at].abs());
                }
                for (stem, sound) in beside.stems.iter_mut().zip(sounds) {
                    if let [output, ..] = stem.as_slice() {
                        output[at] += (gain * sound) as f32;
                    }
                }
            }
        }
        self.level = peaks[0].max(peaks[1]);
        let breakdowns = self.current.as_mut().map_or(0, |part| part.take_breakdowns());
        if breakdowns > 0 {
            // It was put back to what the scene says.
            self.settle();
        }
        self.desk.hear(peaks, breakdowns);
    }

    /// The audio from outside as one channel, with its gain; whether there is any.
    fn listen(
        &self,
        range: std::ops::Range<usize>,
        outputs: &[&mut [f32]],
        beside: &Beside,
        heard: &mut [f32],
    ) -> bool {
        let gain = util::db_to_gain(self.knobs.drive.value());
        let sources = match beside.input {
            Some(input) => input.as_slice_immutable(),
            None if beside.in_place => outputs,
            None => return false,
        };
        let share = gain / sources.len().max(1) as f32;
        for source in sources.iter().filter(|source| source.len() >= range.end) {
            heard.iter_mut().zip(&source[range.clone()]).for_each(|(heard, sample)| *heard += share * sample);
        }
        !sources.is_empty()
    }

    /// Draws a picture now and then while somebody looks.
    fn draw(&mut self, frames: u32) {
        self.until_picture = self.until_picture.saturating_sub(frames);
        if self.until_picture == 0 && self.desk.watched.load(Ordering::Relaxed) {
            self.until_picture = (self.rate / PICTURES) as u32;
            if let (Some(mut picture), Some(part)) = (self.desk.blank.pop(), &mut self.current) {
                part.draw(&mut picture);
                // There is room for more pictures than there are. What had none would be left to itself, for nothing is dropped on this thread.
                self.desk.drawn.push(picture).unwrap_or_else(std::mem::forget);
            }
        }
    }
}

/// What of a frame goes to a side: one channel goes to both; of more than two, every second one to each.
fn side_of(side: usize, sounds: &[f64]) -> f64 {
    match *sounds {
        [both] => both,
        [left, right] => [left, right][side],
        _ => sounds.iter().skip(side).step_by(2).sum(),
    }
}
