"""Physical modelling of things that hit each other, for sound.

    import ictus
    result = ictus.load("marimba").set("mallet.mass", 0.03).render(sr=48000, duration=4)
    result.audio     # float32, (channels, frames)

docs/python.md tells the rest.
"""

from . import features
from ._design import design
from ._fit import Fit, fit
from ._ictus import Breakdown, Problem, SceneProblem, __version__, object_kinds, tool_kinds
from ._impact import Exact, Impact, Scheme, exact, impact, schemes
from ._instrument import Balance, ContactState, Instrument, Mode
from ._measure import measure
from ._model import Model
from ._papers import Check, Item, Paper, Reproduction, papers, repro
from ._parameters import Parameter, Parameters
from ._result import Forces, Result
from ._scene import Cost, Scene, gallery, load
from ._sweep import Range, Swept, log, sweep, uniform

OBJECT_KINDS: tuple[str, ...] = tuple(object_kinds())
"""The kinds of objects a scene or a model can have."""
TOOL_KINDS: tuple[str, ...] = tuple(tool_kinds())
"""The kinds of exciters."""

__all__ = [
    "OBJECT_KINDS",
    "TOOL_KINDS",
    "Balance",
    "Breakdown",
    "Check",
    "ContactState",
    "Cost",
    "Exact",
    "Fit",
    "Forces",
    "Impact",
    "Instrument",
    "Item",
    "Mode",
    "Model",
    "Paper",
    "Parameter",
    "Parameters",
    "Problem",
    "Range",
    "Reproduction",
    "Result",
    "Scene",
    "SceneProblem",
    "Scheme",
    "Swept",
    "__version__",
    "design",
    "exact",
    "features",
    "fit",
    "gallery",
    "impact",
    "load",
    "log",
    "measure",
    "papers",
    "repro",
    "schemes",
    "sweep",
    "uniform",
]
