"""An instrument of a recorded impact."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _ictus
from ._measure import Sound, samples
from ._quantity import Quantity, told
from ._scene import Scene
from ._written import whole

_OF_MODE = ("frequency", "frequency_error", "t60", "t60_error", "amplitude_error", "stands", "confidence")
_OF_RECORDING = ("level", "phase")


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """What a recorded impact was made of. Made by `ictus.fit`."""

    __module__ = "ictus"

    scene: Scene | None
    """The instrument, which sounds like the recording and can be struck elsewhere, harder, with another mallet; none if the modes are not to be trusted."""
    refusal: str | None
    """Why there is no scene, if there is none: what the sound is instead of an impact."""
    modes: NDArray[np.void]
    """A row for each mode, ascending: frequency (Hz), t60 (s), their errors of one standard deviation, level (dB, 0 being full scale) and phase (rad; of
    several recordings one of each), amplitude_error, stands (dB above what is beside it), confidence (0 to 1)."""
    confidence: float
    """Part of the sound's power that the modes explain, 0 to 1."""
    text: str
    """The text of the scene, with what was heard and what was assumed; also of one that is refused."""
    report: dict[str, Any]
    """The document of `ictus fit --json`: recordings, modes, mallets."""

    def __repr__(self) -> str:
        refused = "" if self.refusal is None else ", refused"
        return f"<ictus.Fit: {len(self.modes)} modes explain {100 * self.confidence:.4g} % of the sound{refused}>"


def fit(
    sound: Sound,
    sr: float | None = None,
    *,
    more: Sequence[Sound] = (),
    start: Quantity = 0.0,
    stop: Quantity | None = None,
    modes: int = 200,
    lowest: Quantity = 20.0,
    mass: Quantity | None = None,
    mallet: Quantity = "10 g",
    velocity: Quantity = 1.0,
    exponent: Quantity = 1.5,
    restitution: Quantity = 0.8,
    confidence: Quantity = 0.7,
    residual: bool = False,
) -> Fit:
    """From a recorded impact to an instrument: its modes and its mallet, as a scene (docs/fit.md).

    sound: samples, (frames,) or (channels, frames), with `sr`, their rate in Hz; a `Result`; or files, with a path.
    more: further recordings of the same object, struck elsewhere or with other strengths: they share its modes.
    start, stop: the part of each that is fitted, in s.
    modes: how many at most.
    lowest: lowest frequency of a mode in Hz.
    mass: mass of the object in kg; 20 mallets for each mode, at least 1 kg, unless it is said. One microphone tells no masses.
    mallet, velocity, exponent, restitution: what is assumed of the mallet: mass in kg, velocity in m/s, and its contact.
    confidence: part of the sound's power that the modes must explain; below it there is no scene but a `refusal`.
    residual: keep what the modes leave, the noise of the stroke, as a signal of the scene.

    A sound that is silent, clipped, too short or without an impact is a `Problem` that says so.
    """
    if isinstance(modes, bool) or not hasattr(modes, "__index__"):
        raise TypeError(f"modes must be a whole number, not {type(modes).__name__}")
    if not isinstance(residual, bool):
        raise TypeError(f"residual must be True or False, not {type(residual).__name__}")
    asked = (
        told(start, "start"),
        None if stop is None else told(stop, "stop"),
        str(modes.__index__()),
        told(lowest, "lowest"),
        None if mass is None else told(mass, "mass"),
        told(mallet, "mallet"),
        told(velocity, "velocity"),
        told(exponent, "exponent"),
        told(restitution, "restitution"),
        told(confidence, "confidence"),
        residual,
    )
    sounds: list[Any] = [sound, *more]
    if all(isinstance(each, (str, os.PathLike)) for each in sounds):
        if sr is not None:
            raise TypeError("sr is for samples: a file knows its own")
        document, text, refusal = _ictus.fit_files([whole(each) if isinstance(each, str) else each for each in sounds], asked)
        name = Path(os.fspath(sounds[0])).stem
    else:
        name = "recording"
        document, text, refusal = _of_samples(name, sounds, sr, start, stop, asked)
    report: dict[str, Any] = json.loads(document)
    scene = None if refusal is not None else Scene(text, f"{name}.toml")
    return Fit(scene, refusal, _table(report["modes"]), float(report["confidence"]), text, report)


def _of_samples(name: str, sounds: list[Any], sr: float | None, start: Any, stop: Any, asked: Any) -> tuple[str, str, str | None]:
    taken, rates = [], set()
    for each in sounds:
        if isinstance(each, (str, os.PathLike)):
            raise TypeError("recordings are all files, or all samples")
        # The native fit cuts files; samples are cut here, where their rate is known.
        if isinstance(start, str) or isinstance(stop, str):
            raise TypeError("start and stop of samples are numbers in s")
        channels, rate = samples(each, sr if not hasattr(each, "audio") else None)
        first = max(0, _frame(start, rate, channels.shape[1]))
        last = channels.shape[1] if stop is None else _frame(stop, rate, channels.shape[1])
        taken.append(np.ascontiguousarray(channels[:, first:last].mean(axis=0)) if first < last else np.zeros(0))
        rates.add(float(rate))
    if len(rates) > 1:
        raise _ictus.Problem(f"recordings of one object must have one rate, not {' and '.join(f'{rate:g}' for rate in sorted(rates))} Hz")
    return _ictus.fit_samples(name, taken, rates.pop(), asked)


def _frame(time: Any, rate: float, frames: int) -> int:
    at = float(time) * rate
    return frames if not at < frames else int(at) if at > 0 else 0


def _table(modes: list[dict[str, Any]]) -> NDArray[np.void]:
    recordings = len(modes[0]["level"]) if modes else 1
    shape: tuple[int, ...] = () if recordings == 1 else (recordings,)
    columns: list[tuple[str, Any, tuple[int, ...]]] = [(name, np.float64, ()) for name in _OF_MODE]
    columns[4:4] = [(name, np.float64, shape) for name in _OF_RECORDING]
    table = np.zeros(len(modes), dtype=columns)
    for row, mode in zip(table, modes):
        for name in _OF_MODE:
            row[name] = np.nan if mode[name] is None else mode[name]
        for name in _OF_RECORDING:
            values = [np.nan if value is None else value for value in mode[name]]
            row[name] = values[0] if recordings == 1 else values
    return table
