"""What a render leaves: sound, report, energies, contacts."""

from __future__ import annotations

import base64
import html
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _wav
from ._ictus import Problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENERGY_FIELDS = ("time", "stored", "hammers", "dissipated", "supplied", "initial", "residual")
CONTACT_FIELDS = ("start", "end", "touch", "release", "v_in", "v_out", "peak_force")

PLAYED_SECONDS = 60
"""A notebook holds at most so much of a sound, in s."""


class Forces(NamedTuple):
    """Forces of all contacts over time: the largest magnitude in each of many short spans."""

    time: NDArray[np.float64]
    """Where each span begins, in s."""
    contacts: list[str]
    """Names, one for each row."""
    newtons: NDArray[np.float64]
    """(contacts, spans) in N."""


def structured(
    fields: Sequence[str], rows: NDArray[np.float64], named: Mapping[str, NDArray[Any]] | None = None
) -> NDArray[np.void]:
    """A structured array of the columns of `rows`, after columns of names."""
    named = named or {}
    kinds: list[tuple[str, Any]] = [(name, column.dtype) for name, column in named.items()]
    table = np.zeros(len(rows), dtype=[*kinds, *((field, np.float64) for field in fields)])
    for name, column in named.items():
        table[name] = column
    for index, field in enumerate(fields):
        table[field] = rows[:, index]
    return table


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The sound of a scene and what happened in it. In a notebook it plays."""

    __module__ = "ictus"

    audio: NDArray[np.float32]
    """(channels, frames); 1 is full scale."""
    sr: int
    """Samples per second, in Hz."""
    report: dict[str, Any]
    """What was measured, as in `ictus render --report`, without the lists."""
    energy: NDArray[np.void]
    """The energy account over time, in J: time, stored, hammers, dissipated, supplied, initial, residual; empty without the account."""
    contacts: NDArray[np.void]
    """Every contact: its name, start and end to a sample, touch and release to a small part of one (s), v_in, v_out (m/s), peak_force (N)."""
    forces: Forces | None = None
    """Forces over time, if they were asked for."""

    @property
    def duration(self) -> float:
        """Length in s."""
        return float(self.audio.shape[1] / self.sr)

    @property
    def time(self) -> NDArray[np.float64]:
        """The time of each frame, in s."""
        times: NDArray[np.float64] = np.arange(self.audio.shape[1]) / self.sr
        return times

    @property
    def mono(self) -> NDArray[np.float64]:
        """The mean of the channels."""
        mean: NDArray[np.float64] = self.audio.mean(axis=0, dtype=np.float64)
        return mean

    def __repr__(self) -> str:
        channels, frames = self.audio.shape
        return (
            f"<ictus.Result {self.report['title']!r}: {channels} × {frames} samples at {self.sr} Hz, "
            f"peak {self.report['peak']:.3g}, {self._contacts()}>"
        )

    def _contacts(self) -> str:
        count = self.report["contact_count"]
        return "1 contact" if count == 1 else f"{count} contacts"

    def _repr_html_(self) -> str:
        data = base64.b64encode(_wav.playable(self.audio[:, : PLAYED_SECONDS * self.sr], self.sr)).decode()
        lufs = self.report["lufs"]
        energy = self.report["energy"]
        facts = [
            html.escape(self.report["title"]),
            f"{self.duration:.3g} s at {self.sr} Hz",
            f"peak {self.report['peak']:.3g}",
            "" if lufs is None else f"{lufs:.1f} LUFS",
            self._contacts(),
            "" if energy is None else f"energy residual {energy['residual']:.1e}",
        ]
        told = " · ".join(fact for fact in facts if fact)
        return f'<div><audio controls src="data:audio/wav;base64,{data}"></audio><br><small>{told}</small></div>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the sound to a WAV file of 32-bit floating point numbers; it appears under its name when it is whole."""
        _wav.save(path, self.audio, self.sr)

    def plot(self) -> Figure:
        """Waveform, spectrogram and contact forces (needs matplotlib)."""
        try:
            from ._figures import sound
        except ModuleNotFoundError as missing:
            if (missing.name or "").startswith("matplotlib"):
                raise Problem("plot() needs matplotlib: pip install matplotlib") from None
            raise
        return sound(self)
