//! `ictus new`: a scene of one's own, begun from a template.

use std::path::{Path, PathBuf};

use crate::error::{Error, closest, shown};
use crate::sinks::WholeFile;
use crate::table;

/// Names, descriptions and texts of the templates, the default first.
const TEMPLATES: [(&str, &str, &str); 4] = [
    ("hammered-string", "a felt hammer and a piano string", include_str!("../../templates/hammered-string.toml")),
    ("bowed-string", "a bow on a violin string", include_str!("../../templates/bowed-string.toml")),
    ("marimba", "wooden bars, a mallet for each, played by notes", include_str!("../../templates/marimba.toml")),
    ("drum", "a stick on a membrane", include_str!("../../templates/drum.toml")),
];

/// Begin a scene of your own
#[derive(clap::Args)]
#[command(after_help = "Templates:\n  \
    hammered-string   a felt hammer and a piano string\n  \
    bowed-string      a bow on a violin string\n  \
    marimba           wooden bars, a mallet for each, played by notes\n  \
    drum              a stick on a membrane\n\n\
    Examples:\n  \
    ictus new mine\n  \
    ictus new mine --template marimba")]
pub struct Args {
    /// What the scene is to be called; the file is NAME.toml
    #[arg(value_name = "NAME")]
    name: PathBuf,

    /// What to begin from
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
            suggestion: closest(&args.template, names).map(str::to_owned),
        });
    };
    if path.symlink_metadata().is_ok() {
        return Err(Error::Input(format!("{path:?} is there already: choose another name")));
    }
    let mut file = WholeFile::create("NAME", &path)?;
    file.put(text.as_bytes())?;
    file.keep_if_new()?;
    let path = shown(&path.display().to_string());
    table::print(&format!("{path} is written: change it, and hear it with\n  ictus render {path}\n"))
}

/// The file of a scene of that name.
fn file(name: &Path) -> Result<PathBuf, Error> {
    match name.extension() {
        _ if name.file_name().is_none() => {
            Err(Error::option("NAME", name.display(), "must be a name for the scene's file"))
        }
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
    use ictus_scene::{Player, Reading, Source};

    #[test]
    fn every_template_is_a_scene_that_sounds() {
        for (name, _, text) in TEMPLATES {
            let scene = ictus_scene::read(&Source::new(name, text), &Reading::default()).expect("is a scene");
            let mut player = Player::new(&scene).expect("can be played");
            let mut sound = vec![0.0; 24_000 * player.channels()];
            player.process(&mut sound);
            let peak = sound.iter().fold(0.0, |peak: f64, sample| peak.max(sample.abs()));
            assert!((0.05..1.0).contains(&peak), "{name}: {peak}");
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
