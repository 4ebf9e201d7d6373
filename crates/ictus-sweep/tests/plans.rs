//! Plans: the same whatever they are written like, and as cheap for a million points as for ten.

use std::path::Path;
use std::time::{Duration, Instant};

use ictus_sweep::{Plan, Value};

fn plan(text: &str) -> Plan {
    Plan::read("plan.toml", text, Path::new(".")).expect("is a plan")
}

const HEAD: &str = "sweep = 1\nscene = \"hammered-string\"\n";

#[test]
fn a_million_points_of_every_kind_are_drawn_in_seconds() {
    for kind in ["random", "latin-hypercube", "sobol", "grid"] {
        let parameters = match kind {
            "grid" => "hammer.stiffness = \"log(1e7, 1e10, 1000)\"\nhammer.mass = \"uniform(5 g, 20 g, 1000)\"",
            _ => "hammer.stiffness = \"log(1e7, 1e10)\"\nhammer.mass = \"uniform(5 g, 20 g)\"",
        };
        let n = if kind == "grid" { "" } else { "n = 1_000_000\n" };
        let start = Instant::now();
        let plan = plan(&format!("{HEAD}kind = \"{kind}\"\n{n}[parameters]\n{parameters}"));
        assert_eq!(plan.count, 1_000_000);
        let mut mean = 0.0;
        for index in 0..plan.count {
            let Value::Number(mass) = plan.point(index).values[0] else {
                panic!("the mass comes first and is a number")
            };
            mean += mass / plan.count as f64;
        }
        assert!((mean - 0.0125).abs() < 1e-4, "{kind}: {mean}");
        assert!(start.elapsed() < Duration::from_secs(5), "{kind}: {:?}", start.elapsed());
    }
}

#[test]
fn a_plan_is_the_same_in_whatever_order_and_units_it_is_written() {
    let one = plan(&format!(
        "{HEAD}kind = \"sobol\"\nn = 8\nduration = \"200 ms\"\n[parameters]\nhammer.mass = \"log(5 g, 20 g)\"\nhammer.stiffness = [1e7, 1e8]"
    ));
    let other = plan(&format!(
        "{HEAD}duration = 0.2\nn = 8\nkind = \"sobol\"\nparameters.\"hammer.stiffness\" = [10_000_000, 1e8]\nparameters.\"hammer.mass\" = \"log(0.005, 0.02)\""
    ));
    assert_eq!((one.plan_hash(), one.scene_hash()), (other.plan_hash(), other.scene_hash()));
    assert!((0..8).all(|index| one.point(index) == other.point(index)));
}

#[test]
fn what_only_one_set_has_needs_no_name_of_the_set() {
    let text = |set: &str| {
        format!(
            "sweep = 1\nscene = \"marimba\"\nkind = \"random\"\nn = 8\n[parameters]\n{set}mallet.mass = \"log(20 g, 50 g)\""
        )
    };
    let (short, whole) = (plan(&text("")), plan(&text("bars.")));
    assert_eq!((&*short.axes[0].path, &*short.axes[0].unit), ("bars.mallet.mass", "kg"));
    assert_eq!(short.plan_hash(), whole.plan_hash());
    let both = text("") + "\nbars.mallet.mass = 0.03";
    let error = Plan::read("plan.toml", &both, Path::new(".")).expect_err("is there twice");
    assert!(error.to_string().contains("`bars.mallet.mass` is there twice"), "{error}");
}

#[test]
fn a_plan_for_other_machines_is_the_same_plan() {
    for text in [
        "kind = \"latin-hypercube\"\nn = 50\nseed = 3\nchunk = 7\noutputs = [\"audio\"]\nrate = \"44.1 kHz\"\n[parameters]\nhammer.mass = \"log(5 g, 20 g)\"\nseed = [1, 2]",
        "kind = \"grid\"\noversample = 2\n[parameters]\nhammer.mass = \"uniform(5 g, 20 g, 3)\"\nstring.pitch = [\"A2\", \"C3\"]",
    ] {
        let plan = plan(&format!("{HEAD}{text}"));
        let there = Plan::read("other", &plan.text(), Path::new("/nonexistent")).expect("is a plan");
        assert_eq!(
            (plan.plan_hash(), plan.scene_hash(), plan.chunk),
            (there.plan_hash(), there.scene_hash(), there.chunk)
        );
        assert_eq!((plan.extent, &plan.axes), (there.extent, &there.axes));
        assert!((0..plan.count).all(|index| plan.point(index) == there.point(index)));
        assert_eq!(plan.text(), there.text());
    }
}

#[test]
fn anything_that_decides_the_rows_changes_a_hash() {
    let base = format!("{HEAD}kind = \"random\"\nn = 8\n[parameters]\nhammer.mass = \"log(5 g, 20 g)\"");
    let hashes = |text: &str| (plan(text).plan_hash(), plan(text).scene_hash());
    for (from, to) in [
        ("n = 8", "n = 9"),
        ("n = 8", "n = 8\nseed = 1"),
        ("n = 8", "n = 8\nduration = 1"),
        ("n = 8", "n = 8\nrate = 44100"),
        ("n = 8", "n = 8\noversample = 2"),
        ("n = 8", "n = 8\noutputs = []"),
        ("random", "sobol"),
        ("20 g", "21 g"),
    ] {
        assert_ne!(hashes(&base).0, hashes(&base.replace(from, to)).0, "{to}");
    }
    // How the work is divided decides nothing.
    assert_eq!(hashes(&base), hashes(&base.replace("n = 8", "n = 8\nchunk = 2")));
}

#[test]
fn another_parameter_leaves_the_others_where_they_are() {
    for kind in ["random", "latin-hypercube"] {
        let base = format!("{HEAD}kind = \"{kind}\"\nn = 20\n[parameters]\nhammer.stiffness = \"log(1e7, 1e9)\"");
        let (one, two) = (plan(&base), plan(&format!("{base}\nhammer.mass = \"uniform(5 g, 20 g)\"")));
        assert!((0..20).all(|index| one.point(index).values[0] == two.point(index).values[1]), "{kind}");
        assert!((0..20).all(|index| one.point(index).seed == two.point(index).seed));
    }
}

#[test]
fn seeds_can_be_said() {
    let plan = plan(&format!("{HEAD}kind = \"grid\"\n[parameters]\nhammer.mass = [0.01, 0.02]\nseed = [5, 6, 7]"));
    assert_eq!((0..6).map(|index| plan.point(index).seed).collect::<Vec<_>>(), [5, 6, 7, 5, 6, 7]);
}
