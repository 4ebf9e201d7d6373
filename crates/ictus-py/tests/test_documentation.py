"""What the documentation shows runs as it is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT

import ictus

PAGES = ["README.md", "docs/python.md"]


def blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    assert blocks(page)
    for block in blocks(page):
        exec(block, names)
    assert isinstance(names["result"], ictus.Result)


def test_the_page_names_everything_there_is() -> None:
    page = (ROOT / "docs" / "python.md").read_text()
    calls = [name for name in ictus.__all__ if name[0].islower()]
    calls += [f"features.{name}" for name in ictus.features.__all__] + [f"scene.{name}" for name in ("set", "render", "text")]
    missing = [name for name in calls if name.split(".")[-1] not in page]
    assert not missing
    for owner, kind in (("scene", ictus.Scene), ("instrument", ictus.Instrument), ("result", ictus.Result)):
        public = [name for name in vars(kind) if not name.startswith("_")]
        missing = [name for name in public if not re.search(rf"\b{name}\b", page)]
        assert not missing, (owner, missing)


def test_everything_public_is_documented() -> None:
    for name in ictus.__all__:
        thing = getattr(ictus, name)
        if callable(thing):
            assert thing.__doc__, name
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_") and callable(value):
                    assert value.__doc__, f"{name}.{member}"
