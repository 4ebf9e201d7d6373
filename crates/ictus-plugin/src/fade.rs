//! How what is no longer played goes: so fast that it is not waited for, so slowly that it does not click.

/// Time in s over which it goes.
const TIME: f64 = 0.012;

/// A fade under way.
#[derive(Clone, Copy, Debug)]
pub struct Fade {
    done: u32,
    length: u32,
}

impl Fade {
    /// One that begins, at a rate in Hz.
    pub fn new(rate: f64) -> Self {
        Self { done: 0, length: (TIME * rate).max(1.0) as u32 }
    }

    /// One that has ended.
    pub fn over() -> Self {
        Self { done: 1, length: 1 }
    }

    /// Whether nothing is left.
    pub fn is_over(&self) -> bool {
        self.done >= self.length
    }

    /// The gain of the next frame.
    pub fn step(&mut self) -> f64 {
        let rest = 1.0 - f64::from(self.done) / f64::from(self.length);
        self.done = (self.done + 1).min(self.length);
        rest * rest * (3.0 - 2.0 * rest)
    }
}
