//! Pictures of membranes and plates: shapes with their nodal lines.

use std::f64::consts::TAU;

use ictus::Engine;
use ictus::id::ObjectId;
use ictus::model::ObjectSpec;
use ictus::objects::{MembraneSpec, Outline, Place, PlateEdges, PlateSpec, material};

use super::sound::{RATE, alone, failed};
use crate::error::Error;
use crate::figures::{Edge, Field, Fields, Row};

/// Cells across a picture.
const ACROSS: usize = 104;
/// Modes of a circle and of a rectangle that are drawn.
const CIRCLES: usize = 8;
const RECTANGLES: usize = 10;
/// Ratio by which frequencies differ that are not those of one pair.
const APART: f64 = 1e-6;
/// Sides of the plates of wood in m.
const BOARD: [f64; 2] = [0.4, 0.3];

/// Modes of a circle, one of each pair that differs by a turn alone.
pub fn circles() -> Result<Fields, Error> {
    let plate = |edges| -> ObjectSpec {
        let (outline, highest) = (Outline::Circle(0.4), Some(2000.0));
        PlateSpec { outline, edges, highest, ..PlateSpec::default() }.into()
    };
    let head = MembraneSpec { outline: Outline::Circle(0.4), highest: Some(2000.0), ..MembraneSpec::default() };
    let rows = [
        ("membrane", head.into()),
        ("plate, free", plate(PlateEdges::Free)),
        ("plate, supported", plate(PlateEdges::SimplySupported)),
        ("plate, clamped", plate(PlateEdges::Clamped)),
    ];
    let rows = rows.into_iter().map(|(heading, spec)| {
        let engine = alone(spec, RATE)?;
        let lowest = chosen(&engine, CIRCLES, true);
        let caption = |mode: usize, ratio: f64| {
            let (diameters, circles) = nodes_of_circle(&engine, mode)?;
            Ok(format!("({diameters},{circles})  {ratio:.3}"))
        };
        row(heading, &engine, &lowest, [ACROSS; 2], Edge::Circle, caption)
    });
    let title = "Circles: (nodal diameters, nodal circles inside the edge) and frequency over the lowest".to_owned();
    Ok(Fields { title, rows: rows.collect::<Result<_, Error>>()? })
}

/// Free and clamped plates, square and 3 to 2.
pub fn plates() -> Result<Fields, Error> {
    let plate = |sides: [f64; 2], edges| -> ObjectSpec {
        let (outline, highest) = (Outline::Rectangle(sides), Some(2500.0));
        PlateSpec { outline, edges, highest, ..PlateSpec::default() }.into()
    };
    let rows = [
        ("square, free", [0.3, 0.3], PlateEdges::Free),
        ("square, clamped", [0.3, 0.3], PlateEdges::Clamped),
        ("3 to 2, free", [0.36, 0.24], PlateEdges::Free),
        ("3 to 2, clamped", [0.36, 0.24], PlateEdges::Clamped),
    ];
    let rows = rows.into_iter().map(|(heading, sides, edges)| rectangle(heading, plate(sides, edges), sides));
    let title = "Plates of one stiffness in all directions (ν = 0.3): the first ten modes, frequency over the lowest";
    Ok(Fields { title: title.to_owned(), rows: rows.collect::<Result<_, Error>>()? })
}

/// A free board of spruce beside one that is as stiff across the grain as along it.
pub fn wood() -> Result<Fields, Error> {
    let spruce = material("spruce").ok_or_else(|| failed("there is no spruce"))?;
    let board = PlateSpec {
        outline: Outline::Rectangle(BOARD),
        thickness: 3e-3,
        edges: PlateEdges::Free,
        highest: Some(2500.0),
        ..PlateSpec::default()
    }
    .of(spruce);
    let even = PlateSpec { grain: None, ..board.clone() };
    let across = spruce.grain.map_or(1.0, |grain| grain.youngs_modulus_across / spruce.youngs_modulus);
    let wooden =
        format!("spruce, its grain from left to right: across it Young's modulus is {across:.3} of that along it");
    let rows = [(wooden.as_str(), board), ("the same board as stiff across as along", even)];
    let rows = rows.into_iter().map(|(heading, spec)| rectangle(heading, spec.into(), BOARD));
    let title = format!("Free boards of {} by {} cm and 3 mm: the first ten modes", 100.0 * BOARD[0], 100.0 * BOARD[1]);
    Ok(Fields { title, rows: rows.collect::<Result<_, Error>>()? })
}

fn rectangle(heading: &str, spec: ObjectSpec, sides: [f64; 2]) -> Result<Row, Error> {
    let engine = alone(spec, RATE)?;
    let lowest = chosen(&engine, RECTANGLES, false);
    let down = (ACROSS as f64 * sides[1] / sides[0]).round() as usize;
    let hertz: Vec<f64> = lowest.iter().map(|(_, hertz)| *hertz).collect();
    let caption = |mode: usize, ratio: f64| {
        let number = lowest.iter().position(|(other, _)| *other == mode).unwrap_or(0);
        Ok(format!("{:.0} Hz  {ratio:.3}", hertz.get(number).copied().unwrap_or(0.0)))
    };
    row(heading, &engine, &lowest, [ACROSS, down], Edge::Rectangle, caption)
}

/// Number and frequency in Hz of the lowest modes that swing; of a pair of one frequency, if asked for, the first only.
fn chosen(engine: &Engine, count: usize, one_of_pair: bool) -> Vec<(usize, f64)> {
    let mut lowest: Vec<(usize, f64)> = Vec::new();
    for (number, mode) in engine.modes(ObjectId::new(0)).into_iter().flatten().enumerate() {
        let again = |(_, last): &(usize, f64)| one_of_pair && mode.frequency / last - 1.0 < APART;
        if mode.frequency > 0.0 && !lowest.last().is_some_and(again) && lowest.len() < count {
            lowest.push((number, mode.frequency));
        }
    }
    lowest
}

fn row(
    heading: &str,
    engine: &Engine,
    lowest: &[(usize, f64)],
    [across, down]: [usize; 2],
    edge: Edge,
    caption: impl Fn(usize, f64) -> Result<String, Error>,
) -> Result<Row, Error> {
    let count = lowest.last().map_or(0, |(mode, _)| mode + 1);
    let mut weights = vec![0.0; count];
    let mut values = vec![Vec::new(); lowest.len()];
    for y in 0..down {
        for x in 0..across {
            let place = Place::On((x as f64 + 0.5) / across as f64, (y as f64 + 0.5) / down as f64);
            let there = engine.mode_shapes_at(ObjectId::new(0), place, &mut weights).is_some();
            for (values, (mode, _)) in values.iter_mut().zip(lowest) {
                values.push(if there { weights[*mode] } else { f64::NAN });
            }
        }
    }
    let first = lowest.first().map_or(1.0, |(_, frequency)| *frequency);
    let fields = values.into_iter().zip(lowest).map(|(values, (mode, frequency))| {
        Ok(Field { caption: caption(*mode, frequency / first)?, columns: across, values, edge })
    });
    Ok(Row { heading: heading.to_owned(), fields: fields.collect::<Result<_, Error>>()? })
}

/// Nodal diameters and nodal circles of a mode, counted on its shape: changes of sign around near the edge, and along the radius of its antinode.
fn nodes_of_circle(engine: &Engine, mode: usize) -> Result<(usize, usize), Error> {
    let mut weights = vec![0.0; mode + 1];
    let mut at = |radius: f64, angle: f64| {
        let place = Place::On(0.5 + 0.5 * radius * angle.cos(), 0.5 + 0.5 * radius * angle.sin());
        engine.mode_shapes_at(ObjectId::new(0), place, &mut weights).ok_or_else(|| failed("a place off the circle"))?;
        Ok::<f64, Error>(weights[mode])
    };
    let changes = |values: &[f64]| values.windows(2).filter(|pair| (pair[0] > 0.0) != (pair[1] > 0.0)).count();
    // Not at the edge itself, where a held rim does not move, and started off a nodal line.
    let around = |start: f64| (0..=360).map(move |step| start + TAU * f64::from(step) / 360.0);
    let ring = around(0.1).map(|angle| at(0.97, angle)).collect::<Result<Vec<f64>, Error>>()?;
    let most = ring.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map_or(0, |(step, _)| step);
    let angle = 0.1 + TAU * most as f64 / 360.0;
    let radius = (2..=97).map(|step| at(f64::from(step) / 100.0, angle)).collect::<Result<Vec<f64>, Error>>()?;
    let largest = ring.iter().fold(0.0_f64, |most, value| value.abs().max(most));
    let even = ring.iter().all(|value| (value - ring[0]).abs() < 1e-6 * largest);
    Ok((if even { 0 } else { changes(&ring) / 2 }, changes(&radius)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captions(row: &Row) -> Vec<&str> {
        row.fields.iter().map(|field| field.caption.as_str()).collect()
    }

    /// Orders of Leissa, NASA SP-160, chapter 2, and of the zeros of Bessel's functions.
    #[test]
    fn circles_ring_in_the_order_of_the_textbook() {
        let picture = circles().expect("is computed");
        let [head, free, supported, clamped] = &picture.rows[..] else { panic!("four rows") };
        let starts = |row: &Row, orders: &[&str]| {
            let found = captions(row);
            orders.iter().zip(&found).all(|(order, caption)| caption.starts_with(order))
        };
        assert!(
            starts(head, &["(0,0)  1.000", "(1,0)  1.593", "(2,0)  2.136", "(0,1)  2.295"]),
            "{:?}",
            captions(head)
        );
        assert!(starts(free, &["(2,0)  1.000", "(0,1)  1.680", "(3,0)  2.321", "(1,1)"]), "{:?}", captions(free));
        assert!(starts(supported, &["(0,0)", "(1,0)", "(2,0)", "(0,1)"]), "{:?}", captions(supported));
        assert!(starts(clamped, &["(0,0)  1.000", "(1,0)  2.081", "(2,0)  3.414"]), "{:?}", captions(clamped));
    }

    /// ωa²√(ρH/D): the free square's lowest are 13.468, 19.596, 24.270 and 34.801 (Gorman; the upper bounds of NASA SP-160 are up to 1 % higher), the
    /// clamped one's 35.985, 73.394, 73.394 and 108.22.
    #[test]
    fn squares_ring_in_the_ratios_of_the_literature() {
        let picture = plates().expect("is computed");
        let ratio = |row: usize, field: usize| -> f64 {
            let caption = &picture.rows[row].fields[field].caption;
            caption.split_whitespace().last().and_then(|word| word.parse().ok()).expect("a ratio")
        };
        for (row, roots) in [(0, [13.468, 19.596, 24.270, 34.801]), (1, [35.985, 73.394, 73.394, 108.22])] {
            for (field, root) in roots.into_iter().enumerate() {
                let found = ratio(row, field);
                assert!((found * roots[0] / root - 1.0).abs() < 1e-3, "row {row}, field {field}: {found}");
            }
        }
    }
}
