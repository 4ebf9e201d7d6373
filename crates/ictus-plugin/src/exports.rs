//! What hosts call.
// The framework's macros export functions by name, which counts as unsafe, and hand pointers of the hosts on. Nothing else here is.
#![allow(unsafe_code, missing_docs)]

use crate::plugins::{Channels, Ictus, Resonator, Stems};

nice_plug::nice_export_clap!(Ictus, Stems, Resonator);
nice_plug::nice_export_vst3!(Ictus, Channels, Resonator);
