"""What an adviser proposes: the least change that meets criteria, what each criterion costs, and what else would do."""

from anonlib.analyses.generalization.search import NothingFound
from anonlib.verdict.proposals.asked import Asked
from anonlib.verdict.proposals.in_words import how_sure, none_found, why_none
from anonlib.verdict.proposals.parts import part_by_part
from anonlib.verdict.proposals.proposals import Adviser, Price, Proposal
from anonlib.verdict.proposals.remedies import Relief, Remedy, reliefs, remedies, values_in_columns

__all__ = [
    "Adviser",
    "Asked",
    "NothingFound",
    "Price",
    "Proposal",
    "Relief",
    "Remedy",
    "how_sure",
    "none_found",
    "part_by_part",
    "reliefs",
    "remedies",
    "values_in_columns",
    "why_none",
]
