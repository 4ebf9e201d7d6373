//! The thread that works for the audio threads of all plugins of a host: it builds scenes that were picked, and drops what is no longer played.
//!
//! It looks at every desk again and again, so that nobody has to wake it: waking a thread is a call of the system, which an audio thread must not make.
//! Rejected: the framework's own background thread. It ends when a task is left behind by a plugin that has gone, and the next plugin that goes then
//! takes the host with it (nice-plug 0.4, `background_thread.rs`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::Mutex;

use crate::desk::Desk;

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(15);

/// The thread, for as long as there is a plugin.
static CREW: Mutex<Weak<Crew>> = Mutex::new(Weak::new());

/// What works for desks as long as somebody holds it.
#[derive(Debug)]
pub struct Crew {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    desks: Mutex<Vec<Weak<Desk>>>,
    is_over: AtomicBool,
}

impl Crew {
    /// Has the crew work for a desk too.
    pub fn for_desk(desk: &Arc<Desk>) -> Arc<Self> {
        let mut known = CREW.lock();
        let crew = known.upgrade().unwrap_or_else(|| Arc::new(Self::new()));
        *known = Arc::downgrade(&crew);
        crew.shared.desks.lock().push(Arc::downgrade(desk));
        crew
    }

    fn new() -> Self {
        let shared = Arc::new(Shared::default());
        let works = shared.clone();
        let thread = std::thread::Builder::new().name("ictus".into()).spawn(move || works.work());
        // Where there is no thread to be had, scenes are still built when the host starts to play.
        Self { shared, thread: thread.ok() }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn work(&self) {
        while !self.is_over.load(Ordering::SeqCst) {
            let desks: Vec<Arc<Desk>> = {
                let mut desks = self.desks.lock();
                desks.retain(|desk| desk.strong_count() > 0);
                desks.iter().filter_map(Weak::upgrade).collect()
            };
            desks.iter().for_each(|desk| desk.work());
            drop(desks);
            std::thread::park_timeout(PAUSE);
        }
    }
}
