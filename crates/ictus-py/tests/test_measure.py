"""A sound measured: known answers, the program's document, bad input."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ictus

RATE = 48_000
TIME = np.arange(2 * RATE) / RATE


def string(first: float, stiffness: float, count: int) -> np.ndarray:
    """Partials of a stiff string, of amplitude 0.2/n and T60 2/√n s."""
    sound = np.zeros_like(TIME)
    for n in range(1, count + 1):
        frequency = n * first * math.sqrt((1 + stiffness * n * n) / (1 + stiffness))
        sound += 0.2 / n * np.sin(2 * np.pi * frequency * TIME + n) * 10 ** (-3 * TIME * math.sqrt(n) / 2)
    # A sound that is cut off ends with a click.
    return sound * np.minimum(1, (len(TIME) - 1 - np.arange(len(TIME))) / 480)


def test_a_stiff_string_is_measured() -> None:
    found = ictus.measure(string(196.0, 3e-4, 12), RATE)
    assert found["note"]["name"] == "G3" and abs(found["note"]["cents"]) < 1
    assert found["inharmonicity"] == pytest.approx(3e-4, rel=0.01)
    assert [partial["harmonic"] for partial in found["partials"]] == list(range(1, 13))
    for partial in found["partials"]:
        n = partial["harmonic"]
        assert partial["decay"]["t60_early"] == pytest.approx(2 / math.sqrt(n), rel=0.03)
        assert partial["level"] == pytest.approx(20 * math.log10(0.2 / n), abs=0.2)
        assert partial["deviation_cents"] == pytest.approx(600 * math.log2((1 + 3e-4 * n * n) / (1 + 3e-4)), abs=0.5)
    assert found["clicks"] == [] and found["level"]["clipped_samples"] == 0 and found["stereo"] is None


def test_a_render_a_file_and_the_program_say_the_same(hammer: ictus.Scene, asked: Callable[..., Any], tmp_path: Path) -> None:
    result = hammer.render(duration=0.8)
    result.save(tmp_path / "a.wav")
    found = ictus.measure(result)
    assert found == ictus.measure(tmp_path / "a.wav") == ictus.measure(result.audio, result.sr)
    assert found == asked("measure", tmp_path / "a.wav", "--json")
    part = ictus.measure(result, start="50 ms", stop=0.5, partials=3, range=40)
    assert part == asked("measure", tmp_path / "a.wav", "--json", "--from", "50ms", "--to", "0.5", "--partials", "3", "--range", "40")
    assert part["duration"] == pytest.approx(0.45) and len(part["partials"]) == 3
    # An A3 under a hammer of which the scene says T60 = 1 s.
    assert found["note"]["name"] == "A3" and found["partials"][0]["decay"]["t60_early"] == pytest.approx(1.0, rel=0.03)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda path: ictus.measure(path / "none.wav"), "there is no file"),
        (lambda path: ictus.measure(path), "is a folder"),
        (lambda path: ictus.measure(path / "text.wav"), "must be a WAV, FLAC, MP3 or OGG file"),
        (lambda path: ictus.measure(path / "broken.wav"), "cannot be read"),
        (lambda path: ictus.measure([math.nan], RATE), "finite"),
        (lambda path: ictus.measure([], RATE), "at least 1"),
        (lambda path: ictus.measure(np.zeros((2, 2, 2)), RATE), "1 or 2 axes"),
        (lambda path: ictus.measure([0.1], -1), "sr is -1"),
        (lambda path: ictus.measure([0.1], RATE, partials=0), "partials is 0"),
        (lambda path: ictus.measure([0.1], RATE, range=math.nan), "range is nan"),
        (lambda path: ictus.measure([0.1], RATE, start=-1), "start is -1"),
        (lambda path: ictus.measure([0.1], RATE, start=2, stop=1), "stop is 1"),
        (lambda path: ictus.measure([0.1], RATE, start="3 kg"), "start is"),
    ],
)
def test_what_cannot_be_measured_is_one_sentence(call: Callable[[Path], Any], words: str, tmp_path: Path) -> None:
    (tmp_path / "text.wav").write_text("no sound at all")
    (tmp_path / "broken.wav").write_bytes(b"RIFF\x10\0\0\0WAVEfmt ")
    with pytest.raises(ictus.Problem) as caught:
        call(tmp_path)
    assert words in str(caught.value) and "--" not in str(caught.value) and "\n" not in str(caught.value), str(caught.value)


def test_silence_is_measured_as_nothing() -> None:
    found = ictus.measure(np.zeros((2, 1000)), RATE)
    assert found["partials"] == [] and found["pitch"] is None and found["level"]["peak"] is None and found["attack"] is None
    for wrong in (None, object(), "x"):
        with pytest.raises((TypeError, ictus.Problem)):
            ictus.measure(wrong, RATE)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="is missing"):
        ictus.measure([0.1])


def test_partials_of_a_scene_of_the_gallery_are_its_modes() -> None:
    scene = ictus.load("hammered-string")
    modes = scene.instrument().modes("string")
    assert modes is not None
    found = ictus.measure(scene.render(duration=1.6, account=False), start=0.1, stop=1.6)
    assert found["clicks"] == [] and len(found["partials"]) == 40
    for partial in found["partials"]:
        mode = min(modes, key=lambda mode: abs(mode.frequency - partial["frequency"]))
        assert abs(1200 * math.log2(partial["frequency"] / mode.frequency)) < 0.05
        assert partial["decay"]["t60_early"] == partial["decay"]["t60_late"] == pytest.approx(mode.t60, rel=0.005)
    # B from the modes alone: (f_2/2)² and (f_1)² are F²(1 + 4B) and F²(1 + B).
    ratio = (modes[1].frequency / modes[0].frequency / 2) ** 2
    assert found["inharmonicity"] == pytest.approx((ratio - 1) / (4 - ratio), rel=0.005)
