//! How a string, bar, membrane or plate starts if not at rest: a raised cosine of displacement and velocity around a place.

use crate::limits;
use crate::model::Start;
use crate::objects::{AnyBody, ObjectError, Place, checked};

/// Gives an object its start.
pub(crate) fn begin(body: &mut AnyBody, start: &Start) -> Result<(), ObjectError> {
    let half_width =
        checked("half-width of the start", start.half_width, "above 0, at most 1", |x| x > 0.0 && x <= 1.0)?;
    limits::position("displacement of the start", start.displacement)?;
    limits::velocity("velocity of the start", start.velocity)?;
    let raised =
        |distance: f64| if distance < 1.0 { 0.5 + 0.5 * libm::cos(std::f64::consts::PI * distance) } else { 0.0 };
    match (body, start.centre) {
        (AnyBody::Line(line), Place::Along(centre)) => {
            let at = |x: f64| raised((x - centre).abs() / half_width);
            line.displace(|x| start.displacement * at(x))?;
            line.set_velocity(|x| start.velocity * at(x))
        }
        (AnyBody::Modal(modal), centre @ (Place::Along(_) | Place::On(..))) => {
            modal.start(centre, half_width, start.displacement, start.velocity)
        }
        (AnyBody::Sheet(sheet), Place::On(x0, y0)) => {
            let at = |x: f64, y: f64| raised(libm::hypot(x - x0, y - y0) / half_width);
            sheet.displace(|x, y| start.displacement * at(x, y));
            sheet.set_velocity(|x, y| start.velocity * at(x, y));
            Ok(())
        }
        (_, place) => {
            let allowed = "strings and bars start around a place along them, membranes and plates around one on them";
            Err(ObjectError::NoSuchPlace { place, kind: "such an object", allowed })
        }
    }
}
