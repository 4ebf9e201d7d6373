//! Every message a wrong scene can get, as it is shown: one small scene for each.

use ictus_scene::{Reading, Source, read};

pub(crate) const HEAD: &str = "ictus = 1\ntitle = \"x\"\n";
const STRING: &str = "[objects.string]\nkind = \"string\"\n";
const PLATE: &str = "[objects.plate]\nkind = \"plate\"\nsides = [0.2, 0.2]\nthickness = \"3 mm\"\n";
const MASS: &str = "[objects.ball]\nkind = \"mass\"\nmass = \"10 g\"\n";
const EAR: &str = "[pickups.ear]\nat = \"string@0.9\"\n";
const HAMMER: &str = "[exciters.mallet]\nkind = \"hammer\"\non = \"string@0.1\"\nmass = \"5 g\"\nstiffness = 1e8\n";
const BOW: &str = "[exciters.bow]\nkind = \"bow\"\non = \"string@0.1\"\n";

fn problems(text: &str) -> String {
    match read(&Source::new("scene.toml", text), &Reading::default()) {
        Ok(_) => panic!("this scene is right:\n{text}"),
        Err(problems) => {
            for problem in &problems {
                let span = problem.span.clone().unwrap();
                assert!(span.end <= text.len() && problem.line >= 1, "{problem:?}");
            }
            problems.render(110, false)
        }
    }
}

/// Compares what is shown for scenes made of a common beginning and each of some endings.
pub(crate) fn check(name: &str, begin: &[&str], endings: &[&str]) {
    let begin: String = std::iter::once(&HEAD).chain(begin).copied().collect();
    let shown: Vec<String> = endings.iter().map(|ending| problems(&format!("{begin}{ending}"))).collect();
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, shown.join("\n----------------------------------------\n"));
    });
}

#[test]
fn text_that_is_not_toml() {
    check(
        "syntax",
        &[],
        &["[objects.string\nkind = \"string\"", "about = \"never ends", "a = 1\na = 2\nb = = 3\n", "x = 1e"],
    );
}

#[test]
fn the_keys_at_the_top() {
    let shown =
        ["", "ictus = 2\ntitle = 3\n", "ictus = 1\ntitle = \"x\"\nrate = \"1 Hz\"\nduraton = 3\n"].map(problems);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("top", shown.join("\n----------------------------------------\n"));
    });
    check("silence", &[STRING], &[""]);
}

#[test]
fn keys_types_units_and_ranges() {
    check(
        "keys",
        &[EAR, STRING],
        &[
            "lenght = 1\n",
            "temperature = 20\n",
            "length = \"2 kg\"\n",
            "length = \"2 furlongs\"\n",
            "length = \"long\"\n",
            "length = true\n",
            "length = [1, 2]\n",
            "length = -1\n",
            "length = nan\n",
            "length = { low = 1, high = 2 }\n",
            "pitch = \"H2\"\n",
            "pitch = 100\ntension = 50\n",
            "segments = 2\n",
            "segments = \"many\"\n",
            "ends = \"glued\"\n",
            "ends = [\"free\"]\n",
            "material = \"stel\"\n",
            "material = \"unobtainium\"\n",
            "t60 = \"5 Hz\"\n",
            "t60 = [[\"100 Hz\"]]\n",
            "t60 = []\n",
            "t60 = [[\"100 Hz\", \"5 s\"], [\"1 kHz\", \"2 s\"], [\"100 Hz\", \"3 s\"]]\n",
            "start = { at = 0.5, with = 0.1 }\n",
            "start = { displacement = \"1 mm\" }\n",
            "start = { at = [0.5, 0.5] }\n",
            "start = 1\n",
        ],
    );
}

#[test]
fn kinds_and_names() {
    check(
        "kinds",
        &[],
        &[
            "[objects.a]\n",
            "[objects.a]\nkind = \"strin\"\n",
            "[objects.a]\nkind = 3\n",
            "[objects.a]\nkind = \"mass\"\n",
            "[objects.a]\nkind = \"mass\"\nmass = 1\nquality = 3\n",
            "[objects.\"a b\"]\nkind = \"mass\"\nmass = 1\n",
            "[objects.a]\nkind = \"mass\"\nmass = 1\n[pickups.a]\nat = \"a\"\n",
            "[objects]\na = 3\n",
            "[exciters.a]\nkind = \"hamer\"\n",
            "[exciters.a]\n",
        ],
    );
}

#[test]
fn modal_objects() {
    check(
        "modal",
        &["[objects.m]\nkind = \"modal\"\n"],
        &[
            "",
            "preset = \"bell\"\n",
            "preset = \"string\"\n",
            "preset = \"string\"\npitch = 100\nmass = 1\nmodes = []\n",
            "preset = \"string\"\npitch = 100\nmass = 1\npoints = [0.5, 1.5]\n",
            "preset = \"string\"\npitch = 100\nmass = 1\nt60 = [[100, 1], [100, 2]]\n",
            "preset = \"string\"\npitch = 100\nmass = 1\nmodes = 65536\npoints = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]\n",
            "modes = 3\npoints = [[1]]\n",
            "pitch = 3\nmodes = [{ frequency = 100, mass = 1 }]\npoints = [[1, 2]]\n",
            "modes = [{ frequency = 100, mas = 1 }]\npoints = [[1]]\n",
        ],
    );
}

#[test]
fn points() {
    let pickup = |at: &str| format!("[pickups.ear]\nat = {at}\n");
    let modal =
        "[objects.modal]\nkind = \"modal\"\npreset = \"free-bar\"\npitch = 200\nmass = 1\npoints = [0.1, 0.2]\n";
    let endings: Vec<String> = [
        "\"sting@0.5\"",
        "\"string@1.5\"",
        "\"string@half\"",
        "\"string\"",
        "\"string@0.1,0.2\"",
        "\"plate@0.5\"",
        "\"ball@0.5\"",
        "\"modal#3\"",
        "\"modal#0\"",
        "\"modal\"",
        "3",
        "{ object = \"plate\", at = [0.5] }",
        "{ object = \"plate\", at = [0.5, 1.5] }",
        "{ objet = \"plate\" }",
        "{ at = 0.5 }",
        "{ object = \"plate\", at = 0.5, point = 1 }",
    ]
    .into_iter()
    .map(pickup)
    .collect();
    check("points", &[STRING, PLATE, MASS, modal], &endings.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn contacts() {
    check(
        "contacts",
        &[
            STRING,
            MASS,
            EAR,
            "[objects.wall]\nkind = \"barrier\"\n[contacts.touch]\nfrom = \"wall\"\nto = \"string@0.5\"\n",
        ],
        &[
            "",
            "law = \"hunt-crosley\"\n",
            "law = \"stulov-felt\"\nstiffness = 1e9\nhysteresis = 0.5\nrelaxation_time = 0\n",
            "law = \"stulov-felt\"\nstiffness = 1e9\nhysteresis = 1\nrelaxation_time = \"10 us\"\n",
            "law = 1\n",
            "law = \"hunt-crossley\"\n",
            "law = \"hunt-crossley\"\nstiffness = \"1 kg\"\n",
            "law = \"hunt-crossley\"\nstiffness = 1e6\nexponent = 0.5\n",
            "law = \"odd-power\"\nstiffness = 1e6\nexponent = 2\n",
            "law = \"linear-cubic-spring\"\n",
            "law = \"bow-friction\"\nnormal_force = 1\nstiffness = 3\n",
            "law = \"hunt-crossley\"\nstiffness = 1e6\nrule = \"secnat\"\n",
            "law = \"hunt-crossley\"\nstiffness = 1e6\nprofile = { kind = \"frets\" }\n",
            "law = \"hunt-crossley\"\nstiffness = 1e6\nprofile = { kind = \"flat\", drop = 1 }\n",
            "law = \"hunt-crossley\"\nstiffness = 1e6\nprofile = { kind = \"parabola\", start = 0.5, end = 0.1, apex = 0, drop = 0 }\n",
            "law = \"hunt-crossley\"\nstiffness = 1e6\nprofile = { kind = \"points\", points = [[0.5, \"1 mm\", 3]] }\n",
            "law = \"hunt-crossley\"\nstiffness = 1e6\nneighbours = true\nprofile = { kind = \"flat\" }\n",
            "law = \"hunt-crossley\"\nstiffness = 1e6\nneighbours = true\n",
            "law = \"hunt-crossley\"\nstiffness = 1e6\nroughness = { height = \"1 mm\", length = \"1 mm\", path = \"1 mm\" }\n",
            "law = \"hunt-crossley\"\nstiffness = 1e6\nroughness = { height = \"1 mm\", length = \"1 um\", path = \"1 m\" }\n",
            "law = \"bow-friction\"\nnormal_force = 1\nsliding = 1\n",
        ],
    );
}

#[test]
fn exciters_forces_and_pickups() {
    check(
        "tools",
        &[STRING, PLATE, MASS],
        &[
            "[exciters.a]\nkind = \"hammer\"\non = \"string@0.1\"\nmas = 1\n",
            "[exciters.a]\nkind = \"hammer\"\non = \"string@0.1\"\nmass = 1\nlaw = \"soft\"\n",
            "[exciters.a]\nkind = \"pluck\"\non = \"plate@0.1,0.2\"\n",
            "[exciters.a]\nkind = \"signal\"\non = \"string@0.1\"\nlength = \"10 min\"\n",
            "[exciters.a]\nkind = \"signal\"\non = \"string@0.1\"\nlength = \"60 s\"\n",
            "[forces.a]\nat = \"ball\"\n",
            "[forces.a]\nat = \"string@0.5\"\ngravity = true\n",
            "[forces.a]\nat = \"ball\"\ngravity = true\nlevel = 1\n",
            "[pickups.a]\nlisten = \"force\"\nat = \"ball\"\n",
            "[pickups.a]\nlisten = \"velocity\"\ncontact = \"ball\"\n",
            "[pickups.a]\ncontact = \"ball\"\n",
            "[pickups.a]\nat = \"ball\"\nchannel = 3\n",
            "[pickups.a]\nat = \"ball\"\nchannel = 1\npan = 0.5\n",
            "[pickups.a]\nat = \"ball\"\ngain = \"6 N\"\n",
            "[pickups.a]\n",
            "[exciters.a]\nkind = \"bow\"\non = \"string@0.1\"\nsliding = 1.5\n",
            "[exciters.a]\nkind = \"bow\"\non = \"string@0.1\"\nslidng = 0.5\n",
        ],
    );
}

#[test]
fn events() {
    let event = |keys: &str| format!("[[events]]\n{keys}\n");
    let endings: Vec<String> = [
        "time = 1",
        "strike = \"mallet\"",
        "time = 1\nstrike = \"malet\"",
        "time = 1\nstrike = \"string\"",
        "time = 1\nstrike = \"bow\"",
        "time = 1\nstrike = \"mallet\"\npluck = \"mallet\"",
        "time = 1\nstrike = \"mallet\"\nforce = \"1 N\"",
        "time = 1\nstrike = \"mallet\"\nvelocity = \"1 N\"",
        "time = 1\nstrike = \"mallet\"\nat = 1.5",
        "time = 1\nstrike = \"mallet\"\nat = [0.5, 0.5]",
        "time = 1\nstrike = \"mallet\"\nevery = 1",
        "time = 1\nstrike = \"mallet\"\nevery = 1\ntimes = 1000000",
        "time = 1\nnote = \"C4\"",
        "time = 1\nnote = \"H4\"",
        "time = 1\nmove = \"string\"\nto = 0.5",
        "time = 1\nmove = \"bow\"",
        "time = 1\nmove = \"bwo\"\nto = 0.5",
        "time = 1\nset = \"bow.force\"",
        "time = 1\nset = \"bow.forse\"\nto = 1",
        "time = 1\nset = \"bwo.force\"\nto = 1",
        "time = 1\nset = \"force\"\nto = 1",
        "time = 1\nset = \"bow.force\"\nto = \"1 m\"",
        "time = 1\nturn = \"knob\"\nto = 1",
        "time = 1\nshake = \"bow\"",
    ]
    .into_iter()
    .map(event)
    .collect();
    check("events", &[STRING, EAR, HAMMER, BOW], &endings.iter().map(String::as_str).collect::<Vec<_>>());
    let two = "[objects.other]\nkind = \"string\"\n[contacts.both]\nfrom = \"string@0.5\"\nto = \"other@0.5\"\nlaw = \"one-sided-power\"\nstiffness = 1\n";
    check("two-ends", &[STRING, EAR, two], &["[[events]]\ntime = 1\nmove = \"both\"\nto = 0.5\n"]);
    check("no-events", &[STRING, EAR], &["[events]\ntime = 1\n"]);
}

#[test]
fn sets() {
    let set = |keys: &str| format!("[sets.s]\n{keys}\n");
    let endings: Vec<String> = [
        "",
        "notes = \"C4\"\nobject = { kind = \"bar\" }",
        "notes = \"C4..X5\"\nobject = { kind = \"bar\" }",
        "notes = \"C4..C5 majr\"\nobject = { kind = \"bar\" }",
        "notes = \"C5..C4\"\nobject = { kind = \"bar\" }",
        "notes = [\"C4\", \"C4\"]\nobject = { kind = \"bar\" }",
        "notes = [\"C4\", 3]\nobject = { kind = \"bar\" }",
        "notes = []\nobject = { kind = \"bar\" }",
        "notes = [\"C4\"]\nobject = { kind = \"bar\", pitch = 3 }",
        "notes = [\"C4\"]\nobject = { kind = \"barrier\" }",
        "notes = [\"C4\"]\nobject = { kind = \"string\", tension = 3 }",
        "notes = [\"C4\", \"D4\"]\nobject = { kind = \"bar\", length = { low = 1 } }",
        "notes = [\"C4\", \"D4\"]\nobject = { kind = \"bar\", length = { low = 1, hihg = 2 } }",
        "notes = [\"C4\", \"D4\"]\nobject = { kind = \"bar\", length = { values = [0.1] } }",
        "notes = [\"C4\", \"D4\"]\nobject = { kind = \"bar\", length = { values = [0.1, \"3 N\"] } }",
        "notes = [\"C4\", \"D4\"]\nvoices = 2\nobject = { kind = \"bar\" }",
        "notes = [\"C4\", \"D4\"]\nobject = { kind = \"bar\" }\npickups.p = { at = \"each\" }",
        "notes = [\"C4\", \"D4\"]\nobject = { kind = \"bar\" }\npickups.p = { at = \"s@0.5\" }",
        "notes = [\"C4\", \"D4\"]\nobject = { kind = \"bar\" }\npickups.p = { at = \"each.rattle\" }",
        "notes = [\"C4\", \"D4\"]\nobject = { kind = \"bar\" }\npickups.C4 = { at = \"each@0.5\" }",
    ]
    .into_iter()
    .map(set)
    .collect();
    check("sets", &[STRING, EAR], &endings.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn notes_and_controls() {
    check(
        "notes",
        &[STRING, EAR, HAMMER, BOW, PLATE, "[exciters.thumb]\nkind = \"finger\"\non = \"plate@0.5,0.5\"\n"],
        &[
            "[notes]\n",
            "[notes]\nplay = \"malet\"\n",
            "[notes]\nplay = \"mallet\"\ndamper = \"bow\"\n",
            "[notes]\nplay = \"mallet\"\ndamper = \"thumb\"\n",
            "[notes]\nplay = [\"mallet\", \"thumb\"]\n",
            "[notes]\nplay = \"mallet\"\nvelocity = [\"1 N\", \"2 N\"]\n",
            "[notes]\nplay = \"mallet\"\nvelocity = [1, 2]\nheight = [1, 2]\n",
            "[controls.k]\n",
            "[controls.k]\nparameter = \"bow.color\"\nrange = [0, 1]\n",
            "[controls.k]\nparameter = [\"bow.force\", \"bow.velocity\"]\nrange = [0, 1]\n",
            "[controls.k]\nparameter = \"bow.force\"\nrange = [1, 0]\n",
            "[controls.k]\nparameter = \"bow.force\"\nrange = [0, 5]\nscale = \"log\"\n",
            "[controls.k]\nparameter = \"bow.force\"\nrange = [2, 5]\n",
            "[controls.k]\nparameter = \"bow.force\"\nrange = [2, 5]\nvalue = \"8 N\"\n",
            "[controls.k]\nparameter = \"bow.force\"\nrange = [\"2 m\", 5]\n",
            "[controls.k]\nparameter = \"bow.force\"\nrange = [0, 5]\nmidi = 128\n",
        ],
    );
}

#[test]
fn physics() {
    check(
        "physics",
        &[],
        &[
            "[objects.plate]\nkind = \"plate\"\nsides = [1, 1]\nthickness = \"0.2 mm\"\n[pickups.ear]\nat = \"plate@0.5,0.5\"\n",
            "[objects.plate]\nkind = \"plate\"\nmethod = \"grid\"\nsides = [1, 1]\nthickness = \"0.2 mm\"\n[pickups.ear]\nat = \"plate@0.5,0.5\"\n",
            "[objects.gong]\nkind = \"plate\"\nshape = \"circle\"\ndiameter = \"40 cm\"\nthickness = \"0.1 mm\"\nedges = \"free\"\n[pickups.ear]\nat = \"gong@0.5,0.5\"\n",
            "[objects.gong]\nkind = \"plate\"\nshape = \"circle\"\nsides = [1, 1]\n[pickups.ear]\nat = \"gong@0.5,0.5\"\n",
            "[objects.gong]\nkind = \"plate\"\nshape = \"circle\"\n[pickups.ear]\nat = \"gong@0.5,0.5\"\n",
            "[objects.gong]\nkind = \"plate\"\nshape = \"circle\"\ndiameter = \"40 cm\"\n[pickups.ear]\nat = \"gong@0.05,0.05\"\n",
            "[objects.gong]\nkind = \"plate\"\ndiameter = \"40 cm\"\n[pickups.ear]\nat = \"gong@0.5,0.5\"\n",
            "[objects.bar]\nkind = \"bar\"\npartials = [1, 10, 4]\n[pickups.ear]\nat = \"bar@0.5\"\n",
            "[objects.bar]\nkind = \"bar\"\npartials = [2, 4]\n[pickups.ear]\nat = \"bar@0.5\"\n",
            "[objects.bar]\nkind = \"bar\"\nmethod = \"grid\"\npartials = [1, 4]\n[pickups.ear]\nat = \"bar@0.5\"\n",
            "[objects.board]\nkind = \"plate\"\nyoungs_modulus_across = 1e9\n[pickups.ear]\nat = \"board@0.5,0.5\"\n",
            "[objects.plate]\nkind = \"plate\"\nsides = [0.01, 0.01]\nthickness = \"5 mm\"\n[pickups.ear]\nat = \"plate@0.5,0.5\"\n",
            "[objects.plate]\nkind = \"plate\"\nmethod = \"grid\"\ngrid = [200, 200]\n[pickups.ear]\nat = \"plate@0.5,0.5\"\n",
            "[limits]\ngrid_points = 10\n[objects.string]\nkind = \"string\"\nmethod = \"grid\"\n[pickups.ear]\nat = \"string@0.5\"\n",
            "[objects.string]\nkind = \"string\"\nmethod = \"grid\"\npitch = 20000\n[pickups.ear]\nat = \"string@0.5\"\n",
            "[objects.string]\nkind = \"string\"\nmethod = \"grid\"\nsegments = 1000\n[pickups.ear]\nat = \"string@0.5\"\n",
            "[objects.string]\nkind = \"string\"\nradius = \"2 cm\"\npitch = 20\n[pickups.ear]\nat = \"string@0.5\"\n",
            "[objects.string]\nkind = \"string\"\nmethod = \"grid\"\nt60 = [[\"100 Hz\", \"1 s\"], [\"1 kHz\", \"2 s\"]]\n[pickups.ear]\nat = \"string@0.5\"\n",
            "[objects.bar]\nkind = \"bar\"\nmethod = \"grid\"\nt60 = [[\"100 Hz\", \"5 s\"], [\"1 kHz\", \"1 ms\"]]\n[pickups.ear]\nat = \"bar@0.5\"\n",
            "[objects.head]\nkind = \"membrane\"\nmethod = \"grid\"\ngrid = [300, 300]\n[pickups.ear]\nat = \"head@0.5,0.5\"\n",
            "[objects.ball]\nkind = \"mass\"\nmass = 1\nfrequency = \"30 kHz\"\n[pickups.ear]\nat = \"ball\"\n",
            "[objects.wall]\nkind = \"barrier\"\n[objects.string]\nkind = \"string\"\n[contacts.a]\nfrom = \"wall\"\nto = \"string@0\"\nlaw = \"one-sided-power\"\nstiffness = 1e6\n[contacts.b]\nfrom = \"wall\"\nto = \"string@1\"\nlaw = \"one-sided-power\"\nstiffness = 1e6\n[pickups.ear]\nat = \"string@0.5\"\n",
            "[objects.a]\nkind = \"string\"\nmethod = \"grid\"\nsegments = 20\n[objects.b]\nkind = \"string\"\nmethod = \"grid\"\nsegments = 30\n[contacts.c]\nfrom = \"a\"\nto = \"b\"\nlaw = \"one-sided-power\"\nstiffness = 1e6\nneighbours = true\n[pickups.ear]\nat = \"a@0.5\"\n",
            "[limits]\ninteractions = 10\n[objects.wall]\nkind = \"barrier\"\n[objects.string]\nkind = \"string\"\n[contacts.a]\nfrom = \"wall\"\nto = \"string\"\nlaw = \"one-sided-power\"\nstiffness = 1e6\nprofile = { kind = \"flat\", height = \"-1 mm\" }\n[pickups.ear]\nat = \"string@0.5\"\n",
        ],
    );
}

#[test]
fn all_problems_of_a_text_are_told_at_once_in_its_order() {
    let text = format!(
        "{HEAD}[objects.a]\nkind = \"string\"\nlenght = 1\npitch = \"5 N\"\n[objects.b]\nkind = \"plat\"\n[pickups.p]\nat = \"c\"\n"
    );
    let problems = read(&Source::new("scene.toml", text), &Reading::default()).unwrap_err();
    let lines: Vec<usize> = problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [5, 6, 8, 10]);
    let json = problems.to_json();
    assert_eq!(json[0]["line"], 5);
    assert_eq!(json[0]["column"], 1);
    assert_eq!(json[0]["length"], 6);
    assert_eq!(json[0]["help"], "did you mean `length`?");
}

#[test]
fn a_scene_too_large_for_any_machine_is_refused_before_it_is_written_out() {
    let sets: String = (0..90)
        .map(|number| {
            format!("[sets.s{number}]\nnotes = \"C-1..G9\"\nobject = {{ kind = \"string\", method = \"grid\", segments = 4 }}\n")
        })
        .collect();
    let plates: String = (0..5)
        .map(|number| format!("[objects.p{number}]\nkind = \"plate\"\nsides = [5, 5]\nthickness = \"0.2 mm\"\n"))
        .collect();
    let tangle: String = (0..5)
        .map(|number| {
            format!(
                "[sets.s{number}]\nnotes = \"C-1..G9\"\nobject = {{ kind = \"mass\", mass = 1 }}\ncontacts.c = {{ from = \"hub\", to = \"each\", law = \"one-sided-power\", stiffness = 1 }}\n"
            )
        })
        .collect();
    let tangle = format!("[objects.hub]\nkind = \"mass\"\nmass = 1\n[pickups.p]\nat = \"hub\"\n{tangle}");
    let set = "[sets.s]\nnotes = \"C2..C6\"\nobject = { kind = \"mass\", mass = 1 }\n";
    check(
        "too-many",
        &[],
        &[
            &sets,
            &format!("{set}exciters.e = {{ kind = \"signal\", on = \"each\", length = \"20 s\" }}\n"),
            &format!(
                "{set}pickups.p = {{ at = \"each\" }}\nexciters.e = {{ kind = \"signal\", on = \"each\" }}\n[[events]]\ntime = 0\ntrigger = \"s.e\"\nevery = 1\ntimes = 10000\n"
            ),
            &format!("[limits]\ngrid_points = 1000000\n{plates}[pickups.p]\nat = \"p1@0.5,0.5\"\n"),
            &tangle,
        ],
    );
}

/// A scene of a stranger neither clears the terminal that tells what is wrong with it nor fills it.
#[test]
fn messages_spell_out_what_a_terminal_would_obey() {
    let long = "k".repeat(100_000);
    for text in [
        r#"mass = "1 \u001b[2Jkg""#.to_owned(),
        format!("mass = \"1 {long}\""),
        "mass = \"1 \u{202e}gk\"".to_owned(),
        format!("\"\\u001b]0;x\\u0007\" = 1\n{long} = 2"),
    ] {
        let shown = problems(&format!("{HEAD}[objects.ball]\nkind = \"mass\"\n{text}\n"));
        let hidden = |c: &char| c.is_control() && *c != '\n' || *c == '\u{202e}';
        assert_eq!(shown.chars().find(hidden), None, "{shown}");
        assert!(shown.len() < 20_000, "{} bytes", shown.len());
    }
}
