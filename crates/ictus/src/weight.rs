//! Weight: what gravity does to a body, and whether the body is held against it.
//!
//! Weight is a uniform load, `f = -ρg` per volume. In modes it drives each by `-g ∫ρ φ = -Mg ⟨φ⟩`, exactly, so it is one force of `-Mg` at
//! [`Place::Everywhere`]. A body that nothing holds falls: of its modes only moving as a whole has a mean that is not 0. One that is held
//! sags, and rings if it starts flat. Its work is booked as that of any force from outside.

use crate::model::{Force, Object, Point};
use crate::objects::Place;

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
