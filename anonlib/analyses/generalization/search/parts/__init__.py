"""Part by part: each part of a table has levels of its own, only as high as what must hold needs."""

from anonlib.analyses.generalization.search.parts.parts import Look, Parts, part_by_part

__all__ = ["Look", "Parts", "part_by_part"]
