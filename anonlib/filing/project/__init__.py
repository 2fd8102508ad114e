"""What an officer decided about a file as one immutable value, saved as text, and used on another file."""

from anonlib.filing.project.bounds import MOST_BYTES
from anonlib.filing.project.by_hand import from_toml, project_of
from anonlib.filing.project.differences import Differences, Uncovered, differences
from anonlib.filing.project.files import AreasBeside, FileRead, TableBeside
from anonlib.filing.project.loaded import Loaded, LoadedFile, LoadedTable, LoadedTables, as_decided
from anonlib.filing.project.opened import (
    NONE,
    Opened,
    Upgraded,
    case_of,
    counted_by,
    open_project,
    paired,
    read_population,
    under_names,
    verdict_of,
)
from anonlib.filing.project.parts import MOST_BY_HAND, MOST_VARIANTS, ValueOrder, Variant, Way
from anonlib.filing.project.project import LOTS, MOST_NAMED, Project
from anonlib.filing.project.upgrades import no_longer_met

__all__ = [
    "LOTS", "MOST_BYTES", "MOST_BY_HAND", "MOST_NAMED", "MOST_VARIANTS", "NONE", "AreasBeside",
    "Differences", "FileRead", "Loaded", "LoadedFile", "LoadedTable", "LoadedTables", "Opened", "Project",
    "TableBeside", "Uncovered", "Upgraded", "ValueOrder", "Variant", "Way", "as_decided", "case_of", "counted_by",
    "differences", "from_toml", "no_longer_met", "open_project", "paired", "project_of", "read_population",
    "under_names", "verdict_of",
]  # fmt: skip
