//! The scene reader against any bytes. From the root of the repository:
//!
//! ```text
//! mkdir -p fuzz/corpus/scene && cp scenes/*.toml crates/ictus-scene/tests/scenes/*.toml fuzz/corpus/scene
//! cargo +nightly fuzz run scene -- -dict=fuzz/scene.dict -max_len=65536 -rss_limit_mb=2048 -timeout=10
//! ```

#![no_main]

#[path = "../entry.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry::read_any(bytes));
