"""Part by part: each part of a table has levels of its own, only as high as what must hold needs."""

from anonlib.analyses.generalization.search.parts.anytime import WatchRounds, parts_within
from anonlib.analyses.generalization.search.parts.parts import ROUNDS, Look, Parts, part_by_part

__all__ = ["ROUNDS", "Look", "Parts", "WatchRounds", "part_by_part", "parts_within"]
