"""One view of the session: the data, the recipe, what it makes of them, and the people around; each looked up once.

A view holds while nothing that it is made of changes, so a run of a page and the sidebar beside it share one, and
dragging a slider that changes none of it goes on with the same. What it computes waits until it is asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import is_not
from typing import Any, ClassVar

from anonlib.basics.progress import Progress, nobody
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.columns.person_ids import IdDoubts
from anonlib.columns.roles import Role, Suggestion, suggest_roles, undecided
from anonlib.counting.classes import ClassTable, Missing
from anonlib.counting.privacy_models import RowsKnown
from anonlib.dataset import Dataset
from anonlib.filing.project import Opened
from anonlib.filing.project.loaded import Loaded
from anonlib.filing.project.opened import case_of, paired, under_names, verdict_of
from anonlib.reading.ids import IdsRead
from anonlib.reading.records import Records
from anonlib.reading.sources import Described
from anonlib.release.applied import Applied
from anonlib.release.comparison import Comparison, compare
from anonlib.release.covering import CoveredClasses, covered_classes, recoded_by_cell
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.suggestions import FirstRecipe, first_recipe
from anonlib.release.uniqueness_of_release import Alone, alone_by_what_leaves, seconds
from anonlib.release.unprotected import BothEnds, NotCounted, not_counted
from anonlib.release.whose_rows import doubts_of
from anonlib.verdict.criteria import Aim, AskedSizes, Criterion, Finding, Verdict, counted, ends_of, judge, sizes_asked
from anonlib.verdict.criteria.inference import Certain, certain
from anonlib.verdict.criteria.rows import Rows, known, linking
from anonlib.verdict.criteria.verdict import AT_ONCE
from anonlib.verdict.together import Release
from ui.session import away, cache, companions, long_work, state
from ui.session.memory import Call


@dataclass(frozen=True)
class HeldBeside:
    """The earlier releases, each by its project on its file; at first none."""

    DECIDED: ClassVar = {"opened": "earlier releases"}

    opened: tuple[Opened, ...] = ()

    @property
    def key(self) -> str:
        """Names all of them."""
        return hashlib.sha256("".join(opened.key for opened in self.opened).encode()).hexdigest()

    @property
    def releases(self) -> tuple[Release, ...]:
        """As criteria look at them."""
        return tuple(opened.as_release for opened in self.opened)


MOST_KNOWN = 2
"""Columns that somebody is taken to know for what is certain, beside k."""
_first_recipe = cache.waited_for("Looking for steps to begin with", away_from=cache.MANY)(first_recipe)
_counted = cache.version(counted)
_under_names = cache.version(under_names)
_ALONE_AT_ONCE = 1.0  # seconds that counting who is alone may take and be waited for


@dataclass(frozen=True, eq=False)
class View:
    """The session as it is, and what follows from it.

    Attributes
    ----------
    loaded, roles, missing, recipe, aim, unknowable, population, population_columns, k, threshold : as in the session.
    asked_threshold : the highest risk by the smallest class that the recipient is asked for.
    pseudonyms : the label under which persons get pseudonyms by a key; None where numbers are drawn.
    beside : earlier releases of other files that are held beside this one.
    hierarchies : by column, how it can be coarsened, where that was chosen.
    """

    loaded: Loaded | None
    roles: Mapping[str, Role]
    missing: Missing
    recipe: Recipe
    aim: Aim
    unknowable: tuple[str, ...]
    population: Dataset | None
    population_columns: Mapping[str, str]
    k: int
    threshold: float
    asked_threshold: float
    pseudonyms: Pseudonyms | None
    beside: HeldBeside
    hierarchies: Mapping[str, Hierarchy]

    @cached_property
    def asked(self) -> View:
        """The same by the smallest class that the recipient is asked for, which the Risk page's k may differ from."""
        if (self.k, self.threshold) == (self.aim.k, self.asked_threshold):
            return self
        return replace(self, k=self.aim.k, threshold=self.asked_threshold)

    @property
    def k_to_reach(self) -> int:
        """What steps begin with: the k that the recipient is asked for, or the Risk page's where that is larger."""
        return max(self.k, self.aim.k)

    @cached_property
    def data(self) -> Dataset | None:
        """The loaded file with its accepted roles."""
        if self.loaded is None:
            return None
        return self.loaded.dataset(records_of(self.loaded), self.missing).with_roles(self.roles)

    @cached_property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """Suggested roles of the loaded file's columns."""
        return () if self.data is None else suggested(self.data)

    @cached_property
    def doubts(self) -> IdDoubts | None:
        """What is doubtful about whose row it is, by the column that is or may be that of person ids."""
        if self.data is None:
            return None
        suggested = next((s.column for s in self.suggestions if s.role is Role.PERSON_ID), None)
        person = suggested if self.data.weight is None and not self.data.roles else None
        read = None if self.loaded is None else self.loaded.ids
        return _doubts(self.data, person=person, read=read)

    @cached_property
    def applied(self) -> Applied | None:
        """The recipe's outcome on the loaded data."""
        return None if self.data is None else apply(self.recipe, self.data)

    @property
    def released(self) -> Dataset | None:
        """What the recipe makes of the data; None where no step is on."""
        return None if self.applied is None or not self.recipe.enabled else self.applied.released

    @cached_property
    def pairs(self) -> dict[str, str]:
        """For each column of the file, the population table's that is it: as chosen, else by its name; else NONE."""
        if self.population is None or self.data is None:
            return {}
        return paired(self.data, self.population, self.population_columns)

    @cached_property
    def people(self) -> Dataset | None:
        """The population table under the file's names of columns, without those that the file does not have."""
        pairs = tuple(self.pairs.items())
        if self.population is None or self.data is None:
            return None
        return _under_names(self.population, pairs=pairs).shown_as(self.data)

    @cached_property
    def comparison(self) -> Comparison | None:
        """Original against release; None without data or quasi-identifiers."""
        return self.comparison_of(self.recipe)

    @cached_property
    def sizes_asked(self) -> AskedSizes | None:
        """Of original and release, who shares what is known of persons by the rows that the recipient is asked for.

        None where every person has one row, so that the comparison says it, and where no record is left.
        """
        if self.data is None or not self.data.has_several_rows or not self.data.quasi_identifiers:
            return None
        if self.applied is None or not self.applied.released.n_records:
            return None
        return _sizes_asked(self.data, self.recipe, aim=self.aim.judged)

    def comparison_of(self, recipe: Recipe) -> Comparison | None:
        """The same for another recipe."""
        if self.data is None or not self.data.quasi_identifiers or not self.data.n_records:
            return None
        return _compare(self.data, recipe, self.people, k=self.k, threshold=self.threshold)

    @cached_property
    def beside_k(self) -> Beside | None:
        """What is shown beside k of the release; None where there is no comparison, or no record is left."""
        if self.comparison is None or self.data is None or self.applied is None or not self.applied.released.n_records:
            return None
        uncounted = _not_counted(
            self.recipe, self.data, k=self.aim.k, rows=self.aim.of.rows, unknowable=self.unknowable
        )
        by_column = self.certain_from(MOST_KNOWN)
        open_columns = tuple(column for column in uncounted if column.breaks_k)
        if not by_column:
            return Beside(open_columns, None, None, by_column is None)
        return Beside(open_columns, *max(by_column, key=lambda pair: pair[1].certain))

    def certain_from(self, known: int | None) -> tuple[tuple[Certain, Certain], ...] | None:
        """Of each sensitive column that leaves, for how many it is certain from so many columns, before and now.

        None where there are too many sets of columns, or no data.
        """
        if self.data is None or self.applied is None or not self.applied.released.n_records:
            return None
        return _certain(self.data, self.recipe, aim=self.aim.judged, unknowable=self.unknowable, known=known,
        )  # fmt: skip

    @cached_property
    def rows_asked(self) -> tuple[RowsKnown, ...]:
        """What :meth:`certain_from` takes to be known of the rows of a person; () where every person has one."""
        if self.data is None or self.applied is None or not self.applied.released.has_several_rows:
            return ()
        return _rows_asked(self.recipe, self.data, k=self.aim.k, rows=self.aim.of.rows)

    @cached_property
    def alone(self) -> Alone | None:
        """Who is alone by a few of all columns that leave; None where it takes long and was not counted yet."""
        if self.data is None or self.applied is None or not self.applied.released.n_records:
            return None
        if seconds(self.data.n_records, self.data.columns, self.recipe) <= _ALONE_AT_ONCE:
            return _alone(self.recipe, self.data, k=self.aim.small, unknowable=self.unknowable)
        return alone_if_counted(self.recipe, self.data, self.aim.small, self.unknowable)

    @cached_property
    def ends(self) -> tuple[BothEnds, BothEnds] | None:
        """Of original and release, who shares what is known if all undecided columns are known too, and if none is.

        None before a role is accepted, and where all that leaves is decided.
        """
        if self.data is None or not self.roles or not self.data.n_records:
            return None
        settings: dict[str, Any] = {"k": self.aim.k, "rows": self.aim.rows, "unknowable": self.unknowable}
        after = _ends(self.recipe, self.data, **settings)
        before = _ends(Recipe(), self.data, **settings)
        return None if before is None or after is None else (before, after)

    @property
    def undecided(self) -> tuple[str, ...]:
        """Columns that nobody has given a role."""
        return () if self.data is None else tuple(undecided(self.data.columns, self.roles))

    def judged_by(self, recipe: Recipe) -> str:
        """Names all that the verdict on a recipe follows from."""
        keys = [None if given is None else given.key for given in (self.data, self.people, self.beside)]
        given = self.undecided, self.unknowable, self.pseudonyms, self.hierarchies_of_method
        return cache.digest(*keys, recipe, self.aim.judged, *given)

    @property
    def is_verdict_stopped(self) -> bool:
        """Whether the officer stopped the counting of the verdict."""
        return long_work.is_stopped(self.judged_by(self.recipe))

    @property
    def verdict(self) -> Verdict | None:
        """Whether the release may leave; None without data, before a role is accepted, and where it was stopped."""
        return None if self.is_verdict_stopped else self.verdict_of(self.recipe)

    @property
    def is_verdict_to_be_counted(self) -> bool:
        """Whether the verdict takes counting that was not done before."""
        if self.data is None or not self.roles or not self.data.n_records or self.is_verdict_stopped:
            return False
        return self.counted_verdict_of(self.recipe) is None

    def verdict_of(self, recipe: Recipe) -> Verdict | None:
        """The same for a recipe, stopped or not; the page shows in words that it is counted."""
        if self.data is None or not self.roles or not self.data.n_records:
            return None
        return _judge(*self._judged(recipe), **self._judged_for)

    def judging(self, recipe: Recipe) -> Call[Verdict] | None:
        """The same as work that says how far it is; None where there is no verdict."""
        if self.data is None or not self.roles or not self.data.n_records:
            return None
        return _judge.work(*self._judged(recipe), **self._judged_for)

    def counted_verdict_of(self, recipe: Recipe) -> Verdict | None:
        """The same where it was counted before; else None."""
        return _judge.held(*self._judged(recipe), **self._judged_for)

    def _judged(self, recipe: Recipe) -> tuple[Any, Recipe, Dataset | None, HeldBeside]:
        return self.data, recipe, self.people, self.beside

    @property
    def _judged_for(self) -> dict[str, Any]:
        return {
            "aim": self.aim.judged, "undecided": self.undecided, "unknowable": self.unknowable,
            "pseudonyms": self.pseudonyms, "hierarchies": self.hierarchies_of_method,
        }  # fmt: skip

    @property
    def hierarchies_of_method(self) -> dict[str, Hierarchy]:
        """How a search can coarsen columns, where something asks what is learned from the way in which it searches."""
        if self.data is None or not any(criterion.of_method for criterion in (*self.aim.criteria, *self.aim.measured)):
            return {}
        return {**companions.regions_of_places(to_protect(self.data, self.recipe)), **self.hierarchies}

    @property
    def _goes_through_parts(self) -> bool:
        """Whether steps to begin with may go part by part: not of several tables, nor where a population table would
        have to go through parts along with persons of several rows."""
        if self.data is not None and self.data.tables is not None:
            return False
        return self.population is None or (self.data is not None and not self.data.has_several_rows)

    @cached_property
    def first_recipe(self) -> FirstRecipe:
        """A first recipe."""
        assert self.data is not None
        return _first_recipe(self.data, k=self.k_to_reach, part_by_part=self._goes_through_parts)


@dataclass(frozen=True)
class Beside:
    """What is shown beside k of the release, because k does not count it.

    Attributes
    ----------
    open_columns : the columns that break k once someone outside knows them, if nobody has ruled that out.
    original, released : of the sensitive column that is certain for most in the release, how many it is certain for in
        either from two known columns; None where no sensitive column is chosen, or none leaves.
    not_counted : there are too many sets of two known columns to look at.
    """

    open_columns: tuple[NotCounted, ...]
    original: Certain | None
    released: Certain | None
    not_counted: bool = False


def keep_alone(counts: Alone) -> None:
    """Remember who is alone in the release as it is now."""
    view = now()
    if view.data is not None:
        _alone.keep(counts, view.recipe, view.data, k=view.aim.small, unknowable=view.unknowable)


def now() -> View:
    """The view of this browser session, made again only where the session has changed."""
    session, memory, beside = state.session(), cache.memory(), state.part(HeldBeside)
    given = session.project, session.loaded, session.population, beside.opened
    if memory.view is not None and not any(map(is_not, memory.view[3], given)):
        return memory.view[2]
    objects = (
        session.loaded, session.roles, session.recipe, session.aim, session.unknowable, session.population,
        session.population_columns, beside.opened, session.project.hierarchies,
    )  # fmt: skip
    values = (session.missing, session.k, session.threshold, session.asked_threshold, session.pseudonyms)
    if memory.view is not None and memory.view[1] == values and not any(map(is_not, memory.view[0], objects)):
        view = memory.view[2]
    else:
        loaded, roles, recipe, aim, unknowable, population, columns, _, hierarchies = objects
        view = View(
            loaded, roles, session.missing, recipe, aim, unknowable, population, columns, session.k, *values[-3:],
            beside, hierarchies,
        )  # fmt: skip
    memory.view = objects, values, view, given
    return view


@cache.version
def records_of(loaded: Loaded) -> Records:
    """The records of what is loaded, as it is prepared."""
    return loaded.records()


@cache.version
def apply(recipe: Recipe, data: Dataset) -> Applied:
    """What a recipe makes of a version of the data; away from the page where it searches for cells to recode."""
    if not recipe.recoded_by("part", "cell") or data.n_records < cache.MANY:
        return recipe.apply(data)
    applied, found = away.compute(partial(_applied, recipe, data), nobody)
    data.computed_once.take_in(found)
    return applied


def _applied(recipe: Recipe, data: Dataset, _: Progress) -> tuple[Applied, dict[Hashable, Any]]:
    """What it makes of the data, and what a search for it found, which data remember."""
    before = data.computed_once.items()
    applied = recipe.apply(data)
    return applied, {key: value for key, value in data.computed_once.items().items() if key not in before}


@cache.remembered
def classes(data: Dataset) -> ClassTable:
    """The equivalence classes of a version of the data, by its quasi-identifiers."""
    return data.classes()


def covered(data: Dataset, columns: tuple[str, ...]) -> CoveredClasses:
    """The classes of a version of the data by some columns, of the release by what its labels cover."""
    view = now()
    original, released = view.data, view.released
    is_release = released is not None and data.key == released.key
    if original is not None and is_release and recoded_by_cell(view.recipe).keys() & {*columns}:
        return _covered(view.recipe, original, columns=columns)
    return CoveredClasses(_classes(data, columns=columns))


def covered_by(recipe: Recipe, data: Dataset, columns: tuple[str, ...]) -> CoveredClasses:
    """The same of what another recipe makes of some data, of the columns that leave."""
    return _covered(
        recipe, data, columns=tuple(name for name in columns if name in apply(recipe, data).released.columns)
    )


@cache.waited_for("Counting who shares which values")
def _classes(data: Dataset, *, columns: tuple[str, ...]) -> ClassTable:
    return data.classes(list(columns))


@cache.waited_for("Counting who shares which values")
def _covered(recipe: Recipe, data: Dataset, *, columns: tuple[str, ...]) -> CoveredClasses:
    return covered_classes(apply(recipe, data), recipe, columns)


@cache.remembered
def _doubts(data: Dataset, *, person: str | None, read: IdsRead | None) -> IdDoubts | None:
    return doubts_of(data, person, read)


def suggested(data: Dataset) -> tuple[Suggestion, ...]:
    """Suggested roles of some data's columns, whatever roles they have."""
    return _suggest(data.with_roles({}), described=tuple(data.described.values()))


@cache.remembered
def _suggest(data: Dataset, *, described: tuple[Described, ...]) -> tuple[Suggestion, ...]:
    return suggest_roles(data.visible, {described_column.name: described_column for described_column in described})


@cache.waited_for("Counting the risk")
def _compare(data: Dataset, recipe: Recipe, population: Dataset | None, *, k: int, threshold: float) -> Comparison:
    return compare(apply(recipe, data), recipe, k=k, threshold=threshold, population=population)


@cache.waited_for("Checking the criteria", away_from=cache.MANY)
def _judge(
    data: Dataset,
    recipe: Recipe,
    population: Dataset | None,
    beside: HeldBeside,
    *,
    aim: Aim,
    undecided: tuple[str, ...],
    unknowable: tuple[str, ...],
    pseudonyms: Pseudonyms | None,
    hierarchies: dict[str, Hierarchy],
    progress: Progress = long_work.let_go,
) -> Verdict:
    before = _counted(data)
    others = beside.releases
    case = case_of(
        apply(recipe, data), recipe, population, aim, unknowable, before, pseudonyms, others, hierarchies=hierarchies
    )
    return verdict_of(case, aim, undecided, progress, AT_ONCE)


def measuring(criterion: Criterion) -> Call[Finding]:
    """As work, what something without a limit is in the release, however long it takes to count."""
    view = now()
    assert view.data is not None
    return _measure.work(
        view.data, view.recipe, view.beside, criterion=criterion, aim=view.aim.judged,
        unknowable=view.unknowable, hierarchies=view.hierarchies_of_method,
    )  # fmt: skip


@cache.remembered
def _measure(
    data: Dataset,
    recipe: Recipe,
    beside: HeldBeside,
    *,
    criterion: Criterion,
    aim: Aim,
    unknowable: tuple[str, ...],
    hierarchies: dict[str, Hierarchy],
    progress: Progress = nobody,
) -> Finding:
    before, others = _counted(data), beside.releases
    case = case_of(apply(recipe, data), recipe, None, aim, unknowable, before, beside=others, hierarchies=hierarchies)
    (finding,) = judge(case, (), recipient=aim.of.name, measured=(criterion,), progress=progress).measured
    return finding


@cache.waited_for("Counting what k does not count")
def _not_counted(
    recipe: Recipe, data: Dataset, *, k: int, rows: Rows, unknowable: tuple[str, ...]
) -> tuple[NotCounted, ...]:
    released = apply(recipe, data).released
    return not_counted(released, k, known(rows, linking(released, k)), unknowable)


@cache.remembered
def _ends(recipe: Recipe, data: Dataset, *, k: int, rows: Rows, unknowable: tuple[str, ...]) -> BothEnds | None:
    return ends_of(apply(recipe, data).released, k, rows, unknowable)


@cache.remembered
def _rows_asked(recipe: Recipe, data: Dataset, *, k: int, rows: Rows) -> tuple[RowsKnown, ...]:
    return known(rows, linking(apply(recipe, data).released, k))


@cache.waited_for("Counting the risk by what is known of rows")
def _sizes_asked(data: Dataset, recipe: Recipe, *, aim: Aim) -> AskedSizes:
    case = case_of(apply(recipe, data), recipe, None, aim, before=_counted(data))
    sizes = [sizes_asked(case, k, rows) for k, rows in aim.smallest_classes]
    return max(sizes, key=lambda asked_sizes: (asked_sizes.after.below > 0, asked_sizes.k))


def counting_alone() -> Call[Alone]:
    """As work, who is alone in the release as it is now, however long it takes to count."""
    view = now()
    return _alone.work(view.recipe, view.data, k=view.aim.small, unknowable=view.unknowable)


def alone_if_counted(recipe: Recipe, data: Dataset, k: int, unknowable: tuple[str, ...]) -> Alone | None:
    """Who is alone in a release, where it was counted before; else None."""
    return _alone.held(recipe, data, k=k, unknowable=unknowable)


@cache.waited_for("Counting who is alone", away_from=cache.MANY)
def _alone(
    recipe: Recipe, data: Dataset, *, k: int, unknowable: tuple[str, ...], progress: Progress = long_work.let_go
) -> Alone:
    return alone_by_what_leaves(apply(recipe, data), recipe, k=k, unknowable=unknowable, progress=progress)


@cache.waited_for("Counting what can be inferred")
def _certain(
    data: Dataset, recipe: Recipe, *, aim: Aim, unknowable: tuple[str, ...], known: int | None
) -> tuple[tuple[Certain, Certain], ...] | None:
    """Of each sensitive column that leaves, for how many it is certain from so many columns, before and now."""
    case = case_of(apply(recipe, data), recipe, None, aim, unknowable, _counted(data))
    before, after = (certain(case, known, before=original) for original in (True, False))
    if before is None or after is None:
        return None
    return tuple((before[name], after[name]) for name in after)


# ---- what the pages that protect look at ----


_people_with_places = cache.version(Recipe.apply_to_population)


def to_protect(data: Dataset, recipe: Recipe | None = None) -> Dataset:
    """The original without the columns that a recipe drops, and with regions where it aggregates places.

    The recipe is the session's where it is left out.
    """
    return (now().recipe if recipe is None else recipe).to_protect(data, apply)


def people_to_protect() -> Dataset | None:
    """The population table, with regions where the recipe aggregates places."""
    population, places = now().people, now().recipe.places
    return None if population is None else _people_with_places(places, population)
