//! The other end of the page's protocol: what a server does for one page, in one thread and without waiting.

use std::collections::VecDeque;

use ictus_page::protocol::{End, Problem, Reply, Request, Session, VERSION, Wanted, check_tuning, greeted, heard};
use ictus_page::questions::answer;
use ictus_page::{Built, Playing, build_tuned};
use ictus_scene::Source;

use crate::shelf::Shelf;

/// An engine that plays for the page it is in.
#[derive(Default)]
pub struct Host {
    shelf: Shelf,
    /// What plays, once the page has said hello.
    playing: Option<Playing>,
    rate: f64,
    /// The scene that was built last, and how its keys are tuned.
    played: Option<Wanted>,
    cents: Vec<f64>,
    /// Number of the instrument that was asked for last.
    generation: u16,
    /// What is built as soon as the instrument that plays has faded out: building takes the thread that plays.
    wanted: Option<Wanted>,
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
        let text = std::str::from_utf8(message).map_err(|_| End::new("malformed", "a message is text in UTF-8"))?;
        let request = heard(text)?;
        let Some(playing) = self.playing.as_mut() else { return self.greet(request) };
        match request {
            Request::Session(Session::Hello { .. }) => return Err(End::new("hello", "hello was said before")),
            Request::Session(Session::Choose { scene, text }) => {
                playing.fade_out();
                self.wanted = Some(Wanted { scene, text });
            }
            Request::Session(Session::Tune { cents }) => match check_tuning(&cents) {
                Ok(()) => {
                    self.cents = cents;
                    playing.fade_out();
                    self.wanted = self.wanted.take().or_else(|| self.played.clone());
                }
                Err(message) => self.tell(&Reply::Refused { message }),
            },
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
        let (rate, wanted) = greeted(first)?;
        (self.rate, self.playing) = (rate, Some(Playing::new(rate)));
        let scenes = self.shelf.entries();
        self.tell(&Reply::Welcome { version: VERSION, program: env!("CARGO_PKG_VERSION"), scenes });
        self.open(wanted.unwrap_or_else(|| Wanted { scene: self.shelf.first().to_owned(), text: None }));
        Ok(())
    }

    fn open(&mut self, Wanted { scene, text }: Wanted) {
        self.generation = self.generation.wrapping_add(1);
        self.played = Some(Wanted { scene: scene.clone(), text: text.clone() });
        let outcome = match text.as_deref().or_else(|| self.shelf.text(&scene)) {
            Some(text) => build_tuned(&scene, &Source::new(format!("{scene}.toml"), text), self.rate, &self.cents),
            None => Err(vec![Problem::plain(format!("there is no scene called {scene:?}"))]),
        };
        let Built { stage, told } = Built::new(&scene, self.generation, outcome);
        self.tell(&told);
        match (stage, self.playing.as_mut()) {
            (Some(stage), Some(playing)) => playing.take_up(stage, self.generation),
            (None, Some(playing)) => playing.fade_in(),
            _ => {}
        }
    }

    /// Builds what is wanted now, whatever is heard: a page that is silent makes no audio in which to fade out.
    pub fn settle(&mut self) {
        if let Some(wanted) = self.wanted.take() {
            self.open(wanted);
        }
    }

    /// Makes the next block of audio; `None` if there is nothing to play, or in the block in which a scene was built.
    pub fn audio(&mut self) -> Option<&[u8]> {
        if self.wanted.is_some() && self.playing.as_ref().is_some_and(Playing::has_faded) {
            self.settle();
            return None;
        }
        let playing = self.playing.as_mut()?;
        playing.make_audio().then(|| playing.audio())
    }

    /// Answers a question, in JSON both. Nothing that plays takes notice.
    pub fn ask(&self, question: &[u8]) -> String {
        answer(&String::from_utf8_lossy(question), &self.shelf).text()
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
