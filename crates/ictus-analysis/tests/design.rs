//! Inverse design gives back the contact that made an impact, and says what cannot be had.

use ictus::objects::ModalSpec;
use ictus_analysis::design::{DesignError, Features, Freedom, LogLinearFit, Map, Setting, Targets};

fn setting() -> Setting {
    let resonator = ModalSpec::three_mode_bar(300.0, 300.0, 0.01);
    Setting { mass: 0.01, exponent: 2.5, velocity: 1.0, resonator, rate: 44_100.0 }
}

#[test]
fn stiffness_and_dissipation_come_back_from_contact_time_and_centroid() {
    let map = Map::new(setting()).unwrap();
    for stiffness in [2e9, 6e9, 2e10] {
        for dissipation in [0.015, 0.1, 1.2] {
            let features = setting().features(stiffness, dissipation).unwrap().unwrap();
            let targets = Targets {
                contact_time: Some(features.contact_time),
                centroid: Some(features.centroid),
                restitution: None,
            };
            let found = map.design(&targets).unwrap();
            let error = (found.stiffness / stiffness - 1.0).abs().max((found.dissipation / dissipation - 1.0).abs());
            assert!(error < 1e-6, "K = {stiffness}, μ = {dissipation}: {found:?} for {targets:?}");
        }
    }
}

#[test]
fn any_two_targets_are_met_by_a_contact_no_more_damped_than_the_one_that_set_them() {
    let map = Map::new(setting()).unwrap();
    // More than one contact may rebound like this while the resonator swings: the least damped is found.
    for (stiffness, dissipation) in [(6e9, 0.3), (4e9, 1.2)] {
        let features = setting().features(stiffness, dissipation).unwrap().unwrap();
        let Features { contact_time, centroid, restitution, .. } = features;
        let pairs = [(Some(contact_time), None), (None, Some(centroid))];
        for (contact_time, centroid) in pairs {
            let targets = Targets { contact_time, centroid, restitution: Some(restitution) };
            let found = map.design(&targets).unwrap();
            assert!(found.dissipation < dissipation * (1.0 + 1e-6), "{targets:?} {found:?}");
            assert!((found.features.restitution / restitution - 1.0).abs() < 1e-7, "{targets:?} {found:?}");
            let other = match contact_time {
                Some(time) => found.features.contact_time / time,
                None => found.features.centroid / features.centroid,
            };
            assert!((other - 1.0).abs() < 1e-7, "{targets:?} {found:?}");
        }
    }
}

#[test]
fn three_targets_are_met_with_a_free_exponent_or_mass() {
    let setting = Setting { exponent: 1.5, resonator: ModalSpec::three_mode_bar(950.0, 1000.0, 1e-3), ..setting() };
    let map = Map::new(setting.clone()).unwrap();
    let targets = Targets { contact_time: Some(2e-3), centroid: Some(1500.0), restitution: Some(0.6) };
    for freedom in [Freedom::Exponent, Freedom::Mass] {
        let (found, design) = map.design_freely(freedom, &targets).unwrap();
        let Features { contact_time, centroid, restitution, .. } = design.features;
        for ratio in [contact_time / 2e-3, centroid / 1500.0, restitution / 0.6] {
            assert!((ratio - 1.0).abs() < 1e-7, "{freedom:?}: {design:?}");
        }
        let moved = [found.mass != setting.mass, found.exponent != setting.exponent];
        assert_eq!(moved, [freedom == Freedom::Mass, freedom == Freedom::Exponent], "only what is free may move");
    }
}

#[test]
fn what_cannot_be_had_is_said_and_the_nearest_is_near() {
    let map = Map::new(setting()).unwrap();
    let bright = Targets { contact_time: Some(3e-3), centroid: Some(5000.0), restitution: None };
    assert_eq!(map.design(&bright), Err(DesignError::Unreachable));
    let (low, high) = map.range_of_second(&bright).unwrap().unwrap();
    assert!(low > 100.0 && low < high && high < 1000.0, "{low} to {high}");
    let nearest = map.nearest(&bright).unwrap().features;
    let points = map.lines().iter().flat_map(|line| &line.points);
    let distance = |f: &Features| (f.contact_time / 3e-3).ln().hypot((f.centroid / 5000.0).ln());
    assert!(points.into_iter().all(|point| distance(&point.features) >= distance(&nearest)), "{nearest:?}");
}

#[test]
fn the_engine_and_the_sources_scheme_do_what_was_designed() {
    let (setting, rate) = (setting(), setting().rate);
    let map = Map::new(setting.clone()).unwrap();
    let targets = Targets { contact_time: Some(3e-3), centroid: Some(430.0), restitution: None };
    let design = map.design(&targets).unwrap();
    let strike = setting.strike(design.stiffness, design.dissipation);
    for struck in [strike.by_engine(setting.samples()), strike.by_am1(setting.samples())] {
        let features = Features::of(&struck.unwrap(), rate).unwrap().unwrap();
        assert!((features.contact_time / 3e-3 - 1.0).abs() < 0.01, "{features:?}");
        assert!((features.centroid / 430.0 - 1.0).abs() < 0.02, "{features:?}");
    }
}

#[test]
fn a04s_log_linear_fit_has_the_walls_exponent_where_the_resonator_hardly_gives() {
    let resonator = ModalSpec::three_mode_bar(2000.0, 300.0, 10.0);
    let setting = Setting { exponent: 1.5, resonator, ..setting() };
    let map = Map::new(setting).unwrap();
    let fit = LogLinearFit::of(map.lines()[1..4].iter().flat_map(|line| &line.points)).unwrap();
    assert!((fit.contact_time[1] + 0.4).abs() < 2e-3, "{fit:?}");
}

#[test]
fn impossible_settings_are_refused_with_their_range() {
    let refused = |setting: Setting| Map::new(setting).unwrap_err().to_string();
    assert!(refused(Setting { mass: -1.0, ..setting() }).starts_with("mass: expected"));
    assert!(refused(Setting { exponent: f64::NAN, ..setting() }).starts_with("exponent: expected"));
    assert!(refused(Setting { rate: 1.0, ..setting() }).starts_with("rate: expected"));
    let high = ModalSpec::three_mode_bar(5000.0, 300.0, 0.01);
    assert!(refused(Setting { resonator: high, ..setting() }).contains("below half the rate"));
    let map = Map::new(setting()).unwrap();
    assert!(matches!(map.design(&Targets::default()), Err(DesignError::Count(_))));
    let negative = Targets { contact_time: Some(-1.0), centroid: Some(500.0), restitution: None };
    assert_eq!(map.design(&negative).unwrap_err().to_string(), "contact time: expected above 0 s, got -1");
}
