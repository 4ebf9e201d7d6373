//! Inverse design gives back the contact that made an impact, and says what cannot be had.

use ictus::objects::ModalSpec;
use ictus_analysis::design::{DesignError, Features, Freedom, LogLinearFit, Map, Refused, Setting, Targets, Work};

fn setting() -> Setting {
    let resonator = ModalSpec::three_mode_bar(300.0, 300.0, 0.01);
    Setting { mass: 0.01, exponent: 2.5, velocity: 1.0, resonator, rate: 44_100.0, work: Work::default() }
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
    let setting = a04();
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

/// The hammer and resonator of `ictus design` when nothing is said about them.
fn a04() -> Setting {
    Setting { exponent: 1.5, resonator: ModalSpec::three_mode_bar(950.0, 1000.0, 1e-3), ..setting() }
}

/// Asks for what cannot be had, and checks that what is offered instead can be, and does not contradict itself.
fn instead_of(map: &Map, targets: &Targets) {
    assert_eq!(map.design(targets), Err(DesignError::Unreachable), "{targets:?}");
    let instead = map.instead(targets, None, 4).unwrap();
    let nearest = instead.nearest.as_ref().unwrap_or_else(|| panic!("nothing instead of {targets:?}"));
    assert_eq!(map.design(&nearest.targets).as_ref(), Ok(&nearest.design), "{targets:?}");
    assert!(instead.below.is_some() || instead.above.is_some(), "{targets:?}");
    match instead.refused {
        Refused::First => {
            let offered = nearest.targets.contact_time.or(nearest.targets.centroid).unwrap();
            let allowed = instead.below.is_some_and(|below| offered <= below)
                || instead.above.is_some_and(|above| offered >= above);
            assert!(allowed, "{targets:?}: {instead:?}");
        }
        _ => {
            for value in [instead.below, instead.above].into_iter().flatten() {
                let mut typed = *targets;
                match typed.restitution {
                    Some(_) => typed.restitution = Some(value),
                    None => typed.centroid = Some(value),
                }
                assert!(map.design(&typed).is_ok(), "{targets:?}: {typed:?}");
            }
        }
    }
}

#[test]
fn what_is_offered_for_contact_time_and_centroid_can_be_had() {
    let map = Map::new(a04()).unwrap();
    for contact_time in [1e-6, 2e-3, 0.04] {
        for centroid in [60.0, 454.0, 5000.0] {
            instead_of(
                &map,
                &Targets { contact_time: Some(contact_time), centroid: Some(centroid), restitution: None },
            );
        }
    }
}

#[test]
fn what_is_offered_beside_a_jump_can_be_had() {
    let map = Map::new(a04()).unwrap();
    for centroid in [900.0, 3000.0] {
        instead_of(&map, &Targets { contact_time: Some(1e-3), centroid: Some(centroid), restitution: None });
    }
}

#[test]
fn what_is_offered_with_a_restitution_can_be_had() {
    let map = Map::new(setting()).unwrap();
    for (contact_time, restitution) in [(1e-6, 0.5), (3e-3, 3.0), (3e-3, 0.01), (0.04, 0.9)] {
        instead_of(&map, &Targets { contact_time: Some(contact_time), centroid: None, restitution: Some(restitution) });
    }
    for (centroid, restitution) in [(20.0, 0.5), (450.0, 3.0)] {
        instead_of(&map, &Targets { contact_time: None, centroid: Some(centroid), restitution: Some(restitution) });
    }
}

#[test]
fn three_targets_that_cannot_be_had_come_with_three_that_can() {
    let map = Map::new(a04()).unwrap();
    for (contact_time, centroid, restitution) in [(2e-3, 4000.0, 0.6), (2e-3, 1500.0, 3.0)] {
        let targets =
            Targets { contact_time: Some(contact_time), centroid: Some(centroid), restitution: Some(restitution) };
        for freedom in [Freedom::Exponent, Freedom::Mass] {
            assert_eq!(map.design_freely(freedom, &targets).unwrap_err(), DesignError::Unreachable);
            let instead = map.instead(&targets, Some(freedom), 4).unwrap();
            let nearest = instead.nearest.as_ref().unwrap_or_else(|| panic!("nothing instead of {targets:?}"));
            assert!(map.design_freely(freedom, &nearest.targets).is_ok(), "{targets:?}: {nearest:?}");
            assert_eq!(matches!(instead.refused, Refused::Third(_)), restitution < 1.0);
        }
    }
}

#[test]
fn the_nearest_is_about_as_near_as_any_contact_of_the_map() {
    let map = Map::new(setting()).unwrap();
    let bright = Targets { contact_time: Some(3e-3), centroid: Some(5000.0), restitution: None };
    let nearest = map.instead(&bright, None, 4).unwrap().nearest.unwrap().design.features;
    let points = map.lines().iter().flat_map(|line| &line.points);
    let distance = |f: &Features| (f.contact_time / 3e-3).ln().hypot((f.centroid / 5000.0).ln());
    let least = points.into_iter().map(|point| distance(&point.features)).fold(f64::INFINITY, f64::min);
    assert!(distance(&nearest) < 1.02 * least, "{nearest:?}: {} against {least}", distance(&nearest));
}

#[test]
fn a_sampled_rebound_is_measured_as_the_integrated_one() {
    // At release the resonator swings with a period of 8.6 samples: a straight line between two samples is off by 5 %.
    let setting = a04();
    let strike = setting.strike(2.941_66e7, 0.015_118_57);
    let struck = strike.integrated(setting.samples()).unwrap();
    let exact = Features::of(&struck, setting.rate).unwrap().unwrap();
    let sampled = Features::of_sampled(&struck, setting.rate, 1).unwrap().unwrap();
    assert!((exact.restitution - 0.942_122).abs() < 1e-4, "{exact:?}");
    assert!((sampled.restitution / exact.restitution - 1.0).abs() < 3e-3, "{sampled:?} {exact:?}");
    assert!((sampled.contact_time / exact.contact_time - 1.0).abs() < 1e-4, "{sampled:?} {exact:?}");
    let slope = struck.compression.windows(2).find(|pair| pair[0] > 0.0 && pair[1] <= 0.0).unwrap();
    let straight = (slope[0] - slope[1]) * setting.rate;
    assert!((straight / exact.restitution - 1.0).abs() > 0.03, "{straight}");
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
