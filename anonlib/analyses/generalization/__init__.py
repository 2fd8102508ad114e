"""The least generalization that reaches k: IAB and its peers (Arca and Hewett 2021), the proven best, and Mondrian."""

from anonlib.analyses.generalization.generalize import (
    Generalization,
    Method,
    UtilityMeasures,
    ViolatingGroups,
    better_of,
    generalize,
    parts_within,
    solve,
)
from anonlib.analyses.generalization.injection import Injection, inject
from anonlib.analyses.generalization.search.lattice import Objective
from anonlib.analyses.generalization.whole_classes import (
    MOST_WEIGHT,
    NodeEvaluation,
    TracedTable,
    Unfollowed,
    WholeClasses,
)

__all__ = [
    "MOST_WEIGHT",
    "Generalization",
    "Injection",
    "Method",
    "NodeEvaluation",
    "Objective",
    "TracedTable",
    "Unfollowed",
    "UtilityMeasures",
    "ViolatingGroups",
    "WholeClasses",
    "better_of",
    "generalize",
    "inject",
    "parts_within",
    "solve",
]
