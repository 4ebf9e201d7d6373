"""Measures of sounds, many at a time.

Every function takes one sound (frames,) and gives a number, or many (…, frames) and gives an array of the shape that is left. What a sound
does not have (the pitch of silence) is NaN. Many sounds are measured on all cores.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _ictus
from ._ictus import Problem
from ._result import Result

_NAMES = tuple(_ictus.feature_names())

__all__ = ["centroid", "contact_time", "loudness", "partial", "pitch", "t60", "table"]

Sounds = Union[ArrayLike, Result]
"""An array of sounds, the last axis being time; or a Result, measured from its first sound on, its channels averaged, as in a sweep."""

Numbers = Union[float, NDArray[np.float64]]
"""A number for one sound, an array for many."""


def _sounds(sounds: Sounds, sr: float | None, axes: int = 1) -> tuple[NDArray[np.float64], float]:
    if isinstance(sounds, Result):
        # The silence before an event is no part of the attack.
        return _ictus.mean_from_onset(_audio(sounds)), float(sounds.sr if sr is None else sr)
    if sr is None:
        raise TypeError("sr, the samples per second of the sounds, is missing")
    array: NDArray[Any] = np.asarray(sounds)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"sounds must be an array of numbers, not of {array.dtype}")
    if array.ndim < axes:
        raise Problem(f"sounds must have {axes} axes or more, not {array.ndim}")
    return array.astype(np.float64), float(sr)


def _audio(result: Result) -> NDArray[np.float64]:
    return np.ascontiguousarray(result.audio, dtype=np.float64)


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
    """Fundamental frequency in Hz, looked for between two others; NaN where nothing repeats. Of a Result that of its first second."""
    array, rate = _sounds(sounds, sr)
    if isinstance(sounds, Result):
        array = array[: math.ceil(rate)]
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
    """Integrated loudness in LUFS (EBU R 128); NaN for silence.

    With `channels`, the last two axes are one or two channels and time. Arrays of less than 0.4 s have none; a Result that short is
    followed by silence.
    """
    if isinstance(sounds, Result):
        return float(_ictus.features([_audio(sounds)], [sounds.sr if sr is None else sr])[0, _NAMES.index("loudness")])
    axes = 2 if channels else 1
    array, rate = _sounds(sounds, sr, axes)
    if axes == 1:
        array = array[..., np.newaxis, :]
    return _each(array, lambda rows: _ictus.loudness(rows, rate), 2)


def contact_time(
    forces: Sounds, sr: float | None = None, *, threshold: float = 0.0, exponent: float = 1.0
) -> Numbers:
    """Duration of a contact in s: of a Result that of its strongest, from touch to release; of forces in N over time that of the first
    stretch above the threshold. The exponent of the contact law refines where within a sample that begins and ends."""
    if isinstance(forces, Result):
        strongest = _strongest(forces)
        return float("nan") if strongest is None else float(strongest["release"] - strongest["touch"])
    array, rate = _sounds(forces, sr)
    return _each(array, lambda rows: _ictus.contact_times(rows, rate, threshold, exponent))


def table(results: Result | list[Result]) -> NDArray[np.void]:
    """A row for each render, the numbers of a sweep's row for the same sound, to the bit: centroid, pitch (Hz), t60 (s), loudness (LUFS),
    peak (1 is full scale), contact_time (s) and peak_force (N) of the strongest contact, contacts (how many)."""
    many = [results] if isinstance(results, Result) else list(results)
    for result in many:
        if not isinstance(result, Result):
            raise TypeError(f"table takes a Result or a list of them, not {type(result).__name__}")
    rows = np.zeros(len(many), dtype=[(name, np.float64) for name in (*_NAMES, "contact_time", "peak_force", "contacts")])
    measured = _ictus.features([_audio(result) for result in many], [result.sr for result in many])
    for name, column in zip(_NAMES, measured.T):
        rows[name] = column
    for row, result in zip(rows, many):
        strongest = _strongest(result)
        row["contact_time"] = contact_time(result)
        row["peak_force"] = np.nan if strongest is None else strongest["peak_force"]
        row["contacts"] = result.report["contact_count"] + result.report["missed_contacts"]
    return rows


def _strongest(result: Result) -> Any:
    """The contact with the largest force; of several the last."""
    contacts = result.contacts
    return contacts[len(contacts) - 1 - int(np.argmax(contacts["peak_force"][::-1]))] if len(contacts) else None
