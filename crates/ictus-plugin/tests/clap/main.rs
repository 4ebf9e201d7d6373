//! The compiled plugin in a host, through CLAP: what is heard is what `ictus render --midi` writes, to the bit.
//!
//! With the feature `checked` the host ends at once where the audio thread takes memory.

mod expressing;
mod host;
mod keyless;
mod loading;
mod playing;
mod reference;
mod rough;
mod scenes;
mod scoring;
mod sounding;
