//! Experiments with ictus, for the program and for other languages: one question, one answer, whoever asks.
//!
//! | question | module |
//! | --- | --- |
//! | what does every scheme make of one impact, beside the exact result? | [`impact`] |
//! | which contact lasts, sounds and rebounds as wanted? | [`design`] |
//! | do the tables and figures of the literature come out as printed? | [`papers`] |
//!
//! Questions are asked in the words of the command line: quantities are texts with or without a unit, and a [`Refusal`] names the
//! option, its value, what is allowed and what may have been meant. [`figures`] draws.

pub mod design;
pub mod figures;
pub mod impact;
pub mod options;
pub mod papers;
pub mod quantity;
mod refusal;
pub mod trials;

pub use refusal::{Refusal, shown};
