//! The files `ictus impact` writes.

use crate::common;

use std::fs;
use std::path::Path;

use common::{json, names_in, stdout};

fn path_text(path: &Path) -> &str {
    path.to_str().expect("the path is text")
}

#[test]
fn the_table_of_samples_has_a_row_per_scheme_and_sample() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("impact.csv");
    let document = json(["impact", "--json", "--scheme", "rk4,secant", "--csv", path_text(&path)]);
    let samples = document["problem"]["samples"].as_u64().expect("a count") as usize;

    let text = fs::read_to_string(&path).expect("was written");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("scheme,sample,time,displacement,velocity,force,kinetic,potential,total"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2 * (samples + 1));
    assert!(rows.iter().all(|row| row.len() == 9));
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(row[0], if index <= samples { "rk4" } else { "secant" });
        let sample = index % (samples + 1);
        assert_eq!(row[1], sample.to_string());
        let numbers: Vec<f64> = row[2..].iter().map(|cell| cell.parse().expect("a number")).collect();
        assert_eq!(numbers[0], sample as f64 / 44100.0);
        assert_eq!(numbers[4] + numbers[5], numbers[6]);
    }
    assert_eq!(&rows[0][2..], ["0e0", "0e0", "1e0", "0e0", "5e-3", "0e0", "5e-3"]);
    assert_eq!(names_in(directory.path()), ["impact.csv"]);
}

#[test]
fn a_scheme_that_does_not_apply_has_no_rows() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("impact.csv");
    stdout(["impact", "--scheme", "two-point-exact", "--csv", path_text(&path)]);
    assert_eq!(fs::read_to_string(&path).expect("was written").lines().count(), 1);
}

#[test]
fn the_picture_has_four_labelled_panels_and_a_legend() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("impact.svg");
    stdout(["impact", "--scheme", "am1,rk4,secant", "--plot", path_text(&path)]);
    let svg = fs::read_to_string(&path).expect("was written");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    for word in [
        "Phase portrait",
        "Force over compression",
        "Energy",
        "Displacement",
        "compression (µm)",
        "velocity (m/s)",
        "force (N)",
        "energy (mJ)",
        "time (µs)",
        "displacement (µm)",
        "x_max",
        "v_out",
        "exact",
        "am1",
        "rk4",
        "secant",
        "kinetic",
        "potential",
    ] {
        assert!(svg.contains(word), "{word}");
    }
    assert!(!svg.contains("NaN"));
    assert_eq!(names_in(directory.path()), ["impact.svg"]);
}

#[test]
fn a_png_is_a_png() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("impact.PNG");
    stdout(["impact", "--plot", path_text(&path)]);
    let png = fs::read(&path).expect("was written");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 10_000);
    assert_eq!(&png[png.len() - 8..png.len() - 4], b"IEND");
}

#[test]
fn hard_contacts_gravity_and_failures_can_be_drawn() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("impact.svg");
    let cases: [&[&str]; 5] = [
        &["--stiffness", "1e14", "--phase", "0.5"],
        &["--gravity", "9.81", "--velocity", "0", "--gap", "0.01", "--scheme", "rk4,secant"],
        &["--gravity", "-9.81", "--gap", "0.001"],
        &["--dissipation", "1e6"],
        &["--duration", "1e-9", "--gap", "1"],
    ];
    for case in cases {
        let arguments = ["impact", "--plot", path_text(&path)];
        stdout(arguments.iter().chain(case));
        let svg = fs::read_to_string(&path).expect("was written");
        assert!(svg.contains("Displacement") && !svg.contains("NaN") && !svg.contains("inf"), "{case:?}");
        // Long runs are thinned out.
        assert!(svg.len() < 3_000_000, "{case:?}: {}", svg.len());
    }
}

#[test]
fn a_file_is_replaced_whole() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("impact.csv");
    fs::write(&path, "x".repeat(1_000_000)).expect("can be written");
    stdout(["impact", "--scheme", "rk4", "--csv", path_text(&path)]);
    let text = fs::read_to_string(&path).expect("is there");
    assert!(text.starts_with("scheme,") && !text.contains("xxx"));
}

#[cfg(unix)]
#[test]
fn a_device_is_written_through_and_stays_a_device() {
    use std::os::unix::fs::FileTypeExt;
    stdout(["impact", "--scheme", "rk4", "--csv", "/dev/null"]);
    assert!(fs::metadata("/dev/null").expect("is there").file_type().is_char_device());
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_new_files_can_be_read_by_others() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().expect("a directory");
    let plain = directory.path().join("plain");
    fs::write(&plain, "").expect("can be written");
    let link = directory.path().join("link.csv");
    std::os::unix::fs::symlink(&plain, &link).expect("can be linked");
    stdout(["impact", "--scheme", "rk4", "--csv", path_text(&link)]);
    assert!(fs::symlink_metadata(&link).expect("is there").file_type().is_symlink());
    assert!(fs::read_to_string(&plain).expect("is there").starts_with("scheme,"));

    let new = directory.path().join("new.csv");
    stdout(["impact", "--scheme", "rk4", "--csv", path_text(&new)]);
    let mode = |path: &Path| fs::metadata(path).expect("is there").permissions().mode();
    assert_eq!(mode(&new), mode(&plain));
}
