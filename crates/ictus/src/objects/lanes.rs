//! Eight numbers side by side, and how they are added up: what passes over modes and nodes are made of.
//!
//! Every level of the processor does the same additions and multiplications in the same order: no fused multiply-add, sums
//! in eight lanes that are folded by one fixed tree. So the bits do not depend on the machine.

use fearless_simd::{Simd, f64x8, prelude::*};

/// Numbers in one cache line.
pub(crate) const LANES: usize = 8;

/// Eight numbers, one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub(crate) struct Lanes(pub [f64; LANES]);

/// Numbers padded with zeros to whole lanes.
pub(crate) fn lanes(values: impl ExactSizeIterator<Item = f64>) -> Vec<Lanes> {
    let mut out = vec![Lanes::default(); values.len().div_ceil(LANES)];
    for (index, value) in values.enumerate() {
        out[index / LANES].0[index % LANES] = value;
    }
    out
}

#[inline(always)]
pub(crate) fn load<S: Simd>(simd: S, lanes: &Lanes) -> f64x8<S> {
    f64x8::load_array_ref(simd, &lanes.0)
}

/// The sum of eight lanes, by one fixed tree: halves, quarters, the two that are left.
#[inline(always)]
pub(crate) fn fold<S: Simd>(lanes: f64x8<S>) -> f64 {
    let (low, high) = lanes.split();
    let (low, high) = (low + high).split();
    let [even, odd] = (low + high).to_array();
    even + odd
}
