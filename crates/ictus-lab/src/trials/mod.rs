//! Trials of schemes: impacts with known results, and how far a scheme is off in each.

mod cases;
mod measure;

pub use cases::{Case, HARD_DECADES, hard, reference};
pub use measure::{Errors, Spread, Summary, measure};
