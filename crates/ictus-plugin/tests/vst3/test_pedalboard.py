"""VST3 in pedalboard."""

import numpy
import pytest

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


def played(plugin, messages, rate, frames, block):
    # In the middle of its sample, so that rounding does not make it another.
    timed = [(bytes(message), (at + 0.5) / rate) for at, message in messages]
    return plugin.process(timed, duration=frames / rate, sample_rate=rate, num_channels=2, buffer_size=block, reset=False)


@pytest.mark.parametrize("block", [1, 64, 100, 512, 8192])
def test_a_performance_is_a_render_to_the_bit(loaded, render, block):
    frames = 24_000
    expected = render("bowed-bar", piece(block), RATE, frames)
    heard = played(loaded("bowed-bar"), piece(block), RATE, frames, block)
    assert numpy.abs(expected).max() > 1e-3
    assert heard.dtype == numpy.float32 and heard.shape == expected.shape
    differ = numpy.flatnonzero((heard != expected).any(axis=0))
    assert differ.size == 0, f"from sample {differ[0]}"


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
