//! The energy account: what is stored, what was dissipated, what was supplied.
//!
//! `stored(n) + dissipated - supplied = stored(0)` holds to rounding for every model, whatever touches what. Sums over millions
//! of samples are compensated, so that the account itself does not drift.

/// A sum that carries what rounding took from it (Neumaier).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    total: f64,
    lost: f64,
}

impl Sum {
    #[inline]
    pub(crate) fn add(&mut self, term: f64) {
        let total = self.total + term;
        self.lost +=
            if self.total.abs() >= term.abs() { (self.total - total) + term } else { (term - total) + self.total };
        self.total = total;
    }

    pub(crate) fn value(&self) -> f64 {
        self.total + self.lost
    }
}

/// The account at one moment, in J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// Energy stored in objects and interactions.
    pub stored: f64,
    /// Energy dissipated since the start.
    pub dissipated: f64,
    /// Work supplied from outside since the start: forces, moving barriers, throws, plucks.
    pub supplied: f64,
    /// Energy stored at the start.
    pub initial: f64,
    /// Largest energy that was ever in the room: initial plus what was supplied.
    pub largest: f64,
}

/// Energy in J that a residual is relative to at least: below it nothing is heard, and rounding of positions is all there is.
pub const LEAST_ENERGY: f64 = 1e-12;

impl Balance {
    /// How far the account is open, relative to the largest energy that was ever in the room, or to [`LEAST_ENERGY`] if that is more. Infinite if an
    /// energy is no number.
    pub fn residual(&self) -> f64 {
        let open = (self.stored + self.dissipated - self.supplied - self.initial).abs();
        if self.is_finite() { open / self.largest.max(LEAST_ENERGY) } else { f64::INFINITY }
    }

    /// Whether all energies are numbers. If not, the model has broken down.
    pub fn is_finite(&self) -> bool {
        let Self { stored, dissipated, supplied, initial, largest } = *self;
        [stored, dissipated, supplied, initial, largest].iter().all(|energy| energy.is_finite())
    }
}

/// The running sums behind a [`Balance`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ledger {
    pub dissipated: Sum,
    pub supplied: Sum,
    /// Work that went in, without what came out again.
    pub brought: f64,
    pub initial: f64,
}

impl Ledger {
    #[inline]
    pub(crate) fn supply(&mut self, work: f64) {
        self.supplied.add(work);
        self.brought += work.max(0.0);
    }

    pub(crate) fn balance(&self, stored: f64) -> Balance {
        Balance {
            stored,
            dissipated: self.dissipated.value(),
            supplied: self.supplied.value(),
            initial: self.initial,
            largest: self.initial + self.brought,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_residual_is_relative_to_the_largest_energy_but_to_a_picojoule_at_least() {
        let balance = Balance { stored: 3.0, initial: 1.0, largest: 4.0, ..Balance::default() };
        assert_eq!(balance.residual(), 0.5);
        let rounding = Balance { stored: 1e-20, largest: 1e-20, ..Balance::default() };
        assert_eq!(rounding.residual(), 1e-8);
        assert_eq!(Balance { stored: 1e-20, ..Balance::default() }.residual(), 1e-8);
    }

    #[test]
    fn an_account_with_an_energy_that_is_no_number_is_not_closed() {
        let balance = Balance { stored: 1.0, initial: 1.0, largest: 1.0, ..Balance::default() };
        assert!(balance.is_finite() && balance.residual() == 0.0);
        for broken in [f64::NAN, f64::INFINITY] {
            for balance in [Balance { stored: broken, ..balance }, Balance { dissipated: broken, ..balance }] {
                assert!(!balance.is_finite() && balance.residual() == f64::INFINITY);
            }
            assert_eq!(Balance { largest: broken, ..balance }.residual(), f64::INFINITY);
        }
    }

    #[test]
    fn a_million_small_terms_beside_a_large_one_are_not_lost() {
        let mut sum = Sum::default();
        sum.add(1e16);
        for _ in 0..1_000_000 {
            sum.add(0.25);
        }
        sum.add(-1e16);
        assert_eq!(sum.value(), 250_000.0);
    }
}
