//! Scenes: an instrument in a text file, and how it is played.
//!
//! A [`Scene`] is what the text says, validated and in SI units: a [`Model`](ictus::Model) and, beside it, what is done with it over
//! time. Nothing after the reader knows that there was a text.
//!
//! ```
//! use ictus_scene::{Reading, Source, read};
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
//! # Ok::<(), ictus_scene::Problems>(())
//! ```
//!
//! With the feature `serde` (off by default) a [`Scene`] and all in it can be serialised, to JSON for example. What comes back is checked as any
//! other scene is: laws by their constructors, the rest when it is built.

pub mod documentation;
mod excerpt;
pub mod midi;
pub mod notes;
pub mod player;
mod problem;
mod random;
mod read;
pub mod registry;
pub mod scene;
mod schema;
mod silence;
mod source;
mod tree;
pub mod units;

pub use player::Player;
pub use problem::{Problem, Problems};
pub use read::{EXCITERS, ExciterKind, OBJECTS, ObjectKind, Reading, read};
pub use scene::Scene;
pub use schema::{schema, schema_text};
pub use silence::warnings;
pub use source::{LoadError, MOST_BYTES, Source};
