//! Storms of messages made by chance, on the stage alone and over sockets. A few seconds each; `ICTUS_STORM_SECONDS` makes them longer and
//! `ICTUS_STORM_SEED` makes them different (CONTRIBUTING.md).

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use ictus_live::limiter::Limiter;
use ictus_live::protocol::{Request, parse};
use ictus_live::{Gallery, Stage};
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::frame::{Frame, FrameHeader};

use crate::asked::post;
use crate::dice::Dice;
use crate::listener::Listener;
use crate::messages::{Vocabulary, any, question};
use crate::process::{Holdings, computed, is_alone, seconds};
use crate::running::{Running, hello, reply, say, stream};

const RATE: f64 = 48_000.0;

/// Scenes of every kind that are built soon: grids and modes, sheets after von Kármán, bristles, felt with a memory.
const SCENES: [&str; 9] = [
    "hammered-string",
    "tromba-marina",
    "marimba",
    "bouncing-ball",
    "bronze-plate",
    "two-mass-springs",
    "gong",
    "hinge",
    "memory",
];

/// Memory in MB that a storm may take beyond what it had at the start: the largest scenes of all pages together take less.
const MOST_MEMORY: f64 = 300.0;

/// Time that a message and the block after it may take to compute. The block alone is 2.7 ms of sound.
const SLOWEST: Duration = Duration::from_secs(1);

fn gallery() -> Gallery {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let gallery = Gallery::folder(&crates.join("../../scenes")).expect("the scenes are there");
    gallery.with_file(&crates.join("../ictus-scene/tests/scenes/memory.toml"))
}

fn length() -> Duration {
    Duration::from_secs_f64(seconds("ICTUS_STORM_SECONDS", 4.0))
}

fn first_seed() -> u64 {
    seconds("ICTUS_STORM_SEED", 1.0) as u64
}

fn words(stage: &Stage) -> Vocabulary {
    let description = stage.describe();
    Vocabulary {
        scenes: SCENES
            .iter()
            .map(|scene| (*scene).to_owned())
            .chain(["no-such".to_owned(), "../x".to_owned()])
            .collect(),
        objects: description.objects.len(),
        contacts: description.contacts.len(),
        controls: description.controls.len(),
        parameters: stage.instrument().parameters().iter().map(|info| info.path.clone()).collect(),
        texts: ["mass-barrier", "two-mass-springs", "hinge"].map(text).into(),
    }
}

/// The text of a scene of the gallery.
fn text(scene: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenes/{scene}.toml"));
    std::fs::read_to_string(path).expect("the scene is there")
}

#[test]
fn no_message_breaks_the_stage_or_takes_long() {
    if !is_alone("stormed::no_message_breaks_the_stage_or_takes_long") {
        return;
    }
    let (begun, before) = (Instant::now(), Holdings::now());
    let (mut said, mut read, mut played, mut breakdowns) = (0u64, 0u64, 0u64, 0u64);
    let mut slowest = (Duration::ZERO, String::new());
    let mut seed = first_seed();
    while begun.elapsed() < length() {
        let mut dice = Dice::new(seed);
        let scene = *dice.one_of(&SCENES);
        let mut stage = gallery().open(scene, RATE).expect("opens");
        let (words, mut limiter) = (words(&stage), Limiter::new(RATE));
        let (mut block, mut state) = ([0.0; 256], Vec::new());
        for _ in 0..500 {
            let message = any(&mut dice, &words);
            let started = computed();
            said += 1;
            if let Ok(request) = parse(&message) {
                read += 1;
                if let Request::Play(gesture) = request {
                    played += u64::from(stage.play(&gesture).is_ok());
                }
            }
            stage.process(&mut block);
            for frame in block.chunks_exact(2) {
                let heard = limiter.step([frame[0], frame[1]]);
                assert!(heard.iter().all(|one| one.is_finite() && one.abs() <= 1.0), "seed {seed}, {scene}: {message}");
            }
            if limiter.take_broken() {
                stage.rest();
            }
            state.clear();
            stage.write_state(&mut state);
            assert_eq!(state.len(), stage.state_bytes(), "seed {seed}, {scene}: {message}");
            let taken = computed().saturating_sub(started);
            if taken > slowest.0 {
                slowest = (taken, format!("seed {seed}, {scene}: {message}"));
            }
        }
        breakdowns += stage.account().breakdowns;
        seed += 1;
    }
    let after = Holdings::now();
    let shown: String = slowest.1.chars().take(120).collect();
    println!("{said} messages, {read} read, {played} played, {breakdowns} breakdowns, {} seeds", seed - first_seed());
    println!("slowest {:?}: {shown}\n{before:?}\n{after:?}", slowest.0);
    assert!(said > 1000 && read > said / 3 && played > said / 10, "{said} {read} {played}");
    assert!(slowest.0 < SLOWEST, "{slowest:?}");
    assert!(after.megabytes < before.megabytes + MOST_MEMORY, "{before:?} {after:?}");
}

/// One visit of a page that says anything, and how it ended.
async fn visit(server: &Running, seed: u64, words: &Vocabulary, said: &mut u64) -> String {
    let mut dice = Dice::new(seed);
    let mut socket = server.connect().await;
    if dice.below(12) > 0 {
        let scene = *dice.one_of(&SCENES);
        hello(&mut socket, scene).await;
    }
    let mut wanted = 0;
    for _ in 0..dice.below(400) {
        // What ends a visit comes seldom, so that most visits are long.
        let message = match dice.below(600) {
            0 => Message::binary(vec![dice.below(256) as u8; dice.below(300)]),
            1 => Message::Ping(vec![1; dice.below(126)].into()),
            2 => Message::Pong(vec![1; dice.below(126)].into()),
            3 => {
                // A frame that no library would send: any kind of message, in pieces, and no text.
                let opcode = OpCode::Data(*dice.one_of(&[Data::Text, Data::Binary, Data::Continue]));
                let header = FrameHeader {
                    is_final: dice.below(2) == 0,
                    opcode,
                    rsv1: dice.below(9) == 0,
                    mask: Some([1, 2, 3, 4]),
                    ..FrameHeader::default()
                };
                Message::Frame(Frame::from_payload(header, vec![0xff; dice.below(200)].into()))
            }
            4..=200 => {
                wanted += 128 * dice.below(40);
                Message::text(format!(r#"{{"type":"want","frame":{wanted}}}"#))
            }
            _ => {
                let mut text = any(&mut dice, words);
                while parse(&text).is_err() && dice.below(50) > 0 {
                    text = any(&mut dice, words);
                }
                Message::text(text)
            }
        };
        *said += 1;
        if socket.send(message).await.is_err() {
            break;
        }
        if dice.below(4) == 0 {
            while let Ok(Some(Ok(heard))) = tokio::time::timeout(Duration::from_millis(1), socket.next()).await {
                if let Some(end) = error_in(&heard) {
                    return end;
                }
            }
        }
    }
    match dice.below(4) {
        0 => return "left without a goodbye".to_owned(),
        1 => {
            let noise: Vec<u8> = (0..dice.below(5000)).map(|_| dice.next() as u8).collect();
            let _ = socket.get_mut().write_all(&noise).await;
            // Noise can promise more than it brings; then the server waits for the rest, up to its time limit.
            if dice.below(20) > 0 {
                let _ = socket.get_mut().shutdown().await;
            }
        }
        _ => {
            let _ = socket.close(None).await;
        }
    }
    let deadline = tokio::time::Instant::now() + Duration::from_secs(40);
    loop {
        match tokio::time::timeout_at(deadline, socket.next()).await {
            Ok(Some(Ok(heard))) => {
                if let Some(end) = error_in(&heard) {
                    return end;
                }
            }
            Ok(_) => return "closed".to_owned(),
            Err(_) => panic!("seed {seed}: the connection does not end"),
        }
    }
}

/// The code of an error, which must be one of those that docs/protocol.md names.
fn error_in(heard: &Message) -> Option<String> {
    let Message::Text(text) = heard else { return None };
    let reply: serde_json::Value = serde_json::from_str(text).expect("replies are JSON");
    let kind = reply["type"].as_str().expect("replies have a type");
    assert!(["welcome", "instrument", "problems", "refused", "error"].contains(&kind), "{text}");
    let code = (kind == "error").then(|| reply["code"].as_str().expect("errors have a code"))?;
    assert!(["malformed", "oversized", "too-many", "too-fast", "hello", "stalled"].contains(&code), "{text}");
    Some(code.to_owned())
}

/// Asks what a page may ask, and more; every answer is one of those that docs/protocol.md names. Returns how many were asked.
async fn interrogate(server: &Running, seed: u64, words: &Vocabulary) -> u64 {
    let mut dice = Dice::new(seed);
    let host = format!("127.0.0.1:{}", server.port);
    let head = format!("Host: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n");
    let count = 1 + dice.below(20) as u64;
    for _ in 0..count {
        let question = question(&mut dice, words);
        let asked = tokio::time::timeout(Duration::from_secs(40), post(server.port, &head, &question)).await;
        let (status, body) = asked.unwrap_or_else(|_| panic!("seed {seed}: no answer to {question}"));
        let said: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
        let kind = said["type"].as_str().unwrap_or_default();
        let is_known = ["text", "checked", "impact", "conflict", "refused"].contains(&kind);
        assert!(status == 200 && is_known, "seed {seed}: {status} {body} to {question}");
    }
    count
}

#[test]
fn no_message_over_a_socket_breaks_the_server_or_disturbs_a_listener() {
    if !is_alone("stormed::no_message_over_a_socket_breaks_the_server_or_disturbs_a_listener") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(storm_over_sockets());
}

async fn storm_over_sockets() {
    let server = Running::serve(6, gallery()).await;
    let words = words(&gallery().open("marimba", RATE).expect("opens"));
    // What takes memory once is taken first.
    for seed in 0..4 {
        visit(&server, seed, &words, &mut 0).await;
    }
    let listener = Listener::start(&server, "hammered-string").await;
    let before = Holdings::now();
    let (begun, mut seed, mut said, mut asked) = (Instant::now(), first_seed(), 0, 0);
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    let mut most = before.megabytes;
    while begun.elapsed() < length() {
        let visits = (0..4).map(|other| {
            let (server, words) = (&server, &words);
            async move {
                let mut said = 0;
                (visit(server, seed + other, words, &mut said).await, said)
            }
        });
        let (ended, questions) =
            tokio::join!(futures_util::future::join_all(visits), interrogate(&server, seed, &words));
        asked += questions;
        for (end, messages) in ended {
            *ends.entry(end).or_default() += 1;
            said += messages;
        }
        seed += 4;
        most = most.max(Holdings::now().megabytes);
    }
    let after = before.settled().await;
    let dropouts = listener.dropouts().await;
    println!("{said} messages in {} visits, which ended: {ends:?}; {asked} questions", seed - first_seed());
    println!("{dropouts} dropouts of the listener, at most {most:.0} MB\n{before:?}\n{after:?}");
    assert!(after.threads <= before.threads && after.files <= before.files, "{before:?} {after:?}");
    assert!(most < before.megabytes + MOST_MEMORY, "{before:?} {most} MB");
    // A machine that is busy with other things may take the listener's turn now and then.
    assert!(f64::from(dropouts) <= 1.0 + begun.elapsed().as_secs_f64() / 10.0, "{dropouts} dropouts");
    let mut socket = server.connect().await;
    hello(&mut socket, "hammered-string").await;
    reply(&mut socket, "instrument").await.expect("plays");
    say(&mut socket, r#"{"type":"reset"}"#).await;
    assert_eq!(stream(&mut socket, 1024).await, 1024);
}
