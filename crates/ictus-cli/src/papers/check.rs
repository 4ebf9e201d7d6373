//! A statement beside what was measured: one that a source makes, or one of our own.
//!
//! Three kinds: a number compared digit by digit, a number compared within a tolerance, and a relation that holds or not.
//! What a source prints stands apart from how close we ask ours to be: a bound that only we set is a tolerance.
//! Where ours and the source's are known to differ for a reason, the reason is told and the check counts as a noted
//! difference instead of a failure.

use serde::Serialize;

use crate::quantity::significant;

/// Whether a statement was found to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It holds.
    Pass,
    /// It does not, for a reason that is told.
    Noted,
    /// It does not.
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

    /// The same check, noted instead of failed if it does not hold.
    pub fn unless(self, reason: impl Into<String>) -> Self {
        match self.verdict {
            Verdict::Fail => Self { verdict: Verdict::Noted, reason: Some(reason.into()), ..self },
            _ => self,
        }
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
    fn a_known_difference_is_noted_only_where_there_is_one() {
        let same = Check::near("", 1.0, 1.001, 0.01, "").unless("never told");
        assert_eq!((same.verdict, same.reason), (Verdict::Pass, None));
        let other = Check::near("", 1.0, 1.1, 0.01, "").unless("for a reason");
        assert_eq!((other.verdict, other.reason.as_deref()), (Verdict::Noted, Some("for a reason")));
        assert_eq!(Check::at_most("", 1.0, f64::NAN, "").verdict, Verdict::Fail);
    }
}
