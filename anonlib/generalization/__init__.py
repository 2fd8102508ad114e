"""The least generalization that reaches k: IAB and its peers (Arca and Hewett 2021), the proven best, and Mondrian."""

from anonlib.generalization.generalize import Method, generalize, solve
from anonlib.generalization.injection import Injection, inject
from anonlib.generalization.problem import Evaluation, Objective, Problem
from anonlib.generalization.requirements import LDiversity, Requirement, TCloseness
from anonlib.generalization.result import Generalization, Utility, Violations, better_of
from anonlib.generalization.search import Node

__all__ = [
    "Evaluation",
    "Generalization",
    "Injection",
    "LDiversity",
    "Method",
    "Node",
    "Objective",
    "Problem",
    "Requirement",
    "TCloseness",
    "Utility",
    "Violations",
    "better_of",
    "generalize",
    "inject",
    "solve",
]
