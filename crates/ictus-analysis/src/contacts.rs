//! Contacts in recorded force, velocity or compression: when two things touched, how fast they met
//! and parted, and how hard they pressed.
//!
//! Compression η crosses zero nearly in a straight line, `η ≈ v t`, so a line through the samples
//! on either side of the crossing gives its time and speed. A force starts as a power of the
//! compression, `f ≈ K (v t)^α` (PHYSICS section 1), so it is the root `f^{1/α}` that is straight;
//! where the force is zero outside the contact the line is drawn through the first two samples
//! inside. The peak is the top of a parabola through the largest sample and its neighbours.
//!
//! Velocity is the rate of compression, as in A04 and P09: positive in, negative out.

use crate::error::{AnalysisError, check_rate, check_same_length, check_setting, check_signal};

/// One stretch of contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactEvent {
    /// First touch, in seconds from the first sample.
    pub start: f64,
    /// Release, in seconds from the first sample.
    pub end: f64,
    /// Rate of compression at the start in m/s, positive for an approach.
    pub v_in: f64,
    /// Rate of compression at the end in m/s, negative for a rebound.
    pub v_out: f64,
    /// Largest force in N.
    pub peak_force: f64,
    /// False if the record begins or ends within the contact: then that time is the record's end.
    pub whole: bool,
}

impl ContactEvent {
    /// Contact time in seconds.
    pub fn duration(&self) -> f64 {
        self.end - self.start
    }

    /// Coefficient of restitution `-v_out/v_in`, or `None` without an approach.
    pub fn restitution(&self) -> Option<f64> {
        (self.v_in > 0.0).then(|| -self.v_out / self.v_in)
    }
}

/// How a contact shows in a force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForceContacts {
    /// Things touch while the force is above this, in N, 0 or more; default 0. Raise it above the
    /// noise of a measured force.
    pub threshold: f64,
    /// Exponent α of the contact law, 1 to 10; default 1. Only the fraction of a sample at which
    /// a contact begins and ends depends on it.
    pub exponent: f64,
}

impl Default for ForceContacts {
    fn default() -> Self {
        Self { threshold: 0.0, exponent: 1.0 }
    }
}

/// Contacts where `compression` (m, positive in contact; negative or zero outside) is positive,
/// with the `force` (N) of the same samples at `rate` Hz.
pub fn contacts_from_compression(
    compression: &[f64],
    force: &[f64],
    rate: f64,
) -> Result<Vec<ContactEvent>, AnalysisError> {
    check_rate(rate)?;
    check_signal("compression", compression)?;
    check_signal("force", force)?;
    check_same_length("force samples", compression.len(), force.len())?;
    let event = |stretch: Stretch| {
        let (start, rise) = stretch.start_crossing(compression, 0.0);
        let (end, fall) = stretch.end_crossing(compression, 0.0);
        stretch.event(rate, [start, end], [rise * rate, -fall * rate], force)
    };
    Ok(stretches(compression, 0.0).into_iter().map(event).collect())
}

/// Contacts where `force` (N) is above the threshold, with the rate of compression `velocity`
/// (m/s) of the same samples at `rate` Hz.
pub fn contacts_from_force(
    force: &[f64],
    velocity: &[f64],
    rate: f64,
    settings: ForceContacts,
) -> Result<Vec<ContactEvent>, AnalysisError> {
    check_rate(rate)?;
    check_signal("force", force)?;
    check_signal("velocity", velocity)?;
    check_same_length("velocity samples", force.len(), velocity.len())?;
    let ForceContacts { threshold, exponent } = settings;
    check_setting("threshold", "a finite force, 0 N or more", threshold, threshold >= 0.0 && threshold.is_finite())?;
    check_setting("exponent", "1 to 10", exponent, (1.0..=10.0).contains(&exponent))?;
    let root = |f: f64| f.abs().powf(1.0 / exponent).copysign(f);
    let straight: Vec<f64> = force.iter().copied().map(root).collect();
    let level = root(threshold);
    let event = |stretch: Stretch| {
        let start = stretch.start_crossing(&straight, level).0;
        let end = stretch.end_crossing(&straight, level).0;
        let velocities = [start, end].map(|time| interpolated(velocity, time));
        stretch.event(rate, [start, end], velocities, force)
    };
    Ok(stretches(&straight, level).into_iter().map(event).collect())
}

/// Consecutive samples in contact: the first, and one past the last.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    first: usize,
    past: usize,
    length: usize,
}

fn stretches(values: &[f64], level: f64) -> Vec<Stretch> {
    let mut found = Vec::new();
    let mut index = 0;
    for run in values.chunk_by(|a, b| (*a > level) == (*b > level)) {
        if run[0] > level {
            found.push(Stretch { first: index, past: index + run.len(), length: values.len() });
        }
        index += run.len();
    }
    found
}

impl Stretch {
    /// Time (in samples) and slope (per sample) at which `values` rise through `level`.
    fn start_crossing(&self, values: &[f64], level: f64) -> (f64, f64) {
        let inside = self.first as f64;
        let next = (self.first + 1 < self.past).then(|| values[self.first + 1]);
        match self.first.checked_sub(1) {
            Some(outside) => {
                let (back, slope) = crossing(values[outside], values[self.first], next, level);
                (inside - back, slope)
            }
            None => (inside, next.map_or(0.0, |next| next - values[self.first])),
        }
    }

    /// Time (in samples) and slope backwards in time (per sample) at which `values` fall through
    /// `level`.
    fn end_crossing(&self, values: &[f64], level: f64) -> (f64, f64) {
        let last = self.past - 1;
        let inside = last as f64;
        let next = (last > self.first).then(|| values[last - 1]);
        if self.past < self.length {
            let (forward, slope) = crossing(values[self.past], values[last], next, level);
            (inside + forward, slope)
        } else {
            (inside, next.map_or(0.0, |next| next - values[last]))
        }
    }

    fn event(&self, rate: f64, times: [f64; 2], speeds: [f64; 2], force: &[f64]) -> ContactEvent {
        ContactEvent {
            start: times[0] / rate,
            end: times[1] / rate,
            v_in: speeds[0],
            v_out: speeds[1],
            peak_force: self.peak(force),
            whole: self.first > 0 && self.past < self.length,
        }
    }

    fn peak(&self, force: &[f64]) -> f64 {
        let (mut at, mut largest) = (self.first, force[self.first]);
        for (index, &value) in force.iter().enumerate().take(self.past).skip(self.first) {
            if value > largest {
                (at, largest) = (index, value);
            }
        }
        // A parabola needs a neighbour in contact on either side.
        if at == self.first || at + 1 >= self.past {
            return largest;
        }
        let (a, c) = (force[at - 1], force[at + 1]);
        let curvature = a - 2.0 * largest + c;
        if curvature < 0.0 { largest - 0.125 * (a - c) * (a - c) / curvature } else { largest }
    }
}

/// How far before the first sample inside a contact the level was crossed (0 to 1 sample), and
/// the slope there. `outside` tells if it is not zero; otherwise the line goes through `next`.
fn crossing(outside: f64, inside: f64, next: Option<f64>, level: f64) -> (f64, f64) {
    let slope = match next {
        Some(next) if outside == 0.0 && next > inside => next - inside,
        _ => inside - outside,
    };
    (((inside - level) / slope).clamp(0.0, 1.0), slope)
}

/// Linear interpolation at a time in samples, held at the ends.
fn interpolated(values: &[f64], time: f64) -> f64 {
    let last = values.len() - 1;
    let index = (time.max(0.0) as usize).min(last);
    let next = (index + 1).min(last);
    let fraction = (time - index as f64).clamp(0.0, 1.0);
    values[index] + fraction * (values[next] - values[index])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const RATE: f64 = 44_100.0;
    const STIFFNESS: f64 = 2e4;
    const STARTS: [f64; 2] = [0.003_217, 0.008_131];
    const DURATION: f64 = 1.0e-3;

    /// Two lossless bounces at 2 m/s: half a sine in contact, straight flight outside.
    /// Compression, rate of compression and linear force.
    fn bounces() -> [Vec<f64>; 3] {
        let (omega, speed, samples) = (PI / DURATION, 2.0, 600);
        // Between the bounces the mass leaves and returns with the same speed.
        let turn = 0.5 * (STARTS[0] + DURATION + STARTS[1]);
        let motion = |n: usize| -> (f64, f64) {
            let time = n as f64 / RATE;
            let bounce = if time < turn { STARTS[0] } else { STARTS[1] };
            let since = time - bounce;
            if since < 0.0 {
                (speed * since, speed)
            } else if since < DURATION {
                let (sine, cosine) = (omega * since).sin_cos();
                (speed / omega * sine, speed * cosine)
            } else {
                (-speed * (since - DURATION), -speed)
            }
        };
        let compression: Vec<f64> = (0..samples).map(|n| motion(n).0).collect();
        let velocity = (0..samples).map(|n| motion(n).1).collect();
        let force = compression.iter().map(|x| STIFFNESS * x.max(0.0)).collect();
        [compression, velocity, force]
    }

    /// Errors allowed: times in samples, speeds in m/s out of 2.
    fn check_bounces(events: &[ContactEvent], [samples_off, speed_off]: [f64; 2]) {
        assert_eq!(events.len(), 2);
        for (event, start) in events.iter().zip(STARTS) {
            assert!(event.whole);
            assert!((event.start - start).abs() * RATE < samples_off, "{event:?}");
            let end = start + DURATION;
            assert!((event.end - end).abs() * RATE < samples_off, "{event:?}");
            assert!((event.duration() - DURATION).abs() * RATE < 2.0 * samples_off);
            assert!((event.v_in - 2.0).abs() < speed_off, "{event:?}");
            assert!((event.v_out + 2.0).abs() < speed_off, "{event:?}");
            assert!((event.restitution().unwrap() - 1.0).abs() < speed_off);
            let peak = STIFFNESS * 2.0 * DURATION / PI;
            assert!((event.peak_force / peak - 1.0).abs() < 1e-4, "{event:?}");
        }
    }

    #[test]
    fn signed_compression_gives_times_to_a_thousandth_of_a_sample() {
        let [compression, _, force] = bounces();
        let events = contacts_from_compression(&compression, &force, RATE).unwrap();
        check_bounces(&events, [1e-3, 0.005]);
    }

    #[test]
    fn compression_clipped_at_zero_gives_times_to_a_hundredth_of_a_sample() {
        let [compression, _, force] = bounces();
        let clipped: Vec<f64> = compression.iter().map(|x| x.max(0.0)).collect();
        let events = contacts_from_compression(&clipped, &force, RATE).unwrap();
        check_bounces(&events, [1e-2, 0.02]);
    }

    #[test]
    fn a_force_gives_times_to_a_hundredth_of_a_sample_if_its_exponent_is_known() {
        let [compression, velocity, force] = bounces();
        let settings = ForceContacts::default();
        let events = contacts_from_force(&force, &velocity, RATE, settings).unwrap();
        check_bounces(&events, [1e-2, 0.02]);

        let exponent = 2.3;
        let hertzian: Vec<f64> = compression.iter().map(|x| x.max(0.0).powf(exponent)).collect();
        let start_error = |exponent| {
            let settings = ForceContacts { exponent, ..ForceContacts::default() };
            let events = contacts_from_force(&hertzian, &velocity, RATE, settings).unwrap();
            (events[0].start - STARTS[0]).abs() * RATE
        };
        assert!(start_error(exponent) < 1e-2);
        assert!(start_error(1.0) > 0.1);
    }

    #[test]
    fn a_threshold_ignores_noise_and_shortens_the_contact() {
        let [_, velocity, mut force] = bounces();
        for (n, f) in force.iter_mut().enumerate() {
            *f += 1e-3 * (n as f64).sin();
        }
        let chatter = contacts_from_force(&force, &velocity, RATE, ForceContacts::default());
        assert!(chatter.unwrap().len() > 10);
        let settings = ForceContacts { threshold: 0.5, ..ForceContacts::default() };
        let events = contacts_from_force(&force, &velocity, RATE, settings).unwrap();
        assert_eq!(events.len(), 2);
        // f = f_max sin ωt crosses 0.5 N at asin(0.5/f_max)/ω.
        let peak = STIFFNESS * 2.0 * DURATION / PI;
        let late = (0.5 / peak).asin() * DURATION / PI;
        let error = (events[1].start - STARTS[1] - late).abs() * RATE;
        assert!(error < 0.01, "{error}");
    }

    #[test]
    fn a_contact_cut_by_the_record_is_marked() {
        let force = [1.0, 2.0, 0.0, 0.0, 0.0, 1.0];
        let velocity = [1.0, -1.0, -1.0, 1.0, 1.0, 0.5];
        let events = contacts_from_force(&force, &velocity, 1.0, ForceContacts::default()).unwrap();
        assert_eq!(events.len(), 2);
        assert!(!events[0].whole && !events[1].whole);
        assert_eq!(events[0].start, 0.0);
        assert_eq!(events[1].end, 5.0);
        assert_eq!(events[0].peak_force, 2.0);
    }

    #[test]
    fn no_force_is_no_contact_and_unequal_records_are_refused() {
        let none = contacts_from_force(&[0.0; 9], &[1.0; 9], RATE, ForceContacts::default());
        assert!(none.unwrap().is_empty());
        let unequal = contacts_from_compression(&[0.0; 9], &[0.0; 8], RATE).unwrap_err();
        assert_eq!(unequal.to_string(), "force samples: expected exactly 9, got 8");
    }
}
