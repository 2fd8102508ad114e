"""A project on the files that it is used on: the data as it says, what its recipe makes of them, and the verdict."""

from __future__ import annotations

import hashlib
import json
import warnings
from dataclasses import dataclass, replace
from functools import cached_property

from anonlib.basics.progress import Progress, nobody
from anonlib.columns.roles import undecided
from anonlib.dataset import Dataset
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project.differences import Differences, differences
from anonlib.filing.project.files import TableBeside
from anonlib.filing.project.loaded import Loaded
from anonlib.filing.project.people import NONE, paired, under_names
from anonlib.filing.project.project import Project
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Aim, Case, Counted, Verdict, judge, why_it_stays


@dataclass(frozen=True, eq=False)
class Opened:
    """A project on a file.

    Attributes
    ----------
    project : as it stands for this file, which it names.
    data : the file with the project's roles.
    applied : what the project's recipe makes of it.
    people : the population table under the file's names of columns; None without.
    differences : what is otherwise than where the project was decided; None where it was decided here.
    why_not_read : why the file is not read as the project says, in a sentence; "".
    """

    project: Project
    data: Dataset
    applied: Applied
    people: Dataset | None = None
    differences: Differences | None = None
    why_not_read: str = ""

    @cached_property
    def key(self) -> str:
        """Names all that is assessed: the same key, the same evidence but for the case, which nothing depends on."""
        project = replace(self.project, case=ReleaseCase())
        # Its text lacks the values that are confidential: its recipes do not.
        recipes = [recipe.digest for recipe in (project.recipe, *project.aim.earlier)]
        people = None if self.people is None else self.people.key
        parts = [project.to_json(), recipes, self.data.key, people]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    @property
    def undecided(self) -> tuple[str, ...]:
        """Columns that nobody has given a role."""
        return tuple(undecided(self.data.columns, self.project.roles))

    @cached_property
    def case(self) -> Case:
        """What criteria are checked on."""
        return case_of(self.applied, self.project.recipe, self.people, self.project.aim, self.project.unknowable)

    @cached_property
    def verdict(self) -> Verdict:
        """Whether the release may leave."""
        return verdict_of(self.case, self.project.aim, self.undecided)

    @property
    def why_it_stays(self) -> str:
        """Why the release may not be taken out yet, in a sentence; "" where it may."""
        return why_it_stays(self.applied, self.verdict, self.project.aim.leaves_anyway)


class Upgraded(UserWarning):
    """A project that an earlier version saved is judged otherwise than there."""


def open_project(project: Project, loaded: Loaded, population: Dataset | None = None) -> Opened:
    """Use a project on a file.

    Parameters
    ----------
    project : Project
        The project.
    loaded : Loaded
        The file; it is read again as the project has it.
    population : Dataset, optional
        The population table, as :func:`read_population` reads it.

    Returns
    -------
    Opened

    Raises
    ------
    InputError
        When the roles cannot stand together, or a column cannot be counted by.
    """
    for sentence in project.upgraded:
        warnings.warn(sentence, Upgraded, stacklevel=2)
    loaded, why_not_read = loaded.read_as(project.file)
    here = replace(project.on(loaded.raw.columns), file=loaded.as_read)
    data = loaded.dataset(loaded.records(), here.missing).with_roles(here.roles)
    data.classes([])
    people = None
    if population is not None:
        here = replace(here, population=TableBeside(population.digest, population.name, population.weight or NONE))
        pairs = tuple(paired(data, population, here.population_columns).items())
        people = under_names(population, pairs=pairs).shown_as(data)
    applied = here.recipe.apply(data)
    beside = () if population is None else (population.digest,)
    found = differences(project, data, applied=applied, beside=beside)
    return Opened(here, data, applied, people, found, why_not_read)


def case_of(
    applied: Applied,
    recipe: Recipe,
    people: Dataset | None,
    aim: Aim,
    unknowable: tuple[str, ...] = (),
    before: Counted | None = None,
) -> Case:
    """What the criteria of an aim are checked on; ``before`` is the original where it was counted before."""
    return Case(applied, recipe, people, aim.harmless_by_column, aim.earlier, unknowable, aim.k, aim.of.rows, before)


def verdict_of(case: Case, aim: Aim, undecided: tuple[str, ...], progress: Progress = nobody) -> Verdict:
    """The verdict on a case for the recipient of an aim; ``progress`` gets the share done, and may raise to stop."""
    return judge(
        case, aim.criteria, recipient=aim.of.name, accepted=aim.accepted, undecided=undecided, progress=progress
    )
