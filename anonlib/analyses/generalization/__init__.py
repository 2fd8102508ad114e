"""The least generalization that reaches k: IAB and its peers (Arca and Hewett 2021), the proven best, and Mondrian."""

from anonlib.analyses.generalization.generalize import Method, generalize, parts_within, solve
from anonlib.analyses.generalization.injection import Injection, inject
from anonlib.analyses.generalization.result import Generalization, UtilityMeasures, ViolatingGroups, better_of
from anonlib.analyses.generalization.search.objectives import Objective
from anonlib.analyses.generalization.step_by_step import TracedTable
from anonlib.analyses.generalization.whole_classes import MOST_WEIGHT, NodeEvaluation, WholeClasses

__all__ = [
    "MOST_WEIGHT",
    "Generalization",
    "Injection",
    "Method",
    "NodeEvaluation",
    "Objective",
    "TracedTable",
    "UtilityMeasures",
    "ViolatingGroups",
    "WholeClasses",
    "better_of",
    "generalize",
    "inject",
    "parts_within",
    "solve",
]
