//! What the project depends on, in each of its workspaces: licences, versions and sources, as `deny.toml` says.
//!
//! The same as `cargo deny check licenses bans sources`, without the tool, which takes minutes to compile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const DENY: &str = include_str!("../../../deny.toml");

/// Every workspace: its folder, and its lock file, which names every platform's and every feature's crates without a download.
const WORKSPACES: [(&str, &str); 5] = [
    (".", include_str!("../../../Cargo.lock")),
    ("crates/ictus-plugin", include_str!("../../ictus-plugin/Cargo.lock")),
    ("crates/ictus-py", include_str!("../../ictus-py/Cargo.lock")),
    ("crates/ictus-wasm", include_str!("../../ictus-wasm/Cargo.lock")),
    ("fuzz", include_str!("../../../fuzz/Cargo.lock")),
];

/// Set by `./test`, which downloads what the other workspaces are built of before.
const DOWNLOADED: &str = "ICTUS_DOWNLOADED";

/// Name and licence of what a workspace is built of on this platform. Nothing of one that was never built here: its crates say what their
/// licence is only once they are downloaded.
fn licences(folder: &str) -> Option<Vec<(String, String)>> {
    let tool = |name: &str, variable: &str| Command::new(std::env::var_os(variable).unwrap_or_else(|| name.into()));
    let version = tool("rustc", "RUSTC").arg("-vV").output().expect("rustc is there");
    let version = String::from_utf8(version.stdout).expect("is text");
    let platform = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("it says so");
    let mut command = tool("cargo", "CARGO");
    command.args(["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", platform]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = command.current_dir(root.join(folder)).output().expect("cargo is there");
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(folder != "." && std::env::var_os(DOWNLOADED).is_none(), "{folder}: {said}");
        println!("{folder} was not built here: its licences are not checked");
        return None;
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("is JSON");
    let text = |package: &Value, key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().expect("is a list");
    Some(packages.iter().map(|package| (text(package, "name"), text(package, "license"))).collect())
}

/// Name, version and source of every package of a lock file; those of the workspace have no source.
fn locked(lock: &'static str) -> Vec<[&'static str; 3]> {
    let value = |block: &'static str, key: &str| {
        let line = block.lines().find(|line| line.starts_with(&format!("{key} = ")));
        line.and_then(|line| line.split('"').nth(1)).unwrap_or_default()
    };
    lock.split("[[package]]").skip(1).map(|block| ["name", "version", "source"].map(|key| value(block, key))).collect()
}

/// The licences that `deny.toml` allows one crate besides, by its name.
fn exceptions() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let (_, list) = DENY.split_once("\nexceptions = [\n").expect("the list is there");
    let (list, _) = list.split_once("\n]").expect("the list ends");
    let quoted = |line: &'static str| line.split('"').skip(1).step_by(2);
    list.lines().filter_map(|line| Some((quoted(line).next()?, quoted(line).skip(1).collect()))).collect()
}

/// The quoted texts of a list of `deny.toml`; of its tables, those of `crate`.
fn listed(key: &str) -> BTreeSet<&'static str> {
    let (_, list) = DENY.split_once(&format!("\n{key} = [\n")).expect("the list is there");
    let (list, _) = list.split_once("\n]").expect("the list ends");
    list.lines().filter_map(|line| line.split('"').nth(1)).collect()
}

/// Whether a licence expression can be met with these licences.
fn is_met(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let expression = expression.trim();
    // AND binds more strongly than OR; both are looked for outside of parentheses only.
    for (word, any) in [(" OR ", true), ("/", true), (" AND ", false)] {
        let parts = split(expression, word);
        if parts.len() > 1 {
            let mut met = parts.into_iter().map(|part| is_met(part, allowed));
            return if any { met.any(|met| met) } else { met.all(|met| met) };
        }
    }
    match expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_met(inner, allowed),
        None => allowed.contains(expression),
    }
}

/// The parts of a text between a word, outside of parentheses.
fn split<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 && at >= start && text[at..].starts_with(word) {
            parts.push(&text[start..at]);
            start = at + word.len();
        }
    }
    parts.push(&text[start..]);
    parts
}

#[test]
fn licence_expressions_are_understood() {
    let allowed = BTreeSet::from(["MIT", "Apache-2.0", "Unicode-3.0"]);
    for good in ["MIT", "MIT/GPL-3.0", "GPL-3.0 OR MIT", "(MIT OR GPL-3.0) AND Unicode-3.0", "(MIT)"] {
        assert!(is_met(good, &allowed), "{good}");
    }
    for bad in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND GPL-3.0", "", "Apache-2.0 WITH X"] {
        assert!(!is_met(bad, &allowed), "{bad}");
    }
}

#[test]
fn every_dependency_has_an_allowed_licence_one_version_and_a_known_source() {
    let (allowed, skipped, exceptions) = (listed("allow"), listed("skip"), exceptions());
    assert!(allowed.contains("MIT") && !skipped.is_empty());
    let mut twice: BTreeSet<&str> = BTreeSet::new();
    for (folder, lock) in WORKSPACES {
        for (name, licence) in licences(folder).into_iter().flatten() {
            let besides = exceptions.get(name.as_str()).into_iter().flatten();
            let allowed = besides.chain(&allowed).copied().collect();
            assert!(
                is_met(&licence, &allowed),
                "{folder}: {name} has the licence {licence:?}, which deny.toml does not allow"
            );
        }
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for [name, version, source] in locked(lock) {
            let is_ours = source.is_empty() && name.starts_with("ictus");
            let is_registry = source == "registry+https://github.com/rust-lang/crates.io-index";
            assert!(is_ours || is_registry, "{folder}: {name} comes from {source:?}, neither from here nor crates.io");
            versions.entry(name).or_default().insert(version);
        }
        assert!(versions.len() > 20, "{folder}: {} crates", versions.len());
        twice.extend(versions.iter().filter(|(_, all)| all.len() > 1).map(|(name, _)| *name));
    }
    let unexpected: Vec<_> = twice.difference(&skipped).collect();
    assert!(unexpected.is_empty(), "in several versions, and not in the list `skip` of deny.toml: {unexpected:?}");
    let gone: Vec<_> = skipped.difference(&twice).collect();
    assert!(gone.is_empty(), "in one version by now, so take them out of `skip` in deny.toml: {gone:?}");
}

#[test]
fn every_workspace_is_in_the_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = std::fs::read_dir(root.join("crates")).expect("there are crates").flatten();
    let folders = crates.map(|entry| format!("crates/{}", entry.file_name().to_string_lossy()));
    for folder in folders.chain(["fuzz".to_owned()]).filter(|folder| root.join(folder).join("Cargo.lock").exists()) {
        assert!(WORKSPACES.iter().any(|(listed, _)| *listed == folder), "{folder} has a lock file of its own");
    }
}
