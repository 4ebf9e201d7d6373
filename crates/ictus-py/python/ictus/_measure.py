"""A sound measured: partials and their decays, brightness over time, attack, levels, faults."""

from __future__ import annotations

import json
import os
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _ictus
from ._quantity import Quantity, told
from ._result import Result
from ._written import whole

Sound = Union[Result, str, "os.PathLike[str]", ArrayLike]
"""A render; a WAV, FLAC, MP3 or OGG file; or samples, (frames,) or (channels, frames), 1 being full scale."""


def measure(
    sound: Sound,
    sr: float | None = None,
    *,
    start: Quantity = 0.0,
    stop: Quantity | None = None,
    partials: int = 40,
    range: float = 80.0,
) -> dict[str, Any]:
    """What is in a sound: the document of `ictus measure --json` (docs/measure.md).

    sound: a `Result`, a file, or samples; these need `sr`, their rate in Hz.
    start, stop: the part that is measured, in s; one note of several is best measured by itself.
    partials: how many at most, the strongest.
    range: how far below the strongest they may be, in dB.

    Frequencies are in Hz, times in s, levels in dB, 0 dB being full scale. What the sound does not have is None.
    """
    if isinstance(partials, bool) or not hasattr(partials, "__index__"):
        raise TypeError(f"partials must be a whole number, not {type(partials).__name__}")
    asked = (
        told(start, "start"),
        None if stop is None else told(stop, "stop"),
        str(partials.__index__()),
        told(range, "range"),
    )
    if isinstance(sound, (str, os.PathLike)):
        if sr is not None:
            raise TypeError("sr is for samples: a file knows its own")
        document = _ictus.measure_file(whole(sound) if isinstance(sound, str) else sound, *asked)
    else:
        audio, rate = samples(sound, sr)
        document = _ictus.measure_samples(audio, rate, *asked)
    answer: dict[str, Any] = json.loads(document)
    return answer


def samples(sound: Any, sr: float | None) -> tuple[NDArray[np.float64], float]:
    """Samples (channels, frames) and their rate in Hz."""
    if isinstance(sound, Result):
        if sr is not None:
            raise TypeError("sr is for samples: a Result knows its own")
        return np.ascontiguousarray(sound.audio, dtype=np.float64), sound.sr
    if sr is None:
        raise TypeError("sr, the samples per second of the sound, is missing")
    array: NDArray[Any] = np.asarray(sound)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"a sound must be an array of numbers, not of {array.dtype}")
    if array.ndim not in (1, 2):
        raise _ictus.Problem(f"a sound has 1 or 2 axes, (frames,) or (channels, frames), not {array.ndim}")
    return np.ascontiguousarray(np.atleast_2d(array), dtype=np.float64), sr
