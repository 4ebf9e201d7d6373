//! What the bending of a plate stretches: products of the curvatures of its modes, after von Kármán.
//!
//! ```text
//! ρH wtt + D ΔΔw = [w, F],     ΔΔF = -(EH/2) [w, w],     [f, g] = fxx gyy + fyy gxx - 2 fxy gxy
//! ```
//!
//! Airy's function F of the stress in the plane is a sum of its own modes Ψ, `ΔΔΨ = ζ⁴Ψ`, `∫Ψ² = 1`: with `F = -(EH/2) Σ ⟨[w,w], Ψ⟩ Ψ/ζ⁴` the energy `1/(2EH) ∫(ΔF)²` is
//! a sum of squares of quadratic forms of the modes φ (Bilbao, *Numerical Sound Synthesis*, 2009; Thomas and Bilbao 2008; Ducceschi and Touzé 2015),
//!
//! ```text
//! V = ½ Σ_k ψ_k²,   ψ_k = ½ Σ_ij H_kij q_i q_j,   H_kij = √(EH) P_kij,   P_kij = ∫[φ_i, φ_j] Ψ_k / ζ_k²
//! ```
//!
//! in which P is symmetric in i and j, a number per m, and mostly 0.

use std::fmt::Debug;

/// The products P of a plate's modes with its Airy modes.
pub(crate) trait Curvatures: Debug {
    /// How many Airy modes there are.
    fn airy_modes(&self) -> usize;

    /// The modes of the plate, those next to each other that have products with the same others.
    fn order(&self) -> Vec<usize>;

    /// P of an Airy mode and two modes in 1/m; exactly 0 where it must be.
    fn product(&self, airy: usize, one: usize, other: usize) -> f64;
}
