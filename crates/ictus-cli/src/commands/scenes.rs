//! `ictus scenes`: the gallery that is part of the program.

use serde::Serialize;

use crate::error::Error;
use crate::gallery::GALLERY;
use crate::table::{self, Align, Table};
use ictus::names::nearest;

/// List the scenes of the gallery, or print one
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    ictus scenes                                 names and titles\n  \
    ictus scenes hammered-string > mine.toml     a copy to change")]
pub struct Args {
    /// The scene to print
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Print the list as JSON
    #[arg(long, conflicts_with = "name")]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    title: String,
}

/// Prints the list or the scene.
pub fn execute(args: &Args) -> Result<(), Error> {
    if let Some(name) = &args.name {
        return match GALLERY.iter().find(|(known, _)| known == name) {
            Some((_, text)) => table::print(text),
            None => {
                let suggestion = nearest(name, GALLERY.iter().map(|(known, _)| *known)).map(str::to_owned);
                Err(Error::UnknownScene { name: name.clone(), suggestion })
            }
        };
    }
    let entries: Vec<Entry> = GALLERY.iter().map(|(name, text)| Entry { name, title: title(text) }).collect();
    if args.json {
        return super::print_json(&entries);
    }
    let mut list = Table::new([("scene", Align::Left), ("title", Align::Left)]);
    entries.into_iter().for_each(|entry| list.row([entry.name.to_owned(), entry.title]));
    table::print(&list.render())
}

/// A scene's title, read from its text; empty if it has none.
fn title(text: &str) -> String {
    let line = text.lines().find_map(|line| line.strip_prefix("title").map(str::trim_start)?.strip_prefix('='));
    line.map(|value| value.trim().trim_matches('"').to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_read_from_the_text() {
        assert_eq!(title("# a title\nictus = 1\ntitle = \"Gong\"\n"), "Gong");
        assert_eq!(title("ictus = 1\n"), "");
    }

    #[test]
    fn every_scene_of_the_gallery_has_a_title() {
        for (name, text) in GALLERY {
            assert!(!title(text).is_empty(), "{name}");
        }
    }
}
