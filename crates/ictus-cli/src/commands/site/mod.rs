//! `ictus site`: everything for the web in one folder that any web server can serve, from any place.
//!
//! The folder is flat. Every link is relative to it, so that it works in a subfolder too: the page that plays (its engine in
//! WebAssembly), the gallery's scenes, and the documentation with its pictures and a search.

mod documents;

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{Error, shown};
use crate::gallery::GALLERY;
use crate::sinks::{Named, WholeDirectory, all_distinct};
use crate::table;

/// First bytes of a WebAssembly module of version 1.
const MODULE: &[u8] = b"\0asm\x01\0\0\0";

/// Where `crates/ictus-wasm/build` puts the engine, seen from the folder of the program it is built beside.
const BUILT: &str = "../wasm/engine.wasm";

/// The engine for browsers without vector instructions, beside the other one.
const PLAIN: &str = "engine-plain.wasm";

/// Styles and scripts of the documentation.
const FILES: [(&str, &str); 3] = [
    ("documents.css", include_str!("files/documents.css")),
    ("search.js", include_str!("files/search.js")),
    ("scroll.js", include_str!("files/scroll.js")),
];

/// Keeps files in the browser; the lists of them are put in place of empty ones.
const OFFLINE: &str = include_str!("files/offline.js");
const LISTED: [&str; 2] = ["/* files */ []", "/* pictures */ []"];

/// Write a static site: the page that plays, the gallery, the documentation
///
/// Any web server can serve the folder, at any address: the engine runs inside the page, and nothing is asked of the server.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    crates/ictus-wasm/build           compile the engine for the page first\n  \
    ictus site -o site                write the site\n  \
    python3 -m http.server -d site    look at it")]
pub struct Args {
    /// Folder to write; files of an earlier site in it are replaced
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// The engine compiled to WebAssembly [default: as crates/ictus-wasm/build leaves it beside this program]
    #[arg(long, value_name = "FILE")]
    wasm: Option<PathBuf>,
}

/// A scene as the engine inside the page takes it.
#[derive(Serialize)]
struct SceneText {
    name: &'static str,
    text: &'static str,
}

/// Writes the site, all of it or nothing.
pub fn execute(args: &Args) -> Result<(), Error> {
    let path = engine_path(args.wasm.as_deref())?;
    let plain = path.with_file_name(PLAIN);
    let mut files: Vec<(String, Vec<u8>)> =
        ictus_live::static_page().map(|(name, content)| (name.into_owned(), content.into_owned())).collect();
    let mut put = |name: &str, content: Vec<u8>| files.push((name.to_owned(), content));
    put("engine.wasm", module(&path)?);
    if plain.is_file() {
        put(PLAIN, module(&plain)?);
    }
    let scenes: Vec<SceneText> = GALLERY.iter().map(|&(name, text)| SceneText { name, text }).collect();
    put("gallery.json", json(&scenes)?.into());
    GALLERY.iter().for_each(|(name, text)| put(&format!("{name}.toml"), (*text).into()));
    FILES.iter().for_each(|(name, content)| put(name, (*content).into()));
    let documents = documents::all();
    // The schema of scenes is the page's already.
    for file in documents.files.into_iter().filter(|file| file.name != "scene.schema.json") {
        put(&file.name, file.content);
    }
    put("search.json", json(&documents.sections)?.into());
    let names = std::iter::once("./".to_owned()).chain(files.iter().map(|(name, _)| name.clone()));
    let offline = offline(names.collect())?;
    files.push(("offline.js".to_owned(), offline.into()));

    let written: Vec<PathBuf> = files.iter().map(|(name, _)| args.output.join(name)).collect();
    let written: Vec<Named<'_>> = written.iter().map(|path| ("--output", path.as_path())).collect();
    all_distinct(&[("--wasm", &path), ("--wasm", &plain)], &written)?;
    let directory = WholeDirectory::create("--output", &args.output)?;
    files.iter().try_for_each(|(name, content)| directory.put(name, content))?;
    directory.keep()?;
    let output = shown(&args.output.display().to_string());
    let (scenes, pages) = (GALLERY.len(), documents.pages);
    table::print(&format!(
        "{output} is written: a page that plays {scenes} scenes, and {pages} pages of documentation\n"
    ))
}

/// The script that keeps all of these in the browser: first what is used, then what is looked at.
fn offline(names: Vec<String>) -> Result<String, Error> {
    let (pictures, files): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| name.ends_with(".png"));
    Ok(OFFLINE.replace(LISTED[0], &json(&files)?).replace(LISTED[1], &json(&pictures)?))
}

fn json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Output(error.into()))
}

/// The compiled engine: the file that is named, or the one that was built beside this program.
fn engine_path(named: Option<&Path>) -> Result<PathBuf, Error> {
    let path = match named {
        Some(path) => path.to_owned(),
        None => built().ok_or_else(|| {
            Error::Input(
                "there is no engine for the page beside this program: compile it with crates/ictus-wasm/build, or name one with --wasm"
                    .to_owned(),
            )
        })?,
    };
    if !path.is_file() {
        return Err(Error::option("--wasm", path.display(), "must be a file: crates/ictus-wasm/build makes one"));
    }
    Ok(path)
}

fn module(path: &Path) -> Result<Vec<u8>, Error> {
    let name = shown(&path.display().to_string());
    let engine = fs::read(path).map_err(|error| Error::Input(format!("{name} cannot be read: {error}")))?;
    if engine.starts_with(MODULE) {
        Ok(engine)
    } else {
        Err(Error::Input(format!("{name} is no WebAssembly module: crates/ictus-wasm/build makes one")))
    }
}

fn built() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    Some(program.parent()?.join(BUILT)).filter(|path| path.is_file())
}
