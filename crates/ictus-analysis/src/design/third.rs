//! Three targets: besides stiffness and dissipation, the mass of the hammer or the exponent of the contact is free.
//!
//! Contact time and restitution fix stiffness and dissipation for each value of the free quantity. From the map's own setting that
//! contact is followed by Newton's method, in small steps up and down, until its centroid crosses the wanted one. At a given contact
//! time and restitution the centroid depends on mass and exponent only so far: many triples are out of reach.

use super::root::{Place, root};
use super::solve::{MET, Wanted, wanted};
use super::{Design, DesignError, Map, Setting, Targets};

/// What is free besides stiffness and dissipation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// Mass of the hammer, from a tenth to ten times the one of the setting.
    Mass,
    /// Exponent of the contact, from 1 to 4.
    Exponent,
}

impl Freedom {
    /// The setting with the free quantity moved by so many steps, or `None` beyond its range.
    fn moved(self, setting: &Setting, steps: f64) -> Option<Setting> {
        match self {
            Self::Mass => {
                let factor = (0.1 * steps).exp();
                (0.0999..=10.01).contains(&factor).then(|| Setting { mass: setting.mass * factor, ..setting.clone() })
            }
            Self::Exponent => {
                let exponent = setting.exponent + 0.05 * steps;
                (1.0..=4.0).contains(&exponent).then(|| Setting { exponent, ..setting.clone() })
            }
        }
    }
}

/// A contact that meets contact time and restitution.
#[derive(Clone)]
struct Followed {
    setting: Setting,
    /// Hardness and coordinate of dissipation.
    place: [f64; 2],
    point: Design,
}

impl Map {
    /// The setting and the contact that meet all three targets.
    ///
    /// # Errors
    /// Not all three targets are given, one is out of range, or no contact that can be followed from the map's setting meets
    /// them: then [`DesignError::Unreachable`].
    pub fn design_freely(&self, freedom: Freedom, targets: &Targets) -> Result<(Setting, Design), DesignError> {
        let Some(centroid) = targets.centroid else {
            return Err(DesignError::Count("a free mass or exponent takes three targets"));
        };
        let pair = wanted(&Targets { centroid: None, ..*targets })?;
        let from = |point: &Design| self.followed_to(*point, freedom, &pair, centroid, f64::INFINITY);
        self.each_design(&pair, from).ok_or(DesignError::Unreachable)
    }

    /// Follows a contact of the map's setting, both ways, at most so many steps, to where its centroid is the wanted one.
    pub(super) fn followed_to(
        &self,
        point: Design,
        freedom: Freedom,
        pair: &[Wanted; 2],
        centroid: f64,
        most_steps: f64,
    ) -> Option<(Setting, Design)> {
        let place = [self.setting().hardness(&point), self.setting().coordinate(point.dissipation)];
        let start = Followed { setting: self.setting().clone(), place, point };
        let excess = |followed: &Followed| (followed.point.features.centroid / centroid).ln();
        for direction in [1.0, -1.0] {
            let (mut here, mut steps): (Followed, f64) = (start.clone(), 0.0);
            while steps.abs() < most_steps
                && let Some(next) = freedom.moved(self.setting(), steps + direction).and_then(|s| here.follow(s, pair))
            {
                if excess(&here) * excess(&next) <= 0.0 {
                    let mut last = next.clone();
                    let sought = |steps: f64| {
                        last = here.follow(freedom.moved(self.setting(), steps)?, pair)?;
                        Some(excess(&last))
                    };
                    let ends = [(steps, &here), (steps + direction, &next)]
                        .map(|(x, followed)| Place { x, value: excess(followed) });
                    root(sought, ends[0], ends[1], 1e-12);
                    if excess(&last).abs() < MET {
                        return Some((last.setting, last.point));
                    }
                }
                (here, steps) = (next, steps + direction);
            }
        }
        None
    }
}

impl Followed {
    /// The contact of a setting nearby that meets both targets, by Newton's method; `None` if it is lost.
    fn follow(&self, setting: Setting, pair: &[Wanted; 2]) -> Option<Self> {
        const SMALL: f64 = 1e-6;
        let mut place = self.place;
        for _ in 0..12 {
            let point = setting.at(place[0], place[1]).ok()??;
            let [x, y] = [&pair[0], &pair[1]].map(|wanted| wanted.excess(&point));
            if x.abs() < 0.1 * MET && y.abs() < 0.1 * MET {
                return Some(Self { setting, place, point });
            }
            let across = setting.at(place[0] + SMALL, place[1]).ok()??;
            let up = setting.at(place[0], place[1] + SMALL).ok()??;
            let slope = |wanted: &Wanted, from: f64, to: &Design| (wanted.excess(to) - from) / SMALL;
            let (xa, xu) = (slope(&pair[0], x, &across), slope(&pair[0], x, &up));
            let (ya, yu) = (slope(&pair[1], y, &across), slope(&pair[1], y, &up));
            let determinant = xa * yu - xu * ya;
            let step = [(xu * y - yu * x) / determinant, (ya * x - xa * y) / determinant];
            // A jump in the way throws Newton far off.
            if !step.iter().all(|part| part.abs() < 0.5) {
                return None;
            }
            place = [place[0] + step[0], (place[1] + step[1]).max(0.0)];
        }
        None
    }
}
