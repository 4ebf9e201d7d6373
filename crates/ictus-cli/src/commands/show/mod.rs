//! `ictus show`: a drawing of what touches what in a scene, its text with everything written out, or a list of what can be set in it.

mod drawing;
mod layout;
mod network;
mod parameters;

use std::path::PathBuf;

use ictus_scene::{Reading, Source};

use crate::error::{Error, shown};
use crate::gallery;
use crate::sinks::{Named, WholeFile, all_distinct};
use crate::table;

/// Draw the network of a scene, print the scene in full, or list its parameters
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    ictus show hammered-string                   a picture, hammered-string.svg\n  \
    ictus show my.toml -o my-network.svg\n  \
    ictus show hammered-string --parameters      every path that --set takes, with value and range\n  \
    ictus show my.toml --parameters --json\n  \
    ictus show marimba --text                    every bar and mallet of its set, with its numbers\n  \
    ictus show marimba --text > bars.toml        the same as a scene of its own, to change bar by bar")]
pub struct Args {
    /// Scene file, or a name from the gallery
    #[arg(value_name = "SCENE")]
    scene: PathBuf,

    /// Picture file, .svg [default: the scene's name with .svg, in this folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print the scene as text, with sets, random heights and noise written out; it reads back as the same scene
    #[arg(long, conflicts_with = "output")]
    text: bool,

    /// List the parameters and their paths instead of drawing
    #[arg(long, conflicts_with_all = ["output", "text"])]
    parameters: bool,

    /// Print the list as JSON
    #[arg(long, requires = "parameters")]
    json: bool,
}

/// Draws or prints the scene.
pub fn execute(args: &Args) -> Result<(), Error> {
    let gallery::Found { name, source } = gallery::find(&args.scene)?;
    if args.text {
        return print(&source);
    }
    if args.parameters {
        let scene = ictus_scene::read(&source, &Reading::default()).map_err(|found| Error::Scene(Box::new(found)))?;
        return parameters::list(&scene, args.json);
    }
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.svg")));
    if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("svg")) {
        return Err(Error::option("-o", path.display(), "must end in .svg"));
    }
    let scene = ictus_scene::read(&source, &Reading::default()).map_err(|found| Error::Scene(Box::new(found)))?;
    let sounds = gallery::sounds(&source, &scene);
    let sounds = sounds.iter().map(|path| ("`file`", path.as_path()));
    let inputs: Vec<Named<'_>> = std::iter::once(("SCENE", args.scene.as_path())).chain(sounds).collect();
    all_distinct(&inputs, &[("-o", &path)])?;
    let network = network::Network::of(&scene);
    let drawing = drawing::svg(&scene.title, &network, &layout::Layout::of(&network));
    let mut file = WholeFile::create("-o", &path)?;
    file.put(drawing.as_bytes())?;
    file.keep()?;
    table::print(&format!("{} is written\n", shown(&path.display().to_string())))
}

/// Prints the scene as text.
fn print(source: &Source) -> Result<(), Error> {
    let scene = ictus_scene::read(source, &Reading::default()).map_err(|found| Error::Scene(Box::new(found)))?;
    let text = ictus_scene::write(&scene).map_err(|error| Error::Input(format!("{}: {error}", scene.title)))?;
    table::print(&text)
}
