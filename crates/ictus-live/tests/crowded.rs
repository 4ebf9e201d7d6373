//! Scenes with very many objects: what can be rendered can be played, and what is drawn stays within its bound.

use std::fmt::Write;
use std::time::Duration;

use futures_util::StreamExt;
use ictus::id::ObjectId;
use ictus_live::protocol::Gesture;
use ictus_live::{Gallery, Stage};
use ictus_scene::{Instrument, Reading, Scene, Source, read};
use tokio_tungstenite::tungstenite::Message;

use crate::running::{Running, hello, reply, say, stream};

fn scene(text: &str) -> Scene {
    let options = Reading { rate: Some(48_000.0), ..Reading::default() };
    read(&Source::new("crowd.toml", text), &options).expect("can be read")
}

fn masses(count: usize) -> String {
    let mut text = "ictus = 1\ntitle = \"Crowd\"\n".to_owned();
    for number in 0..count {
        let _ = writeln!(text, "[objects.ball-{number}]\nkind = \"mass\"\nmass = \"10 g\"");
    }
    text + "[pickups.out]\nat = \"ball-0\"\n"
}

/// Strikes an object and listens whether it moves.
fn moves(stage: &mut Stage, object: usize) -> bool {
    stage.play(&Gesture::Strike { object, at: vec![0.3], velocity: 1.0 }).expect("is struck");
    stage.process(&mut [0.0; 2 * 128]);
    stage.instrument().engine().object_energy(ObjectId::new(object)).is_some_and(|energy| energy > 0.0)
}

#[test]
fn a_scene_of_two_thousand_objects_can_be_rendered_and_played_by_hand() {
    let scene = scene(&masses(2000));
    assert!(Instrument::new(&scene).is_ok());
    let mut stage = Stage::new("crowd", &scene).expect("can be played");
    assert!(stage.describe().objects.iter().all(|object| object.playable));
    assert!(moves(&mut stage, 1999));
}

/// At most 512 contacts are solved together, and every hand is one more on what it plays.
#[test]
fn where_hands_for_all_would_be_too_many_the_first_objects_have_them() {
    let mut text = masses(300);
    for number in 1..300 {
        let _ = writeln!(
            text,
            "[contacts.spring-{number}]\nfrom = \"ball-0\"\nto = \"ball-{number}\"\nlaw = \"linear-cubic-spring\"\nlinear_stiffness = 1e3"
        );
    }
    let scene = scene(&text);
    assert!(Instrument::new(&scene).is_ok());
    let mut stage = Stage::new("crowd", &scene).expect("can be played");
    let playable = stage.describe().objects.iter().filter(|object| object.playable).count();
    assert!((20..=53).contains(&playable), "{playable}");
    assert!(stage.describe().objects[0].playable && moves(&mut stage, 0));
    let refused = stage.play(&Gesture::Strike { object: 299, at: vec![], velocity: 1.0 });
    assert_eq!(refused, Err("no object for hands number 299 that could take this".to_owned()));
}

fn strings(count: usize) -> String {
    let mut text = "ictus = 1\ntitle = \"Curtain\"\n".to_owned();
    for number in 0..count {
        let _ = writeln!(text, "[objects.s-{number}]\nkind = \"string\"\npitch = \"1 kHz\"\nhighest = \"5 kHz\"");
    }
    text + "[pickups.out]\nat = \"s-0@0.1\"\n"
}

/// Drawn as finely as a few, these would need states of 780 kB.
#[tokio::test]
async fn two_thousand_strings_sound_and_are_drawn_over_a_socket() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("curtain.toml"), strings(2000)).expect("is written");
    let server = Running::serve(1, Gallery::folder(folder.path()).expect("a gallery")).await;
    let mut socket = server.connect().await;
    hello(&mut socket, "curtain").await;
    let instrument = reply(&mut socket, "instrument").await.expect("is built");
    let points = |object: &serde_json::Value| 2 + object["points"][0].as_u64().unwrap_or(0);
    let numbers: u64 = instrument["objects"].as_array().expect("a list").iter().map(points).sum();
    let mut states = 0;
    let mut frames = 0;
    for block in 1..=40 {
        say(&mut socket, &format!(r#"{{"type":"want","frame":{}}}"#, 128 * block)).await;
        while frames < 128 * block {
            let next =
                tokio::time::timeout(Duration::from_secs(60), socket.next()).await.expect("does not fall silent");
            match next {
                Some(Ok(Message::Binary(packet))) if packet[0] == 1 => frames += 128,
                Some(Ok(Message::Binary(packet))) => {
                    assert_eq!(packet.len() as u64, 32 + 4 * numbers);
                    assert!(packet.len() <= 512 << 10, "{}", packet.len());
                    states += 1;
                }
                Some(Ok(_)) => {}
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(states >= 5, "{states}");
}

/// A folder with a scene that took gigabytes before it was refused: choosing it, again and again, does not disturb another page.
#[tokio::test]
async fn a_hostile_scene_of_a_folder_is_refused_and_other_pages_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let points: Vec<String> = (1..16_385).map(|n| format!("[{}, -1e-3]", f64::from(n) / 16_385.0)).collect();
    let hostile = format!(
        "ictus = 1\ntitle = \"Frets\"\n[limits]\ninteractions = 16384\n[objects.neck]\nkind = \"barrier\"\n[objects.string]\n\
         kind = \"string\"\n[contacts.frets]\nfrom = \"neck\"\nto = \"string\"\nlaw = \"hunt-crossley\"\nstiffness = 1e8\n\
         profile = {{ kind = \"frets\", points = [{}] }}\n[pickups.out]\nat = \"string@0.9\"\n",
        points.join(", ")
    );
    std::fs::write(folder.path().join("hostile.toml"), hostile).expect("is written");
    std::fs::write(folder.path().join("good.toml"), masses(3)).expect("is written");
    let server = Running::serve(4, Gallery::folder(folder.path()).expect("is a folder")).await;
    let mut listener = server.connect().await;
    hello(&mut listener, "good").await;
    reply(&mut listener, "instrument").await.expect("plays");
    let mut attacker = server.connect().await;
    hello(&mut attacker, "good").await;
    reply(&mut attacker, "instrument").await.expect("plays");
    let attack = async {
        for _ in 0..20 {
            say(&mut attacker, r#"{"type":"choose","scene":"hostile"}"#).await;
        }
        reply(&mut attacker, "problems").await.expect("it is refused").to_string()
    };
    // Less than the half second that is made ahead.
    let (problems, heard) = tokio::join!(attack, stream(&mut listener, 20_480));
    assert!(problems.contains("take more than") || problems.contains("at most 512"), "{problems}");
    assert_eq!(heard, 20_480);
}
