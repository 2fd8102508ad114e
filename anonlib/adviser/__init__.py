"""The least change that meets criteria: found, taken back where it is not needed, and proven where the search ends."""

from anonlib.adviser.conflicts import Conflict
from anonlib.adviser.problem import Problem, Settled
from anonlib.adviser.proposals import Adviser, Asked, Price, Proposal
from anonlib.adviser.remedies import Remedy, remedies
from anonlib.adviser.search import Found, least_change

__all__ = [
    "Adviser",
    "Asked",
    "Conflict",
    "Found",
    "Price",
    "Problem",
    "Proposal",
    "Remedy",
    "Settled",
    "least_change",
    "remedies",
]
