//! What moves: every object in a cell of its own, larger than life, brighter where there is energy; contacts flash where they are.

use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};

use crate::desk::Desk;
use crate::face::Face;
use crate::picture::{Look, Picture, Sketch, Spot};

/// How fast the size at which motion is drawn follows it, a share of each picture.
const SETTLING: f32 = 0.02;

/// Smallest motion that is drawn, in m: less is as good as rest.
const SMALLEST: f32 = 1e-9;

/// Flashes darker than this are not drawn, nor are more than so many.
const DARK: f32 = 0.02;
const MOST_FLASHES: usize = 512;

/// Share of a flash that is left in the next picture.
const AFTERGLOW: f32 = 0.85;

/// What was drawn last.
#[derive(Debug, Default)]
pub struct Motion {
    picture: Option<Picture>,
    /// The number of the scene.
    choice: u64,
    /// For every object, the largest motion seen of late, in m, and the largest energy in J.
    sizes: Vec<f32>,
    energies: Vec<f32>,
    /// Of every contact, how bright it is and the largest force seen, in N.
    flashes: Vec<f32>,
    forces: Vec<f32>,
}

impl Motion {
    /// Begins to draw another scene.
    pub fn begin(&mut self, desk: &Desk, face: &Face) {
        let (objects, contacts) = (face.drawing.objects.len(), face.drawing.contacts.len());
        *self = Self {
            picture: None,
            choice: face.choice,
            sizes: vec![SMALLEST; objects],
            energies: vec![f32::MIN_POSITIVE; objects],
            flashes: vec![0.0; contacts],
            forces: vec![f32::MIN_POSITIVE; contacts],
        };
        while desk.blank.pop().is_some() || desk.drawn.pop().is_some() {}
        for _ in 0..2 {
            let _ = desk.blank.push(face.drawing.picture(face.choice));
        }
    }

    /// Draws the newest picture.
    pub fn show(&mut self, ui: &mut Ui, desk: &Desk, face: &Face) {
        while let Some(picture) = desk.drawn.pop() {
            if picture.choice != self.choice {
                continue;
            }
            self.remember(&picture, face);
            if let Some(old) = self.picture.replace(picture) {
                let _ = desk.blank.push(old);
            }
        }
        let (room, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
        let Some(picture) = &self.picture else {
            let words = if face.message.is_some() { "silence: see the text" } else { "at rest until the host plays" };
            ui.painter().text(
                room.center(),
                Align2::CENTER_CENTER,
                words,
                FontId::proportional(16.0),
                Color32::from_gray(130),
            );
            return;
        };
        let cells = cells(room, &face.drawing.objects);
        let mut next = 0;
        for (number, (sketch, cell)) in face.drawing.objects.iter().zip(&cells).enumerate() {
            let count = sketch.points[0] * sketch.points[1];
            let shape = &picture.shapes[next..next + count];
            next += count;
            let glow = (picture.energies[number] / self.energies[number]).clamp(0.0, 1.0).powf(0.25);
            draw(ui, sketch, *cell, shape, self.sizes[number], glow);
        }
        self.flash(ui, picture, &cells, face);
    }

    /// Contacts, over what touches there.
    fn flash(&self, ui: &Ui, picture: &Picture, cells: &[Rect], face: &Face) {
        let objects = &face.drawing.objects;
        let starts = objects.iter().scan(0, |next, sketch| {
            let start = *next;
            *next += sketch.points[0] * sketch.points[1];
            Some(start)
        });
        let starts: Vec<usize> = starts.collect();
        let bright = face.drawing.contacts.iter().zip(&self.flashes).filter(|(_, flash)| **flash > DARK);
        for (spots, flash) in bright.take(MOST_FLASHES) {
            let colour = Color32::from_rgb(255, 200, 80).gamma_multiply(flash.min(1.0));
            for Spot { object, at } in spots {
                // What strikes is small, and seen by what it does.
                let Some(number) = object.filter(|number| !is_small(&objects[*number])) else { continue };
                let shape = &picture.shapes[starts[number]..];
                let place = spot(&objects[number], cells[number], shape, self.sizes[number], *at);
                ui.painter().circle_filled(place, 1.5 + 3.0 * flash.min(1.0), colour);
            }
        }
    }

    /// Follows how far things move, how much energy they have and how hard they touch.
    fn remember(&mut self, picture: &Picture, face: &Face) {
        let mut next = 0;
        for (number, sketch) in face.drawing.objects.iter().enumerate() {
            let count = sketch.points[0] * sketch.points[1];
            let moved = picture.shapes[next..next + count].iter().fold(SMALLEST, |most, at| most.max(at.abs()));
            next += count;
            let size = &mut self.sizes[number];
            *size = if moved > *size { moved } else { *size + SETTLING * (moved - *size) };
            let energy = &mut self.energies[number];
            *energy = energy.max(picture.energies[number]);
        }
        for (number, force) in picture.forces.iter().enumerate() {
            self.forces[number] = self.forces[number].max(*force);
            let bright = (force / self.forces[number]).sqrt();
            self.flashes[number] = bright.max(AFTERGLOW * self.flashes[number]);
        }
    }
}

/// A cell for every object: those that sound in rows, tools small below them.
fn cells(room: Rect, objects: &[Sketch]) -> Vec<Rect> {
    let tools = objects.iter().filter(|object| is_small(object)).count();
    let bodies = objects.len() - tools;
    let strip = if tools > 0 && bodies > 0 { (0.22 * room.height()).min(90.0) } else { 0.0 };
    let split = if bodies == 0 { room.top() } else { room.bottom() - strip };
    let of_bodies = grid(Rect::from_min_max(room.min, pos2(room.right(), split)), bodies, 3.0);
    let of_tools = grid(Rect::from_min_max(pos2(room.left(), split), room.max), tools, 1.0);
    let (mut of_bodies, mut of_tools) = (of_bodies.into_iter(), of_tools.into_iter());
    let next = |object| if is_small(object) { of_tools.next() } else { of_bodies.next() };
    objects.iter().map(next).map(|cell| cell.unwrap_or(Rect::NOTHING)).collect()
}

fn is_small(object: &Sketch) -> bool {
    object.is_tool || matches!(object.look, Look::Lump | Look::Wall)
}

/// So many equal cells, each about as many times as wide as high.
fn grid(room: Rect, count: usize, aspect: f32) -> Vec<Rect> {
    if count == 0 {
        return vec![];
    }
    let fits = |columns: &usize| {
        let rows = count.div_ceil(*columns);
        let [width, height] = [room.width() / *columns as f32, room.height() / rows as f32];
        // The area of the largest cell of this shape.
        (width.min(aspect * height)).powi(2)
    };
    let columns = (1..=count).max_by(|one, other| fits(one).total_cmp(&fits(other))).unwrap_or(1);
    let size = vec2(room.width() / columns as f32, room.height() / count.div_ceil(columns) as f32);
    (0..count)
        .map(|cell| {
            let corner = room.min + vec2((cell % columns) as f32 * size.x, (cell / columns) as f32 * size.y);
            Rect::from_min_size(corner, size).shrink(0.06 * size.x.min(size.y))
        })
        .collect()
}

/// From at rest to full of energy.
fn colour(glow: f32) -> Color32 {
    let mix = |cold: f32, hot: f32| (cold + glow * (hot - cold)) as u8;
    Color32::from_rgb(mix(95.0, 130.0), mix(110.0, 215.0), mix(135.0, 255.0))
}

fn draw(ui: &Ui, sketch: &Sketch, cell: Rect, shape: &[f32], size: f32, glow: f32) {
    let painter = ui.painter();
    let stroke = Stroke::new(1.6, colour(glow));
    match sketch.look {
        Look::Line => {
            let point = |number: usize| point(sketch, cell, shape, size, [number, 0]);
            painter.add(Shape::line((0..shape.len()).map(point).collect(), stroke));
        }
        Look::Sheet { round } => sheet(ui, sketch, round, cell, shape, size, glow),
        Look::Wall => {
            let [left, right] = [cell.left_center(), cell.right_center()];
            painter.line_segment([left, right], Stroke::new(2.0, Color32::from_gray(80)));
        }
        Look::Lump => {
            let radius = (0.16 * cell.width().min(cell.height())).clamp(1.5, 14.0);
            painter.circle_filled(point(sketch, cell, shape, size, [0, 0]), radius, colour(glow));
        }
    }
    if cell.width() > 46.0 && cell.height() > 22.0 {
        let font = FontId::proportional((0.1 * cell.height()).clamp(8.0, 11.0));
        painter.text(cell.left_bottom(), Align2::LEFT_BOTTOM, &sketch.name, font, Color32::from_gray(120));
    }
}

/// Where one of an object's points is drawn: a sheet is seen at a slant.
fn point(sketch: &Sketch, cell: Rect, shape: &[f32], size: f32, [column, row]: [usize; 2]) -> Pos2 {
    let [across, down] = sketch.points;
    let side = |number: usize, all: usize| number as f32 / (all.max(2) - 1) as f32;
    let (x, y) = (side(column, across), side(row, down));
    let moved = shape.get(row * across + column).copied().unwrap_or(0.0) / size;
    match sketch.look {
        Look::Line => pos2(cell.left() + x * cell.width(), cell.center().y - 0.4 * cell.height() * moved),
        Look::Sheet { .. } => {
            let slant = 0.28 * cell.width().min(cell.height());
            let left = cell.left() + x * (cell.width() - slant) + (1.0 - y) * slant;
            pos2(left, cell.top() + (0.2 + 0.6 * y - 0.18 * moved) * cell.height())
        }
        Look::Wall | Look::Lump => cell.center() - vec2(0.0, 0.3 * cell.height() * moved),
    }
}

/// The same of a place by parts of the two sides: the nearest point.
fn spot(sketch: &Sketch, cell: Rect, shape: &[f32], size: f32, at: [f32; 2]) -> Pos2 {
    let nearest = |side: usize| ((sketch.points[side] - 1) as f32 * at[side].clamp(0.0, 1.0)).round() as usize;
    point(sketch, cell, shape, size, [nearest(0), nearest(1)])
}

/// A sheet: its rows and columns as lines; of a round one, only what is inside the rim.
fn sheet(ui: &Ui, sketch: &Sketch, round: bool, cell: Rect, shape: &[f32], size: f32, glow: f32) {
    let [across, down] = sketch.points;
    let side = |number: usize, all: usize| number as f32 / (all.max(2) - 1) as f32;
    let inside = |column: usize, row: usize| {
        let (x, y) = (side(column, across) - 0.5, side(row, down) - 0.5);
        !round || x * x + y * y <= 0.2501
    };
    let at = |column: usize, row: usize| point(sketch, cell, shape, size, [column, row]);
    let stroke = Stroke::new(1.0, colour(glow));
    let mut lines: Vec<Vec<Pos2>> = Vec::new();
    for row in 0..down {
        lines.push((0..across).filter(|column| inside(*column, row)).map(|column| at(column, row)).collect());
    }
    for column in 0..across {
        lines.push((0..down).filter(|row| inside(column, *row)).map(|row| at(column, row)).collect());
    }
    for line in lines.into_iter().filter(|line| line.len() > 1) {
        ui.painter().add(Shape::line(line, stroke));
    }
}
