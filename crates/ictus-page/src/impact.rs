//! The impact lab of a page: an impact as `ictus impact` takes it, and all that is drawn and tabled of it.

use ictus::impact::SCHEMES;
use ictus_lab::impact::{Document, Extent, Question, Setup, Track, table};
use serde::{Deserialize, Serialize};

/// Most samples of all schemes together: they are computed while somebody waits.
const MOST_SAMPLES: usize = 4_000_000;

/// An impact by the options of `ictus impact`, numbers as texts; what is left out is as usual there.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct Impact {
    mass: String,
    stiffness: String,
    exponent: String,
    dissipation: String,
    velocity: String,
    rate: String,
    scheme: Vec<String>,
    phase: Option<String>,
    gap: String,
    gravity: String,
    duration: Option<String>,
    s: String,
}

impl Default for Impact {
    fn default() -> Self {
        Self {
            mass: "1e-2".into(),
            stiffness: "1e9".into(),
            exponent: "1.5".into(),
            dissipation: "0.5".into(),
            velocity: "1".into(),
            rate: "44100".into(),
            scheme: vec!["all".into()],
            phase: None,
            gap: "0".into(),
            gravity: "0".into(),
            duration: None,
            s: "1".into(),
        }
    }
}

/// What comes of an impact.
#[derive(Serialize)]
pub struct Results {
    /// All numbers, as `ictus impact --json` prints them.
    document: Document,
    /// Every scheme there is.
    known: Vec<Known>,
    /// The exact results in words.
    exact: Vec<(&'static str, String)>,
    /// Headings of the table of errors.
    columns: [&'static str; table::COLUMNS.len()],
    /// Its rows.
    rows: Vec<Row>,
    /// What its columns mean.
    notes: String,
    /// What a picture shows.
    extent: Shown,
    /// The exact motion, then that of every scheme.
    tracks: Vec<Drawn>,
}

impl std::fmt::Debug for Results {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Results").field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// A scheme by its name, and what it is.
#[derive(Debug, Serialize)]
struct Known {
    name: &'static str,
    summary: &'static str,
}

/// A scheme in the table of errors; a remark stands in for its numbers.
#[derive(Debug, Serialize)]
struct Row {
    cells: Vec<String>,
    remark: Option<String>,
}

/// What a picture shows, in SI units.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    extent: Extent,
    max_compression: f64,
    output_velocity: f64,
    final_energy: f64,
    /// Smallest displacement of the exact motion.
    highest: f64,
}

/// A motion, and whether its samples are few enough to be marked.
#[derive(Serialize)]
struct Drawn {
    #[serde(flatten)]
    track: Track,
    dotted: bool,
}

/// Samples are marked by dots while there are no more than this in the time shown.
const MOST_DOTS: f64 = 60.0;

impl Impact {
    /// Runs every scheme.
    ///
    /// # Errors
    /// In words, which option is not allowed and what is.
    pub fn results(&self) -> Result<Results, String> {
        let setup = Setup::of(&self.question()).map_err(|refusal| refusal.to_string())?;
        let samples = setup.samples.saturating_mul(setup.schemes.len());
        if samples > MOST_SAMPLES {
            return Err(format!(
                "--duration or --rate make that {samples} samples in all; a page computes at most {MOST_SAMPLES}: choose fewer schemes, or ask `ictus impact`"
            ));
        }
        let extent = Extent::of(&setup);
        let exact = Track::exact(&setup, &extent);
        let dotted = (extent.time.1 - extent.time.0) * setup.problem.rate <= MOST_DOTS;
        let highest = exact.displacement.iter().map(|point| point.1).fold(0.0, f64::min);
        let mut tracks = vec![Drawn { track: exact, dotted: false }];
        let mut outcomes = Vec::new();
        for &scheme in &setup.schemes {
            let (outcome, samples) = setup.run(scheme);
            if samples.len() > 1 {
                tracks.push(Drawn { track: Track::of(scheme.name, &samples, &setup.problem, &extent), dotted });
            }
            outcomes.push(outcome);
        }
        let row = |outcome: &ictus_lab::impact::Outcome| match outcome.failure() {
            Some(reason) => Row { cells: vec![outcome.scheme.name.to_owned()], remark: Some(reason) },
            None => Row { cells: table::cells(&setup, outcome.scheme.name, &outcome.run).into(), remark: None },
        };
        Ok(Results {
            known: SCHEMES.iter().map(|scheme| Known { name: scheme.name, summary: scheme.summary }).collect(),
            exact: table::exact(&setup),
            columns: table::COLUMNS,
            rows: outcomes.iter().map(row).collect(),
            notes: table::legend(&setup, &outcomes),
            extent: Shown {
                extent,
                max_compression: setup.exact.max_compression(),
                output_velocity: setup.exact.output_velocity(),
                final_energy: setup.exact.final_energy(),
                highest,
            },
            tracks,
            document: Document::of(&setup, &outcomes),
        })
    }

    fn question(&self) -> Question<'_> {
        Question {
            mass: &self.mass,
            stiffness: &self.stiffness,
            exponent: &self.exponent,
            dissipation: &self.dissipation,
            velocity: &self.velocity,
            rate: &self.rate,
            scheme: &self.scheme,
            phase: self.phase.as_deref(),
            gap: &self.gap,
            gravity: &self.gravity,
            duration: self.duration.as_deref(),
            s: &self.s,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(impact: &str) -> Result<serde_json::Value, String> {
        let impact: Impact = serde_json::from_str(impact).map_err(|error| error.to_string())?;
        impact.results().map(|results| serde_json::to_value(results).expect("is plain data"))
    }

    #[test]
    fn the_hard_wall_of_p09_has_the_errors_that_it_prints() {
        // Table 1 (b): output velocity +2.551, +0.839, -4.692, -0.105 %.
        let found = results(r#"{"scheme": ["am1", "verlet", "heun", "rk4"]}"#).expect("is computed");
        let printed: Vec<&str> = found["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| row["cells"][5].as_str().expect("a cell"))
            .collect();
        assert_eq!(printed, ["+2.551", "+0.839", "-4.692", "-0.105"]);
        assert_eq!(found["tracks"].as_array().map(Vec::len), Some(5));
        assert_eq!(found["document"]["schemes"][0]["name"], "am1");
    }

    #[test]
    fn what_is_not_allowed_is_told_by_its_option() {
        for (impact, expected) in [
            (r#"{"mass": "heavy"}"#, "--mass is heavy"),
            (r#"{"scheme": ["rk5"]}"#, "did you mean rk4?"),
            (r#"{"duration": "40"}"#, "choose fewer schemes"),
            (r#"{"weight": "1"}"#, "unknown field"),
        ] {
            let said = results(impact).expect_err(impact);
            assert!(said.contains(expected), "{said}");
        }
    }
}
