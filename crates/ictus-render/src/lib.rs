//! Scenes played to their end: what `ictus render`, a sweep and the Python package have in common.
//!
//! A [`Performance`] plays a scene block by block and keeps what happened: contacts, energies, forces. Whoever asked for it keeps the
//! samples, in a file or in memory, and fades them as the scene's output says ([`Output::fade_out`](ictus_scene::scene::Output)).
//! Whatever the program, the same scene, seed and options give the same samples, to the bit.
//!
//! ```
//! use ictus_render::{Extent, Performance, Watch, gallery};
//! use ictus_scene::{Reading, read};
//!
//! let found = gallery::find("hammered-string".as_ref())?;
//! let scene = read(&found.source, &Reading { duration: Some(0.2), ..Reading::default() })?;
//! let extent = Extent::of(&scene, &found.source.name, scene.model.rate, 0.0, Extent::LARGEST)?;
//! let mut performance = Performance::new(&scene, extent, 1, Watch::ACCOUNT)?;
//! let mut sound = Vec::new();
//! while let Some(block) = performance.next()? {
//!     sound.extend_from_slice(block);
//! }
//! let played = performance.finish()?;
//! sound.truncate(played.frames * usize::from(extent.channels));
//! assert!(played.energy.is_some_and(|account| account.balance.residual() < 1e-9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod contacts;
pub mod cost;
mod error;
mod extent;
#[cfg(feature = "files")]
mod folder;
pub mod forces;
pub mod gallery;
mod performance;
pub mod report;
pub mod speed;
pub mod stopwatch;

pub use account::Account;
pub use contacts::Contacts;
pub use error::RenderError;
pub use extent::{Extent, whole_rate};
#[cfg(feature = "files")]
pub use folder::Folder;
pub use forces::Forces;
pub use gallery::GALLERY;
pub use performance::{Performance, Played, Watch};
