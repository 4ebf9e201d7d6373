//! W19 sections 2 to 6 and appendix D: masses, strings and barriers.

use ictus::Model;
use ictus::control::Change;
use ictus::id::ObjectId;
use ictus::impact::exact::WallImpact;
use ictus::laws::{CentreLimited, OneSidedPower};
use ictus::model::{Interaction, Point, Spread};
use ictus::objects::{BarrierSpec, Decay, Loss, MassSpec, Method, Place, StringMass, StringPitch, StringSpec};

use super::run::{RATE, System, run};
use crate::papers::{Check, Computed, Item, largest};

/// W19 section 2.
pub const MASS_BARRIER: Item = Item::new(
    "W19-mass-barrier",
    "Mass and rigid barrier",
    "M utt = -K [η]+^α, η = u - b, (1)-(18): the mass is turned back, and its energy passes through the contact.",
    "10 g at 1 m/s towards a barrier 1 mm away; K = 1e8 N/m^1.3, α = 1.3",
    mass_barrier,
);

/// W19 section 3.
pub const MASS_SPRING_BARRIER: Item = Item::new(
    "W19-mass-spring-barrier",
    "Mass on a spring and rigid barrier",
    "(19)-(21): with a restoring force the mass comes back to the barrier every period.",
    "10 g, f0 = 110 Hz, starting at 1 m/s; barrier at 0.5 mm; K = 1e8 N/m^1.3, α = 1.3",
    mass_spring_barrier,
);

/// W19 section 4.
pub const TWO_MASS_SPRINGS: Item = Item::new(
    "W19-two-mass-springs",
    "Two colliding masses on springs",
    "(22)-(24): both objects move, and the energy of the whole is kept while it passes between them.",
    "10 g at 90 Hz, drawn aside by 2 mm; 500 g at 37 Hz, starting at 0.5 m/s; K = 1e9 N/m^1.5, α = 1.5",
    two_mass_springs,
);

/// W19 section 5.
pub const STRING_STRING: Item = Item::new(
    "W19-string-string",
    "String against string on one grid",
    "(25)-(27): the strings collide at every grid point where they meet, each point solved on its own.",
    "two strings of 65 cm, 80 segments, 140 and 110 Hz, 0.1 mm apart; the lower plucked by 2 mm; K = 1e9 N/m^2.3, α = 1.3; lossless",
    string_string,
);

/// W19 section 6.
pub const MASS_STRING: Item = Item::new(
    "W19-mass-string",
    "Mass on a spring and string",
    "(28)-(31): the mass meets the string at one point.",
    "string of 100 Hz; 5 g on a spring of 30 Hz, 1 mm below, at 1 m/s; K = 1e7 N/m^1.3, α = 1.3, at 0.137 of the length; lossless",
    mass_string,
);

/// W19 appendix D.
pub const BRIDGE_BARRIER: Item = Item::new(
    "W19-bridge-barrier",
    "Bridge between a string and a barrier",
    "(82)-(90): the bridge collides with the barrier below and is held by the string above through a two-sided collision.",
    "string of 70 Hz without stiffness, plucked down by 3 mm; bridge of 2 g at 0.1 of the length; K = 1e7 N/m^1.5 to the string, 1e8 N/m^1.3 to the barrier; lossless",
    bridge_barrier,
);

fn lossless(frequency: f64) -> StringSpec {
    StringSpec {
        pitch: StringPitch::Fundamental(frequency),
        loss: Loss::None,
        method: Method::Grid,
        ..StringSpec::default()
    }
}

fn mass_barrier() -> Computed {
    let system = System {
        title: "W19 section 2: mass and rigid barrier",
        model: Model::new(RATE)
            .with("mass", MassSpec { displacement: -1e-3, velocity: 1.0, ..MassSpec::free(0.01) })
            .with("barrier", BarrierSpec::default())
            .join(Interaction::new(
                "contact",
                Point::of("mass"),
                Point::of("barrier"),
                OneSidedPower::new(1e8, 1.3, 0.0)?,
            )),
        seen: vec![("mass", Point::of("mass"))],
        start: None,
        seconds: 2.5e-3,
        every: 1,
    };
    run(system, |record| {
        let last = record.displacements.windows(2).last().map_or(0.0, |pair| (pair[1][0] - pair[0][0]) * RATE);
        vec![Check::near("the lossless rebound returns the speed", -1.0, last, 1e-10, "m/s")]
    })
}

fn mass_spring_barrier() -> Computed {
    let system = System {
        title: "W19 section 3: mass on a spring and rigid barrier",
        model: Model::new(RATE)
            .with("mass", MassSpec { velocity: 1.0, ..MassSpec::oscillator(0.01, 110.0, Decay::None) })
            .with("barrier", BarrierSpec { height: 5e-4, velocity: 0.0 })
            .join(Interaction::new(
                "contact",
                Point::of("mass"),
                Point::of("barrier"),
                OneSidedPower::new(1e8, 1.3, 0.0)?,
            )),
        seen: vec![("mass", Point::of("mass"))],
        start: None,
        seconds: 0.05,
        every: 2,
    };
    run(system, |record| {
        let top = largest(record.displacements.iter().map(|seen| seen[0]));
        // The mass swings by the sine from barrier to barrier, and meets it like a free mass of the same speed.
        let (omega, height) = (std::f64::consts::TAU * 110.0, 5e-4);
        let velocity = (1.0 - (omega * height).powi(2)).sqrt();
        let impact = WallImpact { mass: 0.01, stiffness: 1e8, exponent: 1.3, dissipation: 0.0, velocity };
        let first = (omega * height).asin() / omega;
        let period = std::f64::consts::PI / omega + 2.0 * first + impact.contact_time();
        let expected = 1 + ((0.05 - first) / period) as usize;
        vec![
            record.never_negative(),
            Check::near(
                "the mass is stopped where a free mass would be",
                height + impact.max_compression(),
                top,
                0.005,
                "m",
            ),
            Check::holds(
                "it comes back every period",
                format!("{} contacts in 50 ms, {expected} by flight and contact time", record.contacts),
                record.contacts == expected,
            ),
        ]
    })
}

fn two_mass_springs() -> Computed {
    let system = System {
        title: "W19 section 4: two colliding masses on springs",
        model: Model::new(RATE)
            .with("u", MassSpec { displacement: 2e-3, ..MassSpec::oscillator(0.01, 90.0, Decay::None) })
            .with("w", MassSpec { velocity: 0.5, ..MassSpec::oscillator(0.5, 37.0, Decay::None) })
            .join(Interaction::new("contact", Point::of("w"), Point::of("u"), OneSidedPower::new(1e9, 1.5, 0.0)?)),
        seen: vec![("u", Point::of("u")), ("w", Point::of("w"))],
        start: None,
        seconds: 0.1,
        every: 4,
    };
    run(system, |record| {
        let deepest = largest(record.displacements.iter().map(|seen| seen[1] - seen[0]));
        let (taken, start) = (record.most_energy(0), record.energies[0][0] / record.energy());
        vec![
            record.never_negative(),
            Check::holds(
                "energy passes to the lighter mass as they collide",
                format!(
                    "{} contacts; it begins with {:.0} % and holds up to {:.0} % of the energy",
                    record.contacts,
                    100.0 * start,
                    100.0 * taken
                ),
                record.contacts > 2 && taken > 2.0 * start,
            ),
            Check::holds(
                "neither passes the other",
                format!("compressed by {:.1} µm at most", 1e6 * deepest),
                deepest > 0.0 && deepest < 2e-4,
            ),
        ]
    })
}

fn string_string() -> Computed {
    let mut contact =
        Interaction::new("contact", Point::of("below"), Point::of("above"), OneSidedPower::new(1e9, 1.3, 0.0)?);
    contact.spread = Some(Spread::Neighbours);
    contact.gap = 1e-4;
    let system = System {
        title: "W19 section 5: string against string on one grid",
        model: Model::new(RATE)
            .with("below", StringSpec { segments: Some(80), ..lossless(140.0) })
            .with(
                "above",
                StringSpec {
                    mass: StringMass::PerLength(2e-3),
                    method: Method::Grid,
                    segments: Some(80),
                    ..lossless(110.0)
                },
            )
            .join(contact),
        seen: vec![("below", Point::on("below", Place::Along(0.3))), ("above", Point::on("above", Place::Along(0.3)))],
        start: Some(Change::Pluck { object: ObjectId::new(0), centre: 0.3, half_width: 0.1, height: 2e-3 }),
        seconds: 0.05,
        every: 2,
    };
    run(system, |record| {
        let struck = record.most_energy(1);
        vec![
            record.never_negative(),
            Check::holds(
                "the upper string is set moving by the lower",
                format!("up to {:.1} % of the energy", 100.0 * struck),
                struck > 0.1,
            ),
        ]
    })
}

fn mass_string() -> Computed {
    let system = System {
        title: "W19 section 6: mass on a spring and string",
        model: Model::new(RATE)
            .with("string", lossless(100.0))
            .with(
                "mass",
                MassSpec { displacement: -1e-3, velocity: 1.0, ..MassSpec::oscillator(0.005, 30.0, Decay::None) },
            )
            .join(Interaction::new(
                "contact",
                Point::of("mass"),
                Point::on("string", Place::Along(0.137)),
                OneSidedPower::new(1e7, 1.3, 0.0)?,
            )),
        seen: vec![("string", Point::on("string", Place::Along(0.137))), ("mass", Point::of("mass"))],
        start: None,
        seconds: 0.1,
        every: 4,
    };
    run(system, |record| {
        let struck = record.most_energy(0);
        vec![
            record.never_negative(),
            Check::holds(
                "the string takes energy from the mass",
                format!("up to {:.1} % of the energy", 100.0 * struck),
                struck > 0.1,
            ),
            Check::holds(
                "the spring brings the mass back",
                format!("{} contacts", record.contacts),
                record.contacts > 1,
            ),
        ]
    })
}

fn bridge_barrier() -> Computed {
    let system = System {
        title: "W19 appendix D: bridge between a string and a barrier",
        model: Model::new(RATE)
            .with("string", StringSpec { youngs_modulus: 0.0, ..lossless(70.0) })
            .with("bridge", MassSpec::free(0.002))
            .with("barrier", BarrierSpec { height: -1e-5, velocity: 0.0 })
            .join(Interaction::new(
                "joint",
                Point::of("bridge"),
                Point::on("string", Place::Along(0.1)),
                CentreLimited::new(1e7, 1.5, 0.0)?,
            ))
            .join(Interaction::new(
                "rattle",
                Point::of("barrier"),
                Point::of("bridge"),
                OneSidedPower::new(1e8, 1.3, 0.0)?,
            )),
        seen: vec![("string at the bridge", Point::on("string", Place::Along(0.1))), ("bridge", Point::of("bridge"))],
        start: Some(Change::Pluck { object: ObjectId::new(0), centre: 0.5, half_width: 0.2, height: -3e-3 }),
        seconds: 0.1,
        every: 4,
    };
    run(system, |record| {
        let lowest = -largest(record.displacements.iter().map(|seen| -seen[1]));
        vec![
            record.never_negative(),
            Check::holds(
                "the bridge rattles on the barrier",
                format!("{} contacts", record.contacts),
                record.contacts > 1,
            ),
            Check::holds(
                "it stays above the barrier but for the contact's compression",
                format!("lowest {:.1} µm", 1e6 * lowest),
                lowest > -1e-4,
            ),
        ]
    })
}
