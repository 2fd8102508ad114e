"""What every step of a recipe is and knows of itself: a frozen value that turns one data set into another.

First come the levels at which the labels of a column can be, as steps lead to them one after the other; then comes the
step.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from inspect import getattr_static
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.privacy_models import PrivacyModel, columns_of
from anonlib.dataset import Dataset
from anonlib.reading.records import ValueCounts


@dataclass(frozen=True, eq=False)
class ReachableLevel:
    """A level that steps can bring a column to.

    Attributes
    ----------
    name : str
        What the level is called.
    labels : np.ndarray
        The label of each value, that of a missing one last.
    is_whole : bool, default True
        Whether all values can have these labels, and not only those that are rare.
    """

    name: str
    labels: np.ndarray
    is_whole: bool = True


def after(way: ReachableLevel, name: str, relabel: Callable[[np.ndarray], np.ndarray]) -> ReachableLevel:
    """A level when its labels are recoded, each alike.

    Parameters
    ----------
    way : ReachableLevel
        The level before.
    name : str
        What it is called then.
    relabel : Callable[[np.ndarray], np.ndarray]
        From distinct labels, the missing one last, to what each becomes.
    """
    codes, distinct = pd.factorize(way.labels)
    return replace(way, name=name, labels=relabel(_with_missing(distinct))[codes])


def along(way: ReachableLevel, hierarchy: Hierarchy, column: str) -> list[ReachableLevel]:
    """A way, and what each level of a hierarchy makes of it.

    Parameters
    ----------
    way : ReachableLevel
        The level before.
    hierarchy : Hierarchy
        The hierarchy.
    column : str
        The column's name, for errors.

    Raises
    ------
    InputError
        Where the hierarchy does not fit the labels.
    """
    codes, distinct = pd.factorize(way.labels)
    levels = hierarchy.on(_with_missing(distinct), column)
    coarser = range(1, levels.n_levels)
    return [way, *(replace(way, name=hierarchy.describe(i), labels=levels.label(i)[codes]) for i in coarser)]


def _with_missing(labels: np.ndarray) -> np.ndarray:
    return np.array([*labels, None], dtype=object)


Decision = Literal["nearest", "star", "leave_out", "keep"]
"""What becomes of values that a recoding does not cover: the label of the nearest value that it does, ``*``, their
records left out, or released as they are."""

LabelsBy = Literal["rule", "text", "value", "part", "cell", "person"]
"""By what a step decides which label a cell gets:

* ``rule``: its value, by one rule for the whole column, so that no label is part of another;
* ``text``: the same of texts, in which marks take the place of what names somebody;
* ``value``: its value, where labels of several levels stand side by side;
* ``part``: the part of the data that its record is in, each part with labels of its own level;
* ``cell``: single cells are left blank, whatever their value, and the others stay;
* ``person``: dates are moved, or counted from another one, by so much a person.
"""


class Stage(IntEnum):
    """Where a step belongs among others, the earliest first. From ``GUARANTEES`` on, steps leave records out.

    Attributes
    ----------
    PERSONS : the rows of each person gone through, which every later step sees: some left out as too many
        or held back, dates moved.
    PLACES : regions in the place of areas, which every later step sees.
    COLUMNS : whole columns recoded or dropped, each value alike.
    GUARANTEES : what violates guarantees recoded part by part, or left out.
    CLASSES : small classes of all quasi-identifiers left out, the last of all.
    """

    PERSONS = 0
    PLACES = 1
    COLUMNS = 2
    GUARANTEES = 3
    CLASSES = 4


class Scope(IntEnum):
    """How much is decided about some columns, each scope with all before it. Earlier steps give way to it.

    Attributes
    ----------
    COLUMN : one column's recoding.
    POLICY : how each of the columns is released; a recoding part by part gives way too.
    SEARCH : that, and which records are left out for guarantees on the columns.
    REGIONS : everything about the columns, whether they are released at all included.
    """

    COLUMN = 0
    POLICY = 1
    SEARCH = 2
    REGIONS = 3


class OfOneColumn:
    """What a step says of itself that recodes one column and nothing else, its field ``column``."""

    column: str

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    def recodes(self) -> tuple[str, ...]:
        return (self.column,)

    def without(self, columns: Collection[str]) -> Step | None:
        return None if self.column in columns else cast(Step, self)


@dataclass(frozen=True)
class Unseen:
    """Values of a column that a step does not cover and did not know.

    Attributes
    ----------
    column : str
        Its name.
    values : tuple[str, ...]
        The distinct values, in the column's order.
    records : int
        How many records have one of them.
    """

    column: str
    values: tuple[str, ...]
    records: int


STEP_KINDS: dict[str, type[Step]] = {}
"""Every kind of step by its name in a saved recipe. A class of :class:`Step` enters as it is defined."""


class Step(ABC):
    """One change to the original, with the reason an officer gives for it.

    A kind of step is a class of this one, decorated with ``@dataclass(frozen=True, eq=False)``. It gives all that is
    abstract here, its ``kind`` and a field ``reason`` with the default "". What it leaves open is an error when the
    class is defined, so that no step is passed over in saying nothing. The other members are right for a step that
    replaces no values; one that does must also give ``value_tables``, ``unseen``, ``without_named``, ``labels_by`` and
    ``labels_of``. One that drops columns also gives ``drops``, and one that only an officer decides on
    ``for_anybody``.

    Attributes
    ----------
    kind : str
        The name of its kind in a saved recipe.
    reason : str
        Why the officer wants it.
    """

    kind: ClassVar[str]
    reason: str

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        needed = {*Step.__abstractmethods__, "kind", "reason"}
        if getattr(cls, "recodes", ()) != ():
            needed |= {"value_tables", "unseen", "without_named", "labels_by", "labels_of"}
        lacking = [name for name in sorted(needed) if getattr_static(cls, name, None) is vars(Step).get(name)]
        if lacking:
            raise TypeError(f"The step {cls.__name__} does not say: {', '.join(lacking)}.")
        if cls.kind in STEP_KINDS:
            raise TypeError(f"There is a kind of step named {cls.kind} already.")
        STEP_KINDS[cls.kind] = cls

    # ---- what it is about ----

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The columns that it recodes, drops or counts by; none where it counts by all quasi-identifiers."""

    @property
    @abstractmethod
    def recodes(self) -> tuple[str, ...]:
        """The columns whose values it replaces."""

    @property
    def drops(self) -> tuple[str, ...]:
        """The columns that do not leave because of it."""
        return ()

    @property
    def leaves_out(self) -> bool:
        """Whether it leaves out records for being too few, so that recodings had better come before it."""
        return self.stage >= Stage.GUARANTEES

    @abstractmethod
    def describe(self) -> str:
        """The step in words, without its reason."""

    # ---- what it does ----

    @abstractmethod
    def apply(self, dataset: Dataset) -> Dataset:
        """The data set after the step.

        Raises
        ------
        InputError
            When the step does not fit the data.
        """

    @abstractmethod
    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        """The same change to a population table, so that both stay comparable.

        Parameters
        ----------
        population : Dataset
            The table.
        alongside : Dataset, optional
            The data that the step is applied to: a step that recodes single cells does what it does with these.

        Raises
        ------
        InputError
            When the step does not fit the table.
        """

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        """What the values of each column that the step recodes became.

        Parameters
        ----------
        before, after : Dataset
            What the step was applied to, and what :meth:`apply` made of it.

        Returns
        -------
        list of (str, DataFrame)
            By column ``value``, ``released as`` and ``records``, one row a pair that occurs, missing as None.
        """
        return []

    def among_others(self, dataset: Dataset, digest: str) -> Step:
        """The step for a file that begins with the records of a data set, in their order, and goes on with others.

        Parameters
        ----------
        dataset : Dataset
            The records that the file begins with.
        digest : str
            That of the file.

        Returns
        -------
        Step
            Itself, where it names no records.
        """
        return self

    def persons_cut(self, before: Dataset) -> int:
        """Of how many persons it leaves out rows for being more than so many."""
        return 0

    # ---- what it looks at ----

    @property
    def asks(self) -> tuple[PrivacyModel, ...]:
        """What must hold of what it leaves, where that decides which cells it recodes and whom it leaves out."""
        return ()

    @property
    def coin(self) -> Any:
        """How its search refuses by chance, so that nobody knows what a value refused; None where it does not."""
        return None

    def labels_at(self, name: str, values: np.ndarray) -> np.ndarray:
        """The labels of distinct values of a column on each level, levels x (values + 1), those of missing last: of a
        step that decides part by part or cell by cell on which level a label is."""
        raise NotImplementedError

    def looks_at_values(self, known: Collection[str]) -> bool:
        """Whether what it makes of known columns, or whom it leaves out, depends on columns that nobody knows.

        Parameters
        ----------
        known : Collection[str]
            The columns that somebody outside may know.
        """
        asked = set(columns_of(self.asks)) if self.asks else set(self.columns)
        return bool((self.asks or self.leaves_out) and not asked <= set(known))

    def asking(self, guarantees: tuple[PrivacyModel, ...]) -> Step | None:
        """The step asking something else in the place of :attr:`asks`; None where it then does nothing."""
        return self

    def labelled_all(self, dataset: Dataset) -> Dataset:
        """The data set with the labels that the step gives, before it leaves anybody out."""
        return dataset

    # ---- what labels it makes ----

    @property
    def labels_by(self) -> LabelsBy | None:
        """By what it decides which label a cell gets; None where it replaces no values."""
        return None

    def labels_of(self, column: str, values: np.ndarray, before: Dataset | None = None) -> np.ndarray | None:
        """The label that each of some values of a column gets, whatever else is in their records.

        Parameters
        ----------
        column : str
            One of those that it recodes.
        values : np.ndarray
            Distinct texts, None for a missing one.
        before : Dataset, optional
            The data that it is applied to.

        Returns
        -------
        np.ndarray or None
            None where equal values can get different labels, and where ``before`` would be needed and is not there.
        """
        return None

    @property
    def label_name(self) -> str:
        """What its labels are called as a level: intervals of 5, regions."""
        return "coarser"

    def levels(self, column: str, ways: Sequence[ReachableLevel]) -> list[ReachableLevel]:
        """At which levels the labels of a column can be after the step.

        Parameters
        ----------
        column : str
            One of those that it recodes.
        ways : Sequence[ReachableLevel]
            The levels before it, the finest first.

        Returns
        -------
        list of Way
            Each as :meth:`labels_of` has it; as they were where that says nothing, so that no level accounts for what
            the step makes.

        Raises
        ------
        InputError
            Where the step does not fit the labels.
        """
        if not ways or self.labels_of(column, ways[0].labels[:0]) is None:
            return list(ways)

        def relabel(labels: np.ndarray) -> np.ndarray:
            return cast(np.ndarray, self.labels_of(column, labels))

        return [after(way, self.label_name, relabel) for way in ways]

    def values_within(self, values: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Of how many values each label can be, where the step goes by the person.

        Parameters
        ----------
        values, labels : np.ndarray
            Distinct texts of a column before and after.

        Returns
        -------
        np.ndarray
            int64 per label: all of them, unless the step says more.
        """
        return np.full(len(labels), len(values), dtype=np.int64)

    def can_blank(self, column: str) -> bool:
        """Whether it can leave a cell of a column empty that had a value, whatever is in the data."""
        return column in self.recodes

    # ---- what the recipient may know ----

    @property
    def for_anybody(self) -> str:
        """What anybody may know of it, in words without a full stop: :meth:`describe` where an officer decides on it.

        "" where it may follow from the data, as what a search made does: it would say something of the original that
        the release does not.
        """
        return ""

    @property
    def for_recipient(self) -> tuple[str, ...]:
        """What somebody has to know besides who reads the columns that it recodes, in sentences."""
        return ()

    @property
    def note(self) -> str:
        """What the codebook notes of the whole file because of it, in sentences; "" where its columns say all."""
        return f"{self.for_anybody}." if self.for_anybody and not self.recodes else ""

    @property
    def names(self) -> tuple[str, ...]:
        """What :attr:`for_anybody` calls by the name of a column or table, which no language translates."""
        return self.columns

    # ---- where it stands among others ----

    @property
    @abstractmethod
    def stage(self) -> Stage:
        """Where it belongs among other steps."""

    @property
    @abstractmethod
    def gives_way_to(self) -> Scope:
        """The least change of its columns that it gives way to (:meth:`without`)."""

    @abstractmethod
    def without(self, columns: Collection[str]) -> Step | None:
        """What is left of the step when these columns are decided again: itself, a smaller step or None."""

    def follows(self, earlier: Step) -> bool:
        """Whether the step works on what an earlier one leaves of a column, or on the regions that all see."""
        return earlier.stage is Stage.PLACES < self.stage or not {*earlier.recodes}.isdisjoint(self.columns)

    # ---- values that it does not cover ----

    def knowing(self, dataset: Dataset) -> Step:
        """The step made for this data: values there that it does not cover are kept as they are."""
        return self

    def not_recoded(self, before: Dataset) -> int:
        """Distinct values that the step's way of recoding does not apply to, left as they are knowingly."""
        return 0

    def unseen(self, before: Dataset) -> tuple[Unseen, ...]:
        """Values that the step does not cover, that it was not made knowing and that nobody decided on."""
        return ()

    def decisions(self, unseen: Unseen) -> tuple[Decision, ...]:
        """What can become of these values."""
        return ()

    def decided(self, unseen: Unseen, decision: Decision) -> Step:
        """The step with a decision on these values."""
        return self

    def decided_before(self, dataset: Dataset) -> tuple[tuple[Unseen, Decision], ...]:
        """The values in the data of a file that the step was not made for, with what it decides of such."""
        return ()

    # ---- values that it names ----

    @property
    def n_named(self) -> int:
        """How many values of columns it names, counted as often as it names them."""
        return 0

    def without_named(self, may_tell: Callable[[str], bool]) -> Step:
        """The step without the values that it names of columns whose values are confidential.

        What needs such values is left as a step that applies to no data, so that no file leaves before somebody
        decides on the column again. ``may_tell`` is called with the name of a column.
        """
        return self

    @property
    def emptied(self) -> tuple[str, ...]:
        """The columns for which it applies to no data, since it is without the values that it named."""
        return ()

    # ---- as a value ----

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The whole step as plain values for JSON, its kind among them."""

    @classmethod
    @abstractmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Step:
        """The step of such values.

        Raises
        ------
        InputError, KeyError, TypeError, ValueError, AttributeError
            When values are missing or wrong; an InputError says in a sentence which.
        """

    def with_reason(self, reason: str) -> Self:
        """The step with another reason."""
        return replace(cast(Any, self), reason=reason)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what the step says, as 64 hexadecimal digits: steps are equal where their digests are."""
        return hashlib.sha256(json.dumps(self.to_dict()).encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Step) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)


def check_column(dataset: Dataset, column: str) -> None:
    """Raises InputError when a step names a column that is not there."""
    if column not in dataset.columns:
        raise InputError(
            f"There is no column “{column}” here: an earlier step dropped it, or this file has none.",
            code="column-unknown",
            column=column,
        )


def unseen_in(column: str, counts: ValueCounts, unseen: np.ndarray) -> tuple[Unseen, ...]:
    """These values of a column with their records.

    Parameters
    ----------
    column : str
        Its name.
    counts : ValueCounts
        How often each of its values occurs.
    unseen : np.ndarray
        One item a value: whether the step does not cover it.

    Returns
    -------
    tuple of Unseen
        One item, or none where no record has such a value.
    """
    occurring = unseen & (counts.records > 0)
    return (
        (Unseen(column, tuple(counts.values[occurring]), int(counts.records[occurring].sum())),)
        if occurring.any()
        else ()
    )
