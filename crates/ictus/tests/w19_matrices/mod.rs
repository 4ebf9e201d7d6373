//! W19's own 2×2 and 3×3 systems at the bridge, assembled here from the notes (with PHYSICS section 9's corrections), give the
//! engine's step.
//!
//! Each step starts from the engine's displacements; the notes' unknowns are solved for by elimination and compared with where the
//! engine went. ψ is kept here, by the notes' own update (18), from the start. Masses on springs have exact poles in the engine:
//! that is the notes' scheme with ω0² = 2(1 - cos ω0k)/k², and R = 2 tanh(σk)/k.

mod compared;
mod line;
mod masses_and_strings;
mod tromba;

/// Sample rate in Hz, and the time step in s.
const RATE: f64 = 44_100.0;
const K: f64 = 1.0 / RATE;
