use std::f64::consts::LN_10;

use super::super::super::{material, t60_from_sigma};
use super::*;

fn mode(frequency: f64, slope: f64) -> Mode {
    Mode { frequency, mass: 0.1, slope }
}

fn solid(loss: &Loss) -> Damping {
    Damping::new(loss, Surroundings::Solid).unwrap()
}

/// T60 in s at a frequency in Hz of a bar of a material.
fn bar(name: &str, frequency: f64) -> f64 {
    let loss = Loss::Material(material(name).unwrap().loss_factor);
    t60_from_sigma(solid(&loss).of(&mode(frequency, 100.0)))
}

#[test]
fn every_mode_decays_in_the_time_asked_at_its_frequency() {
    let damping = solid(&Loss::t60_at(&[(3000.0, 2.5), (100.0, 4.0), (700.0, 0.5)]));
    for (frequency, seconds) in [(100.0, 4.0), (700.0, 0.5), (3000.0, 2.5), (20.0, 4.0), (15e3, 2.5)] {
        let sigma = damping.of(&mode(frequency, 50.0));
        assert!((sigma * seconds / (3.0 * LN_10) - 1.0).abs() < 1e-14, "{frequency} Hz: {sigma}");
    }
}

#[test]
fn a_mode_loses_sigma0_and_sigma1_times_its_slope_and_so_does_turning_as_a_whole() {
    let damping = solid(&Loss::sigma(2.0, 0.01));
    assert_eq!(damping.of(&mode(440.0, 300.0)), 5.0);
    assert_eq!(damping.of(&mode(0.0, 0.0)), 2.0, "moves");
    assert_eq!(damping.of(&mode(0.0, 12.0)), 2.12, "turns");
    assert_eq!(solid(&Loss::None).of(&mode(440.0, 300.0)), 0.0);
}

#[test]
fn moving_as_a_whole_strains_nothing_and_loses_nothing() {
    let steel = Loss::Material(material("steel").unwrap().loss_factor);
    for loss in [Loss::t60(1.0), Loss::t60_at(&[(100.0, 2.0), (200.0, 1.0)]), steel] {
        assert_eq!(solid(&loss).of(&mode(0.0, 12.0)), 0.0);
    }
}

/// Marimbas 0.3 to 1.5 s from 440 to 220 Hz, vibraphones 10 to 20 s at 440 Hz, glockenspiels several seconds at 2 kHz, glass 1 to 6 s.
#[test]
fn bars_of_wood_glass_and_metal_ring_as_long_as_those_of_instruments() {
    for (name, frequency, least, most) in [
        ("rosewood", 440.0, 0.3, 2.0),
        ("rosewood", 220.0, 0.6, 3.2),
        ("glass", 440.0, 1.0, 6.0),
        ("aluminium", 440.0, 10.0, 20.0),
        ("steel", 440.0, 5.0, 20.0),
        ("steel", 2000.0, 2.0, 8.0),
        ("acrylic", 440.0, 0.05, 0.3),
    ] {
        let seconds = bar(name, frequency);
        assert!((least..most).contains(&seconds), "{name} at {frequency} Hz: {seconds} s");
    }
    for frequency in [110.0, 440.0, 2000.0, 8000.0] {
        let order = ["acrylic", "spruce", "rosewood", "glass", "steel"].map(|name| bar(name, frequency));
        assert!(order.windows(2).all(|pair| 1.3 * pair[0] < pair[1]), "{frequency} Hz: {order:?}");
    }
}

/// H. Hill, *Exponential Time Decay Constants of Marimba Bars*: a loss factor of 0.45 ± 0.09 % over five octaves of a rosewood marimba.
#[test]
fn a_rosewood_bar_loses_per_cycle_what_was_measured_on_a_marimba() {
    let rosewood = material("rosewood").unwrap().loss_factor;
    for frequency in [131.0, 262.0, 523.0, 1047.0, 2093.0, 4186.0] {
        assert!((rosewood.at(frequency) - 0.0045).abs() < 0.0009, "{frequency} Hz");
    }
}

/// A string of length 0.65 m on two supports.
struct Strung {
    tension: f64,
    linear_density: f64,
    bending: f64,
    radius: f64,
}

impl Strung {
    fn new(name: &str, pitch: f64, radius: f64) -> Self {
        let material = material(name).unwrap();
        let linear_density = material.density * PI * radius * radius;
        let tension = linear_density * (1.3 * pitch).powi(2);
        Self { tension, linear_density, bending: material.youngs_modulus * PI * radius.powi(4) / 4.0, radius }
    }

    fn beta_squared(number: usize) -> f64 {
        (number as f64 * PI / 0.65).powi(2)
    }

    fn omega(&self, number: usize) -> f64 {
        let beta = Self::beta_squared(number);
        ((self.tension * beta + self.bending * beta * beta) / self.linear_density).sqrt()
    }

    /// Decay rate in 1/s of a partial.
    fn sigma(&self, name: &str, number: usize) -> f64 {
        let surroundings = Surroundings::Taut {
            wave_speed: (self.tension / self.linear_density).sqrt(),
            radius: self.radius,
            linear_density: self.linear_density,
        };
        let damping = Damping::new(&Loss::Material(material(name).unwrap().loss_factor), surroundings).unwrap();
        damping.of(&mode(self.omega(number) / TAU, Self::beta_squared(number)))
    }
}

/// Tension in N, mass in kg/m, EI in N m², and η_F, η_A (1/s) and η_B of plain nylon guitar strings in Woodhouse's table, with his
/// `η_n = (T (η_F + η_A/ω) + EI η_B β²)/(T + EI β²)`.
#[test]
fn nylon_strings_decay_as_those_that_woodhouse_measured() {
    for (name, tension, linear_density, bending, [friction, air, internal]) in [
        ("G3", 58.3, 0.9e-3, 310e-6, [14e-5, 1.7, 2e-2]),
        ("B3", 53.4, 0.52e-3, 160e-6, [40e-5, 1.2, 2e-2]),
        ("E4", 70.3, 0.38e-3, 130e-6, [40e-5, 1.5, 2.4e-2]),
    ] {
        let string = Strung { tension, linear_density, bending, radius: (linear_density / (1140.0 * PI)).sqrt() };
        for number in [1, 2, 3, 5, 8, 12, 20, 30] {
            let (omega, stiff) = (string.omega(number), bending * Strung::beta_squared(number));
            let measured = (tension * (friction + air / omega) + stiff * internal) / (tension + stiff);
            let ratio = string.sigma("nylon", number) / (0.5 * omega * measured);
            assert!((0.6..1.4).contains(&ratio), "{name}, partial {number}: {ratio}");
        }
    }
}

#[test]
fn nylon_and_gut_strings_dull_faster_than_steel_ones() {
    let brightness = |name: &str, radius: f64| {
        let string = Strung::new(name, 196.0, radius);
        string.sigma(name, 30) / string.sigma(name, 1)
    };
    let steel = brightness("steel", 0.2e-3);
    for name in ["nylon", "gut", "fluorocarbon", "silk"] {
        let other = brightness(name, 0.45e-3);
        assert!(other > 2.0 * steel, "{name}: {other}, steel: {steel}");
    }
    let [first, thirtieth] =
        [1, 30].map(|number| t60_from_sigma(Strung::new("steel", 196.0, 0.2e-3).sigma("steel", number)));
    assert!((10.0..40.0).contains(&first) && (0.5..3.0).contains(&thirtieth), "{first} s, {thirtieth} s");
}

/// A string without tension is a bar: all of its energy bends.
#[test]
fn what_bends_is_what_tension_does_not_hold() {
    let factor = LossFactor::constant(0.01);
    let [slack, taut] = [0.0, 200.0].map(|wave_speed| {
        let surroundings = Surroundings::Taut { wave_speed, radius: 1e-9, linear_density: 1.0 };
        Damping::new(&Loss::Material(factor), surroundings).unwrap()
    });
    let (frequency, drag) = (500.0, TAU * AIR_VISCOSITY / 2.0);
    assert!((slack.sigma(frequency, 77.0) / factor.sigma(frequency) - 1.0).abs() < 1e-4);
    let beta_squared = (TAU * frequency / 200.0).powi(2);
    assert!((taut.sigma(frequency, beta_squared) - drag - TAUT * PI * frequency).abs() < 1e-5);
    // Half of each.
    let half = taut.sigma(frequency, 0.5 * beta_squared) - drag;
    assert!((half / (0.5 * (0.01 + TAUT) * PI * frequency) - 1.0).abs() < 1e-4);
}

#[test]
fn a_drum_head_loses_to_the_air_whatever_it_is_made_of() {
    for name in ["mylar", "steel"] {
        let loss = Loss::Material(material(name).unwrap().loss_factor);
        assert_eq!(Damping::new(&loss, Surroundings::Head).unwrap().sigma(300.0, 200.0), 5.0);
    }
}

proptest::proptest! {
    #[test]
    fn any_loss_of_any_mode_is_a_rate(frequency in 0.0..1e6_f64, slope in 0.0..1e9_f64, eta in 0.0..1.0_f64, exponent in -1.0..1.0_f64) {
        let taut = Surroundings::Taut { wave_speed: 100.0, radius: 1e-3, linear_density: 1e-2 };
        for surroundings in [Surroundings::Solid, taut, Surroundings::Head] {
            let loss = Loss::Material(LossFactor { at_1_khz: eta, exponent });
            let sigma = Damping::new(&loss, surroundings).unwrap().sigma(frequency, slope);
            proptest::prop_assert!(sigma.is_finite() && sigma >= 0.0);
        }
    }
}
