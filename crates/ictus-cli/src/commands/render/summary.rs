//! What the user is told about a render.

use std::io::Write as _;

use anstyle::{AnsiColor, Style};
use ictus_render::report::open_account;

use super::piece::Piece;
use super::plan::{Level, Plan};
use super::play::Take;
use super::report::Measured;
use crate::error::{self, shown};
use crate::quantity::significant;
use crate::sinks::sound::Depth;
use crate::table::{HEADING, styled};

/// A few lines: the file, the level, the physics, the speed.
pub fn text(plan: &Plan, take: &Take, measured: &Measured) -> String {
    let seconds = take.sound.frames() as f64 / f64::from(plan.extent.rate);
    let channels =
        if plan.extent.channels == 1 { "1 channel".to_owned() } else { format!("{} channels", plan.extent.channels) };
    let rate = significant(f64::from(plan.extent.rate) / 1000.0, 6);
    let oversampled =
        if plan.oversample > 1 { format!(" (computed at {} times that rate)", plan.oversample) } else { String::new() };
    let lufs = measured.lufs.map_or("loudness not measured".to_owned(), |lufs| format!("{lufs:.1} LUFS"));
    let energy = take.played.energy.as_ref().map_or("no energy account".to_owned(), |account| {
        format!("energy residual {:.1e}", account.balance.residual())
    });
    let contacts = match take.played.contacts.count + take.played.contacts.missed {
        1 => "1 contact".to_owned(),
        count => format!("{count} contacts"),
    };
    format!(
        "{}  {} s, {channels}, {rate} kHz{oversampled}, {}\n  peak {}, {lufs}\n  {contacts}, {energy}\n  {} × real time\n",
        styled(HEADING, &shown(&plan.output.display().to_string())),
        significant(seconds, 4),
        plan.depth.name(),
        dbfs(measured.peak),
        significant(measured.realtime_factor, 3),
    )
}

fn dbfs(peak: f64) -> String {
    // Rounded before it is written: there is no -0.0 dBFS.
    let decibels = (200.0 * peak.log10()).round() / 10.0 + 0.0;
    if peak > 0.0 { format!("{decibels:.1} dBFS") } else { "none: silence".to_owned() }
}

/// Says on standard error what the file does not hold.
pub fn warn(plan: &Plan, warnings: &[String]) {
    if let Some(silent) = plan.piece.as_ref().and_then(Piece::silent_notes) {
        let style = Style::new().bold().fg_color(Some(AnsiColor::Cyan.into()));
        let _ = writeln!(anstream::stderr(), "{style}note:{style:#} {}: {silent}", shown(&plan.name));
    }
    warnings.iter().for_each(|warning| error::warn(warning));
}

/// What the user should know of a render: that it is silent, that its account is open, that it exceeds full scale.
pub fn warnings(plan: &Plan, take: &Take, measured: &Measured) -> Vec<String> {
    let residual = take.played.energy.as_ref().map(|account| account.balance.residual());
    [
        plan.piece.as_ref().map_or_else(Vec::new, |piece| piece.warnings.clone()),
        plan.warnings.clone(),
        open_account(&shown(&plan.name), residual).into_iter().collect(),
        excess(plan, measured).into_iter().collect(),
    ]
    .concat()
}

/// By how much the sound exceeds full scale.
fn excess(plan: &Plan, measured: &Measured) -> Option<String> {
    // Just under a step of 16 bits below full scale is still held.
    if measured.peak <= 1.0 || matches!(plan.level, Level::Peak(_)) {
        return None;
    }
    let excess = 20.0 * measured.peak.log10();
    // Rounded up, so that doing as told is enough.
    let less = (excess * 10.0).ceil() / 10.0;
    let gain = match plan.level {
        Level::Gain(decibels) => decibels - less,
        Level::Peak(_) => -less,
    };
    let fact = match plan.depth {
        Depth::Float32 => "exceeds full scale",
        Depth::Int16 | Depth::Int24 => "clips",
    };
    let file = shown(&plan.output.display().to_string());
    Some(format!("{file} {fact} by {excess:.1} dB: use --gain {gain:.1} or --normalize"))
}
