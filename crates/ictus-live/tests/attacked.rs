//! One bad page, or one bad file, disturbs no other page.

use std::cell::Cell;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use ictus_live::Gallery;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use crate::listener::Listener;
use crate::process::{is_alone, threads};
use crate::running::{Running, hello, reply, say, stream};

const STRING: &str = include_str!("../../../scenes/hammered-string.toml");

fn folder_of_strings(count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..count {
        let text = STRING.replacen("title = \"", &format!("title = \"{number} "), 1);
        std::fs::write(folder.path().join(format!("s{number}.toml")), text).expect("is written");
    }
    folder
}

/// Attacks while another page listens; at least one of three times it must not drop out. A machine that is busy with other things may take
/// its turn, but hardly three times.
async fn disturbs_nobody(server: &Running, scene: &str, attack: impl AsyncFn()) {
    for _ in 0..3 {
        let listener = Listener::start(server, scene).await;
        let begun = Instant::now();
        attack().await;
        let dropouts = listener.dropouts().await;
        println!("{dropouts} dropouts of the listener in {:?}", begun.elapsed());
        if dropouts == 0 {
            return;
        }
    }
    panic!("the listener drops out every time");
}

#[tokio::test]
async fn among_ten_thousand_scenes_a_hello_is_answered_within_fifty_milliseconds_and_nobody_else_drops_out() {
    let folder = folder_of_strings(10_000);
    let server = Running::serve(8, Gallery::folder(folder.path()).expect("a gallery")).await;
    let greet = async || {
        let mut socket = server.connect().await;
        let begun = Instant::now();
        hello(&mut socket, "s5").await;
        let welcome = socket.next().await.expect("is there").expect("is whole");
        let taken = begun.elapsed();
        socket.close(None).await.expect("closes");
        while let Some(Ok(_)) = socket.next().await {}
        (taken, welcome)
    };
    let (first, welcome) = greet().await;
    let welcome: serde_json::Value = serde_json::from_str(welcome.to_text().expect("text")).expect("JSON");
    assert_eq!(welcome["scenes"].as_array().map(Vec::len), Some(10_000));
    assert!(welcome["scenes"][1]["title"].as_str().is_some_and(|title| title.starts_with("1 ")));
    // Of many hellos the soonest shows what one takes, whatever else the machine does.
    let soonest = Cell::new(Duration::MAX);
    disturbs_nobody(&server, "s77", async || {
        for _ in 0..20 {
            soonest.set(soonest.get().min(greet().await.0));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await;
    println!("10,000 scenes: first hello answered in {first:?}, others in {:?}", soonest.get());
    assert!(soonest.get() <= Duration::from_millis(50), "{soonest:?}");
}

#[tokio::test]
async fn a_scene_that_is_added_is_in_the_list_soon() {
    let folder = folder_of_strings(2);
    let server = Running::serve(4, Gallery::folder(folder.path()).expect("a gallery")).await;
    let listed = async || {
        let mut socket = server.connect().await;
        hello(&mut socket, "s0").await;
        let welcome = reply(&mut socket, "welcome").await.expect("is welcome");
        welcome["scenes"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(listed().await, 2);
    std::fs::write(folder.path().join("new.toml"), STRING).expect("is written");
    let begun = Instant::now();
    while listed().await != 3 {
        assert!(begun.elapsed() < Duration::from_secs(20), "is not listed");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_or_a_link_out_of_the_folder_in_place_of_a_scene_is_not_there() {
    let folder = folder_of_strings(1);
    let pipe = folder.path().join("pipe.toml");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()));
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.toml")).expect("is linked");
    std::os::unix::fs::symlink(folder.path().join("s0.toml"), folder.path().join("link.toml")).expect("is linked");
    std::fs::create_dir(folder.path().join("folder.toml")).expect("is made");
    let server = Running::serve(2, Gallery::folder(folder.path()).expect("a gallery")).await;
    let mut socket = server.connect().await;
    hello(&mut socket, "pipe").await;
    let welcome = reply(&mut socket, "welcome").await.expect("is welcome");
    let names: Vec<&str> =
        welcome["scenes"].as_array().expect("a list").iter().filter_map(|scene| scene["name"].as_str()).collect();
    assert_eq!(names, ["link", "s0"]);
    assert!(reply(&mut socket, "problems").await.is_some());
    for name in ["zero", "folder", "pipe"] {
        say(&mut socket, &format!(r#"{{"type":"choose","scene":"{name}"}}"#)).await;
        let problems = reply(&mut socket, "problems").await.expect("is told");
        assert_eq!(problems["scene"], name);
    }
    say(&mut socket, r#"{"type":"choose","scene":"link"}"#).await;
    reply(&mut socket, "instrument").await.expect("plays");
    assert_eq!(stream(&mut socket, 1024).await, 1024);
}

/// Wishes for five thousand scenes, three thousand of them at once; how many threads there were at most.
async fn wish_for_many(server: &Running) -> usize {
    let mut socket = server.connect().await;
    hello(&mut socket, "hammered-string").await;
    reply(&mut socket, "instrument").await.expect("plays");
    let (mut most, begun) = (0, Instant::now());
    for number in 0..5000 {
        let scene = ["bronze-plate", "piano", "no-such-scene", "hammered-string"][number % 4];
        say(&mut socket, &format!(r#"{{"type":"choose","scene":"{scene}"}}"#)).await;
        most = most.max(threads());
        let due = Duration::from_millis(number.saturating_sub(3000) as u64);
        while begun.elapsed() < due {
            let _ = tokio::time::timeout(Duration::from_millis(1), socket.next()).await;
        }
    }
    say(&mut socket, r#"{"type":"choose","scene":"tromba-marina"}"#).await;
    let deadline = Instant::now() + Duration::from_secs(60);
    while reply(&mut socket, "instrument").await.is_none_or(|instrument| instrument["scene"] != "tromba-marina") {
        assert!(Instant::now() < deadline, "the newest wish is not played");
    }
    most
}

#[test]
fn of_five_thousand_wishes_the_newest_is_played_and_nobody_else_drops_out() {
    if !is_alone("attacked::of_five_thousand_wishes_the_newest_is_played_and_nobody_else_drops_out") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let server = Running::start(4).await;
        disturbs_nobody(&server, "hammered-string", async || {
            let before = threads();
            let most = wish_for_many(&server).await;
            // The page's performer, and a thread that reads for each builder.
            assert!(most <= before + 6, "{before} threads became {most}");
        })
        .await;
    });
}

/// Every reset of this scene takes milliseconds, and there is room for four thousand.
#[tokio::test]
async fn a_page_that_leaves_with_much_still_to_be_done_leaves_its_place_at_once() {
    let server = Running::start(1).await;
    let mut socket = server.connect().await;
    hello(&mut socket, "piano").await;
    reply(&mut socket, "instrument").await.expect("plays");
    for _ in 0..4000 {
        socket.feed(Message::text(r#"{"type":"score","play":true}"#)).await.expect("is sent");
    }
    socket.flush().await.expect("is sent");
    // Everything is in the queue once an answer has come to what was said after it.
    let _ = socket.send(Message::Ping(vec![7].into())).await;
    while !matches!(socket.next().await, Some(Ok(Message::Pong(_))) | None) {}
    drop(socket);
    let left = Instant::now();
    loop {
        let mut next = server.connect().await;
        hello(&mut next, "hammered-string").await;
        match next.next().await {
            Some(Ok(Message::Text(text))) if text.contains("welcome") => break,
            _ => assert!(left.elapsed() < Duration::from_secs(2), "the place is still taken"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    println!("place free after {:?}", left.elapsed());
}

#[tokio::test]
async fn half_requests_hold_up_nobody_and_are_ended() {
    let server = Running::start(8).await;
    let mut halves = Vec::new();
    for number in 0..300 {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).await.expect("it listens");
        let half: &[u8] = match number % 3 {
            0 => b"",
            1 => b"GET / HT",
            _ => b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
        };
        stream.write_all(half).await.expect("it reads");
        halves.push(stream);
    }
    let begun = Instant::now();
    let own = format!("127.0.0.1:{}", server.port);
    assert!(server.get("/", &own, "").await.starts_with("HTTP/1.1 200"));
    let mut socket = server.connect().await;
    hello(&mut socket, "hammered-string").await;
    reply(&mut socket, "instrument").await.expect("plays");
    assert_eq!(stream(&mut socket, 1024).await, 1024);
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    // All of them are ended, the last after the time limit.
    for mut half in halves {
        let mut answer = Vec::new();
        let ended = tokio::time::timeout(Duration::from_secs(15), half.read_to_end(&mut answer)).await;
        assert!(ended.is_ok(), "a half request is still open");
    }
}

#[tokio::test]
async fn a_request_with_an_endless_body_is_answered_and_ended() {
    let server = Running::start(8).await;
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).await.expect("it listens");
    let own = format!("127.0.0.1:{}", server.port);
    let head = format!("POST / HTTP/1.1\r\nHost: {own}\r\nContent-Length: 1000000000000\r\n\r\n");
    stream.write_all(head.as_bytes()).await.expect("it reads");
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.expect("it answers");
    assert_eq!(&answer, b"HTTP/1.1 405");
    let begun = Instant::now();
    while tokio::time::timeout(Duration::from_secs(40), stream.write_all(&[0; 4096]))
        .await
        .is_ok_and(|sent| sent.is_ok())
    {
        assert!(begun.elapsed() < Duration::from_secs(40), "is still open");
    }
    assert!(server.get("/", &own, "").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_request_that_comes_byte_by_byte_is_ended() {
    let server = Running::start(8).await;
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).await.expect("it listens");
    let begun = Instant::now();
    while stream.write_all(b"x").await.is_ok() {
        assert!(begun.elapsed() < Duration::from_secs(20), "is still open");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert!(begun.elapsed() > Duration::from_secs(3));
}

#[tokio::test]
async fn a_goodbye_is_answered_and_the_place_is_free_then() {
    let server = Running::start(1).await;
    for _ in 0..3 {
        let mut socket = server.connect().await;
        hello(&mut socket, "hammered-string").await;
        reply(&mut socket, "instrument").await.expect("its place was free");
        let frame = CloseFrame { code: 1000.into(), reason: "".into() };
        socket.close(Some(frame)).await.expect("is sent");
        let mut answered = false;
        while let Some(message) = socket.next().await {
            // An end without an answer is an error here.
            answered |=
                matches!(message.expect("ends in order"), Message::Close(Some(frame)) if u16::from(frame.code) == 1000);
        }
        assert!(answered);
    }
}

/// The library puts messages together frame by frame, and never has one here.
#[tokio::test]
async fn empty_pieces_of_a_message_without_an_end_are_ended_and_nobody_else_drops_out() {
    // Text that goes on, then "goes on, nothing more yet" again and again, masked with zeros.
    let (begin, piece) = ([0x01, 0x81, 0, 0, 0, 0, b'{'], [0x00, 0x80, 0, 0, 0, 0]);
    let server = Running::start(8).await;
    let answered = Cell::new(0);
    disturbs_nobody(&server, "hammered-string", async || {
        for _ in 0..3 {
            let mut stream = server.connect().await;
            hello(&mut stream, "hammered-string").await;
            reply(&mut stream, "instrument").await.expect("plays");
            let below = stream.get_mut();
            let begun = Instant::now();
            let mut sent = below.write_all(&begin).await.is_ok();
            while sent && begun.elapsed() < Duration::from_secs(1) {
                sent = below.write_all(&piece.repeat(5000)).await.is_ok();
            }
            if let Some(error) = reply(&mut stream, "error").await {
                assert_eq!(error["code"], "too-fast");
                answered.set(answered.get() + 1);
            }
        }
    })
    .await;
    assert!(answered.get() >= 3, "{answered:?}");
}

/// Whatever is still on its way when the rule is broken, the page learns which.
#[tokio::test]
async fn the_reason_arrives_while_the_page_goes_on_talking() {
    let server = Running::start(1).await;
    for (bad, code) in [("nonsense".to_owned(), "malformed"), ("x".repeat(3 << 20), "oversized")] {
        for _ in 0..5 {
            let mut socket = server.connect().await;
            hello(&mut socket, "hammered-string").await;
            let _ = socket.feed(Message::text(bad.clone())).await;
            for _ in 0..3000 {
                if socket.feed(Message::text(r#"{"type":"ping","id":1}"#)).await.is_err() {
                    break;
                }
            }
            let _ = socket.flush().await;
            let error = reply(&mut socket, "error").await.expect("the reason arrives");
            assert_eq!(error["code"], code);
        }
    }
}

#[tokio::test]
async fn a_page_that_takes_nothing_is_let_go_after_five_seconds() {
    let server = Running::start(1).await;
    let mut stalled = server.connect().await;
    hello(&mut stalled, "hammered-string").await;
    reply(&mut stalled, "instrument").await.expect("plays");
    // It asks for more and more and reads none of it, until the system's own buffers are full.
    let begun = Instant::now();
    let mut frame = 0u64;
    let freed = loop {
        frame += 24_000;
        let want = format!(r#"{{"type":"want","frame":{frame}}}"#);
        let sent = tokio::time::timeout(Duration::from_millis(50), stalled.send(Message::text(want))).await;
        if sent.is_ok_and(|sent| sent.is_err()) {
            break begun.elapsed();
        }
        assert!(begun.elapsed() < Duration::from_secs(12), "is not let go");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    println!("let go after {freed:?}, the time to fill the system's buffers included");
    let mut next = server.connect().await;
    hello(&mut next, "hammered-string").await;
    assert!(reply(&mut next, "welcome").await.is_some(), "its place is free");
}
