//! Rectangular plates that have been solved, kept for the next one that is the same.

use std::sync::{Arc, Mutex};

use crate::objects::ObjectError;
use crate::objects::modes::{Edge, PlateRectangle, Shapes, Stiffness};

/// Plates that are kept once they are solved: a scene is built when it is read, when it is played and for every voice, and by Ritz's method each
/// would take a fifth of a second.
const KEPT: usize = 8;

/// Most numbers that they take together: 128 MB.
const MOST_KEPT: usize = 1 << 24;

/// What a rectangular plate was solved for: all its numbers, to the bit.
type Solved = ([u64; 9], [[Edge; 2]; 2], Arc<PlateRectangle>);

/// The modes of a rectangular plate, or those of one that was the same.
pub(super) fn rectangle(
    sides: [f64; 2],
    surface_density: f64,
    stiffness: Stiffness,
    edges: [[Edge; 2]; 2],
    highest: f64,
    most: usize,
) -> Result<Arc<PlateRectangle>, ObjectError> {
    static SOLVED: Mutex<Vec<Solved>> = Mutex::new(Vec::new());
    let Stiffness { along, across, coupling, twisting } = stiffness;
    let numbers = [sides[0], sides[1], surface_density, along, across, coupling, twisting, highest, most as f64];
    let key = numbers.map(f64::to_bits);
    if let Ok(solved) = SOLVED.lock()
        && let Some((_, _, plate)) = solved.iter().find(|(numbers, held, _)| *numbers == key && *held == edges)
    {
        return Ok(plate.clone());
    }
    let plate = Arc::new(PlateRectangle::new(sides, surface_density, stiffness, edges, highest, most)?);
    if let Ok(mut solved) = SOLVED.lock() {
        // Shapes take up to a number for every pair of modes.
        let numbers = |plate: &PlateRectangle| plate.modes().len() * plate.modes().len();
        while !solved.is_empty()
            && (solved.len() >= KEPT
                || solved.iter().map(|(_, _, kept)| numbers(kept)).sum::<usize>() + numbers(&plate) > MOST_KEPT)
        {
            solved.remove(0);
        }
        solved.push((key, edges, plate.clone()));
    }
    Ok(plate)
}
