"""The solver under rules."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.schedules.ruled.programme import Programme
from anonlib.analyses.schedules.ruled.zoned import ZonedModel, longest_cell, n_variables
from anonlib.analyses.schedules.solver import search
from anonlib.analyses.schedules.solver.deadline import Deadline
from anonlib.analyses.schedules.solver.lexicographic import BUILT, SIMPLIFIED, Certificate
from anonlib.counting.classes import AnonymityVector

MOST_VARIABLES = 40_000
"""Of a model: beyond it the solver does not come far in minutes."""
_SHARES = (0.1,)  # of the work, for one look at how far the bound can be followed


def searched(
    programme: Programme, bound: AnonymityVector, best: search.Best, deadline: Deadline, seed: int
) -> Certificate:
    """Let the solver look for better schedules than ``best``; what is proven at the end."""

    def build(fixed: np.ndarray) -> ZonedModel | None:
        n = n_variables(programme, fixed)
        if n > min(MOST_VARIABLES, deadline.left / (BUILT + SIMPLIFIED)):
            return None
        deadline.spend(BUILT * n)
        model = ZonedModel(programme, fixed)
        model.hint(best.groups)
        return model

    return search.searched(build, longest_cell(programme), bound, best, deadline, seed, _SHARES)
