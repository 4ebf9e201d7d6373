//! The keys that programs write, written wrongly: what is wrong is said in one sentence.

use ictus_scene::{Reading, Source, read};

const PARTS: &str = include_str!("../scenes/parts.toml");

/// What is said against the scene of parts with one piece of its text changed.
fn told(before: &str, after: &str) -> String {
    assert!(PARTS.contains(before), "{before}");
    let source = Source::new("parts.toml", PARTS.replacen(before, after, 1));
    let problems = read(&source, &Reading::default()).expect_err(after);
    problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("\n")
}

#[test]
fn slips_in_what_programs_write_are_told() {
    let cases = [
        ("of = \"felt\"", "of = \"flet\"", "there is no contact or force `flet`"),
        ("of = \"felt\"", "of = \"taps\"", "a hammer is `of` a contact"),
        ("of = \"felt\"", "of = \"hair\"", "`from` of this contact is not a mass"),
        ("of = \"hair\"", "of = \"felt\"", "`from` of this contact is not a barrier"),
        ("of = \"taps\"", "of = \"load\"", "this force has no `samples`"),
        ("of = \"taps\"", "of = \"pad\"", "a signal is `of` a force"),
        ("of = \"pad\"", "of = \"pad\"\nvelocity = 1", "a finger that is `of` something does not take `velocity`"),
        ("keys = [\"C3\", \"G3\"]", "keys = [\"G3\", \"C3\"]", "keys go from the lowest to the highest"),
        ("damper = \"finger\"", "damper = \"bow\"", "this is not a finger and cannot damp"),
        ("string = \"wire\"", "string = \"head\"", "`head` cannot be bent"),
        ("play = \"mallet\"", "play = \"tap\"", "these exciters are played in different units"),
        ("gains = [0.5, 0.25]", "gains = [0.5]", "there are 1 gains for 2 channels"),
        ("gains = [0.5, 0.25]", "gains = [0.5, 1]\ngain = 2", "`gains` and `gain` cannot both be given"),
        ("spacing = \"0.5 mm\", ", "", "a list of `heights` needs their `spacing`"),
        ("heights = [\"10 um\", 0, -1e-5, 2e-6]", "heights = [0]", "a surface has from 2 to"),
        ("samples = [0.5, 1, 0.25]", "samples = []", "a signal without samples"),
        ("samples = [0.5, 1, 0.25]", "samples = [1]\nshape = \"noise\"", "`samples` and `shape` cannot both be given"),
        ("everywhere = true", "everywhere = true, at = 0.5", "`everywhere` is true and stands alone"),
        ("lossless = true", "lossless = true\nt60 = 1", "`lossless` and `t60` cannot both be given"),
        ("loss_factor = [0.004, 0.1]", "loss_factor = 2", "`loss_factor` is 2, must be from 0 to 1"),
        ("bend_ratio = 1.5", "bend_ratio = 1.5\nbend = 7", "`bend_ratio` and `bend` cannot both be given"),
        ("wheel = \"1 semitone\"", "wheel = 100", "`wheel` is 100 semitones, must be from -60 to 60 semitones"),
        ("press = [\"C#4\", \"E3\"]", "press = [\"C#4\", \"X\"]", "is not a note of the keyboard"),
        ("name = \"the C sharp\"", "name = 3", "`name` cannot be a whole number"),
        (
            "[objects.edge]",
            "[sets.bars]\nnotes = [\"A4\"]\nobject.kind = \"bar\"\n[objects.edge]",
            "`bars.C#4` is a name of the set `bars`",
        ),
    ];
    for (before, after, expected) in cases {
        let told = told(before, after);
        assert!(told.contains(expected), "{after}: {told}");
    }
}
