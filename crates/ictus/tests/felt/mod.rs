//! The felt as a contact law of the engine: its hysteresis against the lab's integrator, its blows against a differential equation, its account.

mod blows;
mod hysteresis;
mod passive;
mod remembered;

use ictus::id::ContactId;
use ictus::laws::{Law, StulovFelt};

const CONTACT: ContactId = ContactId::new(0);

/// Stulov's felts (1995): K, α, ε, τ by the number of the key, in SI units.
fn piano(key: f64) -> StulovFelt {
    let exponent = 3.7 + 0.015 * key;
    let stiffness = 15_500.0 * (0.0059 * key).exp() * 1000f64.powf(exponent);
    let relaxation_time = 1e-6 * (2.72 - 0.02 * key + 0.00009 * key * key);
    StulovFelt::new(stiffness, exponent, 0.9894 + 0.000088 * key, relaxation_time).unwrap()
}

/// Felts that forget slowly, about as long as they are touched, quickly, and as those of pianos do; with a mass in kg and a velocity in m/s.
fn felts() -> Vec<(StulovFelt, f64, f64)> {
    let felt = |k, alpha, eps, tau| StulovFelt::new(k, alpha, eps, tau).unwrap();
    vec![
        (felt(1e9, 2.5, 0.5, 5e-4), 0.008, 2.0),
        (felt(1e8, 2.5, 0.2, 1e-4), 0.008, 2.0),
        (felt(1e5, 1.0, 0.5, 1e-4), 0.008, 2.0),
        (felt(1e6, 1.5, 0.7, 1e-3), 0.008, 2.0),
        (felt(1e10, 2.5, 0.9, 1e-4), 0.008, 2.0),
        (piano(1.0), 0.0109, 2.0),
        (piano(44.0), 0.0075, 2.0),
    ]
}

/// A felt in few words.
fn named(felt: &StulovFelt) -> String {
    let numbers: Vec<String> = Law::from(*felt).parameters().map(|number| format!("{number:.3e}")).collect();
    numbers.join(" ")
}
