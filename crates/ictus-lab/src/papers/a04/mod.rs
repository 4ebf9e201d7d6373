//! A04: F. Avanzini, D. Rocchesso: Physical modeling of impacts: theory and experiments on contact time and spectral centroid (SMC
//! 2004).
//!
//! The source prints no numbers for its resonator and its hammer in figures 3 to 5; those of [`setting`] were chosen so that
//! what it says of them can be seen.

mod fits;
mod setting;
mod sweeps;
mod transients;
mod wall;

use super::Source;

/// The source and its items.
pub const SOURCE: Source = Source {
    id: "A04",
    title: "F. Avanzini, D. Rocchesso: physical modeling of impacts, contact time and spectral centroid (SMC 2004)",
    items: &[
        wall::FIGURE_1,
        wall::FIGURE_2,
        sweeps::FIGURE_3,
        sweeps::COMPLIANCE,
        transients::FIGURE_4,
        fits::FIGURE_5,
        fits::INVERSE_MAP,
    ],
};
