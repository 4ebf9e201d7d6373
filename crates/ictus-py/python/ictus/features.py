"""Measures of sounds, many at a time.

Every function takes one sound (frames,) and gives a number, or many (…, frames) and gives an array of the shape that is left. What a sound
does not have (the pitch of silence) is NaN. Many sounds are measured on all cores.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _ictus
from ._ictus import Problem
from ._result import Result

__all__ = ["centroid", "contact_time", "loudness", "partial", "pitch", "t60", "table"]

Sounds = Union[ArrayLike, Result]
"""An array of sounds, the last axis being time; or a Result, measured from its first sound on, its channels averaged."""

Numbers = Union[float, NDArray[np.float64]]
"""A number for one sound, an array for many."""


def _sounds(sounds: Sounds, sr: float | None, axes: int = 1) -> tuple[NDArray[np.float64], float]:
    if isinstance(sounds, Result):
        audio = sounds.audio.astype(np.float64)
        # From its first sound on: the silence before an event is no part of the attack.
        first = int(np.argmax(np.any(audio != 0, axis=0))) if audio.size else 0
        kept = audio[:, first:].mean(axis=0) if axes == 1 else audio[:, first:]
        return kept, float(sounds.sr if sr is None else sr)
    if sr is None:
        raise TypeError("sr, the samples per second of the sounds, is missing")
    array: NDArray[Any] = np.asarray(sounds)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"sounds must be an array of numbers, not of {array.dtype}")
    if array.ndim < axes:
        raise Problem(f"sounds must have {axes} axes or more, not {array.ndim}")
    return array.astype(np.float64), float(sr)


def _each(
    sounds: NDArray[np.float64], measure: Callable[[NDArray[np.float64]], NDArray[np.float64]], axes: int = 1
) -> Numbers:
    shape, rest = sounds.shape[: sounds.ndim - axes], sounds.shape[sounds.ndim - axes :]
    count = int(np.prod(shape, dtype=np.int64))
    values = measure(np.ascontiguousarray(sounds.reshape(count, *rest)))
    return values.reshape(shape) if shape else float(values[0])


def centroid(sounds: Sounds, sr: float | None = None, *, power: bool = False) -> Numbers:
    """Mean spectral centroid of the first 100 ms, in Hz: how bright the attack is (A04). Weighted by amplitude, or by power."""
    array, rate = _sounds(sounds, sr)
    return _each(array, lambda rows: _ictus.centroid(rows, rate, power))


def pitch(sounds: Sounds, sr: float | None = None, *, lowest: float = 20.0, highest: float = 5000.0) -> Numbers:
    """Fundamental frequency in Hz, looked for between two others; NaN where nothing repeats."""
    array, rate = _sounds(sounds, sr)
    return _each(array, lambda rows: _ictus.pitch(rows, rate, lowest, highest))


def partial(sounds: Sounds, sr: float | None = None, *, near: float, within: float = 50.0) -> Numbers:
    """Frequency in Hz of the strongest partial within so many cents of a frequency in Hz; NaN if there is none."""
    array, rate = _sounds(sounds, sr)
    return _each(array, lambda rows: _ictus.partial(rows, rate, near, within))


def t60(sounds: Sounds, sr: float | None = None, *, upper: float = -5.0, lower: float = -35.0) -> Numbers:
    """Time in s in which the sound falls by 60 dB, from its decay between two levels in dB; NaN if it does not fall that far."""
    array, rate = _sounds(sounds, sr)
    return _each(array, lambda rows: _ictus.t60(rows, rate, upper, lower))


def loudness(sounds: Sounds, sr: float | None = None, *, channels: bool = False) -> Numbers:
    """Integrated loudness in LUFS (EBU R 128); NaN for less than 0.4 s, and for silence.

    With `channels`, the last two axes are one or two channels and time; a Result is measured so.
    """
    axes = 2 if channels or isinstance(sounds, Result) else 1
    array, rate = _sounds(sounds, sr, axes)
    if axes == 1:
        array = array[..., np.newaxis, :]
    return _each(array, lambda rows: _ictus.loudness(rows, rate), 2)


def contact_time(
    forces: Sounds, sr: float | None = None, *, threshold: float = 0.0, exponent: float = 1.0
) -> Numbers:
    """Duration in s of the first contact: of a Result that of its first contact, of forces in N over time that of the first
    stretch above the threshold. The exponent of the contact law refines where within a sample it begins and ends."""
    if isinstance(forces, Result):
        contacts = forces.contacts
        first = contacts[np.argmin(contacts["start"])] if len(contacts) else None
        return float("nan") if first is None else float(first["end"] - first["start"])
    array, rate = _sounds(forces, sr)
    return _each(array, lambda rows: _ictus.contact_times(rows, rate, threshold, exponent))


def table(results: Result | list[Result]) -> NDArray[np.void]:
    """A row for each render: centroid (Hz), pitch (Hz), t60 (s), loudness (LUFS), contact_time (s)."""
    many = [results] if isinstance(results, Result) else list(results)
    measures: list[tuple[str, Callable[[Result], Numbers]]] = [
        ("centroid", centroid), ("pitch", pitch), ("t60", t60), ("loudness", loudness), ("contact_time", contact_time),
    ]  # fmt: skip
    rows = np.zeros(len(many), dtype=[(name, np.float64) for name, _ in measures])
    for row, result in zip(rows, many):
        for name, measure in measures:
            row[name] = measure(result)
    return rows
