"""Value hierarchies: what each value of a column is released as, level by level, and how to build them."""

from anonlib.coarsening.hierarchies.arx import from_csv, to_csv
from anonlib.coarsening.hierarchies.builders import (
    codes,
    cuts,
    dates,
    equal_frequency,
    from_labels,
    intervals,
    masking,
    merged,
    rounding,
    tree,
    without_every_other_end,
)
from anonlib.coarsening.hierarchies.hierarchy import (
    EVERYTHING,
    TOP,
    Hierarchy,
    Levels,
    generalized,
    levels_of,
    relabelled,
)
from anonlib.coarsening.hierarchies.rare import (
    OTHER,
    SHARES_OF_RARE,
    Holders,
    all_into,
    are_few,
    merged_rare,
    rare,
    rare_by_share,
)
from anonlib.coarsening.hierarchies.suggestions import suggested_hierarchy

__all__ = [
    "EVERYTHING",
    "OTHER",
    "SHARES_OF_RARE",
    "TOP",
    "Hierarchy",
    "Holders",
    "Levels",
    "all_into",
    "are_few",
    "codes",
    "cuts",
    "dates",
    "equal_frequency",
    "from_csv",
    "from_labels",
    "generalized",
    "intervals",
    "levels_of",
    "masking",
    "merged",
    "merged_rare",
    "rare",
    "rare_by_share",
    "relabelled",
    "rounding",
    "suggested_hierarchy",
    "to_csv",
    "tree",
    "without_every_other_end",
]
