//! What is promised of the scene reader for any bytes: it returns, and what it says lies within the text.

use ictus_scene::{Reading, Source, read};

/// Reads bytes as a scene, and looks at the problems if it is none.
pub fn read_any(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(problems) = read(&Source::new("fuzz.toml", text), &Reading::default()) {
        assert!(!problems.is_empty());
        for problem in &problems {
            let span = problem.span.clone().expect("without overrides every problem has a place");
            assert!(text.get(span).is_some(), "{problem:?}");
            assert!(!problem.message.is_empty() && problem.line >= 1 && problem.column >= 1, "{problem:?}");
        }
        assert!(!problems.render(80, false).is_empty());
    }
}
