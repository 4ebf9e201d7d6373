//! A page that only listens: whatever others do, it must hear every sample in time.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;

use crate::running::{Running, Socket, hello, reply, say};

/// A page that plays as a browser does, in real time and a quarter of a second ahead, until it is asked how often the sound ran out.
pub struct Listener {
    stop: tokio::sync::oneshot::Sender<()>,
    ended: JoinHandle<u32>,
}

impl Listener {
    const AHEAD: f64 = 0.25;

    /// Opens the page.
    pub async fn start(server: &Running, scene: &str) -> Self {
        let mut socket = server.connect().await;
        hello(&mut socket, scene).await;
        reply(&mut socket, "instrument").await.expect("plays");
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let ended = tokio::spawn(Self::listen(socket, stopped));
        Self { stop, ended }
    }

    async fn listen(mut socket: Socket, mut stopped: tokio::sync::oneshot::Receiver<()>) -> u32 {
        let (mut frames, mut dropouts) = (0.0, 0);
        let mut begun: Option<Instant> = None;
        let mut tick = tokio::time::interval(Duration::from_millis(20));
        loop {
            tokio::select! {
                _ = tick.tick() => {
                    let played = begun.map_or(0.0, |begun| begun.elapsed().as_secs_f64());
                    if played > frames / 48_000.0 {
                        dropouts += 1;
                        // As a browser does, it waits for what comes and plays on from there.
                        begun = Instant::now().checked_sub(Duration::from_secs_f64(frames / 48_000.0));
                    }
                    let wanted = ((played + Self::AHEAD) * 375.0) as u64 * 128;
                    say(&mut socket, &format!(r#"{{"type":"want","frame":{wanted}}}"#)).await;
                }
                message = socket.next() => match message {
                    Some(Ok(Message::Binary(packet))) if packet[0] == 1 => {
                        frames += 128.0;
                        if frames > 0.2 * 48_000.0 {
                            begun.get_or_insert_with(Instant::now);
                        }
                    }
                    Some(Ok(_)) => {}
                    other => panic!("the listener is let go: {other:?}"),
                },
                _ = &mut stopped => return dropouts,
            }
        }
    }

    /// Closes the page: how often the sound ran out.
    pub async fn dropouts(self) -> u32 {
        let _ = self.stop.send(());
        self.ended.await.expect("listens to the end")
    }
}
