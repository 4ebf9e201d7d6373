"""The notebooks run from top to bottom; what they claim stands in them as assertions."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient

NOTEBOOKS = sorted((ROOT / "examples" / "python").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3


# The kernel's channels are local, and the libraries that open them change faster than this test.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("file", NOTEBOOKS, ids=[file.stem for file in NOTEBOOKS])
def test_a_notebook_runs_and_claims_something(file: Path, tmp_path: Path) -> None:
    book = nbformat.read(file, as_version=4)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert any("assert " in cell.source for cell in code)
    # What is committed was run, in order, without an error.
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not any(output.output_type == "error" for cell in code for output in cell.outputs)
    NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    drawn = [output for cell in code for output in cell.outputs if "image/png" in output.get("data", {})]
    assert drawn
