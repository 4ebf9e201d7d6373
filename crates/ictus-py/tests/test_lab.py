"""Impacts, closed results, designs and the literature: the program's answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ictus


def test_an_impact_is_the_programs_number_by_number(asked: Callable[..., Any]) -> None:
    options = ["--stiffness", "1e8", "--dissipation", "0.2", "--velocity", "0.7", "--phase", "0.3"]
    theirs = asked("impact", "--json", *options)
    mine = ictus.impact(stiffness=1e8, dissipation=0.2, velocity=0.7, phase=0.3)
    assert mine.exact == theirs["exact"] and mine.problem == theirs["problem"]
    assert [{"name": name, **found} for name, found in mine.schemes.items()] == theirs["schemes"]
    assert list(mine.schemes) == [scheme.name for scheme in ictus.schemes()]


def test_the_secant_scheme_leaves_with_the_exact_velocity() -> None:
    found = ictus.impact(scheme=["am1", "secant"], trajectories=True)
    assert abs(found.errors()["secant"]["output_velocity"]) < 1e-9 < abs(found.errors()["am1"]["output_velocity"])
    track = found.trajectories["secant"]
    assert track["time"][1] == 1 / 44100 and track["force"].max() > 0
    assert track["displacement"][0] == 0 and set(found.trajectories) == {"am1", "secant"}
    assert "secant" in repr(found) and "<td>secant</td>" in found._repr_html_()
    assert len(found.plot().axes) == 3
    with pytest.raises(ictus.Problem, match="trajectories=True"):
        ictus.impact(scheme="rk4").plot()


def test_closed_results_are_taken_element_by_element() -> None:
    velocities = np.array([[0.1, 0.5], [1.0, 2.0]])
    many = ictus.exact(stiffness=1e7, velocity=velocities)
    assert many.contact_time.shape == (2, 2)
    for place in np.ndindex(2, 2):
        one = ictus.exact(stiffness=1e7, velocity=velocities[place])
        assert isinstance(one.contact_time, float)
        assert one == tuple(column[place] for column in many)
    # Without loss, a linear wall is a half oscillation: τ = π √(m/K), x = v √(m/K).
    linear = ictus.exact(mass=0.01, stiffness=1e6, exponent=1, dissipation=0, velocity=0.3)
    assert linear.contact_time == pytest.approx(np.pi * 1e-4, rel=1e-12)
    assert linear.max_compression == pytest.approx(0.3e-4, rel=1e-12)
    assert (linear.restitution, linear.limit_velocity) == (pytest.approx(1.0), np.inf)
    assert ictus.exact(mass=np.zeros((0,)) + 1).contact_time.shape == (0,)


def test_closed_results_are_those_of_the_impact() -> None:
    found, closed = ictus.impact(scheme="rk4").exact, ictus.exact()
    for name in ("max_compression", "output_velocity", "output_velocity_approx", "contact_time", "final_energy"):
        assert found[name] == getattr(closed, name)


def test_a_design_is_the_programs_and_does_what_was_wanted(asked: Callable[..., Any]) -> None:
    theirs = asked("design", "--contact-time", "2ms", "--centroid", "1800", "--json")
    mine = ictus.design("2ms", 1800)
    assert mine == theirs
    assert mine["designed"]["contact_time"] == pytest.approx(2e-3, rel=1e-6)
    assert mine["designed"]["centroid"] == pytest.approx(1800, rel=1e-6)
    wall = ictus.design(contact_time=5e-4, restitution=0.8, wall=True, rate=192000)
    assert wall["contact_time"] == pytest.approx(5e-4, rel=1e-9)
    again = ictus.exact(wall["mass"], wall["stiffness"], wall["exponent"], wall["dissipation"], wall["velocity"])
    assert again.contact_time == pytest.approx(5e-4) and again.restitution == pytest.approx(0.8)


def test_a_design_that_the_engine_misses_is_warned_of() -> None:
    with pytest.warns(UserWarning, match="a higher rate comes closer"):
        ictus.design(contact_time=2e-5, restitution=0.3, wall=True)


def test_a_source_is_computed_anew_as_by_the_program(asked: Callable[..., Any], tmp_path: Any) -> None:
    theirs = asked("repro", "P09-table-1", "-o", tmp_path / "out", "--json")
    mine = ictus.repro("P09-table-1")
    assert [check._asdict() for check in mine[0].checks] == theirs[0]["checks"] and mine.holds
    (table,) = mine["p09-table-1"].tables.values()
    assert list(table["case"][:1]) == ["a"] and table["rk4"].dtype == np.float64
    assert "statement" in mine._repr_html_()


def test_the_figures_of_p09_hold_and_are_drawn() -> None:
    found = ictus.repro("P09")
    assert {paper.name for paper in ictus.papers() if paper.source == "P09"} == {item.name for item in found}
    assert found.holds and all(item.checks for item in found)
    assert any(svg.startswith("<svg") or "<svg" in svg[:200] for item in found for svg in item.pictures.values())
