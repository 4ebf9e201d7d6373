//! The text of the scene, to read and to write, and what is wrong with it.

use std::sync::Arc;

use egui::{ScrollArea, TextEdit, Ui};
use parking_lot::RwLock;

use super::WRONG;
use crate::choice::Choice;
use crate::face::Face;

/// A text being written. Until it is played the project keeps it beside the scene: neither another scene nor a closed window takes it away.
#[derive(Debug)]
pub struct Writing {
    /// The scene that was chosen last.
    pub choice: Choice,
    text: String,
    /// The text if it is not the scene's, to be kept; empty if it is.
    draft: Arc<RwLock<String>>,
}

impl Writing {
    /// What is written is kept here.
    pub fn new(draft: Arc<RwLock<String>>) -> Self {
        Self { choice: Choice::default(), text: String::new(), draft }
    }

    /// Shows the text of another scene, or what is being written.
    pub fn begin(&mut self, choice: Choice) {
        self.text.clone_from(&self.draft.read());
        if self.text.is_empty() {
            self.text.clone_from(&choice.text);
        }
        self.choice = choice;
        self.keep();
    }

    fn keep(&self) {
        let mut draft = self.draft.write();
        draft.clear();
        if self.text != self.choice.text {
            draft.push_str(&self.text);
        }
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
            if self.text != self.choice.text {
                if ui.button("Show what plays").on_hover_text("What is written here is given up.").clicked() {
                    self.text.clone_from(&self.choice.text);
                    self.keep();
                }
                ui.label(format!("This is not what plays yet: that is {}.", self.choice.name));
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
            let field = TextEdit::multiline(&mut self.text).code_editor().desired_width(f32::INFINITY).desired_rows(24);
            if ui.add(field).changed() {
                self.keep();
            }
        });
        written
    }
}
