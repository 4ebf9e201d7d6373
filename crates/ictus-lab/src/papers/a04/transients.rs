//! A04 figure 4: initial transients, with short and long contacts, low and high dissipation, and several bounces.

use ictus::impact::strike::{StrikeError, Struck};
use ictus_analysis::Spectrum;
use ictus_analysis::design::{Features, Setting};

use super::setting::{DISSIPATION, PITCH, RATE, STIFFNESS, TOLD, WAYS, Way, setting, strike};
use crate::figures::{Curve, Figure, Panel, Stroke, colour};
use crate::papers::{Check, Computed, DataTable, Item, Outcome, largest};
use crate::quantity::significant;

/// A04 figure 4.
pub const FIGURE_4: Item = Item::new(
    "A04-fig-4",
    "Initial transients",
    "(a) a short and a long contact: the initial bump lengthens; (b) as μ is lowered more energy goes to the higher partials during contact; \
        (c) as α is lowered the force rises and eventually the hammer bounces several times.",
    TOLD,
    figure_4,
);

/// Samples drawn: the first 20 ms.
const SHOWN: usize = 882;
/// At α = 1.5 the first contact lasts 1.4 samples, and no sample need fall on its largest force: that is read at so many times the rate.
const FINER: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Largest force in N in the first 20 ms, by one way, at each of the finer rates.
fn peaks(setting: &Setting, way: Way) -> Result<Vec<f64>, StrikeError> {
    let at = |finer: &usize| {
        let setting = Setting { rate: *finer as f64 * RATE, ..setting.clone() };
        let struck = way(&setting.strike(STIFFNESS, DISSIPATION), finer * SHOWN)?;
        Ok(largest(struck.force))
    };
    FINER.iter().map(at).collect()
}

fn figure_4() -> Computed {
    let base = setting();
    let low = Setting { exponent: 1.5, ..setting() };
    let cases: [(&str, &Setting, f64, f64); 6] = [
        ("(a) short: K = 1e11", &base, 1e11, DISSIPATION),
        ("(a) long: K = 1e7", &base, 1e7, DISSIPATION),
        ("(b) μ = 0.01 s/m", &base, STIFFNESS, 0.01),
        ("(b) μ = 1.5 s/m", &base, STIFFNESS, 1.5),
        ("(c) α = 1.5", &low, STIFFNESS, DISSIPATION),
        ("(c) α = 2.5", &base, STIFFNESS, DISSIPATION),
    ];
    let mut table = DataTable::new("", &["case", "time_s", "displacement_m", "force_N"]);
    let mut runs: Vec<(Struck, Features)> = Vec::new();
    for (name, setting, stiffness, dissipation) in cases {
        let run = strike(setting, stiffness, dissipation, WAYS[2].1)?;
        for n in 0..SHOWN {
            table.labelled([name], [n as f64 / RATE, run.0.displacement[n], run.0.force[n]]);
        }
        runs.push(run);
    }
    let mut panels = Vec::new();
    for (pair, title) in ["(a) short and long contact", "(b) low and high dissipation", "(c) low and higher exponent"]
        .into_iter()
        .enumerate()
    {
        let curve = |case: usize, of: &dyn Fn(&Struck) -> &Vec<f64>, index: usize| {
            let points =
                of(&runs[case].0).iter().take(SHOWN).enumerate().map(|(n, value)| (n as f64 / RATE, *value)).collect();
            Curve::line(points, Stroke::solid(colour(index)).wide(1.2))
        };
        let shown: Vec<Curve> = (0..2).rev().map(|i| curve(2 * pair + i, &|struck| &struck.displacement, i)).collect();
        let forces: Vec<Curve> = (0..2).rev().map(|i| curve(2 * pair + i, &|struck| &struck.force, i)).collect();
        panels.push(Panel::around(title, ("time", "s"), ("displacement", "m"), shown));
        panels.push(Panel::around("", ("time", "s"), ("force", "N"), forces));
    }
    let figure = Figure::new("A04 figure 4: initial transients", 2, panels)
        .key("short, low μ, low α", Stroke::solid(colour(0)))
        .key("long, high μ, higher α", Stroke::solid(colour(1)));
    // Part of the spectrum's energy above the lowest mode.
    let high = |case: usize| -> Result<f64, ictus_analysis::AnalysisError> {
        let spectrum = Spectrum::new(&runs[case].0.displacement, RATE, ictus_analysis::Window::Hann)?;
        let energy = |from: f64| -> f64 {
            spectrum
                .amplitudes()
                .iter()
                .enumerate()
                .filter(|(bin, _)| spectrum.frequency(*bin) > from)
                .map(|(_, m)| m * m)
                .sum()
        };
        Ok(energy(1.7 * PITCH) / energy(0.5 * PITCH))
    };
    let (damped, ringing) = (high(3)?, high(2)?);
    let contacts: Vec<usize> = runs.iter().map(|run| run.1.contacts).collect();
    let [integrated, _, engine] = WAYS.map(|(_, way)| (peaks(&low, way), peaks(&base, way)));
    let (exact, engine) = ((integrated.0?, integrated.1?), (engine.0?, engine.1?));
    let mut forces = DataTable::new(
        "peak-force",
        &["rate_Hz", "α_1.5_integrated_N", "α_1.5_engine_N", "α_2.5_integrated_N", "α_2.5_engine_N"],
    )
    .shown();
    for (n, finer) in FINER.into_iter().enumerate() {
        forces.row([finer as f64 * RATE, exact.0[n], engine.0[n], exact.1[n], engine.1[n]]);
    }
    let last = FINER.len() - 1;
    let finest = FINER[last] as f64 * RATE;
    let change = |peaks: &[f64]| 100.0 * (peaks[last] / peaks[last - 1] - 1.0).abs();
    let apart = |ours: &[f64], exact: &[f64]| 100.0 * (ours[last] / exact[last] - 1.0).abs();
    Ok(Outcome::default().picture("", figure).table(forces).table(table).checks([
        Check::holds(
            "(a) the longer contact has the lower centroid",
            format!(
                "{:.2} and {:.2} ms, {:.0} and {:.0} Hz",
                1e3 * runs[0].1.contact_time,
                1e3 * runs[1].1.contact_time,
                runs[0].1.centroid,
                runs[1].1.centroid
            ),
            runs[0].1.contact_time < runs[1].1.contact_time && runs[0].1.centroid > runs[1].1.centroid,
        ),
        Check::holds(
            "(b) lower μ: more of the energy is in the higher partials",
            format!("{:.2} % at μ = 0.01, {:.2} % at μ = 1.5 s/m", 100.0 * ringing, 100.0 * damped),
            ringing > damped,
        ),
        Check::holds(
            format!("(c) lower α: significantly larger force, at {} MHz", significant(1e-6 * finest, 3)),
            format!("{:.1} and {:.1} N", engine.0[last], engine.1[last]),
            engine.0[last] > 2.0 * engine.1[last],
        ),
        Check::at_most(
            "(c) that force has converged: largest change from half that rate",
            0.5,
            largest([change(&engine.0), change(&engine.1)]),
            "%",
        )
        .own(),
        Check::at_most(
            "(c) that force is the integrated one: largest difference",
            0.5,
            largest([apart(&engine.0, &exact.0), apart(&engine.1, &exact.1)]),
            "%",
        )
        .own(),
        Check::holds(
            "(c) lower α: multiple bounces",
            format!("{} and {} contacts", contacts[4], contacts[5]),
            contacts[4] > contacts[5],
        ),
    ]).remark(format!("The picture is at 44.1 kHz, as in the source. There the samples of (c) miss the peak: the engine shows {:.1} N of {:.1} N.",
        engine.0[0], exact.0[last])))
}
