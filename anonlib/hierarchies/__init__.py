"""Value hierarchies: what each value of a column is released as, level by level, and how to build them."""

from anonlib.hierarchies.arx import from_csv, to_csv
from anonlib.hierarchies.builders import cuts, dates, equal_frequency, from_labels, intervals, masking, rounding, tree
from anonlib.hierarchies.codes import codes
from anonlib.hierarchies.editing import relabelled
from anonlib.hierarchies.hierarchy import EVERYTHING, TOP, Hierarchy, Levels, generalized, levels_of
from anonlib.hierarchies.merging import merged, without_every_other_end
from anonlib.hierarchies.rare import OTHER, Holders, all_into, merged_rare, rare, rare_by_share
from anonlib.hierarchies.suggestions import suggested_hierarchy

__all__ = [
    "EVERYTHING",
    "OTHER",
    "TOP",
    "Hierarchy",
    "Holders",
    "Levels",
    "all_into",
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
