//! Contact laws by name and parameters.

use ictus::laws::{
    BowFriction, CentreLimited, HuntCrossley, Law, LawError, LinearCubicSpring, OddPower, OneSidedPower,
};

/// The law of a name with its parameters, in the order of [`LawInfo::parameters`](ictus::laws::LawInfo::parameters); `None` for a
/// name that is no law with a potential, or another number of parameters.
///
/// # Errors
/// A parameter is outside its range.
pub fn make(name: &str, values: &[f64]) -> Option<Result<Law, LawError>> {
    Some(match (name, values) {
        ("one-sided-power", &[stiffness, exponent, threshold]) => {
            OneSidedPower::new(stiffness, exponent, threshold).map(Law::from)
        }
        ("odd-power", &[stiffness, exponent]) => OddPower::new(stiffness, exponent).map(Law::from),
        ("centre-limited", &[stiffness, exponent, half_width]) => {
            CentreLimited::new(stiffness, exponent, half_width).map(Law::from)
        }
        ("linear-cubic-spring", &[linear, cubic]) => LinearCubicSpring::new(linear, cubic).map(Law::from),
        ("hunt-crossley", &[stiffness, exponent, dissipation]) => {
            HuntCrossley::new(stiffness, exponent, dissipation).map(Law::from)
        }
        ("bow-friction", &[normal_force, sharpness, sliding]) => {
            BowFriction::new(normal_force, sharpness).and_then(|law| law.with_sliding(sliding)).map(Law::from)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use ictus::laws::Allowed;

    use crate::registry::contact::usable_laws;

    #[test]
    fn every_law_a_scene_can_use_is_made_from_its_parameters() {
        for law in usable_laws() {
            let inside = |allowed: Allowed| if allowed.contains(1.0) { 1.0 } else { 0.5 };
            let values: Vec<f64> = law.parameters.iter().map(|parameter| inside(parameter.allowed)).collect();
            assert!(super::make(law.name, &values).unwrap().is_ok(), "{}", law.name);
        }
        assert!(super::make("stulov-felt", &[1.0; 4]).is_none());
    }
}
