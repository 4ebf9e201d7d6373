//! A storm of controls and gestures on one scene, over a socket and in real time, for as long as `ICTUS_SOAK_SECONDS` says (CONTRIBUTING.md):
//! everything stays finite and accounted for, and the program holds no more at the end than at the start.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use ictus_live::description::Description;
use ictus_live::{Gallery, Stage};
use tokio_tungstenite::tungstenite::Message;

use crate::dice::Dice;
use crate::process::{Holdings, computed_by, is_alone, seconds};
use crate::running::{Running, Socket, hello, reply_within, say};

const RATE: f64 = 48_000.0;

/// Messages per second of sound.
const STORM: f64 = 500.0;

/// Time in s that a visitor stays; then another takes its place. Beside the visitors one page stays from the beginning to the end.
const STAY: f64 = 5.0;

/// Largest residual of the energy account, relative.
const MOST_RESIDUAL: f64 = 1e-9;

/// Least part of the states that must tell of the energy. On a busy machine the program gives the account up to make room; each time the page asks
/// for it again.
const LEAST_ACCOUNTED: f64 = 0.2;

/// Least part of the time in which there must be sound on each page, in a soak whose length was asked for: half of what the marimba, which costs
/// most, had beside thirty other jobs on two cores. All others sounded all the time.
const LEAST_SOUND: f64 = 0.1;

/// The same beside all other tests, on a machine of few cores.
const LEAST_SOUND_AMONG_OTHERS: f64 = 0.02;

/// How long a scene may take until it plays, on a machine that is busy with much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// Memory in MB that may be taken and not given back.
const MOST_MEMORY: f64 = 30.0;

/// What players do, with values that make sense.
struct Player {
    dice: Dice,
    description: Description,
    /// Path and value of every live parameter.
    parameters: Vec<(String, f64, [f64; 2])>,
}

impl Player {
    fn new(seed: u64, stage: &Stage) -> Self {
        let live = stage.instrument().parameters().iter().filter(|info| info.live);
        let parameters = live.map(|info| (info.path.clone(), info.default, info.range)).collect();
        Self { dice: Dice::new(seed), description: stage.describe(), parameters }
    }

    fn message(&mut self) -> String {
        let Self { dice, description, parameters } = self;
        let playable: Vec<usize> =
            (0..description.objects.len()).filter(|one| description.objects[*one].playable).collect();
        let object = *dice.one_of(&playable);
        let described = &description.objects[object];
        let at = format!("[{},{}]", 0.05 + 0.9 * dice.fraction(), 0.05 + 0.9 * dice.fraction());
        let fields = match dice.below(14) {
            0..=4 if !description.controls.is_empty() => {
                let control = dice.below(description.controls.len());
                let [low, high] = description.controls[control].range;
                format!(r#""turn","control":{control},"value":{}"#, low + dice.fraction() * (high - low))
            }
            5..=7 if !parameters.is_empty() => {
                let (path, value, [least, most]) = dice.one_of(parameters).clone();
                let value = (value * 4f64.powf(2.0 * dice.fraction() - 1.0)).clamp(least, most);
                format!(r#""set","parameter":"{path}","value":{value:e}"#)
            }
            8 => format!(r#""strike","object":{object},"at":{at},"velocity":{}"#, 4.0 * dice.fraction()),
            9 => {
                let (velocity, force) = (dice.fraction() - 0.5, 2.0 * described.bow_force * dice.fraction());
                format!(r#""bow","object":{object},"at":{at},"velocity":{velocity},"force":{force}"#)
            }
            10 => format!(r#""pull","object":{object},"at":{at},"height":{}"#, described.reach * dice.fraction()),
            11 => format!(r#""damp","object":{object},"at":{at}"#),
            12 => format!(r#""note-on","key":{},"velocity":{}"#, 36 + dice.below(48), dice.fraction()),
            _ => format!(r#""release","object":{object},"hand":"{}""#, dice.one_of(&["bow", "pull", "damp"])),
        };
        format!(r#"{{"type":{fields}}}"#)
    }
}

/// What one or several pages have found.
#[derive(Debug, Default)]
struct Found {
    messages: u64,
    refused: u64,
    samples: u64,
    states: u64,
    /// States whose account was kept.
    accounted: u64,
    /// Whether the account has been given up since it was asked for.
    is_given_up: bool,
    breakdowns: u64,
    residual: f64,
    peak: f64,
}

impl Found {
    fn hear(&mut self, message: &Message) {
        let number = |bytes: &[u8]| f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        match message {
            Message::Binary(packet) if packet[0] == 1 => {
                for sample in packet[16..].chunks_exact(4).map(number) {
                    assert!(sample.is_finite() && sample.abs() <= 1.0, "{sample}");
                    self.peak = self.peak.max(sample.abs());
                    self.samples += 1;
                }
            }
            Message::Binary(packet) => {
                self.states += 1;
                self.breakdowns += u64::from(packet[1] & 2 != 0);
                let is_kept = packet[1] & 1 != 0;
                self.accounted += u64::from(is_kept);
                self.is_given_up |= !is_kept;
                if is_kept {
                    let residual = number(&packet[24..28]).abs();
                    assert!(residual.is_finite(), "{residual}");
                    self.residual = self.residual.max(residual);
                }
            }
            Message::Text(text) => {
                assert!(!text.contains(r#""type":"error""#) && !text.contains(r#""type":"problems""#), "{text}");
                self.refused += u64::from(text.contains(r#""type":"refused""#));
            }
            _ => {}
        }
    }
}

/// One page that plays for a while. It says as much for every second that it hears, however busy the machine is.
async fn play(socket: &mut Socket, player: &mut Player, length: f64, found: &mut Found) {
    let begun = Instant::now();
    let mut tick = tokio::time::interval(Duration::from_millis(10));
    let (mut said, before) = (0.0, found.samples);
    while begun.elapsed().as_secs_f64() < length {
        tokio::select! {
            _ = tick.tick() => {
                let played = begun.elapsed().as_secs_f64();
                say(socket, &format!(r#"{{"type":"want","frame":{}}}"#, ((played + 0.05) * RATE) as u64)).await;
                let heard = (found.samples - before) as f64 / (2.0 * RATE);
                while said < STORM * heard {
                    say(socket, &player.message()).await;
                    said += 1.0;
                    found.messages += 1;
                }
            }
            heard = socket.next() => {
                found.hear(&heard.expect("the page stays").expect("is whole"));
                if std::mem::take(&mut found.is_given_up) {
                    say(socket, r#"{"type":"account","keep":true}"#).await;
                }
            }
        }
    }
}

/// A page that connects, plays for a while and leaves. `at_end` is called while it is still there.
async fn visit(
    server: &Running,
    scene: &str,
    player: &mut Player,
    length: f64,
    found: &mut Found,
    at_end: impl FnOnce(),
) {
    let mut socket = server.connect().await;
    hello(&mut socket, scene).await;
    reply_within(&mut socket, "instrument", PATIENCE).await.expect("plays");
    play(&mut socket, player, length, found).await;
    at_end();
    socket.close(None).await.expect("says goodbye");
    while let Some(Ok(heard)) = socket.next().await {
        found.hear(&heard);
    }
}

/// A soak of a scene. `speed` is how much sound in s a second of computing makes at least: a third of what it made beside thirty other jobs on two
/// cores of an AMD EPYC, which share caches and units with it.
async fn soak(scene: &str, length: f64, speed: f64) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let gallery = Gallery::folder(&folder).expect("the scenes are there");
    let stage = gallery.open(scene, RATE).expect("opens");
    let mut players = [1, 2].map(|seed| Player::new(seed, &stage));
    drop(stage);
    let server = Running::serve(2, gallery).await;
    let stay = STAY.min(length / 4.0);
    // The first two pages take what is taken once.
    let [one, other] = &mut players;
    let (mut first, mut second) = (Found::default(), Found::default());
    tokio::join!(
        visit(&server, scene, one, 0.2 * stay, &mut first, || ()),
        visit(&server, scene, other, 0.2 * stay, &mut second, || ())
    );
    let start = Holdings::now().settled().await;

    let (begun, mut stayed, mut visited) = (Instant::now(), Found::default(), Found::default());
    // Each thread's, by its number, as of when it was last there.
    let computing = RefCell::new(BTreeMap::new());
    let look = || computing.borrow_mut().extend(computed_by("ictus performer"));
    let visitors = async {
        while begun.elapsed().as_secs_f64() < length - 0.5 * stay {
            visit(&server, scene, other, stay, &mut visited, look).await;
        }
    };
    tokio::join!(visit(&server, scene, one, length, &mut stayed, look), visitors);
    let end = start.settled().await;
    let lasted = begun.elapsed().as_secs_f64();
    println!(
        "{scene}, {lasted:.0} s\nthe page that stayed {stayed:?}\nvisitors {visited:?}\nat first {start:?}\nat the end {end:?}"
    );

    let computed: Duration = computing.borrow().values().sum();
    let sounds = [&stayed, &visited].map(|found| found.samples as f64 / (2.0 * RATE));
    let made = (sounds[0] + sounds[1]) / computed.as_secs_f64();
    println!("{:.1} and {:.1} s of sound, {made:.2} s for every second of computing", sounds[0], sounds[1]);
    assert!(!computed.is_zero() && made > speed, "{made} s of sound for every second of {computed:?} computed");
    let is_asked = std::env::var_os(LENGTH).is_some();
    let least = if is_asked { LEAST_SOUND } else { LEAST_SOUND_AMONG_OTHERS };
    for (found, sound) in [&stayed, &visited].into_iter().zip(sounds) {
        assert!(sound > least * length, "{sound} s of sound: {found:?}");
        assert!(found.peak > 1e-4 && found.breakdowns == 0, "{found:?}");
        assert!(found.accounted as f64 >= LEAST_ACCOUNTED * found.states as f64 && found.states > 0, "{found:?}");
        assert!(found.residual < MOST_RESIDUAL, "{found:?}");
    }
    assert!(end.threads <= start.threads && end.files <= start.files, "{start:?} {end:?}");
    assert!(end.megabytes < start.megabytes + MOST_MEMORY, "{start:?} {end:?}");
}

/// The variable that says how long a soak is to be, in s.
const LENGTH: &str = "ICTUS_SOAK_SECONDS";

fn soak_alone(test: &str, scene: &str, speed: f64) {
    if is_alone(test) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(soak(scene, seconds(LENGTH, 4.0), speed));
    }
}

#[test]
fn a_string_in_a_storm_of_controls_stays_finite_and_accounted_for_and_leaves_nothing_behind() {
    let test = "soaked::a_string_in_a_storm_of_controls_stays_finite_and_accounted_for_and_leaves_nothing_behind";
    soak_alone(test, "hammered-string", 4.3);
}

#[test]
fn a_tromba_in_a_storm_of_controls_stays_finite_and_accounted_for_and_leaves_nothing_behind() {
    let test = "soaked::a_tromba_in_a_storm_of_controls_stays_finite_and_accounted_for_and_leaves_nothing_behind";
    soak_alone(test, "tromba-marina", 1.6);
}

#[test]
fn a_marimba_in_a_storm_of_controls_stays_finite_and_accounted_for_and_leaves_nothing_behind() {
    let test = "soaked::a_marimba_in_a_storm_of_controls_stays_finite_and_accounted_for_and_leaves_nothing_behind";
    soak_alone(test, "marimba", 0.35);
}

#[test]
fn a_bronze_plate_in_a_storm_of_controls_stays_finite_and_accounted_for_and_leaves_nothing_behind() {
    let test = "soaked::a_bronze_plate_in_a_storm_of_controls_stays_finite_and_accounted_for_and_leaves_nothing_behind";
    soak_alone(test, "bronze-plate", 2.5);
}

#[test]
fn a_ball_in_a_storm_of_controls_stays_finite_and_accounted_for_and_leaves_nothing_behind() {
    let test = "soaked::a_ball_in_a_storm_of_controls_stays_finite_and_accounted_for_and_leaves_nothing_behind";
    soak_alone(test, "bouncing-ball", 3.7);
}
