"""What scripts that version 0.1 and 0.2 wrote import; the project itself is in `anonlib.filing.project`."""

from anonlib.filing.project import LoadedFile, Project, open_project, read_population

__all__ = ["LoadedFile", "Project", "open_project", "read_population"]
