//! The page's files, inside the program.

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page"]
struct Page;

/// The file at a path of an address, and its media type. Only the files that were there when the program was built exist.
pub fn asset(path: &str) -> Option<(&'static str, Cow<'static, [u8]>)> {
    let name = if path == "/" { "index.html" } else { path.strip_prefix('/')? };
    if name == SCHEMA {
        return Some(("application/json", Cow::Borrowed(schema())));
    }
    let kind = match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    Some((kind, Page::get(name)?.data))
}

/// The schema of scenes, from which the editor completes. It is made by the reader's own lists, not kept as a file.
const SCHEMA: &str = "scene.schema.json";

fn schema() -> &'static [u8] {
    static TEXT: LazyLock<String> = LazyLock::new(ictus_scene::schema_text);
    TEXT.as_bytes()
}

/// Names and contents of the page's files as a static copy has them: the engine runs inside the page, since no program serves it.
pub fn static_page() -> impl Iterator<Item = (Cow<'static, str>, Cow<'static, [u8]>)> {
    let files = Page::iter().filter_map(|name| {
        let content = if name == ENGINE { Cow::Borrowed(INSIDE.as_bytes()) } else { Page::get(&name)?.data };
        Some((name, content))
    });
    files.chain([(SCHEMA.into(), schema().into())])
}

/// The file of the page that says where the engine runs, and what it says in a static copy.
const ENGINE: &str = "engine.js";
const INSIDE: &str = "// Where the engine of this page runs: inside it.\n\n\
    export { Inside as Engine } from \"./inside.js\";\n\
    export { ask } from \"./ask-inside.js\";\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_inside() {
        assert!(asset("/").is_some_and(|(kind, body)| kind.starts_with("text/html") && !body.is_empty()));
        assert!(asset("/worklet.js").is_some());
        assert!(asset("/scene.schema.json").is_some_and(|(_, body)| body.starts_with(b"{")));
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
