"""What an officer decided about a file as one immutable value, saved as text, and used on another file."""

from anonlib.filing.project.bounds import MOST_BYTES
from anonlib.filing.project.by_hand import from_toml, project_of
from anonlib.filing.project.differences import Differences, Uncovered, differences
from anonlib.filing.project.files import AreasBeside, FileRead, TableBeside
from anonlib.filing.project.loaded import Loaded, LoadedFile, LoadedTable
from anonlib.filing.project.loaded_tables import LoadedTables, as_decided
from anonlib.filing.project.opened import Opened, Upgraded, case_of, open_project, verdict_of
from anonlib.filing.project.orders import MOST_BY_HAND, ValueOrder, Way
from anonlib.filing.project.people import NONE, counted_by, paired, read_population, under_names
from anonlib.filing.project.project import LOTS, MOST_NAMED, Project
from anonlib.filing.project.upgrades import no_longer_met
from anonlib.filing.project.variants import MOST_VARIANTS, Variant

__all__ = [
    "LOTS", "MOST_BYTES", "MOST_BY_HAND", "MOST_NAMED", "MOST_VARIANTS", "NONE", "AreasBeside",
    "Differences", "FileRead", "Loaded", "LoadedFile", "LoadedTable", "LoadedTables", "Opened", "Project",
    "TableBeside", "Uncovered", "Upgraded", "ValueOrder", "Variant", "Way", "as_decided", "case_of", "counted_by",
    "differences", "from_toml", "no_longer_met", "open_project", "paired", "project_of", "read_population",
    "under_names", "verdict_of",
]  # fmt: skip
