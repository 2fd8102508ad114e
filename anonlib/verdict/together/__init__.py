"""Releases together: what somebody learns who holds several releases of the same file, or of files of several months.

Read in this order: :mod:`matching` (who is who in several files), :mod:`joining` (the labels of each in all releases),
:mod:`subtraction` (what subtracting one release from another shows exactly), :mod:`holding_back` (whom to hold back).
"""

from anonlib.verdict.together.joining import Together, together
from anonlib.verdict.together.release import Release
from anonlib.verdict.together.subtraction import CountedExactly, counted_exactly

__all__ = ["CountedExactly", "Release", "Together", "counted_exactly", "together"]
