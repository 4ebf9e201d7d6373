//! Scenes are read and built by a few threads that all pages share.
//!
//! A page has at most one build under way (connection.rs sees to that), so that builds of one page never keep another waiting while a
//! thread is free. What a page is told of a scene is written here too: a large one takes as long as building a small one.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use ictus_scene::Source;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::gallery::{Gallery, Stamp};
use ictus_page::protocol::{Problem, Reply, Wanted};
use ictus_page::questions::{Answer, answer};
use ictus_page::{Built, Stage};

/// Fewest and most threads: two, so that one slow build does not hold up all others; not more, so that builds leave room for playing.
const THREADS: [usize; 2] = [2, 4];

/// A wish for a scene.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The scene.
    pub wanted: Wanted,
    /// Sample rate in Hz.
    pub rate: f64,
    /// How far the keys are from equal temperament in cents; empty for what the scene says.
    pub cents: Arc<[f64]>,
    /// Number of the instrument on its connection.
    pub generation: u16,
}

/// What became of a wish.
pub struct Outcome {
    /// The instrument; none if there are problems.
    pub stage: Option<Box<Stage>>,
    /// What the page is told: the instrument's description, or the problems.
    pub told: Utf8Bytes,
    /// State of the scene's file before it was read.
    pub stamp: Option<Stamp>,
}

impl Outcome {
    /// What a page is told of a build that ended without a result.
    pub fn failed(scene: String) -> Self {
        let problems = vec![Problem::plain("the scene could not be built".into())];
        Self { stage: None, told: Reply::Problems { scene, problems }.text().into(), stamp: None }
    }
}

/// Work for whoever is free.
enum Job {
    Build(Wish, oneshot::Sender<Outcome>),
    /// A question, and the turn of whoever asks it.
    Answer(String, OwnedSemaphorePermit, oneshot::Sender<String>),
}

/// The threads that build. They end when this is dropped.
pub struct Builders {
    jobs: Sender<Job>,
}

impl Builders {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the system gives none.
    pub fn start(gallery: &Arc<Gallery>) -> io::Result<Self> {
        let (jobs, waiting) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let threads = thread::available_parallelism().map_or(THREADS[0], usize::from).clamp(THREADS[0], THREADS[1]);
        for _ in 0..threads {
            let (gallery, waiting) = (gallery.clone(), waiting.clone());
            thread::Builder::new().name("ictus builder".into()).spawn(move || work(&gallery, &waiting))?;
        }
        Ok(Self { jobs })
    }

    /// Asks for a scene. Who drops what is returned no longer wants it.
    pub fn build(&self, wish: Wish) -> oneshot::Receiver<Outcome> {
        let (done, outcome) = oneshot::channel();
        // Without a thread the job is dropped, and its page is told so.
        let _ = self.jobs.send(Job::Build(wish, done));
        outcome
    }

    /// Asks a question in JSON; the answer is JSON too. The turn ends with the work. Who drops what is returned no longer wants it.
    pub fn ask(&self, question: String, turn: OwnedSemaphorePermit) -> oneshot::Receiver<String> {
        let (done, answer) = oneshot::channel();
        let _ = self.jobs.send(Job::Answer(question, turn, done));
        answer
    }
}

fn work(gallery: &Gallery, waiting: &Mutex<Receiver<Job>>) {
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        // A mistake in one job must not take the thread from all others.
        match job {
            Err(_) => return,
            Ok(Job::Build(wish, done)) if !done.is_closed() => {
                let scene = wish.wanted.scene.clone();
                let outcome = catch_unwind(AssertUnwindSafe(|| build(gallery, wish)));
                let _ = done.send(outcome.unwrap_or_else(|_| Outcome::failed(scene)));
            }
            Ok(Job::Answer(question, _turn, done)) if !done.is_closed() => {
                let failed = |_| Answer::Refused { message: "the question could not be answered".into() };
                let answered = catch_unwind(AssertUnwindSafe(|| answer(&question, gallery))).unwrap_or_else(failed);
                let _ = done.send(answered.text());
            }
            // Nobody wants it any more.
            Ok(_) => {}
        }
    }
}

fn build(gallery: &Gallery, Wish { wanted: Wanted { scene, text }, rate, cents, generation }: Wish) -> Outcome {
    let (stamp, built) = match text {
        Some(text) => {
            let source = Source::new(format!("{scene}.toml"), text);
            (None, ictus_page::build_tuned(&scene, &source, rate, &cents))
        }
        None => (gallery.stamp(&scene), gallery.open_tuned(&scene, rate, &cents)),
    };
    let Built { stage, told } = Built::new(&scene, generation, built);
    Outcome { stage, told: told.text().into(), stamp }
}
