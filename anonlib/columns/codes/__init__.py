"""Code systems that hospitals and offices use: which one a column holds, and what its codes belong to.

Each system is a :class:`CodeSystem` that tells of a code the group it belongs to, level by level; `docs/codes.md` has
the source and the licence of each. Only groupings are kept here, no texts of a classification.
"""

from anonlib.columns.codes.recognition import SYSTEMS, CodeFit, fit, has_levels, offered, recognised
from anonlib.columns.codes.system import CodeSystem

__all__ = ["SYSTEMS", "CodeFit", "CodeSystem", "fit", "has_levels", "offered", "recognised"]
