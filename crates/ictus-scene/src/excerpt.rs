//! The part of a text around a problem, bounded: a line may be as long as the text.

use std::sync::Arc;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// Most bytes shown of the text before and after the beginning of a problem.
const REACH: usize = 400;

/// A text by its name, of which problems show a few lines.
#[derive(Clone, Debug)]
pub(crate) struct Excerpt {
    pub(crate) name: String,
    pub(crate) text: Arc<str>,
}

impl Excerpt {
    /// The part of a span that is underlined: within its first line, and not too long.
    pub(crate) fn underlined(&self, start: usize, end: usize) -> SourceSpan {
        let start = floor_boundary(&self.text, start);
        let most = floor_boundary(&self.text, end.min(start + REACH / 2));
        let line = self.text[start..most.max(start)].split('\n').next().unwrap_or_default();
        SourceSpan::from((start, line.trim_end().len()))
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let text = &*self.text;
        if span.offset() + span.len() > text.len() {
            return Err(MietteError::OutOfBounds);
        }
        // Without lines around it, it is asked for where the problem itself begins.
        let reach = if lines_before == 0 { 0 } else { REACH };
        let first = floor_boundary(text, span.offset().saturating_sub(reach));
        let mut start =
            text[first..span.offset()].rmatch_indices('\n').nth(lines_before).map_or(first, |(at, _)| first + at + 1);
        // Half a line before the problem says nothing.
        if start == first && first > 0 {
            start = text[first..span.offset()].find('\n').map_or(first, |at| first + at + 1);
        }
        let behind = span.offset() + span.len();
        let last = floor_boundary(text, (behind + REACH).min(text.len()));
        let end = text[behind..last].match_indices('\n').nth(lines_after).map_or(last, |(at, _)| behind + at);
        let before = &text[..start];
        let line = before.bytes().filter(|byte| *byte == b'\n').count();
        let column = before[before.rfind('\n').map_or(0, |at| at + 1)..].chars().count();
        let shown = &text[start..end];
        let count = shown.bytes().filter(|byte| *byte == b'\n').count() + 1;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            shown.as_bytes(),
            SourceSpan::from((start, end - start)),
            line,
            column,
            count,
        )))
    }
}

/// The last boundary between characters at or before a byte of a text.
pub(crate) fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_in_a_line_without_end_is_shown_with_little_of_it() {
        let excerpt = Excerpt { name: "x".into(), text: "é".repeat(100_000).into() };
        let span = excerpt.underlined(100_001, 200_000);
        assert!(span.len() <= REACH && excerpt.text.is_char_boundary(span.offset()));
        let shown = excerpt.read_span(&span, 1, 1).unwrap();
        assert!(shown.data().len() <= 3 * REACH, "{}", shown.data().len());
        assert!(std::str::from_utf8(shown.data()).is_ok());
    }

    #[test]
    fn a_problem_is_shown_with_its_neighbouring_lines() {
        let excerpt = Excerpt { name: "x".into(), text: "one\ntwo\nthree\nfour\nfive\n".into() };
        let shown = excerpt.read_span(&excerpt.underlined(8, 20), 1, 1).unwrap();
        assert_eq!(shown.data(), b"two\nthree\nfour");
        assert_eq!((shown.line(), shown.column()), (1, 0));
    }
}
