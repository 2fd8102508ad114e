"""Classes of a release in which labels of several levels stand side by side, counted by what the labels cover.

"34" and "30-39" are two labels and no two values: somebody of 34 may be behind either. So who knows true values is left
with all records whose labels cover them, and not with those of one label.
"""

from anonlib.counting.classes.covering.subsets import CoveredSubset, CoveredSubsets, subsets_of
from anonlib.counting.classes.covering.table import CoveredTable, Covering

__all__ = ["CoveredSubset", "CoveredSubsets", "CoveredTable", "Covering", "subsets_of"]
