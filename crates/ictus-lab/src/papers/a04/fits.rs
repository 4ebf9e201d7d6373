//! A04 figure 5 and its (13): straight lines through the logarithms of contact time and centroid, their inversion, and the inversion of the
//! map itself.

use ictus_analysis::design::{Design, LogLinearFit, Map, Targets};

use super::setting::{DISSIPATION, STIFFNESS, TOLD, setting};
use crate::figures::{Axis, Curve, Dash, Figure, Panel, Stroke, colour};
use crate::papers::{Check, Computed, DataTable, Item, Outcome, largest};
use crate::quantity::significant;

/// A04 figure 5.
pub const FIGURE_5: Item = Item::new(
    "A04-fig-5",
    "Log-linear fits of contact time and centroid",
    "τ(K), c_av(K) and c_av(μ) are roughly straight lines in logarithmic scales.",
    TOLD,
    figure_5,
);

/// A04 (13), and beyond it.
pub const INVERSE_MAP: Item = Item::new(
    "A04-inverse-map",
    "From contact time and centroid back to stiffness and dissipation",
    "The linear regression is a first approximation; its inversion maps (τ, c_av) to (K, μ). Beyond the source: root-finding on the map itself.",
    TOLD,
    inverse_map,
);

/// Stiffnesses in N/m^α and dissipations in s/m of the fit.
const STIFFNESSES: (f64, f64) = (3e8, 2e10);
const DISSIPATIONS: (f64, f64) = (0.02, 1.2);

fn between((low, high): (f64, f64), part: f64) -> f64 {
    low * (high / low).powf(part)
}

fn contact(stiffness: f64, dissipation: f64) -> Result<Design, Box<dyn std::error::Error + Send + Sync>> {
    let features = setting().features(stiffness, dissipation)?.ok_or("the hammer does not come off")?;
    Ok(Design { stiffness, dissipation, features })
}

/// Contacts on a grid of both.
fn grid(count: usize) -> Result<Vec<Design>, Box<dyn std::error::Error + Send + Sync>> {
    let part = |n: usize| n as f64 / (count - 1) as f64;
    let cells = (0..count * count).map(|n| (part(n / count), part(n % count)));
    cells.map(|(k, mu)| contact(between(STIFFNESSES, k), between(DISSIPATIONS, mu))).collect()
}

fn figure_5() -> Computed {
    let points = grid(12)?;
    let fit = LogLinearFit::of(&points).ok_or("no fit")?;
    let count = 41;
    let part = |n: usize| n as f64 / (count - 1) as f64;
    let along_stiffness: Result<Vec<Design>, _> =
        (0..count).map(|n| contact(between(STIFFNESSES, part(n)), DISSIPATION)).collect();
    let along_dissipation: Result<Vec<Design>, _> =
        (0..count).map(|n| contact(STIFFNESS, between(DISSIPATIONS, part(n)))).collect();
    let (along_stiffness, along_dissipation) = (along_stiffness?, along_dissipation?);
    let mut table = DataTable::new(
        "",
        &[
            "stiffness_N/m^α",
            "dissipation_s/m",
            "contact_time_s",
            "centroid_Hz",
            "fit_contact_time_s",
            "fit_centroid_Hz",
        ],
    );
    for point in along_stiffness.iter().chain(&along_dissipation).chain(&points) {
        let (time, centroid) = fit.predict(point.stiffness, point.dissipation);
        table.row([
            point.stiffness,
            point.dissipation,
            point.features.contact_time,
            point.features.centroid,
            time,
            centroid,
        ]);
    }
    let mut coefficients = DataTable::new("coefficients", &["a0", "a1", "b0", "b1", "b2"]).shown();
    coefficients.row(fit.contact_time.into_iter().chain(fit.centroid));
    let (dots, line) = (Stroke::solid(colour(0)), Stroke::solid(colour(1)).dashed(Dash::Dashed));
    let panel = |title,
                 x: (&'static str, &'static str, (f64, f64)),
                 y: (&'static str, &'static str, (f64, f64)),
                 of: &dyn Fn(&Design) -> [f64; 3],
                 points: &[Design]| {
        let curve = |i: usize, stroke: &Stroke| {
            Curve::line(points.iter().map(of).map(|p| (p[0], p[i])).collect(), stroke.clone())
        };
        let curves = vec![curve(1, &dots).dotted(), curve(2, &line)];
        Panel::new(title, Axis::logarithmic(x.0, x.1, x.2), Axis::logarithmic(y.0, y.1, y.2), curves)
    };
    let predicted = |point: &Design| fit.predict(point.stiffness, point.dissipation);
    let panels = vec![
        panel(
            "τ(K)",
            ("stiffness", "N/m^α", STIFFNESSES),
            // In ms, because logarithmic axes take no prefix.
            ("contact time", "ms", (2.0, 10.0)),
            &|p| [p.stiffness, 1e3 * p.features.contact_time, 1e3 * predicted(p).0],
            &along_stiffness,
        ),
        panel(
            "c_av(K)",
            ("stiffness", "N/m^α", STIFFNESSES),
            ("average centroid", "Hz", (200.0, 1000.0)),
            &|p| [p.stiffness, p.features.centroid, predicted(p).1],
            &along_stiffness,
        ),
        panel(
            "c_av(μ)",
            ("dissipation", "s/m", DISSIPATIONS),
            ("average centroid", "Hz", (200.0, 1000.0)),
            &|p| [p.dissipation, p.features.centroid, predicted(p).1],
            &along_dissipation,
        ),
    ];
    let figure = Figure::new("A04 figure 5: linear fits in logarithmic scales", 3, panels)
        .key("integrated", dots)
        .key("fit", line);
    let error = |of: &dyn Fn(&Design) -> f64| largest(points.iter().map(|p| of(p).abs()));
    let time = error(&|p| predicted(p).0 / p.features.contact_time - 1.0);
    let centroid = error(&|p| predicted(p).1 / p.features.centroid - 1.0);
    Ok(Outcome::default().picture("", figure).table(coefficients).table(table).checks([
        Check::holds("contact times fall with K", format!("a1 = {:.3}", fit.contact_time[1]), fit.contact_time[1] < 0.0),
        Check::holds("centroids rise with K and fall with μ", format!("b1 = {:.3}, b2 = {:.3}", fit.centroid[1], fit.centroid[2]),
            fit.centroid[1] > 0.0 && fit.centroid[2] < 0.0),
        Check::at_most("the fit of τ is a first approximation: largest relative error", 0.1, time, ""),
        Check::at_most("the fit of c_av is a first approximation: largest relative error", 0.2, centroid, ""),
    ]).remark(format!("On this resonator a1 is {} instead of the wall's {}: compliance adds a time that does not shrink with the contact.",
        significant(fit.contact_time[1], 3), significant(-1.0 / 3.5, 3))))
}

fn inverse_map() -> Computed {
    let points = grid(12)?;
    let fit = LogLinearFit::of(&points).ok_or("no fit")?;
    let map = Map::new(setting())?;
    let columns = [
        "stiffness_N/m^α",
        "dissipation_s/m",
        "contact_time_s",
        "centroid_Hz",
        "found_stiffness_N/m^α",
        "found_dissipation_s/m",
        "fit_stiffness_N/m^α",
        "fit_dissipation_s/m",
    ];
    let mut table = DataTable::new("", &columns);
    let (mut met, mut again, mut fitted) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    let mut dots = Vec::new();
    for stiffness in [1.2e9, 5e9, 1.6e10] {
        for dissipation in [0.03, 0.3, 1.1] {
            let posed = contact(stiffness, dissipation)?;
            let (time, centroid) = (posed.features.contact_time, posed.features.centroid);
            let found =
                map.design(&Targets { contact_time: Some(time), centroid: Some(centroid), restitution: None })?;
            let (k, mu) = fit.invert(time, centroid).unwrap_or((f64::NAN, f64::NAN));
            table.row([stiffness, dissipation, time, centroid, found.stiffness, found.dissipation, k, mu]);
            met.extend([found.features.contact_time / time - 1.0, found.features.centroid / centroid - 1.0]);
            again.extend([found.stiffness / stiffness - 1.0, found.dissipation / dissipation - 1.0]);
            fitted[0].push((k / stiffness).ln());
            fitted[1].push((mu / dissipation).ln());
            dots.push((time, centroid));
        }
    }
    let mut curves: Vec<Curve> = Vec::new();
    let mut figure = Figure::new("A04: what can be had, and nine contacts found again", 1, Vec::new());
    let shown = (2e-3, 8e-3);
    for (index, line) in map.lines().iter().enumerate() {
        let stroke = Stroke::solid(colour(index)).wide(1.2);
        let inside = line.points.iter().map(|p| (p.features.contact_time, p.features.centroid));
        let inside: Vec<(f64, f64)> = inside.filter(|p| (shown.0..shown.1).contains(&p.0)).collect();
        curves.push(Curve::line(inside, stroke.clone()));
        figure = figure.key(format!("μ = {} s/m", significant(line.dissipation, 3)), stroke);
    }
    let black = Stroke::solid("#000000").wide(0.0);
    curves.push(Curve { points: dots, stroke: black.clone(), dots: Some(3.5) });
    let highest = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1).fold(0.0, f64::max);
    let panel = Panel::new(
        "",
        Axis::linear("contact time", "s", shown),
        Axis::linear("average centroid", "Hz", (250.0, 1.05 * highest)),
        curves,
    );
    figure.panels.push(panel);
    let worst = |errors: &[f64]| largest(errors.iter().map(|error| error.abs()));
    Ok(Outcome::default()
        .picture("", figure.key("asked for", black))
        .table(table)
        .checks([
            Check::at_most("root-finding meets contact time and centroid, relative", 1e-7, worst(&met), "").own(),
            Check::at_most("root-finding gives K and μ back, relative", 1e-6, worst(&again), "").own(),
            Check::holds(
                "the fit's inversion is a first approximation: it finds K to a factor of 2",
                format!(
                    "K to a factor of {}, μ only to a factor of {}",
                    significant(worst(&fitted[0]).exp(), 3),
                    significant(worst(&fitted[1]).exp(), 3)
                ),
                worst(&fitted[0]) < 2f64.ln(),
            ),
        ])
        .remark("`ictus design` does this for any hammer and resonator, with restitution as another target."))
}
