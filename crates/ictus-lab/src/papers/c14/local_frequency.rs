//! The stiffness correction for any exponent: C14's substitutions with the root mean square of the local frequency.
//!
//! Expanding either scheme in the time step shows what it does to a contact: the motion runs through the same orbit, but
//! slower where the wall is stiff, `dt' = dt (1 + b k² φ''/m)`, with b = 1/12 for the two-point and 5/24 for the three-point
//! scheme. To this order a contact is too long by `b k² ∫ φ''/m dt`, and only the mean of φ''/m over the contact counts.
//! For α = 1 that mean is ω², and C14's substitutions (15), (16) undo the error to all orders; for other exponents the same
//! substitutions with
//!
//! ```text
//! ω² = mean of φ''/m = 2α I B / τ²,   I = √π Γ(1 + 1/(α+1)) / Γ(1/2 + 1/(α+1)),   B = B(α/(α+1), 1/2)
//! ```
//!
//! undo it to that order. The time step's stiffness then goes from θ = ωk to θ' = 2 tan(θ/2) (two-point) or
//! θ' = √(2 (1 - cos θ)/cos θ) (three-point), and since τ goes with K^(-1/(α+1)), K is multiplied by `(θ'/θ)^(α+1)`.
//! With α = 1 this is the source's own. It depends on α and on the contact's length in samples, τ/k, alone.

use std::f64::consts::PI;

use ictus::impact::exact::WallImpact;

/// Root mean square of the local frequency times the contact time: the angle θ n of a contact of n samples.
pub fn angle(exponent: f64) -> f64 {
    // The lossless contact time is 2 I x_max/v; B follows from the same integral with s^(α-1) in place of 1.
    let unit = WallImpact { mass: 1.0, stiffness: 1.0, exponent, dissipation: 0.0, velocity: 1.0 };
    let duration = 0.5 * unit.contact_time() / unit.max_compression();
    (2.0 * exponent * duration * beta_half(exponent / (exponent + 1.0))).sqrt()
}

/// Euler's B(a, 1/2) for 0 < a < 1, by midpoints of `2 ∫ sin^(2a-1)`, its root at 0 taken out.
fn beta_half(a: f64) -> f64 {
    let steps = 4000;
    // With u = φ^(2a) the integrand is smooth: sin^(2a-1) φ dφ = (sin φ/φ)^(2a-1) du/(2a).
    let end = (0.5 * PI).powf(2.0 * a);
    let sum: f64 = (0..steps)
        .map(|n| {
            let phi = (end * (f64::from(n) + 0.5) / f64::from(steps)).powf(0.5 / a);
            (phi.sin() / phi).powf(2.0 * a - 1.0)
        })
        .sum();
    2.0 * sum * end / f64::from(steps) / (2.0 * a)
}

/// By what K is multiplied so that a contact of `length` samples lasts as long as it should, to the order above; `None` where the
/// scheme cannot hold so short a contact.
pub fn factor(scheme: &str, exponent: f64, length: f64) -> Option<f64> {
    let theta = angle(exponent) / length;
    let stepped = match scheme {
        "two-point" if theta < PI => 2.0 * (0.5 * theta).tan(),
        "three-point" if theta < 0.5 * PI => (2.0 * (1.0 - theta.cos()) / theta.cos()).sqrt(),
        _ => return None,
    };
    Some((stepped / theta).powf(exponent + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::c14::collision::Collision;
    use ictus::laws::{ContactLaw, OneSidedPower};

    #[test]
    fn the_angle_of_a_linear_wall_is_half_a_turn() {
        assert!((angle(1.0) - PI).abs() < 1e-7, "{}", angle(1.0));
    }

    /// Mean of φ''/m over the contact, by midpoints along the exact motion.
    fn mean_square_frequency(collision: &Collision) -> f64 {
        let law = OneSidedPower::new(collision.stiffness, collision.exponent, 0.0).expect("the wall is sound");
        let (steps, order) = (4000, collision.exponent + 1.0);
        let (mut time, mut sum) = (0.0, 0.0);
        for n in 0..steps {
            // x = x_max sin^(2/(α+1)) θ gives v = v0 cos θ; with θ = π/2 u^((α+1)/2) the compression starts like u, and dt/du is smooth.
            let u = (f64::from(n) + 0.5) / f64::from(steps);
            let angle = 0.5 * PI * u.powf(0.5 * order);
            let x = collision.exact().max_compression() * angle.sin().powf(2.0 / order);
            let step = x / angle.tan() / (collision.velocity * angle.cos()) * angle / u;
            time += step;
            sum += step * law.stiffness(x) / collision.mass;
        }
        sum / time
    }

    #[test]
    fn the_angle_is_the_root_mean_square_of_the_local_frequency() {
        for exponent in [1.0, 1.3, 2.0, 3.0] {
            let collision = Collision::of_length(exponent, 7.0, 0.5);
            let mean = mean_square_frequency(&collision);
            let expected = angle(exponent) / collision.duration();
            assert!((mean.sqrt() / expected - 1.0).abs() < 1e-3, "α = {exponent}: {} {expected}", mean.sqrt());
        }
    }

    #[test]
    fn the_factor_of_a_linear_wall_is_that_of_the_source() {
        let theta = PI / 5.0;
        let two = 4.0 * (1.0 - theta.cos()) / (1.0 + theta.cos()) / (theta * theta);
        let three = 2.0 * (1.0 - theta.cos()) / theta.cos() / (theta * theta);
        for (scheme, expected) in [("two-point", two), ("three-point", three)] {
            let factor = factor(scheme, 1.0, 5.0).expect("the contact is long enough");
            assert!((factor / expected - 1.0).abs() < 1e-6, "{scheme}: {factor} {expected}");
        }
        assert_eq!(factor("two-point", 1.0, 0.99), None);
        assert_eq!(factor("three-point", 1.0, 1.99), None);
    }
}
