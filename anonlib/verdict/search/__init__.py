"""The least change that meets criteria: found, taken back where it is not needed, and proven where the search ends."""

from anonlib.verdict.search.conflicts import Conflict
from anonlib.verdict.search.in_words import how_sure, none_found, why_none
from anonlib.verdict.search.problem import Problem, Settled
from anonlib.verdict.search.proposals import Adviser, Asked, Price, Proposal
from anonlib.verdict.search.remedies import Relief, Remedy, reliefs, remedies
from anonlib.verdict.search.search import Found, NothingFound, least_change

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
