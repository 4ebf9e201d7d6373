//! Experiments with ictus, for the program and for other languages: one question, one answer, whoever asks.
//!
//! | question | module |
//! | --- | --- |
//! | what does every scheme make of one impact, beside the exact result? | [`impact`] |
//! | which contact lasts, sounds and rebounds as wanted? | `design` |
//! | what is in a sound: partials, decays, levels, faults? | `measure` |
//! | which instrument made a recorded impact? | `fit` |
//! | do the tables and figures of the literature come out as printed? | `papers` |
//!
//! Questions are asked in the words of the command line: quantities are texts with or without a unit, and a [`Refusal`] names the
//! option, its value, what is allowed and what may have been meant. `figures` draws.
//!
//! Without the feature `pictures`, which is on by default, only [`impact`] is there: a page needs no more.

#[cfg(feature = "pictures")]
pub mod design;
#[cfg(feature = "pictures")]
pub mod figures;
#[cfg(feature = "pictures")]
pub mod fit;
pub mod impact;
#[cfg(feature = "pictures")]
pub mod measure;
pub mod options;
#[cfg(feature = "pictures")]
pub mod papers;
pub mod quantity;
mod refusal;
mod simplify;
#[cfg(feature = "pictures")]
pub mod trials;

pub use refusal::{Refusal, shown};
