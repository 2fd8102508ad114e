"""A certified lower bound: where in the plane of risk and loss no policy can be."""

from anonlib.analyses.frontier.bound.search import LowerBound, lower_bounds
from anonlib.analyses.frontier.bound.table import why_not as why_no_bound

__all__ = ["LowerBound", "lower_bounds", "why_no_bound"]
