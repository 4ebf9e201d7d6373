//! What was fitted as text.

use std::fmt::Write as _;

use ictus_lab::fit::{Answer, LIKE};
use ictus_lab::measure::decibels;

use crate::quantity::{show, significant};
use crate::table::{Align, HEADING, NOTE, Table, styled};

/// The whole report.
pub fn text(answer: &Answer) -> String {
    let (fit, instrument) = (&answer.fit, &answer.instrument);
    let mut text = String::new();
    for (r, take) in fit.takes.iter().enumerate() {
        let file = answer.files.get(r).map_or_else(String::new, |file| file.display().to_string());
        let contact = match take.contact {
            Some(contact) => {
                format!(
                    "contact {} (±{:.0} %), like exponent {} ± {} and restitution {} ± {}",
                    show(contact.time, "s"),
                    (100.0 * contact.error).min(999.0),
                    significant(contact.exponent[0], 3),
                    significant(contact.exponent[1], 2),
                    significant(contact.restitution[0], 3),
                    significant(contact.restitution[1], 2),
                )
            }
            None => "the stroke is too short, or too noisy, to tell a contact time".to_owned(),
        };
        let noise = decibels(take.noise).map_or("-∞".to_owned(), |level| format!("{level:.0}"));
        let _ = writeln!(
            text,
            "{}  struck at {}, {contact}; modes explain {:.3} %, noise {noise} dBFS",
            styled(HEADING, &file),
            show(take.onset, "s"),
            100.0 * take.explained,
        );
        let like = answer.likeness(r);
        let _ = writeln!(
            text,
            "the scene, without a residual: within {LIKE} dB in {:.0} % of {} third-octaves over time; median {:.1} dB, p95 {:.1} dB",
            100.0 * like.within,
            like.cells,
            like.median,
            like.p95,
        );
    }
    text.push('\n');
    let mut table = Table::new([
        ("Hz", Align::Right),
        ("±", Align::Right),
        ("T60", Align::Right),
        ("± %", Align::Right),
        ("dBFS", Align::Right),
        ("stands dB", Align::Right),
        ("confidence", Align::Right),
    ]);
    for mode in &fit.modes {
        let loudest = mode.amplitudes.iter().map(|c| c.norm()).fold(0.0, f64::max);
        table.row([
            format!("{:.3}", mode.frequency),
            significant(mode.frequency_error, 2),
            show((mode.t60 * 1e5).round() / 1e5, "s"),
            format!("{:.2}", 100.0 * mode.t60_error),
            decibels(loudest).map_or("-∞".to_owned(), |level| format!("{level:.1}")),
            format!("{:.0}", mode.stands),
            format!("{:.2}", mode.confidence),
        ]);
    }
    text += &table.render();
    let mallet = &instrument.mallets[0];
    let assumed = &instrument.assumed;
    text += &styled(
        NOTE,
        &format!(
            "±: one standard deviation. stands: energy over its uncertainty. confidence: part of the power around the mode that is explained, less what is unsure of its decay.\n\
             Assumed: object {}, mallet {}, {} m/s, exponent {}. It follows: stiffness {} N/m^{}, dissipation {} s/m.\n",
            show(1e3 * instrument.mass, "g"),
            show(1e3 * assumed.mallet, "g"),
            significant(mallet.velocity, 4),
            significant(assumed.exponent, 4),
            significant(mallet.stiffness, 4),
            significant(assumed.exponent, 4),
            significant(mallet.dissipation, 4),
        ),
    );
    text
}
