//! `ictus show`: a drawing of what touches what in a scene.

mod drawing;
mod layout;
mod network;

use std::path::PathBuf;

use ictus_scene::Reading;

use crate::error::{Error, shown};
use crate::gallery;
use crate::sinks::WholeFile;
use crate::table;

/// Draw what touches what in a scene
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ictus show hammered-string\n  ictus show my.toml -o my-network.svg")]
pub struct Args {
    /// Scene file, or name of the gallery
    #[arg(value_name = "SCENE")]
    scene: PathBuf,

    /// The picture, .svg [default: the scene's name .svg, here]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Draws the scene.
pub fn execute(args: &Args) -> Result<(), Error> {
    let gallery::Found { name, source } = gallery::find(&args.scene)?;
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.svg")));
    if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("svg")) {
        return Err(Error::option("-o", path.display(), "must end in .svg"));
    }
    let scene = ictus_scene::read(&source, &Reading::default()).map_err(|found| Error::Scene(Box::new(found)))?;
    let network = network::Network::of(&scene);
    let drawing = drawing::svg(&scene.title, &network, &layout::Layout::of(&network));
    let mut file = WholeFile::create("-o", &path)?;
    file.put(drawing.as_bytes())?;
    file.keep()?;
    table::print(&format!("{} is written\n", shown(&path.display().to_string())))
}
