//! What lies under a string: a height b(x) along it, where there is anything at all.
//!
//! Plain data. Positions are fractions of the string's length, heights are in m in the direction of the string's
//! displacement: 0 is the string at rest, so a barrier under it has heights below 0. The string touches at
//! [`Profile::contact_points`], each a contact of the one equation of PHYSICS section 4.

use super::{ObjectError, checked};
use crate::limits;

/// A position along a string and a height there.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProfilePoint {
    /// Fraction of the length, from 0 to 1.
    pub position: f64,
    /// Height in m, at most 10 either way; 0 is the string at rest.
    pub height: f64,
}

/// Heights of a barrier along a string.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Profile {
    /// The same height everywhere: a table, a fingerboard without frets.
    Flat {
        /// Height in m.
        height: f64,
    },
    /// Straight lines between points, at least two, in order of position; nothing outside the first and the last.
    Points(Vec<ProfilePoint>),
    /// A curved bridge, as of a sitar: `apex_height - drop ((x - apex)/reach)²` from `start` to `end`, with the reach the
    /// larger of the distances from the apex to the two.
    Parabola {
        /// Where it begins, a fraction of the length.
        start: f64,
        /// Where it ends, a fraction of the length above `start`.
        end: f64,
        /// Where it is highest, a fraction of the length; may lie outside.
        apex: f64,
        /// Height there in m.
        apex_height: f64,
        /// How far in m it falls to its farther end; at least 0. Less: more buzz.
        drop: f64,
    },
    /// Single edges: frets, a nut, a capo.
    Frets(Vec<ProfilePoint>),
}

impl Profile {
    /// Checks all values.
    ///
    /// # Errors
    /// The first parameter out of its range.
    pub fn validate(&self) -> Result<(), ObjectError> {
        let position = |value| checked("position of the profile", value, "from 0 to 1", |v| (0.0..=1.0).contains(&v));
        let height = |value: f64| limits::position("height of the profile", value);
        match self {
            Self::Flat { height: value } => {
                height(*value)?;
            }
            Self::Points(points) => {
                checked("number of profile points", points.len() as f64, "at least 2", |v| v >= 2.0)?;
                for point in points {
                    position(point.position)?;
                    height(point.height)?;
                }
                for pair in points.windows(2) {
                    let above = |v: f64| v > pair[0].position;
                    checked("position of the profile", pair[1].position, "above the one before it", above)?;
                }
            }
            Self::Parabola { start, end, apex, apex_height, drop } => {
                position(*start)?;
                position(*end)?;
                checked("end of the profile", *end, "above its start", |v| v > *start)?;
                checked("apex of the profile", *apex, "from -10 to 10", |v| v.abs() <= 10.0)?;
                height(*apex_height)?;
                checked("drop of the profile", *drop, "from 0 to 10 m", |v| (0.0..=limits::FARTHEST).contains(&v))?;
            }
            Self::Frets(frets) => {
                checked("number of frets", frets.len() as f64, "at least 1", |v| v >= 1.0)?;
                for fret in frets {
                    position(fret.position)?;
                    height(fret.height)?;
                }
            }
        }
        Ok(())
    }

    /// Height in m at a fraction of the length; `None` where there is nothing. A fret is only exactly where it is.
    #[must_use]
    pub fn height_at(&self, fraction: f64) -> Option<f64> {
        match self {
            Self::Flat { height } => (0.0..=1.0).contains(&fraction).then_some(*height),
            Self::Points(points) => points.windows(2).find_map(|pair| between(pair[0], pair[1], fraction)),
            Self::Parabola { start, end, apex, apex_height, drop } => {
                let reach = (start - apex).abs().max((end - apex).abs());
                let away = (fraction - apex) / reach;
                (*start..=*end).contains(&fraction).then_some(apex_height - drop * away * away)
            }
            Self::Frets(frets) => frets.iter().find(|fret| fret.position == fraction).map(|fret| fret.height),
        }
    }

    /// Where a string of so many intervals can touch: its inner grid points that have something under them, or the frets
    /// themselves, which need not lie on grid points. A surface too short to reach any grid point is touched in its middle.
    #[must_use]
    pub fn contact_points(&self, intervals: usize) -> Vec<ProfilePoint> {
        if let Self::Frets(frets) = self {
            return frets.clone();
        }
        let at = |position: f64| self.height_at(position).map(|height| ProfilePoint { position, height });
        let on_grid: Vec<_> = (1..intervals).filter_map(|index| at(index as f64 / intervals as f64)).collect();
        if !on_grid.is_empty() {
            return on_grid;
        }
        let middle = match self {
            Self::Points(points) => match (points.first(), points.last()) {
                (Some(first), Some(last)) => 0.5 * (first.position + last.position),
                _ => return on_grid,
            },
            Self::Parabola { start, end, .. } => 0.5 * (start + end),
            Self::Flat { .. } | Self::Frets(_) => 0.5,
        };
        at(middle).into_iter().collect()
    }
}

fn between(left: ProfilePoint, right: ProfilePoint, fraction: f64) -> Option<f64> {
    if !(left.position..=right.position).contains(&fraction) {
        return None;
    }
    let share = (fraction - left.position) / (right.position - left.position);
    Some(left.height * (1.0 - share) + right.height * share)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn point(position: f64, height: f64) -> ProfilePoint {
        ProfilePoint { position, height }
    }

    #[test]
    fn points_are_joined_by_straight_lines_with_nothing_outside() {
        let profile = Profile::Points(vec![point(0.2, -1e-3), point(0.4, -3e-3), point(0.5, 0.0)]);
        profile.validate().unwrap();
        assert_eq!(profile.height_at(0.2), Some(-1e-3));
        assert!((profile.height_at(0.3).unwrap() + 2e-3).abs() < 1e-18);
        assert!((profile.height_at(0.45).unwrap() + 1.5e-3).abs() < 1e-17);
        assert_eq!((profile.height_at(0.19), profile.height_at(0.51)), (None, None));
        assert_eq!(profile.contact_points(10).iter().map(|p| p.position).collect::<Vec<_>>(), [0.2, 0.3, 0.4, 0.5]);
    }

    #[test]
    fn a_sitar_bridge_falls_by_its_drop_from_apex_to_far_end() {
        let bridge = Profile::Parabola { start: 0.0, end: 0.05, apex: 0.0, apex_height: 0.0, drop: 2e-4 };
        bridge.validate().unwrap();
        assert_eq!(bridge.height_at(0.0), Some(0.0));
        assert!((bridge.height_at(0.025).unwrap() + 0.5e-4).abs() < 1e-18);
        assert!((bridge.height_at(0.05).unwrap() + 2e-4).abs() < 1e-18);
        assert_eq!(bridge.height_at(0.051), None);
        assert_eq!(bridge.contact_points(100).len(), 5);
        assert_eq!(bridge.contact_points(10).len(), 1, "shorter than an interval, still there");
    }

    #[test]
    fn frets_are_touched_where_they_are_not_where_the_grid_is() {
        let frets = Profile::Frets(vec![point(0.0561, -1e-3), point(0.1091, -1e-3)]);
        assert_eq!(frets.height_at(0.0561), Some(-1e-3));
        assert_eq!(frets.height_at(0.08), None);
        assert_eq!(frets.contact_points(50).len(), 2);
        assert_eq!(Profile::Flat { height: -2e-3 }.contact_points(50).len(), 49);
    }

    #[test]
    fn bad_profiles_name_what_is_wrong() {
        let bad = [
            (Profile::Points(vec![point(0.2, 0.0)]), "number of profile points is 1"),
            (Profile::Points(vec![point(0.2, 0.0), point(0.2, 0.0)]), "above the one before it"),
            (Profile::Frets(vec![point(1.5, 0.0)]), "position of the profile is 1.5"),
            (Profile::Frets(vec![]), "number of frets is 0"),
            (Profile::Flat { height: f64::NAN }, "height of the profile is NaN"),
            (Profile::Parabola { start: 0.5, end: 0.5, apex: 0.0, apex_height: 0.0, drop: 0.0 }, "above its start"),
        ];
        for (profile, words) in bad {
            let error = profile.validate().unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    proptest! {
        #[test]
        fn a_valid_profile_has_finite_heights(values: [f64; 5], fraction: f64, intervals in 0..200_usize) {
            let [start, end, apex, apex_height, drop] = values;
            let profiles = [
                Profile::Parabola { start, end, apex, apex_height, drop },
                Profile::Points(vec![point(start, apex), point(end, drop)]),
                Profile::Frets(vec![point(start, apex), point(end, drop)]),
                Profile::Parabola { start: 0.1, end: 0.2, apex: 0.1, apex_height: apex % 1.0, drop: drop.abs() % 1.0 },
            ];
            for profile in profiles {
                let heights = profile.contact_points(intervals).into_iter().map(|p| p.height);
                let valid = profile.validate().is_ok();
                prop_assert!(heights.chain(profile.height_at(fraction)).all(|height| !valid || height.is_finite()));
            }
        }
    }
}
