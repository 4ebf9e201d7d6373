//! What can be had where the targets cannot: how far the one that fails may go, and a design nearby.
//!
//! What can be had is what [`Map::design`] and [`Map::design_freely`] find, and nothing else. Every number offered here is rounded
//! to the digits it will be told with, and found, before it is offered: typed back, it is met.

use super::solve::{Met, Wanted, wanted};
use super::{Design, DesignError, Features, Freedom, Map, Setting, Targets};

/// Instead of what cannot be had.
#[derive(Clone, Debug, PartialEq)]
pub struct Instead {
    /// The target that fails.
    pub refused: Refused,
    /// Next to its value, the one below that can be had, in SI units; `None` if there is none.
    pub below: Option<f64>,
    /// The same above.
    pub above: Option<f64>,
    /// The design found nearest, by the logarithms of the ratios of its features to the targets.
    pub nearest: Option<Offer>,
}

/// Which target fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refused {
    /// The first that is given of contact time, centroid, restitution: alone already.
    First,
    /// The second of them, together with the first.
    Second,
    /// The centroid of three: the other two are met by contacts of which the least damped does this.
    Third(Features),
}

/// A design that can be had, and how to ask for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Targets, rounded, that give it.
    pub targets: Targets,
    /// The setting: that of the map, unless something is free.
    pub setting: Setting,
    /// The contact.
    pub design: Design,
}

/// Values tried for one that can be had before the search is given up.
const TRIES: usize = 12;
/// Logarithm of a ratio at which a value that can be had and one that cannot are close enough.
const CLOSE: f64 = 5e-3;
/// How far from the nearest contact a design is looked for: steps of hardness; those of dissipation are three times as long.
const STEPS: [f64; 6] = [0.003, 0.01, 0.03, 0.08, 0.2, 0.5];

impl Map {
    /// What can be had instead of targets that cannot be met, with so many significant digits.
    ///
    /// # Errors
    /// The number of targets does not fit, or one is not a positive number.
    pub fn instead(&self, targets: &Targets, freedom: Option<Freedom>, digits: usize) -> Result<Instead, DesignError> {
        let pair = wanted(&first_two(targets, freedom))?;
        let nearest = self.nearest(targets, freedom, digits);
        let met = self.meeting(&pair[0], self.lines());
        if let Some(found) = freedom.and_then(|_| self.each_along(&met, &pair, |found| Some(found.features))) {
            return Ok(Instead { refused: Refused::Third(found), below: None, above: None, nearest });
        }
        let mut offered = nearest.as_ref().and_then(|offer| wanted(&first_two(&offer.targets, freedom)).ok());
        let (refused, [below, above]) = if met.iter().all(Vec::is_empty) {
            let points = self.lines().iter().flat_map(|line| &line.points);
            let can = |value: f64| {
                let wanted = Wanted { value, ..pair[0] };
                self.lines().iter().any(|line| self.along(line, &wanted).next().is_some())
            };
            (Refused::First, sides(&pair[0], points, digits, can))
        } else {
            // What is offered at another contact time says nothing about this one.
            offered = offered.filter(|offered| offered[0].value == pair[0].value);
            let points = met.iter().flatten().map(|met| &met.point);
            let can = |value: f64| self.can(&met, &[pair[0], Wanted { value, ..pair[1] }]);
            (Refused::Second, sides(&pair[1], points, digits, can))
        };
        let (index, value) = match refused {
            Refused::First => (0, pair[0].value),
            _ => (1, pair[1].value),
        };
        let offered = offered.map(|offered| offered[index].value);
        let below = below.into_iter().chain(offered.filter(|offered| *offered < value)).reduce(f64::max);
        let above = above.into_iter().chain(offered.filter(|offered| *offered > value)).reduce(f64::min);
        Ok(Instead { refused, below, above, nearest })
    }

    fn can(&self, met: &[Vec<Met>], pair: &[Wanted; 2]) -> bool {
        self.each_along(met, pair, |_| Some(())).is_some()
    }

    /// The design nearest to the targets: the nearest contact, or one beside it whose features, rounded, are met.
    fn nearest(&self, targets: &Targets, freedom: Option<Freedom>, digits: usize) -> Option<Offer> {
        let (place, best) = self.nearest_contact(targets)?;
        let offer = |point: &Design| self.offer(&typed(&point.features, targets, digits), point, freedom);
        if let Some(offer) = offer(&best) {
            return Some(offer);
        }
        for step in STEPS {
            let mut around: Vec<Design> = DIRECTIONS
                .iter()
                .filter_map(|[across, up]| self.within([place[0] + step * across, place[1] + 3.0 * step * up]))
                .map(|(_, point)| point)
                .collect();
            around.sort_by(|a, b| distance(a, targets).total_cmp(&distance(b, targets)));
            if let Some(offer) = around.iter().find_map(offer) {
                return Some(offer);
            }
        }
        let mut points: Vec<&Design> = self.lines().iter().flat_map(|line| &line.points).collect();
        points.sort_by(|a, b| distance(a, targets).total_cmp(&distance(b, targets)));
        points.into_iter().take(TRIES).find_map(offer)
    }

    /// What these targets give, if it can be told from the lines around a contact that they can be met.
    fn offer(&self, targets: &Targets, point: &Design, freedom: Option<Freedom>) -> Option<Offer> {
        let pair = wanted(&first_two(targets, freedom)).ok()?;
        let place = self.lines().partition_point(|line| line.dissipation < point.dissipation);
        let lines = &self.lines()[place.saturating_sub(2)..(place + 2).min(self.lines().len())];
        let like = |found: &Design| match (freedom, targets.centroid) {
            (Some(freedom), Some(centroid)) => self.followed_to(*found, freedom, &pair, centroid, 1.0).map(|_| ()),
            _ => Some(()),
        };
        self.each_along(&self.meeting(&pair[0], lines), &pair, like)?;
        let (setting, design) = match freedom {
            Some(freedom) => self.design_freely(freedom, targets).ok()?,
            None => (self.setting().clone(), self.design(targets).ok()?),
        };
        Some(Offer { targets: *targets, setting, design })
    }

    /// The contact whose features come nearest to the targets, and its hardness and coordinate of dissipation.
    fn nearest_contact(&self, targets: &Targets) -> Option<([f64; 2], Design)> {
        let all = self.lines().iter().flat_map(|line| &line.points);
        let mut best = *all.min_by(|a, b| distance(a, targets).total_cmp(&distance(b, targets)))?;
        let mut place = [self.setting().hardness(&best), self.setting().coordinate(best.dissipation)];
        // A compass search: try the four directions, and shorten the steps when none of them leads closer.
        let mut step = [0.1, 0.3];
        for _ in 0..40 {
            let moves = [[step[0], 0.0], [-step[0], 0.0], [0.0, step[1]], [0.0, -step[1]]];
            let tried = moves.into_iter().filter_map(|[across, up]| self.within([place[0] + across, place[1] + up]));
            match tried.min_by(|a, b| distance(&a.1, targets).total_cmp(&distance(&b.1, targets))) {
                Some((there, point)) if distance(&point, targets) < distance(&best, targets) => {
                    (place, best) = (there, point)
                }
                _ => step = step.map(|length| 0.5 * length),
            }
        }
        Some((place, best))
    }

    /// The contact at a hardness and coordinate, or at the edge of the map where they lie beyond it.
    fn within(&self, [hardness, coordinate]: [f64; 2]) -> Option<([f64; 2], Design)> {
        let [hardest, softest] = self.setting().searched().map(f64::ln);
        let highest = self.lines().last().map_or(0.0, |line| self.setting().coordinate(line.dissipation));
        let place = [hardness.clamp(hardest, softest), coordinate.clamp(0.0, highest)];
        Some((place, self.setting().at(place[0], place[1]).ok()??))
    }
}

/// With a third target, the other two alone may be out of reach already.
fn first_two(targets: &Targets, freedom: Option<Freedom>) -> Targets {
    if freedom.is_some() { Targets { centroid: None, ..*targets } } else { *targets }
}

const DIRECTIONS: [[f64; 2]; 8] =
    [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];

/// The values next to a wanted one, below and above, that can be had: from the nearest that some contacts show, by halving.
fn sides<'a>(
    wanted: &Wanted,
    points: impl Iterator<Item = &'a Design>,
    digits: usize,
    can: impl Fn(f64) -> bool,
) -> [Option<f64>; 2] {
    let mut values: Vec<f64> = points.map(|point| (wanted.feature)(&point.features)).collect();
    values.sort_by(|a, b| ((a / wanted.value).ln().abs()).total_cmp(&(b / wanted.value).ln().abs()));
    [-1.0, 1.0].map(|side| {
        let beyond = values.iter().filter(|value| side * (**value - wanted.value) > 0.0);
        let outward = beyond.map(|value| rounded_towards(*value, side, digits)).take(TRIES);
        let mut good = outward.into_iter().find(|value| can(*value))?;
        let mut bad = wanted.value;
        loop {
            let middle = rounded(0.5 * (good + bad), digits);
            let close = (good / bad).ln().abs() < CLOSE;
            if close || side * (good - middle) <= 0.0 || side * (middle - bad) <= 0.0 {
                return Some(good);
            }
            if can(middle) {
                good = middle;
            } else {
                bad = middle;
            }
        }
    })
}

/// The features of a contact, rounded, in place of the targets that are given.
fn typed(features: &Features, targets: &Targets, digits: usize) -> Targets {
    let round = |target: Option<f64>, value: f64| target.map(|_| rounded(value, digits));
    Targets {
        contact_time: round(targets.contact_time, features.contact_time),
        centroid: round(targets.centroid, features.centroid),
        restitution: round(targets.restitution, features.restitution),
    }
}

/// The number with so many significant digits that is nearest.
fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// The number with so many significant digits that is next, up or down.
fn rounded_towards(value: f64, side: f64, digits: usize) -> f64 {
    let near = rounded(value, digits);
    if side * (near - value) >= 0.0 {
        return near;
    }
    let digit = 10f64.powi(value.abs().log10().floor() as i32 + 1 - digits as i32);
    rounded(near + side * digit, digits)
}

/// How far the features of a contact are from the targets: root of the sum of squared logarithms of ratios.
fn distance(point: &Design, targets: &Targets) -> f64 {
    let Features { contact_time, centroid, restitution, .. } = point.features;
    let parts =
        [(contact_time, targets.contact_time), (centroid, targets.centroid), (restitution, targets.restitution)];
    let square = |(value, target): (f64, Option<f64>)| target.map_or(0.0, |target| (value / target).ln().powi(2));
    parts.into_iter().map(square).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_the_side_that_was_asked_for() {
        assert_eq!(rounded(0.033_834_9, 4), 0.033_83);
        assert_eq!(rounded_towards(1234.1, 1.0, 4), 1235.0);
        assert_eq!(rounded_towards(1234.9, -1.0, 4), 1234.0);
        assert_eq!(rounded_towards(999.99, 1.0, 4), 1000.0);
        assert_eq!(rounded_towards(1234.0, 1.0, 4), 1234.0);
    }

    #[test]
    fn the_last_value_that_can_be_had_is_found_on_either_side() {
        let features = |centroid| Features { contact_time: 1.0, centroid, restitution: 1.0, contacts: 1 };
        let point = |centroid| Design { stiffness: 1.0, dissipation: 0.0, features: features(centroid) };
        let points = [point(100.0), point(700.0)];
        let wanted = Wanted { feature: |f| f.centroid, value: 500.0 };
        let can = |value: f64| !(321.07..=642.0).contains(&value);
        let near =
            |found: Option<f64>, edge: f64| found.is_some_and(|value| can(value) && (value / edge).ln().abs() < CLOSE);
        let [below, above] = sides(&wanted, points.iter(), 4, can);
        assert!(near(below, 321.07) && near(above, 642.0), "{below:?} {above:?}");
        let [below, above] = sides(&wanted, points.iter(), 4, |value| value < 200.0);
        assert!(below.is_some_and(|value| value > 199.0 && value < 200.0) && above.is_none(), "{below:?} {above:?}");
    }
}
