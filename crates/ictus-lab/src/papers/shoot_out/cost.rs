//! What a step costs, and the Pareto picture: error over time. Measured on the machine it runs on.

use std::hint::black_box;
use std::time::Instant;

use ictus::impact::Problem;

use super::contestants::{Contestant, contestants};
use crate::figures::{Axis, Curve, Figure, Label, Panel, Stroke, colour};
use crate::papers::{Computed, DataTable, Item, Outcome};
use crate::trials::{Case, Summary, measure, reference};

/// The cost.
pub const ITEM: Item = Item {
    timed: true,
    ..Item::new(
        "shoot-out-cost",
        "Cost of a step, and accuracy over cost",
        "Not from a source: nanoseconds per sample in contact on the machine this was run on, and the schemes that no other beats in both accuracy \
         and cost.",
        "the impacts of shoot-out-accuracy; the fastest of 7 passes over the samples in contact of each, on one thread, after everything else",
        compute,
    )
};

/// Passes over each impact; the fastest counts.
const PASSES: usize = 7;

fn compute() -> Computed {
    let cases = reference();
    let mut table = DataTable::new(
        "",
        &[
            "scheme",
            "ns_per_step",
            "rebound_damped_p95_%",
            "contact_time_p95_%",
            "on_rebound_front",
            "on_contact_time_front",
        ],
    );
    let mut entries = Vec::new();
    for contestant in contestants() {
        if cases.first().is_some_and(|case| contestant.excuse(&case.problem).is_none()) {
            let summary = Summary::of(&measure(contestant.scheme, &contestant.settings, &cases), &cases);
            let cost = nanoseconds(&contestant, &cases);
            entries.push(Entry {
                name: contestant.name,
                cost,
                rebound: 100.0 * summary.damped_rebound.p95,
                time: 100.0 * summary.contact_time.p95,
            });
        }
    }
    let fronts = [front(&entries, |entry| entry.rebound), front(&entries, |entry| entry.time)];
    for (index, entry) in entries.iter().enumerate() {
        let on = |front: &[bool]| f64::from(u8::from(front[index]));
        table.labelled([entry.name.as_str()], [entry.cost, entry.rebound, entry.time, on(&fronts[0]), on(&fronts[1])]);
    }
    Ok(Outcome::default().picture("", figure(&entries, &fronts)).table(table).remark(
        "Times differ from machine to machine and from run to run, so they are kept out of every other file; the picture and the table of this item \
         are the only files that do. Those on the front, joined by a line, are named: no other is both cheaper and more accurate.",
    ))
}

struct Entry {
    name: String,
    cost: f64,
    rebound: f64,
    time: f64,
}

/// Which entries no other beats in cost and error at once.
fn front(entries: &[Entry], error: fn(&Entry) -> f64) -> Vec<bool> {
    // Rounding is no merit: errors below a billionth of a per cent count as none.
    let shown = |entry: &Entry| error(entry).max(1e-9);
    let beaten = |entry: &Entry| entries.iter().any(|other| other.cost < entry.cost && shown(other) <= shown(entry));
    entries.iter().map(|entry| error(entry).is_finite() && !beaten(entry)).collect()
}

/// Time of a step in contact: each impact counts with its fastest pass, since anything else on the machine only adds.
fn nanoseconds(contestant: &Contestant, cases: &[Case]) -> f64 {
    let (mut seconds, mut steps) = (0.0, 0usize);
    for case in cases.iter().step_by(8) {
        let at_wall = Problem { displacement: 0.0, ..case.problem };
        let passes = (0..PASSES).map(|_| pass(contestant, &at_wall, case.length() as usize));
        let (fastest, taken) = passes.fold((f64::INFINITY, 0), |best, pass| if pass.0 < best.0 { pass } else { best });
        seconds += fastest;
        steps += taken;
    }
    1e9 * seconds / steps.max(1) as f64
}

/// Seconds for these steps, and how many were taken.
fn pass(contestant: &Contestant, problem: &Problem, steps: usize) -> (f64, usize) {
    let Ok(mut stepper) = (contestant.scheme.start)(problem, &contestant.settings) else { return (0.0, 0) };
    let begin = Instant::now();
    let taken = (0..steps).take_while(|_| stepper.step().is_ok()).count();
    black_box(stepper.sample());
    (begin.elapsed().as_secs_f64(), taken)
}

/// The palette, and three more colours: there are more schemes than it has.
fn point_colour(index: usize) -> String {
    const MORE: [&str; 3] = ["#e31a1c", "#6a3d9a", "#000000"];
    index.checked_sub(14).and_then(|more| MORE.get(more)).map_or_else(|| colour(index), |more| (*more).to_owned())
}

fn figure(entries: &[Entry], fronts: &[Vec<bool>; 2]) -> Figure {
    let look = |index: usize| Stroke::solid(point_colour(index)).wide(0.0);
    let panel = |title: &'static str, error: fn(&Entry) -> f64, front: &[bool], low: f64| {
        let mut best: Vec<(f64, f64)> = entries
            .iter()
            .zip(front)
            .filter(|(_, on)| **on)
            .map(|(entry, _)| (entry.cost, error(entry).max(low)))
            .collect();
        best.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut curves = vec![Curve::line(best, Stroke::solid("#bbbbbb").wide(3.0))];
        curves.extend(entries.iter().enumerate().map(|(index, entry)| {
            let point = vec![(entry.cost, error(entry).clamp(low, 90.0))];
            Curve { dots: Some(5.0), ..Curve::line(point, look(index)) }
        }));
        let named = entries.iter().zip(front).filter(|(_, on)| **on);
        let labels = named
            .map(|(entry, _)| Label { point: (entry.cost, error(entry).clamp(low, 90.0)), text: entry.name.clone() });
        Panel::new(
            title,
            Axis::logarithmic("cost of a step in ns", "", (5.0, 1e4)),
            Axis::logarithmic("95th percentile of the error", "%", (low, 100.0)),
            curves,
        )
        .labelled(labels.collect())
    };
    let panels = vec![
        panel("Rebound speed of damped impacts", |entry| entry.rebound, &fronts[0], 1e-13),
        panel("Contact time", |entry| entry.time, &fronts[1], 0.01),
    ];
    let mut figure = Figure::new("Shoot-out: accuracy over cost", 2, panels);
    for (index, entry) in entries.iter().enumerate() {
        figure = figure.key(entry.name.clone(), look(index));
    }
    figure.key("front", Stroke::solid("#bbbbbb").wide(3.0))
}
