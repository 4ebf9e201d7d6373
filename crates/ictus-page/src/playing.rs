//! An instrument being played for one page: block after block of audio, and a state to draw now and then.
//!
//! What is made is the page's own packets (frames.rs). When they are made, where they go and how long that took is up to whoever owns this: a
//! thread behind a socket, or the audio thread of a browser, which has no clock of Rust's.

use crate::frames::{AUDIO_HEADER, CHANNELS, STATE_HEADER, StateHead, push_number, write_audio_head, write_state_head};
use crate::inlet::Inlet;
use crate::limiter::Limiter;
use crate::protocol::{Gesture, Reply};
use crate::stage::Stage;

/// Frames of a block of audio.
pub const BLOCK: usize = 128;

/// States drawn per second.
const STATES_PER_SECOND: f64 = 60.0;

/// Share of the time there is, beyond which the energy account is given up to make room.
const ACCOUNT_GIVEN_UP: f64 = 0.85;

/// States in a row that bear such a load before that is done: two seconds.
const OVERLOAD_BORNE: u32 = 120;

/// Share of a new block in the load that is shown.
const LOAD_SMOOTHING: f64 = 0.02;

/// Time in s over which an instrument fades out before another takes its place, so that it does not click.
const FADE: f64 = 0.012;

/// Bytes of a block of audio.
const AUDIO_BYTES: usize = AUDIO_HEADER + 4 * BLOCK * CHANNELS;

/// What plays for one page.
pub struct Playing {
    rate: f64,
    instrument: Option<Box<Stage>>,
    /// What takes its place once it has faded out, and its number.
    next: Option<(Box<Stage>, u16)>,
    fader: Fader,
    /// Length of its states.
    state_bytes: usize,
    inlet: Inlet,
    limiter: Limiter,
    /// Frames made since the start.
    made: u64,
    mark: u32,
    /// Number of the instrument, so that the page knows which one a state is of.
    generation: u16,
    next_state: u64,
    load: f64,
    /// States in a row that found the load too high.
    overloaded: u32,
    was_broken: bool,
    breakdowns: u64,
    block: Vec<f64>,
    audio: Vec<u8>,
    state: Vec<u8>,
}

impl Playing {
    /// Nothing on stage yet, at a rate in Hz.
    pub fn new(rate: f64) -> Self {
        Self {
            rate,
            instrument: None,
            next: None,
            fader: Fader::new(rate),
            state_bytes: STATE_HEADER,
            inlet: Inlet::new(rate),
            limiter: Limiter::new(rate),
            made: 0,
            mark: 0,
            generation: 0,
            next_state: 0,
            load: 0.0,
            overloaded: 0,
            was_broken: false,
            breakdowns: 0,
            block: vec![0.0; BLOCK * CHANNELS],
            audio: Vec::with_capacity(AUDIO_BYTES),
            state: Vec::new(),
        }
    }

    /// Plays on this instrument as soon as the one before has faded out; its number, which its states carry.
    pub fn take_up(&mut self, instrument: Box<Stage>, generation: u16) {
        if self.has_faded() {
            self.replace(instrument, generation);
        } else {
            self.fader.is_leaving = true;
            self.next = Some((instrument, generation));
        }
    }

    /// Fades out, to take up another instrument or to go on with [`Playing::fade_in`].
    pub fn fade_out(&mut self) {
        self.fader.is_leaving = true;
    }

    /// Fades in again.
    pub fn fade_in(&mut self) {
        self.fader.is_leaving = false;
    }

    /// Whether nothing is heard that another instrument would cut off.
    pub fn has_faded(&self) -> bool {
        self.instrument.is_none() || self.fader.is_silent()
    }

    fn replace(&mut self, instrument: Box<Stage>, generation: u16) {
        (self.fader, self.next) = (Fader::new(self.rate), None);
        self.generation = generation;
        self.state_bytes = STATE_HEADER + instrument.state_bytes();
        self.state.clear();
        self.state.reserve(self.state_bytes);
        self.instrument = Some(instrument);
        self.next_state = self.made;
        (self.load, self.overloaded, self.breakdowns) = (0.0, 0, 0);
    }

    /// Whether there is an instrument.
    pub fn has_instrument(&self) -> bool {
        self.instrument.is_some()
    }

    /// Frames made since the start.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// Most bytes that the packets of a block and of its state have.
    pub fn packet_bytes(&self) -> [usize; 2] {
        [AUDIO_BYTES, self.state_bytes]
    }

    /// Marks the blocks made from here on.
    pub fn mark(&mut self, mark: u32) {
        self.mark = mark;
    }

    /// Does what a player does, before the next block; the refusal, if it cannot be done. What comes while an instrument fades out is for the
    /// next one: a page speaks of the instrument that it was told of last.
    pub fn play(&mut self, gesture: &Gesture) -> Option<Reply> {
        let next = self.next.as_mut().map(|(next, _)| next);
        let message = next.or(self.instrument.as_mut())?.play(gesture).err()?;
        Some(Reply::Refused { message })
    }

    /// Takes sound from outside, 1 being full scale, which drives the instrument in the blocks to come.
    pub fn hear(&mut self, samples: impl Iterator<Item = f32>) {
        self.inlet.hear(samples);
    }

    /// Makes the next block; `false` without an instrument. Its packet is [`Playing::audio`].
    pub fn make_audio(&mut self) -> bool {
        if self.has_faded()
            && let Some((instrument, generation)) = self.next.take()
        {
            self.replace(instrument, generation);
        }
        let Some(instrument) = self.instrument.as_mut() else { return false };
        if let Some(heard) = self.inlet.next_block() {
            instrument.hear(heard);
        }
        instrument.process(&mut self.block);
        self.fader.apply(&mut self.block);
        for frame in self.block.chunks_exact_mut(CHANNELS) {
            frame.copy_from_slice(&self.limiter.step([frame[0], frame[1]]));
        }
        if self.limiter.take_broken() {
            instrument.rest();
            self.was_broken = true;
        }
        self.audio.clear();
        write_audio_head(&mut self.audio, BLOCK as u16, self.mark, self.made);
        self.block.iter().for_each(|sample| push_number(&mut self.audio, *sample as f32));
        self.made += BLOCK as u64;
        true
    }

    /// The packet of the last block.
    pub fn audio(&self) -> &[u8] {
        &self.audio
    }

    /// Books how long in s the last block took to be made: the load that states tell.
    pub fn took(&mut self, seconds: f64) {
        let share = seconds * self.rate / BLOCK as f64;
        if share.is_finite() {
            self.load += LOAD_SMOOTHING * (share - self.load);
        }
    }

    /// Makes a state if it is time for one; `false` if it is not. Its packet is [`Playing::state`].
    pub fn make_state(&mut self) -> bool {
        if self.made < self.next_state {
            return false;
        }
        let Some(instrument) = self.instrument.as_mut() else { return false };
        self.next_state = self.made + (self.rate / STATES_PER_SECOND) as u64;
        let account = instrument.account();
        self.overloaded = if self.load > ACCOUNT_GIVEN_UP { self.overloaded + 1 } else { 0 };
        if account.kept && self.overloaded > OVERLOAD_BORNE {
            let _ = instrument.play(&Gesture::Account { keep: false });
        }
        let head = StateHead {
            generation: self.generation,
            account_kept: account.kept,
            was_broken: std::mem::take(&mut self.was_broken) || account.breakdowns > self.breakdowns,
            frame: self.made,
            load: self.load as f32,
            limiter: self.limiter.take_smallest_gain() as f32,
            residual: account.residual as f32,
            stored: account.stored as f32,
        };
        self.breakdowns = account.breakdowns;
        self.state.clear();
        write_state_head(&mut self.state, &head);
        instrument.write_state(&mut self.state);
        true
    }

    /// The packet of the last state.
    pub fn state(&self) -> &[u8] {
        &self.state
    }
}

/// The way from full level to silence and back.
struct Fader {
    /// From 0 (silence) to 1 (as it is).
    way: f64,
    step: f64,
    is_leaving: bool,
}

impl Fader {
    fn new(rate: f64) -> Self {
        Self { way: 1.0, step: 1.0 / (FADE * rate), is_leaving: false }
    }

    fn is_silent(&self) -> bool {
        self.is_leaving && self.way == 0.0
    }

    /// At full level no bit changes.
    fn apply(&mut self, block: &mut [f64]) {
        if !self.is_leaving && self.way == 1.0 {
            return;
        }
        let step = if self.is_leaving { -self.step } else { self.step };
        for frame in block.chunks_exact_mut(CHANNELS) {
            self.way = (self.way + step).clamp(0.0, 1.0);
            let gain = self.way * self.way * (3.0 - 2.0 * self.way);
            frame.iter_mut().for_each(|sample| *sample *= gain);
        }
    }
}

#[cfg(test)]
mod tests {
    use ictus_scene::Source;

    use super::*;

    #[test]
    fn without_an_instrument_nothing_is_made_and_nothing_breaks() {
        let mut playing = Playing::new(48_000.0);
        assert!(!playing.make_audio() && !playing.make_state());
        assert_eq!(playing.play(&Gesture::Reset {}).map(|_| ()), None);
        assert_eq!(playing.made(), 0);
    }

    fn stage(scene: &str) -> Box<Stage> {
        crate::build(scene, &Source::new("scene.toml", HAMMERED), 48_000.0).expect("the scene is in order")
    }

    const HAMMERED: &str = include_str!("../../../scenes/hammered-string.toml");

    /// The left channel of so many blocks.
    fn left(playing: &mut Playing, blocks: usize) -> Vec<f64> {
        let mut samples = Vec::new();
        for _ in 0..blocks {
            assert!(playing.make_audio());
            let numbers = playing.audio()[AUDIO_HEADER..].chunks_exact(4 * CHANNELS);
            samples.extend(numbers.map(|n| f64::from(f32::from_le_bytes([n[0], n[1], n[2], n[3]]))));
        }
        samples
    }

    fn steepest(samples: &[f64]) -> f64 {
        samples.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn an_instrument_that_sounds_gives_way_to_another_without_a_click() {
        let mut playing = Playing::new(48_000.0);
        playing.take_up(stage("one"), 1);
        assert!(playing.play(&Gesture::Score { play: true }).is_none());
        let before = left(&mut playing, 60);
        let level = before[before.len() - 1000..].iter().fold(0.0, |most: f64, sample| most.max(sample.abs()));
        assert!(level > 0.01, "it sounds: {level}");
        playing.take_up(stage("two"), 2);
        let after = left(&mut playing, 12);
        assert!(steepest(&after) <= steepest(&before[before.len() - 1000..]), "a click");
        let fade = (FADE * 48_000.0) as usize + 2 * BLOCK;
        assert!(after[..fade / 4].iter().any(|sample| sample.abs() > 0.3 * level), "it does not stop at once");
        assert!(after[fade..].iter().all(|sample| *sample == 0.0), "the next one is at rest");
        assert_eq!(playing.generation, 2);
    }

    #[test]
    fn what_is_played_while_an_instrument_fades_out_is_for_the_next() {
        let mut playing = Playing::new(48_000.0);
        playing.take_up(stage("one"), 1);
        left(&mut playing, 4);
        playing.take_up(stage("two"), 2);
        assert_eq!(playing.generation, 1, "the first one fades out");
        assert!(playing.play(&Gesture::Score { play: true }).is_none());
        let sound = left(&mut playing, 60);
        assert!(playing.generation == 2 && sound.iter().any(|sample| sample.abs() > 0.01), "its score plays");
    }

    #[test]
    fn sound_from_outside_drives_the_instrument_and_rouses_it_from_rest() {
        let mut playing = Playing::new(48_000.0);
        let driver = "\n[exciters.input]\nkind = \"signal\"\non = \"string@0.3\"\nlevel = \"20 N\"\n";
        let driven = crate::build("one", &Source::new("scene.toml", format!("{HAMMERED}{driver}")), 48_000.0);
        playing.take_up(driven.expect("the scene is in order"), 1);
        assert!(playing.play(&Gesture::Reset {}).is_none());
        assert!(left(&mut playing, 8).iter().all(|sample| *sample == 0.0));
        // Silence drives nothing.
        playing.hear(std::iter::repeat_n(0.0, 4 * BLOCK));
        assert!(left(&mut playing, 8).iter().all(|sample| *sample == 0.0));
        let tone = |n: usize| 0.1 * (std::f32::consts::TAU * 110.0 * n as f32 / 48_000.0).sin();
        playing.hear((0..4 * BLOCK).map(tone));
        let level = |sound: Vec<f64>| sound.iter().fold(0.0, |most: f64, sample| most.max(sample.abs()));
        assert!(level(left(&mut playing, 40)) > 1e-3, "the string sounds");
        assert!(level(left(&mut playing, 40)) > 1e-3, "and rings on");
    }

    #[test]
    fn what_has_faded_out_can_fade_in_again() {
        let mut playing = Playing::new(48_000.0);
        playing.take_up(stage("one"), 1);
        assert!(playing.play(&Gesture::Score { play: true }).is_none());
        left(&mut playing, 60);
        playing.fade_out();
        assert!(!playing.has_faded());
        left(&mut playing, 6);
        assert!(playing.has_faded() && left(&mut playing, 1).iter().all(|sample| *sample == 0.0));
        playing.fade_in();
        let again = left(&mut playing, 12);
        assert!(again[..20].iter().all(|sample| sample.abs() < 1e-3) && again.iter().any(|sample| sample.abs() > 0.01));
    }

    #[test]
    fn sixty_states_come_with_a_second_of_audio_and_have_the_length_that_was_said() {
        let mut playing = Playing::new(48_000.0);
        playing.take_up(stage("hammered-string"), 7);
        assert!(playing.play(&Gesture::Score { play: true }).is_none());
        let [audio, state] = playing.packet_bytes();
        let mut states = 0;
        for _ in 0..375 {
            assert!(playing.make_audio());
            assert_eq!(playing.audio().len(), audio);
            playing.took(0.001);
            if playing.make_state() {
                states += 1;
                assert_eq!(playing.state().len(), state);
            }
        }
        assert!((52..=60).contains(&states), "{states}");
        let load = f32::from_le_bytes(playing.state()[16..20].try_into().expect("four bytes"));
        assert!((load - 0.375).abs() < 0.01, "{load}");
    }
}
