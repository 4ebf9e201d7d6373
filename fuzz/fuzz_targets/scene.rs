//! The scene reader against any bytes. From the root of the repository:
//!
//! ```text
//! mkdir -p fuzz/found
//! cargo +nightly fuzz run scene fuzz/found fuzz/corpus/scene scenes crates/ictus-scene/tests/scenes -- \
//!     -dict=fuzz/scene.dict -max_len=65536 -rss_limit_mb=2048 -timeout=10
//! ```
//!
//! What is new goes to `fuzz/found`. A text that breaks something goes to `fuzz/corpus/scene` once it is mended: `tests/memory.rs` of
//! `ictus-scene` reads all that is there.

#![no_main]

#[path = "../entry.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry::read_any(bytes));
