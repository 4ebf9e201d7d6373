//! The numbers of a law, by their place in [`LawInfo::parameters`]: how a parameter is read and changed while a law is at work.

use super::{
    BowFriction, CentreLimited, HuntCrossley, Law, LawError, LawInfo, LinearCubicSpring, OddPower, OneSidedPower,
};

/// Most parameters a law has.
const MOST: usize = 3;

impl Law {
    /// The law of a name with its numbers, in SI units, in the order of [`LawInfo::parameters`]; `None` for a name that is no law with a
    /// potential, or another number of numbers.
    ///
    /// # Errors
    /// A number is outside its range.
    pub fn of(name: &str, values: &[f64]) -> Option<Result<Law, LawError>> {
        Some(match (name, values) {
            ("one-sided-power", &[stiffness, exponent, threshold]) => {
                OneSidedPower::new(stiffness, exponent, threshold).map(Law::from)
            }
            ("odd-power", &[stiffness, exponent]) => OddPower::new(stiffness, exponent).map(Law::from),
            ("centre-limited", &[stiffness, exponent, half_width]) => {
                CentreLimited::new(stiffness, exponent, half_width).map(Law::from)
            }
            ("linear-cubic-spring", &[linear, cubic]) => LinearCubicSpring::new(linear, cubic).map(Law::from),
            ("hunt-crossley", &[stiffness, exponent, dissipation]) => {
                HuntCrossley::new(stiffness, exponent, dissipation).map(Law::from)
            }
            ("bow-friction", &[normal_force, sharpness, sliding]) => {
                BowFriction::new(normal_force, sharpness).and_then(|law| law.with_sliding(sliding)).map(Law::from)
            }
            _ => return None,
        })
    }

    /// What it is called, its formula and its parameters.
    pub fn info(&self) -> &'static LawInfo {
        match self {
            Law::OneSidedPower(_) => &OneSidedPower::INFO,
            Law::OddPower(_) => &OddPower::INFO,
            Law::CentreLimited(_) => &CentreLimited::INFO,
            Law::LinearCubicSpring(_) => &LinearCubicSpring::INFO,
            Law::HuntCrossley(_) => &HuntCrossley::INFO,
            Law::BowFriction(_) => &BowFriction::INFO,
        }
    }

    /// Its numbers, in SI units, in the order of [`LawInfo::parameters`].
    pub fn parameters(&self) -> impl Iterator<Item = f64> + use<> {
        self.values().into_iter().take(self.info().parameters.len())
    }

    /// One of its numbers, by its place in [`LawInfo::parameters`].
    pub fn parameter(&self, index: usize) -> Option<f64> {
        self.parameters().nth(index)
    }

    /// The same law with one of its numbers changed.
    pub fn with_parameter(&self, index: usize, value: f64) -> Result<Law, LawError> {
        let info = self.info();
        if index >= info.parameters.len() {
            return Err(LawError::NoSuchParameter { law: info.title, index, count: info.parameters.len() });
        }
        let mut values = self.values();
        values[index] = value;
        let [first, second, third] = values;
        Ok(match self {
            Law::OneSidedPower(_) => OneSidedPower::new(first, second, third)?.into(),
            Law::OddPower(_) => OddPower::new(first, second)?.into(),
            Law::CentreLimited(_) => CentreLimited::new(first, second, third)?.into(),
            Law::LinearCubicSpring(_) => LinearCubicSpring::new(first, second)?.into(),
            Law::HuntCrossley(_) => HuntCrossley::new(first, second, third)?.into(),
            Law::BowFriction(_) => BowFriction::new(first, second)?.with_sliding(third)?.into(),
        })
    }

    /// Its numbers, and zeros for those it does not have.
    fn values(&self) -> [f64; MOST] {
        match self {
            Law::OneSidedPower(law) => [law.stiffness_coefficient(), law.exponent(), law.threshold()],
            Law::OddPower(law) => [law.stiffness_coefficient(), law.exponent(), 0.0],
            Law::CentreLimited(law) => [law.stiffness_coefficient(), law.exponent(), law.half_width()],
            Law::LinearCubicSpring(law) => [law.linear_coefficient(), law.cubic_coefficient(), 0.0],
            Law::HuntCrossley(law) => [law.stiffness_coefficient(), law.exponent(), law.dissipation()],
            Law::BowFriction(law) => [law.normal_force(), law.sharpness(), law.sliding()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of every kind, no two numbers the same.
    fn every_law() -> Result<[Law; 6], LawError> {
        Ok([
            OneSidedPower::new(1e5, 1.5, 1e-3)?.into(),
            OddPower::new(2e5, 3.0)?.into(),
            CentreLimited::new(3e5, 1.2, 2e-3)?.into(),
            LinearCubicSpring::new(4e5, 5e9)?.into(),
            HuntCrossley::new(6e5, 2.3, 0.1)?.into(),
            BowFriction::new(0.7, 100.0)?.into(),
        ])
    }

    #[test]
    fn every_law_is_made_again_from_its_name_and_numbers() -> Result<(), LawError> {
        for law in every_law()? {
            let values: Vec<f64> = law.parameters().collect();
            assert_eq!(Law::of(law.info().name, &values), Some(Ok(law)));
            assert_eq!(Law::of(law.info().name, &values[1..]), None);
        }
        assert_eq!(Law::of("stulov-felt", &[1.0; 4]), None);
        Ok(())
    }

    #[test]
    fn each_number_can_be_changed_and_the_others_stay() -> Result<(), LawError> {
        for law in every_law()? {
            let before: Vec<f64> = law.parameters().collect();
            assert_eq!(before.len(), law.info().parameters.len());
            for index in 0..before.len() {
                let value = if law.info().parameters[index].allowed.contains(7.0) { 7.0 } else { 0.7 };
                let changed = law.with_parameter(index, value)?;
                let mut expected = before.clone();
                expected[index] = value;
                assert_eq!(changed.parameters().collect::<Vec<_>>(), expected, "{}", law.info().name);
                assert_eq!(changed.with_parameter(index, before[index])?, law);
                assert_eq!(law.parameter(index), Some(before[index]));
            }
        }
        Ok(())
    }

    #[test]
    fn numbers_out_of_range_and_numbers_there_are_not_are_refused() -> Result<(), LawError> {
        for law in every_law()? {
            let count = law.info().parameters.len();
            assert_eq!(law.parameter(count), None);
            let absent = law.with_parameter(count, 1.0);
            assert_eq!(absent, Err(LawError::NoSuchParameter { law: law.info().title, index: count, count }));
            for value in [f64::NAN, f64::INFINITY, -1.0] {
                assert!(law.with_parameter(0, value).is_err());
            }
        }
        Ok(())
    }
}
