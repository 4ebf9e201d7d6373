//! The documentation as pages: Markdown to HTML, with links that hold in a flat folder, and the sections to search.

use std::collections::BTreeSet;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use rust_embed::RustEmbed;
use serde::Serialize;

use crate::gallery::GALLERY;

#[derive(RustEmbed)]
#[folder = "../../docs"]
struct Docs;

/// The page of the documentation that leads to the others.
const INDEX: &str = "README.md";

/// A file of the site.
pub struct File {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub content: Vec<u8>,
}

/// A part of a page that can be found.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Section {
    /// Its address in the site.
    pub address: String,
    /// Title of its page.
    pub page: String,
    /// Its heading.
    pub heading: String,
    /// Its words.
    pub text: String,
}

/// The documentation of the site.
#[derive(Default)]
pub struct Documents {
    /// Pages and pictures.
    pub files: Vec<File>,
    /// How many pages there are.
    pub pages: usize,
    /// All that can be found.
    pub sections: Vec<Section>,
}

/// All pages, pictures and sections.
pub fn all() -> Documents {
    let names: BTreeSet<String> = Docs::iter().map(|name| name.into_owned()).collect();
    let mut documents = Documents::default();
    for name in &names {
        let Some(file) = Docs::get(name) else { continue };
        let content = if name.ends_with(".md") {
            let page = page(&String::from_utf8_lossy(&file.data), &flat(name), &names);
            documents.pages += 1;
            documents.sections.extend(page.sections);
            page.html.into_bytes()
        } else {
            file.data.into_owned()
        };
        documents.files.push(File { name: flat(name), content });
    }
    documents
}

/// The name in the flat folder of a file of the documentation.
fn flat(name: &str) -> String {
    match name.strip_suffix(".md") {
        Some(_) if name == INDEX => "docs.html".to_owned(),
        Some(stem) => format!("{}.html", stem.replace('/', "-")),
        None => name.replace('/', "-"),
    }
}

/// Where a link of a page leads in the site; none if the site does not have it.
fn destination(link: &str, names: &BTreeSet<String>) -> Option<String> {
    if link.starts_with('#') || link.starts_with("https://") || link.starts_with("http://") {
        return Some(link.to_owned());
    }
    let (path, part) = link.split_once('#').map_or((link, String::new()), |(path, part)| (path, format!("#{part}")));
    if let Some(scene) = path.strip_prefix("../scenes/") {
        let is_there = GALLERY.iter().any(|(name, _)| scene.strip_suffix(".toml") == Some(name));
        return is_there.then(|| scene.to_owned());
    }
    names.contains(path).then(|| flat(path) + &part)
}

/// The scene of the gallery whose text a file of the site is.
fn scene_of(file: &str) -> Option<&str> {
    file.strip_suffix(".toml").filter(|scene| GALLERY.iter().any(|(name, _)| name == scene))
}

struct Page {
    html: String,
    sections: Vec<Section>,
}

/// A page of the site from its Markdown.
fn page(markdown: &str, name: &str, names: &BTreeSet<String>) -> Page {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let mut events: Vec<Event> = Vec::new();
    let mut sections = vec![Section { address: name.to_owned(), ..Section::default() }];
    let mut anchors = BTreeSet::new();
    // Where the heading began that is being read, and whether each open link leads somewhere.
    let mut heading: Option<usize> = None;
    let mut links: Vec<Option<String>> = Vec::new();
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                heading = Some(events.len());
                sections.push(Section::default());
                events.push(event);
            }
            Event::End(TagEnd::Heading(_)) => {
                if let (Some(start), Some(section)) = (heading.take(), sections.last_mut()) {
                    section.heading = std::mem::take(&mut section.text).trim().to_owned();
                    let anchor = unique(anchor(&section.heading), &mut anchors);
                    section.address = format!("{name}#{anchor}");
                    if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
                        *id = Some(anchor.into());
                    }
                }
                events.push(event);
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let to = destination(&dest_url, names);
                links.push(to.clone());
                if let Some(to) = to {
                    let dest_url = scene_of(&to).map_or(to.clone(), |scene| format!("index.html?scene={scene}")).into();
                    events.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                }
            }
            Event::End(TagEnd::Link) => {
                if let Some(to) = links.pop().flatten() {
                    events.push(event);
                    // A scene is played; its text stands beside it.
                    if scene_of(&to).is_some() {
                        events.push(Event::Html(format!(" (<a href=\"{to}\">text</a>)").into()));
                    }
                }
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let dest_url = destination(&dest_url, names).map_or(dest_url, CowStr::from);
                events.push(Event::Start(Tag::Image { link_type, dest_url, title, id }));
            }
            event => {
                if let (Event::Text(text) | Event::Code(text), Some(section)) = (&event, sections.last_mut()) {
                    section.text.push_str(text);
                    // Within a heading, marks may part a word; elsewhere, cells and paragraphs are parted by nothing else.
                    section.text.push_str(if heading.is_some() { "" } else { " " });
                }
                events.push(event);
            }
        }
    }
    let title = title(&events).unwrap_or_else(|| name.to_owned());
    sections.retain(|section| !section.heading.is_empty() || !section.text.trim().is_empty());
    sections.iter_mut().for_each(|section| section.page.clone_from(&title));
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    Page { html: framed(&title, &tabled(&body)), sections }
}

/// Columns are aligned by classes: the site's own rules (Content-Security-Policy) refuse styles in the markup. A table has a frame to scroll in,
/// and a heading without a word is none. In a text, `<` is never written so.
fn tabled(html: &str) -> String {
    let mut html = html.to_owned();
    for cell in ["th", "td"] {
        for side in ["left", "center", "right"] {
            let (style, class) =
                (format!("<{cell} style=\"text-align: {side}\">"), format!("<{cell} class=\"{side}\">"));
            html = html.replace(&style, &class);
        }
    }
    for (from, to) in
        [("<table>", "<div class=\"table\"><table>"), ("</table>", "</table></div>"), ("<th></th>", "<td></td>")]
    {
        html = html.replace(from, to);
    }
    html
}

/// The text of the first heading of the first level.
fn title(events: &[Event]) -> Option<String> {
    let is_title = |event: &Event| matches!(event, Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }));
    let inside = events.iter().skip_while(|event| !is_title(event)).skip(1);
    let inside = inside.take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    let text: String = inside
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            _ => None,
        })
        .collect();
    (!text.is_empty()).then_some(text)
}

/// What links call a heading by, as GitHub does: letters, digits, hyphens for spaces.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// An anchor that the page does not have yet; a second one of a name is numbered.
fn unique(anchor: String, taken: &mut BTreeSet<String>) -> String {
    let mut numbered = anchor.clone();
    let mut number = 0;
    while !taken.insert(numbered.clone()) {
        number += 1;
        numbered = format!("{anchor}-{number}");
    }
    numbered
}

/// A text in which nothing is markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn framed(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        r#"<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta http-equiv="Content-Security-Policy" content="default-src 'self'">
  <title>{title} · ictus</title>
  <link rel="icon" href="icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="documents.css">
  <script type="module" src="search.js"></script>
  <script type="module" src="scroll.js"></script>
</head>
<body>
  <header>
    <a href="index.html">Play</a> <a href="lab.html">Impact lab</a> <a href="docs.html">Documentation</a> <a href="validation.html">Validation</a> <a href="benchmarks.html">Benchmarks</a>
    <label>Search <input id="search" type="search" autocomplete="off"></label>
  </header>
  <ol id="found" aria-live="polite" hidden></ol>
  <main>
{body}  </main>
</body>
</html>
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> BTreeSet<String> {
        ["README.md", "physics.md", "bodies/wood.png"].map(str::to_owned).into()
    }

    #[test]
    fn links_lead_into_the_flat_folder_and_where_there_is_nothing_they_are_text() {
        let markdown = "# A\n[p](physics.md#mass) [s](../scenes/gong.toml) [c](../crates/x.rs) ![w](bodies/wood.png)";
        let Page { html, .. } = page(markdown, "a.html", &names());
        for expected in [
            r#"href="physics.html#mass""#,
            r#"<a href="index.html?scene=gong">s</a> (<a href="gong.toml">text</a>)"#,
            r#"src="bodies-wood.png""#,
        ] {
            assert!(html.contains(expected), "{expected} in {html}");
        }
        assert!(!html.contains("crates") && html.contains("</a>) c <img"), "{html}");
    }

    #[test]
    fn sections_have_addresses_and_their_own_words() {
        let Page { html, sections } =
            page("# Top\none\n## The `g` rule\ntwo\n## The g rule\nthree", "a.html", &names());
        let addresses: Vec<&str> = sections.iter().map(|section| section.address.as_str()).collect();
        assert_eq!(addresses, ["a.html#top", "a.html#the-g-rule", "a.html#the-g-rule-1"]);
        assert_eq!((sections[1].heading.as_str(), sections[1].text.trim()), ("The g rule", "two"));
        assert!(sections.iter().all(|section| section.page == "Top"));
        assert!(html.contains(r#"<h2 id="the-g-rule-1">"#), "{html}");
    }

    #[test]
    fn columns_are_aligned_by_classes() {
        let Page { html, .. } =
            page("# A\n| a | b |\n| --- | ---: |\n| `<td style=\"text-align: right\">` | 2 |", "a.html", &names());
        assert!(html.contains(r#"<th class="right">b</th>"#) && html.contains(r#"<td class="right">2</td>"#), "{html}");
        assert!(!html.contains("<td style") && html.contains("&lt;td style"), "{html}");
    }

    #[test]
    fn a_title_is_never_markup() {
        let Page { html, .. } = page("# `<script>` & co", "a.html", &names());
        assert!(html.contains("<title>&lt;script&gt; &amp; co · ictus</title>"), "{html}");
    }
}
