"""A recorded impact made an instrument: what went in comes back."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ictus

RATE = 48_000
MODES = ((440.0, 0.9, 0.4), (1234.5, 0.5, 0.25))
"""Frequency in Hz, T60 in s and amplitude."""


def knock(seconds: float = 2.0, before: float = 0.1, noise: float = 1e-4, modes: Any = MODES) -> np.ndarray:
    """Two modes struck by half a sine of 1 ms, and a little noise."""
    time = np.arange(int(seconds * RATE)) / RATE
    force = np.sin(np.pi * np.arange(48) / 48)
    force /= force.sum()
    ringing = sum(a * np.sin(2 * np.pi * f * time) * 10 ** (-3 * time / t60) for f, t60, a in modes)
    sound = np.convolve(ringing, force)[: len(time)]
    sound = np.concatenate([np.zeros(int(before * RATE)), sound])
    return sound + noise * np.random.default_rng(1).standard_normal(len(sound))


def test_a_knock_of_two_modes_comes_back() -> None:
    fitted = ictus.fit(knock(), RATE)
    assert fitted.refusal is None and fitted.scene is not None and fitted.confidence > 0.99
    loud = fitted.modes[fitted.modes["level"] > fitted.modes["level"].max() - 40]
    assert len(loud) == 2 and (loud["confidence"] > 0.9).all()
    for row, (frequency, t60, _) in zip(loud, MODES):
        assert abs(1200 * np.log2(row["frequency"] / frequency)) < 0.5
        assert row["t60"] == pytest.approx(t60, rel=0.03)
    # It plays, and rings as the recording does.
    result = fitted.scene.render(sr=RATE, duration=1.5)
    assert ictus.features.partial(result, near=440) == pytest.approx(440, rel=1e-3)
    assert "modes explain" in repr(fitted) and "Assumed" in fitted.text
    again = pickle.loads(pickle.dumps(fitted))
    assert again.scene == fitted.scene and np.array_equal(again.modes, fitted.modes)


def test_samples_files_and_the_program_fit_alike(tmp_path: Path, asked: Callable[..., Any]) -> None:
    from ictus import _wav

    sound = knock().astype(np.float32)[np.newaxis]
    _wav.save(tmp_path / "knock.wav", sound, RATE)
    of_samples, of_file = ictus.fit(sound, RATE), ictus.fit(tmp_path / "knock.wav")
    assert np.array_equal(of_samples.modes, of_file.modes)
    theirs = asked("fit", tmp_path / "knock.wav", "--json")
    assert json.loads(json.dumps(of_file.report)) == theirs


def test_recordings_of_one_object_share_its_modes() -> None:
    other = [(f, t60, a) for (f, t60, _), a in zip(MODES, (0.1, 0.4))]
    fitted = ictus.fit(knock(), RATE, more=[knock(modes=other)])
    assert fitted.modes["level"].shape == (len(fitted.modes), 2) and fitted.scene is not None
    assert len(fitted.report["recordings"]) == 2


def test_what_is_no_impact_says_what_it_is_instead() -> None:
    noise = 0.1 * np.random.default_rng(2).standard_normal(RATE)
    try:
        fitted = ictus.fit(noise, RATE)
    except ictus.Problem as refused:
        assert "\n" not in str(refused)
    else:
        assert fitted.scene is None and fitted.refusal is not None and "confidence" in fitted.refusal and "--" not in fitted.refusal
    for sound, told in ((np.zeros(RATE), "silent"), (np.zeros(10), ""), (np.full(RATE, np.nan), "")):
        with pytest.raises(ictus.Problem, match=f"cannot be fitted: .*{told}"):
            ictus.fit(sound, RATE)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"modes": 0}, "modes is 0, but must be"),
        ({"mallet": "10 m"}, "mallet"),
        ({"confidence": 2}, "confidence is 2"),
        ({"start": 3, "stop": 2}, "stop"),
        ({"lowest": float("nan")}, "lowest"),
    ],
)
def test_mistakes_are_one_clear_sentence_in_words_of_python(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ictus.Problem, match=told) as caught:
        ictus.fit(knock(0.3), RATE, **options)
    assert "--" not in str(caught.value)


def test_wrong_types_are_type_errors(tmp_path: Path) -> None:
    for call in (
        lambda: ictus.fit(knock(0.3)),
        lambda: ictus.fit(knock(0.3), RATE, modes="many"),  # type: ignore[arg-type]
        lambda: ictus.fit(tmp_path / "knock.wav", RATE),
        lambda: ictus.fit(knock(0.3), RATE, more=["knock.wav"]),
        lambda: ictus.fit(object(), RATE),  # type: ignore[arg-type]
    ):
        with pytest.raises((TypeError, ictus.Problem)):
            call()
