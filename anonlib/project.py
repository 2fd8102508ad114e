"""What written scripts import, so that it keeps its place; the project itself is in `anonlib.filing.project`."""

from anonlib.filing.project import LoadedFile, Project, open_project, read_population

__all__ = ["LoadedFile", "Project", "open_project", "read_population"]
