//! The text of the scene, to read and to write, and what is wrong with it.

use egui::{Color32, ScrollArea, TextEdit, Ui};

use crate::choice::Choice;
use crate::face::Face;

/// A text being written.
#[derive(Debug, Default)]
pub struct Writing {
    /// The scene that was chosen last.
    pub choice: Choice,
    text: String,
}

impl Writing {
    /// Shows the text of another scene. What is being written stays if it is that scene's.
    pub fn begin(&mut self, choice: Choice) {
        if choice.text != self.text {
            self.text.clone_from(&choice.text);
        }
        self.choice = choice;
    }

    /// The text; what was written, when it is to be played.
    pub fn show(&mut self, ui: &mut Ui, face: &Face) -> Option<Choice> {
        let mut written = None;
        ui.horizontal(|ui| {
            if ui.button("Play this text").clicked() {
                let name =
                    if self.text == self.choice.text { self.choice.name.clone() } else { "own scene".to_owned() };
                written = Some(Choice { name, text: self.text.clone(), turned: 0 });
            }
            if ui.add_enabled(self.text != self.choice.text, egui::Button::new("Undo all")).clicked() {
                self.text.clone_from(&self.choice.text);
            }
            if face.message.is_some() {
                ui.colored_label(WRONG, "This scene cannot be played: silence.");
            }
        });
        if let Some(message) = &face.message {
            ScrollArea::both().id_salt("message").max_height(0.4 * ui.available_height()).show(ui, |ui| {
                ui.label(egui::RichText::new(message).monospace().color(WRONG));
            });
            ui.separator();
        }
        ScrollArea::both().id_salt("text").auto_shrink(false).show(ui, |ui| {
            ui.add(TextEdit::multiline(&mut self.text).code_editor().desired_width(f32::INFINITY).desired_rows(24));
        });
        written
    }
}

const WRONG: Color32 = Color32::from_rgb(240, 130, 110);
