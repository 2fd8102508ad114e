"""The command line: what the app does for one file, for scripts and scheduled work."""

from anonlib.command.main import main

__all__ = ["main"]
