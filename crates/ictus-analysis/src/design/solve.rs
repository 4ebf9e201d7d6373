//! Two targets, two unknowns: along every line of constant dissipation the stiffness that meets the first target is found, and
//! between two lines the dissipation that meets the second.
//!
//! Each root lies in a bracket, so it cannot be missed by a bad start; a jump of the map also changes sign, and is told from a
//! root by its value.

use super::root::{Place, root};
use super::{Design, DesignError, Features, Line, Map, Targets, check};

/// Logarithm of a ratio below which a target counts as met.
pub(super) const MET: f64 = 1e-8;
/// Logarithm of a ratio that a smooth map does not miss by where the root is known to five digits.
const JUMP: f64 = 1e-2;
/// How far apart two neighbouring lines may meet the same target, as a ratio of hardness: beyond, they are different branches.
const BRANCH: f64 = 0.7;

/// Reads a feature.
pub(super) type Feature = fn(&Features) -> f64;

/// A feature and what it should be.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) feature: Feature,
    pub(super) value: f64,
}

impl Wanted {
    /// 0 where the target is met.
    pub(super) fn excess(&self, point: &Design) -> f64 {
        ((self.feature)(&point.features) / self.value).ln()
    }
}

/// Where a line meets the first target.
#[derive(Clone, Copy)]
pub(super) struct Met {
    hardness: f64,
    coordinate: f64,
    pub(super) point: Design,
}

impl Map {
    /// The contact that meets two targets; if several do, the least damped of them.
    ///
    /// # Errors
    /// There are not two targets, one is not a positive number, or no contact meets them.
    pub fn design(&self, targets: &Targets) -> Result<Design, DesignError> {
        let pair = wanted(targets)?;
        self.each_design(&pair, |found| Some(*found)).ok_or(DesignError::Unreachable)
    }

    /// Hands over the contacts that meet both targets, the less damped first, until one of them is liked.
    pub(super) fn each_design<T>(&self, pair: &[Wanted; 2], like: impl FnMut(&Design) -> Option<T>) -> Option<T> {
        self.each_along(&self.meeting(&pair[0], self.lines()), pair, like)
    }

    /// The same, where lines that follow each other are known to meet the first target.
    pub(super) fn each_along<T>(
        &self,
        met: &[Vec<Met>],
        [first, second]: &[Wanted; 2],
        mut like: impl FnMut(&Design) -> Option<T>,
    ) -> Option<T> {
        let exact = |met: &&Met| second.excess(&met.point).abs() < 0.1 * MET;
        if let Some(liked) = met.iter().flatten().filter(exact).find_map(|met| like(&met.point)) {
            return Some(liked);
        }
        for lines in met.windows(2) {
            for (below, above) in lines[0].iter().flat_map(|below| lines[1].iter().map(move |above| (below, above))) {
                let crosses = second.excess(&below.point) * second.excess(&above.point) < 0.0;
                if crosses
                    && (below.hardness - above.hardness).abs() < BRANCH
                    && let Some(liked) = self.between(below, above, first, second).and_then(|found| like(&found))
                {
                    return Some(liked);
                }
            }
        }
        None
    }

    /// Where each of these lines meets a target.
    pub(super) fn meeting(&self, wanted: &Wanted, lines: &[Line]) -> Vec<Vec<Met>> {
        lines.iter().map(|line| self.along(line, wanted).collect()).collect()
    }

    /// Where a line meets a target.
    pub(super) fn along<'a>(&'a self, line: &'a Line, wanted: &'a Wanted) -> impl Iterator<Item = Met> + 'a {
        let coordinate = self.setting().coordinate(line.dissipation);
        let pairs = line.points.windows(2).filter(|pair| wanted.excess(&pair[0]) * wanted.excess(&pair[1]) <= 0.0);
        pairs.filter_map(move |pair| {
            self.on_line(coordinate, [&pair[0], &pair[1]].map(|p| self.setting().hardness(p)), wanted)
        })
    }

    /// The contact of this coordinate, between two hardnesses, that meets a target.
    fn on_line(&self, coordinate: f64, between: [f64; 2], wanted: &Wanted) -> Option<Met> {
        let excess = |hardness: f64| Some(wanted.excess(&self.setting().at(hardness, coordinate).ok()??));
        let mut places = Vec::with_capacity(2);
        for x in between {
            places.push(Place { x, value: excess(x)? });
        }
        if places[0].value * places[1].value > 0.0 {
            return None;
        }
        // A jump shows long before the root is exact.
        let [low, high] = [places[0], places[1]];
        let rough = root(excess, low, high, 1e-5)?;
        if rough.value.abs() > JUMP {
            return None;
        }
        let found = root(excess, low, high, 1e-14)?;
        let point = self.setting().at(found.x, coordinate).ok()??;
        (wanted.excess(&point).abs() < MET).then_some(Met { hardness: found.x, coordinate, point })
    }

    /// The contact near a hardness that meets a target: the bracket is widened until it holds one.
    fn near(&self, hardness: f64, coordinate: f64, wanted: &Wanted) -> Option<Met> {
        let mut width = 0.01;
        while width < BRANCH {
            if let Some(met) = self.on_line(coordinate, [hardness - width, hardness + width], wanted) {
                return Some(met);
            }
            width *= 1.7;
        }
        None
    }

    /// The contact that meets both targets between two that meet the first.
    fn between(&self, below: &Met, above: &Met, first: &Wanted, second: &Wanted) -> Option<Design> {
        let mut guess = (below.coordinate, below.hardness, above.coordinate, above.hardness);
        let mut last = below.point;
        let excess = |coordinate: f64| {
            let part = (coordinate - guess.0) / (guess.2 - guess.0);
            let met = self.near(guess.1 + part * (guess.3 - guess.1), coordinate, first)?;
            last = met.point;
            // The curve of hardnesses is followed as it is found.
            if second.excess(&met.point) * second.excess(&below.point) > 0.0 {
                (guess.0, guess.1) = (coordinate, met.hardness);
            } else {
                (guess.2, guess.3) = (coordinate, met.hardness);
            }
            Some(second.excess(&met.point))
        };
        let [low, high] = [below, above].map(|met| Place { x: met.coordinate, value: second.excess(&met.point) });
        root(excess, low, high, 1e-13)?;
        let met = first.excess(&last).abs() < MET && second.excess(&last).abs() < MET;
        met.then_some(last)
    }
}

/// The two targets, the one that stiffness answers to first.
pub(super) fn wanted(targets: &Targets) -> Result<[Wanted; 2], DesignError> {
    let features: [(Feature, Option<f64>, &'static str, &'static str); 3] = [
        (|f| f.contact_time, targets.contact_time, "contact time", "above 0 s"),
        (|f| f.centroid, targets.centroid, "centroid", "above 0 Hz"),
        (|f| f.restitution, targets.restitution, "restitution", "above 0"),
    ];
    let mut wanted = Vec::with_capacity(3);
    for (feature, value, name, expected) in features {
        if let Some(value) = value {
            wanted.push(Wanted { feature, value: check(name, expected, value, value > 0.0 && value.is_finite())? });
        }
    }
    wanted
        .try_into()
        .map_err(|_| DesignError::Count("stiffness and dissipation take two targets, no more and no fewer"))
}
