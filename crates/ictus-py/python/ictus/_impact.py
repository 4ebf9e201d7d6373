"""One mass, one wall: every scheme beside the exact result."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _ictus
from ._ictus import Problem
from ._quantity import Quantity, told
from ._result import structured

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAMPLE_FIELDS = ("displacement", "velocity", "force", "kinetic", "potential")


@dataclass(frozen=True, eq=False, repr=False)
class Impact:
    """An impact by every scheme that was asked for, in SI units."""

    __module__ = "ictus"

    problem: dict[str, Any]
    """What was posed."""
    exact: dict[str, Any]
    """The closed results: max_compression, output_velocity, contact_time, …"""
    schemes: dict[str, dict[str, Any]]
    """What each scheme made of it; what was not measured is None, and `failure` says why."""
    trajectories: dict[str, NDArray[np.void]]
    """Every sample of each scheme, if asked for: time, displacement, velocity, force, kinetic, potential."""

    def errors(self) -> dict[str, dict[str, float]]:
        """By how much each scheme misses the exact maximum compression, output speed and contact time, relative."""
        names = ("max_compression", "output_velocity", "contact_time")
        return {
            scheme: {
                name: float("nan") if found[name] is None else abs(found[name]) / abs(self.exact[name]) - 1
                for name in names
            }
            for scheme, found in self.schemes.items()
        }

    def _table(self) -> list[tuple[str, ...]]:
        def percent(value: float) -> str:
            return "–" if np.isnan(value) else f"{100 * value:+.3f}"

        return [
            (scheme, *(percent(value) for value in errors.values()), self.schemes[scheme]["failure"] or "")
            for scheme, errors in self.errors().items()
        ]

    def __repr__(self) -> str:
        head = f"{'scheme':<24}{'x_max %':>12}{'v_out %':>12}{'τ %':>12}"
        return "\n".join([head, *(f"{a:<24}{b:>12}{c:>12}{d:>12}  {e}".rstrip() for a, b, c, d, e in self._table())])

    def _repr_html_(self) -> str:
        heads = ("scheme", "x<sub>max</sub> / %", "v<sub>out</sub> / %", "τ / %", "")
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in self._table()
        )
        return (
            "<table><caption>how far from the exact result</caption><tr>"
            + "".join(f"<th>{head}</th>" for head in heads)
            + f"</tr>{rows}</table>"
        )

    def plot(self) -> Figure:
        """Force over compression and energy over time, of the schemes whose samples were kept (needs matplotlib)."""
        if not self.trajectories:
            raise Problem("there are no samples to draw: ask for them with impact(…, trajectories=True)")
        from ._figures import impact as figure

        return figure(self)


def impact(
    mass: Quantity = 1e-2,
    stiffness: Quantity = 1e9,
    exponent: Quantity = 1.5,
    dissipation: Quantity = 0.5,
    velocity: Quantity = 1.0,
    rate: Quantity = 44_100,
    *,
    scheme: str | Iterable[str] = "all",
    phase: Quantity | None = None,
    gap: Quantity = 0.0,
    gravity: Quantity = 0.0,
    duration: Quantity | None = None,
    s: Quantity = 1.0,
    trajectories: bool = False,
) -> Impact:
    """Lets a mass hit a wall that pushes back with K x^α (1 + μ v), by every scheme.

    mass in kg, stiffness K in N/m^α, exponent α, dissipation μ in s/m, velocity in m/s, rate in Hz. scheme: one or several of
    `ictus.schemes()`. phase: start 2 + phase samples before the wall, 0 ≤ phase < 1. gap: distance to the wall in m. gravity
    in m/s². duration in s. s: of the quadratic scheme. trajectories: keep every sample.
    """
    names = [scheme] if isinstance(scheme, str) else list(scheme)
    if not all(isinstance(name, str) for name in names):
        raise TypeError("scheme must be a name, or several")
    document, tracks = _ictus.impact(
        told(mass, "mass"),
        told(stiffness, "stiffness"),
        told(exponent, "exponent"),
        told(dissipation, "dissipation"),
        told(velocity, "velocity"),
        told(rate, "rate"),
        [part for name in names for part in name.split(",")],
        None if phase is None else told(phase, "phase"),
        told(gap, "gap"),
        told(gravity, "gravity"),
        None if duration is None else told(duration, "duration"),
        told(s, "s"),
        trajectories,
    )
    found = json.loads(document)
    step = 1 / found["problem"]["rate"]
    return Impact(
        problem=found["problem"],
        exact=found["exact"],
        schemes={each.pop("name"): each for each in found["schemes"]},
        trajectories={
            name: structured(SAMPLE_FIELDS, rows, {"time": step * np.arange(len(rows))}) for name, rows in tracks
        },
    )


class Exact(NamedTuple):
    """Closed results of impacts on a rigid wall, in SI units; numbers, or arrays of one shape."""

    max_compression: Any
    """In m."""
    output_velocity: Any
    """In m/s; negative, since the mass leaves."""
    output_velocity_approx: Any
    """P09's approximation of it, in m/s."""
    contact_time: Any
    """In s."""
    limit_velocity: Any
    """In m/s; infinite without dissipation."""
    initial_energy: Any
    """In J."""
    final_energy: Any
    """In J."""
    restitution: Any
    """Speed out over speed in."""


def exact(
    mass: ArrayLike = 1e-2,
    stiffness: ArrayLike = 1e9,
    exponent: ArrayLike = 1.5,
    dissipation: ArrayLike = 0.5,
    velocity: ArrayLike = 1.0,
) -> Exact:
    """The closed results of an impact on a rigid wall; arrays are taken element by element."""
    arguments = {
        "mass": mass, "stiffness": stiffness, "exponent": exponent, "dissipation": dissipation, "velocity": velocity,
    }  # fmt: skip
    arrays: list[NDArray[Any]] = []
    for name, value in arguments.items():
        array: NDArray[Any] = np.asarray(value)
        if array.dtype.kind not in "fiub":
            raise TypeError(f"{name} must be a number or an array of numbers, not {array.dtype}")
        arrays.append(array.astype(np.float64))
    try:
        spread = np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(arguments, arrays))
        raise Problem(f"the arguments must have shapes that fit each other, but they have {shapes}") from None
    rows = np.stack([array.ravel() for array in spread], axis=1)
    closed = _ictus.exact(np.ascontiguousarray(rows))
    shape = spread[0].shape
    return Exact(*(column.reshape(shape) if shape else float(column[0]) for column in closed.T))


class Scheme(NamedTuple):
    """A scheme of the impact lab."""

    name: str
    summary: str
    order: int
    """Order of accuracy while the contact is smooth."""
    source: str


def schemes() -> list[Scheme]:
    """The schemes, and where they are from."""
    return [Scheme(*row) for row in _ictus.schemes()]
