"""What an officer decided about a file as one immutable value, saved as text, and used on another file."""

from anonlib.project.bounds import MOST_BYTES
from anonlib.project.by_hand import from_toml, project_of
from anonlib.project.differences import Differences, Uncovered, differences
from anonlib.project.files import AreasBeside, FileRead, TableBeside
from anonlib.project.loaded import Loaded, LoadedFile, LoadedTable
from anonlib.project.opened import Opened, Upgraded, case_of, open_project, verdict_of
from anonlib.project.orders import MOST_BY_HAND, ValueOrder, Way
from anonlib.project.people import NONE, counted_by, paired, read_population, under_names
from anonlib.project.project import LOTS, MOST_NAMED, TOLD, Project
from anonlib.project.variants import MOST_VARIANTS, Variant

__all__ = [
    "LOTS", "MOST_BYTES", "MOST_BY_HAND", "MOST_NAMED", "MOST_VARIANTS", "NONE", "TOLD", "AreasBeside", "Differences",
    "FileRead", "Loaded", "LoadedFile", "LoadedTable", "Opened", "Project", "TableBeside", "Uncovered", "Upgraded",
    "ValueOrder", "Variant", "Way", "case_of", "counted_by", "differences", "from_toml", "open_project", "paired",
    "project_of", "read_population", "under_names", "verdict_of",
]  # fmt: skip
