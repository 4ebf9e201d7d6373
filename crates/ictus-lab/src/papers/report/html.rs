//! The report as one page for the browser, pictures and style included.

use std::fmt::Write as _;

use super::{Count, Finished, Tally, by_source, file_name};
use crate::papers::{Cell, Check, DataTable, Provenance, Verdict};
use crate::quantity::significant;

const STYLE: &str = include_str!("style.css");

/// The page on these items.
pub fn page(finished: &[Finished]) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>ictus: the sources, computed anew</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n\
         <h1>The sources, computed anew</h1>\n\
         <p>Every table and figure is computed from the ictus library; no curve is stored. Each comes with what its \
         source says, our value beside the printed one, and its data. Checks marked <i>our own</i> are of what the source \
         does not speak of.</p>\n<p class=\"tally\">{}</p>\n",
        tally(&Tally::of(finished)),
    );
    contents(&mut html, finished);
    html.push_str("</header>\n<main>\n");
    for (source, items) in by_source(finished) {
        let _ = write!(
            html,
            "<section>\n<h2 id=\"{}\">{}<small>{}</small></h2>\n",
            source.id,
            text(source.id),
            text(source.title)
        );
        for finished in items {
            article(&mut html, finished);
        }
        html.push_str("</section>\n");
    }
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn contents(html: &mut String, finished: &[Finished]) {
    html.push_str("<nav>\n");
    for (source, items) in by_source(finished) {
        let _ = writeln!(html, "<div><a href=\"#{0}\"><b>{0}</b></a><ul>", source.id);
        for Finished { item, outcome, .. } in items {
            let worst = outcome.checks.iter().map(|check| check.verdict).max_by_key(|verdict| *verdict as u8);
            let _ = writeln!(
                html,
                "<li>{}<a href=\"#{}\">{}</a></li>",
                worst.map_or("<i class=\"dot\"></i>".to_owned(), |verdict| format!(
                    "<i class=\"dot {}\"></i>",
                    class(verdict)
                )),
                item.id,
                text(item.title)
            );
        }
        html.push_str("</ul></div>\n");
    }
    html.push_str("</nav>\n");
}

fn article(html: &mut String, finished: &Finished) {
    let Finished { item, outcome, drawings, .. } = finished;
    let _ = write!(
        html,
        "<article id=\"{id}\">\n<h3>{}<small>{id}</small></h3>\n<blockquote>{}</blockquote>\n\
         <p class=\"parameters\">{}</p>\n",
        text(item.title),
        text(item.statement),
        text(item.parameters),
        id = item.id,
    );
    for (picture, drawing) in outcome.pictures.iter().zip(drawings) {
        let svg = file_name(item, picture.suffix, "svg");
        // What differs from run to run stays outside, so that this page does not.
        let shown = if item.timed { svg.clone() } else { embedded(drawing) };
        let _ = writeln!(
            html,
            "<figure><a href=\"{svg}\"><img loading=\"lazy\" src=\"{shown}\" alt=\"{}\"></a>\
             <figcaption><a href=\"{svg}\">SVG</a> <a href=\"{}\">PNG</a></figcaption></figure>",
            text(&picture.figure.title),
            file_name(item, picture.suffix, "png"),
        );
    }
    checks(html, &outcome.checks);
    for remark in &outcome.remarks {
        let _ = writeln!(html, "<p>{}</p>", text(remark));
    }
    for table in &outcome.tables {
        if table.shown && !item.timed {
            rows(html, table);
        }
        let name = file_name(item, table.suffix, "csv");
        let count = table.rows.len();
        let _ = writeln!(html, "<p class=\"data\"><a href=\"{name}\">{name}</a> {count} rows</p>");
    }
    html.push_str("</article>\n");
}

fn checks(html: &mut String, checks: &[Check]) {
    if checks.is_empty() {
        return;
    }
    html.push_str(
        "<div class=\"wide\"><table class=\"checks\">\n<thead><tr><th>statement</th><th>source</th><th>ours</th><th>tolerance</th><th></th>\
         </tr></thead>\n<tbody>\n",
    );
    for check in checks {
        let Check { statement, provenance, printed, measured, tolerance, verdict, reason } = check;
        let reason = reason.as_ref().map_or(String::new(), |reason| format!("<small>{}</small>", text(reason)));
        let row = if *provenance == Provenance::Own { " class=\"own\"" } else { "" };
        let _ = writeln!(
            html,
            "<tr{row}><td>{}{reason}</td><td>{}</td><td>{}</td><td>{}</td><td><span class=\"badge {}\">{}</span></td></tr>",
            text(statement),
            text(printed),
            text(measured),
            text(tolerance),
            class(*verdict),
            word(*verdict),
        );
    }
    html.push_str("</tbody></table></div>\n");
}

fn rows(html: &mut String, table: &DataTable) {
    html.push_str("<div class=\"wide\"><table class=\"numbers\">\n<thead><tr>");
    for (index, heading) in table.columns.iter().enumerate() {
        let is_word = table.rows.iter().any(|row| matches!(row.get(index), Some(Cell::Text(_))));
        let class = if is_word { " class=\"word\"" } else { "" };
        let _ = write!(html, "<th{class}>{}</th>", text(&heading.replace('_', " ")));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for cell in row {
            let _ = match cell {
                Cell::Text(word) => write!(html, "<td>{}</td>", text(word)),
                Cell::Number(value) if !value.is_finite() => write!(html, "<td>–</td>"),
                Cell::Number(value) => write!(html, "<td class=\"number\">{}</td>", significant(*value, 5)),
            };
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
}

fn tally(tally: &Tally) -> String {
    let parts = [("statements of the sources", tally.stated), ("own checks", tally.own)];
    let told = parts.iter().filter(|(_, count)| count.total() > 0);
    told.map(|(name, count)| format!("{name}: {}", badges(count))).collect::<Vec<_>>().join("<br>\n")
}

fn badges(count: &Count) -> String {
    let part = |count: usize, class: &str, word: &str| match count {
        0 => String::new(),
        count => format!("<span class=\"badge {class}\">{count} {word}</span> "),
    };
    format!(
        "{}{}{}",
        part(count.passed, "pass", "hold"),
        part(count.noted, "noted", if count.noted == 1 { "noted difference" } else { "noted differences" }),
        part(count.failed, "fail", "fail")
    )
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Noted => "noted",
        Verdict::Fail => "fail",
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "holds",
        Verdict::Noted => "noted",
        Verdict::Fail => "fails",
    }
}

/// A drawing as an address: pictures on one page must not see each other's names.
fn embedded(svg: &str) -> String {
    let mut address = String::with_capacity(svg.len() + svg.len() / 4);
    address.push_str("data:image/svg+xml,");
    for c in svg.chars() {
        match c {
            '%' => address.push_str("%25"),
            '#' => address.push_str("%23"),
            '"' => address.push('\''),
            '\'' => address.push_str("&#39;"),
            '<' => address.push_str("%3C"),
            '>' => address.push_str("%3E"),
            '&' => address.push_str("&amp;"),
            '\n' => address.push(' '),
            c => address.push(c),
        }
    }
    address
}

fn text(plain: &str) -> String {
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_words_is_shown_and_not_obeyed() {
        assert_eq!(text("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
        let address = embedded("<svg fill=\"#fff\">100%\n</svg>");
        assert_eq!(address, "data:image/svg+xml,%3Csvg fill='%23fff'%3E100%25 %3C/svg%3E");
    }
}
