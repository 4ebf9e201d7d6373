//! Networks of bodies on grids and of laws without a memory, with extreme parameters.

use ictus::Model;
use ictus::contact::Rule;
use ictus::laws::{BowFriction, CentreLimited, HuntCrossley, Law, LinearCubicSpring, OddPower, OneSidedPower};
use ictus::model::{Force, Interaction, ObjectSpec, Pickup, Point, Source};
use ictus::objects::{
    BarSpec, BarrierSpec, Decay, Loss, MassSpec, MembraneSpec, Method, ModalSpec, ModeSpec, Place, PlateSpec,
    StringSpec,
};

use super::RATE;
use crate::common::Random;

fn object(random: &mut Random) -> ObjectSpec {
    let loss = |random: &mut Random| if random.chance(0.5) { 0.0 } else { random.decades(1e-2, 1e2) };
    match random.below(9) {
        0 | 1 => MassSpec {
            mass: random.decades(1e-4, 1e2),
            displacement: random.between(-1e-3, 1e-3),
            velocity: random.between(-3.0, 3.0),
            frequency: if random.chance(0.5) { 0.0 } else { random.decades(1.0, 2e4) },
            decay: if random.chance(0.5) { Decay::None } else { Decay::Sigma(random.decades(0.1, 1e4)) },
        }
        .into(),
        2 => {
            let mode = |random: &mut Random| ModeSpec {
                frequency: random.decades(20.0, 2e4),
                decay: Decay::Sigma(random.decades(0.1, 1e3)),
                mass: random.decades(1e-4, 1e1),
            };
            let modes: Vec<ModeSpec> = (0..1 + random.below(12)).map(|_| mode(random)).collect();
            let points = (0..3).map(|_| modes.iter().map(|_| random.between(-1.0, 1.0)).collect()).collect();
            ModalSpec { modes, points }.into()
        }
        3 | 4 => StringSpec {
            method: Method::Grid,
            segments: Some(8 + random.below(10)),
            loss: Loss::sigma(loss(random), 1e-5 * loss(random)),
            radius: random.decades(1e-4, 2e-3),
            ..StringSpec::default()
        }
        .into(),
        5 => BarSpec { method: Method::Grid, segments: Some(8), ..BarSpec::default() }.into(),
        6 => MembraneSpec {
            method: Method::Grid,
            grid: Some([6, 7]),
            loss: Loss::sigma(loss(random), 0.01),
            ..MembraneSpec::default()
        }
        .into(),
        7 => PlateSpec {
            method: Method::Grid,
            grid: Some([7, 6]),
            loss: Loss::sigma(loss(random), 0.002),
            ..PlateSpec::default()
        }
        .into(),
        _ => BarrierSpec {
            height: random.between(-1e-3, 1e-3),
            velocity: if random.chance(0.5) { 0.0 } else { random.between(-1.0, 1.0) },
        }
        .into(),
    }
}

/// A place on a body.
pub fn place(random: &mut Random, spec: &ObjectSpec) -> Place {
    match spec {
        ObjectSpec::Mass(_) | ObjectSpec::Barrier(_) => Place::Whole,
        ObjectSpec::Modal(_) => Place::Point(random.below(3)),
        ObjectSpec::Membrane(_) | ObjectSpec::Plate(_) => Place::On(random.unit(), random.unit()),
        _ => Place::Along(random.unit()),
    }
}

/// Any law without a memory.
pub fn law(random: &mut Random) -> Law {
    let (stiffness, exponent) = (random.decades(1e2, 1e14), random.between(1.0, 4.0));
    match random.below(8) {
        0 => OneSidedPower::new(stiffness, exponent, random.between(0.0, 1e-4)).unwrap().into(),
        1 => OddPower::new(stiffness, [1.0, 3.0][random.below(2)]).unwrap().into(),
        2 => CentreLimited::new(stiffness, exponent, random.between(0.0, 1e-4)).unwrap().into(),
        3 => LinearCubicSpring::new(random.decades(1.0, 1e9), random.decades(1.0, 1e14)).unwrap().into(),
        4 => BowFriction::new(random.decades(1e-2, 1e2), random.decades(1.0, 1e4)).unwrap().into(),
        _ => HuntCrossley::new(stiffness, exponent, random.decades(1e-3, 1e3)).unwrap().into(),
    }
}

/// A network with a free mass, further bodies, and what joins them.
pub fn network(random: &mut Random) -> Model {
    let mut model = Model::new(RATE);
    let count = 2 + random.below(4);
    for index in 0..count {
        let spec = if index == 0 { MassSpec::free(0.01).into() } else { object(random) };
        model = model.with(&format!("object {index}"), spec);
    }
    let point = |random: &mut Random, model: &Model, index: usize| {
        Point::on(&model.objects[index].name, place(random, &model.objects[index].spec))
    };
    for index in 0..1 + random.below(6) {
        let (from, to) = (random.below(count), random.below(count));
        let (from, to) = (point(random, &model, from), point(random, &model, to));
        let mut interaction = Interaction::new(&format!("contact {index}"), from, to, law(random));
        interaction.gap = random.between(-1e-4, 1e-3);
        interaction.damping = if random.chance(0.7) { 0.0 } else { random.decades(1e-3, 1e3) };
        interaction.rule = if random.chance(0.7) {
            Rule::Secant
        } else {
            [Rule::SecantPlain, Rule::NonAdhesive, Rule::Release][random.below(3)]
        };
        interaction.slips_at = random.chance(0.1).then_some(10.0);
        model = model.join(interaction);
    }
    let pushed = random.below(count);
    let at = point(random, &model, pushed);
    model = model.drive(Force { name: "push".into(), at, level: random.between(-10.0, 10.0), signal: None });
    let heard = random.below(count);
    let at = point(random, &model, heard);
    model.listen(Pickup { source: Source::Displacement(at), gains: vec![1.0] })
}
