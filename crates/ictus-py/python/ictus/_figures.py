"""Pictures by matplotlib, which only this module needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._impact import Impact
    from ._result import Result

_FRAME, _DEPTH, _MOST_DRAWN = 1024, 80.0, 8


def sound(result: Result) -> Figure:
    """Waveform, spectrogram and contact forces of a render, one above the other."""
    figure, (top, middle, bottom) = plt.subplots(3, 1, figsize=(9, 7.5), sharex=True, layout="constrained")
    _waveform(top, result)
    _spectrogram(middle, result)
    _forces(bottom, result)
    bottom.set_xlabel("time / s")
    top.set_title(result.report["title"])
    top.set_xlim(0, max(result.duration, 1e-9))
    plt.close(figure)
    return figure


def _waveform(axes: Axes, result: Result) -> None:
    channels, frames = result.audio.shape
    span = max(1, frames // 1500)
    whole = frames // span * span
    times = result.time[:whole:span]
    for channel in range(channels):
        parts = result.audio[channel, :whole].reshape(-1, span)
        axes.fill_between(times, parts.min(axis=1), parts.max(axis=1), alpha=0.7, label=f"channel {channel + 1}", step="mid")
    axes.set_ylabel("sample (1 is full scale)")
    if channels > 1:
        axes.legend(loc="upper right")


def spectra(signal: NDArray[np.float64], frame: int = _FRAME) -> NDArray[np.float64]:
    """Levels in dB under the loudest, (frequencies, times): Hann windows, a quarter of a frame apart."""
    padded = np.concatenate([signal, np.zeros(max(0, frame - len(signal)))])
    frames = np.lib.stride_tricks.sliding_window_view(padded, frame)[:: frame // 4]
    # Of a long sound only as many as a picture can show.
    frames = frames[:: max(1, len(frames) // 1500)]
    magnitudes = np.abs(np.fft.rfft(frames * np.hanning(frame), axis=1)).T
    loudest = magnitudes.max(initial=0.0) or 1.0
    levels: NDArray[np.float64] = 20 * np.log10(np.maximum(magnitudes / loudest, 10 ** (-_DEPTH / 20)))
    return levels


def _spectrogram(axes: Axes, result: Result) -> None:
    levels = spectra(result.mono)
    highest = result.sr / 2000
    image = axes.imshow(
        levels, origin="lower", aspect="auto", extent=(0, result.duration, 0, highest), cmap="magma", interpolation="nearest"
    )
    axes.set_ylim(0, min(highest, 12))
    axes.set_ylabel("frequency / kHz")
    axes.figure.colorbar(image, ax=axes, label="dB under the loudest", pad=0.01)


def _forces(axes: Axes, result: Result) -> None:
    axes.set_ylabel("contact force / N")
    if result.forces is not None:
        time, names, newtons = result.forces
        peaks = newtons.max(axis=1, initial=0.0)
        for row in np.argsort(-peaks)[:_MOST_DRAWN]:
            if peaks[row] > 0:
                axes.plot(time, newtons[row], lw=1, label=names[row])
    else:
        names = list(dict.fromkeys(result.contacts["contact"]))
        peaks_of = {name: result.contacts[result.contacts["contact"] == name] for name in names}
        strongest = sorted(names, key=lambda name: -float(peaks_of[name]["peak_force"].max()))
        for number, name in enumerate(strongest[:_MOST_DRAWN]):
            rows = peaks_of[name]
            colour = f"C{number}"
            axes.vlines(rows["start"], 0, rows["peak_force"], color=colour, lw=1, clip_on=False)
            axes.plot(rows["start"], rows["peak_force"], "o", ms=4, color=colour, label=name, clip_on=False)
    axes.set_ylim(bottom=0)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper right")


def impact(result: Impact) -> Figure:
    """Force over compression, energy over time and displacement over time of an impact, by scheme."""
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    contact = result.exact["contact_time"]
    for name, rows in result.trajectories.items():
        inside = rows["time"] <= rows["time"][0] + max(2 * contact, 4 / result.problem["rate"])
        near = rows[inside]
        left.plot(near["displacement"] * 1e6, near["force"], ".-", lw=1, label=name)
        middle.plot(near["time"] * 1e3, (near["kinetic"] + near["potential"]) * 1e3, lw=1)
        right.plot(near["time"] * 1e3, near["displacement"] * 1e6, ".-", lw=1)
    left.axvline(result.exact["max_compression"] * 1e6, color="k", lw=0.8, ls=":")
    middle.axhline(result.exact["final_energy"] * 1e3, color="k", lw=0.8, ls=":")
    right.axhline(result.exact["max_compression"] * 1e6, color="k", lw=0.8, ls=":")
    left.set(xlabel="compression / µm", ylabel="force / N", title="force (dotted: exact x_max)")
    middle.set(xlabel="time / ms", ylabel="energy / mJ", title="energy (dotted: exact, after release)")
    right.set(xlabel="time / ms", ylabel="displacement / µm", title="displacement")
    left.legend(fontsize="small")
    plt.close(figure)
    return figure
