"""What is otherwise where a project is used on a file: another file, columns, and values that no step covers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from anonlib.basics import words
from anonlib.coarsening.recoding import untouched
from anonlib.columns.identifiers import points_to_someone
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.project.project import Project
from anonlib.release.applied import Applied
from anonlib.release.steps import Unseen, unseen_in

MOST_NAMED = 8
"""Values of a column that a sentence names; of the others it gives the number."""
_BECOME = {
    "nearest": "its step gives {them} the label of the nearest",
    "star": "its step makes {them} *",
    "leave_out": "its step leaves {their} records out",
}
_KNOWN = (Role.QUASI_IDENTIFIER, Role.PLACE)


@dataclass(frozen=True)
class Uncovered:
    """Values of a column that were not in the file on which a step or a hierarchy was decided.

    Attributes
    ----------
    column : str
        Its name.
    values : int
        How many distinct values, 1 or more.
    records : int
        How many records have one of them, 1 or more.
    named : tuple[str, ...], default ()
        The first of them, at most :data:`MOST_NAMED`, of a column that is known outside; none that looks as if it named
        somebody, and none of any other column.
    """

    column: str
    values: int
    records: int
    named: tuple[str, ...] = ()

    @property
    def in_words(self) -> str:
        """How many, of what, and which: ``2 values of ward (3 records): North and Annex``."""
        many = f"{words.count(self.values, 'values')} of {self.column} ({words.count(self.records, 'records')})"
        if not self.named:
            return many
        quoted = [f"“{value}”" for value in self.named]
        if rest := self.values - len(self.named):
            quoted.append(f"{rest:,} more")
        return f"{many}: {words.listed(quoted, len(quoted))}"

    def them(self, sentence: str) -> str:
        """A sentence about them, with the words for one or for several."""
        is_single = self.values == 1
        return sentence.format(them="it" if is_single else "them", their="its" if is_single else "their")


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
    decided : tuple[tuple[Uncovered, str], ...], default ()
        What a step did not know, and what was decided beforehand of such values: "nearest", "star" or
        "leave_out".
    not_in_hierarchy : tuple[Uncovered, ...], default ()
        What a chosen hierarchy lacks of a column that no step recodes.
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
    decided: tuple[tuple[Uncovered, str], ...] = ()
    not_in_hierarchy: tuple[Uncovered, ...] = ()
    unsaved_columns: tuple[str, ...] = ()
    n_problems: int = 0
    tables: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Each difference in a sentence, with the way out where there is one; none where nothing differs."""
        sentences = []
        if self.file:
            sentences.append(f"It was decided on another file, {self.file}: everything is assessed again on this one.")
        if self.gone:
            sentences.append(
                f"This file lacks {_columns(self.gone)}: what was decided on {_them(self.gone)} is left out."
            )
        if self.new:
            sentences.append(f"New in this file {_is(self.new)} {_columns(self.new)}: give {_them(self.new)} a role.")
        for uncovered in self.uncovered:
            decide = uncovered.them("decide on the Release page what becomes of {them}")
            sentences.append(f"No step covers {uncovered.in_words}{'; ' if uncovered.named else ': '}{decide}.")
        for new, others in self.decided:
            become = new.them(_BECOME[others])
            sentences.append(f"New in this file {'is' if new.values == 1 else 'are'} {new.in_words}; {become}.")
        for lacking in self.not_in_hierarchy:
            add = lacking.them("add {them} to it")
            sentences.append(f"The hierarchy of {lacking.column} lacks {lacking.in_words}; {add}.")
        if self.unsaved_columns:
            sentences.append(
                f"A project does not hold values of {_columns(self.unsaved_columns)}, which steps are made of: make "
                "these steps again on the Release page."
            )
        if self.n_problems:
            steps = words.count(self.n_problems, "steps")
            sentences.append(f"{steps} cannot be applied to this file: see the Release page.")
        for name in self.tables:
            sentences.append(f"It was decided with {name}, which is not loaded: load it too.")
        return tuple(sentences)


def differences(
    project: Project, data: Dataset, *, applied: Applied | None = None, beside: Collection[str] = ()
) -> Differences:
    """Compare what a project was decided on with a file that it is used on.

    Parameters
    ----------
    project : Project
        What was decided, and of which file, columns and values.
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
    is_another = project.file is None or project.file.digest != data.digest
    recoded = {name for entry in project.recipe.entries if entry.step.n_named for name in entry.step.columns}
    tables = [table for table in (project.population, project.areas) if table is not None]
    return Differences(
        file=project.file.name if project.file is not None and project.file.digest not in ("", data.digest) else "",
        gone=tuple(name for name in before if name not in data.columns),
        new=tuple(name for name in data.columns if name not in before) if project.file is not None else (),
        uncovered=tuple(_uncovered(new, here) for new in applied.unseen),
        decided=tuple((_uncovered(new, here), others) for new, others in _decided(here, data) if is_another),
        not_in_hierarchy=tuple(_uncovered(new, here) for new in _not_in_hierarchies(here, data, recoded)),
        unsaved_columns=unsaved_columns,
        n_problems=len(problems),
        tables=tuple(table.name for table in tables if table.digest not in beside),
    )


def _uncovered(new: Unseen, project: Project) -> Uncovered:
    """The same in numbers; and with the values where the column is known outside."""
    named: tuple[str, ...] = ()
    if project.roles.get(new.column) in _KNOWN:
        values = np.array(new.values, dtype=object)
        named = tuple(values[~points_to_someone(new.values, new.column)][:MOST_NAMED])
    return Uncovered(new.column, len(new.values), new.records, named)


def _decided(project: Project, data: Dataset) -> Iterator[tuple[Unseen, str]]:
    """Values of known columns that a step did not know, with what was decided of such beforehand."""
    for entry in project.recipe.entries:
        step = entry.step
        if entry.enabled and any(project.roles.get(name) in _KNOWN for name in step.recodes):
            yield from (pair for pair in step.decided_before(data) if project.roles.get(pair[0].column) in _KNOWN)


def _not_in_hierarchies(project: Project, data: Dataset, recoded: Collection[str]) -> Iterator[Unseen]:
    """Values of known columns that a hierarchy chosen for them does not cover."""
    for name, hierarchy in project.hierarchies.items():
        if name in recoded or not hierarchy.n_named or project.roles.get(name) not in _KNOWN:
            continue
        counts = data.held.counts_of(name)
        lacking = np.zeros(len(counts.values), dtype=bool)
        for recoding in hierarchy.recodings:
            lacking |= untouched(recoding, counts.values)
        yield from unseen_in(name, counts, lacking)


def _columns(names: Collection[str]) -> str:
    many = "the column " if len(names) == 1 else f"{len(names):,} columns, "
    return many + words.listed([f"“{name}”" for name in names])


def _them(names: Collection[str]) -> str:
    return "it" if len(names) == 1 else "them"


def _is(names: Collection[str]) -> str:
    return "is" if len(names) == 1 else "are"
