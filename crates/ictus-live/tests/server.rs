//! What the server promises to pages, and what it refuses everyone else.

use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use ictus_live::Gallery;
use tokio_tungstenite::tungstenite::{self, Message};

use crate::running::{Running, Socket, hello, reply, say, stream};

#[tokio::test]
async fn a_page_gets_the_list_the_instrument_and_as_much_audio_as_it_wants() {
    let server = Running::start(8).await;
    let mut socket = server.connect().await;
    hello(&mut socket, "hammered-string").await;
    let welcome = reply(&mut socket, "welcome").await.expect("is welcome");
    assert!(
        welcome["scenes"]
            .as_array()
            .is_some_and(|scenes| scenes.iter().any(|scene| scene["name"] == "hammered-string"))
    );
    let instrument = reply(&mut socket, "instrument").await.expect("is built");
    assert_eq!(instrument["rate"], 48000.0);
    assert_eq!(stream(&mut socket, 4096).await, 4096);
    // Nothing more than wanted.
    let more = tokio::time::timeout(Duration::from_millis(300), async {
        while let Some(Ok(message)) = socket.next().await {
            if matches!(&message, Message::Binary(packet) if packet[0] == 1) {
                return;
            }
        }
    });
    assert!(more.await.is_err());
}

#[tokio::test]
async fn bad_messages_are_answered_and_end_only_their_own_connection() {
    let server = Running::start(16).await;
    let mut other = server.connect().await;
    hello(&mut other, "hammered-string").await;
    reply(&mut other, "instrument").await.expect("plays");
    let large = format!(r#"{{"type":"choose","scene":"{}"}}"#, "x".repeat(20_000));
    let huge = "x".repeat(200_000);
    let cases: [(&str, &str); 8] = [
        ("not json", "malformed"),
        (r#"{"type":"unheard-of"}"#, "malformed"),
        (r#"{"type":"want","frame":"many"}"#, "malformed"),
        (r#"{"type":"strike","object":-1,"at":[],"velocity":1}"#, "malformed"),
        (r#"{"type":"hello","version":2,"rate":48000}"#, "hello"),
        (&large, "oversized"),
        (&huge, "oversized"),
        ("\u{0}\u{0}", "malformed"),
    ];
    for (message, code) in cases {
        let mut socket = server.connect().await;
        hello(&mut socket, "hammered-string").await;
        reply(&mut socket, "welcome").await.expect("is welcome");
        say(&mut socket, message).await;
        let error = reply(&mut socket, "error").await;
        let what = &message[..message.len().min(40)];
        assert_eq!(error.map(|error| error["code"].clone()), Some(code.into()), "{what}");
        while let Some(Ok(_)) = socket.next().await {}
    }
    // What is no text must be sound: its mark, then whole samples, at least one and no more than are played in a moment.
    for bytes in [vec![1; 64], vec![3, 0, 0, 1, 0, 0, 0, 0], vec![3, 0, 0, 0], vec![3; 3], sound(&[0.0; 4097]), {
        let mut cut = sound(&[0.5, 0.5]);
        cut.pop();
        cut
    }] {
        let mut socket = server.connect().await;
        hello(&mut socket, "hammered-string").await;
        let length = bytes.len();
        let _ = socket.send(Message::binary(bytes)).await;
        let error = reply(&mut socket, "error").await.unwrap_or_else(|| panic!("{length} bytes"));
        assert_eq!(error["code"], "malformed", "{length} bytes");
        assert!(error["message"].as_str().is_some_and(|message| message.contains("at most 4096 samples")));
    }
    assert_eq!(stream(&mut other, 1024).await, 1024);
}

/// A message with sound from outside.
fn sound(samples: &[f32]) -> Vec<u8> {
    [3, 0, 0, 0].into_iter().chain(samples.iter().flat_map(|sample| sample.to_le_bytes())).collect()
}

#[tokio::test]
async fn sound_from_outside_drives_the_instrument() {
    let server = Running::start(2).await;
    let mut socket = server.connect().await;
    hello(&mut socket, "hammered-string").await;
    let plain = reply(&mut socket, "instrument").await.expect("plays");
    assert_eq!(plain["hears"], false);
    let driver = "\n[exciters.input]\nkind = \"signal\"\non = \"string@0.3\"\nlevel = \"20 N\"\n";
    let text = format!("{}{driver}", include_str!("../../../scenes/hammered-string.toml"));
    let choose = serde_json::json!({"type": "choose", "scene": "driven", "text": text});
    say(&mut socket, &choose.to_string()).await;
    let driven = reply(&mut socket, "instrument").await.expect("plays");
    assert_eq!(driven["hears"], true);
    let mut wanted = 0;
    let mut loudest = async |socket: &mut Socket, heard: &[f32]| {
        let mut most = 0.0f32;
        for piece in heard.chunks(480) {
            socket.send(Message::binary(sound(piece))).await.expect("is sent");
            wanted += 512;
            say(socket, &format!(r#"{{"type":"want","frame":{wanted}}}"#)).await;
            for _ in 0..4 {
                let packet = loop {
                    match socket.next().await {
                        Some(Ok(Message::Binary(packet))) if packet[0] == 1 => break packet,
                        Some(Ok(_)) => {}
                        other => panic!("it plays on: {other:?}"),
                    }
                };
                let samples = packet[16..].chunks_exact(4);
                let levels = samples.map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).abs());
                most = levels.fold(most, f32::max);
            }
        }
        most
    };
    assert_eq!(loudest(&mut socket, &[0.0; 9600]).await, 0.0);
    let tone: Vec<f32> = (0..24_000).map(|n| 0.1 * (std::f32::consts::TAU * 110.0 * n as f32 / 48e3).sin()).collect();
    assert!(loudest(&mut socket, &tone).await > 1e-3);
    // What is no number drives nothing.
    let wild = [f32::NAN, f32::INFINITY, f32::MAX, -f32::MAX].repeat(120);
    assert!(loudest(&mut socket, &wild).await <= 1.0);
    say(&mut socket, r#"{"type":"turn","control":99,"value":1}"#).await;
    assert!(reply(&mut socket, "refused").await.is_some(), "it plays on");
}

#[tokio::test]
async fn what_cannot_be_done_is_refused_and_the_connection_stays() {
    let server = Running::start(2).await;
    let mut socket = server.connect().await;
    hello(&mut socket, "hammered-string").await;
    reply(&mut socket, "instrument").await.expect("plays");
    for message in [
        r#"{"type":"strike","object":99,"at":[0.5],"velocity":1}"#,
        r#"{"type":"turn","control":99,"value":1}"#,
        r#"{"type":"set","parameter":9999,"value":1}"#,
        r#"{"type":"set","parameter":"hammer.mass","value":1}"#,
        r#"{"type":"rule","contacts":[99],"rule":"basic"}"#,
    ] {
        say(&mut socket, message).await;
        assert!(reply(&mut socket, "refused").await.is_some(), "{message}");
    }
    say(&mut socket, r#"{"type":"set","parameter":"hammer.stifness","value":1e8}"#).await;
    let refused = reply(&mut socket, "refused").await.expect("is told");
    assert!(refused["message"].as_str().is_some_and(|message| message.contains("did you mean `hammer.stiffness`?")));
    for name in ["../Cargo", "/etc/passwd", "no-such-scene", ".."] {
        say(&mut socket, &format!(r#"{{"type":"choose","scene":"{name}"}}"#)).await;
        let problems = reply(&mut socket, "problems").await.expect("is told");
        assert!(problems["problems"][0]["message"].as_str().is_some_and(|message| message.contains("no scene called")));
    }
    assert_eq!(stream(&mut socket, 1024).await, 1024);
}

#[tokio::test]
async fn a_tuning_builds_the_scene_anew_and_stays_for_the_next_one() {
    let server = Running::start(2).await;
    let mut socket = server.connect().await;
    hello(&mut socket, "marimba").await;
    let pitch = |instrument: &serde_json::Value, name: &str| {
        let objects = instrument["objects"].as_array().expect("objects");
        let object = objects.iter().find(|object| object["name"] == name).expect("it is there");
        object["pitch"].as_f64().expect("has a pitch")
    };
    let equal = pitch(&reply(&mut socket, "instrument").await.expect("plays"), "bars.C4");
    let tune = |cents: &[f64]| format!(r#"{{"type":"tune","cents":{cents:?}}}"#);
    say(&mut socket, &tune(&[50.0; 128])).await;
    let sharp = pitch(&reply(&mut socket, "instrument").await.expect("is built anew"), "bars.C4");
    assert!((1200.0 * (sharp / equal).log2() - 50.0).abs() < 1e-6, "{equal} {sharp}");
    // A scene that has no keys is played as it is.
    for scene in ["mass-barrier", "music-box"] {
        say(&mut socket, &format!(r#"{{"type":"choose","scene":"{scene}"}}"#)).await;
        assert!(reply(&mut socket, "instrument").await.is_some(), "{scene}");
    }
    for wrong in [vec![0.0; 12], vec![1e6; 128]] {
        say(&mut socket, &tune(&wrong)).await;
        assert!(reply(&mut socket, "refused").await.is_some());
    }
    say(&mut socket, r#"{"type":"choose","scene":"marimba"}"#).await;
    assert!((pitch(&reply(&mut socket, "instrument").await.expect("plays"), "bars.C4") - sharp).abs() < 1e-9);
    say(&mut socket, &tune(&[])).await;
    assert!((pitch(&reply(&mut socket, "instrument").await.expect("plays"), "bars.C4") - equal).abs() < 1e-9);
}

#[tokio::test]
async fn the_first_message_must_be_a_hello_of_this_version_at_a_rate_that_is_played() {
    let server = Running::start(8).await;
    for (message, code) in [
        (r#"{"type":"want","frame":128}"#, "hello"),
        (r#"{"type":"hello","version":3,"rate":48000}"#, "version"),
        (r#"{"type":"hello","version":2,"rate":1}"#, "hello"),
        (r#"{"type":"hello","version":2,"rate":1e9}"#, "hello"),
    ] {
        let mut socket = server.connect().await;
        say(&mut socket, message).await;
        assert!(reply(&mut socket, "error").await.is_some_and(|error| error["code"] == code), "{message}");
    }
}

#[tokio::test]
async fn foreign_origins_and_hosts_are_turned_away() {
    let server = Running::start(8).await;
    let port = server.port;
    for origin in ["http://example.org", "null", "", "https://127.0.0.1:1", "http://127.0.0.1", "file://"] {
        let refused = server.connect_from(origin).await;
        assert!(matches!(&refused, Err(tungstenite::Error::Http(answer)) if answer.status() == 403), "{origin}");
    }
    assert!(server.connect_from(&format!("http://localhost:{port}")).await.is_ok());
    for host in ["example.org", &format!("example.org:{port}"), "127.0.0.1", "127.0.0.1:1"] {
        assert!(server.get("/", host, "").await.starts_with("HTTP/1.1 403"), "{host}");
    }
    let own = format!("127.0.0.1:{port}");
    assert!(server.get("/", &own, "").await.starts_with("HTTP/1.1 200"));
    assert!(server.get("/", &own, "Origin: http://example.org\r\n").await.starts_with("HTTP/1.1 403"));
    assert!(server.get("/", &own, "Host: example.org\r\n").await.starts_with("HTTP/1.1 4"));
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/..%2fCargo.toml", "/scenes", "//etc/passwd"] {
        assert!(server.get(path, &own, "").await.starts_with("HTTP/1.1 404"), "{path}");
    }
}

#[tokio::test]
async fn of_fifty_connections_at_once_as_many_as_allowed_play() {
    let server = Running::start(8).await;
    let mut sockets = Vec::new();
    for _ in 0..50 {
        let mut socket = server.connect().await;
        hello(&mut socket, "hammered-string").await;
        sockets.push(socket);
    }
    let mut playing = Vec::new();
    let mut turned_away = 0;
    for mut socket in sockets {
        match socket.next().await {
            Some(Ok(Message::Text(text))) if text.contains("too-many") => turned_away += 1,
            Some(Ok(Message::Text(text))) if text.contains("welcome") => playing.push(socket),
            other => panic!("neither welcome nor turned away: {other:?}"),
        }
    }
    assert_eq!((playing.len(), turned_away), (8, 42));
    for socket in &mut playing {
        reply(socket, "instrument").await.expect("plays");
        assert_eq!(stream(socket, 1024).await, 1024);
    }
}

#[tokio::test]
async fn a_page_that_dies_in_the_middle_of_the_stream_leaves_its_place_to_another() {
    let server = Running::start(1).await;
    for _ in 0..5 {
        let mut socket = server.connect().await;
        hello(&mut socket, "hammered-string").await;
        reply(&mut socket, "instrument").await.expect("its place was free");
        say(&mut socket, r#"{"type":"want","frame":20000}"#).await;
        let _ = socket.next().await;
        // Gone without a goodbye.
        drop(socket);
        let freed = Instant::now();
        while freed.elapsed() < Duration::from_secs(3) {
            tokio::time::sleep(Duration::from_millis(120)).await;
            let mut next = server.connect().await;
            hello(&mut next, "hammered-string").await;
            if let Some(Ok(Message::Text(text))) = next.next().await
                && text.contains("welcome")
            {
                break;
            }
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}

#[tokio::test]
async fn a_page_that_takes_nothing_holds_up_nobody() {
    let server = Running::start(2).await;
    let mut stalled = server.connect().await;
    hello(&mut stalled, "hammered-string").await;
    reply(&mut stalled, "instrument").await.expect("plays");
    let mut other = server.connect().await;
    hello(&mut other, "hammered-string").await;
    reply(&mut other, "instrument").await.expect("plays");
    // It asks for more and more and reads none of it.
    for second in 1..40 {
        say(&mut stalled, &format!(r#"{{"type":"want","frame":{}}}"#, 24_000 * second)).await;
    }
    let begun = Instant::now();
    assert_eq!(stream(&mut other, 20_480).await, 20_480);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_flood_of_messages_ends_the_connection_and_the_reason_arrives() {
    let server = Running::start(2).await;
    let mut socket = server.connect().await;
    hello(&mut socket, "hammered-string").await;
    for _ in 0..20_000 {
        if socket.feed(Message::text(r#"{"type":"ping","id":1}"#)).await.is_err() {
            break;
        }
    }
    let _ = socket.flush().await;
    let error = reply(&mut socket, "error").await.expect("the reason arrives");
    assert_eq!(error["code"], "too-fast");
    assert!(matches!(socket.next().await, Some(Ok(Message::Close(Some(frame)))) if u16::from(frame.code) == 1008));
}

#[tokio::test]
async fn stopping_tells_every_page_and_ends_soon() {
    let mut server = Running::start(4).await;
    let mut socket = server.connect().await;
    hello(&mut socket, "hammered-string").await;
    reply(&mut socket, "instrument").await.expect("plays");
    let begun = Instant::now();
    server.stop.take().map(|stop| stop.send(()));
    assert!(reply(&mut socket, "error").await.is_some_and(|error| error["code"] == "stopping"));
    assert!(server.ended.await.is_ok_and(|served| served.is_ok()));
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_scene_is_read_anew_when_its_file_is_saved_and_its_errors_have_line_and_column() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/hammered-string.toml"));
    let text = text.expect("the scene is there");
    std::fs::write(&file, &text).expect("is written");
    let server = Running::serve(2, Gallery::folder(folder.path()).expect("a folder").with_file(&file)).await;
    let mut socket = server.connect().await;
    say(&mut socket, r#"{"type":"hello","version":2,"rate":44100}"#).await;
    assert!(reply(&mut socket, "instrument").await.is_some_and(|one| one["scene"] == "mine" && one["rate"] == 44100.0));
    std::fs::write(&file, format!("{text}\n[objects.oops]\nkind = \"sting\"\n")).expect("is written");
    let problems = reply(&mut socket, "problems").await.expect("the error is told");
    let problem = &problems["problems"][0];
    assert_eq!(problem["line"], text.lines().count() + 3, "{problem}");
    assert!(problem["column"].as_u64().is_some_and(|column| column >= 1));
    std::fs::write(&file, text.replacen("title = \"", "title = \"My ", 1)).expect("is written");
    let mended = reply(&mut socket, "instrument").await.expect("is read anew");
    assert!(mended["title"].as_str().is_some_and(|title| title.starts_with("My ")));
}
