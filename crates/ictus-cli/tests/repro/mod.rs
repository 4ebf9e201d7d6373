//! `ictus repro`: what it writes, parsed and checked against the sources apart from the program's own verdicts.

use crate::common;

mod a04;
mod bad_input;
mod c14;
mod d17;
mod data;
mod p09;
mod report;
mod shoot_out;
mod w19;

use common::stdout;
use data::Directory;

/// One run for all: computing everything takes seconds.
#[test]
fn every_printed_number_and_stated_relation_holds_in_the_data_that_was_written() {
    let root = tempfile::tempdir().expect("a directory");
    let path = root.path().join("new/all");
    let printed = stdout(["repro", "all", "-o", path.to_str().expect("the path is text")]);
    let directory = Directory::new(&path);

    p09::table_1_has_the_printed_digits(&directory);
    p09::exact_figures_follow_the_equations(&directory);
    p09::schemes_behave_as_stated(&directory);
    p09::bounces_come_at_the_wrong_time_unless_corrected(&directory);
    a04::the_wall_slows_the_hammer_but_never_beyond_the_limit(&directory);
    a04::contact_time_and_centroid_vary_as_stated(&directory);
    a04::the_map_is_fitted_and_inverted(&directory);
    w19::every_system_keeps_its_account(&directory);
    c14::contacts_last_as_stated(&directory);
    c14::bounds_are_one_and_two_samples(&directory);
    c14::corrected_contacts_last_as_long_as_they_should(&directory);
    d17::forces_are_those_of_the_potentials(&directory);
    d17::roots_are_real_where_stated(&directory);
    d17::oscillators_drift_from_their_benchmarks_as_stated(&directory);
    d17::the_fast_particle_keeps_its_energy(&directory);
    shoot_out::the_secant_rule_rebounds_exactly_without_pull(&directory);
    report::the_report_names_every_item_and_links_to_files_that_are_there(&directory, &printed);
    report::statements_of_the_sources_are_told_apart_from_our_own(&directory, &printed);
    report::the_page_of_the_repository_is_what_was_computed(&directory);
}

#[test]
fn the_same_files_are_written_whatever_the_number_of_threads() {
    let root = tempfile::tempdir().expect("a directory");
    let names = ["P09-table-1", "P09-fig-1", "P09-fig-5", "P09-fig-7", "C14-fig-3", "C14-fig-6", "D17-fig-2"];
    for threads in ["1", "4"] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_ictus"))
            .arg("repro")
            .args(names)
            .arg("-o")
            .arg(root.path().join(threads))
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.is_empty(), "nothing but the table when there is no terminal: {output:?}");
    }
    let (one, four) = (root.path().join("1"), root.path().join("4"));
    let files = common::names_in(&one);
    assert!(files.len() > 20, "{files:?}");
    assert_eq!(files, common::names_in(&four));
    for file in files {
        let read = |path: &std::path::Path| std::fs::read(path.join(&file)).expect("was written");
        assert!(read(&one) == read(&four), "{file} differs");
    }
}
