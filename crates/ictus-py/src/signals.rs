//! Work without the interpreter's lock that Ctrl-C can end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::problem::problem;

/// Time between two looks.
const BETWEEN: Duration = Duration::from_millis(50);

/// Room for the calls of a computation in bytes, as much as a program's first thread has.
const STACK: usize = 8 << 20;

/// Looks whether the user wants to stop; for work that has released the interpreter's lock.
pub struct Signals {
    next: Instant,
}

impl Signals {
    /// The first look is due in a while.
    pub fn new() -> Self {
        Self { next: Instant::now() + BETWEEN }
    }

    /// Raises what Ctrl-C raises, if it was pressed. To be called every few milliseconds.
    pub fn look(&mut self) -> PyResult<()> {
        if Instant::now() < self.next {
            return Ok(());
        }
        Python::attach(|py| py.check_signals())?;
        self.next = Instant::now() + BETWEEN;
        Ok(())
    }
}

/// Tells work on another thread that nobody waits for it any more.
#[derive(Clone, Default)]
pub struct Deserted(Arc<AtomicBool>);

impl Deserted {
    /// Whether the work may end.
    pub fn is_so(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Does work that cannot look itself on a thread of its own, while this one looks whether the user wants to stop. After Ctrl-C the work is
/// deserted: it ends when it sees that, or when it is done, and nobody hears of it.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Deserted) -> T + Send + 'static,
) -> PyResult<T> {
    py.detach(|| {
        let (deserted, (sender, receiver)) = (Deserted::default(), mpsc::channel());
        let seen = deserted.clone();
        thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || {
                // Nobody may be listening any more.
                let _ = sender.send(work(&seen));
            })
            .map_err(|error| PyOSError::new_err(format!("no thread could be started: {error}")))?;
        loop {
            match receiver.recv_timeout(BETWEEN) {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(stop) = Python::attach(|py| py.check_signals()) {
                        deserted.0.store(true, Ordering::Relaxed);
                        return Err(stop);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(problem("a fault of the program, please report it: this computation panicked"));
                }
            }
        }
    })
}
