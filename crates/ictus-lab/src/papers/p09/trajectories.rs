//! Motions of several schemes in one impact, as panels and as a table.

use ictus::impact::{Run, Sample};

use super::cases::{Case, RATE, SCHEMES};
use super::exact_figures::orbit;
use crate::figures::{Axis, Curve, Dash, Mark, Panel, Stroke, colour};
use crate::papers::DataTable;

/// A scheme's motion.
pub struct Track {
    /// Name of the scheme.
    pub name: &'static str,
    /// What it computed.
    pub run: Run,
}

/// The motions of these schemes in one impact, and the exact one.
pub struct Trajectories {
    case: Case,
    tracks: Vec<Track>,
    reference: Run,
}

/// Samples of the reference per sample.
const FINE: usize = 64;

type Failed = Box<dyn std::error::Error + Send + Sync>;

/// The look of a scheme's line; a corrected scheme has the colour of the scheme it corrects.
pub fn stroke(name: &str) -> Stroke {
    let base = name.split('+').next().unwrap_or(name);
    let place = SCHEMES.iter().position(|scheme| *scheme == base).unwrap_or(2 * SCHEMES.len());
    Stroke::solid(colour(if name.contains('+') { place + SCHEMES.len() } else { place }))
}

/// The look of the exact motion.
pub fn exact_stroke() -> Stroke {
    Stroke::solid("#c4c4c4").wide(5.0)
}

impl Trajectories {
    /// Runs the schemes.
    pub fn new(case: Case, names: &[&'static str]) -> Result<Self, Failed> {
        let tracks = names.iter().map(|name| Ok(Track { name, run: case.run(name)? }));
        let tracks = tracks.collect::<Result<_, Failed>>()?;
        Ok(Self { case, tracks, reference: case.run_at("rk4", FINE as f64 * RATE)? })
    }

    /// A scheme's run.
    pub fn of(&self, name: &str) -> Result<&Run, Failed> {
        let track = self.tracks.iter().find(|track| track.name == name);
        Ok(&track.ok_or_else(|| format!("{name} was not run"))?.run)
    }

    /// Every sample of every scheme.
    pub fn table(&self, suffix: &'static str) -> DataTable {
        let columns = ["scheme", "sample", "time_s", "x_m", "v_m/s", "force_N", "kinetic_J", "potential_J", "total_J"];
        let mut table = DataTable::new(suffix, &columns);
        for Track { name, run } in &self.tracks {
            for (n, s) in run.samples.iter().enumerate() {
                let (n, total) = (n as f64, s.kinetic + s.potential);
                table.labelled(
                    [*name],
                    [n, n / RATE, s.displacement, s.velocity, s.force, s.kinetic, s.potential, total],
                );
            }
        }
        table
    }

    /// Velocity over compression, with x_max and v_out.
    pub fn phase(&self, title: &'static str) -> Panel {
        let exact = self.case.exact();
        let (x_max, v_in) = (exact.max_compression(), exact.velocity);
        let under = orbit(exact).into_iter().map(|(v, x, _)| (x, v)).collect();
        let curves = self.curves(under, |_, s| (s.displacement, s.velocity));
        let x = Axis::linear("compression", "m", (-0.2 * x_max, 1.3 * x_max));
        Panel::new(title, x, Axis::linear("velocity", "m/s", (-1.1 * v_in, 1.1 * v_in)), curves)
            .mark(Mark::Vertical(x_max, "x_max"))
            .mark(Mark::Horizontal(exact.output_velocity(), "v_out"))
    }

    /// Force over compression.
    pub fn characteristic(&self) -> Panel {
        let exact = self.case.exact();
        let under = orbit(exact).into_iter().map(|(_, x, f)| (x, f)).collect();
        let curves = self.curves(under, |_, s| (s.displacement, s.force));
        let x = Axis::linear("compression", "m", (-0.1 * exact.max_compression(), 1.3 * exact.max_compression()));
        let y = Axis::around("force", "N", curves.iter().flat_map(|curve| &curve.points).map(|point| point.1));
        Panel::new("Force over compression", x, y, curves).mark(Mark::Vertical(exact.max_compression(), "x_max"))
    }

    /// Force over time.
    pub fn force(&self) -> Panel {
        let curves = self.curves(self.fine(|s| s.force), |t, s| (t, s.force));
        let y = Axis::around("force", "N", curves.iter().flat_map(|curve| &curve.points).map(|point| point.1));
        Panel::new("Force", self.time(), y, curves)
    }

    /// The Hamiltonian over time, with what it is before and after.
    pub fn hamiltonian(&self, title: &'static str) -> Panel {
        let curves = self.curves(self.fine(total), |t, s| (t, total(s)));
        let y = Axis::around("energy H", "J", curves.iter().flat_map(|curve| &curve.points).map(|point| point.1));
        self.with_levels(Panel::new(title, self.time(), y, curves))
    }

    /// Kinetic, potential and total energy over time; the parts by the last scheme only, since a broken line hides another.
    pub fn energies(&self) -> Panel {
        let mut curves = self.curves(self.fine(total), |t, s| (t, total(s)));
        curves.extend(self.curves(Vec::new(), |t, s| (t, s.kinetic)).pop().map(|curve| dashed(curve, Dash::Dashed)));
        curves.extend(self.curves(Vec::new(), |t, s| (t, s.potential)).pop().map(|curve| dashed(curve, Dash::Dotted)));
        let energy = self.case.exact().initial_energy();
        let y = Axis::linear("energy", "J", (-0.04 * energy, 1.1 * energy));
        self.with_levels(Panel::new("(b) Energy: H, T (dashed), V (dotted)", self.time(), y, curves))
    }

    fn with_levels(&self, panel: Panel) -> Panel {
        let exact = self.case.exact();
        let panel = panel.mark(Mark::Horizontal(exact.initial_energy(), "H_0"));
        panel.mark(Mark::Horizontal(exact.final_energy(), "H_τ"))
    }

    fn time(&self) -> Axis {
        Axis::linear("time", "s", (0.0, 1.3 * self.case.exact().contact_time()))
    }

    fn fine(&self, value: fn(&Sample) -> f64) -> Vec<(f64, f64)> {
        let point = |(n, s): (usize, &Sample)| (n as f64 / (FINE as f64 * RATE), value(s));
        self.reference.samples.iter().enumerate().map(point).collect()
    }

    fn curves(&self, exact: Vec<(f64, f64)>, point: fn(f64, &Sample) -> (f64, f64)) -> Vec<Curve> {
        let few = self.case.exact().contact_time() * RATE < 40.0;
        let scheme = |(place, Track { name, run }): (usize, &Track)| {
            let points = run.samples.iter().enumerate().map(|(n, s)| point(n as f64 / RATE, s)).collect();
            if few {
                return Curve::line(points, stroke(name)).dotted();
            }
            // Lines that lie on each other are drawn one inside the other.
            Curve::line(points, stroke(name).wide(1.2 * (self.tracks.len() - place) as f64)).simplified()
        };
        let under = Curve::line(exact, if few { exact_stroke() } else { exact_stroke().wide(8.0) }).simplified();
        std::iter::once(under).chain(self.tracks.iter().enumerate().map(scheme)).collect()
    }
}

/// Kinetic and potential energy in J.
pub fn total(sample: &Sample) -> f64 {
    sample.kinetic + sample.potential
}

fn dashed(mut curve: Curve, dash: Dash) -> Curve {
    curve.dots = None;
    curve.stroke = curve.stroke.dashed(dash).wide(1.6);
    curve
}
