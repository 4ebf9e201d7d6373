//! The scene's own score, in the time of a host that has a tempo, jumps and repeats.

use clack_host::events::event_types::{TransportEvent, TransportFlags};
use clack_host::events::{EventFlags, EventHeader};
use clack_host::utils::{BeatTime, SecondsTime};

use crate::host::{Block, Host, INSTRUMENT, Said, perform, text};
use crate::reference::{rendered, scene};

const RATE: f64 = 48_000.0;

fn transport(seconds: f64, tempo: f64) -> TransportEvent {
    let beats = seconds * tempo / 60.0;
    TransportEvent {
        header: EventHeader::new_core(0, EventFlags::empty()),
        flags: TransportFlags::IS_PLAYING | TransportFlags::HAS_TEMPO | TransportFlags::HAS_BEATS_TIMELINE,
        song_pos_beats: BeatTime::from_float(beats),
        song_pos_seconds: SecondsTime::from_float(seconds),
        tempo,
        tempo_inc: 0.0,
        loop_start_beats: BeatTime::from_float(0.0),
        loop_end_beats: BeatTime::from_float(0.0),
        loop_start_seconds: SecondsTime::from_float(0.0),
        loop_end_seconds: SecondsTime::from_float(0.0),
        bar_start: BeatTime::from_float(0.0),
        bar_number: 0,
        time_signature_numerator: 4,
        time_signature_denominator: 4,
    }
}

/// A host that plays a scene's score.
struct Studio {
    host: Host,
    tempo: f64,
}

impl Studio {
    fn new(text: &str, tempo: f64) -> Self {
        let mut host = Host::playing(INSTRUMENT, "scored", text);
        let score = host.parameter("Play the score");
        host.start(RATE);
        perform(&mut host, &[(0, Said::Turn(score, 1.0))], 64, 64);
        Self { host, tempo }
    }

    /// Plays from a time in s of the host for so many frames.
    fn play(&mut self, start: f64, frames: usize, blocks: usize) -> Vec<f32> {
        let mut sound = Vec::new();
        for from in (0..frames).step_by(blocks) {
            let transport = Some(transport(start + from as f64 / RATE, self.tempo));
            let count = blocks.min(frames - from);
            let outputs = self.host.play(count, &Block { transport, ..Block::default() });
            sound.extend((0..count).flat_map(|frame| [outputs[0][frame], outputs[1][frame]]));
        }
        sound
    }
}

fn begins(sound: &[f32]) -> usize {
    sound.iter().position(|sample| *sample != 0.0).expect("it sounds") / 2
}

#[test]
fn the_scenes_score_plays_with_the_host_and_follows_its_tempo() {
    let (frames, text) = (96_000, text("hammered-string"));
    let expected = rendered(scene(text, RATE, &[]), &[], frames);
    for blocks in [512, 8192] {
        let heard = Studio::new(text, 120.0).play(0.0, frames, blocks);
        assert!(heard == expected, "at 120 beats per minute it is as written, in blocks of {blocks}");
    }
    // The first blow is at 0.1 s, and at twice the tempo at half of it.
    let (written, fast) = (begins(&expected), begins(&Studio::new(text, 240.0).play(0.0, 9600, 512)));
    assert!((written as i64 - fast as i64 - 2400).abs() <= 1, "{written} {fast}");
}

/// A mass that is struck once, late, by a hammer that grows harder until then.
fn growing(tempo: f64, strike: &str, set: &str) -> String {
    format!(
        r#"
        ictus = 1
        title = "A hammer that grows harder"
        tempo = {tempo}
        [objects.mass]
        kind = "mass"
        mass = "10 g"
        frequency = "300 Hz"
        t60 = "1 s"
        [exciters.hammer]
        kind = "hammer"
        on = "mass"
        mass = "5 g"
        stiffness = 1e5
        [pickups.ear]
        at = "mass"
        [[events]]
        time = "{set}"
        set = "hammer.stiffness"
        to = 1e8
        over = "1 s"
        [[events]]
        time = "{strike}"
        strike = "hammer"
        velocity = "2 m/s"
        "#
    )
}

#[test]
fn a_score_in_beats_keeps_the_scenes_own_tempo() {
    // At 90 beats per minute the third beat is 2 s from the start.
    let text = growing(90.0, "3 beats", "0 s");
    let expected = rendered(scene(&text, RATE, &[]), &[], 120_000);
    assert!(Studio::new(&text, 90.0).play(0.0, 120_000, 512) == expected, "at its own tempo it is as written");
    let (written, twice) = (begins(&expected), begins(&Studio::new(&text, 180.0).play(0.0, 120_000, 512)));
    assert!((written as i64 - twice as i64 - 48_000).abs() <= 1, "{written} {twice}");
}

#[test]
fn what_is_set_on_the_way_is_on_its_way_after_a_jump_too() {
    let text = growing(120.0, "1.1 s", "0.5 s");
    let whole = Studio::new(&text, 120.0).play(0.0, 96_000, 512);
    let jumped = Studio::new(&text, 120.0).play(1.0, 48_000, 512);
    let late = &whole[2 * 48_000..];
    let most = late.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
    let differ = late.iter().zip(&jumped).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
    assert!(most > 1e-3 && differ < 1e-5 * most, "{differ} of {most}");
    // It would be heard if the hammer were as at the start.
    let soft = rendered(scene(&growing(120.0, "0.1 s", "3 s"), RATE, &[]), &[], 48_000);
    let differ = soft.iter().zip(&jumped).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
    assert!(differ > 1e-2 * most, "{differ} of {most}");
}

/// The largest step between two samples of a channel.
fn steepest(sound: &[f32]) -> f32 {
    sound.windows(3).map(|three| (three[2] - three[0]).abs()).fold(0.0, f32::max)
}

#[test]
fn a_jump_back_does_not_click_and_begins_anew() {
    let text = text("hammered-string");
    let mut studio = Studio::new(text, 120.0);
    let before = studio.play(0.0, 20_000, 500);
    let after = studio.play(0.0, 20_000, 500);
    let ringing = steepest(&before[2 * 15_000..]);
    let loud = before[2 * 19_000..].iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
    // The step between the two blocks, too.
    let seam: Vec<f32> = before[2 * 19_990..].iter().chain(&after[..2 * 1000]).copied().collect();
    assert!(loud > 1e-3 && steepest(&seam) <= 1.02 * ringing, "{} {ringing}", steepest(&seam));
    assert!(after[2 * 600..] == before[2 * 600..], "after 12 ms it is as at the beginning");
}

#[test]
fn a_tempo_that_changes_is_no_jump() {
    let text = text("hammered-string");
    let mut studio = Studio::new(text, 120.0);
    let mut sound = studio.play(0.0, 9600, 480);
    // From here the beats are farther on than the last block's tempo said, by 1 ms.
    sound.extend(studio.play(0.201, 9600, 480));
    let expected = rendered(scene(text, RATE, &[]), &[], 19_200);
    assert!(sound == expected, "it rings on");
}
