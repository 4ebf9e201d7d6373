//! How the pitch of a plucked string glides.

use ictus::Model;
use ictus::model::{Pickup, Point, Source, Start};
use ictus::objects::{Amplitude, Loss, Place, StringPitch, StringSpec};
use ictus_analysis::{cents, partial_near};

use super::failed;
use crate::commands::study::page;
use crate::error::Error;
use crate::figures::{Axis, Curve, Figure, Panel, Stroke, colour};

const RATE: f64 = 48_000.0;
/// Pitch in Hz of small swings.
const PITCH: f64 = 110.0;
/// How high in m the string is plucked.
const PLUCKS: [f64; 4] = [1e-3, 2e-3, 4e-3, 6e-3];
/// Length in s of a piece whose pitch is measured, and how long is measured.
const PIECE: f64 = 0.12;
const LENGTH: f64 = 2.5;

/// One pluck: time in s and cents above the pitch of small swings.
pub struct Glide {
    height: f64,
    track: Vec<(f64, f64)>,
}

pub fn measure() -> Result<Vec<Glide>, Error> {
    let glide = |height: f64| {
        let spec = StringSpec {
            pitch: StringPitch::Fundamental(PITCH),
            amplitude: Amplitude::Large,
            loss: Loss::sigma(1.5, 4e-4),
            highest: Some(8000.0),
            ..StringSpec::default()
        };
        let start = Start { centre: Place::Along(0.3), half_width: 0.3, displacement: height, velocity: 0.0 };
        let heard = Pickup { source: Source::Velocity(Point::on("string", Place::Along(0.43))), gains: vec![1.0] };
        let model = Model::new(RATE).with("string", spec).starting(start).listen(heard);
        let mut engine = model.build().map_err(failed)?;
        let mut sound = vec![0.0; (LENGTH * RATE) as usize];
        engine.process(&mut sound);
        let length = (PIECE * RATE) as usize;
        let pieces = sound.windows(length).step_by(length / 2).enumerate();
        let track = pieces.filter_map(|(number, piece)| {
            let found = partial_near(piece, RATE, 1.06 * PITCH, 400.0).ok()??;
            Some((PIECE * (0.5 * number as f64 + 0.5), cents(PITCH, found.frequency)))
        });
        Ok(Glide { height, track: track.collect() })
    };
    PLUCKS.into_iter().map(glide).collect()
}

/// Cents at a time in s.
fn at(glide: &Glide, time: f64) -> f64 {
    let near = glide.track.iter().min_by(|a, b| (a.0 - time).abs().total_cmp(&(b.0 - time).abs()));
    near.map_or(f64::NAN, |point| point.1)
}

pub fn table(glides: &[Glide]) -> String {
    let cells = |glide: &Glide| {
        let cents = [0.1, 0.5, 1.0, 2.0].map(|time| format!("{:+.1}", at(glide, time)));
        [format!("{:.0}", 1e3 * glide.height)].into_iter().chain(cents).collect()
    };
    let told = "Cents by which the first partial of a steel string of 110 Hz is above the pitch of small swings, in pieces of 0.12 s.";
    let columns = ["plucked (mm)", "at 0.1 s", "0.5 s", "1 s", "2 s"];
    format!("### Glides\n\n{told}\n\n{}", page::table(&columns, glides.iter().map(cells).collect()))
}

pub fn figure(glides: &[Glide]) -> Figure {
    let curves: Vec<Curve> = glides
        .iter()
        .enumerate()
        .map(|(number, glide)| Curve::line(glide.track.clone(), Stroke::solid(colour(number))))
        .collect();
    let top = curves.iter().flat_map(|curve| &curve.points).fold(0.0_f64, |top, point| top.max(point.1));
    let panel = Panel::new(
        "",
        Axis::linear("time", "s", (0.0, LENGTH)),
        Axis::linear("above its pitch in cents", "", (-0.02 * top, 1.05 * top)),
        curves,
    );
    let figure = Figure::new("A steel string of 110 Hz, plucked", 1, vec![panel]);
    let figure = Figure { panel_size: (760.0, 400.0), ..figure };
    glides.iter().enumerate().fold(figure, |figure, (number, glide)| {
        figure.key(format!("{:.0} mm", 1e3 * glide.height), Stroke::solid(colour(number)))
    })
}
