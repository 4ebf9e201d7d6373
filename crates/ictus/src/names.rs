//! Names that were mistyped, and which one was meant.

/// Longest name in bytes that is compared: longer ones are no slips, and comparing them costs the product of their lengths.
const LONGEST: usize = 120;

/// Most names that one is compared with.
const MOST_COMPARED: usize = 2000;

/// The nearest of some names, if one is near enough to be a slip of the keyboard: one edit, and one more for every four letters. Letters
/// of the other case are the same. Of names that are equally near it is the first.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let name = lower(name);
    names
        .into_iter()
        .take(MOST_COMPARED)
        .filter(|other| other.len() <= LONGEST)
        .map(|other| (edits(&name, &lower(other)), other))
        .filter(|(edits, other)| *edits <= 1 + other.chars().count() / 4)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, other)| other)
}

/// Edits between two words: letters put in, left out, changed, or exchanged with their neighbour (Damerau and Levenshtein, each
/// letter edited once).
fn edits(from: &[char], to: &[char]) -> usize {
    let first: Vec<usize> = (0..=to.len()).collect();
    let (mut before, mut last) = (vec![0; to.len() + 1], first);
    for i in 0..from.len() {
        let mut row = vec![i + 1];
        for j in 0..to.len() {
            let kept = last[j] + usize::from(from[i] != to[j]);
            let mut best = kept.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_keyboard_are_found_and_other_words_are_not() {
        let names = ["hammer", "string", "bridge", "rk4", "two-point"];
        for (typed, meant) in [
            ("hamer", Some("hammer")),
            ("brigde", Some("bridge")),
            ("RK5", Some("rk4")),
            ("kr4", Some("rk4")),
            ("twopoint", Some("two-point")),
            ("banana", None),
            ("membrane", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(nearest(typed, names), meant, "{typed}");
        }
    }

    #[test]
    fn a_long_name_is_no_slip() {
        let long = "hammer".repeat(100);
        assert_eq!(nearest(&long, [&*long]), None);
    }

    #[test]
    fn exchanged_letters_are_one_edit() {
        let count = |from: &str, to: &str| edits(&from.chars().collect::<Vec<_>>(), &to.chars().collect::<Vec<_>>());
        for (from, to, expected) in [("ab", "ba", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("ca", "abc", 3)] {
            assert_eq!(count(from, to), expected, "{from} {to}");
        }
    }
}
