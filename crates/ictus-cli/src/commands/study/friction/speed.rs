//! Friction against speed: what bristles come to when they are drawn on at one velocity.

use ictus::Model;
use ictus::id::ContactId;
use ictus::model::{Interaction, Point};
use ictus::objects::{BarrierSpec, MassSpec};

use super::block::Block;
use super::{Rubbed, failed};
use crate::commands::study::page;
use crate::error::Error;
use crate::figures::{Axis, Curve, Dash, Figure, Panel, Stroke, colour};

/// Rate in Hz, and velocities in m/s.
const RATE: f64 = 48e3;
const VELOCITIES: [f64; 9] = [0.001, 0.01, 0.03, 0.05, 0.08, 0.12, 0.2, 0.5, 2.0];

const SURFACE: Rubbed = Rubbed {
    normal_force: 1.0,
    static_friction: 1.5,
    kinetic_friction: 0.5,
    slowing: 0.05,
    stiffness: 1e5,
    elastic: 0.0,
};

/// Friction in N at a velocity in m/s, of bristles and of elasto-plastic ones.
pub struct Steady {
    velocity: f64,
    forces: [f64; 2],
}

pub fn measure() -> Result<Vec<Steady>, Error> {
    let steady = |velocity: f64| {
        let mut forces = [0.0; 2];
        for (force, elastic) in forces.iter_mut().zip([0.0, 0.7]) {
            let mut engine = Model::new(RATE)
                .with("belt", BarrierSpec { height: 0.0, velocity })
                .with("anvil", MassSpec::free(1e9))
                .join(Interaction::new(
                    "friction",
                    Point::of("belt"),
                    Point::of("anvil"),
                    Rubbed { elastic, ..SURFACE }.law()?,
                ))
                .build()
                .map_err(failed)?;
            // So long that they are drawn a hundred times as far as they bend.
            let far = 100.0 * SURFACE.static_friction * SURFACE.normal_force / SURFACE.stiffness;
            engine.advance((far / velocity * RATE) as usize + 100);
            *force = engine.interaction_force(ContactId::new(0)).unwrap_or(f64::NAN);
        }
        Ok(Steady { velocity, forces })
    };
    VELOCITIES.into_iter().map(steady).collect()
}

pub fn table(speeds: &[Steady]) -> String {
    let cells = |steady: &Steady| {
        let formula = SURFACE.sliding(steady.velocity);
        let off = steady.forces.map(|force| match (force / formula - 1.0).abs() {
            off if off < 1e-8 => "below 1e-8".to_owned(),
            off => format!("{off:.0e}"),
        });
        [format!("{}", steady.velocity), format!("{formula:.5}")].into_iter().chain(off).collect()
    };
    let told = "Friction of 1 N on a surface with μ_s = 1.5, μ_k = 0.5 and v_s = 0.05 m/s after long sliding: by the formula, and how far the engine at 48 kHz is from it.";
    let columns = ["velocity (m/s)", "friction (N)", "`bristle-friction`", "`elasto-plastic-friction`"];
    format!("### Friction against speed\n\n{told}\n\n{}", page::table(&columns, speeds.iter().map(cells).collect()))
}

pub fn figure(speeds: &[Steady], blocks: &[Block]) -> Figure {
    let formula = (0..=300).map(|n| 1e-3 * 10.0_f64.powf(f64::from(n) / 300.0 * 3.4));
    let line = formula.map(|velocity| (velocity, SURFACE.sliding(velocity))).collect();
    let mut curves = vec![Curve::line(line, Stroke::solid(colour(0)))];
    for which in [0, 1] {
        let dots = speeds.iter().map(|steady| (steady.velocity, steady.forces[which])).collect();
        // The smaller on the larger, where both are the same.
        let dots = Curve::line(dots, Stroke::solid(colour(1 + which)).wide(0.0));
        curves.push(Curve { dots: Some([5.0, 2.6][which]), ..dots });
    }
    let x = Axis::logarithmic("velocity", "m/s", (8e-4, 3.0));
    let steady = Panel::new("after long sliding", x, Axis::linear("friction", "N", (0.0, 1.6)), curves);
    let path = blocks.first().map(|block| block.path.clone()).unwrap_or_default();
    let reach = path.iter().fold(0.0_f64, |most, point| most.max(point.0));
    let grey = Stroke::solid("#444444").wide(1.0).dashed(Dash::Dashed);
    let curve: Vec<(f64, f64)> =
        (0..=200).map(|n| reach * f64::from(n) / 200.0).map(|v| (v, SURFACE.sliding(v))).collect();
    let x = Axis::linear("velocity of sliding", "m/s", (-0.1 * reach, 1.05 * reach));
    let slips = Panel::new(
        "one period of a block that sticks and slips",
        x,
        Axis::linear("friction", "N", (-0.1, 1.6)),
        vec![Curve::line(curve, grey.clone()), Curve::line(path, Stroke::solid(colour(1)))],
    );
    Figure::new("Friction against speed", 2, vec![steady, slips])
        .key("μ_k + (μ_s - μ_k) e^(-(v/v_s)²)", Stroke::solid(colour(0)))
        .key("bristle-friction", Stroke::solid(colour(1)))
        .key("elasto-plastic-friction", Stroke::solid(colour(2)))
}
