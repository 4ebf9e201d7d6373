//! Playing without a page: this machine's sound card (cpal) and MIDI ports (midir). Only with the feature `native-audio`.

use std::sync::mpsc::{Receiver, Sender, channel};

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use midir::{MidiInput, MidiInputConnection};

use crate::gallery::Gallery;
use ictus_page::Stage;
use ictus_page::description::Description;
use ictus_page::frames::CHANNELS;
use ictus_page::limiter::Limiter;
use ictus_page::protocol::Gesture;

/// Frames computed at a time.
const BLOCK: usize = 64;

/// Why nothing can be played on a device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is no sound card.
    #[error("there is no sound card")]
    NoDevice,
    /// The sound card does not do what is asked of it.
    #[error("the sound card reports an error: {0}")]
    Device(#[from] cpal::Error),
    /// The scene cannot be played.
    #[error("the scene cannot be played: {0}")]
    Scene(String),
}

/// Plays the gallery's first scene on the default sound card until the program is ended. Every MIDI port plays it. `ready` is
/// called with the rate in Hz and the names of the ports.
///
/// # Errors
/// No sound card, or a scene that cannot be played.
pub fn play_on_device(gallery: &Gallery, ready: impl FnOnce(f64, &[String])) -> Result<(), DeviceError> {
    let device = cpal::default_host().default_output_device().ok_or(DeviceError::NoDevice)?;
    let config: cpal::StreamConfig = device.default_output_config()?.into();
    let (rate, channels) = (f64::from(config.sample_rate), usize::from(config.channels));
    let mut instrument = gallery.open(&gallery.first(), rate).map_err(|problems| {
        DeviceError::Scene(problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; "))
    })?;
    // The scene's own score sounds until a player takes over.
    let _ = instrument.play(&Gesture::Score { play: true });
    let (orders, gestures) = channel();
    let ports = listen(&instrument.describe(), &orders);
    let mut sound =
        Sound { instrument, limiter: Limiter::new(rate), gestures, block: [0.0; BLOCK * CHANNELS], used: BLOCK };
    let failed = |error: cpal::Error| eprintln!("sound card: {error}");
    let stream = device.build_output_stream(
        config,
        move |out: &mut [f32], _: &cpal::OutputCallbackInfo| sound.fill(out, channels),
        failed,
        None,
    )?;
    stream.play()?;
    let names: Vec<String> = ports.iter().map(|(name, _)| name.clone()).collect();
    ready(rate, &names);
    loop {
        std::thread::park();
    }
}

/// What the sound card asks for its samples.
struct Sound {
    instrument: Box<Stage>,
    limiter: Limiter,
    gestures: Receiver<Gesture>,
    block: [f64; BLOCK * CHANNELS],
    /// Frames of the block that have been played.
    used: usize,
}

impl Sound {
    fn fill(&mut self, out: &mut [f32], channels: usize) {
        for frame in out.chunks_mut(channels.max(1)) {
            if self.used == BLOCK {
                self.next_block();
            }
            let heard = [self.block[2 * self.used], self.block[2 * self.used + 1]];
            self.used += 1;
            let mono = 0.5 * (heard[0] + heard[1]);
            for (channel, sample) in frame.iter_mut().enumerate() {
                *sample = if channels == 1 { mono } else { heard.get(channel).copied().unwrap_or(0.0) } as f32;
            }
        }
    }

    fn next_block(&mut self) {
        while let Ok(gesture) = self.gestures.try_recv() {
            // A key that is not there does not sound.
            let _ = self.instrument.play(&gesture);
        }
        self.instrument.process(&mut self.block);
        for frame in self.block.chunks_exact_mut(CHANNELS) {
            frame.copy_from_slice(&self.limiter.step([frame[0], frame[1]]));
        }
        if self.limiter.take_broken() {
            self.instrument.rest();
        }
        self.used = 0;
    }
}

/// Listens to every MIDI port there is; one that cannot be opened is left out.
fn listen(description: &Description, orders: &Sender<Gesture>) -> Vec<(String, MidiInputConnection<()>)> {
    let ports = MidiInput::new("ictus").map(|input| input.ports()).unwrap_or_default();
    let open = |port| {
        let input = MidiInput::new("ictus").ok()?;
        let name = input.port_name(port).ok()?;
        let (orders, description) = (orders.clone(), description.clone());
        let hear = move |_time: u64, message: &[u8], (): &mut ()| {
            for gesture in gestures(message, &description) {
                let _ = orders.send(gesture);
            }
        };
        Some((name, input.connect(port, "ictus", hear, ()).ok()?))
    };
    ports.iter().filter_map(open).collect()
}

/// What a MIDI message plays: notes, pitch wheel, pedal, and the controllers that the scene's controls name.
fn gestures(message: &[u8], description: &Description) -> Vec<Gesture> {
    let [status, first, second] = *message else { return vec![] };
    match (status & 0xf0, first, second) {
        (0x90, key, strength) if strength > 0 => vec![Gesture::NoteOn { key, velocity: f64::from(strength) / 127.0 }],
        (0x80 | 0x90, key, _) => vec![Gesture::NoteOff { key }],
        (0xe0, low, high) => {
            let wheel = (f64::from(high) * 128.0 + f64::from(low) - 8192.0) / 8192.0;
            vec![Gesture::Bend { amount: wheel }]
        }
        (0xb0, 64, position) => vec![Gesture::Sustain { on: position >= 64 }],
        (0xb0, number, position) => {
            let turned = description.controls.iter().enumerate().filter(|(_, control)| control.midi == Some(number));
            let turn = |(control, described): (usize, &crate::description::ControlDescription)| {
                let ([low, high], share) = (described.range, f64::from(position) / 127.0);
                let value =
                    if described.logarithmic { low * (high / low).powf(share) } else { low + share * (high - low) };
                Gesture::Turn { control, value }
            };
            turned.map(turn).collect()
        }
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn midi_messages_become_gestures() {
        let scenes = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes"));
        let gallery = Gallery::folder(scenes).expect("the folder is there");
        let instrument = gallery.open("hammered-string", 48_000.0).expect("opens");
        let described = instrument.describe();
        let play = |message: &[u8]| gestures(message, &described);
        assert_eq!(play(&[0x91, 60, 127]), [Gesture::NoteOn { key: 60, velocity: 1.0 }]);
        assert_eq!(play(&[0x91, 60, 0]), [Gesture::NoteOff { key: 60 }]);
        assert_eq!(play(&[0xe0, 0, 64]), [Gesture::Bend { amount: 0.0 }]);
        assert_eq!(play(&[0xb0, 64, 127]), [Gesture::Sustain { on: true }]);
        assert_eq!(play(&[0xf8]), []);
    }
}
