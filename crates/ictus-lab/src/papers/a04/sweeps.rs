//! A04 figure 3: contact time and centroid as mass, stiffness, dissipation and exponent vary; and what compliance does to the
//! contact time.

use ictus_analysis::design::{Features, Setting};
use ictus_analysis::{Framing, Weighting, centroid_track};

use super::setting::{DISSIPATION, PITCH, RATE, STIFFNESS, TOLD, WAYS, setting, simulated_on_the_wall, strike};
use crate::figures::{Axis, Curve, Dash, Figure, Mark, Panel, Stroke, colour};
use crate::papers::{Check, Computed, DataTable, Deviation, Item, Outcome, largest};
use crate::quantity::significant;

/// A04 figure 3.
pub const FIGURE_3: Item = Item::new(
    "A04-fig-3",
    "Contact time and spectral centroid as m, K, μ and α vary",
    "τ ~ (m/K)^(1/(α+1)) on the wall; τ is almost independent of μ; with the resonator τ is longer; the centroid falls as the contact \
        lengthens, below f0 for long contacts; it rises as μ is lowered although τ hardly changes, and for low α, where the hammer \
        bounces several times and the curve is not monotone.",
    TOLD,
    figure_3,
);

/// The statement about compliance, over other resonators.
pub const COMPLIANCE: Item = Item::new(
    "A04-compliance",
    "Contact time on a resonator over contact time on the wall",
    "With a resonator the contact time is always higher than the value of the rigid wall, due to the compliance of the struck object.",
    "hammer 10 g at 1 m/s, μ = 0.3 s/m, α = 2.5; f0 = 300 Hz, q = 300, modal masses 10, 100 and 1000 g; wall contact times 0.1 … 10 ms",
    compliance,
);

/// What varies in one row of the figure.
struct Sweep {
    name: &'static str,
    quantity: (&'static str, &'static str),
    values: (f64, f64),
    contact: fn(f64) -> (Setting, f64, f64),
    logarithmic: bool,
}

const COUNT: usize = 33;

const SWEEPS: [Sweep; 4] = [
    Sweep {
        name: "mass",
        quantity: ("hammer mass", "kg"),
        values: (2e-3, 0.1),
        contact: |mass| (Setting { mass, ..setting() }, STIFFNESS, DISSIPATION),
        logarithmic: true,
    },
    Sweep {
        name: "stiffness",
        quantity: ("stiffness", "N/m^α"),
        values: (2e8, 2e11),
        contact: |stiffness| (setting(), stiffness, DISSIPATION),
        logarithmic: true,
    },
    Sweep {
        name: "dissipation",
        quantity: ("dissipation", "s/m"),
        values: (0.01, 1.5),
        contact: |dissipation| (setting(), STIFFNESS, dissipation),
        logarithmic: true,
    },
    Sweep {
        name: "exponent",
        quantity: ("exponent", ""),
        values: (1.5, 3.5),
        contact: |exponent| (Setting { exponent, ..setting() }, STIFFNESS, DISSIPATION),
        logarithmic: false,
    },
];

impl Sweep {
    fn value(&self, index: usize) -> f64 {
        let (part, (low, high)) = (index as f64 / (COUNT - 1) as f64, self.values);
        if self.logarithmic { low * (high / low).powf(part) } else { low + part * (high - low) }
    }

    fn axis(&self) -> Axis {
        let (name, unit) = self.quantity;
        if self.logarithmic {
            Axis::logarithmic(name, unit, self.values)
        } else {
            Axis::linear(name, unit, self.values)
        }
    }
}

/// One strike of a sweep.
struct Point {
    value: f64,
    /// Contact time on the wall in s: by (12), and by AM1.
    wall: f64,
    wall_simulated: f64,
    /// By each of the ways.
    features: [Features; 3],
    track: Vec<(f64, f64)>,
}

type Failed = Box<dyn std::error::Error + Send + Sync>;

fn run(sweep: &Sweep) -> Result<Vec<Point>, Failed> {
    let one = |index: usize| -> Result<Point, Failed> {
        let value = sweep.value(index);
        let (setting, stiffness, dissipation) = (sweep.contact)(value);
        let hammer = setting.strike(stiffness, dissipation).hammer;
        let (wall, wall_simulated) = (hammer.contact_time(), simulated_on_the_wall(&hammer)?);
        let (struck, first) = strike(&setting, stiffness, dissipation, WAYS[0].1)?;
        let others = [1, 2].map(|way| strike(&setting, stiffness, dissipation, WAYS[way].1).map(|found| found.1));
        let [am1, engine] = others;
        let track = centroid_track(&struck.displacement, setting.rate, Framing::default(), Weighting::Amplitude)?;
        let track = track.iter().filter_map(|frame| Some((frame.time, frame.frequency?))).collect();
        Ok(Point { value, wall, wall_simulated, features: [first, am1?, engine?], track })
    };
    (0..COUNT).map(one).collect()
}

fn figure_3() -> Computed {
    let mut outcome = Outcome::default();
    let mut swept = Vec::new();
    for sweep in &SWEEPS {
        let points = run(sweep)?;
        outcome = outcome
            .picture(sweep.name, figure(sweep, &points))
            .table(table(sweep, &points))
            .table(tracks(sweep, &points));
        swept.push(points);
    }
    let [mass, stiffness, dissipation, exponent] = [0, 1, 2, 3].map(|sweep| &swept[sweep]);
    let slope = |points: &[Point]| {
        let (first, last) = (&points[0], &points[COUNT - 1]);
        (last.wall_simulated / first.wall_simulated).ln() / (last.value / first.value).ln()
    };
    let range = |points: &[Point], of: fn(&Features) -> f64| {
        let values = points.iter().map(|point| of(&point.features[0]));
        values.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)))
    };
    let times = range(dissipation, |f| f.contact_time);
    let falls = |points: &[Point]| correlation(points);
    let shorter: Vec<&Point> =
        swept.iter().flatten().filter(|point| point.features[0].contact_time <= point.wall).collect();
    let total = swept.len() * COUNT;
    let all_short = shorter.iter().all(|point| point.wall < 5e-4 && point.features[0].contacts > 1);
    // Long and short beside the period of f0.
    let lowest_frame = |point: &Point| point.track.iter().map(|frame| frame.1).fold(f64::INFINITY, f64::min);
    let frames = |least: f64, most: f64| -> Vec<f64> {
        let lasts = |point: &&Point| (least..most).contains(&(PITCH * point.features[0].contact_time));
        swept.iter().flatten().filter(lasts).map(lowest_frame).collect()
    };
    let (long, short) = (frames(2.0, f64::INFINITY), frames(0.0, 1.0));
    let (highest_long, lowest_short) = (largest(long.iter().copied()), -largest(short.iter().map(|frame| -frame)));
    let bounces = exponent[0].features[0].contacts;
    // Whether the centroid rises as the contact lengthens from one exponent to the next, from `low` to `high`.
    let rises = |low: f64, high: f64| -> Vec<bool> {
        let pairs = exponent.windows(2).filter(|pair| pair[0].value >= low && pair[1].value <= high);
        let rise = |pair: &[Point], of: fn(&Features) -> f64| of(&pair[1].features[0]) - of(&pair[0].features[0]);
        pairs.map(|pair| rise(pair, |f| f.contact_time) * rise(pair, |f| f.centroid) > 0.0).collect()
    };
    let (low, high) = (rises(1.5, 2.35), rises(2.35, 3.5));
    let rising = |steps: &[bool]| steps.iter().filter(|rises| **rises).count();
    let on_wall = swept.iter().flatten().filter(|point| point.wall * RATE >= 10.0);
    let off_wall = largest(on_wall.map(|point| (point.wall_simulated / point.wall - 1.0).abs()));
    let engine = swept.iter().flatten().filter(|point| point.features.iter().all(|f| f.contacts == 1));
    let apart = engine.map(|point| {
        let [exact, am1, engine] = point.features.map(|f| f.contact_time);
        (am1 / exact - 1.0).abs().max((engine / exact - 1.0).abs())
    });
    let spread = format!("{:.3} to {:.3} ms while μ rises 150-fold", 1e3 * times.0, 1e3 * times.1);
    Ok(outcome.checks([
        Check::near("wall: exponent of the simulated τ over m, 1/(α+1)", 1.0 / 3.5, slope(mass), 0.01, ""),
        Check::near("wall: exponent of the simulated τ over K, -1/(α+1)", -1.0 / 3.5, slope(stiffness), 0.01, ""),
        Check::at_most("wall: the simulated τ is that of (12); largest error, contacts of 10 samples and more", 1.0, 100.0 * off_wall, "%"),
        Check::holds("τ is almost independent of μ", spread, times.1 / times.0 < 1.1),
        Check::holds("with the resonator τ is longer than on the wall", format!("in {} of {total} strikes", total - shorter.len()), shorter.is_empty())
            .noted(Deviation::that("shorter in fewer than 20, all of several contacts and below 0.5 ms on the wall", all_short && shorter.len() < 20),
                "a contact much shorter than the resonator's periods meets it as a free mass, and the first of several is shorter; \
                see A04-compliance"),
        Check::holds("the centroid falls as the contact lengthens with m",
            format!("correlation of the logarithms {:.2}", falls(mass)), falls(mass) < -0.5),
        Check::holds("the centroid falls as the contact lengthens with softer K",
            format!("correlation of the logarithms {:.2}", falls(stiffness)), falls(stiffness) < -0.5),
        Check::holds("the centroid comes below f0 while the contact is long",
            format!("every contact of two periods of f0 and more to {} Hz or lower, none below one period under {} Hz",
                significant(highest_long, 4), significant(lowest_short, 4)), highest_long < PITCH && lowest_short > PITCH),
        Check::holds("the centroid rises as μ is lowered", format!("{:.0} Hz at μ = 1.5, {:.0} Hz at μ = 0.01 s/m",
            dissipation[COUNT - 1].features[0].centroid, dissipation[0].features[0].centroid),
            dissipation[0].features[0].centroid > 1.1 * dissipation[COUNT - 1].features[0].centroid),
        Check::holds("the centroid rises for low α", format!("{:.0} Hz at α = 1.5, {:.0} Hz at α = 3.5",
            exponent[0].features[0].centroid, exponent[COUNT - 1].features[0].centroid),
            exponent[0].features[0].centroid > 1.1 * exponent[COUNT - 1].features[0].centroid),
        Check::holds("for low α there are multiple bounces", format!("{bounces} contacts at α = 1.5"), bounces > 1),
        Check::holds("centroid over contact time is not monotone for low α: it rises there and falls above",
            format!("rises in {} of {} steps of α up to 2.35, in {} of {} above", rising(&low), low.len(), rising(&high), high.len()),
            rising(&low) > low.len() / 2 && !high.is_empty() && rising(&high) == 0),
        Check::at_most("AM1 and the engine: contact time of single contacts off the integrated one by, relative", 0.02,
            largest(apart), "").own(),
    ]).remark("The source's own resonator is not printed. With modal masses as heavy as the hammer all of its statements can be seen; with heavier \
        ones the centroid rises with μ instead, because a damped force begins more steeply."))
}

/// Correlation of the logarithms of contact time and centroid.
fn correlation(points: &[Point]) -> f64 {
    let logs: Vec<[f64; 2]> =
        points.iter().map(|point| [point.features[0].contact_time.ln(), point.features[0].centroid.ln()]).collect();
    let mean = |i: usize| logs.iter().map(|pair| pair[i]).sum::<f64>() / logs.len() as f64;
    let (x, y) = (mean(0), mean(1));
    let sum = |f: &dyn Fn(&[f64; 2]) -> f64| logs.iter().map(f).sum::<f64>();
    let together = sum(&|p| (p[0] - x) * (p[1] - y));
    together / (sum(&|p| (p[0] - x).powi(2)) * sum(&|p| (p[1] - y).powi(2))).sqrt()
}

fn figure(sweep: &Sweep, points: &[Point]) -> Figure {
    let times = |of: &dyn Fn(&Point) -> f64| points.iter().map(|point| (point.value, of(point))).collect::<Vec<_>>();
    let wall = Stroke::solid("#444444").dashed(Dash::Dashed);
    let mut first = vec![Curve::line(times(&|point| point.wall), wall.clone())];
    let mut third = Vec::new();
    let mut figure =
        Figure::new(format!("A04 figure 3: {} varies", sweep.quantity.0), 3, Vec::new()).key("wall, quadrature", wall);
    for (way, (name, _)) in WAYS.iter().enumerate() {
        let stroke = if way == 0 { Stroke::solid("#c4c4c4").wide(5.0) } else { Stroke::solid(colour(way - 1)) };
        first.push(Curve::line(times(&|point| point.features[way].contact_time), stroke.clone()));
        let plane =
            points.iter().map(|point| (point.features[way].contact_time, point.features[way].centroid)).collect();
        let dots = Curve {
            points: plane,
            stroke: stroke.clone().wide(if way == 0 { 3.0 } else { 0.0 }),
            dots: Some(if way == 0 { 0.5 } else { 2.2 }),
        };
        third.push(dots);
        figure = figure.key(*name, stroke);
    }
    let shown = [0, 8, 16, 24, 32];
    let second: Vec<Curve> = shown
        .iter()
        .enumerate()
        .map(|(place, &index)| Curve::line(points[index].track.clone(), Stroke::solid(colour(place + 2))))
        .collect();
    for (place, &index) in shown.iter().enumerate() {
        let value = significant(points[index].value, 3);
        figure = figure
            .key(format!("{} {} {}", sweep.quantity.0, value, sweep.quantity.1), Stroke::solid(colour(place + 2)));
    }
    let highest = first.iter().flat_map(|curve| &curve.points).map(|point| point.1).fold(0.0, f64::max);
    let over =
        Panel::new("contact time", sweep.axis(), Axis::linear("contact time", "s", (0.0, 1.05 * highest)), first);
    let over_time = Panel::around("centroid over time", ("time", "s"), ("centroid", "Hz"), second)
        .mark(Mark::Horizontal(PITCH, "f0"));
    let plane =
        Panel::around("average centroid over contact time", ("contact time", "s"), ("average centroid", "Hz"), third);
    Figure { panels: vec![over, over_time, plane], ..figure }
}

fn table(sweep: &Sweep, points: &[Point]) -> DataTable {
    let varied = format!("{}_{}", sweep.name, if sweep.quantity.1.is_empty() { "1" } else { sweep.quantity.1 });
    let mut columns = vec![varied.as_str(), "wall_contact_time_s"];
    columns.extend(["contact_time_s", "centroid_Hz", "restitution", "contacts"]);
    columns.extend(["am1_contact_time_s", "am1_centroid_Hz", "engine_contact_time_s", "engine_centroid_Hz"]);
    let mut table = DataTable::new(sweep.name, &columns);
    for point in points {
        let [exact, am1, engine] = &point.features;
        let mut row =
            vec![point.value, point.wall, exact.contact_time, exact.centroid, exact.restitution, exact.contacts as f64];
        row.extend([am1.contact_time, am1.centroid, engine.contact_time, engine.centroid]);
        table.row(row);
    }
    table
}

fn tracks(sweep: &Sweep, points: &[Point]) -> DataTable {
    let suffix = match sweep.name {
        "mass" => "mass-tracks",
        "stiffness" => "stiffness-tracks",
        "dissipation" => "dissipation-tracks",
        _ => "exponent-tracks",
    };
    let mut table = DataTable::new(suffix, &[sweep.name, "time_s", "centroid_Hz"]);
    for point in points {
        point.track.iter().for_each(|(time, centroid)| table.row([point.value, *time, *centroid]));
    }
    table
}

fn compliance() -> Computed {
    let mut table = DataTable::new(
        "",
        &["modal_mass_kg", "wall_contact_time_s", "first_contact_s", "until_last_release_s", "contacts"],
    );
    let mut curves = Vec::new();
    // Contact time on the wall, ratio, and the ratio of two free masses.
    let mut ratios: Vec<[f64; 3]> = Vec::new();
    let masses = [0.01, 0.1, 1.0];
    for (index, mass) in masses.into_iter().enumerate() {
        let resonator = ictus::objects::ModalSpec::three_mode_bar(PITCH, 300.0, mass);
        let setting = Setting { resonator, ..setting() };
        let (mut first, mut last) = (Vec::new(), Vec::new());
        for step in 0..=40 {
            let wall = 1e-4 * 10f64.powf(f64::from(step) / 20.0);
            let stiffness = ictus_analysis::design::wall::stiffness(&setting.strike(1.0, DISSIPATION).hammer, wall);
            let (struck, features) = strike(&setting, stiffness, DISSIPATION, WAYS[0].1)?;
            let until = struck.contacts.last().map_or(f64::NAN, |touch| touch.end);
            table.row([mass, wall, features.contact_time, until, struck.contacts.len() as f64]);
            first.push((wall, features.contact_time / wall));
            last.push((wall, until / wall));
            ratios.push([wall, features.contact_time / wall, of_free_masses(&setting, mass)]);
        }
        curves.push(Curve::line(last, Stroke::solid(colour(index)).dashed(Dash::Dashed)));
        curves.push(Curve::line(first, Stroke::solid(colour(index))));
    }
    let across = Axis::logarithmic("contact time on the wall", "s", (1e-4, 1e-2));
    let panel = Panel::new("", across, Axis::logarithmic("ratio of contact times", "", (0.5, 50.0)), curves)
        .mark(Mark::Horizontal(1.0, "wall"));
    let mut figure = Figure::new("A04: contact time on a resonator over contact time on the wall", 1, vec![panel]);
    for (index, mass) in masses.into_iter().enumerate() {
        figure = figure.key(format!("modes of {} g", significant(1e3 * mass, 3)), Stroke::solid(colour(index)));
    }
    figure = figure.key("until the last release", Stroke::solid("#444444").dashed(Dash::Dashed));
    let shorter: Vec<f64> = ratios.iter().filter(|[_, ratio, _]| *ratio <= 1.0).map(|[wall, ..]| *wall).collect();
    let hardest = largest(shorter.iter().copied());
    // The shortest contacts: 0.1 ms.
    let as_free = |[wall, ratio, free]: &[f64; 3]| *wall > 1.01e-4 || (ratio / free - 1.0).abs() < 0.01;
    let deviation = Deviation::that(
        "shorter below 0.5 ms only; at 0.1 ms as short as between free masses, to 1 %",
        hardest < 5e-4 && ratios.iter().all(as_free),
    );
    let (longer, total) = (ratios.len() - shorter.len(), ratios.len());
    // The lowest mode's period is 3.3 ms.
    let soft = table.rows.len() / masses.len();
    Ok(Outcome::default().picture("", figure).table(table).checks([
        Check::holds("τ with a resonator is always longer than on the wall", format!("in {longer} of {total} strikes; shorter for contacts of up to {:.2} ms",
            1e3 * hardest), shorter.is_empty())
            .noted(deviation, "a contact much shorter than the resonator's period (3.3 ms) finds no spring there yet, only a free mass: two free masses part \
                sooner than a mass and a wall, by the power 1/(α+1) of the ratio of reduced to hammer mass"),
    ]).remark(format!("{soft} contacts for each resonator. The lighter the resonator, the longer it carries the hammer: up to several times the wall's \
        contact time, in one contact or in several.")))
}

/// Contact time of the hammer on the resonator's mass, held by no spring, over that on the wall.
fn of_free_masses(setting: &Setting, modal_mass: f64) -> f64 {
    let modes = setting.resonator.modes.len() as f64;
    let reduced = 1.0 / (1.0 / setting.mass + modes / modal_mass);
    (reduced / setting.mass).powf(1.0 / (setting.exponent + 1.0))
}
