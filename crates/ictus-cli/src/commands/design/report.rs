//! The design on a resonator as text.

use std::fmt::Write as _;

use ictus_analysis::design::{Features, Freedom, Targets};
use ictus_lab::design::verdict::{deviations, percent};
use ictus_lab::design::{Answer, FINER, Struck};

use crate::quantity::{show, significant};
use crate::table::{Align, HEADING, NOTE, Table, styled};

/// What stands where nothing was asked or measured.
const NOTHING: &str = "-";

/// The whole report.
pub fn text(wanted: &Struck, answer: &Answer) -> String {
    let Answer { setting, design, .. } = answer;
    let [_, quality, modal_mass] = wanted.resonator;
    let exponent = significant(setting.exponent, 6);
    let modes: Vec<String> = setting.resonator.modes.iter().map(|mode| significant(mode.frequency, 4)).collect();
    let mut text = format!(
        "{}  {} at {} m/s, α = {exponent}, on modes of {} Hz, q = {}, {} each\n\n",
        styled(HEADING, "design"),
        show(setting.mass * 1e3, "g"),
        significant(setting.velocity, 6),
        modes.join(", "),
        significant(quality, 6),
        show(modal_mass * 1e3, "g"),
    );
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{}  {value}", styled(HEADING, &format!("{name:<6}")));
    };
    line("K", format!("{} N/m^{exponent}", significant(design.stiffness, 7)));
    line("μ", format!("{} s/m", significant(design.dissipation, 7)));
    match wanted.freedom {
        Some(Freedom::Mass) => line("m", show(setting.mass * 1e3, "g")),
        Some(Freedom::Exponent) => line("α", exponent),
        None => {}
    }
    text.push('\n');
    text.push_str(&table(wanted, answer));
    text.push('\n');
    let mut legend = "designed: the differential equations, integrated. engine, am1: the same contact at ".to_owned();
    let _ = write!(legend, "{} Hz. In brackets: deviation from the target.", significant(setting.rate, 9));
    legend.push_str(
        "\nRestitution: speed of parting over speed of meeting, at the struck point. Where the resonator swings fast at the release, a contact \
         that ends a\nfraction of a sample earlier or later parts at another speed: at a low rate it is the least certain of the three.",
    );
    if let Some((stiffness, dissipation, _)) = answer.fitted {
        let _ = write!(
            legend,
            "\nlog-linear fit: what A04's inversion of straight lines gives instead, K = {} N/m^α, μ = {} s/m.",
            significant(stiffness, 4),
            significant(dissipation, 4)
        );
    }
    text.push_str(&styled(NOTE, &legend));
    text.push('\n');
    text
}

fn table(wanted: &Struck, answer: &Answer) -> String {
    let mut table = Table::new([
        ("", Align::Left),
        ("contact time", Align::Right),
        ("centroid", Align::Right),
        ("restitution", Align::Right),
        ("contacts", Align::Right),
    ]);
    let Targets { contact_time, centroid, restitution } = wanted.targets;
    let told = |value: Option<f64>, show: &dyn Fn(f64) -> String| value.map_or(NOTHING.to_owned(), show);
    table.row([
        "wanted".to_owned(),
        told(contact_time, &time),
        told(centroid, &hertz),
        told(restitution, &|e| significant(e, 6)),
        NOTHING.to_owned(),
    ]);
    let mut row = |name: &str, features: Option<Features>| match features {
        Some(features) => {
            let Features { contact_time, centroid, restitution, contacts } = features;
            let values = [time(contact_time), hertz(centroid), significant(restitution, 6)];
            let deviations = deviations(&wanted.targets, &features);
            let told = values.into_iter().zip(deviations).map(|(value, part)| match part {
                Some(part) => format!("{value} ({})", percent(part)),
                None => value,
            });
            table.row([name.to_owned()].into_iter().chain(told).chain([contacts.to_string()]));
        }
        None => table.remark(name, "no release within 100 ms"),
    };
    row("designed", Some(answer.design.features));
    row("engine", answer.engine);
    row(&format!("engine, {FINER} x rate"), answer.finer);
    row("am1", answer.am1);
    if let Some((_, _, features)) = answer.fitted {
        row("log-linear fit", features);
    }
    table.render()
}

fn time(seconds: f64) -> String {
    show(seconds, "s")
}

fn hertz(frequency: f64) -> String {
    format!("{} Hz", significant(frequency, 6))
}
