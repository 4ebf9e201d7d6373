//! How far a trial of the design is from what was wanted, and whether to warn.

use ictus_analysis::design::{Features, Targets};

use super::setup::Struck;
use super::struck::Answer;
use crate::quantity::significant;

/// A target missed by more than this part is warned of.
const TOLERATED: f64 = 0.05;
/// What helps.
const HINT: &str = "a higher --rate comes closer";

/// A trial's deviations from the targets, relative: contact time, centroid, restitution; `None` for what was not asked.
pub fn deviations(targets: &Targets, features: &Features) -> [Option<f64>; 3] {
    let Features { contact_time, centroid, restitution, .. } = *features;
    [(targets.contact_time, contact_time), (targets.centroid, centroid), (targets.restitution, restitution)]
        .map(|(target, value)| target.map(|target| value / target - 1.0))
}

/// A deviation in per cent with its sign: `+1.2 %`.
pub fn percent(part: f64) -> String {
    // What rounds to 0 has no sign.
    let rounded = (1000.0 * part).round() / 10.0 + 0.0;
    if rounded == 0.0 { "0 %".to_owned() } else { format!("{rounded:+} %") }
}

/// The sentence to warn with if the engine, at the rate asked for, misses a target by more than is tolerated.
pub fn warning(wanted: &Struck, answer: &Answer) -> Option<String> {
    let rate = answer.setting.rate;
    match &answer.engine {
        Some(engine) => missed(deviations(&wanted.targets, engine), rate),
        None => {
            Some(format!("at {} Hz the engine's hammer does not come off within 100 ms; {HINT}", significant(rate, 9)))
        }
    }
}

/// The sentence on deviations from contact time, centroid and restitution at a rate in Hz, if one of them is too large.
pub fn missed(deviations: [Option<f64>; 3], rate: f64) -> Option<String> {
    let missed: Vec<String> = ["contact time", "centroid", "restitution"]
        .iter()
        .zip(deviations)
        .filter_map(|(name, part)| Some((name, part.filter(|part| part.abs() > TOLERATED)?)))
        .map(|(name, part)| format!("{name} by {}", percent(part)))
        .collect();
    let tolerated = significant(100.0 * TOLERATED, 3);
    (!missed.is_empty()).then(|| {
        format!(
            "at {} Hz the engine misses the {}, which is more than {tolerated} %; {HINT}",
            significant(rate, 9),
            missed.join(" and the ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_told_only_of_what_was_asked() {
        let features = Features { contact_time: 2.02e-3, centroid: 1800.0, restitution: 0.9, contacts: 1 };
        let targets = Targets { contact_time: Some(2e-3), centroid: None, restitution: Some(1.0) };
        let [time, centroid, restitution] = deviations(&targets, &features).map(|part| part.map(percent));
        assert_eq!((time.as_deref(), centroid, restitution.as_deref()), (Some("+1 %"), None, Some("-10 %")));
        let words = missed(deviations(&targets, &features), 44_100.0).expect("a warning");
        assert!(
            words.contains("at 44100 Hz the engine misses the restitution by -10 %, which is more than 5 %"),
            "{words}"
        );
        assert_eq!(missed([Some(0.04), None, Some(-0.049)], 44_100.0), None);
        assert_eq!([percent(1e-9), percent(-1e-9), percent(0.0537)], ["0 %", "0 %", "+5.4 %"]);
    }
}
