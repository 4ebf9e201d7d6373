//! What was measured as text.

use std::fmt::Write as _;
use std::path::Path;

use ictus_analysis::{CentroidFrame, Levels, MeasuredPartial, Measures};
use ictus_lab::measure::{Answer, decibels, note};

use crate::quantity::{show, significant};
use crate::table::{Align, HEADING, NOTE, Table, styled};

/// What stands where there is nothing.
const NOTHING: &str = "-";

/// Times in s from the onset at which the centroid is told.
const TIMES: [f64; 9] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0];

/// Clicks told one by one.
const CLICKS: usize = 8;

/// The whole report.
pub fn text(path: &Path, answer: &Answer) -> String {
    let Answer { sound, measures, from } = answer;
    let rate = f64::from(sound.rate);
    let frames = sound.channels.first().map_or(0, Vec::len);
    let many = if sound.channels.len() == 1 { "" } else { "s" };
    let stored = match (sound.bits, sound.is_float) {
        (0, _) => String::new(),
        (bits, true) => format!("{bits} float, "),
        (bits, false) => format!("{bits} bits, "),
    };
    let part = if *from > 0.0 { format!(" from {}", show(*from, "s")) } else { String::new() };
    let mut text = format!(
        "{}  {}{part}, {} channel{many}, {}, {stored}{}\n",
        styled(HEADING, &path.display().to_string()),
        show(frames as f64 / rate, "s"),
        sound.channels.len(),
        show(rate, "Hz"),
        sound.format
    );
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{}  {value}", styled(HEADING, &format!("{name:<9}")));
    };
    levels(&measures.levels, &mut line);
    if let Some(stereo) = measures.stereo {
        let told =
            |value: Option<f64>, digits: usize| value.map_or(NOTHING.to_owned(), |value| format!("{value:.digits$}"));
        let mono = if stereo.is_mono { "; both channels are the same" } else { "" };
        let balance = told(stereo.balance.and_then(decibels), 1);
        line("stereo", format!("correlation {}, left {balance} dB over right{mono}", told(stereo.correlation, 3)));
    }
    let Some(onset) = measures.onset else {
        line("silence", "nothing to measure".to_owned());
        return text;
    };
    let attack = measures.attack.map_or(NOTHING.to_owned(), |attack| show(attack, "s"));
    line("attack", format!("{attack} from a tenth to nine tenths of the peak, after {} of silence", show(onset, "s")));
    pitch(measures, &mut line);
    line("centroid", centroid(&measures.centroid));
    line("clicks", clicks(measures));
    text.push('\n');
    if measures.partials.is_empty() {
        text.push_str("no partials stand out\n");
        return text;
    }
    text.push_str(&table(measures));
    text.push_str(&styled(
        NOTE,
        "level: where the decay begins, 0 dB is full scale. n: harmonic number, or the nearest. cents: from n times the first partial. T60: time to fall by 60 dB;\n\
         early and late where there are two stages, the second from the knee on (dB below the start). fall: how far it was followed.\n",
    ));
    text
}

fn level(amplitude: f64) -> String {
    decibels(amplitude).map_or("-∞".to_owned(), |level| format!("{level:.1}"))
}

fn levels(levels: &Levels, line: &mut impl FnMut(&str, String)) {
    let loudness = levels.loudness.map_or(NOTHING.to_owned(), |lufs| format!("{lufs:.1}"));
    let (peak, true_peak, rms) = (level(levels.peak), level(levels.true_peak), level(levels.rms));
    line("level", format!("peak {peak} dBFS (between samples {true_peak}), rms {rms} dBFS, {loudness} LUFS"));
    let offsets: Vec<String> = levels.offsets.iter().map(|offset| level(*offset)).collect();
    let above =
        levels.above_20_khz.map(|share| format!(", above 20 kHz {} dB", level(share.sqrt()))).unwrap_or_default();
    let near = level(levels.near_nyquist.sqrt());
    line("spectrum", format!("offset {} dBFS; energy near half the rate {near} dB{above} of all", offsets.join(", ")));
    let ends = [levels.start, levels.end].map(|end| level(end / levels.peak.max(f64::MIN_POSITIVE)));
    let clipped = if levels.clipped == 0 { "none clipped".to_owned() } else { format!("{} CLIPPED", levels.clipped) };
    line("samples", format!("{clipped}; first and last millisecond {} and {} dB of the peak", ends[0], ends[1]));
}

fn pitch(measures: &Measures, line: &mut impl FnMut(&str, String)) {
    let Some(harmonics) = &measures.harmonics else { return };
    let Some(pitch) = harmonics.pitch else {
        line("pitch", "nothing repeats".to_owned());
        return;
    };
    let name = note(pitch).map(|note| format!(", {} {:+.1} cents", note.name, note.cents)).unwrap_or_default();
    let stiff = match (harmonics.inharmonicity, harmonics.error) {
        (Some(b), Some(error)) => {
            format!("; B = {}, {} partials within {error:.2} cents", significant(b, 3), harmonics.followers)
        }
        _ => String::new(),
    };
    line("pitch", format!("{} Hz{name}{stiff}", significant(pitch, 7)));
}

fn centroid(track: &[CentroidFrame]) -> String {
    let at = |time: f64| track.iter().rfind(|frame| frame.time <= time.max(track[0].time))?.frequency;
    let last = track.last().map_or(0.0, |frame| frame.time);
    let told = TIMES.into_iter().filter(|time| *time <= last + 1e-9);
    let told: Vec<String> =
        told.filter_map(|time| Some(format!("{:.0} Hz at {}", at(time)?, show(time, "s")))).collect();
    if told.is_empty() { NOTHING.to_owned() } else { told.join(", ") }
}

fn clicks(measures: &Measures) -> String {
    let clicks = &measures.clicks;
    if clicks.is_empty() {
        return "none".to_owned();
    }
    let told =
        clicks.iter().take(CLICKS).map(|click| format!("{} ({} dBFS)", show(click.time, "s"), level(click.size)));
    let more = if clicks.len() > CLICKS { ", …" } else { "" };
    format!("{}: {}{more}", clicks.len(), told.collect::<Vec<_>>().join(", "))
}

fn table(measures: &Measures) -> String {
    let mut table = Table::new([
        ("Hz", Align::Right),
        ("dBFS", Align::Right),
        ("ratio", Align::Right),
        ("n", Align::Right),
        ("cents", Align::Right),
        ("T60 early", Align::Right),
        ("late", Align::Right),
        ("knee", Align::Right),
        ("fall", Align::Right),
    ]);
    let reference = measures.harmonics.as_ref().map_or(1.0, |harmonics| harmonics.reference);
    for MeasuredPartial { frequency, amplitude, harmonic, deviation, decay } in &measures.partials {
        let seconds = |time: f64| show((time * 1e4).round() / 1e4, "s");
        let [early, late, knee, fall] = match decay {
            Some(decay) => [
                seconds(decay.early),
                decay.knee.map_or(NOTHING.to_owned(), |_| seconds(decay.late)),
                decay.knee.map_or(NOTHING.to_owned(), |knee| format!("{knee:.1}")),
                format!("{:.0}", decay.fall),
            ],
            None => [NOTHING; 4].map(str::to_owned),
        };
        table.row([
            format!("{frequency:.3}"),
            level(*amplitude),
            format!("{:.4}", frequency / reference),
            harmonic.map_or(NOTHING.to_owned(), |number| number.to_string()),
            deviation.map_or(NOTHING.to_owned(), |cents| format!("{cents:+.2}")),
            early,
            late,
            knee,
            fall,
        ]);
    }
    table.render()
}
