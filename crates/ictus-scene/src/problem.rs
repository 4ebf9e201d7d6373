//! What is wrong with a scene, said so that a person can mend it: where, what was expected, what may have been meant.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use ictus::names::nearest;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode, SourceSpan};

use crate::excerpt::{Excerpt, floor_boundary};
use crate::source::Source;
use crate::visible::{spelled, veiled};

/// Most problems of one text that are told.
const MOST_TOLD: usize = 50;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
    /// The offending bytes of the text; none for what came from elsewhere, as the command line.
    pub span: Option<Range<usize>>,
    /// Line of its first character, from 1; 0 without a span.
    pub line: usize,
    /// Column of its first character, counted in characters from 1; 0 without a span.
    pub column: usize,
    /// Length of the offending text in characters.
    pub length: usize,
    /// What of it is underlined when it is shown.
    underlined: Option<SourceSpan>,
}

impl Problem {
    /// Message and help in one line.
    pub fn into_sentence(self) -> String {
        if self.help.is_empty() { self.message } else { format!("{} ({})", self.message, self.help) }
    }
}

/// All that is wrong with a scene.
///
/// It is a [`miette::Diagnostic`]; [`Problems::render`] writes it for a terminal, [`Problems::to_json`] for a page.
#[derive(Clone)]
pub struct Problems {
    source: Arc<Excerpt>,
    problems: Vec<Problem>,
    untold: usize,
}

impl Problems {
    /// The problems of a text, in the order of the text, each once.
    pub(crate) fn new(source: &Source, found: Vec<Found>) -> Self {
        let mut problems: Vec<Problem> = Vec::new();
        for found in found {
            let problem = found.locate(&source.text);
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
        problems.sort_by_key(|problem| problem.span.as_ref().map_or((0, 0), |span| (span.start, span.end)));
        let untold = problems.len().saturating_sub(MOST_TOLD);
        problems.truncate(MOST_TOLD);
        let text = match veiled(&source.text) {
            Cow::Borrowed(_) => source.text.clone(),
            Cow::Owned(text) => text.into(),
        };
        let excerpt = Excerpt { name: spelled(source.name.clone()), text };
        for problem in &mut problems {
            problem.underlined = problem.span.clone().map(|span| excerpt.underlined(span.start, span.end));
        }
        Self { source: Arc::new(excerpt), problems, untold }
    }

    /// The problems, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.problems.iter()
    }

    /// How many are told.
    pub fn len(&self) -> usize {
        self.problems.len()
    }

    /// Never: a scene without problems is a scene.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// The problems as text of so many columns, with the offending lines underlined; in colour for terminals.
    pub fn render(&self, width: usize, colour: bool) -> String {
        let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let handler = GraphicalReportHandler::new_themed(theme).with_width(width.max(20)).with_links(false);
        let mut text = String::new();
        // A handler that fails has at least the messages to fall back on.
        if handler.render_report(&mut text, self).is_err() {
            text = self
                .problems
                .iter()
                .map(|problem| format!("{}:{}: {}\n", problem.line, problem.column, problem.message))
                .collect();
        }
        text
    }

    /// A list of `{ message, help, line, column, length, start, end }`, for the page. `start` and `end` are bytes of the text, null
    /// without a place in it.
    pub fn to_json(&self) -> serde_json::Value {
        let one = |problem: &Problem| {
            serde_json::json!({
                "message": problem.message,
                "help": problem.help,
                "line": problem.line,
                "column": problem.column,
                "length": problem.length,
                "start": problem.span.as_ref().map(|span| span.start),
                "end": problem.span.as_ref().map(|span| span.end),
            })
        };
        self.problems.iter().map(one).collect()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(120, false))
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.source.name;
        match (self.problems.len() + self.untold, self.untold) {
            (1, _) => write!(f, "{name}: one problem"),
            (count, 0) => write!(f, "{name}: {count} problems"),
            (count, _) => write!(f, "{name}: {count} problems, the first {MOST_TOLD} of them"),
        }
    }
}

impl std::error::Error for Problems {}

impl Diagnostic for Problems {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&*self.source)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.problems.iter().map(|problem| problem as &dyn Diagnostic)))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

impl Diagnostic for Problem {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.help.is_empty()).then(|| Box::new(&self.help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(LabeledSpan::underline(self.underlined?))))
    }
}

/// Where something of a scene was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// Bytes of the text.
    Text {
        /// First byte.
        start: usize,
        /// Byte after the last.
        end: usize,
    },
    /// An override, by its number.
    Override(usize),
}

/// A problem as the reader finds it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) message: String,
    pub(crate) help: String,
    pub(crate) span: Span,
}

impl Found {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), help: String::new(), span }
    }

    /// With what to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    fn locate(self, text: &str) -> Problem {
        let Self { message, help, span } = self;
        let (message, help) = (spelled(message), spelled(help));
        let Span::Text { start, end } = span else {
            return Problem { message, help, span: None, line: 0, column: 0, length: 0, underlined: None };
        };
        let start = floor_boundary(text, start);
        let end = floor_boundary(text, end).max(start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Problem {
            message,
            help,
            span: Some(start..end),
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
            length: text[start..end].chars().count(),
            underlined: None,
        }
    }
}

/// Keys that people try, and what they are called: words of another kind of object, not slips of the keyboard.
const KIN: &[(&str, &str)] = &[
    ("ends", "edges"),
    ("edges", "ends"),
    ("length", "sides"),
    ("size", "sides"),
    ("radius", "diameter"),
    ("frequency", "pitch"),
    ("pitch", "frequency"),
    ("stiffness_along", "youngs_modulus"),
    ("stiffness_across", "youngs_modulus_across"),
    ("weight", "mass"),
];

/// What a key that is not there may be called.
pub(crate) fn kin(key: &str) -> impl Iterator<Item = &'static str> {
    KIN.iter().filter(move |(tried, _)| *tried == key).map(|(_, called)| *called)
}

/// "did you mean `x`?" if something is near, else a list of what there is.
pub(crate) fn suggestion<'a>(name: &str, kind: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> String {
    const MOST_LISTED: usize = 24;
    if let Some(near) = nearest(name, names.clone()) {
        return format!("did you mean `{near}`?");
    }
    let mut list: Vec<&str> = names.into_iter().collect();
    if list.is_empty() {
        return format!("there are no {kind}");
    }
    let more = list.len().saturating_sub(MOST_LISTED);
    list.truncate(MOST_LISTED);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{kind}: {}{more}", list.join(", "))
}
