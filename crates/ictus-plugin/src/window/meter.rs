//! How loud it is, in dB below full scale.

use egui::{Color32, Rect, Sense, Ui, Vec2, pos2};

use crate::desk::Desk;

/// The softest level shown, in dB.
const SOFTEST: f32 = -60.0;

/// How fast the bars fall, in dB per picture.
const FALL: f32 = 0.7;

/// Two bars.
#[derive(Debug)]
pub struct Meter {
    levels: [f32; 2],
}

impl Default for Meter {
    fn default() -> Self {
        Self { levels: [SOFTEST; 2] }
    }
}

impl Meter {
    /// Shows how loud it was since the last picture, and whether the sound broke.
    pub fn show(&mut self, ui: &mut Ui, desk: &Desk) {
        for (level, peak) in self.levels.iter_mut().zip(desk.take_peaks()) {
            let heard = 20.0 * peak.max(1e-6).log10();
            *level = heard.max(*level - FALL).max(SOFTEST);
        }
        let (room, _) = ui.allocate_exact_size(Vec2::new(160.0, 14.0), Sense::hover());
        let painter = ui.painter();
        painter.rect_filled(room, 2.0, Color32::from_gray(20));
        for (side, level) in self.levels.iter().enumerate() {
            let share = ((level - SOFTEST) / -SOFTEST).clamp(0.0, 1.0);
            let top = room.top() + 1.0 + 6.5 * side as f32;
            let bar = Rect::from_min_max(pos2(room.left(), top), pos2(room.left() + share * room.width(), top + 5.5));
            let colour = if *level > 0.0 { Color32::from_rgb(230, 80, 60) } else { Color32::from_rgb(90, 190, 120) };
            painter.rect_filled(bar, 1.0, colour);
        }
        let loudest = self.levels[0].max(self.levels[1]);
        ui.monospace(if loudest > SOFTEST { format!("{loudest:5.1} dB") } else { "  -inf dB".to_owned() });
        match desk.breakdowns() {
            0 => {}
            count => {
                ui.colored_label(Color32::from_rgb(230, 80, 60), format!("broke {count} times, put back"));
            }
        }
    }
}
