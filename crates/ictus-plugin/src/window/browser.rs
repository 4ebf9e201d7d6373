//! The scenes there are, to choose from; and a file.

use egui::{ScrollArea, TextEdit, Ui};
use ictus_scene::Source;

use crate::choice::{Choice, scenes};

/// The list of scenes; the one that is chosen.
pub fn show(ui: &mut Ui, search: &mut String, current: &Choice) -> Option<Choice> {
    let mut picked = None;
    ui.label("Scenes");
    let field = ui.add(TextEdit::singleline(search).hint_text("search, or path of a file"));
    // What ends like a scene's file is one.
    if field.lost_focus() && search.trim().ends_with(".toml") {
        picked = Some(from_file(search.trim()));
    }
    let wanted = search.to_lowercase();
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

/// A scene from a file. What cannot be read is no scene, and its text says why.
fn from_file(path: &str) -> Choice {
    let name = std::path::Path::new(path)
        .file_stem()
        .map_or_else(|| path.to_owned(), |stem| stem.to_string_lossy().into_owned());
    let text = match Source::load(path) {
        Ok(source) => source.text.to_string(),
        Err(error) => format!("# {error}\n"),
    };
    Choice { name, text, turned: 0 }
}
