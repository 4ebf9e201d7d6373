//! W19 sections 7 and 8: the tromba marina, its string joined to the bridge by a spring or by a two-sided collision, and the bridge
//! rattling on the plate.

use ictus::Model;
use ictus::control::Change;
use ictus::id::ObjectId;
use ictus::laws::{CentreLimited, LinearCubicSpring, OneSidedPower};
use ictus::model::{Interaction, Point};
use ictus::objects::{Decay, Loss, MassSpec, Method, Outline, Place, PlateSpec, StringPitch, StringSpec};

use super::run::{RATE, System, run};
use crate::papers::{Check, Computed, Item};

/// What all three have in common, then what each has of its own.
macro_rules! parameters {
    ($own:literal) => {
        concat!(
            "44.1 kHz; string of 1.9 m, radius 0.5 mm, 32 Hz, plucked by 2 mm at 0.8; bridge of 1 g at 80 Hz at 0.9 of the string; plate of 1.35 by 0.18 m, \
             1 cm, 50 kg/m³, E = 2e5 Pa, under the bridge at (0.37, 0.5); rattle K = 5e8 N/m, α = 1; ",
            $own
        )
    };
}

/// W19 section 7, without losses.
pub const CONNECTION: Item = Item::new(
    "W19-tromba-connection",
    "Tromba marina with a linear and cubic connection, lossless",
    "(32)-(42): the string drives the bridge through a non-linear spring, the bridge rattles on the plate, and the energy of all is kept.",
    parameters!("connection K1 = 1e5 N/m, K3 = 1e10 N/m³; no losses"),
    || tromba(Joint::Spring, false, "W19 section 7: tromba marina, connection"),
);

/// W19 section 7.1.
pub const DAMPED: Item = Item::new(
    "W19-tromba-damped",
    "Tromba marina with a linear and cubic connection, damped",
    "(43)-(65): with losses in string, bridge, plate and connection, stored and dissipated energy still add up.",
    parameters!(
        "connection K1 = 1e5 N/m, K3 = 1e10 N/m³, damped by 0.2 kg/s; string σ0 = 0.1 1/s, σ1 = 5e-4 m²/s; bridge σ = 0.05 1/s; plate σ0 = 1.343 1/s, σ1 = 4.59e-3 m²/s"
    ),
    || tromba(Joint::Spring, true, "W19 section 7.1: tromba marina, connection, damped"),
);

/// W19 section 8.
pub const COLLISION: Item = Item::new(
    "W19-tromba-collision",
    "Tromba marina with a two-sided collision in place of the connection",
    "(66)-(74): the connection is a collision in both directions, K |η|^α sgn η, and is solved like the other.",
    parameters!(
        "two-sided collision K = 5e6 N/m^1.5, α = 1.5, damped by 0.2 kg/s; string σ0 = 0.1 1/s, σ1 = 5e-4 m²/s; bridge σ = 0.05 1/s; plate σ0 = 1.343 1/s, σ1 = 4.59e-3 m²/s"
    ),
    || tromba(Joint::Collision, true, "W19 section 8: tromba marina, two-sided collision"),
);

#[derive(Clone, Copy, PartialEq)]
enum Joint {
    Spring,
    Collision,
}

fn tromba(joint: Joint, losses: bool, title: &'static str) -> Computed {
    let loss = if losses { 1.0 } else { 0.0 };
    let string = StringSpec {
        length: 1.9,
        pitch: StringPitch::Fundamental(32.0),
        radius: 5e-4,
        loss: Loss::sigma(0.1 * loss, 5e-4 * loss),
        method: Method::Grid,
        ..StringSpec::default()
    };
    let plate = PlateSpec {
        outline: Outline::Rectangle([1.35, 0.18]),
        thickness: 0.01,
        density: 50.0,
        youngs_modulus: 2e5,
        loss: Loss::sigma(1.343 * loss, 4.59e-3 * loss),
        method: Method::Grid,
        ..PlateSpec::default()
    };
    let bridge = MassSpec::oscillator(0.001, 80.0, if losses { Decay::Sigma(0.05) } else { Decay::None });
    let at_bridge = Point::on("string", Place::Along(0.9));
    let foot = Point::on("plate", Place::On(0.37, 0.5));
    let mut connection = match joint {
        Joint::Spring => {
            Interaction::new("joint", at_bridge.clone(), Point::of("bridge"), LinearCubicSpring::new(1e5, 1e10)?)
        }
        Joint::Collision => {
            Interaction::new("joint", at_bridge.clone(), Point::of("bridge"), CentreLimited::new(5e6, 1.5, 0.0)?)
        }
    };
    connection.damping = 0.2 * loss;
    let rattle = Interaction::new("rattle", foot.clone(), Point::of("bridge"), OneSidedPower::new(5e8, 1.0, 0.0)?);
    let system = System {
        title,
        model: Model::new(RATE)
            .with("string", string)
            .with("bridge", bridge)
            .with("plate", plate)
            .join(connection)
            .join(rattle),
        seen: vec![
            ("string at the bridge", at_bridge),
            ("bridge", Point::of("bridge")),
            ("plate under the bridge", foot),
        ],
        start: Some(Change::Pluck { object: ObjectId::new(0), centre: 0.8, half_width: 0.1, height: 2e-3 }),
        seconds: 0.1,
        every: 4,
    };
    run(system, |record| {
        let plate = record.most_energy(2);
        let dissipated = record.account.last().map_or(0.0, |account| account[0]);
        vec![
            Check::holds(
                "the bridge rattles on the plate",
                format!("{} contacts in 100 ms", record.contacts),
                record.contacts > 2,
            ),
            record.never_negative(),
            Check::holds(
                "the plate is set moving",
                format!("up to {:.1} % of the energy", 100.0 * plate),
                plate > 0.01,
            ),
            if losses {
                Check::holds(
                    "losses only take, and take some",
                    format!("{dissipated:.2e} J"),
                    record.account.windows(2).all(|pair| pair[1][0] >= pair[0][0])
                        && dissipated > 0.01 * record.energy(),
                )
            } else {
                Check::at_most("nothing is dissipated, in parts of the energy", 1e-12, dissipated / record.energy(), "")
            },
        ]
    })
}
