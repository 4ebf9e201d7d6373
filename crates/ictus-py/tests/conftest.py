"""What the tests share: the program to compare with, and small scenes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[3]

# Deadlines measure the machine, not the code.
settings.register_profile("ictus", deadline=None, derandomize=True, max_examples=int(os.environ.get("ICTUS_EXAMPLES", "60")))
settings.load_profile("ictus")


@pytest.fixture(scope="session")
def program() -> Path:
    """The program `ictus`: what the variable ICTUS names, or the one in target/."""
    named = os.environ.get("ICTUS")
    candidates = [Path(named)] if named else [ROOT / "target" / profile / "ictus" for profile in ("release", "debug")]
    for candidate in candidates:
        if candidate.exists():
            return candidate
    pytest.fail(f"the program is needed to compare with: none of {', '.join(map(str, candidates))} is there; name it in ICTUS")


@pytest.fixture(scope="session")
def run(program: Path) -> Callable[..., str]:
    """Runs the program and gives what it prints."""

    def run(*arguments: object) -> str:
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def asked(run: Callable[..., str]) -> Callable[..., Any]:
    """Runs the program and reads the JSON it prints."""
    return lambda *arguments: json.loads(run(*arguments))


HAMMER = """
ictus = 1
title = "Hammer and string"
duration = "0.3 s"
[objects.string]
kind = "string"
pitch = "A3"
t60 = "1 s"
[exciters.hammer]
kind = "hammer"
on = "string@0.12"
mass = "5 g"
stiffness = 1e8
exponent = 2.3
[pickups.ear]
at = "string@0.9"
gain = 0.2
[[events]]
time = "5 ms"
strike = "hammer"
velocity = "2 m/s"
"""


@pytest.fixture(scope="session")
def hammer() -> Any:
    """A small scene: one hammer, one string."""
    import ictus

    return ictus.load(HAMMER)
