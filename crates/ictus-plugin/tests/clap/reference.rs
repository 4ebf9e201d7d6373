//! What `ictus render --midi` makes of a piece: the same functions, in the same order.

use ictus_render::{Extent, Performance, Watch};
use ictus_scene::midi;
use ictus_scene::{Reading, Scene, Source, read};

use crate::host::Said;

/// Ticks of a second in the files made here: a whole number of samples at 48 kHz each.
pub const TICKS: usize = 960;

/// A MIDI file of what is said at samples of a rate, which must fall on ticks; it ends after so many.
pub fn file(said: &[(usize, Said)], rate: usize, frames: usize) -> Vec<u8> {
    let mut track = Vec::new();
    let mut now = 0;
    for (at, said) in said {
        let tick = at * TICKS / rate;
        assert_eq!(tick * rate, at * TICKS, "{at} lies between two ticks");
        let wait = tick - now;
        now = tick;
        track.extend(ticks(wait));
        match *said {
            Said::On(channel, key, velocity) => track.extend([0x90 | channel, key, velocity]),
            Said::Off(channel, key) => track.extend([0x80 | channel, key, 0]),
            // The pressure of a channel is one number.
            Said::Midi(bytes) => track.extend(if bytes[0] & 0xf0 == 0xd0 { &bytes[..2] } else { &bytes[..] }),
            Said::Turn(..) => panic!("a file has no knobs"),
        }
    }
    track.extend(ticks(frames * TICKS / rate + 1 - now));
    track.extend([0xff, 0x2f, 0]);
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk".to_vec();
    bytes.extend((track.len() as u32).to_be_bytes());
    bytes.extend(track);
    bytes
}

fn ticks(wait: usize) -> [u8; 3] {
    [(wait >> 14 & 127) as u8 | 128, (wait >> 7 & 127) as u8 | 128, (wait & 127) as u8]
}

/// A scene read for a rate, its values by name set.
pub fn scene(text: &str, rate: f64, set: &[(&str, &str)]) -> Scene {
    let overrides = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let reading = Reading { rate: Some(rate), overrides, ..Reading::default() };
    read(&Source::new("scene.toml", text), &reading).expect("it reads")
}

/// The samples of a piece, two channels interleaved, before the end is faded.
pub fn rendered(mut scene: Scene, said: &[(usize, Said)], frames: usize) -> Vec<f32> {
    let rate = scene.model.rate;
    if !said.is_empty() {
        let piece = midi::parse(&file(said, rate as usize, frames)).expect("it is a MIDI file");
        scene.score = piece.events(&scene);
        // What is down comes up at the end of a file.
        scene.score.retain(|event| (event.time * rate).round() < frames as f64);
    }
    scene.duration = (frames as f64 + 0.5) / rate;
    let extent = Extent::of(&scene, "a piece", rate, 0.0, Extent::LARGEST).expect("it is short");
    let channels = usize::from(extent.channels);
    let mut performance = Performance::new(&scene, extent, 1, Watch::NOTHING).expect("it is built");
    let mut sound = Vec::new();
    while let Some(block) = performance.next().expect("it plays") {
        sound.extend(block.iter().map(|sample| *sample as f32));
    }
    sound.truncate(frames * channels);
    if channels == 1 { sound.iter().flat_map(|sample| [*sample; 2]).collect() } else { sound }
}
