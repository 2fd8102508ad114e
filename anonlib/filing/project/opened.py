"""A project on the files that it is used on: the data as it says, what its recipe makes of them, and the verdict."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from types import MappingProxyType

import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.columns.identifiers import pair_columns
from anonlib.columns.roles import Role, suggest_roles, undecided
from anonlib.dataset import Dataset
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project.differences import Differences, differences
from anonlib.filing.project.files import TableBeside
from anonlib.filing.project.loaded import Loaded, as_decided
from anonlib.filing.project.parts import hierarchies_to_dict
from anonlib.filing.project.project import Project
from anonlib.filing.project.upgrades import no_longer_met
from anonlib.reading.records import FrameRecords
from anonlib.reading.sources import DEFAULT_MARKS, apply_missing_marks, open_source
from anonlib.release.applied import Applied
from anonlib.release.pseudonyms import KeyOfPseudonyms, PersonsByKey, Pseudonyms, why_not
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import (
    Aim,
    Case,
    Counted,
    Verdict,
    asked_of_earlier,
    asked_of_pseudonyms,
    judge,
    why_it_stays,
)
from anonlib.verdict.method import LeftForValue, left_for_value
from anonlib.verdict.proposals import method_of
from anonlib.verdict.together import Release

NONE = ""
"""No column: none is called so."""


def read_population(data: bytes, name: str, weight: str | None = None) -> Dataset:
    """Read a population table.

    Parameters
    ----------
    data : bytes
        The file's bytes.
    name : str
        What the file is called.
    weight : str, optional
        The column that counts people; :data:`NONE` where each row is one person. As suggested when left out, or where
        the table has no such column.

    Returns
    -------
    Dataset

    Raises
    ------
    InputError
        When it cannot be read, or its people cannot be counted by that column.
    """
    source = open_source(data, name)
    frame = apply_missing_marks(source.frame, DEFAULT_MARKS)
    if weight is None or weight not in {NONE, *frame.columns}:
        weights = (suggestion.column for suggestion in suggest_roles(frame) if suggestion.role is Role.WEIGHT)
        weight = next(weights, NONE)
    return counted_by(Dataset(source.name, source.digest, FrameRecords(frame), prepared="population"), weight)


def counted_by(table: Dataset, weight: str) -> Dataset:
    """The table with its people counted by a column; :data:`NONE`: each row is one person.

    Parameters
    ----------
    table : Dataset
        The population table.
    weight : str
        The column of counts, or :data:`NONE`.

    Returns
    -------
    Dataset

    Raises
    ------
    InputError
        Where the column holds no counts.
    """
    counted = table.with_roles({} if weight == NONE else {weight: Role.WEIGHT})
    counted.classes([])
    return counted


def paired(data: Dataset, table: Dataset, chosen: Mapping[str, str]) -> dict[str, str]:
    """For each column of the file, the population table's that is it: as chosen, else by its name; else NONE.

    Parameters
    ----------
    data : Dataset
        The file.
    table : Dataset
        The population table.
    chosen : Mapping[str, str]
        By column of the file, that of the population table, where one was chosen.

    Returns
    -------
    dict[str, str]
    """
    offered = [name for name in table.columns if name != table.weight]
    suggested = pair_columns(data.columns, offered)
    pairs = {name: chosen.get(name, suggested.get(name, NONE)) for name in data.columns}
    return {name: other if other in offered else NONE for name, other in pairs.items()}


def under_names(table: Dataset, *, pairs: tuple[tuple[str, str], ...]) -> Dataset:
    """The population table under the file's names of columns, without those that the file does not have.

    Parameters
    ----------
    table : Dataset
        The population table.
    pairs : tuple[tuple[str, str], ...]
        Columns of the file, each with that of the table.

    Returns
    -------
    Dataset
    """
    columns = {name: table.records[other] for name, other in pairs if NONE != other != table.weight}
    if table.weight is not None:
        columns[table.weight] = table.records[table.weight]
    frame = pd.DataFrame(columns, index=table.records.index)
    return table.with_frame(frame, f" with {pairs}")


@dataclass(frozen=True, eq=False)
class Opened:
    """A project on a file.

    Attributes
    ----------
    project : Project
        As it stands for this file, which it names.
    data : Dataset
        The file with the project's roles.
    applied : Applied
        What the project's recipe makes of it.
    people : Dataset, optional
        The population table under the file's names of columns; None without.
    differences : Differences, optional
        What is otherwise than where the project was decided; None where it was decided here.
    why_not_read : str, default ""
        Why the file is not read as the project says, in a sentence; "".
    pseudonym_key : KeyOfPseudonyms, optional
        The key of pseudonyms that is at hand; None without.
    beside : tuple[Opened, ...], default ()
        Earlier releases of other files, each by its project on its file.
    elsewhere : int, default 0
        How many more a register has that could be held beside this one, and that are not counted with it.
    """

    project: Project
    data: Dataset
    applied: Applied
    people: Dataset | None = None
    differences: Differences | None = None
    why_not_read: str = ""
    pseudonym_key: KeyOfPseudonyms | None = field(default=None, repr=False)
    beside: tuple[Opened, ...] = ()
    elsewhere: int = 0

    @cached_property
    def key(self) -> str:
        """Names all that is assessed: the same key, the same evidence but for the case, which nothing depends on."""
        project = replace(self.project, case=ReleaseCase())
        # Its text lacks the values that are confidential: its recipes do not.
        recipes = [recipe.digest for recipe in (project.recipe, *project.aim.earlier)]
        people = None if self.people is None else self.people.key
        with_key = None if self.pseudonym_key is None else self.pseudonym_key.id
        others = [release.key for release in self.beside]
        parts = [project.to_json(), recipes, self.data.key, people, with_key, others, self.elsewhere]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    @cached_property
    def decided(self) -> str:
        """Names what leaves, for whom and why: the file, what is decided on it, and the case; 64 hexadecimal digits.

        It is the same in another session and in another version of the program. Looking at the file otherwise does not
        change it: the k and the threshold of the Risk page, versions kept beside the recipe, orders of values, areas,
        what only guides a search, and noting this very release as one that left.
        """
        project, noted = self.project, (self.project.recipe.digest, self.data.digest)
        aim = replace(project.aim.judged, leaves_anyway=project.aim.leaves_anyway)
        earlier = {(recipe.digest, of) for recipe in aim.earlier for of in aim.released_of(recipe.digest) or ("",)}
        then = {(recipe, of, json.dumps(held.to_dict())) for recipe, of, held in aim.earlier_then}
        parts = {
            "data": self.data.key,
            "recipe": project.recipe.digest,
            "aim": aim.to_dict(),
            "earlier": sorted(earlier - {noted}),
            "then": sorted(item for item in then if item[:2] != noted),
            "beside": sorted((release.data.key, release.project.recipe.digest) for release in self.beside),
            "people": None if self.people is None else self.people.key,
            "unknowable": sorted(project.unknowable),
            "hierarchies": hierarchies_to_dict(project.as_saved.hierarchies),
            "pseudonyms": None if project.pseudonyms is None else project.pseudonyms.to_dict(),
            "seed": project.seed,
            "case": project.case.to_dict(),
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def undecided(self) -> tuple[str, ...]:
        """Columns that nobody has given a role."""
        return tuple(undecided(self.data.columns, self.project.roles))

    @cached_property
    def case(self) -> Case:
        """What criteria are checked on."""
        project = self.project
        return case_of(
            self.applied, project.recipe, self.people, project.aim, project.unknowable, pseudonyms=project.pseudonyms,
            beside=tuple(release.as_release for release in self.beside), elsewhere=self.elsewhere,
            hierarchies=project.hierarchies,
        )  # fmt: skip

    @property
    def as_release(self) -> Release:
        """The release with what it was made of, for who holds it beside another one."""
        return Release(self.applied, self.project.recipe, self.project.aim.harmless_by_column)

    @cached_property
    def verdict(self) -> Verdict:
        """Whether the release may leave."""
        return verdict_of(self.case, self.project.aim, self.undecided)

    @property
    def no_longer_met(self) -> str:
        """Which criteria ask more than when the project was saved and are not met today, in sentences; ""."""
        return no_longer_met(self.project.stricter, [finding.criterion.title for finding in self.verdict.against])

    @cached_property
    def left_for_value(self) -> tuple[LeftForValue, ...]:
        """Whom steps leave out for a value, by the sizes that criteria ask where a step does not say them."""
        guarantees = (criterion.guarantees(self.case) for criterion in self.project.aim.criteria)
        return left_for_value(self.applied, self.project.recipe, [*chain.from_iterable(guarantees)])

    @property
    def why_it_stays(self) -> str:
        """Why the release may not be taken out yet, in a sentence; "" where it may."""
        return why_it_stays(self.applied, self.verdict, self.project.aim.leaves_anyway) or self.why_no_key

    @property
    def pseudonyms(self) -> Pseudonyms | None:
        """The label under which persons of the release have pseudonyms; None where they have numbers or none."""
        return self.case.pseudonyms

    @property
    def why_no_key(self) -> str:
        """Why persons cannot get their pseudonyms, in a sentence; "" where they can, or have none."""
        return "" if self.pseudonyms is None else why_not(self.pseudonyms, self.pseudonym_key)

    @property
    def by_key(self) -> PersonsByKey | None:
        """What names the persons of the release; None where numbers are drawn.

        Raises
        ------
        InputError
            Where the key is not at hand (:attr:`why_no_key`).
        """
        if self.why_no_key:
            raise InputError(self.why_no_key, code="key-missing")
        if self.pseudonyms is None or self.pseudonym_key is None:
            return None
        return self.pseudonym_key.under(self.pseudonyms)


class Upgraded(UserWarning):
    """A project that an earlier version saved is judged otherwise than there."""


def open_project(
    project: Project,
    loaded: Loaded,
    population: Dataset | None = None,
    pseudonym_key: KeyOfPseudonyms | None = None,
) -> Opened:
    """Use a project on a file.

    Parameters
    ----------
    project : Project
        What was decided: how the file is read, roles, steps and criteria.
    loaded : Loaded
        The file; it is read again as the project has it.
    population : Dataset, optional
        The population table, as :func:`read_population` reads it.
    pseudonym_key : KeyOfPseudonyms, optional
        The key of pseudonyms, without which persons get none, and the release is not made where they should.

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
    loaded, why_not_read = as_decided(loaded, project.file)
    here = replace(project.on(loaded.columns).with_earlier_of_its_file, file=loaded.as_read)
    data = loaded.dataset(loaded.records(), here.missing).with_roles(here.roles)
    data.classes([])
    people = None
    if population is not None:
        here = replace(here, population=TableBeside(population.digest, population.name, population.weight or NONE))
        pairs = tuple(paired(data, population, here.population_columns).items())
        people = under_names(population, pairs=pairs).shown_as(data)
    applied = here.recipe.apply(data)
    beside = () if population is None else (population.digest,)
    changes = differences(project, data, applied=applied, beside=beside)
    return Opened(here, data, applied, people, changes, why_not_read, pseudonym_key)


def case_of(
    applied: Applied,
    recipe: Recipe,
    people: Dataset | None,
    aim: Aim,
    unknowable: tuple[str, ...] = (),
    before: Counted | None = None,
    pseudonyms: Pseudonyms | None = None,
    beside: tuple[Release, ...] = (),
    elsewhere: int = 0,
    hierarchies: Mapping[str, Hierarchy] = MappingProxyType({}),
) -> Case:
    """What the criteria of an aim are checked on; ``before`` is the original where it was counted before.

    Parameters
    ----------
    applied : Applied
        What the recipe made of the data.
    recipe : Recipe
        The steps that were applied.
    people : Dataset | None
        The population table, if there is one.
    aim : Aim
        What a release must meet.
    unknowable : tuple[str, ...], default ()
        Columns that nobody outside can know.
    before : Counted, optional
        The original, where it was counted before.
    pseudonyms : Pseudonyms, optional
        How person ids are named, where that is by a key.
    beside : tuple[Release, ...], default ()
        Earlier releases of other data, each with these.
    elsewhere : int, default 0
        How many more a register has, of which the data are not at hand.
    hierarchies : Mapping[str, Hierarchy], optional
        By column, how a search can coarsen it, where that was chosen; the others have the suggested hierarchy.

    Returns
    -------
    Case
    """
    given = pseudonyms if applied.released.ids_leave else None
    earlier, earlier_data, n_read_otherwise = _of_this_file(applied.original, aim)
    at_hand = {(release.original.digest, release.recipe.digest) for release in beside}
    of_others = [(of, name) for name, of in aim.earlier_of if of != applied.original.digest]
    return Case(
        applied,
        recipe,
        people,
        aim.harmless_by_column,
        earlier,
        unknowable,
        aim.k,
        aim.of.rows,
        before,
        given,
        aim.year,
        earlier_data,
        beside,
        sum(release not in at_hand for release in of_others) + n_read_otherwise + elsewhere,
        partial(method_of, applied.original, recipe, aim, hierarchies, unknowable),
    )


def _of_this_file(original: Dataset, aim: Aim) -> tuple[tuple[Recipe, ...], dict[str, tuple[Dataset, ...]], int]:
    """The recipes of earlier releases of a file read as it is now, by recipe the data as they were decided on then, and
    how many more releases are of the file read otherwise, such as of another sheet of the workbook."""
    recipes, data, n_read_otherwise = list[Recipe](), dict[str, tuple[Dataset, ...]](), 0
    for recipe in aim.of_file(original.digest):
        thens = aim.decided_then(recipe.digest, original.digest)
        alike = [then for then in thens if then.is_of(original)]
        n_read_otherwise += len(thens) - len(alike)
        if alike:
            data[recipe.digest] = tuple(then.on(original) for then in alike)
        if alike or not thens:
            recipes.append(recipe)
    return tuple(recipes), data, n_read_otherwise


def verdict_of(
    case: Case, aim: Aim, undecided: tuple[str, ...], progress: Progress = nobody, most_work: float | None = None
) -> Verdict:
    """The verdict on a case for the recipient of an aim; ``progress`` gets the share done, and may raise to stop.

    Parameters
    ----------
    case : Case
        What is judged.
    aim : Aim
        What a release must meet.
    undecided : tuple[str, ...]
        Columns that nobody has decided on.
    progress : Progress, default nobody
        Called with the share done, 0 to 1; may raise to stop.
    most_work : float, optional
        What something that is measured without a limit may take; one that takes more is not counted yet. None: all are.

    Returns
    -------
    Verdict
    """
    criteria = (*aim.criteria, *asked_of_pseudonyms(case, aim.criteria, aim.k))
    required, reported = asked_of_earlier(case, criteria, aim.measured, aim.of.is_anybody, aim.k)
    return judge(
        case,
        (*criteria, *required),
        recipient=aim.of.name,
        measured=(*aim.measured, *reported),
        accepted=aim.accepted,
        undecided=undecided,
        most_work=most_work,
        progress=progress,
    )
