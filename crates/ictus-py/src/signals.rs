//! Work without the interpreter's lock that Ctrl-C can end.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Time between two looks.
const BETWEEN: Duration = Duration::from_millis(50);

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
