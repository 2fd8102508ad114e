"""Folders as an officer names them: that they are there, and what they are called in a sentence."""

from __future__ import annotations

from pathlib import Path

from anonlib.basics import words
from anonlib.basics.errors import InputError

_LONGEST_NAME = 60


def called(folder: Path) -> str:
    """What a folder is called in a sentence: the last part of its path alone."""
    name = words.escaped(folder.name) or "this folder"
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def existing(folder: Path | str) -> Path:
    """The folder that is named. Raises InputError where there is none."""
    if not str(folder).strip():
        raise InputError("Name the folder of the register.", code="folder-missing")
    path = Path(folder)
    try:
        is_there = path.is_dir()
    except OSError:
        is_there = False
    if not is_there:
        raise InputError(
            f"There is no folder “{called(path)}” at this place, or it cannot be entered. Name one that is there: "
            "none is made.",
            code="folder-missing",
        )
    return path
