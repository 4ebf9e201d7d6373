//! The other end of the page's protocol: what a server does for one page, in one thread and without waiting.

use std::collections::VecDeque;

use ictus_page::protocol::{End, MOST_BYTES, Problem, Reply, Request, Session, VERSION, greeted, parse};
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
        let scenes = self.shelf.entries();
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
