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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_inside() {
        assert!(asset("/").is_some_and(|(kind, body)| kind.starts_with("text/html") && !body.is_empty()));
        assert!(asset("/worklet.js").is_some());
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
