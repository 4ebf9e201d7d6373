//! Design of an impact on a rigid wall, by the closed forms of PHYSICS section 2.
//!
//! The restitution e = -v_out/v_in depends on w = μ v_in alone and falls from 1 to 0 as w rises, so it fixes μ. Contact
//! times scale as τ ∝ K^(-1/(α+1)) at given μ, so τ then fixes K. Every contact time and every restitution in (0, 1] can be had.

use ictus::impact::exact::{WallImpact, output_velocity};

use super::root::{Place, root};
use super::{DesignError, check};

/// The impact of this mass in kg, exponent and velocity in m/s that lasts `contact_time` s and rebounds with `restitution`.
///
/// # Errors
/// A value is out of range, or the stiffness it takes is not a number.
pub fn design(
    mass: f64,
    exponent: f64,
    velocity: f64,
    contact_time: f64,
    restitution: f64,
) -> Result<WallImpact, DesignError> {
    let positive = |value: f64| value > 0.0 && value.is_finite();
    check("mass", "above 0 kg", mass, positive(mass))?;
    check("exponent", "1 or above", exponent, exponent >= 1.0 && exponent.is_finite())?;
    check("velocity", "above 0 m/s", velocity, positive(velocity))?;
    check("contact time", "above 0 s", contact_time, positive(contact_time))?;
    let dissipation = damping(restitution)? / velocity;
    let impact = WallImpact { mass, stiffness: 1.0, exponent, dissipation, velocity };
    let stiffness = stiffness(&impact, contact_time);
    let beyond = "a contact whose stiffness is a number";
    check("contact time", beyond, contact_time, stiffness.is_normal() && dissipation.is_finite())?;
    Ok(WallImpact { stiffness, ..impact })
}

/// μ v_in of this restitution: the inverse of the closed output velocity.
///
/// # Errors
/// The restitution is not above 0 and at most 1.
pub fn damping(restitution: f64) -> Result<f64, DesignError> {
    check("restitution", "1e-9 to 1", restitution, (1e-9..=1.0).contains(&restitution))?;
    if restitution == 1.0 {
        return Ok(0.0);
    }
    // e w rises from w to 1: the mass never leaves faster than 1/μ.
    let excess = |log_w: f64| {
        let w = log_w.exp();
        -output_velocity(1.0, w) / w - restitution
    };
    let bracket = [1e-17f64, 1.0 / restitution].map(|w| Place { x: w.ln(), value: excess(w.ln()) });
    // At w = 1e-17 the restitution rounds to 1, and at 1/e it is below e.
    let found = root(|x| Some(excess(x)), bracket[0], bracket[1], 1e-15);
    Ok(found.map_or(0.0, |place| place.x.exp()))
}

/// The stiffness in N/m^α at which this impact, whatever stiffness it names, lasts `contact_time` s.
pub fn stiffness(impact: &WallImpact, contact_time: f64) -> f64 {
    (impact.contact_time() / contact_time).powf(impact.exponent + 1.0) * impact.stiffness
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stiffness_and_dissipation_come_back_from_contact_time_and_restitution() {
        for exponent in [1.0, 1.5, 2.3, 3.5] {
            for stiffness in [1e3, 1e7, 1e11] {
                for dissipation in [1e-3, 0.1, 1.0, 10.0, 100.0] {
                    let posed = WallImpact { mass: 0.01, stiffness, exponent, dissipation, velocity: 1.3 };
                    let restitution = -posed.output_velocity() / posed.velocity;
                    let found = design(0.01, exponent, 1.3, posed.contact_time(), restitution).unwrap();
                    assert!((found.dissipation / dissipation - 1.0).abs() < 1e-9, "{posed:?} {found:?}");
                    assert!((found.stiffness / stiffness - 1.0).abs() < 1e-9, "{posed:?} {found:?}");
                }
            }
        }
    }

    #[test]
    fn a_lossless_rebound_takes_no_dissipation() {
        let found = design(0.01, 1.5, 1.0, 2e-3, 1.0).unwrap();
        assert_eq!(found.dissipation, 0.0);
        assert!((found.contact_time() / 2e-3 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_no_wall_does_is_refused() {
        for restitution in [0.0, -0.1, 1.1, f64::NAN] {
            assert!(design(0.01, 1.5, 1.0, 2e-3, restitution).is_err(), "{restitution}");
        }
        for contact_time in [0.0, -1.0, f64::INFINITY, 1e-300, 1e300] {
            assert!(design(0.01, 1.5, 1.0, contact_time, 0.5).is_err(), "{contact_time}");
        }
    }
}
