//! Scenes that are right: what they say is what is in the scene.

use ictus::id::ContactId;
use ictus::model::{ObjectSpec, Source as Heard};
use ictus::objects::{BarPitch, Loss, Place, StringPitch, material};
use ictus_scene::scene::{Action, Parameter, Tool};
use ictus_scene::tools::Hammer;
use ictus_scene::{Instrument, Reading, Scene, Source, read};

fn scene(text: &str) -> Scene {
    read(&Source::new("scene.toml", text), &Reading::default()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn object(scene: &Scene, name: &str) -> usize {
    scene.model.objects.iter().position(|object| object.name == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn a_hammered_string_on_a_board_is_read() {
    let scene = scene(include_str!("scenes/hammer.toml"));
    assert_eq!((scene.title.as_str(), scene.duration, scene.model.rate), ("Hammered string", 2.0, 48_000.0));
    let ObjectSpec::String(string) = &scene.model.objects[object(&scene, "string")].spec else { panic!() };
    assert_eq!(string.pitch, StringPitch::Fundamental(110.0));
    assert_eq!(string.radius, 0.2e-3);
    let Tool::Hammer(Hammer { mass, contact, clearance, .. }) = scene.exciters[0].tool else { panic!() };
    assert_eq!((scene.model.objects[mass.index()].name.as_str(), clearance), ("mallet", 1e-3));
    assert!(!scene.model.interactions[contact.index()].active);
    assert_eq!(scene.model.interactions[contact.index()].to.place, Place::Along(0.12));
    let strikes: Vec<f64> = scene
        .score
        .iter()
        .filter(|event| matches!(event.action, Action::Play { amount: 2.0, .. }))
        .map(|event| event.time)
        .collect();
    assert_eq!(strikes, [0.1, 0.35, 0.6, 0.85]);
    assert_eq!(scene.controls[0].targets, [Parameter::Law(contact, 0)]);
    assert_eq!((scene.controls[0].value, scene.controls[0].midi), (1e8, Some(11)));
    let Heard::Force(name) = &scene.model.pickups[1].source else { panic!() };
    assert_eq!(name, "mallet");
    let power: f64 = scene.model.pickups[0].gains.iter().map(|gain| gain * gain).sum();
    assert!((power.log10() * 10.0 + 6.0).abs() < 1e-12, "equal power at -6 dB");
}

#[test]
fn every_kind_of_thing_is_read() {
    let scene = scene(include_str!("scenes/kinds.toml"));
    assert_eq!(scene.model.limits.grid_points, 30_000);
    assert_eq!(scene.seed, 7);
    assert_eq!(scene.model.pickups[0].gains, [1.0, 0.0, 0.0]);
    let ObjectSpec::Bar(bar) = &scene.model.objects[object(&scene, "key")].spec else { panic!() };
    let BarPitch::Fundamental(pitch) = bar.pitch else { panic!() };
    assert!((pitch / (442.0 / 440.0 * 261.625_565_3) - 1.0).abs() < 1e-9, "C4 follows the tuning");
    let weight = scene.model.forces.iter().find(|force| force.name == "weight").unwrap();
    assert_eq!(weight.level, -0.0981);
    let burst = scene.model.forces.iter().find(|force| force.name == "burst").unwrap();
    assert_eq!(burst.signal.as_ref().unwrap().len(), 132);
}

#[test]
fn a_control_leaves_graded_values_alone_until_it_is_turned() {
    let text = format!(
        "{}\n[controls.hardness]\nparameter = \"bars.mallet.stiffness\"\nrange = [1e6, 1e9]\nscale = \"log\"\n",
        include_str!("scenes/sets.toml")
    );
    let source = Source::new("sets.toml", text);
    let stiffnesses = |instrument: &Instrument, scene: &Scene| {
        let control = scene.controls.iter().find(|control| control.name == "hardness").unwrap();
        control.targets.iter().map(|target| instrument.target_value(*target).unwrap()).collect::<Vec<_>>()
    };
    let scene = read(&source, &Reading::default()).unwrap();
    let hardness = scene.control("hardness").unwrap();
    let mut instrument = Instrument::new(&scene).unwrap();
    let graded = stiffnesses(&instrument, &scene);
    assert!(graded.windows(2).all(|pair| pair[0] < pair[1]), "{graded:?}");
    assert_eq!((instrument.control(hardness), instrument.turned(hardness)), (Some(graded[0]), None));
    instrument.turn(hardness, 3e7).unwrap();
    instrument.process(&mut vec![0.0; 48_000 * instrument.channels()]);
    assert!(stiffnesses(&instrument, &scene).iter().all(|stiffness| *stiffness == 3e7));
    assert_eq!(instrument.turned(hardness), Some(3e7));
    instrument.reset();
    assert_eq!((stiffnesses(&instrument, &scene), instrument.turned(hardness)), (graded, None));

    // A value that was asked for is for all of them from the start.
    let given = Reading { overrides: vec![("hardness".into(), "2e7".into())], ..Reading::default() };
    let scene = read(&source, &given).unwrap();
    let instrument = Instrument::new(&scene).unwrap();
    assert!(stiffnesses(&instrument, &scene).iter().all(|stiffness| *stiffness == 2e7));
}

#[test]
fn sets_are_written_out_note_by_note() {
    let scene = scene(include_str!("scenes/sets.toml"));
    let ObjectSpec::Bar(lowest) = &scene.model.objects[object(&scene, "bars.C4")].spec else { panic!() };
    let ObjectSpec::Bar(highest) = &scene.model.objects[object(&scene, "bars.C5")].spec else { panic!() };
    assert_eq!((lowest.length, highest.length), (0.35, 0.2));
    let ObjectSpec::Bar(middle) = &scene.model.objects[object(&scene, "bars.G4")].spec else { panic!() };
    assert!((middle.length / (0.35 * (0.2_f64 / 0.35).powf(7.0 / 12.0)) - 1.0).abs() < 1e-12, "equal ratios by pitch");
    let ObjectSpec::String(string) = &scene.model.objects[object(&scene, "harp.G3+10c")].spec else { panic!() };
    let StringPitch::Fundamental(pitch) = string.pitch else { panic!() };
    assert!((1200.0 * (pitch / 195.997_717_99).log2() - 10.0).abs() < 1e-6);
    let notes = scene.notes.as_ref().unwrap();
    assert_eq!(notes.voices.len(), 8);
    assert_eq!((notes.voices[0].keys, notes.voices[7].keys), ([60, 60], [72, 72]));
    assert_eq!((notes.amounts, notes.curve), ([0.3, 4.0], 1.5));
    let damper = notes.voices[3].damper.unwrap();
    assert_eq!(scene.exciters[damper.index()].name, "bars.finger.F4");
    let all = scene.score.iter().find(|event| event.time == 1.5).unwrap();
    let Action::Set { targets, .. } = &all.action else { panic!() };
    assert_eq!(targets.len(), 8);
    assert_eq!(scene.score[0].action, Action::NoteOn { key: 60, velocity: 0.7 });
}

#[test]
fn overrides_change_keys_and_controls_before_anything_is_read() {
    let text = include_str!("scenes/hammer.toml");
    let options = Reading {
        rate: Some(96_000.0),
        seed: Some(5),
        duration: Some(1.0),
        overrides: vec![
            ("hardness".into(), "5e8".into()),
            ("string.pitch".into(), "E2".into()),
            ("output.gain".into(), "-3 dB".into()),
            ("title".into(), "Other".into()),
        ],
    };
    let scene = read(&Source::new("scene.toml", text), &options).unwrap();
    assert_eq!((scene.model.rate, scene.seed, scene.duration), (96_000.0, 5, 1.0));
    assert_eq!(scene.controls[0].value, 5e8);
    assert_eq!(scene.title, "Other");
    let ObjectSpec::String(string) = &scene.model.objects[object(&scene, "string")].spec else { panic!() };
    let StringPitch::Fundamental(pitch) = string.pitch else { panic!() };
    assert!((pitch - 82.406_889).abs() < 1e-6);
    let wrong = Reading { overrides: vec![("strin.pitch".into(), "E2".into())], ..Reading::default() };
    let problems = read(&Source::new("scene.toml", text), &wrong).unwrap_err();
    let problem = problems.iter().next().unwrap();
    assert!(problem.message.starts_with("--set strin.pitch=E2: "), "{problem}");
    assert!(problem.help.contains("did you mean `string.pitch`?"), "{}", problem.help);
}

#[test]
fn what_only_one_set_names_is_overridden_without_the_name_of_the_set() {
    let text = include_str!("../../../scenes/marimba.toml");
    let with = |text: &str, name: &str| {
        let overrides = vec![(name.to_owned(), "31 g".to_owned())];
        read(&Source::new("scene.toml", text), &Reading { overrides, ..Reading::default() })
    };
    let short = with(text, "mallet.mass").unwrap();
    assert_eq!(short, with(text, "bars.mallet.mass").unwrap());
    assert_ne!(short, read(&Source::new("scene.toml", text), &Reading::default()).unwrap());
    let slip = with(text, "malet.mass").unwrap_err();
    assert!(slip.iter().any(|problem| problem.help == "did you mean `bars.mallet.mass`?"), "{slip:?}");
    // Two sets with a mallet each: which one is meant must be said.
    let set = text.split("\n[sets.bars").skip(1).map(|part| part.split("\n[").next().unwrap_or_default());
    let other: String = set.map(|part| format!("\n[sets.other{part}\n")).collect();
    let two = format!("{text}\n{other}");
    assert!(with(&two, "bars.mallet.mass").is_ok());
    let problems = with(&two, "mallet.mass").unwrap_err();
    assert!(problems.iter().any(|problem| problem.help.contains("mallet.mass")), "{problems:?}");
}

#[test]
fn a_pool_of_voices_is_built_low_and_bends_to_its_highest_note() {
    let scene = scene(include_str!("scenes/pool.toml"));
    let ObjectSpec::String(string) = &scene.model.objects[object(&scene, "guitar.3")].spec else { panic!() };
    let StringPitch::Fundamental(pitch) = string.pitch else { panic!() };
    assert!((pitch - 82.406_889).abs() < 1e-6);
    assert!((string.bend - 4.0).abs() < 1e-12);
    let notes = scene.notes.as_ref().unwrap();
    assert_eq!(notes.voices.len(), 4);
    assert!(
        notes.voices.iter().all(|voice| voice.keys == [40, 64] && voice.string.is_some() && voice.damper.is_some())
    );
    assert_eq!(scene.exciters[notes.voices[1].exciter.index()].name, "guitar.pick.2");
}

#[test]
fn a_rough_surface_is_drawn_from_the_seed_and_travels() {
    let text = include_str!("scenes/kinds.toml");
    let heights = |seed| {
        let options = Reading { seed: Some(seed), rate: Some(48_000.0), ..Reading::default() };
        let scene = read(&Source::new("scene.toml", text), &options).unwrap();
        let rolling = scene.model.interactions.iter().find(|contact| contact.name == "rolling").unwrap();
        rolling.roughness.clone().unwrap().heights
    };
    let first = scene(text);
    let rolling = first.model.interactions.iter().position(|contact| contact.name == "rolling").unwrap();
    let roughness = first.model.interactions[rolling].roughness.as_ref().unwrap();
    assert_eq!(roughness.heights, heights(7), "the same at any rate");
    assert_ne!(roughness.heights, heights(8));
    assert_eq!(roughness.velocity, 0.3);
    let speed = first.controls.iter().find(|control| control.name == "speed").unwrap();
    assert_eq!((speed.targets.as_slice(), speed.value), ([Parameter::Travel(ContactId::new(rolling))].as_slice(), 0.3));
}

/// The loss of a scene's only object with these keys.
fn loss_of(keys: &str) -> Loss {
    let at = if keys.contains("membrane") || keys.contains("plate") { "body@0.5,0.5" } else { "body@0.5" };
    let text = format!("ictus = 1\ntitle = \"x\"\n[objects.body]\n{keys}\n[pickups.ear]\nat = \"{at}\"\n");
    match scene(&text).model.objects.remove(0).spec {
        ObjectSpec::String(string) => string.loss,
        ObjectSpec::Bar(bar) => bar.loss,
        ObjectSpec::Membrane(membrane) => membrane.loss,
        ObjectSpec::Plate(plate) => plate.loss,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_named_material_brings_its_loss_unless_another_is_given() {
    let of = |name: &str| Loss::Material(material(name).unwrap().loss_factor);
    assert_eq!(loss_of("kind = \"bar\"\nmaterial = \"glass\""), of("glass"));
    assert_eq!(loss_of("kind = \"string\"\nmaterial = \"gut\""), of("gut"));
    assert_eq!(loss_of("kind = \"plate\"\nmaterial = \"bronze\""), of("bronze"));
    assert_eq!(loss_of("kind = \"bar\"\nmaterial = \"glass\"\nt60 = 2"), Loss::t60(2.0));
    assert_eq!(loss_of("kind = \"bar\"\nmaterial = \"glass\"\nsigma1 = 0.01"), Loss::sigma(4.0, 0.01));
    // What a membrane loses is taken by the air.
    assert_eq!(loss_of("kind = \"membrane\"\nmaterial = \"steel\""), Loss::sigma(3.0, 0.01));
    for (kind, usual) in
        [("string", [0.5, 2e-4]), ("bar", [4.0, 5e-3]), ("membrane", [3.0, 0.01]), ("plate", [0.5, 0.002])]
    {
        assert_eq!(loss_of(&format!("kind = \"{kind}\"")), Loss::sigma(usual[0], usual[1]), "{kind}");
    }
}

#[test]
fn decay_times_are_lists_of_any_length() {
    let times = "t60 = [[\"2 kHz\", \"500 ms\"], [100, 3], [\"A4\", 1.5], [\"8 kHz\", 0.1]]";
    let expected = Loss::t60_at(&[(2000.0, 0.5), (100.0, 3.0), (440.0, 1.5), (8000.0, 0.1)]);
    assert_eq!(loss_of(&format!("kind = \"string\"\n{times}")), expected);
    assert_eq!(loss_of("kind = \"plate\"\nt60 = [[\"1 kHz\", 2]]"), Loss::t60(2.0));
}
