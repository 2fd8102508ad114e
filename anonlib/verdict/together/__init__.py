"""Releases together: what somebody learns who holds several releases of the same file, or of files of several months.

Read in this order: :mod:`matching` (who is who in several files), :mod:`joining` (the labels of each in all releases),
:mod:`over_releases` (what each had in some release), :mod:`subtraction` (what subtracting one from another shows
exactly).
"""

from anonlib.verdict.together.joining import JoinedReleases, Release, certain_in_some, together
from anonlib.verdict.together.matching import are_one_file
from anonlib.verdict.together.subtraction import CountedExactly, counted_exactly

__all__ = [
    "CountedExactly",
    "JoinedReleases",
    "Release",
    "are_one_file",
    "certain_in_some",
    "counted_exactly",
    "together",
]
