"""Numbers as the questions of the lab take them: as text, with a unit or in SI units."""

from __future__ import annotations

from typing import Union

Quantity = Union[float, str]
"""A number in SI units, or a text with a unit: 0.002 or "2 ms"."""


def told(value: Quantity, name: str) -> str:
    """A quantity as text that reads back as the same number."""
    if isinstance(value, str):
        return value
    if not (hasattr(value, "__float__") or hasattr(value, "__index__")) or getattr(value, "shape", ()) != ():
        raise TypeError(f"{name} must be a number or a text, not {type(value).__name__}")
    try:
        return repr(float(value))
    except OverflowError:
        return "inf"
