//! One system, run sample by sample: what moves, where the energy is, and whether the account closes.

use ictus::control::Change;
use ictus::id::{ContactId, ObjectId};
use ictus::model::{Pickup, Point, Source};
use ictus::{Engine, Model};

use crate::figures::{Axis, Curve, Dash, Figure, Panel, Stroke, colour, simplified};
use crate::papers::{Check, Computed, DataTable, Outcome, largest};

/// Sample rate in Hz of all systems.
pub const RATE: f64 = 44_100.0;

/// Samples drawn as one in the imbalance.
const TOGETHER: usize = 16;

/// A system to run.
pub struct System {
    /// Heading of the figure.
    pub title: &'static str,
    /// What is there.
    pub model: Model,
    /// What is seen: a name and a place.
    pub seen: Vec<(&'static str, Point)>,
    /// What happens at the start.
    pub start: Option<Change>,
    /// Duration in s.
    pub seconds: f64,
    /// One row of data for so many samples.
    pub every: usize,
}

/// What was recorded.
pub struct Record {
    /// Per sample, the displacements seen, in m.
    pub displacements: Vec<Vec<f64>>,
    /// Per sample, the energy in each part, in J.
    pub energies: Vec<Vec<f64>>,
    /// Per sample, energy dissipated so far and the imbalance, both in J.
    pub account: Vec<[f64; 2]>,
    /// Per sample, the relative residual of the account.
    residuals: Vec<f64>,
    /// Contacts that ended.
    pub contacts: usize,
    /// Names of the parts that hold energy.
    pub parts: Vec<String>,
}

impl Record {
    fn residual(&self) -> f64 {
        largest(self.residuals.iter().copied())
    }

    /// Energy at the start in J.
    pub fn energy(&self) -> f64 {
        self.energies.first().map_or(f64::NAN, |parts| parts.iter().sum())
    }

    /// Most energy that one part ever held, as a part of that at the start.
    pub fn most_energy(&self, part: usize) -> f64 {
        largest(self.energies.iter().map(|parts| parts[part])) / self.energy()
    }

    /// That no part ever holds negative energy, where it is more than a sum of squares: the discrete energy of a spring, a string or a
    /// plate mixes two samples, and is negative where a scheme is not stable.
    pub fn never_negative(&self) -> Check {
        let lowest = -largest(self.energies.iter().flatten().map(|energy| -energy));
        Check::holds("no part ever holds negative energy", format!("lowest {lowest:.1e} J"), lowest >= 0.0)
    }
}

/// Runs a system; `more` adds checks of it. They are ours: the notes print no result, only that the energy adds up.
pub fn run(system: System, more: impl FnOnce(&Record) -> Vec<Check>) -> Computed {
    let System { title, mut model, seen, start, seconds, every } = system;
    let channels = seen.len();
    for (channel, (_, point)) in seen.iter().enumerate() {
        let gains = (0..channels).map(|other| if other == channel { 1.0 } else { 0.0 }).collect();
        model = model.listen(Pickup { source: Source::Displacement(point.clone()), gains });
    }
    let objects: Vec<String> = model.objects.iter().map(|object| object.name.clone()).collect();
    let interactions: Vec<String> = model.interactions.iter().map(|interaction| interaction.name.clone()).collect();
    let mut engine = model.build()?;
    if let Some(change) = &start {
        engine.change(change)?;
    }
    let record = record(&mut engine, &objects, &interactions, channels, (seconds * RATE) as usize);
    let names: Vec<&str> = seen.iter().map(|(name, _)| *name).collect();
    let initial = record.energy();
    let stored: f64 = record.energies.last().map_or(0.0, |parts| parts.iter().sum());
    let lost = record.account.last().map_or(0.0, |account| account[0]);
    let mut checks = vec![Check::at_most(
        "the energy adds up: residual of the account, relative, largest of all samples",
        1e-12,
        record.residual(),
        "",
    )];
    checks.extend(more(&record).into_iter().map(Check::own));
    Ok(Outcome::default()
        .picture("", figure(title, &names, &record))
        .table(table(&names, &record, every))
        .checks(checks)
        .remark(format!(
            "{:.4e} J at the start, {stored:.4e} J stored and {lost:.4e} J dissipated at the end; {} contacts.",
            initial, record.contacts
        )))
}

fn record(engine: &mut Engine, objects: &[String], interactions: &[String], channels: usize, samples: usize) -> Record {
    engine.keep_account_of_energy(true);
    let mut record = Record {
        displacements: Vec::new(),
        energies: Vec::new(),
        account: Vec::new(),
        residuals: Vec::new(),
        contacts: 0,
        parts: objects.iter().chain(interactions).cloned().collect(),
    };
    let mut frame = vec![0.0; channels];
    for _ in 0..samples {
        engine.process(&mut frame);
        record.displacements.push(frame.clone());
        let of_objects = (0..objects.len()).map(|object| engine.object_energy(ObjectId::new(object)).unwrap_or(0.0));
        let of_contacts =
            (0..interactions.len()).map(|index| engine.interaction_energy(ContactId::new(index)).unwrap_or(0.0));
        record.energies.push(of_objects.chain(of_contacts).collect());
        let balance = engine.balance();
        record
            .account
            .push([balance.dissipated, balance.stored + balance.dissipated - balance.supplied - balance.initial]);
        record.residuals.push(balance.residual());
        record.contacts += engine.drain_contacts().count();
    }
    record
}

fn time(sample: usize) -> f64 {
    (sample + 1) as f64 / RATE
}

fn figure(title: &'static str, names: &[&str], record: &Record) -> Figure {
    let end = time(record.account.len());
    let curve = |points: Vec<(f64, f64)>, stroke: Stroke| {
        let height = points.iter().map(|point| point.1.abs()).fold(f64::MIN_POSITIVE, f64::max);
        Curve::line(simplified(points.into_iter(), (end, height), 1e-3), stroke.wide(1.2))
    };
    let mut figure = Figure::new(title, 3, Vec::new());
    let mut displacements = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let points = record.displacements.iter().enumerate().map(|(n, seen)| (time(n), seen[index])).collect();
        displacements.push(curve(points, Stroke::solid(colour(index))));
        figure = figure.key(format!("displacement: {name}"), Stroke::solid(colour(index)));
    }
    let mut energies = Vec::new();
    let total: Vec<(f64, f64)> = record
        .energies
        .iter()
        .zip(&record.account)
        .enumerate()
        .map(|(n, (parts, account))| (time(n), parts.iter().sum::<f64>() + account[0]))
        .collect();
    for (index, part) in record.parts.iter().enumerate() {
        let points: Vec<(f64, f64)> =
            record.energies.iter().enumerate().map(|(n, parts)| (time(n), parts[index])).collect();
        if points.iter().any(|point| point.1 > 0.0) {
            let stroke = Stroke::solid(colour(names.len() + index));
            energies.push(curve(points, stroke.clone()));
            figure = figure.key(format!("energy: {part}"), stroke);
        }
    }
    if record.account.iter().any(|account| account[0] > 0.0) {
        let stroke = Stroke::solid("#444444").dashed(Dash::Dotted);
        let points = record.account.iter().enumerate().map(|(n, account)| (time(n), account[0])).collect();
        energies.push(curve(points, stroke.clone()));
        figure = figure.key("dissipated", stroke);
    }
    let stroke = Stroke::solid("#000000").dashed(Dash::Dashed);
    energies.push(curve(total.clone(), stroke.clone()));
    figure = figure.key("stored + dissipated", stroke);
    let scale = total.iter().map(|point| point.1).fold(f64::MIN_POSITIVE, f64::max);
    // The largest of a few samples: single ones are often exactly 0.
    let largest = |(n, samples): (usize, &[[f64; 2]])| {
        let imbalance = samples.iter().map(|account| account[1].abs()).fold(0.0, f64::max);
        (time(n * TOGETHER), imbalance / scale)
    };
    let drift = record.account.chunks(TOGETHER).enumerate().map(largest).filter(|point| point.1 > 0.0).collect();
    let drift = Panel::new(
        "imbalance, in parts of the energy",
        Axis::linear("time", "s", (0.0, end)),
        Axis::logarithmic("imbalance", "", (1e-18, 1e-11)),
        vec![Curve::line(drift, Stroke::solid("#000000").wide(0.8))],
    );
    figure.panels = vec![
        Panel::around("displacement", ("time", "s"), ("displacement", "m"), displacements),
        Panel::around("energy", ("time", "s"), ("energy", "J"), energies),
        drift,
    ];
    figure
}

fn table(names: &[&str], record: &Record, every: usize) -> DataTable {
    let displacements = names.iter().map(|name| format!("displacement_{name}_m"));
    let parts = record.parts.iter().map(|part| format!("energy_{part}_J"));
    let columns: Vec<String> = ["time_s".to_owned()]
        .into_iter()
        .chain(displacements)
        .chain(parts)
        .chain(["dissipated_J".to_owned(), "imbalance_J".to_owned()])
        .map(|name| name.replace(' ', "_"))
        .collect();
    let mut table = DataTable::new("", &columns.iter().map(String::as_str).collect::<Vec<_>>());
    for n in (0..record.account.len()).step_by(every.max(1)) {
        let row = [time(n)].into_iter().chain(record.displacements[n].iter().copied());
        table.row(row.chain(record.energies[n].iter().copied()).chain(record.account[n]));
    }
    table
}
