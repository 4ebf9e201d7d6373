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
        "ictus = 1\ntitle = \"{name}\"\nabout = \"Fitted to a recording: {} modes.\"\nduration = \"{} s\"\n\n",
        fit.modes.len(),
        figure((0.1 + longest * 1.1 + 0.7 * (count as f64 - 1.0)).min(60.0))
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
    point(&instrument.velocity_weights);
    point(&instrument.displacement_weights);
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
            "\n[exciters.{}]\nkind = \"hammer\"\non = \"body#{}\"\nmass = {}\nvelocity = {}\nlaw = \"hunt-crossley\"\nstiffness = {}\nexponent = {}\ndissipation = {}\n",
            tool(r),
            3 + r,
            figure(assumed.mallet),
            figure(mallet.velocity),
            figure(mallet.stiffness),
            figure(assumed.exponent),
            figure(mallet.dissipation),
        );
    }
    // In the middle of two channels each has the part 1/√2: one of them shall be as loud as the recording.
    let gain = figure(std::f64::consts::SQRT_2 * instrument.gain);
    let _ = write!(text, "\n[pickups.velocity]\nat = \"body#1\"\nlisten = \"velocity\"\ngain = {gain}\n");
    let _ = write!(text, "\n[pickups.displacement]\nat = \"body#2\"\nlisten = \"displacement\"\ngain = {gain}\n");
    if answer.residual {
        text += &residual(answer);
    }
    for r in 0..count {
        let time = figure(0.1 + 0.7 * r as f64);
        let _ = write!(text, "\n[[events]]\ntime = {time}\nstrike = \"{}\"\n", tool(r));
        if answer.residual && r == 0 {
            let take = &fit.takes[0];
            let later = take.free - take.contact.map_or(take.onset, |contact| contact.start);
            let _ = write!(text, "\n[[events]]\ntime = {}\ntrigger = \"noise\"\n", figure(0.1 + later.max(0.0)));
        }
    }
    text
}

fn contact(answer: &Answer) -> String {
    match answer.fit.takes[0].contact {
        Some(contact) => format!(",\n# and a contact of {} ms", significant(1e3 * contact.time, 3)),
        None => ",\n# and no contact time that could be told: a short one is taken".to_owned(),
    }
}

fn tool(take: usize) -> String {
    if take == 0 { "mallet".to_owned() } else { format!("mallet-{}", take + 1) }
}

/// What the modes leave of the first recording, as the force on a mass that is heard as it is.
fn residual(answer: &Answer) -> String {
    let mut rest = answer.rest(0);
    let rate = answer.fit.rate;
    rest.truncate((RESIDUAL * rate) as usize);
    let fade = ((FADE * rate) as usize).min(rest.len());
    let end = rest.len();
    for (n, y) in rest[end - fade..].iter_mut().enumerate() {
        *y *= 1.0 - (n + 1) as f64 / fade as f64;
    }
    let numbers: Vec<String> = rest.iter().map(|y| format!("{y:.3e}")).collect();
    let lines: Vec<String> = numbers.chunks(16).map(|line| format!("  {},\n", line.join(", "))).collect();
    format!(
        "\n# What the modes leave: the noise of the stroke, at {rate} samples a second.\n[objects.air]\nkind = \"mass\"\nmass = 1\n\n\
         [exciters.noise]\nkind = \"signal\"\non = \"air\"\nlevel = 1\nsamples = [\n{}]\n\n[pickups.noise-heard]\nat = \"air\"\nlisten = \"acceleration\"\n",
        lines.concat()
    )
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
