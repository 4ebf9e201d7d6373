"""Which contact lasts, sounds and rebounds as wanted."""

from __future__ import annotations

import json
import warnings
from typing import Any

from . import _ictus
from ._quantity import Quantity, told


def design(
    contact_time: Quantity | None = None,
    centroid: Quantity | None = None,
    restitution: Quantity | None = None,
    *,
    mass: Quantity = "10g",
    exponent: Quantity = 1.5,
    velocity: Quantity = 1.0,
    free: str = "mass",
    wall: bool = False,
    frequency: Quantity = 950.0,
    quality: Quantity = 1000.0,
    resonator_mass: Quantity = "1g",
    rate: Quantity = 44_100,
) -> dict[str, Any]:
    """The contact of a hammer on a resonator of three modes, or on a rigid wall, from how the impact should last (s), sound (Hz) and rebound.

    Two targets fix stiffness and dissipation; with all three, the mass or (free="exponent") the exponent is found too. The
    answer has `stiffness`, `dissipation`, `mass`, `exponent`, what was `designed`, and what the `engine` makes of it; a
    target that the engine misses by more than 5 % at this rate is warned of. Quantities may have a unit: "2 ms", "10g".
    """

    def optional(value: Quantity | None, name: str) -> str | None:
        return None if value is None else told(value, name)

    if not isinstance(free, str):
        raise TypeError("free must be a text: mass or exponent")
    document, warning = _ictus.design(
        optional(contact_time, "contact_time"),
        optional(centroid, "centroid"),
        optional(restitution, "restitution"),
        told(mass, "mass"),
        told(exponent, "exponent"),
        told(velocity, "velocity"),
        free,
        wall,
        told(frequency, "frequency"),
        told(quality, "quality"),
        told(resonator_mass, "resonator_mass"),
        told(rate, "rate"),
    )
    if warning is not None:
        warnings.warn(warning, stacklevel=2)
    answer: dict[str, Any] = json.loads(document)
    return answer
