//! The map from stiffness and dissipation to contact time, centroid and restitution, sampled on lines of constant dissipation.
//!
//! Along a line the contact hardens. The lines are what is drawn as the reachable region, and where root-finding starts. A
//! line may jump: where the force between hammer and resonator just vanishes in the middle of a contact, that contact becomes two,
//! and no stiffness gives the contact times in between.

use super::{Design, DesignError, Features, Setting, Targets};

/// One line of constant dissipation, from hard to soft.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Dissipation μ in s/m.
    pub dissipation: f64,
    /// Contacts along it.
    pub points: Vec<Design>,
}

/// The sampled map of one setting.
#[derive(Clone, Debug)]
pub struct Map {
    setting: Setting,
    lines: Vec<Line>,
}

/// Softest contact of the map, as the time in s it would last on a wall.
const SOFTEST: f64 = 0.03;
/// Contacts along a line.
const CONTACTS: usize = 56;
/// μ v_in of the lines.
const DAMPINGS: [f64; 11] = [0.0, 0.01, 0.03, 0.06, 0.1, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0];

impl Map {
    /// Samples the map of a setting: some hundred strikes, a fraction of a second.
    ///
    /// # Errors
    /// The setting is out of range, or a strike cannot be computed.
    pub fn new(setting: Setting) -> Result<Self, DesignError> {
        setting.check()?;
        let hardest = 2.0 / setting.rate;
        let mut lines = Vec::with_capacity(DAMPINGS.len());
        for damping in DAMPINGS {
            let dissipation = damping / setting.velocity;
            let mut points = Vec::with_capacity(CONTACTS);
            for index in 0..CONTACTS {
                let part = index as f64 / (CONTACTS - 1) as f64;
                let hardness = (1.0 - part) * hardest.ln() + part * SOFTEST.ln();
                points.extend(setting.at(hardness, setting.coordinate(dissipation))?);
            }
            lines.push(Line { dissipation, points });
        }
        Ok(Self { setting, lines })
    }

    /// What was mapped.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Its lines, from lossless to strongly damped.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The contact whose features come nearest to the targets, by the logarithms of their ratios.
    pub fn nearest(&self, targets: &Targets) -> Option<Design> {
        let all = self.lines.iter().flat_map(|line| &line.points);
        let mut best = *all.min_by(|a, b| distance(a, targets).total_cmp(&distance(b, targets)))?;
        let mut place = [self.setting.hardness(&best), self.setting.coordinate(best.dissipation)];
        // A compass search: try the four directions, and shorten the steps when none of them leads closer.
        let mut step = [0.1, 0.3];
        for _ in 0..40 {
            let moves = [[step[0], 0.0], [-step[0], 0.0], [0.0, step[1]], [0.0, -step[1]]];
            let tried = moves.into_iter().filter_map(|[across, up]| {
                let there = [place[0] + across, (place[1] + up).clamp(0.0, self.highest())];
                Some((there, self.setting.at(there[0], there[1]).ok()??))
            });
            match tried.min_by(|a, b| distance(&a.1, targets).total_cmp(&distance(&b.1, targets))) {
                Some((there, point)) if distance(&point, targets) < distance(&best, targets) => {
                    (place, best) = (there, point)
                }
                _ => step = step.map(|length| 0.5 * length),
            }
        }
        Some(best)
    }

    fn highest(&self) -> f64 {
        self.lines.last().map_or(0.0, |line| self.setting.coordinate(line.dissipation))
    }
}

/// How far the features of a contact are from the targets: root of the sum of squared logarithms of ratios.
fn distance(point: &Design, targets: &Targets) -> f64 {
    let Features { contact_time, centroid, restitution, .. } = point.features;
    let parts =
        [(contact_time, targets.contact_time), (centroid, targets.centroid), (restitution, targets.restitution)];
    let square = |(value, target): (f64, Option<f64>)| target.map_or(0.0, |target| (value / target).ln().powi(2));
    parts.into_iter().map(square).sum::<f64>().sqrt()
}
