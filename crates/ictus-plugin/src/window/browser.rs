//! The scenes there are, to choose from; and a file.

use egui::{Key, ScrollArea, TextEdit, Ui};
use ictus_scene::Source;

use super::WRONG;
use crate::choice::{Choice, scenes};

/// What is looked for, and what was wrong with it.
#[derive(Debug, Default)]
pub struct Browser {
    search: String,
    wrong: Option<String>,
}

impl Browser {
    /// The list of scenes; the one that is chosen. A file that cannot be read changes nothing, and the message says why.
    pub fn show(&mut self, ui: &mut Ui, current: &Choice) -> Option<Choice> {
        let mut picked = None;
        ui.label("Scenes");
        let field = ui.add(TextEdit::singleline(&mut self.search).hint_text("search, or path of a file"));
        if field.changed() {
            self.wrong = None;
        }
        // What ends like a scene's file is one.
        let path = self.search.trim();
        if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) && path.ends_with(".toml") {
            match from_file(path) {
                Ok(choice) => picked = Some(choice),
                Err(message) => self.wrong = Some(message),
            }
        }
        if let Some(message) = &self.wrong {
            ui.colored_label(WRONG, message);
        }
        self.list(ui, current).or(picked)
    }

    fn list(&self, ui: &mut Ui, current: &Choice) -> Option<Choice> {
        let mut picked = None;
        let wanted = self.search.to_lowercase();
        let listed = |name: &str, text: &str| {
            wanted.is_empty()
                || wanted.ends_with(".toml")
                || text.to_lowercase().contains(&wanted)
                || name.contains(&wanted)
        };
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for (number, (name, text)) in scenes().enumerate().filter(|(_, (name, text))| listed(name, text)) {
                let is_current = current.name == name && current.text == text;
                if ui.selectable_label(is_current, name).clicked() {
                    picked = Choice::of_number(number);
                }
            }
        });
        picked
    }
}

/// A scene from a file; why there is none where it cannot be read.
fn from_file(path: &str) -> Result<Choice, String> {
    let source = Source::load(path).map_err(|error| error.to_string())?;
    let name = std::path::Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(Choice { name: name.unwrap_or_else(|| path.to_owned()), text: source.text.to_string(), turned: 0 })
}
