//! The numbers of a law, by their place in [`LawInfo::parameters`]: how a law is made from them, and how one is changed while it is at work.
//!
//! Nothing here takes memory: laws are changed while they sound.

use super::{ContactLaw, Law, LawError, LawInfo};

/// Most parameters a law may have.
pub(super) const MOST: usize = 8;

/// What the list asks of a law besides its physics: the way from its numbers to the law, and back.
pub(super) trait Numbered: ContactLaw + Into<Law> {
    /// One number per parameter, in the order of [`LawInfo::parameters`].
    type Numbers: IntoIterator<Item = f64> + for<'a> TryFrom<&'a [f64]>;

    /// The law with these numbers, in SI units.
    fn from_numbers(numbers: Self::Numbers) -> Result<Self, LawError>
    where
        Self: Sized;

    /// Its numbers, in SI units.
    fn numbers(&self) -> Self::Numbers;
}

/// A law from its numbers; `None` for another number of numbers than it has.
pub(super) fn from_slice<L: Numbered>(numbers: &[f64]) -> Option<Result<Law, LawError>> {
    Some(L::from_numbers(numbers.try_into().ok()?).map(Into::into))
}

/// The numbers of a law, and zeros for those it does not have.
pub(super) fn padded(law: &impl Numbered) -> [f64; MOST] {
    let mut all = [0.0; MOST];
    all.iter_mut().zip(law.numbers()).for_each(|(place, number)| *place = number);
    all
}

/// Every law has room for its numbers and one usual value for each; this is checked when the crate is compiled.
const _: () = {
    let mut place = 0;
    while place < Law::ALL.len() {
        let LawInfo { parameters, usual, .. } = &Law::ALL[place];
        assert!(parameters.len() <= MOST && parameters.len() == usual.len());
        place += 1;
    }
};

impl Law {
    /// Its numbers, in SI units, in the order of [`LawInfo::parameters`].
    pub fn parameters(&self) -> impl Iterator<Item = f64> + use<> {
        self.numbers().into_iter().take(self.info().parameters.len())
    }

    /// One of its numbers, by its place in [`LawInfo::parameters`].
    pub fn parameter(&self, index: usize) -> Option<f64> {
        self.parameters().nth(index)
    }

    /// The same law with one of its numbers changed.
    pub fn with_parameter(&self, index: usize, value: f64) -> Result<Law, LawError> {
        let LawInfo { title, parameters, .. } = self.info();
        if index >= parameters.len() {
            return Err(LawError::NoSuchParameter { law: title, index, count: parameters.len() });
        }
        let mut numbers = self.numbers();
        numbers[index] = value;
        self.with_numbers(&numbers)
    }

    /// The same law with its force multiplied: for contacts spread over a length, and for tools that come and go.
    ///
    /// A factor that leaves no law (0 for a stiffness, infinity) changes nothing.
    pub fn scaled(&self, factor: f64) -> Law {
        let mut numbers = self.numbers();
        for (number, parameter) in numbers.iter_mut().zip(self.info().parameters) {
            if parameter.scales {
                *number *= factor;
            }
        }
        self.with_numbers(&numbers).unwrap_or(*self)
    }

    /// The same kind of law with other numbers.
    fn with_numbers(&self, numbers: &[f64; MOST]) -> Result<Law, LawError> {
        let info = self.info();
        Law::of(info.name, &numbers[..info.parameters.len()]).unwrap_or(Ok(*self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of every kind.
    fn every_law() -> Result<Vec<Law>, LawError> {
        Law::ALL.iter().map(|info| Law::of(info.name, info.usual).unwrap()).collect()
    }

    #[test]
    fn a_scaled_law_pushes_and_resists_in_proportion() -> Result<(), LawError> {
        for law in every_law()? {
            let (scaled, depth) = (law.scaled(3.0), 1e-3);
            let close = |scaled: f64, plain: f64| (scaled - 3.0 * plain).abs() <= 1e-14 * scaled.abs();
            assert!(close(scaled.force(depth), law.force(depth)), "{law:?}");
            assert!(close(scaled.resistance(depth, 0.1), law.resistance(depth, 0.1)), "{law:?}");
            assert!(scaled.force(depth) + scaled.resistance(depth, 0.1) > 0.0, "{law:?}");
            assert_eq!(law.scaled(f64::INFINITY), law);
        }
        Ok(())
    }

    #[test]
    fn every_law_is_made_again_from_its_name_and_numbers() -> Result<(), LawError> {
        for law in every_law()? {
            let values: Vec<f64> = law.parameters().collect();
            assert_eq!(Law::of(law.info().name, &values), Some(Ok(law)));
            assert_eq!(Law::of(law.info().name, &values[1..]), None);
        }
        assert_eq!(Law::of("felt", &[1.0; 4]), None);
        Ok(())
    }

    #[test]
    fn each_number_can_be_changed_and_the_others_stay() -> Result<(), LawError> {
        for law in every_law()? {
            let before: Vec<f64> = law.parameters().collect();
            assert_eq!(before.len(), law.info().parameters.len());
            for index in 0..before.len() {
                let value = [7.0, 0.7].into_iter().find(|value| law.with_parameter(index, *value).is_ok()).unwrap();
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
