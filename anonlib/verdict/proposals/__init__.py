"""What an adviser proposes: the least change that meets criteria, what each criterion costs, and what else would do."""

from anonlib.analyses.generalization.search import NothingFound
from anonlib.verdict.proposals.advise import advise, first_answer
from anonlib.verdict.proposals.adviser import Adviser, Asked, MarginalCost, method_of, weights_for
from anonlib.verdict.proposals.cell_suppression import why_no_blanks
from anonlib.verdict.proposals.local_recoding import why_no_parts
from anonlib.verdict.proposals.proposal import Proposal, Ranked, how_sure, kept_by, none_found, ranked
from anonlib.verdict.proposals.what_if import (
    Relaxation,
    WhatIf,
    WhatIfs,
    relaxations,
    values_in_columns,
    what_ifs,
    why_none,
)

__all__ = [
    "Adviser",
    "Asked",
    "MarginalCost",
    "NothingFound",
    "Proposal",
    "Ranked",
    "Relaxation",
    "WhatIf",
    "WhatIfs",
    "advise",
    "first_answer",
    "how_sure",
    "kept_by",
    "method_of",
    "none_found",
    "ranked",
    "relaxations",
    "values_in_columns",
    "weights_for",
    "what_ifs",
    "why_no_blanks",
    "why_no_parts",
    "why_none",
]
