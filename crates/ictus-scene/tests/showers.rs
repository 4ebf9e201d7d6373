//! Showers are Poisson streams: their counts, their distances, their places and what cannot be.

use ictus_scene::scene::{Action, Scene};
use ictus_scene::{Instrument, Reading, Source, read, write};

const ROOF: &str = "ictus = 1\ntitle = \"hail\"\nduration = \"4 s\"\n[objects.roof]\nkind = \"plate\"\nsides = [\"60 cm\", \"40 cm\"]\nthickness = \"1 mm\"\nhighest = \"4 kHz\"\n[pickups.ear]\nat = \"roof@0.7,0.6\"\n";

fn hail(keys: &str) -> String {
    format!(
        "{ROOF}[showers.hail]\non = \"roof\"\nmass = {{ between = [\"0.1 g\", \"1 g\"], scale = \"log\" }}\nstiffness = 1e6\nlength = \"4 s\"\n{keys}\n"
    )
}

fn scene_of(text: &str, seed: u64) -> Scene {
    let options = Reading { seed: Some(seed), ..Reading::default() };
    read(&Source::new("hail.toml", text), &options).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"))
}

fn times(scene: &Scene) -> Vec<f64> {
    let strikes = scene.score.iter().filter(|event| matches!(event.action, Action::Play { .. }));
    strikes.map(|event| event.time).collect()
}

#[test]
fn counts_and_distances_are_those_of_a_poisson_process() {
    let text = hail("rate = \"50 1/s\"\ntime = \"0.5 s\"");
    let mut counts = Vec::new();
    let mut distances = Vec::new();
    for seed in 1..=60 {
        let times = times(&scene_of(&text, seed));
        assert!(times.iter().all(|time| (0.5..4.5).contains(time)));
        distances.extend(times.windows(2).map(|two| two[1] - two[0]));
        counts.push(times.len() as f64);
    }
    let mean = counts.iter().sum::<f64>() / 60.0;
    let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / 59.0;
    // 200 on average; the mean of 60 is off by 1.8, the variance of 60 by a fifth of itself.
    assert!((mean - 200.0).abs() < 3.0 * (200.0f64 / 60.0).sqrt(), "{mean}");
    assert!((0.5..1.7).contains(&(variance / mean)), "variance {variance} of mean {mean}");
    // Kolmogorov and Smirnov against 1 - e^(-λt), at the level of a thousandth.
    distances.sort_by(f64::total_cmp);
    let count = distances.len() as f64;
    let apart =
        |(index, distance): (usize, &f64)| (1.0 - (-50.0 * distance).exp() - (index as f64 + 0.5) / count).abs();
    let worst = distances.iter().enumerate().map(apart).fold(0.0, f64::max);
    assert!(worst < 1.95 / count.sqrt(), "{worst}");
}

#[test]
fn a_rate_over_time_is_followed() {
    let text = hail("rate = [[0, 400], [\"1 s\", 100], [\"2 s\", 100], [\"4 s\", 0]]");
    let mut quarters = [0.0; 4];
    for seed in 1..=20 {
        for time in times(&scene_of(&text, seed)) {
            quarters[time as usize] += 1.0 / 20.0;
        }
    }
    for (found, expected) in quarters.into_iter().zip([250.0, 100.0, 75.0, 25.0f64]) {
        assert!((found - expected).abs() < 4.0 * (expected / 20.0).sqrt(), "{quarters:?}");
    }
}

#[test]
fn every_impact_has_its_own_place_and_speed_and_every_hammer_its_own_mass() {
    let scene =
        scene_of(&hail("rate = \"60 1/s\"\nvelocity = { around = \"4 m/s\", spread = \"0.5 m/s\" }\nhammers = 12"), 3);
    let impacts = times(&scene).len();
    let draws = |begin: &str| -> Vec<f64> {
        scene.draws().iter().filter(|draw| draw.path.starts_with(begin)).map(|draw| draw.value).collect()
    };
    let different = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.dedup();
        values.len()
    };
    assert_eq!(different(draws("hail.mass[")), 12);
    assert_eq!(different(draws("hail.velocity[")), impacts);
    for side in ["hail.at.0[", "hail.at.1["] {
        let places = draws(side);
        let mean = places.iter().sum::<f64>() / places.len() as f64;
        assert!(places.len() == impacts && places.iter().all(|place| (0.03..=0.97).contains(place)));
        assert!((mean - 0.5).abs() < 4.0 * 0.27 / (impacts as f64).sqrt(), "{mean}");
    }
    assert_eq!(scene.exciters.len(), 12);
    let back = write(&scene).expect("can be written");
    assert_eq!(read(&Source::new("back.toml", back), &Reading::default()).expect("reads back"), scene);
}

#[test]
fn a_shower_sounds_and_changes_with_the_seed() {
    let text = hail("rate = \"60 1/s\"\nvelocity = \"3 m/s\"").replace("duration = \"4 s\"", "duration = \"0.5 s\"");
    let sound = |seed| {
        let mut instrument = Instrument::new(&scene_of(&text, seed)).expect("can be built");
        let mut block = vec![0.0; 12_000 * instrument.channels()];
        instrument.process(&mut block);
        assert!(block.iter().all(|sample| sample.is_finite()) && block.iter().any(|sample| sample.abs() > 1e-6));
        block
    };
    assert!(sound(1) == sound(1) && sound(1) != sound(2));
}

#[test]
fn strings_masses_and_several_objects_are_hit() {
    let text = "ictus = 1\ntitle = \"x\"\n[objects.a]\nkind = \"string\"\npitch = 100\n[objects.b]\nkind = \"string\"\npitch = 150\n[pickups.ear]\nat = \"a@0.3\"\n[pickups.other]\nat = \"b@0.3\"\n[showers.coins]\non = [\"a\", \"b\"]\nrate = 30\nlength = 2\nmass = \"1 g\"\nstiffness = 1e7\n";
    let scene = scene_of(text, 1);
    let struck: std::collections::BTreeSet<&str> =
        scene.model.interactions.iter().map(|contact| &*contact.to.object).collect();
    assert_eq!(struck.len(), 2, "{struck:?}");
}

#[test]
fn showers_that_cannot_be_are_told() {
    let message = |keys: &str| match read(&Source::new("hail.toml", hail(keys)), &Reading::default()) {
        Ok(_) => panic!("this is right: {keys}"),
        Err(problems) => problems.render(200, false),
    };
    for (keys, words) in [
        ("", "a shower needs `rate`"),
        ("rate = -3", "`rate` is -3"),
        ("rate = \"50 Hz\"", "`Hz` is the unit of"),
        ("rate = []", "the times of `rate` must go upwards"),
        ("rate = [[1, 5], [1, 6]]", "the times of `rate` must go upwards"),
        ("rate = 1e5", "more than 20000 impacts"),
        ("rate = 5\nhammers = 0", "`hammers` is 0"),
        ("rate = 5\nhamers = 4", "did you mean `hammers`?"),
        ("rate = 5\nvelocity = \"3 kg\"", "`kg` is the unit of a mass"),
        ("rate = 5\nexponent = \"x\"", "`exponent` is \"x\""),
    ] {
        let told = message(keys);
        assert!(told.contains(words), "{keys}: {told}");
    }
    let text = hail("rate = 5").replace("on = \"roof\"", "on = \"rof\"");
    let told = read(&Source::new("hail.toml", text), &Reading::default()).unwrap_err().render(200, false);
    assert!(told.contains("there is no object `rof`") && told.contains("did you mean `roof`?"), "{told}");
}
