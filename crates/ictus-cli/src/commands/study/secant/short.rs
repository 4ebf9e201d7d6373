//! Contacts of few samples on extended bodies, against the bodies' exact modes.

use ictus::impact::short::{Blow, Length, ShortContact};
use rayon::prelude::*;

use crate::error::Error;

/// Rate in Hz, and frequency in Hz up to which the modes of the truth go.
pub const RATE: f64 = 48_000.0;
const HIGHEST: f64 = 8.0 * RATE;
/// Phases of the contact's beginning.
pub const PHASES: usize = 8;
/// Lengths in samples.
pub const LENGTHS: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 6.0];

/// One hammer and body: what came of each length, where there is such a contact.
pub struct ShortRow {
    pub name: &'static str,
    pub contacts: Vec<Option<ShortContact>>,
}

/// The standard blows by one kind of length.
pub fn measure(length: fn(f64) -> Length) -> Result<Vec<ShortRow>, Error> {
    let failed = |error: ictus::impact::strike::StrikeError| Error::Compute {
        item: "short contacts",
        reason: error.to_string(),
    };
    let blows = Blow::standard(HIGHEST).map_err(failed)?;
    let row = |blow: &Blow| {
        let contacts = LENGTHS.par_iter().map(|samples| blow.lasting(length(*samples), RATE, PHASES));
        Ok(ShortRow { name: blow.name, contacts: contacts.collect::<Result<_, _>>().map_err(failed)? })
    };
    blows.iter().map(row).collect()
}
