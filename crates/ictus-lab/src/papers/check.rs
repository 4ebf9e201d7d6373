//! A statement beside what was measured: one that a source makes, or one of our own.
//!
//! Three kinds: a number compared digit by digit, a number compared within a tolerance, and a relation that holds or not.
//! What a source prints stands apart from how close we ask ours to be: a bound that only we set is a tolerance.
//! Where ours and the source's are known to differ for a reason, the check says which [`Deviation`] is expected and why; it
//! then counts as a noted difference instead of a failure. It fails when that deviation is gone, or is another one.

use serde::Serialize;

use crate::quantity::significant;

/// Whether a statement was found to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It holds.
    Pass,
    /// It does not, in the way that is expected and for a reason that is told.
    Noted,
    /// It does not, or it holds although a deviation was noted.
    Fail,
}

/// Who makes a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Provenance {
    /// The source.
    Source,
    /// We do: the source does not speak of it.
    Own,
}

/// What stands for a source that states a relation without a number.
const STATED: &str = "so stated";
/// What stands where the source says nothing.
const OWN: &str = "our own";

/// One statement, checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// What is stated.
    pub statement: String,
    /// Who states it.
    pub provenance: Provenance,
    /// The value the source prints, or what it says; `our own` where it says nothing.
    pub printed: String,
    /// What was measured.
    pub measured: String,
    /// How close is close enough.
    pub tolerance: String,
    /// The result.
    pub verdict: Verdict,
    /// Why ours differs, where it does for a known reason.
    pub reason: Option<String>,
}

/// In what way a statement is known not to hold here, and whether it was seen.
pub struct Deviation {
    expected: String,
    seen: bool,
}

impl Deviation {
    /// The measured number lies between two others.
    pub fn between(low: f64, high: f64, measured: f64, unit: &str) -> Self {
        let expected = with_unit(&format!("{} … {}", significant(low, 5), significant(high, 5)), unit);
        Self { expected, seen: (low..=high).contains(&measured) }
    }

    /// Something that is seen or not.
    pub fn that(expected: impl Into<String>, seen: bool) -> Self {
        Self { expected: expected.into(), seen }
    }
}

impl Check {
    /// A number that must round to the printed one: `printed` is the number as printed, `+1.293`.
    pub fn digits(statement: impl Into<String>, printed: &str, measured: f64, unit: &str) -> Self {
        let number = printed.replace('−', "-");
        let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let rounded = format!("{measured:+.decimals$}");
        let same = match (number.parse::<f64>(), rounded.parse::<f64>()) {
            (Ok(printed), Ok(rounded)) => (printed - rounded).abs() < 0.1 * 0.1f64.powi(decimals as i32),
            _ => false,
        };
        let shown = if number.starts_with(['+', '-']) { rounded } else { format!("{measured:.decimals$}") };
        Self::new(statement, with_unit(&number, unit), with_unit(&shown, unit), "printed digit", same)
    }

    /// A number that must lie within a part `tolerance` of the printed one.
    pub fn near(statement: impl Into<String>, printed: f64, measured: f64, tolerance: f64, unit: &str) -> Self {
        let close = (measured - printed).abs() <= tolerance * printed.abs();
        let shown = |value: f64| with_unit(&significant(value, 4), unit);
        let tolerance = format!("within {} %", significant(100.0 * tolerance, 2));
        Self::new(statement, shown(printed), shown(measured), tolerance, close)
    }

    /// A number that must not exceed a bound of ours; where the source prints the bound, [`Check::printed`] says so.
    pub fn at_most(statement: impl Into<String>, bound: f64, measured: f64, unit: &str) -> Self {
        let shown = |value: f64| with_unit(&significant(value, 3), unit);
        Self::new(statement, STATED.to_owned(), shown(measured), format!("≤ {}", shown(bound)), measured <= bound)
    }

    /// Something that is true or not; `measured` tells what was seen.
    pub fn holds(statement: impl Into<String>, measured: impl Into<String>, holds: bool) -> Self {
        Self::new(statement, STATED.to_owned(), measured.into(), "relation", holds)
    }

    /// The same check with what the source says in place of a number.
    pub fn printed(self, printed: impl Into<String>) -> Self {
        Self { printed: printed.into(), ..self }
    }

    /// The same relation of the source, compared with a number that was computed here and that the source does not print.
    pub fn computed(self) -> Self {
        let tolerance = format!("{} of {}", self.tolerance, self.printed);
        Self { printed: STATED.to_owned(), tolerance, ..self }
    }

    /// The same check as our own: the source does not state it.
    pub fn own(self) -> Self {
        let plain = if self.printed == STATED { self } else { self.computed() };
        Self { provenance: Provenance::Own, printed: OWN.to_owned(), ..plain }
    }

    /// The same check of a statement that is known not to hold here: noted while it does not hold and `deviation` is seen,
    /// failed otherwise.
    pub fn noted(self, deviation: Deviation, reason: impl Into<String>) -> Self {
        let Deviation { expected, seen } = deviation;
        let reason = reason.into();
        let (verdict, reason) = match (self.verdict, seen) {
            (Verdict::Fail, true) => (Verdict::Noted, reason),
            (Verdict::Fail, false) => (Verdict::Fail, format!("the deviation is not the one that was noted: {reason}")),
            _ => (Verdict::Fail, format!("the deviation that was noted is no longer there: {reason}")),
        };
        let tolerance = format!("{}; noted: {expected}", self.tolerance);
        Self { verdict, reason: Some(reason), tolerance, ..self }
    }

    fn new(
        statement: impl Into<String>,
        printed: String,
        measured: String,
        tolerance: impl Into<String>,
        holds: bool,
    ) -> Self {
        let verdict = if holds { Verdict::Pass } else { Verdict::Fail };
        Self {
            statement: statement.into(),
            provenance: Provenance::Source,
            printed,
            measured,
            tolerance: tolerance.into(),
            verdict,
            reason: None,
        }
    }
}

/// The largest of some values; not a number if there are none or one of them is no number, so that a check of it fails.
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    let larger = |one: f64, other: f64| if one.is_nan() || other.is_nan() { f64::NAN } else { one.max(other) };
    values.into_iter().reduce(larger).unwrap_or(f64::NAN)
}

fn with_unit(number: &str, unit: &str) -> String {
    if unit.is_empty() { number.to_owned() } else { format!("{number} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_compared_as_printed() {
        let verdict = |printed, measured| Check::digits("", printed, measured, "%").verdict;
        assert_eq!(verdict("+1.293", 1.2934), Verdict::Pass);
        assert_eq!(verdict("+1.293", 1.2936), Verdict::Fail);
        assert_eq!(verdict("−0.125", -0.1251), Verdict::Pass);
        assert_eq!(verdict("-0.125", 0.125), Verdict::Fail);
        assert_eq!(verdict("8", 8.4), Verdict::Pass);
        assert_eq!(verdict("8", f64::NAN), Verdict::Fail);
    }

    #[test]
    fn what_the_source_does_not_say_is_not_put_into_its_mouth() {
        let own = Check::near("", 0.002, 0.002, 0.01, "J").own();
        assert_eq!((own.provenance, own.printed.as_str()), (Provenance::Own, "our own"));
        assert_eq!(own.tolerance, "within 1 % of 0.002 J");
        assert_eq!(Check::holds("", "seen", true).own().tolerance, "relation");
        let bounded = Check::at_most("", 0.5, 0.1, "%");
        assert_eq!((bounded.printed.as_str(), bounded.tolerance.as_str()), ("so stated", "≤ 0.5 %"));
        let computed = Check::near("", 0.002, 0.002, 0.01, "J").computed();
        assert_eq!((computed.provenance, computed.printed.as_str()), (Provenance::Source, "so stated"));
    }

    #[test]
    fn a_noted_statement_fails_when_its_deviation_vanishes() {
        let verdict = |measured: f64| {
            let deviation = Deviation::between(1.05, 1.15, measured, "N");
            Check::near("", 1.0, measured, 0.01, "N").noted(deviation, "the felt is harder")
        };
        let there = verdict(1.1);
        assert_eq!((there.verdict, there.reason.as_deref()), (Verdict::Noted, Some("the felt is harder")));
        assert_eq!(there.tolerance, "within 1 %; noted: 1.05 … 1.15 N");
        // Gone: the statement holds after all.
        let gone = verdict(1.001);
        assert_eq!(gone.verdict, Verdict::Fail);
        assert!(gone.reason.is_some_and(|reason| reason.contains("no longer there: the felt is harder")));
        // Another one: larger than noted, or on the other side, or no number.
        for other in [1.2, 0.9, f64::NAN] {
            let other = verdict(other);
            assert_eq!(other.verdict, Verdict::Fail);
            assert!(other.reason.is_some_and(|reason| reason.contains("not the one that was noted")));
        }
    }

    #[test]
    fn a_noted_relation_fails_when_it_holds() {
        let check = |holds: bool, seen: bool| {
            Check::holds("", "", holds).noted(Deviation::that("one run of three", seen), "a reason").verdict
        };
        assert_eq!(check(false, true), Verdict::Noted);
        for (holds, seen) in [(true, true), (true, false), (false, false)] {
            assert_eq!(check(holds, seen), Verdict::Fail, "{holds} {seen}");
        }
    }

    #[test]
    fn what_is_no_number_or_was_never_measured_does_not_pass() {
        for values in [&[][..], &[1.0, f64::NAN], &[f64::NAN, 1.0]] {
            assert_eq!(
                Check::at_most("", 2.0, largest(values.iter().copied()), "").verdict,
                Verdict::Fail,
                "{values:?}"
            );
        }
        assert_eq!(largest([-2.0, -1.0]), -1.0);
    }
}
