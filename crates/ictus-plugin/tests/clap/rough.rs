//! What no host should do, and what every host does: odd rates and blocks, storms of events, numbers that are none.

use clack_host::events::Match;
use clack_host::events::event_types::{
    NoteExpressionEvent, NoteExpressionType, NoteOffEvent, NoteOnEvent, ParamValueEvent,
};
use clack_host::prelude::*;

use crate::host::{Block, Host, INSTRUMENT, RESONATOR, STEMS, Said, perform, text};
use crate::reference::{rendered, scene};

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number, or something that should have been one.
    fn number(&mut self) -> f64 {
        match self.below(12) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -1e300,
            3 => -1.0,
            _ => self.unit(),
        }
    }
}

fn assert_finite(outputs: &[Vec<f32>], what: &str) {
    for channel in outputs {
        assert!(channel.iter().all(|sample| sample.is_finite()), "{what}");
    }
}

#[test]
fn ten_thousand_events_and_a_storm_of_parameters_leave_numbers() {
    let mut chance = Chance(7);
    for (id, name) in [(INSTRUMENT, "vibraphone"), (STEMS, "bowed-bar"), (RESONATOR, "hammered-string")] {
        let mut host = Host::playing(id, name, text(name));
        let parameters = host.parameters();
        // All but the choice of a scene, which other tests make.
        let turned: Vec<ClapId> = parameters.iter().filter(|(_, name)| name != "Scene").map(|(id, _)| *id).collect();
        host.start(44_100.0);
        let mut events = 0;
        while events < 10_000 {
            let frames = [0, 1, 3, 64, 257, 480][chance.below(6) as usize];
            let mut block = Block::default();
            let count = chance.below(60);
            let mut times: Vec<u32> = (0..count).map(|_| chance.below(frames as u64 + 1) as u32).collect();
            times.sort_unstable();
            for at in times {
                let (channel, key) = (chance.below(20) as u16, chance.below(140) as u16);
                let which = match chance.below(4) {
                    0 => Pckn::new(0_u16, channel, Match::All, key as u32),
                    1 => Pckn::match_all(),
                    _ => Pckn::new(0_u16, channel, key, key as u32),
                };
                match chance.below(6) {
                    0 => block.events.push(&NoteOnEvent::new(at, which, chance.number())),
                    1 => block.events.push(&NoteOffEvent::new(at, which, chance.number())),
                    2 => {
                        let bytes = [0x80 + chance.below(128) as u8, chance.below(128) as u8, chance.below(128) as u8];
                        Said::Midi(bytes).put(&mut block.events, at);
                    }
                    3 => {
                        let kinds = [
                            NoteExpressionType::Tuning,
                            NoteExpressionType::Pressure,
                            NoteExpressionType::Brightness,
                            NoteExpressionType::Expression,
                            NoteExpressionType::Vibrato,
                            NoteExpressionType::Volume,
                        ];
                        let kind = kinds[chance.below(6) as usize];
                        block.events.push(&NoteExpressionEvent::new(at, which, kind, 60.0 * chance.number()));
                    }
                    _ => {
                        let id = turned[chance.below(turned.len() as u64) as usize];
                        block.events.push(&ParamValueEvent::new(at, id, Pckn::match_all(), chance.number()));
                    }
                }
                events += 1;
            }
            let input: Vec<f32> = (0..frames).map(|_| chance.number() as f32).collect();
            block.input = Some(&input);
            let outputs = host.play(frames, &block);
            assert_finite(&outputs, name);
        }
        // And it still plays.
        let outputs = host.play(480, &Block::default());
        assert_finite(&outputs, name);
    }
}

#[test]
fn a_block_without_frames_still_says_what_it_says() {
    let mut host = Host::playing(INSTRUMENT, "bowed-bar", text("bowed-bar"));
    host.start(48_000.0);
    let knob = host.parameter("Control 1");
    let mut block = Block::default();
    Said::Turn(knob, 0.75).put(&mut block.events, 0);
    host.play(0, &block);
    assert!((host.value(knob) - 0.75).abs() < 1e-6);
    assert_finite(&host.play(64, &Block::default()), "a block after none");
}

/// More than the plugin has room for without taking memory: every knob at every 32nd frame, and notes.
#[test]
fn a_block_may_say_any_number_of_things() {
    let frames = 8192;
    let mut host = Host::of_gallery("bowed-bar", 48_000.0);
    let knobs: Vec<ClapId> = (1..=64).map(|number| host.parameter(&format!("Control {number}"))).collect();
    let mut said = Vec::new();
    for at in (0..frames).step_by(32) {
        for (number, knob) in knobs.iter().enumerate() {
            said.push((at, Said::Turn(*knob, ((at / 32 + number) % 100) as f64 / 100.0)));
        }
        said.push((at, Said::On(0, 57 + (at / 32 % 12) as u8, 90)));
    }
    assert!(said.len() > 16_000);
    let whole = perform(&mut host, &said, frames, frames);
    let parts = perform(&mut Host::of_gallery("bowed-bar", 48_000.0), &said, frames, 64);
    assert!(whole.iter().any(|sample| sample.abs() > 1e-4) && whole.iter().all(|sample| sample.is_finite()));
    assert!(whole == parts, "whatever the blocks");
}

#[test]
fn a_storm_of_scenes_ends_with_the_last() {
    let mut chance = Chance(11);
    let mut host = Host::of_gallery("vibraphone", 44_100.0);
    let parameter = host.parameter("Scene");
    let light = ["xylophone", "kalimba", "harp", "vibraphone", "marimba", "music-box"];
    let numbers = light.map(|name| host.value_of(parameter, name).expect("it has a number"));
    for _ in 0..300 {
        let mut block = Block::default();
        let value = if chance.below(8) == 0 { chance.number() } else { numbers[chance.below(6) as usize] };
        Said::Turn(parameter, value).put(&mut block.events, 0);
        Said::On(0, 60 + chance.below(12) as u8, 100).put(&mut block.events, 0);
        assert_finite(&host.play(64, &block), "a storm of scenes");
    }
    let last = |host: &mut Host| String::from_utf8_lossy(&host.save()).contains("Kalimba");
    perform(&mut host, &[(0, Said::Turn(parameter, numbers[1]))], 64, 64);
    let start = std::time::Instant::now();
    while !last(&mut host) {
        assert!(start.elapsed().as_secs() < 60, "the last never came");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn every_rate_plays_or_is_silent() {
    for rate in [8000.0, 11_025.0, 22_050.0, 44_100.0, 88_200.0, 96_000.0, 192_000.0, 384_000.0, 1234.57] {
        for name in ["vibraphone", "kalimba", "bowed-string", "string-string"] {
            let mut host = Host::of_gallery(name, rate);
            let said = [(0, Said::On(0, if name == "bowed-string" { 36 } else { 60 }, 100))];
            let heard = perform(&mut host, &said, 2000, 512);
            assert!(heard.iter().all(|sample| sample.is_finite()), "{name} at {rate} Hz");
            if name != "string-string" && rate >= 8000.0 {
                let expected = rendered(scene(text(name), rate, &[]), &said, 2000);
                assert!(heard == expected && heard.iter().any(|sample| *sample != 0.0), "{name} at {rate} Hz");
            }
        }
    }
}

#[test]
fn a_scene_that_cannot_be_built_at_a_rate_is_silent_and_plays_at_another() {
    // Stiffer than a step of 1/8000 s can hold.
    let text = include_str!("../scenes/fast.toml");
    let mut host = Host::playing(INSTRUMENT, "fast", text);
    host.start(8000.0);
    assert!(perform(&mut host, &[(0, Said::On(0, 60, 100))], 4000, 512).iter().all(|sample| *sample == 0.0));
    host.stop();
    host.start(96_000.0);
    assert!(perform(&mut host, &[(0, Said::On(0, 60, 100))], 4000, 512).iter().any(|sample| *sample != 0.0));
}

#[test]
fn stopped_and_started_again_it_plays_the_same() {
    let mut host = Host::of_gallery("vibraphone", 48_000.0);
    let said = [(0, Said::On(0, 60, 100))];
    let first = perform(&mut host, &said, 4800, 512);
    host.stop();
    host.start(48_000.0);
    assert!(perform(&mut host, &said, 4800, 512) == first);
    host.stop();
    host.start(96_000.0);
    host.stop();
    host.start(48_000.0);
    assert!(perform(&mut host, &said, 4800, 512) == first);
}
