"""What is otherwise where a project is used on a file: another file, columns, and values that no step covers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.filing.project.project import Project
from anonlib.release.applied import Applied


@dataclass(frozen=True)
class Uncovered:
    """Values of a column that no step covers, which are counted and never named.

    Attributes
    ----------
    column : str
        Its name.
    values : int
        How many distinct values, 1 or more.
    records : int
        How many records have one of them, 1 or more.
    """

    column: str
    values: int
    records: int


@dataclass(frozen=True)
class Differences:
    """What is otherwise where a project is used on a file.

    Attributes
    ----------
    file : str, default ""
        The name of the file that the project was decided on, where this is another one; else "".
    gone : tuple[str, ...], default ()
        Columns that had a role or stood in that file, and are not in this one.
    new : tuple[str, ...], default ()
        Columns of this one that were not in that file: nobody has decided on them.
    uncovered : tuple[Uncovered, ...], default ()
        What the recipe does not cover, one item a step and column; no file leaves before it is decided on.
    unsaved_columns : tuple[str, ...], default ()
        Columns of steps whose values the project does not hold.
    n_problems : int, default 0
        The other steps that cannot be applied to this file.
    tables : tuple[str, ...], default ()
        Names of the files beside the file that the project was decided with, and that are not loaded.
    """

    file: str = ""
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    uncovered: tuple[Uncovered, ...] = ()
    unsaved_columns: tuple[str, ...] = ()
    n_problems: int = 0
    tables: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Each difference in a sentence, with the way out where there is one; none where nothing differs."""
        found = []
        if self.file:
            found.append(f"It was decided on another file, {self.file}: everything is assessed again on this one.")
        if self.gone:
            found.append(f"This file lacks {_columns(self.gone)}: what was decided on {_them(self.gone)} is left out.")
        if self.new:
            found.append(f"New in this file {_is(self.new)} {_columns(self.new)}: give {_them(self.new)} a role.")
        for each in self.uncovered:
            values, records = words.count(each.values, "values"), words.count(each.records, "records")
            found.append(
                f"No step covers {values} of {each.column} ({records}): decide on the Release page what becomes of "
                f"{'it' if each.values == 1 else 'them'}."
            )
        if self.unsaved_columns:
            found.append(
                f"A project does not hold values of {_columns(self.unsaved_columns)}, which steps are made of: make "
                "these steps again on the Release page."
            )
        if self.n_problems:
            steps = words.count(self.n_problems, "steps")
            found.append(f"{steps} cannot be applied to this file: see the Release page.")
        for name in self.tables:
            found.append(f"It was decided with {name}, which is not loaded: load it too.")
        return tuple(found)


def differences(
    project: Project, data: Dataset, *, applied: Applied | None = None, beside: Collection[str] = ()
) -> Differences:
    """Compare what a project was decided on with a file that it is used on.

    Parameters
    ----------
    project : Project
        The project.
    data : Dataset
        The file, read and prepared.
    applied : Applied, optional
        The outcome of the project's recipe on the file with the project's roles; applied here when left out.
    beside : Collection[str], default ()
        The digests of the files beside the file that are loaded.

    Returns
    -------
    Differences

    Raises
    ------
    InputError
        When the project's roles cannot stand together.
    """
    here = project.on(data.columns)
    if applied is None:
        applied = here.recipe.apply(data.with_roles(here.roles).with_missing(here.missing))
    before = project.roles if project.file is None else dict.fromkeys((*project.file.columns, *project.roles))
    unsaved_columns = tuple(name for name in project.emptied if name in data.columns)
    problems = [
        entry.step
        for entry, effect in zip(project.recipe.entries, applied.effects, strict=True)
        if effect is not None and effect.problem and not entry.step.emptied
    ]
    tables = [table for table in (project.population, project.areas) if table is not None]
    return Differences(
        file=project.file.name if project.file is not None and project.file.digest not in ("", data.digest) else "",
        gone=tuple(name for name in before if name not in data.columns),
        new=tuple(name for name in data.columns if name not in before) if project.file is not None else (),
        uncovered=tuple(Uncovered(each.column, len(each.values), each.records) for each in applied.unseen),
        unsaved_columns=unsaved_columns,
        n_problems=len(problems),
        tables=tuple(table.name for table in tables if table.digest not in beside),
    )


def _columns(names: Collection[str]) -> str:
    many = "the column " if len(names) == 1 else f"{len(names):,} columns, "
    return many + words.listed([f"“{name}”" for name in names])


def _them(names: Collection[str]) -> str:
    return "it" if len(names) == 1 else "them"


def _is(names: Collection[str]) -> str:
    return "is" if len(names) == 1 else "are"
