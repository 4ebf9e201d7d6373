//! The scene of a fit: its text, with what was heard and what was assumed.

use std::fmt::Write as _;

use super::{Answer, short};
use crate::quantity::significant;

/// Significant digits of fitted numbers: more than any recording tells.
const DIGITS: usize = 8;

/// Longest residual that is kept, in s.
const RESIDUAL: f64 = 0.5;

/// Longest fade at its end, in s.
const FADE: f64 = 0.02;

/// What is kept of the residual before the stroke, in s; over half of it, it is faded in.
const LEAD: f64 = 0.005;

/// When the first mallet is thrown, in s.
const FIRST: f64 = 0.1;

/// From one mallet's throw to the next, in s.
const NEXT: f64 = 0.7;

/// Samples from throwing a mallet to its touch: it touches at a sample, as it did in what was fitted.
const FLIGHT: usize = 48;

/// Where else than at the struck place the object can be struck: part of the way to its other end.
const ELSEWHERE: [(&str, f64); 2] = [("a quarter on", 0.25), ("the middle", 0.5)];

/// The text.
pub fn text(answer: &Answer) -> String {
    let (fit, instrument) = (&answer.fit, &answer.instrument);
    let assumed = &instrument.assumed;
    let names: Vec<String> = answer.files.iter().map(|file| short(file)).collect();
    let longest = fit.modes.iter().map(|mode| mode.t60).fold(0.0, f64::max).clamp(0.3, 20.0);
    let count = instrument.mallets.len();
    let recorded = if names.is_empty() { "a recording".to_owned() } else { names.join(", ") };
    let name = escaped(&answer.name());
    let mut text = String::new();
    let _ = write!(
        text,
        "# Fitted to {} by `ictus fit`.\n\
         #\n\
         # Heard: {} modes (frequency, decay, amplitude and phase), which explain {:.3} % of the sound's power{}.\n\
         # Assumed, because one microphone tells amplitudes and not masses: the object has {} kg, every mode that mass and the weight 1 where it was\n\
         # struck; the mallet has {} kg and {} m/s, exponent {}, and would rebound from a wall with {} of its speed. Other\n\
         # assumptions give the same recording, but another answer to a heavier or harder mallet.\n",
        printable(&recorded),
        fit.modes.len(),
        100.0 * fit.confidence,
        contact(answer),
        figure(instrument.mass),
        figure(assumed.mallet),
        figure(assumed.velocity),
        figure(assumed.exponent),
        figure(assumed.restitution),
    );
    let _ = write!(
        text,
        "#\n\
         # Points: body#1 is heard as velocity and body#2 as displacement, which together give each mode its phase; body#3 is where it was struck"
    );
    for r in 1..count {
        let _ = write!(text, ", body#{} where it was struck in recording {}", 3 + r, r + 1);
    }
    let _ = write!(
        text,
        ".\n# Assumed too: body#{} and body#{} are {} and {}, if the n-th mode moves as cos(n π x) at x of the way from the struck end.\n\n",
        3 + count,
        4 + count,
        ELSEWHERE[0].0,
        ELSEWHERE[1].0
    );
    let _ = write!(
        text,
        "ictus = 1\ntitle = \"{name}\"\nabout = \"Fitted to a recording: {} modes.\"\nrate = {}\nduration = \"{} s\"\n\n\
         [output]\nchannels = 1\nhighpass = 0\n\n",
        fit.modes.len(),
        figure(instrument.rate),
        figure((FIRST + longest * 1.1 + NEXT * (count as f64 - 1.0)).min(60.0))
    );
    text += "[objects.body]\nkind = \"modal\"\nmodes = [\n";
    for [frequency, t60] in &instrument.modes {
        let (frequency, t60) = (figure(*frequency), figure(*t60));
        let _ = writeln!(text, "  {{ frequency = {frequency}, t60 = {t60}, mass = {} }},", figure(instrument.mass));
    }
    text += "]\npoints = [\n";
    let mut point = |weights: &[f64]| {
        let numbers: Vec<String> = weights.iter().map(|weight| figure(*weight)).collect();
        let _ = writeln!(text, "  [{}],", numbers.join(", "));
    };
    instrument.heard.iter().for_each(|weights| point(weights));
    instrument.mallets.iter().for_each(|mallet| point(&mallet.weights));
    for (_, place) in ELSEWHERE {
        let shape = |n: usize| (std::f64::consts::PI * (n + 1) as f64 * place).cos();
        // In the middle every other mode stands still; to the last bit it does not.
        let weights: Vec<f64> = (0..fit.modes.len()).map(shape).map(|w| if w.abs() < 1e-9 { 0.0 } else { w }).collect();
        point(&weights);
    }
    text += "]\n";
    for (r, mallet) in instrument.mallets.iter().enumerate() {
        let _ = write!(
            text,
            "\n[exciters.{}]\nkind = \"hammer\"\non = \"body#{}\"\nmass = {}\nvelocity = {}\nclearance = {}\nlaw = \"hunt-crossley\"\nstiffness = {}\nexponent = {}\ndissipation = {}\n",
            tool(r),
            3 + r,
            figure(assumed.mallet),
            figure(mallet.velocity),
            exact(mallet.velocity * FLIGHT as f64 / instrument.rate),
            figure(mallet.stiffness),
            figure(assumed.exponent),
            figure(mallet.dissipation),
        );
    }
    for (name, point, gain) in [("velocity", 1, instrument.gains[0]), ("displacement", 2, instrument.gains[1])] {
        let gain = figure(gain);
        let _ = write!(text, "\n[pickups.{name}]\nat = \"body#{point}\"\nlisten = \"{name}\"\ngain = {gain}\n");
    }
    let lead = ((LEAD * instrument.rate) as usize).min(instrument.mallets[0].touches);
    if answer.residual {
        text += &residual(answer, lead);
    }
    for r in 0..count {
        // Events at samples, so that what is heard lies on those of the recording.
        let thrown = ((FIRST + NEXT * r as f64) * instrument.rate).round();
        let _ = write!(text, "\n[[events]]\ntime = {}\nstrike = \"{}\"\n", exact(thrown / instrument.rate), tool(r));
        if answer.residual && r == 0 {
            let begins = thrown + FLIGHT as f64 - lead as f64;
            let _ = write!(text, "\n[[events]]\ntime = {}\ntrigger = \"noise\"\n", exact(begins / instrument.rate));
        }
    }
    text
}

fn contact(answer: &Answer) -> String {
    match answer.fit.takes[0].contact {
        Some(contact) => format!(
            ",\n# and a contact of {} ms, like one with exponent {} ± {} and restitution {} ± {}",
            significant(1e3 * contact.time, 3),
            significant(contact.exponent[0], 2),
            significant(contact.exponent[1], 1),
            significant(contact.restitution[0], 2),
            significant(contact.restitution[1], 1),
        ),
        None => ",\n# and no contact time that could be told: a short one is taken".to_owned(),
    }
}

fn tool(take: usize) -> String {
    if take == 0 { "mallet".to_owned() } else { format!("mallet-{}", take + 1) }
}

/// What the scene leaves of the first recording, as the force on a mass that is heard as it is: from `lead` samples before the touch on.
fn residual(answer: &Answer, lead: usize) -> String {
    let touches = answer.instrument.mallets[0].touches;
    let rate = answer.instrument.rate;
    let mut rest = answer.recordings[0][touches - lead..].to_vec();
    rest.truncate(lead + (RESIDUAL * rate) as usize);
    rest[lead..].iter_mut().zip(answer.played(0)).for_each(|(y, played)| *y -= played);
    rest[..lead / 2].iter_mut().enumerate().for_each(|(n, y)| *y *= (n + 1) as f64 / (lead / 2) as f64);
    let fade = ((FADE * rate) as usize).min(rest.len());
    let end = rest.len();
    for (n, y) in rest[end - fade..].iter_mut().enumerate() {
        *y *= 1.0 - (n + 1) as f64 / fade as f64;
    }
    let numbers: Vec<String> = rest.iter().map(|y| format!("{y:.3e}")).collect();
    let lines: Vec<String> = numbers.chunks(16).map(|line| format!("  {},\n", line.join(", "))).collect();
    format!(
        "\n# What the modes leave, the noise of the stroke among it.\n[objects.air]\nkind = \"mass\"\nmass = 1\n\n\
         [exciters.noise]\nkind = \"signal\"\non = \"air\"\nlevel = 1\nsamples = [\n{}]\n\n[pickups.noise-heard]\nat = \"air\"\nlisten = \"acceleration\"\n",
        lines.concat()
    )
}

/// With all digits that a number has.
fn exact(value: f64) -> String {
    significant(value, 17)
}

fn figure(value: f64) -> String {
    significant(value, DIGITS)
}

/// Without what would end a comment.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
            c => c.to_string(),
        })
        .collect()
}
