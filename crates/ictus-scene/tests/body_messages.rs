//! Messages about bodies: their modes, edges and ends, and what gravity does to them; as they are shown, one small scene for each.

use ictus_scene::{Reading, Source, read};

use crate::messages::{HEAD, check};

const STRING: &str = "[objects.string]\nkind = \"string\"\n";
const MASS: &str = "[objects.ball]\nkind = \"mass\"\nmass = \"10 g\"\n";

#[test]
fn gravity() {
    let floor = "[objects.floor]\nkind = \"barrier\"\n";
    let bar = "[objects.bar]\nkind = \"bar\"\n[pickups.out]\nat = \"bar@0.1\"\n[forces.weight]\nat = \"bar\"\ngravity = true\n";
    let contact = |from: &str, to: &str| {
        format!("[contacts.touch]\nfrom = \"{from}\"\nto = \"{to}\"\nlaw = \"one-sided-power\"\nstiffness = 1e6\n")
    };
    let ball = "[forces.pull]\nat = \"ball\"\ngravity = true\n";
    let hinged = "[objects.lid]\nkind = \"plate\"\nedges = [[\"supported\", \"free\"], [\"free\", \"free\"]]\n[forces.a]\nat = \"lid\"\ngravity = true\n[pickups.out]\nat = \"lid@0.5,0.5\"\n";
    let modal = "[objects.m]\nkind = \"modal\"\nmodes = [{ frequency = 100, mass = 1 }]\npoints = [[1]]\n";
    check(
        "gravity",
        &[STRING, MASS, floor],
        &[
            "[forces.a]\nat = \"string@0.5\"\ngravity = true\n",
            "[forces.a]\nat = \"floor\"\ngravity = true\n",
            &format!("{modal}[forces.a]\nat = \"m\"\ngravity = true\n"),
            bar,
            &format!("{bar}{}", contact("bar@0.5", "floor")),
            &format!("{bar}{ball}{}", contact("bar@0.5", "ball")),
            hinged,
            "[sets.balls]\nnotes = \"C4..E4\"\nobject = { kind = \"mass\", mass = 1 }\nforces.w = { at = \"each\", gravity = true }\npickups.p = { at = \"each\" }\n",
        ],
    );
}

#[test]
fn bodies_in_modes() {
    check(
        "bodies",
        &[],
        &[
            "[objects.plate]\nkind = \"plate\"\nsides = [0.5, 0.5]\nedges = [[\"free\", \"clamped\"], [\"free\", \"clamped\"]]\n[pickups.ear]\nat = \"plate@0.5,0.5\"\n",
            "[objects.string]\nkind = \"string\"\nlength = 60\npitch = 1\n[pickups.ear]\nat = \"string@0.5\"\n",
            "[objects.bar]\nkind = \"bar\"\nlength = 60\nthickness = \"1 mm\"\n[pickups.ear]\nat = \"bar@0.5\"\n",
            "[objects.bar]\nkind = \"bar\"\npitch = \"25 kHz\"\n[pickups.ear]\nat = \"bar@0.5\"\n",
            "[objects.head]\nkind = \"membrane\"\nhighest = \"20 kHz\"\n[pickups.ear]\nat = \"head@0.5,0.5\"\n",
            "[limits]\nmodes = 50\n[objects.string]\nkind = \"string\"\npitch = 100\n[pickups.ear]\nat = \"string@0.5\"\n",
            "[objects.plate]\nkind = \"plate\"\nmethod = \"grid\"\nedges = \"free\"\n[pickups.ear]\nat = \"plate@0.5,0.5\"\n",
            "[objects.plate]\nkind = \"plate\"\nedges = [\"free\", \"loose\"]\n[pickups.ear]\nat = \"plate@0.5,0.5\"\n",
            "[objects.plate]\nkind = \"plate\"\nends = \"free\"\n[pickups.ear]\nat = \"plate@0.5,0.5\"\n",
            "[objects.plate]\nkind = \"plate\"\nstiffness_across = 1e9\n[pickups.ear]\nat = \"plate@0.5,0.5\"\n",
            "[objects.plate]\nkind = \"plate\"\nshape = \"round\"\ndiameter = 1\n[pickups.ear]\nat = \"plate@0.5,0.5\"\n",
            "[objects.string]\nkind = \"string\"\nhighest = \"50 Hz\"\n[pickups.ear]\nat = \"string@0.5\"\n",
            "[objects.string]\nkind = \"string\"\nmethod = \"grid\"\nhighest = \"3 kHz\"\n[pickups.ear]\nat = \"string@0.5\"\n",
        ],
    );
}

#[test]
fn sets_of_bodies() {
    let endings: Vec<String> = [
        "notes = [\"C4\"]\nobject = { kind = \"plate\", pitch = 3 }",
        "notes = [\"C4\"]\nobject = { kind = \"plate\", method = \"grid\" }",
        "notes = [\"C4\"]\nobject = { kind = \"plate\", youngs_modulus = 1e9 }",
        "notes = [\"C4\"]\nobject = { kind = \"modal\", modes = [{ frequency = 0, mass = 1 }], points = [[1]] }",
        "notes = [\"G9\"]\nobject = { kind = \"modal\", pitch = 20, modes = [{ frequency = 100, mass = 1 }], points = [[1]] }",
    ]
    .into_iter()
    .map(|keys| format!("[sets.s]\n{keys}\n"))
    .collect();
    let ear = "[pickups.ear]\nat = \"string@0.9\"\n";
    check("body-sets", &[STRING, ear], &endings.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn the_highest_frequency_that_is_proposed_is_low_enough() {
    for body in [
        "kind = \"plate\"\nsides = [1, 1]\nthickness = \"0.2 mm\"",
        "kind = \"plate\"\nshape = \"circle\"\ndiameter = \"40 cm\"\nthickness = \"0.1 mm\"\nedges = \"free\"",
        "kind = \"membrane\"\nhighest = \"20 kHz\"",
        "kind = \"bar\"\nlength = 60\nthickness = \"1 mm\"",
        "kind = \"string\"\nlength = 60\npitch = 1\nyoungs_modulus = 0",
        "kind = \"string\"\nlength = 60\npitch = 1",
        "kind = \"string\"\nlength = 200\nradius = \"2 mm\"\ntension = 30",
    ] {
        let scene = |body: &str| {
            let place = if body.contains("bar") || body.contains("string") { "0.5" } else { "0.5,0.5" };
            let text = format!("{HEAD}[objects.body]\n{body}\n[pickups.ear]\nat = \"body@{place}\"\n");
            read(&Source::new("scene.toml", text), &Reading::default())
        };
        let problems = scene(body).unwrap_err();
        let problem = problems.iter().next().unwrap();
        let proposed = problem.help.split("lower `highest` to ").nth(1).and_then(|rest| rest.split(',').next());
        let proposed = proposed.unwrap_or_else(|| panic!("{}", problem.help));
        let fewer: String =
            body.lines().filter(|line| !line.starts_with("highest")).map(|line| format!("{line}\n")).collect();
        assert!(scene(&format!("{fewer}highest = \"{proposed}\"")).is_ok(), "{body}: {proposed}");
    }
}

#[test]
fn large_amplitudes() {
    check(
        "amplitudes",
        &[],
        &[
            "[objects.wire]\nkind = \"string\"\namplitude = \"huge\"\n[pickups.ear]\nat = \"wire@0.5\"\n",
            "[objects.wire]\nkind = \"string\"\namplitude = \"von-karman\"\n[pickups.ear]\nat = \"wire@0.5\"\n",
            "[objects.wire]\nkind = \"string\"\namplitude = \"large\"\nmethod = \"grid\"\n[pickups.ear]\nat = \"wire@0.5\"\n",
            "[objects.wire]\nkind = \"string\"\namplitude = \"large\"\nends = \"clamped\"\n[pickups.ear]\nat = \"wire@0.5\"\n",
            "[objects.wire]\nkind = \"string\"\namplitude = \"large\"\nyoungs_modulus = 0\n[pickups.ear]\nat = \"wire@0.5\"\n",
            "[objects.bar]\nkind = \"bar\"\namplitude = \"large\"\n[pickups.ear]\nat = \"bar@0.5\"\n",
            "[objects.head]\nkind = \"membrane\"\namplitude = \"large\"\nsurface_density = 0.3\n[pickups.ear]\nat = \"head@0.5,0.5\"\n",
            "[objects.sheet]\nkind = \"plate\"\namplitude = \"large\"\nedges = \"free\"\n[pickups.ear]\nat = \"sheet@0.5,0.5\"\n",
            "[objects.sheet]\nkind = \"plate\"\namplitude = \"von-karman\"\nedges = \"clamped\"\n[pickups.ear]\nat = \"sheet@0.5,0.5\"\n",
            "[objects.sheet]\nkind = \"plate\"\namplitude = \"von-karman\"\nmaterial = \"spruce\"\n[pickups.ear]\nat = \"sheet@0.5,0.5\"\n",
            "[objects.sheet]\nkind = \"plate\"\namplitude = \"von-karman\"\nmethod = \"grid\"\n[pickups.ear]\nat = \"sheet@0.5,0.5\"\n",
            "[objects.sheet]\nkind = \"plate\"\namplitude = \"large\"\nairy_modes = 10\n[pickups.ear]\nat = \"sheet@0.5,0.5\"\n",
            "[objects.sheet]\nkind = \"plate\"\namplitude = \"von-karman\"\nairy_modes = 0\n[pickups.ear]\nat = \"sheet@0.5,0.5\"\n",
            "[objects.sheet]\nkind = \"plate\"\namplitude = \"von-karman\"\nairy_modes = 30\nhighest = 500\n[pickups.ear]\nat = \"sheet@0.5,0.5\"\n",
            "[objects.sheet]\nkind = \"plate\"\namplitude = \"von-karman\"\nairy_modes = 500\nthickness = \"0.3 mm\"\n[pickups.ear]\nat = \"sheet@0.5,0.5\"\n",
        ],
    );
}
