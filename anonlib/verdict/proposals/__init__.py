"""What an adviser proposes: the least change that meets criteria, what each criterion costs, and what else would do."""

from anonlib.analyses.generalization.search import NothingFound
from anonlib.verdict.proposals.blanks import blank_cells, why_no_blanks
from anonlib.verdict.proposals.in_words import how_sure, none_found, why_none
from anonlib.verdict.proposals.parts import part_by_part
from anonlib.verdict.proposals.proposals import Adviser, Asked, Price, Proposal
from anonlib.verdict.proposals.remedies import Relief, Remedy, reliefs, remedies

__all__ = [
    "Adviser",
    "Asked",
    "NothingFound",
    "Price",
    "Proposal",
    "Relief",
    "Remedy",
    "blank_cells",
    "how_sure",
    "none_found",
    "part_by_part",
    "reliefs",
    "remedies",
    "why_no_blanks",
    "why_none",
]
