"""What written scripts import, so that it keeps its place; the project itself is in `anonlib.filing.project`."""

from anonlib.filing.project import LoadedFile, LoadedTables, Project, open_project, read_population
from anonlib.release.pseudonyms import KeyOfPseudonyms

__all__ = ["KeyOfPseudonyms", "LoadedFile", "LoadedTables", "Project", "open_project", "read_population"]
