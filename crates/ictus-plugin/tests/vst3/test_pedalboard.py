"""VST3 in pedalboard."""

import os
import subprocess
import sys

import numpy
import pytest

from conftest import BUNDLE, HERE, preset_of, state_of

RATE = 48_000

NOTES = [
    (0, (0x90, 60, 100)),
    (2400, (0x90, 64, 1)),
    (6000, (0x91, 67, 127)),
    (7200, (0x80, 60, 0)),
    (9600, (0x90, 60, 30)),
    (15_600, (0x80, 60, 0)),
    (16_800, (0x81, 67, 0)),
    (18_000, (0x80, 64, 0)),
]

# JUCE, of which both hosts are made, tells a VST3 plugin of controllers at the start of a block. Both blocks of 512 and of fewer begin here.
CONTROLLERS = [
    (0, (0xB0, 64, 127)),
    (12_800, (0xB0, 64, 0)),
    (12_800, (0xB0, 11, 90)),
    (12_800, (0xE0, 0x12, 0x5A)),
]


def piece(block):
    return sorted(NOTES + CONTROLLERS[: 0 if block > 512 else None], key=lambda said: said[0])


def played(plugin, messages, rate, frames, block, channels=2):
    # In the middle of its sample, so that rounding does not make it another.
    timed = [(bytes(message), (at + 0.5) / rate) for at, message in messages]
    return plugin.process(timed, duration=frames / rate, sample_rate=rate, num_channels=channels, buffer_size=block, reset=False)


@pytest.mark.parametrize("block", [1, 64, 100, 512, 8192])
def test_a_performance_is_a_render_to_the_bit(loaded, render, block):
    frames = 24_000
    expected = render("bowed-bar", piece(block), RATE, frames)
    heard = played(loaded("bowed-bar"), piece(block), RATE, frames, block)
    assert numpy.abs(expected).max() > 1e-3
    assert heard.dtype == numpy.float32 and heard.shape == expected.shape
    differ = numpy.flatnonzero((heard != expected).any(axis=0))
    assert differ.size == 0, f"from sample {differ[0]}"


# A key that the scene has, and the rate in Hz: struck, bowed, plucked things; the first and the last rate there are, and those between.
@pytest.mark.parametrize(
    ("name", "key", "rate"),
    [
        ("vibraphone", 60, 8000),
        ("bowed-bar", 60, 22_050),
        ("kalimba", 60, 44_100),
        ("harp", 60, 88_200),
        ("bowed-string", 36, 96_000),
        ("gong", 60, 48_000),
        ("xylophone", 72, 192_000),
        ("vibraphone", 60, 384_000),
    ],
)
def test_scenes_and_rates_are_renders_to_the_bit(loaded, render, name, key, rate):
    messages = [(0, (0x90, key, 100))]
    # At the end of a file all keys come up: that is after the end here.
    expected = render(name, [*messages, (rate, (0x80, key, 0))], rate, 4800)
    heard = played(loaded(name), messages, rate, 4800, 512)
    assert numpy.abs(expected).max() > 1e-4
    differ = numpy.flatnonzero((heard != expected).any(axis=0))
    assert differ.size == 0, f"from sample {differ[0]}"


STEMS = HERE.parent / "scenes/stems.toml"


@pytest.mark.parametrize("block", [64, 512])
def test_stems_are_the_channels_of_the_scene(loaded, render, block):
    messages = [(0, (0x90, 60, 100)), (2400, (0x90, 62, 60))]
    expected = render(STEMS, messages, RATE, 9600)
    assert len(expected) == 3 and numpy.abs(expected[:2]).max(axis=1).min() > 1e-3
    heard = played(loaded("three", STEMS.read_text(), "ictus stems"), messages, RATE, 9600, block, channels=16)
    assert (heard[:3] == expected).all() and (heard[3:] == 0).all()


def test_a_scene_is_saved_and_comes_back(loaded):
    first = loaded("bowed-bar")
    state = first.raw_state
    expected = played(first, NOTES, RATE, 9600, 512)
    other = loaded()
    other.raw_state = state
    assert (played(other, NOTES, RATE, 9600, 512) == expected).all()
    assert other.raw_state == state


def test_a_scene_that_cannot_be_read_is_silent(loaded):
    plugin = loaded("broken", text="ictus = 1\n[objects.string]\nkind = 'strnig'\n")
    assert (played(plugin, NOTES, RATE, 9600, 512) == 0).all()


SAYS = """
import sys
import numpy, pedalboard
from pedalboard import _pedalboard
_pedalboard._PythonExternalPluginMixin._get_parameters = lambda self: {}
plugin = pedalboard.load_plugin(sys.argv[1], plugin_name="ictus")
plugin.load_preset(sys.argv[2])
sound = plugin.process([(bytes((0x90, 60, 100)), 0.0)], duration=0.1, sample_rate=float(sys.argv[3]), num_channels=2, reset=False)
print(numpy.abs(sound).max())
"""


@pytest.mark.parametrize(
    ("text", "rate", "words"),
    [
        ("ictus = 1\n[objects.string]\nkind = 'strnig'\n", RATE, ["strnig", "string"]),
        ((HERE.parent / "scenes/fast.toml").read_text(), 8000, ["mass", "6000"]),
    ],
)
def test_what_cannot_be_played_is_silent_and_says_why(tmp_path, text, rate, words):
    preset = tmp_path / "broken.vstpreset"
    preset.write_bytes(preset_of(state_of("broken", text)))
    command = [sys.executable, "-c", SAYS, BUNDLE, preset, str(rate)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NICE_LOG": "stderr"}, timeout=120)
    assert done.returncode == 0 and float(done.stdout) == 0, done.stderr
    assert "broken is silent" in done.stderr and all(word in done.stderr for word in words), done.stderr


def test_all_three_plugins_are_there(loaded):
    for name, is_instrument in [("ictus", True), ("ictus stems", True), ("ictus resonator", False)]:
        plugin = loaded(plugin=name)
        assert plugin.name == name and plugin.is_instrument == is_instrument


def test_the_resonator_is_driven(loaded):
    plugin = loaded(plugin="ictus resonator")
    tone = numpy.sin(numpy.arange(RATE // 2) * 0.03).astype(numpy.float32) * 0.5
    heard = plugin.process(numpy.stack([tone, tone]), RATE, reset=False)
    assert numpy.isfinite(heard).all() and numpy.abs(heard).max() > 1e-3


def test_knobs_have_names_and_values(loaded):
    plugin = loaded("bowed-bar")
    played(plugin, [], RATE, 480, 512)
    knobs = {parameter.name: parameter for parameter in plugin._parameters}
    words = knobs["Control 1"].get_text_for_raw_value(0.5)
    assert words.startswith("bow force") and words.endswith(" N"), words
