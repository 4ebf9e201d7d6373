//! All that is wrong with a scene is told at once, and nothing that is not: one slip is one problem.

use ictus_scene::{Reading, Source, read};

const HEAD: &str = "ictus = 1\ntitle = \"x\"\n";
const STRING: &str = "[objects.string]\nkind = \"string\"\n";
const EAR: &str = "[pickups.ear]\nat = \"string@0.9\"\n";
const HAMMER: &str = "[exciters.mallet]\nkind = \"hammer\"\non = \"string@0.1\"\nmass = \"5 g\"\nstiffness = 1e8\n";
const BOW: &str = "[exciters.bow]\nkind = \"bow\"\non = \"string@0.1\"\n";

/// The messages for a text, one line each.
fn told(text: &str) -> Vec<String> {
    let problems = read(&Source::new("scene.toml", text), &Reading::default()).unwrap_err();
    problems.iter().map(|problem| format!("{}: {} ({})", problem.line, problem.message, problem.help)).collect()
}

#[test]
fn a_law_or_a_kind_that_is_not_known_does_not_hide_what_else_is_wrong() {
    let contact = "[contacts.c]\nfrom = \"string@2\"\nto = \"nothing@0.2\"\ngap = \"1 kg\"\nfirmness = 3\n";
    for law in ["law = \"soft\"\n", ""] {
        let lines = told(&format!("{HEAD}{STRING}{EAR}{contact}{law}"));
        assert_eq!(lines.len(), 4, "{lines:#?}");
        for word in ["law", "no object `nothing`", "outside the object", "`gap`"] {
            assert!(lines.iter().any(|line| line.contains(word)), "{word}: {lines:#?}");
        }
    }
    let hammer = "[exciters.h]\nkind = \"hammer\"\non = \"sting@0.1\"\nmass = \"1 m\"\nlaw = \"soft\"\n";
    let lines = told(&format!("{HEAD}{STRING}{EAR}{hammer}"));
    assert_eq!(lines.len(), 3, "{lines:#?}");
    let lines = told(&format!("{HEAD}{STRING}{EAR}[exciters.h]\nkind = \"axe\"\non = \"sting@0.1\"\n"));
    assert_eq!(lines.len(), 2, "{lines:#?}");
}

#[test]
fn what_could_not_be_read_is_still_known_by_its_name() {
    let broken = "[exciters.h]\nkind = \"hammer\"\non = \"string@0.1\"\nmass = \"5 s\"\nstiffness = 1e8\n";
    let event = |name: &str| format!("{HEAD}{STRING}{EAR}{broken}[[events]]\ntime = 0\nstrike = \"{name}\"\n");
    assert_eq!(told(&event("h")).len(), 1);
    let lines = told(&event("hh"));
    assert_eq!(lines[1], "14: there is no exciter `hh` (did you mean `h`?)", "{lines:#?}");

    let set = "[sets.s]\nnotes = \"C4\"\nobject = { kind = \"bar\" }\nexciters.h = { kind = \"hammer\" }\n";
    let lines = told(&format!("{HEAD}{STRING}{EAR}{set}[[events]]\ntime = 0\nstrike = \"s.hh\"\n"));
    assert_eq!(lines.len(), 1, "the whole set could not be read: {lines:#?}");

    let knob = "[controls.knob]\nparameter = \"bow.color\"\nrange = [0, 1]\n";
    let turn = |name: &str| format!("{HEAD}{STRING}{EAR}{BOW}{knob}[[events]]\ntime = 0\nturn = \"{name}\"\nto = 1\n");
    assert_eq!(told(&turn("knob")).len(), 1);
    assert!(told(&turn("knop"))[1].contains("did you mean `knob`?"));
}

#[test]
fn physics_says_nothing_of_objects_with_wrong_keys() {
    let lines = told(&format!("{HEAD}{EAR}{STRING}pitch = \"H2\"\nradius = 0.1\n"));
    assert_eq!(lines.len(), 1, "{lines:#?}");
    let decay = "t60 = [[\"100 Hz\", \"1 s\"], [\"1 kHz\", \"2 s\"]]\n";
    let lines = told(&format!("{HEAD}{EAR}{STRING}length = \"1 kg\"\n{decay}"));
    assert_eq!(lines.len(), 1, "{lines:#?}");
    // Of the others it does.
    let other = "[objects.other]\nkind = \"string\"\npitch = 20000\n";
    let lines = told(&format!("{HEAD}{EAR}{STRING}pitch = \"H2\"\n{other}"));
    assert_eq!(lines.len(), 2, "{lines:#?}");
}

#[test]
fn one_slip_is_one_problem() {
    let right = format!("{STRING}{EAR}");
    for text in [
        format!("ictus = 1\ntitel = \"x\"\n{right}"),
        format!("{HEAD}{right}{HAMMER}[[events]]\ntime = 0\nstrik = \"mallet\"\n"),
        format!("{HEAD}{right}{HAMMER}[[events]]\ntim = 0\nstrike = \"mallet\"\n"),
        format!("{HEAD}{STRING}[pickups.p]\natt = \"string@0.5\"\n"),
        format!("{HEAD}{right}[objects.m]\nkind = \"modal\"\npreset = \"string\"\npich = 100\nmass = 1\n"),
        format!("{HEAD}{right}{BOW}[[events]]\ntime = 0\nset = \"bow.force\"\ntoo = 1\n"),
    ] {
        let lines = told(&text);
        assert_eq!(lines.len(), 1, "{text}{lines:#?}");
        assert!(lines[0].contains("did you mean"), "{lines:#?}");
    }
    // Two slips are two, and what is not like anything leaves the key missing.
    assert_eq!(told(&format!("ictus = 1\ntitel = \"x\"\nduratio = 3\n{right}")).len(), 2);
    assert_eq!(told(&format!("ictus = 1\nbanana = \"x\"\n{right}")).len(), 2);
}
