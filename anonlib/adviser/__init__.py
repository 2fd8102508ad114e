"""The least change that meets criteria: found, taken back where it is not needed, and proven where the search ends."""

from anonlib.adviser.conflicts import Conflict
from anonlib.adviser.in_words import how_sure, none_found, why_none
from anonlib.adviser.problem import Problem, Settled
from anonlib.adviser.proposals import Adviser, Asked, Price, Proposal
from anonlib.adviser.remedies import Relief, Remedy, reliefs, remedies
from anonlib.adviser.search import Found, NothingFound, least_change

__all__ = [
    "Adviser",
    "Asked",
    "Conflict",
    "Found",
    "NothingFound",
    "Price",
    "Problem",
    "Proposal",
    "Relief",
    "Remedy",
    "Settled",
    "how_sure",
    "least_change",
    "none_found",
    "reliefs",
    "remedies",
    "why_none",
]
