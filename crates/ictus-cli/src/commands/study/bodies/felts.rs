//! The table of PHYSICS section 11: a hammer on a string under four felts, by grid and by modes.

use ictus::impact::struck_string::{Difference, FELTS, Felt, Fineness, RATE, Spectrum};
use ictus::objects::Method;
use rayon::prelude::*;

use super::sound::failed;
use crate::error::Error;

/// The columns: heading, method, and rate in parts of 48 kHz.
pub const COLUMNS: [(&str, Method, f64); 4] = [
    ("grid 48 kHz", Method::Grid, 1.0),
    ("grid 384 kHz", Method::Grid, 8.0),
    ("modes 48 kHz", Method::Modes, 1.0),
    ("modes 96 kHz", Method::Modes, 2.0),
];

/// One felt.
pub struct FeltRow {
    pub felt: Felt,
    /// By each column.
    pub found: Vec<Difference>,
    /// The exact modes below 20 kHz alone.
    pub band: Difference,
    /// How far the truth moves when it is made finer.
    pub truth: Difference,
}

/// All felts.
pub fn measure() -> Result<Vec<FeltRow>, Error> {
    let row = |felt: &Felt| {
        let truth = Spectrum::of(&felt.exact(Fineness::FINE));
        let by = |(_, method, times): &(&str, Method, f64)| {
            let heard = felt.by_engine(*method, times * RATE).map_err(failed)?;
            Ok(Spectrum::of(&heard).difference(&truth))
        };
        let found = COLUMNS.par_iter().map(by).collect::<Result<_, Error>>()?;
        let band = Spectrum::of(&felt.exact(Fineness::AUDIBLE)).difference(&truth);
        let truth = truth.difference(&Spectrum::of(&felt.exact(Fineness::FINER)));
        Ok(FeltRow { felt: *felt, found, band, truth })
    };
    FELTS.par_iter().map(row).collect()
}
