"""What an officer decided about a file as one immutable value, saved as text, and used on another file."""

from anonlib.project.bounds import MOST_BYTES
from anonlib.project.differences import Differences, Uncovered, differences
from anonlib.project.files import AreasBeside, FileRead, TableBeside
from anonlib.project.orders import MOST_BY_HAND, ValueOrder, Way
from anonlib.project.project import MOST_NAMED, TOLD, Project
from anonlib.project.variants import MOST_VARIANTS, Variant

__all__ = [
    "MOST_BYTES", "MOST_BY_HAND", "MOST_NAMED", "MOST_VARIANTS", "TOLD", "AreasBeside", "Differences", "FileRead",
    "Project", "TableBeside", "Uncovered", "ValueOrder", "Variant", "Way", "differences",
]  # fmt: skip
