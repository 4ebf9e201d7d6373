//! The other end of the page's protocol: what a server does for one page, in one thread and without waiting.

use std::collections::VecDeque;

use ictus_page::protocol::{End, MOST_BYTES, Problem, Reply, Request, SceneEntry, Session, VERSION, greeted, parse};
use ictus_page::{Built, Playing, build};
use ictus_scene::Source;

use crate::shelf::Shelf;

/// An engine that plays for the page it is in.
#[derive(Default)]
pub struct Host {
    shelf: Shelf,
    /// What plays, once the page has said hello.
    playing: Option<Playing>,
    rate: f64,
    /// Number of the instrument that was asked for last.
    generation: u16,
    replies: VecDeque<String>,
    /// The conversation has ended; the page was told why.
    has_ended: bool,
}

impl Host {
    /// Takes the list of scenes, in JSON. One that cannot be read ends the conversation.
    pub fn shelve(&mut self, json: &str) {
        match Shelf::read(json) {
            Ok(shelf) => self.shelf = shelf,
            Err(message) => self.end(End::new("malformed", message)),
        }
    }

    /// Hears a message of the page. A mistake ends the conversation, as it does with a server.
    pub fn hear(&mut self, message: &[u8]) {
        if self.has_ended {
            return;
        }
        if let Err(end) = self.obey(message) {
            self.end(end);
        }
    }

    fn end(&mut self, end: End) {
        (self.has_ended, self.playing) = (true, None);
        self.tell(&end.told());
    }

    fn tell(&mut self, reply: &Reply) {
        self.replies.push_back(reply.text());
    }

    fn obey(&mut self, message: &[u8]) -> Result<(), End> {
        if message.len() > MOST_BYTES {
            return Err(End::oversized());
        }
        let malformed = |error: String| End::new("malformed", error);
        let text = std::str::from_utf8(message).map_err(|_| malformed("a message is text in UTF-8".into()))?;
        let request = parse(text).map_err(malformed)?;
        let Some(playing) = self.playing.as_mut() else { return self.greet(request) };
        match request {
            Request::Session(Session::Hello { .. }) => return Err(End::new("hello", "hello was said before")),
            Request::Session(Session::Choose { scene }) => self.open(&scene),
            // Audio is made as it is played.
            Request::Session(Session::Want { .. }) => {}
            Request::Session(Session::Ping { id }) => playing.mark(id),
            Request::Play(gesture) => {
                if let Some(refused) = playing.play(&gesture) {
                    self.tell(&refused);
                }
            }
        }
        Ok(())
    }

    fn greet(&mut self, first: Request) -> Result<(), End> {
        let (rate, scene) = greeted(first)?;
        (self.rate, self.playing) = (rate, Some(Playing::new(rate)));
        let scenes: Vec<SceneEntry> = self.shelf.entries();
        self.tell(&Reply::Welcome { version: VERSION, program: env!("CARGO_PKG_VERSION"), scenes });
        let scene = scene.unwrap_or_else(|| self.shelf.first().to_owned());
        self.open(&scene);
        Ok(())
    }

    fn open(&mut self, name: &str) {
        self.generation = self.generation.wrapping_add(1);
        let outcome = match self.shelf.text(name) {
            Some(text) => build(name, &Source::new(format!("{name}.toml"), text), self.rate),
            None => Err(vec![Problem::plain(format!("there is no scene called {name:?}"))]),
        };
        let Built { stage, told } = Built::new(name, self.generation, outcome);
        self.tell(&told);
        if let (Some(stage), Some(playing)) = (stage, self.playing.as_mut()) {
            playing.take_up(stage, self.generation);
        }
    }

    /// The next reply for the page, in JSON.
    pub fn next_reply(&mut self) -> Option<String> {
        self.replies.pop_front()
    }

    /// What plays, once the page has said hello and until the conversation ends.
    pub fn playing(&mut self) -> Option<&mut Playing> {
        self.playing.as_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = include_str!("../../../scenes/hammered-string.toml");

    fn host() -> Host {
        let mut host = Host::default();
        let list =
            serde_json::json!([{ "name": "hammered-string", "text": SCENE }, { "name": "odd", "text": "kind = 3" }]);
        host.shelve(&list.to_string());
        host
    }

    fn replies(host: &mut Host) -> Vec<String> {
        let replies = std::iter::from_fn(|| host.next_reply()).map(|text| {
            let reply: serde_json::Value = serde_json::from_str(&text).expect("replies are JSON");
            reply["type"].as_str().expect("every reply has a type").to_owned()
        });
        replies.collect()
    }

    const HELLO: &[u8] = br#"{"type":"hello","version":2,"rate":48000}"#;

    #[test]
    fn a_page_is_welcomed_plays_and_goes_on_where_a_scene_is_in_error() {
        let mut host = host();
        host.hear(HELLO);
        assert_eq!(replies(&mut host), ["welcome", "instrument"]);
        host.hear(br#"{"type":"choose","scene":"odd"}"#);
        host.hear(br#"{"type":"choose","scene":"nowhere"}"#);
        host.hear(br#"{"type":"turn","control":99,"value":1}"#);
        assert_eq!(replies(&mut host), ["problems", "problems", "refused"]);
        host.hear(br#"{"type":"strike","object":0,"at":[0.3],"velocity":1}"#);
        let playing = host.playing().expect("it plays on");
        let mut peak = 0.0_f32;
        for _ in 0..100 {
            assert!(playing.make_audio());
            let samples = playing.audio()[16..].chunks_exact(4);
            let loudest = samples.map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four bytes")).abs());
            peak = loudest.fold(peak, f32::max);
        }
        assert!(peak > 1e-3, "{peak}");
    }

    #[test]
    fn what_a_server_ends_a_connection_for_ends_this_conversation_too() {
        let long = format!(r#"{{"type":"choose","scene":"{}"}}"#, "a".repeat(MOST_BYTES));
        let cases: [(&[&[u8]], &str); 6] = [
            (&[b"\xff\xfe"], "malformed"),
            (&[b"{}"], "malformed"),
            (&[br#"{"type":"reset"}"#], "hello"),
            (&[br#"{"type":"hello","version":1,"rate":48000}"#], "version"),
            (&[HELLO, HELLO], "hello"),
            (&[HELLO, long.as_bytes()], "oversized"),
        ];
        for (messages, code) in cases {
            let mut host = host();
            messages.iter().for_each(|message| host.hear(message));
            let last = std::iter::from_fn(|| host.next_reply()).last().expect("the page is told");
            let last: serde_json::Value = serde_json::from_str(&last).expect("JSON");
            assert_eq!((last["type"].as_str(), last["code"].as_str()), (Some("error"), Some(code)));
            host.hear(HELLO);
            assert!(host.next_reply().is_none() && host.playing().is_none());
        }
    }

    #[test]
    fn a_list_that_is_none_is_told() {
        let mut host = Host::default();
        host.shelve("<!doctype html>");
        assert_eq!(replies(&mut host), ["error"]);
    }

    #[test]
    fn the_tromba_marina_comes_first_and_else_the_first_by_name() {
        let list = |names: &[&str]| {
            let scenes: Vec<_> = names.iter().map(|name| serde_json::json!({ "name": name, "text": "" })).collect();
            Shelf::read(&serde_json::Value::from(scenes).to_string()).expect("a list")
        };
        assert_eq!(list(&["snare", "tromba-marina", "gong"]).first(), "tromba-marina");
        assert_eq!(list(&["snare", "gong"]).first(), "gong");
        assert_eq!(list(&[]).first(), "");
    }
}
