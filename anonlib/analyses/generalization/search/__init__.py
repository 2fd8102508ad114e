"""One problem of what must hold and what may be coarsened for it, and the searches for the least change."""

from anonlib.analyses.generalization.search.conflicts import Conflict, conflict
from anonlib.analyses.generalization.search.least_change import Found, NothingFound, Watch, least_change, within
from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.analyses.generalization.search.problem import Problem, Settled

__all__ = [
    "Conflict",
    "Found",
    "NothingFound",
    "PersonProblem",
    "Problem",
    "Settled",
    "Watch",
    "conflict",
    "least_change",
    "within",
]
