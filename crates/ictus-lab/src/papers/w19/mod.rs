//! W19: S. Willemsen: Collisions: non-linearities without the use of iterative solvers (notes, 2019).
//!
//! The notes print no figure of a result: each of their systems is run here as the engine runs it, with its displacements, the energy in
//! every part, and the balance. That their matrices are the engine's step is shown by the library's tests.

mod run;
mod systems;
mod tromba;

use super::Source;

/// The source and its items.
pub const SOURCE: Source = Source {
    id: "W19",
    title: "S. Willemsen: collisions, non-linearities without the use of iterative solvers (notes, 2019)",
    items: &[
        systems::MASS_BARRIER,
        systems::MASS_SPRING_BARRIER,
        systems::TWO_MASS_SPRINGS,
        systems::STRING_STRING,
        systems::MASS_STRING,
        tromba::CONNECTION,
        tromba::DAMPED,
        tromba::COLLISION,
        systems::BRIDGE_BARRIER,
    ],
};
