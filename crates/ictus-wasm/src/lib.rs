//! The engine inside a page, for the audio thread of a browser.
//!
//! A page and this engine speak the protocol that page and server speak (docs/protocol.md), without a socket between them: the page's
//! messages are written into the room of `exports.rs` and heard, replies and packets are read where they lie. Nothing is imported, so that an
//! AudioWorklet, which has neither clock nor text decoder, can make an instance of the module by itself.
//!
//! One thing differs from the server: every block is made at the moment it is played, so `want` asks for nothing.

mod exports;
mod host;
mod shelf;
