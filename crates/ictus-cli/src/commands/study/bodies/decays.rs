//! T60 asked and T60 heard, of the first ten modes of two bodies.

use ictus::model::ObjectSpec;
use ictus::objects::{BarPitch, BarSpec, Loss, Outline, Place, PlateEdges, PlateSpec, Section};
use ictus_analysis::{FitRange, partial_decay_time};
use rayon::prelude::*;

use super::sound::{RATE, alone, failed, modes, pushed};
use crate::error::Error;

/// Modes that are heard.
pub const COUNT: usize = 10;
/// How long is listened, in s.
const SECONDS: f64 = 3.0;
/// The decay times asked for: frequencies in Hz and times in s.
pub const ASKED: [(f64, f64); 3] = [(100.0, 3.0), (1000.0, 2.5), (6000.0, 0.6)];

/// One mode.
pub struct Row {
    /// In Hz.
    pub frequency: f64,
    /// In s.
    pub asked: f64,
    /// In s.
    pub heard: f64,
}

/// One body.
pub struct Body {
    pub name: &'static str,
    pub rows: Vec<Row>,
}

/// T60 at a frequency: straight lines on logarithmic axes through the times asked for, flat beyond them.
fn asked(frequency: f64) -> f64 {
    let [first, .., last] = ASKED;
    let between = ASKED.windows(2).find(|pair| (pair[0].0..pair[1].0).contains(&frequency));
    match between {
        Some(pair) => {
            let along = (frequency / pair[0].0).ln() / (pair[1].0 / pair[0].0).ln();
            pair[0].1 * (pair[1].1 / pair[0].1).powf(along)
        }
        None if frequency < first.0 => first.1,
        None => last.1,
    }
}

fn bodies() -> [(&'static str, ObjectSpec, Place, Place); 2] {
    let loss = Loss::t60_at(&ASKED);
    let bar = BarSpec {
        length: 0.6,
        section: Section::Rectangular { width: 0.02, thickness: 2e-4 },
        pitch: BarPitch::Fundamental(110.0),
        loss: loss.clone(),
        ..BarSpec::default()
    };
    let outline = Outline::Rectangle([0.4, 0.27]);
    let plate = PlateSpec { outline, edges: PlateEdges::Clamped, loss, highest: Some(4000.0), ..PlateSpec::default() };
    [
        ("free bar, 110 Hz", bar.into(), Place::Along(0.0), Place::Along(1.0)),
        ("clamped steel plate, 40 by 27 cm, 1 mm", plate.into(), Place::On(0.21, 0.23), Place::On(0.79, 0.21)),
    ]
}

/// Both bodies.
pub fn measure() -> Result<Vec<Body>, Error> {
    let body = |(name, spec, struck, heard): &(&'static str, ObjectSpec, Place, Place)| {
        let found = modes(&alone(spec.clone(), RATE)?);
        let sound = pushed(spec.clone(), &[(*struck, 1.0)], *heard, RATE, SECONDS)?;
        let row = |number: usize| {
            let frequency = found[number].frequency;
            let gap = |other: usize| found.get(other).map_or(f64::INFINITY, |mode| (mode.frequency - frequency).abs());
            let lower = number.checked_sub(1).map_or(f64::INFINITY, gap);
            // Where the whole band is free a window of a fifth of a second is enough.
            let apart = lower.min(gap(number + 1)).min(20.0);
            let heard = partial_decay_time(&sound, RATE, frequency, apart, FitRange::default()).map_err(failed)?;
            let heard = heard.ok_or_else(|| failed(format!("{name}: {frequency} Hz does not fall far enough")))?;
            Ok(Row { frequency, asked: asked(frequency), heard })
        };
        let rows = (0..COUNT.min(found.len())).into_par_iter().map(row).collect::<Result<_, Error>>()?;
        Ok(Body { name, rows })
    };
    bodies().par_iter().map(body).collect()
}

#[cfg(test)]
mod tests {
    use super::asked;

    #[test]
    fn a_time_between_two_frequencies_is_their_geometric_mean() {
        let middle = (100.0_f64 * 1000.0).sqrt();
        assert!((asked(middle) - (3.0_f64 * 2.5).sqrt()).abs() < 1e-12);
        assert_eq!((asked(20.0), asked(100.0), asked(9000.0)), (3.0, 3.0, 0.6));
    }
}
