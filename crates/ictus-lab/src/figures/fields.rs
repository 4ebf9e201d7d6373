//! Small pictures of fields in rows: mode shapes with their nodal lines, as Chladni saw them.
//!
//! Orange is up, blue is down, white is at rest; a dark line runs where nothing moves. Written straight into the drawing of the plot library: axes
//! around forty small pictures would hide them.

use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::render::color::Color;
use kuva::render::render::{Primitive, Scene, TextAnchor};

use super::{Format, draw, heat_map};

/// Pixels between neighbouring pictures, under the title, and for a line of words.
const GAP: f64 = 14.0;
const TITLE: f64 = 34.0;
const LINE: f64 = 17.0;
/// Shades between rest and the largest displacement.
const SHADES: f64 = 12.0;
/// In the corners of a rectangle, this part of its sides wide, nodal lines are not drawn where all moves less than that part of the largest: a clamped plate is so flat
/// there that its sign means nothing.
const CORNER: f64 = 0.1;
const STILL: f64 = 2e-3;
const UP: [f64; 3] = [213.0, 94.0, 0.0];
const DOWN: [f64; 3] = [0.0, 94.0, 170.0];

/// The edge of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// A rectangle.
    Rectangle,
    /// The circle inside the square; values outside it are not drawn.
    Circle,
}

/// Values over a rectangle, at the middles of square cells of one pixel.
#[derive(Clone, Debug)]
pub struct Field {
    /// What is written under it.
    pub caption: String,
    /// Cells in a row.
    pub columns: usize,
    /// Values, row by row from the bottom, a whole number of rows. Their scale does not matter.
    pub values: Vec<f64>,
    /// Its edge.
    pub edge: Edge,
}

/// Fields side by side under a heading.
#[derive(Clone, Debug)]
pub struct Row {
    /// What is written above them.
    pub heading: String,
    /// The fields.
    pub fields: Vec<Field>,
}

/// Rows of fields under a title.
#[derive(Clone, Debug)]
pub struct Fields {
    /// Title of the whole picture.
    pub title: String,
    /// From top to bottom.
    pub rows: Vec<Row>,
}

impl Field {
    fn size(&self) -> (f64, f64) {
        (self.columns as f64, (self.values.len() / self.columns.max(1)) as f64)
    }

    /// The value of a cell in parts of the largest, if it lies inside the edge.
    fn at(&self, column: usize, row: usize, largest: f64) -> Option<f64> {
        let (width, height) = self.size();
        let [x, y] = [(column as f64 + 0.5) / width - 0.5, (row as f64 + 0.5) / height - 0.5];
        let inside = self.edge == Edge::Rectangle || x * x + y * y < 0.25;
        let value = self.values.get(row * self.columns + column).copied().filter(|value| value.is_finite())?;
        inside.then_some(value / largest)
    }

    fn draw(&self, scene: &mut Scene, (left, top): (f64, f64)) {
        let (width, height) = self.size();
        let largest = self
            .values
            .iter()
            .filter(|value| value.is_finite())
            .fold(f64::MIN_POSITIVE, |most, value| most.max(value.abs()));
        let rows = height as usize;
        let (mut x, mut y, mut fills) = (Vec::new(), Vec::new(), Vec::new());
        // Row 0 is at the bottom.
        let down = |row: usize| top + height - 1.0 - row as f64;
        for row in 0..rows {
            for column in 0..self.columns {
                if let Some(value) = self.at(column, row, largest) {
                    x.push(left + column as f64);
                    y.push(down(row));
                    fills.push(shade(value));
                }
            }
        }
        let ones = vec![1.0; x.len()];
        scene.add(Primitive::RectBatch { x, y, w: ones.clone(), h: ones, fills });
        for row in 0..rows.saturating_sub(1) {
            for column in 0..self.columns.saturating_sub(1) {
                let corners =
                    [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(right, up)| self.at(column + right, row + up, largest));
                let [Some(a), Some(b), Some(c), Some(d)] = corners else { continue };
                let in_corner = [(column, width), (row, height)].iter().all(|(cell, side)| {
                    let part = (*cell as f64 + 1.0) / side;
                    !(CORNER..=1.0 - CORNER).contains(&part)
                });
                if in_corner && [a, b, c, d].iter().all(|value| value.abs() < STILL) {
                    continue;
                }
                let (x, y) = (left + column as f64 + 0.5, down(row) + 0.5);
                for [(x1, y1), (x2, y2)] in nodal([a, b, c, d]) {
                    let stroke = Color::from("#222222");
                    let (x1, y1, x2, y2) = (x + x1, y - y1, x + x2, y - y2);
                    scene.add(Primitive::Line { x1, y1, x2, y2, stroke, stroke_width: 1.1, stroke_dasharray: None });
                }
            }
        }
        let (stroke, fill) = (Some(Color::from("#444444")), Color::None);
        scene.add(match self.edge {
            Edge::Rectangle => {
                Primitive::Rect { x: left, y: top, width, height, fill, stroke, stroke_width: Some(1.2), opacity: None }
            }
            Edge::Circle => {
                let (cx, cy, r) = (left + 0.5 * width, top + 0.5 * height, 0.5 * width);
                Primitive::Circle { cx, cy, r, fill, fill_opacity: None, stroke, stroke_width: Some(1.6) }
            }
        });
        let (x, y) = (left + 0.5 * width, top + height + LINE - 3.0);
        scene.add(words(x, y, self.caption.clone(), 11, TextAnchor::Middle, false));
    }
}

/// From white towards orange or blue, in steps.
fn shade(value: f64) -> Color {
    let colour = if value > 0.0 { UP } else { DOWN };
    // The root lets small displacements be seen.
    let part = 0.85 * (value.abs().sqrt() * SHADES).round() / SHADES;
    let [r, g, b] = colour.map(|channel| (255.0 + part * (channel - 255.0)).round().clamp(0.0, 255.0) as u8);
    Color::Rgb(r, g, b)
}

type Point = (f64, f64);

/// Where values at the corners of a unit square (from the lower left, around to the upper left) change sign: pieces of the nodal line.
fn nodal(corners: [f64; 4]) -> Vec<[Point; 2]> {
    const CORNERS: [Point; 4] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let crossings: Vec<Point> = (0..4)
        .filter_map(|side| {
            let (here, there) = (corners[side], corners[(side + 1) % 4]);
            let part = here / (here - there);
            let ((x1, y1), (x2, y2)) = (CORNERS[side], CORNERS[(side + 1) % 4]);
            ((here > 0.0) != (there > 0.0)).then_some((x1 + part * (x2 - x1), y1 + part * (y2 - y1)))
        })
        .collect();
    crossings.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

fn words(x: f64, y: f64, content: String, size: u32, anchor: TextAnchor, bold: bool) -> Primitive {
    let color = Some(Color::from("#222222"));
    Primitive::Text { x, y, content, size, anchor, rotate: None, bold, color }
}

impl Fields {
    /// The picture file's bytes.
    pub fn render(&self, format: Format) -> Result<Vec<u8>, String> {
        let row_size = |row: &Row| {
            let sizes = || row.fields.iter().map(Field::size);
            let width: f64 = sizes().map(|(width, _)| width + GAP).sum();
            (width, sizes().map(|(_, height)| height).fold(0.0, f64::max) + 2.0 * LINE + GAP)
        };
        let width = self.rows.iter().map(|row| row_size(row).0).fold(0.0, f64::max) + GAP;
        let height: f64 = TITLE + self.rows.iter().map(|row| row_size(row).1).sum::<f64>();
        let mut scene = Scene::new(width, height);
        scene.add(words(0.5 * width, TITLE - 12.0, self.title.clone(), 15, TextAnchor::Middle, true));
        let mut top = TITLE;
        for row in &self.rows {
            scene.add(words(GAP, top + LINE - 6.0, row.heading.clone(), 12, TextAnchor::Start, true));
            let mut left = GAP;
            for field in &row.fields {
                field.draw(&mut scene, (left, top + LINE));
                left += field.size().0 + GAP;
            }
            top += row_size(row).1;
        }
        heat_map::join_cells(&mut scene.elements);
        match format {
            Format::Svg => Ok(SvgBackend::new().render_scene(&scene).into_bytes()),
            Format::Png => PngBackend::new().with_scale(draw::PNG_SCALE).render_scene(&scene),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nodal_line_runs_where_the_sign_changes() {
        assert!(nodal([1.0, 2.0, 3.0, 0.5]).is_empty());
        let lines = nodal([-1.0, 1.0, 3.0, -1.0]);
        assert_eq!(lines, [[(0.5, 0.0), (0.25, 1.0)]]);
        assert_eq!(nodal([1.0, -1.0, 1.0, -1.0]).len(), 2, "a saddle has two");
    }

    #[test]
    fn up_is_orange_down_is_blue_and_rest_is_white() {
        assert!(matches!(shade(0.0), Color::Rgb(255, 255, 255)));
        assert!(matches!(shade(1.0), Color::Rgb(r, _, b) if r > b));
        assert!(matches!(shade(-1.0), Color::Rgb(r, _, b) if r < b));
    }

    #[test]
    fn any_values_can_be_drawn() {
        let field = |columns, values, edge| Field { caption: "1".into(), columns, values, edge };
        let odd = vec![f64::NAN, f64::INFINITY, -1e300, 1e300, 0.0, 1.0, -1.0, 5e-324, 2.0];
        let fields = vec![
            field(3, odd.clone(), Edge::Rectangle),
            field(3, odd, Edge::Circle),
            field(2, vec![0.0; 4], Edge::Circle),
            field(0, vec![], Edge::Rectangle),
        ];
        let fields = Fields { title: "odd".into(), rows: vec![Row { heading: "row".into(), fields }] };
        let svg = String::from_utf8(fields.render(Format::Svg).expect("is drawn")).expect("is text");
        assert!(svg.starts_with("<svg") && !svg.contains("NaN") && svg.contains("odd"), "{svg}");
        assert!(fields.render(Format::Png).expect("is drawn").starts_with(b"\x89PNG"));
    }
}
