//! The files that tell a sampler which sample to play: SFZ, Decent Sampler, and a list for people and programs.
//!
//! SFZ as in <https://sfzformat.com>: `amp_veltrack=0`, since the level of a stroke is in its sample; `loop_mode=one_shot` where nothing damps,
//! so that a note rings on as the instrument does.

use std::fmt::Write as _;

use ictus_scene::notes::key_name;

use super::plan::Plan;
use super::take::Sample;

/// The instrument for SFZ players. `release` is how long a damped note takes to end, in s.
pub fn sfz(plan: &Plan, samples: &[Sample], release: Option<f64>) -> String {
    let mut text =
        format!("// {}, made by ictus {}\n\n<global>\namp_veltrack=0\n", plan.name, env!("CARGO_PKG_VERSION"));
    text += &match release {
        Some(release) => format!("loop_mode=no_loop\nampeg_release={release:.3}\n"),
        None => "loop_mode=one_shot\n".to_owned(),
    };
    let turns = plan.scenes.len();
    for [low, high] in &plan.layers {
        let _ = write!(text, "\n<group>\nlovel={low}\nhivel={high}\n");
        if turns > 1 {
            let _ = writeln!(text, "seq_length={turns}");
        }
        for sample in samples.iter().filter(|sample| sample.velocities == [*low, *high]) {
            let Sample { file, take, zone: [low, high], .. } = sample;
            let turn = if turns > 1 { format!(" seq_position={}", take.turn + 1) } else { String::new() };
            // A name may have spaces in it: it is written last, up to the end of the line.
            let _ =
                writeln!(text, "<region> lokey={low} hikey={high} pitch_keycenter={}{turn} sample={file}", take.key);
        }
    }
    text
}

/// The instrument for Decent Sampler.
pub fn dspreset(plan: &Plan, samples: &[Sample], release: Option<f64>) -> String {
    let longest = samples.iter().map(Sample::seconds).fold(0.0, f64::max);
    let release = release.unwrap_or(longest);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {}, made by ictus {} -->\n<DecentSampler minVersion=\"1.0.0\">\n  \
         <groups ampVelTrack=\"0\" attack=\"0\" sustain=\"1\" release=\"{release:.3}\">\n",
        escaped(&plan.name).replace("--", "- -"),
        env!("CARGO_PKG_VERSION")
    );
    let turns = plan.scenes.len();
    for layer in &plan.layers {
        let mode = if turns > 1 { format!(" seqMode=\"round_robin\" seqLength=\"{turns}\"") } else { String::new() };
        let _ = writeln!(text, "    <group loVel=\"{}\" hiVel=\"{}\"{mode}>", layer[0], layer[1]);
        for sample in samples.iter().filter(|sample| sample.velocities == *layer) {
            let Sample { file, take, zone: [low, high], .. } = sample;
            let turn = if turns > 1 { format!(" seqPosition=\"{}\"", take.turn + 1) } else { String::new() };
            let _ = writeln!(
                text,
                "      <sample path=\"{}\" rootNote=\"{}\" loNote=\"{low}\" hiNote=\"{high}\" loVel=\"{}\" hiVel=\"{}\" loopEnabled=\"false\"{turn}/>",
                escaped(file),
                take.key,
                layer[0],
                layer[1],
            );
        }
        text += "    </group>\n";
    }
    text + "  </groups>\n</DecentSampler>\n"
}

/// One row for each sample.
pub fn listing(samples: &[Sample]) -> String {
    let mut text = "file,note,key,low_key,high_key,low_velocity,high_velocity,turn,seed,seconds,peak_dbfs\n".to_owned();
    for sample in samples {
        let Sample { take, zone, velocities, file, seed, peak, .. } = sample;
        let file = if file.contains([',', '"']) { format!("\"{}\"", file.replace('"', "\"\"")) } else { file.clone() };
        let _ = writeln!(
            text,
            "{file},{},{},{},{},{},{},{},{seed},{:.4},{:.2}",
            key_name(take.key),
            take.key,
            zone[0],
            zone[1],
            velocities[0],
            velocities[1],
            take.turn + 1,
            sample.seconds(),
            20.0 * peak.log10(),
        );
    }
    text
}

/// A text inside XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
