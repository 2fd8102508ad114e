"""Local recoding: each part of a table has levels of its own, only as high as what must hold needs."""

from anonlib.analyses.generalization.search.local_recoding.of_persons import LocalRecodingOfPersons, parts_of_persons
from anonlib.analyses.generalization.search.local_recoding.of_records import (
    ROUNDS,
    LocalRecoding,
    RecodingWithinBudget,
    RoundsProgress,
    part_by_part,
    parts_within,
    work_of_first_parts,
)
from anonlib.analyses.generalization.search.local_recoding.with_coins import parts_with_coins

__all__ = [
    "ROUNDS",
    "LocalRecoding",
    "LocalRecodingOfPersons",
    "RecodingWithinBudget",
    "RoundsProgress",
    "part_by_part",
    "parts_of_persons",
    "parts_with_coins",
    "parts_within",
    "work_of_first_parts",
]  # fmt: skip
