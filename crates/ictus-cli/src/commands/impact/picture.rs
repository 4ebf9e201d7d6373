//! The impact as a picture: phase portrait, force over compression, energy, displacement.
//!
//! Schemes are added one by one. The exact motion lies under them as a broad grey line. What a failing scheme
//! throws far off is cut at the edge of the panel.

use ictus::impact::Sample;
use ictus_lab::impact::{Extent, Track};

use super::Setup;
use crate::figures::{Axis, Curve, Dash, Figure, Mark, Panel, Spacing, Stroke, colour};
use crate::quantity::{show, significant};

/// Samples are marked by dots while there are no more than this in the time shown.
const MOST_DOTS: f64 = 60.0;
/// With more schemes than this, lines get thinner and dots are left out.
const FEW: usize = 4;

/// Picks a curve of a motion.
type Points = fn(&Track) -> &Vec<(f64, f64)>;

/// A picture in the making.
pub struct Picture<'a> {
    setup: &'a Setup,
    extent: Extent,
    exact: Track,
    tracks: Vec<Track>,
}

impl<'a> Picture<'a> {
    /// A picture with the exact motion only.
    pub fn new(setup: &'a Setup) -> Self {
        let extent = Extent::of(setup);
        let exact = Track::exact(setup, &extent);
        Self { setup, extent, exact, tracks: Vec::new() }
    }

    /// Adds the motion a scheme computed; nothing if there is none.
    pub fn add(&mut self, name: &'static str, samples: &[Sample]) {
        if samples.len() > 1 {
            self.tracks.push(Track::of(name, samples, &self.setup.problem, &self.extent));
        }
    }

    /// The finished picture.
    pub fn figure(&self) -> Figure {
        Figure {
            title: title(self.setup),
            columns: 2,
            panel_size: Figure::PANEL,
            panels: vec![self.phase(), self.force(), self.energy(), self.displacement()],
            legend: self.legend(),
        }
    }

    fn phase(&self) -> Panel {
        let velocity = self.extent.velocity;
        let exact = &self.setup.exact;
        Panel {
            title: self.title("Phase portrait", "Phase portrait of the first impact"),
            x: self.compression_axis(),
            y: self.axis("velocity", "m/s", |track| &track.phase, (-1.15 * velocity, 1.15 * velocity), velocity),
            curves: self.curves(|track| &track.phase),
            marks: vec![
                Mark::Vertical(exact.max_compression(), "x_max"),
                Mark::Horizontal(exact.output_velocity(), "v_out"),
            ],
            labels: Vec::new(),
            heat: None,
        }
    }

    fn force(&self) -> Panel {
        let force = self.extent.force;
        Panel {
            title: self.title("Force over compression", "Force of the first impact"),
            x: self.compression_axis(),
            y: self.axis("force", "N", |track| &track.force, (-0.08 * force, 1.12 * force), force),
            curves: self.curves(|track| &track.force),
            marks: vec![Mark::Vertical(self.setup.exact.max_compression(), "x_max")],
            labels: Vec::new(),
            heat: None,
        }
    }

    fn energy(&self) -> Panel {
        let energy = self.extent.energy;
        let parts: [(Points, Dash); 3] = [
            (|track| &track.kinetic, Dash::Dashed),
            (|track| &track.potential, Dash::Dotted),
            (|track| &track.total, Dash::Solid),
        ];
        let curves = parts
            .into_iter()
            .flat_map(|(points, dash)| self.curves(points).into_iter().map(move |curve| self.as_energy(curve, dash)));
        Panel {
            title: "Energy",
            x: self.time_axis(),
            y: self.axis("energy", "J", |track| &track.total, (-0.04 * energy, 1.12 * energy), energy),
            curves: curves.collect(),
            marks: Vec::new(),
            labels: Vec::new(),
            heat: None,
        }
    }

    /// Parts of the energy stand back behind their sum.
    fn as_energy(&self, mut curve: Curve, dash: Dash) -> Curve {
        curve.dots = None;
        if dash != Dash::Solid {
            let pale = match self.tracks.len() {
                0 | 1 => 0.2,
                2..=FEW => 0.5,
                _ => 0.75,
            };
            if curve.stroke != exact_stroke() {
                curve.stroke.dash = dash;
            }
            curve.stroke.colour = paled(&curve.stroke.colour, pale);
            curve.stroke.width *= 0.8;
        }
        curve
    }

    fn displacement(&self) -> Panel {
        let compression = self.extent.compression;
        let highest = self.exact.displacement.iter().map(|point| point.1).fold(0.0, f64::min);
        let (usual, slack, label) = if self.setup.bounces() {
            ((1.1 * highest, 0.06 * highest.abs() + compression), highest.abs(), "")
        } else {
            ((-compression, 1.2 * compression), compression, "x_max")
        };
        let mut y = self.axis("displacement", "m", |track| &track.displacement, usual, slack);
        if !self.setup.bounces() {
            // Flights go on for ever: the impact is what is to be seen.
            y.range.0 = usual.0;
        }
        Panel {
            title: "Displacement",
            x: self.time_axis(),
            y,
            curves: self.curves(|track| &track.displacement),
            marks: vec![Mark::Horizontal(self.setup.exact.max_compression(), label), Mark::Horizontal(0.0, "")],
            labels: Vec::new(),
            heat: None,
        }
    }

    fn title(&self, once: &'static str, bouncing: &'static str) -> &'static str {
        if self.setup.bounces() { bouncing } else { once }
    }

    fn compression_axis(&self) -> Axis {
        let size = self.extent.compression;
        Axis { quantity: "compression", unit: "m", range: (-0.25 * size, 1.2 * size), spacing: Spacing::Linear }
    }

    fn time_axis(&self) -> Axis {
        Axis { quantity: "time", unit: "s", range: self.extent.time, spacing: Spacing::Linear }
    }

    /// An axis that shows the usual, and what the schemes made of it where that is no more than `slack` beyond.
    fn axis(&self, quantity: &'static str, unit: &'static str, points: Points, usual: (f64, f64), slack: f64) -> Axis {
        let allowed = usual.0 - slack..=usual.1 + slack;
        let values = self.tracks.iter().flat_map(points).map(|point| point.1);
        let margin = 0.05 * (usual.1 - usual.0);
        let range = values.filter(|value| allowed.contains(value)).fold(usual, |(low, high), value| {
            let low = if value < usual.0 { low.min(value - margin) } else { low };
            (low, if value > usual.1 { high.max(value + margin) } else { high })
        });
        Axis { quantity, unit, range, spacing: Spacing::Linear }
    }

    fn curves(&self, points: Points) -> Vec<Curve> {
        let exact = Curve { points: points(&self.exact).clone(), stroke: exact_stroke(), dots: None };
        let samples = (self.extent.time.1 - self.extent.time.0) * self.setup.problem.rate;
        let dots = (self.tracks.len() <= FEW && samples <= MOST_DOTS).then_some(2.6);
        let scheme = |track: &Track| {
            let stroke = self.stroke(track.name);
            Curve { points: points(track).clone(), stroke, dots }
        };
        std::iter::once(exact).chain(self.tracks.iter().map(scheme)).collect()
    }

    /// Variants of a scheme share its colour.
    fn stroke(&self, name: &str) -> Stroke {
        let base = |name: &str| name.split('+').next().unwrap_or_default().to_owned();
        let mut bases: Vec<String> = Vec::new();
        for known in self.tracks.iter().map(|track| base(track.name)) {
            if !bases.contains(&known) {
                bases.push(known);
            }
        }
        let place = bases.iter().position(|known| *known == base(name)).unwrap_or(0);
        Stroke {
            colour: colour(place),
            width: if self.tracks.len() > FEW { 1.2 } else { 1.6 },
            dash: if name.contains('+') { Dash::Alternating } else { Dash::Solid },
        }
    }

    fn legend(&self) -> Vec<(String, Stroke)> {
        let key = |name: &str, dash| {
            let stroke = Stroke { colour: "#444444".into(), width: 1.2, dash };
            (name.to_owned(), stroke)
        };
        let parts = [key("total energy", Dash::Solid), key("kinetic", Dash::Dashed), key("potential", Dash::Dotted)];
        let schemes = self.tracks.iter().map(|track| (track.name.to_owned(), self.stroke(track.name)));
        std::iter::once(("exact".to_owned(), exact_stroke())).chain(schemes).chain(parts).collect()
    }
}

fn exact_stroke() -> Stroke {
    Stroke { colour: "#c4c4c4".into(), width: 5.0, dash: Dash::Solid }
}

/// The colour with that part of white.
fn paled(colour: &str, part: f64) -> String {
    let channel = |at: usize| {
        let digits = colour.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let value = f64::from(digits.unwrap_or(0));
        (value + (255.0 - value) * part).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", channel(1), channel(3), channel(5))
}

fn title(setup: &Setup) -> String {
    let exact = &setup.exact;
    format!(
        "m = {}, K = {} N/m^α, α = {}, μ = {} s/m, impact at {} m/s, {} Hz",
        show(exact.mass * 1e3, "g"),
        significant(exact.stiffness, 4),
        significant(exact.exponent, 4),
        significant(exact.dissipation, 4),
        significant(exact.velocity, 4),
        significant(setup.problem.rate, 6),
    )
}
