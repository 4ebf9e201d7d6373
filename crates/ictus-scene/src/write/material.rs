//! What something is made of: the material that leaves the fewest keys to be said, and its loss.

use ictus::objects::{Loss, LossFactor, MATERIALS, Material, T60At};

use super::WriteError;
use super::bodies::is_of_material;
use super::numbers::quantity;
use super::rows::Rows;
use crate::units::{FREQUENCY, TIME};

/// The rows of a body, of whichever material needs the fewest; without one if that is as good.
pub(crate) fn fewest<'a>(
    empty: &Rows<'a>,
    describe: impl Fn(&mut Rows<'a>, Option<&Material>) -> Result<(), WriteError>,
) -> Result<Rows<'a>, WriteError> {
    let of = |material: Option<&Material>| {
        let mut rows = empty.clone();
        if let Some(material) = material {
            rows.text("material", material.name);
        }
        describe(&mut rows, material).map(|()| rows)
    };
    let plain = of(None);
    let made = MATERIALS.iter().filter_map(|material| of(Some(material)).ok()).min_by_key(Rows::count);
    match (plain, made) {
        (Ok(plain), Some(made)) => Ok(if made.count() < plain.count() { made } else { plain }),
        (Err(_), Some(made)) => Ok(made),
        (plain, None) => plain,
    }
}

/// A loss, if it is not `made`, that which holds without any of its keys; `usual` is where rates that are not given come from.
pub(crate) fn loss(rows: &mut Rows<'_>, loss: &Loss, usual: &Loss, made: &Loss) -> Result<(), WriteError> {
    if loss == made {
        return Ok(());
    }
    match (loss, usual) {
        (Loss::None, _) => rows.raw("lossless", "true".into()),
        (Loss::Sigma { sigma0, sigma1 }, Loss::Sigma { sigma0: usual0, sigma1: usual1 }) => {
            // One of them must stand, or it would be the loss of the material.
            let unless = if is_of_material(made) { f64::NAN } else { *usual0 };
            rows.number_unless("sigma0", *sigma0, unless)?;
            rows.number_unless("sigma1", *sigma1, *usual1)?;
        }
        (Loss::T60(times), _) => match times[..] {
            [T60At { frequency: 1000.0, seconds }] => rows.number("t60", seconds)?,
            _ => {
                let is_number = |at: &T60At| at.frequency.is_finite() && at.seconds.is_finite();
                if !times.iter().all(is_number) {
                    return Err(rows.unsayable("decay times that are not numbers"));
                }
                let pair =
                    |at: &T60At| format!("[{}, {}]", quantity(at.frequency, &FREQUENCY), quantity(at.seconds, &TIME));
                rows.raw("t60", format!("[{}]", times.iter().map(pair).collect::<Vec<_>>().join(", ")));
            }
        },
        (Loss::Material(LossFactor { at_1_khz, exponent }), _) => {
            if exponent.to_bits() == 0 {
                rows.number("loss_factor", *at_1_khz)?;
            } else if at_1_khz.is_finite() && exponent.is_finite() {
                rows.raw("loss_factor", format!("[{at_1_khz}, {exponent}]"));
            } else {
                return Err(rows.unsayable("a loss factor that is not a number"));
            }
        }
        _ => return Err(rows.unsayable("a loss of this kind")),
    }
    Ok(())
}
