"""The tables and figures of the literature, computed anew and compared with what is printed."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from . import _ictus


class Check(NamedTuple):
    """A statement beside what was measured."""

    statement: str
    provenance: str
    """Who states it: "source" or "own"."""
    printed: str
    measured: str
    tolerance: str
    verdict: str
    """"pass", "noted" (it differs, as expected and for a reason) or "fail"."""
    reason: str | None


@dataclass(frozen=True, eq=False, repr=False)
class Item:
    """One table or figure, computed anew."""

    __module__ = "ictus"

    source: str
    name: str
    title: str
    statement: str
    """What the source says about it."""
    parameters: str
    checks: list[Check]
    remarks: list[str]
    tables: dict[str, dict[str, NDArray[Any]]]
    """Columns by heading, of each table by its name."""
    pictures: dict[str, str]
    """SVG, of each picture by its name."""

    @property
    def holds(self) -> bool:
        """Whether no check fails."""
        return all(check.verdict != "fail" for check in self.checks)

    def __repr__(self) -> str:
        good = sum(check.verdict == "pass" for check in self.checks)
        return f"<{self.name}: {self.title}; {good} of {len(self.checks)} checks hold>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(check.statement)}</td><td>{html.escape(check.printed)}</td>"
            f"<td>{html.escape(check.measured)}</td><td>{check.verdict}</td></tr>"
            for check in self.checks
        )
        table = f"<table><tr><th>statement</th><th>printed</th><th>measured</th><th></th></tr>{rows}</table>"
        return f"<h4>{html.escape(f'{self.name}: {self.title}')}</h4>{''.join(self.pictures.values())}{table}"


class Reproduction(Sequence[Item]):
    """Items that were computed, by place or by name."""

    __module__ = "ictus"

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = tuple(items)

    @overload
    def __getitem__(self, key: int) -> Item: ...
    @overload
    def __getitem__(self, key: slice) -> Reproduction: ...
    @overload
    def __getitem__(self, key: str) -> Item: ...
    def __getitem__(self, key: int | slice | str) -> Item | Reproduction:
        if isinstance(key, slice):
            return Reproduction(self._items[key])
        if isinstance(key, int):
            return self._items[key]
        for item in self._items:
            if item.name.lower() == key.lower():
                return item
        raise KeyError(f"{key!r} is none of {', '.join(item.name for item in self._items)}")

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    @property
    def holds(self) -> bool:
        """Whether no check fails."""
        return all(item.holds for item in self._items)

    def __repr__(self) -> str:
        return "\n".join(map(repr, self._items))

    def _repr_html_(self) -> str:
        return "".join(item._repr_html_() for item in self._items)


class Paper(NamedTuple):
    """A table or figure that can be computed anew."""

    source: str
    name: str
    title: str
    statement: str
    parameters: str


def papers() -> list[Paper]:
    """Every table and figure of the literature that `repro` computes."""
    return [Paper(*row) for row in _ictus.papers()]


def repro(*names: str) -> Reproduction:
    """Computes tables and figures anew: of a source ("P09"), of one item ("P09-table-1"), or "all"."""
    if not all(isinstance(name, str) for name in names):
        raise TypeError("repro takes names: ictus.papers() lists them")
    items = []
    for head, told, tables, pictures in _ictus.repro(list(names) or ["all"]):
        checks, remarks = json.loads(told)
        items.append(
            Item(
                *head,
                checks=[Check(**check) for check in checks],
                remarks=remarks,
                tables={name: {heading: np.asarray(column) for heading, column in rows} for name, rows in tables},
                pictures=dict(pictures),
            )
        )
    return Reproduction(items)
