//! What `ictus impact --json` prints for programs.

use crate::common;

use common::{CASE_A, json};
use serde_json::Value;

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// serde_json sorts keys, so their order is looked up in the text.
fn in_order(text: &str, words: &[&str]) -> bool {
    let places: Vec<_> = words.iter().map(|word| text.find(&format!("\"{word}\":"))).collect();
    places.iter().all(Option::is_some) && places.is_sorted()
}

const EXACT: [&str; 5] =
    ["max_compression", "output_velocity", "output_velocity_approx", "contact_time", "limit_velocity"];
const SCHEME: [&str; 9] = [
    "name",
    "max_compression",
    "output_velocity",
    "contact_time",
    "final_energy",
    "pull",
    "trapped_energy",
    "iterations_max",
    "failure",
];

#[test]
fn the_document_has_the_promised_keys_in_order() {
    let text = common::stdout(["impact", "--json"]);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert!(in_order(&text, &["exact", "schemes", "problem"]));
    let (exact, schemes) = text.split_once("\"schemes\"").expect("has schemes");
    assert!(in_order(exact, &EXACT));
    assert!(in_order(schemes, &SCHEME));
    let schemes = document["schemes"].as_array().expect("a list");
    assert_eq!(schemes.len(), ictus::impact::SCHEMES.len());
    for (scheme, known) in schemes.iter().zip(ictus::impact::SCHEMES) {
        assert_eq!(scheme["name"], known.name);
        assert!(SCHEME.iter().all(|key| keys(scheme).contains(key)), "{scheme}");
    }
}

#[test]
fn numbers_are_si_and_agree_with_the_library() {
    let document = json(["impact", "--json", "--scheme", "secant"].into_iter().chain(CASE_A));
    let exact =
        ictus::impact::exact::WallImpact { mass: 1e-2, stiffness: 1e7, exponent: 1.1, dissipation: 0.1, velocity: 0.3 };
    assert_eq!(document["exact"]["max_compression"], exact.max_compression());
    assert_eq!(document["exact"]["output_velocity"], exact.output_velocity());
    assert_eq!(document["exact"]["output_velocity_approx"], exact.output_velocity_approx());
    assert_eq!(document["exact"]["contact_time"], exact.contact_time());
    assert_eq!(document["exact"]["limit_velocity"], -10.0);
    let scheme = &document["schemes"][0];
    let rebound = scheme["output_velocity"].as_f64().expect("a number");
    assert!((rebound / exact.output_velocity() - 1.0).abs() < 1e-10);
    assert_eq!(scheme["failure"], Value::Null);
    assert_eq!(scheme["iterations_max"], 0);
}

#[test]
fn what_is_not_there_is_null_and_failures_are_text() {
    let document =
        json(["impact", "--json", "--dissipation", "0", "--duration", "30us", "--scheme", "rk4,two-point-exact"]);
    assert_eq!(document["exact"]["limit_velocity"], Value::Null);
    // 30 µs end within the contact.
    assert_eq!(document["schemes"][0]["output_velocity"], Value::Null);
    assert_eq!(document["schemes"][0]["contact_time"], Value::Null);
    assert!(document["schemes"][1]["failure"].is_string());
}

#[test]
fn a_scheme_that_does_not_apply_has_no_numbers() {
    let document = json(["impact", "--json", "--scheme", "two-point-exact,secant"]);
    let scheme = &document["schemes"][0];
    for (key, value) in scheme.as_object().expect("an object") {
        match key.as_str() {
            "name" => assert_eq!(value, "two-point-exact"),
            "failure" => assert_eq!(value, "not applicable: needs exponent 1"),
            _ => assert_eq!(value, &Value::Null, "{key}"),
        }
    }
    for key in ["max_compression", "final_energy", "pull", "trapped_energy", "iterations_max", "contacts"] {
        assert!(document["schemes"][1][key].is_number(), "{key}");
    }
}

#[test]
fn with_a_phase_the_mass_starts_two_to_three_samples_before_the_wall() {
    let document = json(["impact", "--json", "--phase", "0.25", "--gap", "0.001", "--scheme", "secant"]);
    let start = document["problem"]["displacement"].as_f64().expect("a number");
    assert!((start + 0.001 + 2.25 / 44100.0).abs() < 1e-15, "{start}");
    assert_eq!(json(["impact", "--json"])["problem"]["displacement"], 0.0);
}

#[test]
fn gravity_raises_the_velocity_at_the_wall() {
    let document =
        json(["impact", "--json", "--velocity", "0", "--gravity", "9.81", "--gap", "0.05", "--scheme", "secant"]);
    let velocity = document["exact"]["impact_velocity"].as_f64().expect("a number");
    assert!((velocity - f64::sqrt(2.0 * 9.81 * 0.05)).abs() < 1e-12);
    // Thrown up, it comes back as fast as it left.
    let document = json(["impact", "--json", "--velocity", "-0.3", "--gravity", "9.81", "--scheme", "rk4"]);
    assert_eq!(document["exact"]["impact_velocity"], 0.3);
    assert!(document["schemes"][0]["output_velocity"].is_number());
}

#[test]
fn a_default_run_under_gravity_shows_ten_bounces() {
    let document = json(["impact", "--json", "--gravity", "9.81", "--scheme", "secant"].into_iter().chain(CASE_A));
    let contacts = document["schemes"][0]["contacts"].as_u64().expect("a count");
    assert!((10..=11).contains(&contacts), "{contacts}");
    let seconds = document["problem"]["samples"].as_f64().expect("a count") / 44100.0;
    assert!((0.5..0.6).contains(&seconds), "{seconds}");
}

#[test]
fn s_is_that_of_the_quadratic_scheme() {
    let rebound = |s: &str| json(["impact", "--json", "--scheme", "quadratic", "--s", s])["schemes"][0].clone();
    assert_ne!(rebound("1")["max_compression"], rebound("3")["max_compression"]);
}

#[test]
fn the_lists_are_json_too() {
    let schemes = json(["schemes", "--json"]);
    assert_eq!(schemes.as_array().map(Vec::len), Some(ictus::impact::SCHEMES.len()));
    let laws = json(["laws", "--json"]);
    assert_eq!(laws.as_array().map(Vec::len), Some(ictus::laws::Law::ALL.len()));
    assert!(laws[0]["parameters"][0]["unit"].is_string());
}
