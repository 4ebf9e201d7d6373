//! A scene of the gallery as sound.

use ictus_scene::{Instrument, Reading, Scene, Source, read};

/// Frames asked for at a time.
const BLOCK: usize = 4096;

/// What came out of a scene.
pub struct Sound {
    /// Sample rate in Hz.
    pub rate: f64,
    /// Samples of each channel.
    pub channels: Vec<Vec<f64>>,
    /// How far the energy account is open, relative to the largest energy that was ever in the room.
    pub residual: f64,
    /// How often values grew beyond all numbers.
    pub breakdowns: u64,
}

impl Sound {
    /// The mean of the channels.
    pub fn mono(&self) -> Vec<f64> {
        let frames = self.channels[0].len();
        let mean = |n| self.channels.iter().map(|channel| channel[n]).sum::<f64>() / self.channels.len() as f64;
        (0..frames).map(mean).collect()
    }

    /// Largest magnitude of any sample.
    pub fn peak(&self) -> f64 {
        self.channels.iter().flatten().fold(0.0, |peak, sample| peak.max(sample.abs()))
    }
}

/// The path of a scene.
pub fn path(name: &str) -> String {
    format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

/// A scene, read without problems.
pub fn scene(name: &str, reading: &Reading) -> Scene {
    let source = Source::load(path(name)).unwrap_or_else(|error| panic!("{error}"));
    read(&source, reading).unwrap_or_else(|problems| panic!("{}", problems.render(100, false)))
}

/// A scene from its beginning to its end, faded as it asks.
pub fn render(scene: &Scene) -> Sound {
    let mut instrument = Instrument::new(scene).unwrap_or_else(|error| panic!("{error}"));
    instrument.keep_account_of_energy(true);
    let (rate, count) = (instrument.rate(), instrument.channels());
    let frames = (scene.duration * rate).round() as usize;
    let mut samples = vec![0.0; frames * count];
    for block in samples.chunks_mut(BLOCK * count) {
        let position = instrument.position();
        instrument.process(block);
        instrument.fade(block, position, frames as u64);
    }
    let channel = |first| samples.iter().skip(first).step_by(count).copied().collect();
    Sound {
        rate,
        channels: (0..count).map(channel).collect(),
        residual: instrument.engine().balance().residual(),
        breakdowns: instrument.breakdowns(),
    }
}

/// The mean of the channels while one key is down from the start, without the score, for a time in s.
pub fn key_alone(scene: &Scene, key: u8, velocity: f64, seconds: f64) -> Vec<f64> {
    let mut scene = scene.clone();
    scene.score.clear();
    let mut instrument = Instrument::new(&scene).unwrap_or_else(|error| panic!("{error}"));
    let count = instrument.channels();
    let mut samples = vec![0.0; (seconds * instrument.rate()) as usize * count];
    instrument.note_on(key, velocity);
    instrument.process(&mut samples);
    samples.chunks(count).map(|frame| frame.iter().sum::<f64>() / count as f64).collect()
}
