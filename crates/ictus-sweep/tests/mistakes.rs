//! What a person with a wrong plan or a wrong folder is told.

use std::fs;
use std::path::Path;

use ictus_sweep::{Folder, Plan, SweepError};

fn refused(text: &str) -> String {
    let error = Plan::read("plan.toml", text, Path::new(".")).expect_err(text);
    assert!(error.is_mistake());
    error.to_string()
}

const GOOD: &str = "sweep = 1\nscene = \"hammered-string\"\nkind = \"random\"\nn = 5\nduration = 0.15\n[parameters]\nhammer.mass = \"log(5 g, 20 g)\"\n";

fn with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from));
    refused(&GOOD.replace(from, to))
}

#[test]
fn every_mistake_names_its_place_and_what_is_allowed() {
    Plan::read("plan.toml", GOOD, Path::new(".")).expect("is a plan");
    assert_eq!(with("n = 5", "nn = 5"), "plan.toml:4:1: a plan has no key `nn`; did you mean `n`?");
    assert_eq!(with("sweep = 1", "sweep = 2"), "plan.toml:1:9: `sweep` must be 1");
    assert_eq!(with("sweep = 1\n", ""), "plan.toml:1:1: a plan begins with `sweep = 1`");
    assert_eq!(with("n = 5", "n = 0"), "plan.toml:4:5: `n` must be a whole number from 1 to 4294967296");
    assert_eq!(with("n = 5\n", ""), "plan.toml:1:1: a plan needs `n`, the number of points");
    assert_eq!(with("random", "randon"), "plan.toml:3:8: there is no kind `randon`; did you mean `random`?");
    assert!(with("hammered-string", "hamered-string").contains("did you mean \"hammered-string\"?"));
    assert!(with("0.15", "-1").contains("`duration` is -1, but must be above 0"));
    assert!(with("0.15", "\"5 kg\"").contains("`duration`: `kg` is the unit of a mass"));
    assert!(with("0.15", "nan").contains("`duration`"));
    assert!(with("n = 5", "n = 5\nrate = 100").contains("must be a whole number of Hz from 8000 to 768000"));
    assert!(with("n = 5", "n = 5\noversample = 3").contains("`oversample` must be 1, 2, 4 or 8"));
    assert!(with("n = 5", "n = 5\noutputs = [\"adio\"]").contains("there is no output `adio`; did you mean `audio`?"));
    assert!(with("n = 5", "n = 5\nn = 6").contains("this is not TOML: duplicate key"));
    assert!(with("hammer.mass", "hammer.mas").contains("did you mean `hammer.mass`?"));
    assert!(with("hammer.mass", "duration").contains("all points have the same"));
    assert!(with("log(5 g, 20 g)", "log(5 m, 20 m)").contains("`m` is the unit of a length"));
    assert!(with("log(5 g, 20 g)", "log(5 g, 20 g, 4)").contains("only a grid needs"));
    assert!(with("\"log(5 g, 20 g)\"", "[]").contains("a list must hold from 1"));
    assert!(with("\"log(5 g, 20 g)\"", "[[1]]").contains("numbers or texts"));
    assert!(with("random", "grid").contains("in a grid `hammer.mass` must say how many values it has"));
    assert!(with("hammer.mass = \"log(5 g, 20 g)\"\n", "").contains("no parameter to change"));
    assert!(with("[parameters]\nhammer.mass = \"log(5 g, 20 g)\"\n", "").contains("needs a table [parameters]"));
    // Not one of these is a mass, so every point would fail; where some are, the others are rows of their own.
    let no_mass = "`hammer.mass`: hammer.mass=linspace(5 g, 20 g): `mass` is \"linspace(5 g, 20 g)\"";
    assert!(with("log(5 g, 20 g)", "linspace(5 g, 20 g)").contains(no_mass));
    Plan::read("plan.toml", &GOOD.replace("\"log(5 g, 20 g)\"", "[\"x\", \"5 g\"]"), Path::new(".")).expect("one is");
    assert!(with("hammer.mass = \"log(5 g, 20 g)\"", "seed = [0.5]").contains("seeds are whole numbers"));
    assert!(with("scene = \"hammered-string\"", "text = \"ictus = 1\"").contains("problem"));
    assert!(with("n = 5", "n = 5\ntext = \"\"").contains("either `scene` or `text`"));
    assert!(with("0.15", "3000").contains("can be at most"));
}

#[test]
fn a_parameter_that_nobody_hears_is_refused() {
    let to = |parameter: &str| GOOD.replace("hammer.mass = \"log(5 g, 20 g)\"", parameter);
    // Each event of this scene says its own velocity: a thousand rows would differ in that column and be the same sound.
    let message =
        refused(&to("hammer.mass = \"log(5 g, 20 g)\"\nhammer.velocity = \"uniform(0.5, 5)\"").replace("0.15", "0.5"));
    assert_eq!(
        message,
        "plan.toml:8:8: `hammer.velocity` is not heard: each event that plays `hammer` has a `velocity` of its own (change \
         `events.0.velocity`, or take it out of the events)"
    );
    let message = refused(&to("events.1.velocity = [1, 2, 3]").replace("0.15", "0.5"));
    assert!(
        message.contains("`events.1.velocity` is not heard: the scene ends before it happens, at 0.5 s"),
        "{message}"
    );
    let message = refused(&to("finger.stiffness = \"log(1e3, 1e5)\"").replace("0.15", "0.5"));
    assert!(message.contains("nothing plays `finger` before the end at 0.5 s"), "{message}");
    // What may bring it to sound somewhere else in the plan is heard.
    let early = "events.1.time = \"uniform(0, 2)\"\nevents.1.velocity = [1, 2, 3]";
    Plan::read("plan.toml", &to(early).replace("0.15", "0.5"), Path::new(".")).expect("the event may come in time");
    Plan::read("plan.toml", &to("events.0.velocity = [1, 2]").replace("0.15", "0.5"), Path::new("."))
        .expect("is heard");
    // What never changes may be written down for the reader.
    Plan::read("plan.toml", &to("hammer.mass = [0.005, 0.02]\nhammer.velocity = 3"), Path::new("."))
        .expect("is a plan");
}

#[test]
fn a_sobol_sequence_ends_at_its_last_dimension() {
    let events: String = (0..70).map(|n| format!("hammer.x{n} = [1, 2]\n")).collect();
    // Paths are looked at first: none of these is a key.
    assert!(refused(&GOOD.replace("hammer.mass = \"log(5 g, 20 g)\"\n", &events)).contains("hammer.x0"));
}

#[test]
fn a_folder_of_another_sweep_is_refused_with_both_hashes() {
    let directory = tempfile::tempdir().expect("a folder");
    let folder = directory.path().join("out");
    let plan = |text: &str| Plan::read("plan.toml", text, Path::new(".")).expect("is a plan");
    let (one, other) = (plan(GOOD), plan(&GOOD.replace("n = 5", "n = 6")));
    drop(Folder::open(&one, &folder).expect("is made"));
    let error = Folder::open(&other, &folder).expect_err("is another's");
    assert!(matches!(&error, SweepError::OtherSweep { what: "plan", .. }) && error.is_mistake());
    let message = error.to_string();
    assert!(message.contains(&one.plan_hash()) && message.contains(&other.plan_hash()), "{message}");
    let scene = plan(&GOOD.replace(
        "scene = \"hammered-string\"",
        &format!(
            "text = '''{}'''",
            fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/hammered-string.toml")).unwrap()
                + "# mine\n"
        ),
    ));
    assert!(matches!(Folder::open(&scene, &folder), Err(SweepError::OtherSweep { what: "scene", .. })));
    Folder::open(&one, &folder).expect("is still its own");
}

#[test]
fn a_folder_with_something_else_in_it_or_in_use_is_refused() {
    let directory = tempfile::tempdir().expect("a folder");
    let plan = Plan::read("plan.toml", GOOD, Path::new(".")).expect("is a plan");
    fs::write(directory.path().join("thesis.tex"), "").expect("is written");
    let message = Folder::open(&plan, directory.path()).expect_err("is not empty").to_string();
    assert!(message.contains("is not empty and holds no sweep: there is \"thesis.tex\""), "{message}");
    assert!(
        Folder::open(&plan, &directory.path().join("thesis.tex"))
            .is_err_and(|error| error.to_string().contains("is a file"))
    );

    let folder = directory.path().join("out");
    let first = Folder::open(&plan, &folder).expect("is made");
    assert!(matches!(Folder::open(&plan, &folder), Err(SweepError::InUse { .. })));
    drop(first);
    fs::write(folder.join("manifest.json"), "{}").expect("is written");
    assert!(matches!(Folder::open(&plan, &folder), Err(SweepError::NoFolder { .. })));
}

#[test]
fn a_folder_of_another_version_is_refused() {
    let directory = tempfile::tempdir().expect("a folder");
    let plan = Plan::read("plan.toml", GOOD, Path::new(".")).expect("is a plan");
    drop(Folder::open(&plan, directory.path()).expect("is made"));
    let manifest = directory.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).expect("is there");
    fs::write(&manifest, text.replace(concat!("ictus ", env!("CARGO_PKG_VERSION")), "ictus 0.0.1"))
        .expect("is written");
    let message = Folder::open(&plan, directory.path()).expect_err("is refused").to_string();
    assert!(message.contains("was made by ictus 0.0.1"), "{message}");
}
