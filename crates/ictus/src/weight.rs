//! Weight: what gravity does to a body, and whether the body is held against it.
//!
//! Weight is a uniform load, `f = -ρg` per volume. In modes it drives each by `-g ∫ρ φ = -Mg ⟨φ⟩`, exactly, so it is one force of `-Mg` at
//! [`Place::Everywhere`]. A body that nothing holds falls: of its modes only moving as a whole has a mean that is not 0. One that is held
//! sags, and rings if it starts flat. Its work is booked as that of any force from outside.

use crate::model::{Force, Object, ObjectSpec, Point};
use crate::objects::{End, ModalSpec, Outline, Place, PlateEdges};

/// Acceleration of free fall in m/s².
pub const GRAVITY: f64 = 9.81;

impl Force {
    /// The weight of an object, downwards; `None` for what has none: a barrier, and a modal object whose modes do not tell.
    #[must_use]
    pub fn weight(name: &str, object: &Object) -> Option<Self> {
        let level = -GRAVITY * object.spec.mass()?;
        Some(Self { name: name.into(), at: Point::on(&object.name, Place::Everywhere), level, signal: None })
    }
}

impl ObjectSpec {
    /// Mass in kg of the whole body. `None` for a barrier, for a modal object that has no mode which [moves it as a whole](ModalSpec::whole), and
    /// where a number is out of range.
    #[must_use]
    pub fn mass(&self) -> Option<f64> {
        let mass = match self {
            Self::Mass(mass) => mass.mass,
            Self::Modal(modal) => mass_of(modal)?,
            Self::String(string) => string.line().map(|line| line.linear_density * line.length).ok()?,
            Self::Bar(bar) => bar.line().map(|line| line.linear_density * line.length).ok()?,
            Self::Membrane(membrane) => membrane.mass_per_area() * membrane.outline.area(),
            Self::Plate(plate) => plate.density * plate.thickness * plate.outline.area(),
            Self::Barrier(_) => return None,
        };
        Some(mass).filter(|mass| mass.is_finite())
    }

    /// Whether it holds itself against a load: it has a spring to the ground, or ends or edges that are held so that it can neither move nor
    /// turn as a whole.
    #[must_use]
    pub fn is_held(&self) -> bool {
        match self {
            Self::Mass(mass) => mass.frequency > 0.0,
            Self::Modal(modal) => modal.whole().is_none(),
            // Tension keeps a string from turning about one support.
            Self::String(string) => string.ends != [End::Free; 2],
            Self::Bar(bar) => !turns(bar.ends),
            Self::Plate(plate) => match (plate.edges, plate.outline) {
                (PlateEdges::Free, _) => false,
                // About one edge that is only supported a plate can turn, the other three being free.
                (PlateEdges::Each([across, down]), Outline::Rectangle(_)) => {
                    let free = |ends: [End; 2]| ends == [End::Free; 2];
                    !(free(across) && turns(down) || free(down) && turns(across))
                }
                _ => true,
            },
            Self::Membrane(_) | Self::Barrier(_) => true,
        }
    }
}

/// Whether a line that is stiff can move or turn between such ends.
fn turns(ends: [End; 2]) -> bool {
    matches!(ends, [End::Free, End::Free] | [End::Free, End::SimplySupported] | [End::SimplySupported, End::Free])
}

/// Mass of a modal object that one mode moves as a whole: of weight w everywhere, ½ m q̇² = ½ M (w q̇)².
fn mass_of(modal: &ModalSpec) -> Option<f64> {
    let whole = modal.whole()?;
    let weight = modal.points.first()?.get(whole)?;
    Some(modal.modes[whole].mass / (weight * weight))
}
