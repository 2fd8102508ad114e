"""One problem of what must hold and what may be coarsened for it, and the searches for the least change."""

from anonlib.analyses.generalization.search.impossible import Conflict, conflict
from anonlib.analyses.generalization.search.least_change import (
    LeastChange,
    NothingFound,
    least_change,
    within,
)
from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.analyses.generalization.search.problem import Problem, Solution

__all__ = [
    "Conflict",
    "LeastChange",
    "NothingFound",
    "PersonProblem",
    "Problem",
    "Solution",
    "conflict",
    "least_change",
    "within",
]
