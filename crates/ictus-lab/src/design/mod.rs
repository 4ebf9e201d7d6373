//! Which contact makes an impact that lasts, sounds and rebounds as wanted.
//!
//! A [`Question`] is checked into a [`Setup`]; [`struck::solve`] or [`wall::answer`] finds the contact by the analysis library and tries it with the
//! engine.

mod document;
mod setup;
pub mod struck;
mod unreachable;
pub mod verdict;
pub mod wall;

pub use document::Document;
pub use setup::{Setup, Struck, Wall, refused};
pub use struck::{Answer, FINER};

/// A design as it is asked for: quantities as texts, with a unit or in SI units.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Time from the first touch to the first release in s, above 0.
    pub contact_time: Option<&'a str>,
    /// Average spectral centroid in Hz, above 0.
    pub centroid: Option<&'a str>,
    /// Coefficient of restitution, above 0.
    pub restitution: Option<&'a str>,
    /// Mass of the hammer in kg; if it is solved for, the value the search starts from.
    pub mass: &'a str,
    /// Exponent α of the contact, 1 to 5; if it is solved for, the value the search starts from.
    pub exponent: &'a str,
    /// Velocity of the hammer in m/s.
    pub velocity: &'a str,
    /// What to solve for besides K and μ when all three targets are given: mass or exponent.
    pub free: &'a str,
    /// Whether a rigid wall is struck instead of the resonator.
    pub wall: bool,
    /// Frequency of the resonator's lowest mode in Hz.
    pub frequency: &'a str,
    /// Quality of the resonator's modes.
    pub quality: &'a str,
    /// Mass of each of the resonator's modes in kg.
    pub resonator_mass: &'a str,
    /// Sample rate in Hz at which the sound is analysed and the design is tried.
    pub rate: &'a str,
}
