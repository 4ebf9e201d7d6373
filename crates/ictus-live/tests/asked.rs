//! Questions to the server, and texts that a page brings along: who may ask, what is answered, what is too much.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use ictus_live::Gallery;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::running::{Running, hello, reply, reply_within, say, stream};

const SCENE: &str = include_str!("../../../scenes/hammered-string.toml");

/// The answer to a request with a body: its status, and what it says.
pub async fn post(port: u16, head: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("it listens");
    let length = body.len();
    let request = format!("POST /ask HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{head}\r\n{body}");
    // A server that refuses does not read on.
    let _ = stream.write_all(request.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, body.to_owned())
}

async fn ask(port: u16, question: &Value) -> Value {
    let head =
        format!("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n");
    let (status, body) = post(port, &head, &question.to_string()).await;
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).expect("JSON")
}

#[tokio::test]
async fn only_the_servers_own_page_may_ask() {
    let server = Running::start(1).await;
    let port = server.port;
    let question = json!({"type": "read", "scene": "gong"}).to_string();
    let [host, origin, json] = [
        format!("Host: 127.0.0.1:{port}\r\n"),
        format!("Origin: http://localhost:{port}\r\n"),
        "Content-Type: application/json\r\n".to_owned(),
    ];
    assert_eq!(post(port, &format!("{host}{origin}{json}"), &question).await.0, 200);
    for head in [
        format!("{host}{json}"),
        format!("{host}{origin}"),
        format!("{host}{origin}Content-Type: text/plain\r\n"),
        format!("{host}Origin: null\r\n{json}"),
        format!("{host}Origin: http://example.org\r\n{json}"),
        format!("Host: example.org:{port}\r\n{origin}{json}"),
    ] {
        assert_eq!(post(port, &head, &question).await.0, 403, "{head}");
    }
}

#[tokio::test]
async fn a_file_is_read_checked_and_saved_and_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let [own, other] = ["own", "other"].map(|name| folder.path().join(format!("{name}.toml")));
    for path in [&own, &other] {
        std::fs::write(path, SCENE).expect("is written");
    }
    let gallery = Gallery::folder(folder.path()).expect("a gallery").with_file(&own);
    let server = Running::serve(1, gallery).await;
    let port = server.port;
    let held = ask(port, &json!({"type": "read", "scene": "own"})).await;
    assert_eq!((held["type"].as_str(), held["text"].as_str()), (Some("text"), Some(SCENE)));
    assert_eq!(held["writable"], true);
    let changed = SCENE.replace("8 g", "9 g");
    let save = |scene: &str| json!({"type": "save", "scene": scene, "text": changed, "version": held["version"]});
    assert_eq!(ask(port, &save("own")).await["type"], "saved");
    assert_eq!(std::fs::read_to_string(&own).expect("is read"), changed);
    assert_eq!(ask(port, &save("own")).await["type"], "conflict", "the version is not the file's any more");
    for scene in ["other", "../own", "no-such", ""] {
        assert_eq!(ask(port, &save(scene)).await["type"], "refused", "{scene}");
    }
    assert_eq!(std::fs::read_to_string(&other).expect("is read"), SCENE);
    let wrong = SCENE.replace("\"string\"", "\"strang\"");
    let checked = ask(port, &json!({"type": "check", "text": wrong, "rate": 48000})).await;
    let line = SCENE.lines().position(|line| line == "kind = \"string\"").expect("is there") + 1;
    assert_eq!(checked["problems"][0]["line"], line);
}

#[tokio::test]
async fn what_is_too_long_or_no_question_is_refused_and_nobody_else_notices() {
    let server = Running::start(2).await;
    let port = server.port;
    let mut socket = server.connect().await;
    hello(&mut socket, "hammered-string").await;
    reply(&mut socket, "instrument").await.expect("plays");
    let long = "#".repeat(300 << 10);
    for question in
        [json!({"type": "check", "text": long, "rate": 48000}), json!({"type": "erase"}), json!([]), json!(7)]
    {
        assert_eq!(ask(port, &question).await["type"], "refused");
    }
    let huge = json!({"type": "check", "text": "#".repeat(5 << 20), "rate": 48000});
    let head =
        format!("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n");
    let (status, body) = post(port, &head, &huge.to_string()).await;
    assert!(status == 0 || body.contains("a question has at most 512 kB"), "{status} {body}");
    assert_eq!(stream(&mut socket, 4096).await, 4096);
}

/// There are two threads or more that build scenes and answer questions. Questions that took them all would be answered before the scene.
#[tokio::test]
async fn questions_never_take_the_last_thread_from_those_who_wait_for_a_scene() {
    let server = Running::start(1).await;
    let port = server.port;
    let mut socket = server.connect().await;
    hello(&mut socket, "mass-barrier").await;
    reply(&mut socket, "instrument").await.expect("plays");
    let answered = AtomicUsize::new(0);
    let long = json!({"type": "impact", "duration": "20", "scheme": ["secant"]});
    let questions = (0..8).map(|_| {
        let (answered, long) = (&answered, &long);
        async move {
            let kind = ask(port, long).await["type"].to_string();
            answered.fetch_add(1, Ordering::Relaxed);
            kind
        }
    });
    let questions = futures_util::future::join_all(questions);
    let scene = async {
        // Once the first is answered, all are there.
        while answered.load(Ordering::Relaxed) == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        say(&mut socket, r#"{"type":"choose","scene":"two-mass-springs"}"#).await;
        reply_within(&mut socket, "instrument", Duration::from_secs(60)).await.expect("is built");
        answered.load(Ordering::Relaxed)
    };
    let (kinds, before) = tokio::join!(questions, scene);
    assert!(kinds.iter().all(|kind| kind == "\"impact\""), "{kinds:?}");
    assert!(before < 6, "{before} of 8 questions were answered before the scene was built");
}

#[tokio::test]
async fn a_text_of_the_pages_own_is_played_under_its_name_and_its_errors_leave_what_plays_alone() {
    let server = Running::start(2).await;
    let mut socket = server.connect().await;
    hello(&mut socket, "gong").await;
    reply(&mut socket, "instrument").await.expect("plays");
    let own = SCENE.replace("\"Hammered string\"", "\"<b>Mine</b>\"");
    say(&mut socket, &json!({"type": "choose", "scene": "mine", "text": own}).to_string()).await;
    let instrument = reply(&mut socket, "instrument").await.expect("is built");
    assert_eq!((instrument["scene"].as_str(), instrument["title"].as_str()), (Some("mine"), Some("<b>Mine</b>")));
    assert_eq!(stream(&mut socket, 4096).await, 4096);
    let wrong = own.replace("kind = \"hammer\"", "kind = \"hamer\"").replace("[output]", "[outptu]");
    say(&mut socket, &json!({"type": "choose", "scene": "mine", "text": wrong}).to_string()).await;
    let problems = reply(&mut socket, "problems").await.expect("is told");
    assert!(problems["problems"].as_array().is_some_and(|problems| problems.len() >= 2), "{problems}");
    say(&mut socket, r#"{"type":"want","frame":8192}"#).await;
    let goes_on = async {
        while let Some(Ok(message)) = socket.next().await {
            if matches!(&message, Message::Binary(packet) if packet[0] == 1) {
                return true;
            }
        }
        false
    };
    assert_eq!(tokio::time::timeout(Duration::from_secs(8), goes_on).await, Ok(true));
    // A text as long as a text may be.
    let long = format!("{own}\n#{}", "x".repeat((256 << 10) - own.len() - 2));
    say(&mut socket, &json!({"type": "choose", "scene": "mine", "text": long}).to_string()).await;
    assert!(reply(&mut socket, "instrument").await.is_some());
    // With a hello too.
    drop(socket);
    let mut socket = server.connect().await;
    let first = json!({"type": "hello", "version": 2, "rate": 48000, "scene": "shared", "text": own});
    say(&mut socket, &first.to_string()).await;
    assert!(reply(&mut socket, "instrument").await.is_some_and(|instrument| instrument["scene"] == "shared"));
}
