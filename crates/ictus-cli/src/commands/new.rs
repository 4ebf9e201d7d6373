//! `ictus new`: a scene of one's own, begun from a template.

use std::path::{Path, PathBuf};

use crate::error::{Error, shown};
use crate::sinks::WholeFile;
use crate::table;
use ictus::names::nearest;

/// Names, descriptions and texts of the templates, the default first.
const TEMPLATES: [(&str, &str, &str); 9] = [
    ("hammered-string", "a felt hammer and a piano string", include_str!("../../templates/hammered-string.toml")),
    ("bowed-string", "a bow on a violin string", include_str!("../../templates/bowed-string.toml")),
    ("marimba", "wooden bars, a mallet for each, played by notes", include_str!("../../templates/marimba.toml")),
    ("drum", "a stick on a membrane", include_str!("../../templates/drum.toml")),
    ("plate", "a beater on a bronze plate", include_str!("../../templates/plate.toml")),
    ("rattle", "beads that hit a wall when it is shaken", include_str!("../../templates/rattle.toml")),
    ("hail", "a shower of impacts on a tin roof", include_str!("../../templates/hail.toml")),
    ("roll", "a ball that rolls over a rough plate", include_str!("../../templates/roll.toml")),
    ("scrape", "a nail drawn over a rough sheet", include_str!("../../templates/scrape.toml")),
];

/// Begin a scene of your own
#[derive(clap::Args)]
#[command(after_help = "Templates:\n  \
    hammered-string   a felt hammer and a piano string\n  \
    bowed-string      a bow on a violin string\n  \
    marimba           wooden bars, a mallet for each, played by notes\n  \
    drum              a stick on a membrane\n  \
    plate             a beater on a bronze plate\n  \
    rattle            beads that hit a wall when it is shaken\n  \
    hail              a shower of impacts on a tin roof\n  \
    roll              a ball that rolls over a rough plate\n  \
    scrape            a nail drawn over a rough sheet\n\n\
    Examples:\n  \
    ictus new mine\n  \
    ictus new mine --template marimba")]
pub struct Args {
    /// Name of the scene; the file is NAME.toml
    #[arg(value_name = "NAME")]
    name: PathBuf,

    /// Template to start from
    #[arg(long, value_name = "TEMPLATE", default_value = TEMPLATES[0].0)]
    template: String,
}

/// Writes the file, unless there is one.
pub fn execute(args: &Args) -> Result<(), Error> {
    let path = file(&args.name)?;
    let Some((_, _, text)) = TEMPLATES.iter().find(|(name, ..)| *name == args.template) else {
        let names = TEMPLATES.map(|(name, ..)| name);
        return Err(Error::Option {
            option: "--template",
            value: args.template.clone(),
            allowed: format!("must be one of {}", names.join(", ")),
            suggestion: nearest(&args.template, names).map(str::to_owned),
        });
    };
    if path.symlink_metadata().is_ok() {
        return Err(Error::Input(format!("{path:?} already exists: choose another name")));
    }
    let mut file = WholeFile::create("NAME", &path)?;
    file.put(titled(text, &title(&path)).as_bytes())?;
    file.keep_if_new()?;
    let path = shown(&path.display().to_string());
    table::print(&format!("wrote {path}: edit it, then listen to it with\n  ictus render {path}\n"))
}

/// A title from the name of a file: its words, the first with a capital.
fn title(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().replace(['-', '_'], " ");
    let words = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().collect::<String>());
    first.map_or_else(|| "Untitled".to_owned(), |first| first + letters.as_str())
}

/// A template with a title of its own.
fn titled(template: &str, title: &str) -> String {
    let escaped: String = title
        .chars()
        .map(|c| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    let line = |line: &str| match line.strip_prefix("title = ") {
        Some(_) => format!("title = \"{escaped}\"\n"),
        None => format!("{line}\n"),
    };
    template.lines().map(line).collect()
}

/// The file of a scene of that name.
fn file(name: &Path) -> Result<PathBuf, Error> {
    match name.extension() {
        _ if name.file_name().is_none() => Err(Error::option("NAME", name.display(), "must be a file name")),
        Some(ending) if ending == "toml" => Ok(name.to_owned()),
        _ => {
            let mut with_ending = name.as_os_str().to_owned();
            with_ending.push(".toml");
            Ok(with_ending.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ictus_scene::{Instrument, Reading, Source};

    #[test]
    fn every_template_is_a_scene_that_sounds() {
        for (name, _, text) in TEMPLATES {
            let scene = ictus_scene::read(&Source::new(name, text), &Reading::default()).expect("is a scene");
            let mut instrument = Instrument::new(&scene).expect("can be played");
            let mut sound = vec![0.0; 24_000 * instrument.channels()];
            instrument.process(&mut sound);
            let peak = sound.iter().fold(0.0, |peak: f64, sample| peak.max(sample.abs()));
            assert!((0.05..1.0).contains(&peak), "{name}: {peak}");
        }
    }

    #[test]
    fn the_title_is_that_of_the_file() {
        for (name, expected) in [
            ("mine.toml", "Mine"),
            ("a/my-own_drum.toml", "My own drum"),
            ("-.toml", "Untitled"),
            ("éa \"b\" \\ \u{7}.toml", "Éa \"b\" \\ \u{7}"),
        ] {
            for (template, _, text) in TEMPLATES {
                let text = titled(text, &title(Path::new(name)));
                let scene = ictus_scene::read(&Source::new(template, text), &Reading::default()).expect("is a scene");
                assert_eq!(scene.title, expected, "{template}");
            }
        }
    }

    #[test]
    fn the_help_lists_every_template() {
        use clap::Args as _;
        let help = Args::augment_args(clap::Command::new("new")).render_long_help().to_string();
        for (name, description, _) in TEMPLATES {
            assert!(help.lines().any(|line| line.contains(name) && line.contains(description)), "{name}");
        }
    }

    #[test]
    fn the_file_ends_in_toml() {
        for (name, expected) in [("a", "a.toml"), ("a.toml", "a.toml"), ("b/a.b", "b/a.b.toml")] {
            assert_eq!(file(Path::new(name)).ok(), Some(expected.into()));
        }
        assert!(file(Path::new("..")).is_err() && file(Path::new("")).is_err());
    }
}
