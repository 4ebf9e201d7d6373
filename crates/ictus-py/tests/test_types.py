"""The types are right: of the package, of what is written in Rust, and of a program that uses them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1]

USE = '''
import numpy as np
from numpy.typing import NDArray
import ictus

scene: ictus.Scene = ictus.load("marimba").set("mallet.mass", 0.03).set({"seed": 3, "a.b": ["1 m", 2.0]})
result: ictus.Result = scene.render(sr=48000, duration=4, seed=1, oversample=2)
audio: NDArray[np.float32] = result.audio
path: str = scene.parameters()["mallet.mass"].path
block: NDArray[np.float32] = scene.instrument(sr=48000).process(64)
time: float = ictus.impact(mass=0.01, stiffness="1e9").exact["contact_time"]
model: ictus.Model = ictus.Model(rate=48000).string("s", pitch="A3").pickup("ear", "s@0.9")
found: dict[str, object] = ictus.measure(audio, 48000, start="10 ms", partials=8)
fitted: ictus.Fit = ictus.fit(audio, 48000, mallet="5 g")
instrument: ictus.Scene | None = fitted.scene
item: ictus.Item = ictus.repro("P09")["P09-table-1"]
scene.render(sr="fast")  # type: ignore[arg-type]
scene.title = "x"  # type: ignore[misc]
ictus.Model().mass("m", None)  # type: ignore[arg-type]
'''


def checked(*arguments: str, cwd: Path = PACKAGE) -> None:
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_typed_strictly() -> None:
    checked("mypy", "--strict", "python/ictus")


def test_a_program_that_uses_the_package_is_typed_strictly(tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(USE)
    checked("mypy", "--strict", "--warn-unused-ignores", "use.py", cwd=tmp_path)


def test_the_stub_of_the_rust_part_is_true() -> None:
    checked("mypy.stubtest", "ictus._ictus", "--ignore-missing-stub")


def test_the_package_is_typed_for_the_oldest_python_too() -> None:
    checked("mypy", "--strict", "--python-version", "3.10", "python/ictus")
