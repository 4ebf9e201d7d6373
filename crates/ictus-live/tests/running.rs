//! A running server and pages that talk to it, for the tests of both.

use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use ictus_live::{Gallery, Options, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A running server; it stops when this is dropped.
pub struct Running {
    pub port: u16,
    pub token: Option<String>,
    pub stop: Option<oneshot::Sender<()>>,
    pub ended: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Running {
    pub async fn start(connections: usize) -> Self {
        let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        Self::serve(connections, Gallery::folder(&scenes).expect("the scenes are there")).await
    }

    pub async fn serve(connections: usize, gallery: Gallery) -> Self {
        Self::serve_as(Options { connections, ..Options::default() }, gallery).await
    }

    /// A server that other devices may use too.
    pub async fn in_network() -> Self {
        let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let options = Options { connections: 4, lan: true, ..Options::default() };
        Self::serve_as(options, Gallery::folder(&scenes).expect("the scenes are there")).await
    }

    async fn serve_as(options: Options, gallery: Gallery) -> Self {
        let server = Server::bind(options, gallery).await.expect("a port is free");
        let port = server.address().port();
        let token = server.token().map(str::to_owned);
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        Self { port, token, stop: Some(stop), ended }
    }

    pub async fn connect(&self) -> Socket {
        self.connect_from(&format!("http://127.0.0.1:{}", self.port)).await.expect("the page's own origin is let in")
    }

    pub async fn connect_from(&self, origin: &str) -> Result<Socket, tungstenite::Error> {
        let mut request = format!("ws://127.0.0.1:{}/socket", self.port).into_client_request()?;
        if !origin.is_empty() {
            request.headers_mut().insert("Origin", origin.parse().expect("a header"));
        }
        Ok(connect_async(request).await?.0)
    }

    /// The answer to a plain request, whole.
    pub async fn get(&self, path: &str, host: &str, more: &str) -> String {
        self.get_at("127.0.0.1", path, host, more).await
    }

    /// The same to another address of this machine.
    pub async fn get_at(&self, address: &str, path: &str, host: &str, more: &str) -> String {
        let mut stream = TcpStream::connect((address, self.port)).await.expect("it listens");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n");
        stream.write_all(request.as_bytes()).await.expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("it answers");
        String::from_utf8_lossy(&answer).into_owned()
    }
}

pub async fn say(socket: &mut Socket, text: &str) {
    // A server that has closed meanwhile is what some tests are about.
    let _ = socket.send(Message::text(text.to_owned())).await;
}

pub async fn hello(socket: &mut Socket, scene: &str) {
    say(socket, &format!(r#"{{"type":"hello","version":2,"rate":48000,"scene":"{scene}"}}"#)).await;
}

/// The next reply of a type, whatever else comes before it.
pub async fn reply(socket: &mut Socket, kind: &str) -> Option<serde_json::Value> {
    reply_within(socket, kind, Duration::from_secs(8)).await
}

/// The same, with so much patience.
pub async fn reply_within(socket: &mut Socket, kind: &str, patience: Duration) -> Option<serde_json::Value> {
    let deadline = tokio::time::Instant::now() + patience;
    while let Ok(Some(Ok(message))) = tokio::time::timeout_at(deadline, socket.next()).await {
        if let Message::Text(text) = message {
            let reply: serde_json::Value = serde_json::from_str(&text).expect("replies are JSON");
            if reply["type"] == kind {
                return Some(reply);
            }
        }
    }
    None
}

/// Frames of audio that arrive when so many are wanted.
pub async fn stream(socket: &mut Socket, wanted: u64) -> u64 {
    say(socket, &format!(r#"{{"type":"want","frame":{wanted}}}"#)).await;
    let deadline = tokio::time::Instant::now() + Duration::from_secs(8);
    let mut frames = 0;
    while frames < wanted {
        match tokio::time::timeout_at(deadline, socket.next()).await {
            Ok(Some(Ok(Message::Binary(packet)))) if packet[0] == 1 => {
                frames += u64::from(u16::from_le_bytes([packet[2], packet[3]]));
                let samples =
                    packet[16..].chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
                assert!(samples.into_iter().all(|sample| sample.abs() <= 1.0));
            }
            Ok(Some(Ok(_))) => {}
            _ => break,
        }
    }
    frames
}
