//! The recipes of CONTRIBUTING.md are true: a law, a rule, a pickup, a tool and an object are named in their own files and in their
//! list, and nowhere else that had to know them.
//!
//! All sources are searched for the type of a member and for its name as text. Comments and tests are left out: they may speak of
//! anything. What else names a member uses it, and is listed here with the reason. A file that is in neither list fails the test: it is a third
//! place, and the next member would need it too.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// One member of a list, and where it may be named.
struct Member {
    /// Its type, or its path as the code spells it.
    types: &'static [&'static str],
    /// Its name in scenes, on the command line or on the page.
    names: &'static [&'static str],
    /// The files of the recipe: its own, and those of its list.
    recipe: &'static [&'static str],
    /// Files that use it, with the reason.
    users: &'static [(&'static str, &'static str)],
}

const PAPER: &str = "a published result that was computed with it";

#[test]
fn a_law_is_its_file_and_a_name_in_the_list() {
    named_only_where_it_should_be(&Member {
        types: &["CentreLimited", "centre_limited"],
        names: &["centre-limited"],
        recipe: &["ictus/src/laws/centre_limited.rs", "ictus/src/laws/mod.rs"],
        users: &[
            ("ictus-lab/src/papers/d17/forces.rs", PAPER),
            ("ictus-lab/src/papers/w19/systems.rs", PAPER),
            ("ictus-lab/src/papers/w19/tromba.rs", PAPER),
        ],
    });
    named_only_where_it_should_be(&Member {
        types: &["OddPower", "odd_power"],
        names: &["odd-power"],
        recipe: &["ictus/src/laws/mod.rs", "ictus/src/laws/odd_power.rs"],
        users: &[
            ("ictus-lab/src/papers/d17/computability.rs", PAPER),
            ("ictus-lab/src/papers/d17/forces.rs", PAPER),
            ("ictus-lab/src/papers/d17/oscillators.rs", PAPER),
            ("ictus/src/impact/oscillators.rs", "two schemes that are made for this law"),
        ],
    });
}

#[test]
fn a_rule_is_its_file_and_a_name_in_the_list() {
    named_only_where_it_should_be(&Member {
        types: &["NonAdhesive", "non_adhesive"],
        names: &["non-adhesive", "psi-nonadhesive"],
        recipe: &["ictus/src/contact/rules/mod.rs", "ictus/src/contact/rules/non_adhesive.rs"],
        users: &[
            ("ictus-cli/src/commands/study/secant/mod.rs", "a curve of the study's picture"),
            ("ictus-cli/src/commands/study/secant/picture.rs", "a curve of the study's picture"),
            ("ictus-lab/src/papers/shoot_out/accuracy.rs", PAPER),
        ],
    });
}

#[test]
fn a_pickup_is_its_file_and_a_name_in_the_list() {
    named_only_where_it_should_be(&Member {
        types: &["Source::Displacement", "displacement::Displacement", "mod displacement"],
        names: &[],
        recipe: &["ictus/src/pickups/mod.rs"],
        users: &[
            ("ictus-cli/src/commands/study/friction/block.rs", "a study of what slips hears how far it has come"),
            ("ictus-cli/src/commands/study/friction/hinge.rs", "a study of what slips hears how far it has come"),
            ("ictus-cli/src/commands/study/large/backbone.rs", "a study of amplitudes hears them"),
            ("ictus-lab/src/fit/instrument.rs", "a test of what is fitted hears where the mallet is"),
            ("ictus-lab/src/papers/w19/run.rs", PAPER),
            ("ictus/src/impact/strike/engine.rs", "the impact lab reads the engine by it"),
            ("ictus/src/levels.rs", "a test of the vector levels"),
        ],
    });
}

#[test]
fn a_tool_is_its_file_and_a_name_in_the_list() {
    named_only_where_it_should_be(&Member {
        types: &["Plectrum", "plectrum::", "mod plectrum"],
        names: &["plectrum"],
        recipe: &["ictus-scene/src/tools/mod.rs", "ictus-scene/src/tools/plectrum.rs"],
        users: &[],
    });
    named_only_where_it_should_be(&Member {
        types: &["Finger", "mod finger"],
        names: &["finger"],
        recipe: &["ictus-scene/src/tools/finger.rs", "ictus-scene/src/tools/mod.rs"],
        users: &[("ictus-scene/src/instrument/hands.rs", "the hands of the page have fingers of their own")],
    });
}

/// An object has a file and a list in each of two crates: the engine knows nothing about text.
#[test]
fn an_object_is_two_files_and_a_line_in_two_lists() {
    named_only_where_it_should_be(&Member {
        types: &["MembraneSpec", "ObjectSpec::Membrane", "mod membrane"],
        names: &["membrane"],
        recipe: &[
            "ictus-scene/src/objects/membrane.rs",
            "ictus-scene/src/objects/mod.rs",
            "ictus/src/objects/membrane.rs",
            "ictus/src/objects/mod.rs",
        ],
        users: &[
            ("ictus-cli/src/commands/show/network.rs", "has a look of its own; other surfaces look like plates"),
            ("ictus-cli/src/commands/study/bodies/curves.rs", "a study of membranes"),
            ("ictus-cli/src/commands/study/bodies/sheets.rs", "a study of membranes"),
            ("ictus-cli/src/commands/study/large/backbone.rs", "a study of membranes that swing far"),
            ("ictus-live/page/motion.js", "is held by its tension; other surfaces by their edges"),
        ],
    });
}

fn named_only_where_it_should_be(member: &Member) {
    let named: BTreeSet<String> =
        sources().into_iter().filter(|(_, text)| names(text, member)).map(|(path, _)| path).collect();
    let users = member.users.iter().map(|(path, _)| *path);
    let expected: BTreeSet<String> = member.recipe.iter().copied().chain(users).map(str::to_owned).collect();
    let third: Vec<_> = named.difference(&expected).collect();
    let gone: Vec<_> = expected.difference(&named).collect();
    assert!(third.is_empty(), "{:?} is named in places that the recipe does not have: {third:?}", member.types);
    assert!(gone.is_empty(), "{:?} is no longer named in {gone:?}: take them off the list", member.types);
    assert!(member.users.iter().all(|(_, reason)| !reason.is_empty()));
}

/// Whether a source names a member, in code or as quoted text.
fn names(text: &str, member: &Member) -> bool {
    let quoted = |name: &&str| text.contains(&format!("\"{name}\"")) || text.contains(&format!("'{name}'"));
    member.types.iter().any(|word| has_word(text, word)) || member.names.iter().any(quoted)
}

/// Whether a word stands in a text, not as a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(inside);
        let after = text[at + word.len()..].chars().next().is_some_and(inside);
        !(before || after && word.ends_with(inside))
    })
}

/// Every source of the workspace by its path under `crates`, without comments and tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in fs::read_dir(&root).expect("the crates are there").flatten() {
        collect(&entry.path().join("src"), &mut files);
        collect(&entry.path().join("page"), &mut files);
    }
    let read = |path: PathBuf| {
        let name = path.strip_prefix(&root).expect("it is below").to_string_lossy().replace('\\', "/");
        (name, code(&fs::read_to_string(&path).expect("a source is text")))
    };
    let is_test = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        stem == "tests" || stem.ends_with("_tests") || path.components().any(|part| part.as_os_str() == "tests")
    };
    let all: Vec<_> = files.into_iter().filter(|path| !is_test(path)).map(read).collect();
    assert!(all.len() > 200, "only {} sources were found", all.len());
    all
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "js") {
            files.push(path);
        }
    }
}

/// A source without its comments and what follows the mark of its tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_third_place_is_found() {
    let member = Member { types: &["Gong"], names: &["gong"], recipe: &[], users: &[] };
    for text in ["use crate::tools::Gong;", "match kind { \"gong\" => 1, _ => 2 }", "Tool::Gong(_) => true,"] {
        assert!(names(&code(text), &member), "{text}");
    }
    for text in ["// A Gong rings.", "let gongs = 3;", "GongLike", "#[cfg(test)]\nmod tests {\n    use super::Gong;\n}"]
    {
        assert!(!names(&code(text), &member), "{text}");
    }
}
