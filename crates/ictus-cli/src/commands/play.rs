//! `ictus play`: the instruments live in a browser page.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ictus_live::{Gallery, Options, Server};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use crate::error::Error;
use crate::gallery::GALLERY;
use crate::table;
use ictus::names::nearest;

/// Play instruments live in a browser page
///
/// Serves a page on this machine's own address (127.0.0.1) and opens it. The engine runs here and streams to the page; the page
/// draws every object moving and is played by pointer, keyboard and MIDI. Ctrl-C ends it.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    ictus play                        the gallery, starting with the tromba marina\n  \
    ictus play gong.toml              a scene of your own, reloaded whenever you save it\n  \
    ictus play --scenes my-scenes     all scenes of a folder\n  \
    ictus play --lan                  on a phone too, in a network that you trust")]
pub struct Args {
    /// Scene to start with: a file, or a name from the gallery
    scene: Option<String>,
    /// Port to listen on [default: any free port]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Folder of scenes instead of the gallery
    #[arg(long, value_name = "DIR")]
    scenes: Option<PathBuf>,
    /// Largest number of pages that can play at once
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    connections: u16,
    /// Let other devices of this network play too: prints an address with a token, and its QR code. Only in networks that you trust
    #[arg(long)]
    lan: bool,
    /// Play on the sound card and from MIDI ports instead of a page
    #[cfg(feature = "native-audio")]
    #[arg(long)]
    device: bool,
}

/// Serves until it is told to stop.
pub fn execute(args: &Args) -> Result<(), Error> {
    let gallery = gallery(args)?;
    #[cfg(feature = "native-audio")]
    if args.device {
        let ready = |rate: f64, ports: &[String]| {
            let _ = table::print(&format!("playing at {rate} Hz, MIDI: {}   (Ctrl-C to stop)\n", ports.join(", ")));
        };
        return ictus_live::play_on_device(&gallery, ready).map_err(|error| Error::Serve(std::io::Error::other(error)));
    }
    let options = Options { port: args.port, connections: usize::from(args.connections), lan: args.lan };
    let ready = |server: &Server| {
        let url = format!("http://{}/", server.address());
        // A reader of this that went away is no reason not to play.
        let _ = table::print(&format!("playing on {url}   (Ctrl-C to stop)\n"));
        if args.lan {
            let _ = table::print(&invitation(server.lan_address().as_deref()));
        }
        if !args.no_open {
            open_browser(&url);
        }
    };
    ictus_live::serve(options, gallery, ready).map_err(Error::Serve)
}

/// How other devices of the network come to play, or why they cannot.
fn invitation(address: Option<&str>) -> String {
    let Some(address) = address else {
        return "this machine is in no network: other devices cannot reach it\n".to_owned();
    };
    let picture = QrCode::new(address).map(|code| code.render::<Dense1x2>().build());
    let picture = picture.map(|picture| picture + "\n").unwrap_or_default();
    format!(
        "{picture}other devices in this network: {address}\n\
         Whoever has this address can play here until the program ends. What is sent is not encrypted.\n"
    )
}

fn gallery(args: &Args) -> Result<Gallery, Error> {
    let gallery = match &args.scenes {
        None => Gallery::of_texts(GALLERY),
        Some(folder) => Gallery::folder(folder)
            .map_err(|error| Error::option("--scenes", folder.display(), format!("must be a folder: {error}")))?,
    };
    let Some(scene) = &args.scene else { return Ok(gallery) };
    if Path::new(scene).is_file() {
        return Ok(gallery.with_file(Path::new(scene)));
    }
    gallery.clone().beginning_with(scene).ok_or_else(|| {
        let names: Vec<String> = gallery.list().into_iter().map(|entry| entry.name).collect();
        Error::UnknownScene {
            name: scene.clone(),
            suggestion: nearest(scene, names.iter().map(String::as_str)).map(str::to_owned),
        }
    })
}

/// Asks the desktop for its browser; where there is none, the address has been printed.
fn open_browser(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start"])
    } else {
        ("xdg-open", &[])
    };
    let command = Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Ok(mut browser) = command {
        // Waits for it so that it leaves no zombie; it ends as soon as the browser has the address.
        std::thread::spawn(move || browser.wait());
    }
}
