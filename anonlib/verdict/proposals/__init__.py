"""What an adviser proposes: the least change that meets criteria, what each criterion costs, and what else would do."""

from anonlib.analyses.generalization.search import NothingFound
from anonlib.verdict.proposals.adviser import Adviser, Price
from anonlib.verdict.proposals.asked import Asked, weights_for
from anonlib.verdict.proposals.blanks import blank_cells, why_no_blanks
from anonlib.verdict.proposals.in_words import how_sure, none_found, why_none
from anonlib.verdict.proposals.parts import part_by_part, why_no_parts
from anonlib.verdict.proposals.proposal import Proposal
from anonlib.verdict.proposals.ranking import Ranked, kept_by, ranked
from anonlib.verdict.proposals.reliefs import Relief, reliefs
from anonlib.verdict.proposals.remedies import Remedies, Remedy, remedies, values_in_columns
from anonlib.verdict.proposals.whole import whole_columns

__all__ = [
    "Adviser",
    "Asked",
    "NothingFound",
    "Price",
    "Proposal",
    "Ranked",
    "Relief",
    "Remedies",
    "Remedy",
    "blank_cells",
    "how_sure",
    "kept_by",
    "none_found",
    "part_by_part",
    "ranked",
    "reliefs",
    "remedies",
    "values_in_columns",
    "weights_for",
    "whole_columns",
    "why_no_blanks",
    "why_no_parts",
    "why_none",
]
