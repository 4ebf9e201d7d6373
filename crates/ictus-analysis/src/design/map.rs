//! The map from stiffness and dissipation to contact time, centroid and restitution, sampled on lines of constant dissipation.
//!
//! Along a line the contact hardens. The lines are what is drawn as the reachable region, and where root-finding starts. A
//! line may jump: where the force between hammer and resonator just vanishes in the middle of a contact, that contact becomes two,
//! and no stiffness gives the contact times in between.

use super::{Design, DesignError, Setting};

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
/// Hardest contact of the map, the same in samples.
const HARDEST_SAMPLES: f64 = 2.0;
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
        let [hardest, softest] = setting.searched();
        let mut lines = Vec::with_capacity(DAMPINGS.len());
        for damping in DAMPINGS {
            let dissipation = damping / setting.velocity;
            let mut points = Vec::with_capacity(CONTACTS);
            for index in 0..CONTACTS {
                let part = index as f64 / (CONTACTS - 1) as f64;
                let hardness = (1.0 - part) * hardest.ln() + part * softest.ln();
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
}

impl Setting {
    /// The contacts that a map holds: how long, in s, the hardest and the softest of them would last on a rigid wall.
    pub fn searched(&self) -> [f64; 2] {
        [HARDEST_SAMPLES / self.rate, SOFTEST]
    }
}
