//! The page's files, inside the program.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page"]
struct Page;

/// The file at a path of an address, and its media type. Only the files that were there when the program was built exist.
pub fn asset(path: &str) -> Option<(&'static str, Cow<'static, [u8]>)> {
    let name = if path == "/" { "index.html" } else { path.strip_prefix('/')? };
    let kind = match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    Some((kind, Page::get(name)?.data))
}

/// Names and contents of the page's files as a static copy has them: the engine runs inside the page, since no program serves it.
pub fn static_page() -> impl Iterator<Item = (Cow<'static, str>, Cow<'static, [u8]>)> {
    Page::iter().filter_map(|name| {
        let content = if name == ENGINE { Cow::Borrowed(INSIDE.as_bytes()) } else { Page::get(&name)?.data };
        Some((name, content))
    })
}

/// The file of the page that says where the engine runs, and what it says in a static copy.
const ENGINE: &str = "engine.js";
const INSIDE: &str =
    "// Where the engine of this page runs: inside it.\n\nexport { Inside as Engine } from \"./inside.js\";\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_inside() {
        assert!(asset("/").is_some_and(|(kind, body)| kind.starts_with("text/html") && !body.is_empty()));
        assert!(asset("/worklet.js").is_some());
    }

    #[test]
    fn a_static_copy_differs_in_where_the_engine_runs_and_in_nothing_else() {
        for (name, content) in static_page() {
            let served = asset(&format!("/{name}")).expect("every file of the copy is served too").1;
            assert_eq!(content == served, name != ENGINE, "{name}");
        }
        assert!(static_page().any(|(name, _)| name == ENGINE));
    }

    #[test]
    fn no_path_leads_out() {
        for path in [
            "",
            "/../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "//etc/passwd",
            "/.",
            "/..",
            "/page",
            "/../src/lib.rs",
            "/worklet.js/",
        ] {
            assert!(asset(path).is_none(), "{path}");
        }
    }
}
