//! Scenes: an instrument in a text file, and how it is played.
//!
//! A [`Scene`] is what the text says, validated and in SI units: a [`Model`](ictus::Model) and, beside it, what is done with it over
//! time. Nothing after the reader knows that there was a text. An [`Instrument`] is a scene that sounds: it owns the engine, the tools, the keys,
//! the score and one table of [`parameters`].
//!
//! ```
//! use ictus_scene::{Instrument, Reading, Source, read};
//!
//! let text = r#"
//!     ictus = 1
//!     title = "Hammered string"
//!     [objects.string]
//!     kind = "string"
//!     pitch = "A2"
//!     [exciters.mallet]
//!     kind = "hammer"
//!     on = "string@0.12"
//!     mass = "5 g"
//!     stiffness = "1e8 N/m^1.5"
//!     [pickups.ear]
//!     at = "string@0.9"
//!     [[events]]
//!     time = "0.1 s"
//!     strike = "mallet"
//!     velocity = "2 m/s"
//! "#;
//! let scene = read(&Source::new("hammer.toml", text), &Reading::default())?;
//! assert_eq!(scene.model.objects.len(), 2);
//! assert_eq!(scene.score[0].time, 0.1);
//!
//! let mut instrument = Instrument::new(&scene)?;
//! let stiffness = instrument.parameter("mallet.stiffness").ok_or("no such path")?;
//! instrument.set(stiffness, 3e7)?; // the mallet is softer from here on
//! let mut block = vec![0.0; 512 * instrument.channels()];
//! for _ in 0..20 {
//!     instrument.process(&mut block); // from here on nothing takes memory
//! }
//! assert!(block.iter().any(|sample| *sample != 0.0));
//! for info in instrument.parameters().iter().filter(|info| info.live) {
//!     println!("{} = {} {}", info.path, info.default, info.unit);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A scene can also be made in Rust. [`write()`] makes it a text that reads back to the same scene, to the bit:
//!
//! ```
//! use ictus::Model;
//! use ictus::model::{Pickup, Point, Source as Heard, Start};
//! use ictus::objects::{Place, StringPitch, StringSpec};
//! use ictus_scene::scene::Output;
//! use ictus_scene::{Reading, Scene, Source, read, write};
//!
//! let string = StringSpec { pitch: StringPitch::Fundamental(110.0), ..StringSpec::default() };
//! let start = Start { centre: Place::Along(0.2), half_width: 0.1, displacement: 2e-3, velocity: 0.0 };
//! let ear = Pickup { source: Heard::Velocity(Point::on("string", Place::Along(0.9))), gains: vec![0.5] };
//! let scene = Scene {
//!     title: "A pulled string".into(),
//!     about: String::new(),
//!     duration: 3.0,
//!     seed: 1,
//!     model: Model::new(48_000.0).with("string", string).starting(start).listen(ear),
//!     exciters: vec![],
//!     score: vec![],
//!     controls: vec![],
//!     notes: None,
//!     output: Output::default(),
//!     written: Default::default(),
//! };
//! let text = write(&scene)?;
//! assert!(text.contains("[objects.string]\nkind = \"string\"\npitch = \"A2\"\n"));
//! assert_eq!(read(&Source::new("pulled.toml", text), &Reading::default())?, scene);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `serde` (off by default) a [`Scene`] and all in it can be serialised, to JSON for example. What comes back is checked as any
//! other scene is: laws by their constructors, the rest when it is built.

pub mod documentation;
mod excerpt;
mod files;
mod gains;
mod id;
mod idle;
pub mod instrument;
pub mod midi;
pub mod notes;
mod objects;
pub mod parameters;
mod problem;
mod random;
mod read;
pub mod registry;
pub mod scene;
mod schema;
mod silence;
mod source;
pub mod tools;
mod tree;
mod unheard;
pub mod units;
mod visible;
mod write;

pub use files::{Files, Missing, Passage};
pub use id::{ControlId, ExciterId};
pub use idle::idle_objects;
pub use instrument::Instrument;
pub use objects::{OBJECTS, ObjectKind};
pub use problem::{Problem, Problems};
pub use read::{Reading, read};
pub use scene::Scene;
pub use schema::{schema, schema_text};
pub use silence::warnings;
pub use source::{LoadError, MOST_BYTES, Source};
pub use unheard::{unheard, unheard_values};
pub use write::{WriteError, write};
