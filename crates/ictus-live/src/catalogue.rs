//! The list of scenes as pages are told it, and watched files, kept by a thread of its own.
//!
//! Pages read what this thread found last; they never wait for a disk. The list is a text that is ready to be sent, so that a hello costs
//! the same whether there are ten scenes or ten thousand.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::gallery::{Gallery, Listed, Stamp};
use ictus_page::protocol::{Reply, SceneEntry, VERSION};

/// Time between two looks at the files of scenes that are played.
const LOOK: Duration = Duration::from_millis(300);

/// Shortest time between two surveys of the list.
const SURVEY: Duration = Duration::from_secs(1);

/// A survey takes at most this part of the thread's time: one of ten thousand files takes a tenth of a second.
const SHARE: u32 = 50;

/// How long the first survey reads titles: a page that comes as soon as the program runs does not wait for ten thousand files.
const AT_FIRST: Duration = Duration::from_millis(15);

/// The list as pages are told it.
#[derive(Debug)]
pub struct Listing {
    /// The answer to a hello.
    pub welcome: Utf8Bytes,
    /// The name of the scene to begin with.
    pub first: String,
}

/// What the thread saw of one scene's file.
#[derive(Debug)]
pub struct Watched {
    scene: String,
    /// None until the thread has looked.
    seen: Mutex<Option<Option<Stamp>>>,
}

impl Watched {
    /// Whether the file is known to be in another state than this.
    pub fn differs_from(&self, stamp: Option<Stamp>) -> bool {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|seen| seen != stamp)
    }
}

/// The list and the watched files of a gallery. The thread ends when this is dropped.
pub struct Catalogue {
    listing: watch::Receiver<Option<Arc<Listing>>>,
    watching: Sender<Weak<Watched>>,
}

impl Catalogue {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(gallery: Arc<Gallery>) -> io::Result<Self> {
        let (watching, asked) = channel();
        let (listed, listing) = watch::channel(None);
        let keeper = Keeper { gallery, asked, listed, known: BTreeMap::new(), watched: Vec::new() };
        thread::Builder::new().name("ictus catalogue".into()).spawn(move || keeper.run())?;
        Ok(Self { listing, watching })
    }

    /// The list as it is known; waits for the first, short survey only.
    pub async fn listing(&self) -> Option<Arc<Listing>> {
        let mut listing = self.listing.clone();
        let listing = listing.wait_for(Option::is_some).await.ok()?;
        listing.clone()
    }

    /// Watches the file of a scene as long as what is returned lives.
    pub fn watch(&self, scene: &str) -> Arc<Watched> {
        let watched = Arc::new(Watched { scene: scene.to_owned(), seen: Mutex::new(None) });
        // Without the thread nothing is watched, and all else goes on.
        let _ = self.watching.send(Arc::downgrade(&watched));
        watched
    }
}

struct Keeper {
    gallery: Arc<Gallery>,
    asked: Receiver<Weak<Watched>>,
    listed: watch::Sender<Option<Arc<Listing>>>,
    known: BTreeMap<String, Listed>,
    watched: Vec<Weak<Watched>>,
}

impl Keeper {
    fn run(mut self) {
        self.survey(Some(Instant::now() + AT_FIRST));
        let mut next_survey = Instant::now();
        loop {
            let now = Instant::now();
            if now >= next_survey && self.gallery.can_change() {
                self.survey(None);
                next_survey = Instant::now() + SURVEY.max(SHARE * now.elapsed());
            }
            self.look();
            let until = Instant::now() + LOOK;
            loop {
                match self.asked.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Ok(watched) => self.watched.push(watched),
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        }
    }

    fn survey(&mut self, until: Option<Instant>) {
        let found = self.gallery.survey(&self.known, until);
        if found == self.known && self.listed.borrow().is_some() {
            return;
        }
        let entry = |(name, listed): (&String, &Listed)| SceneEntry { name: name.clone(), title: listed.title.clone() };
        let scenes = found.iter().map(entry).collect();
        let welcome = Reply::Welcome { version: VERSION, program: env!("CARGO_PKG_VERSION"), scenes };
        let listing = Listing { welcome: welcome.text().into(), first: self.gallery.first_of(found.keys().cloned()) };
        self.known = found;
        self.listed.send_replace(Some(Arc::new(listing)));
    }

    fn look(&mut self) {
        self.watched.retain(|watched| {
            let Some(watched) = watched.upgrade() else { return false };
            let stamp = self.gallery.stamp(&watched.scene);
            *watched.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(stamp);
            true
        });
    }
}
