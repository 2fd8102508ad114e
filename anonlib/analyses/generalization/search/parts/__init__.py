"""Part by part: each part of a table has levels of its own, only as high as what must hold needs."""

from anonlib.analyses.generalization.search.parts.anytime import (
    RecodingWithinBudget,
    RoundsProgress,
    parts_within,
    work_of_first_parts,
)
from anonlib.analyses.generalization.search.parts.of_persons import parts_of_persons
from anonlib.analyses.generalization.search.parts.parts import LocalRecoding, part_by_part
from anonlib.analyses.generalization.search.parts.single_rows import LocalRecodingOfPersons
from anonlib.analyses.generalization.search.parts.splits import ROUNDS, Look

__all__ = [
    "ROUNDS",
    "LocalRecoding",
    "LocalRecodingOfPersons",
    "Look",
    "RecodingWithinBudget",
    "RoundsProgress",
    "part_by_part",
    "parts_of_persons",
    "parts_within",
    "work_of_first_parts",
]  # fmt: skip
