"""A criterion: something that a release must meet, with its limit; and a finding: whether it does, and for how many."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from inspect import getattr_static
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

import numpy as np

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import PrivacyModel, RowsKnown
from anonlib.verdict.criteria.rows import USUAL, Rows, against_whom

if TYPE_CHECKING:
    from anonlib.analyses.generalization.search.coins import Coin
    from anonlib.dataset import Dataset
    from anonlib.release.recipe import Recipe
    from anonlib.verdict.criteria.case import Case
    from anonlib.verdict.together import JoinedReleases, Release

NOBODY_FOUND, NOBODY_LEARNED = "Nobody is found", "Nobody's value is learned"
"""What is asked of a release against identity disclosure, and against attribute disclosure, as officers read it."""
PAGES = ("Data", "Risk", "Individuals", "Leakage", "Attack", "Frontier", "Regions", "Release", "Verdict")


Meaning = Literal["class_size", "average_risk", "share_at_risk", "share_kept"]
"""What a limit is to a search for the least change, which looks at it, and eases it where nothing meets all criteria:

* ``class_size``: how many must share all that may be known. Less is less to ask.
* ``average_risk``: how large the mean over all persons of 1 / their class may be. More is less to ask.
* ``share_at_risk``: the share of persons that may violate what is asked. More is less to ask.
* ``share_kept``: the share of the original's records that must leave. Less is less to ask.
"""


class State(StrEnum):
    """Whether a release meets a criterion; of one that is measured without a limit, that it was."""

    MET = "met"
    NOT_MET = "not met"
    UNKNOWN = "cannot be checked"
    MEASURED = "measured"


@dataclass(frozen=True)
class Limit:
    """A limit of a criterion as an officer sets it.

    Attributes
    ----------
    field : str
        The criterion's field.
    label : str
        What it is, for a control.
    unit : Literal["count", "share", "number"]
        "count", a whole number; "share", in [0, 1]; "number", any.
    least : float
        The smallest that can be set.
    most : float | None
        The largest that can be set; None: there is none.
    usual : tuple[float, float], optional
        From which to which it is usually set: beyond, a reason is asked for. None where nothing is unusual.
    means : Meaning, optional
        What it is to a search; None where a search leaves it as it is.
    """

    field: str
    label: str
    unit: Literal["count", "share", "number"]
    least: float
    most: float | None
    usual: tuple[float, float] | None = None
    means: Meaning | None = None


@dataclass(frozen=True)
class Option:
    """A choice of a criterion that an officer makes besides its limits.

    Attributes
    ----------
    field : str
        The criterion's field.
    label : str
        What is chosen, for a control.
    choices : tuple[tuple[str, str], ...]
        The values of the field, each with its label.
    """

    field: str
    label: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Mending:
    """What meets a criterion that is not met, by one click.

    Attributes
    ----------
    how : Literal["search", "drop", "count_as_known", "own_steps"]
        "search", the least change; "drop" or "count_as_known", the columns at fault; "own_steps", what the criterion
        makes of a recipe (:meth:`Criterion.mended`).
    says : str
        What that does, in a sentence.
    asks : str, default ""
        The question to the officer whether to do so, about "{columns}" at fault; "" where none is asked.
    """

    how: Literal["search", "drop", "count_as_known", "own_steps"]
    says: str
    asks: str = ""

    @property
    def needs_no_search(self) -> bool:
        """Whether it follows from what was found."""
        return self.how != "search"


BY_SEARCH = Mending("search", "Makes the least change that meets this criterion too, and keeps those that are met.")


@dataclass(frozen=True)
class UniquenessLimit:
    """How many may be alone, or in small classes, by any few of all columns that leave.

    Attributes
    ----------
    known : int
        How many columns somebody knows, at most.
    alone : float
        The share of persons that may be alone, 0 to 1.
    k : int
        The smallest size of a class that is enough.
    below : float
        The share that may be in classes below k, 0 to 1.
    """

    known: int
    alone: float
    k: int
    below: float

    def allows(self, share_alone: float, share_below: float) -> bool:
        """Whether what was counted, each a share by division, keeps to both limits."""
        return share_alone <= self.alone and share_below <= self.below


@dataclass(frozen=True)
class Finding:
    """What a criterion finds in a release.

    Attributes
    ----------
    criterion : Criterion
        What was checked.
    state : State
        Met, not met, or cannot be checked; measured, where there is no limit.
    says : str
        The finding in a sentence, with its number of persons; where it cannot be checked, why and the way out.
    now, original : float, optional
        The figure that the limit is compared with, in the release and in the original; None where there is none.
    persons, n_persons : int, default 0
        How many persons (records, summed weights) of the release it concerns, and all of them.
    worst : tuple[tuple[str, int], ...], default ()
        By what knowledge it concerns most, or the columns at fault, with how many each; never a value of a sensitive
        column.
    columns : tuple[str, ...], default ()
        The columns at fault, where it is columns that are.
    cells : tuple[tuple[str, tuple[str, ...]], ...], default ()
        By column, the different values that cannot be read, where that is why it cannot be checked.
    by_rows : tuple[tuple[RowsKnown, int], ...], default ()
        Where persons have several rows, what is known of these and how many it concerns then.
    by_column : tuple[tuple[str, int], ...], default ()
        Where several columns are looked at, each by itself: how many it concerns in each, the most first, but those in
        which nearly all records are alike, and those in which it concerns nobody, last.
    """

    criterion: Criterion
    state: State
    says: str
    now: float | None = None
    original: float | None = None
    persons: int = 0
    n_persons: int = 0
    worst: tuple[tuple[str, int], ...] = ()
    columns: tuple[str, ...] = ()
    cells: tuple[tuple[str, tuple[str, ...]], ...] = field(default=(), repr=False)
    by_rows: tuple[tuple[RowsKnown, int], ...] = ()
    by_column: tuple[tuple[str, int], ...] = ()

    @property
    def is_met(self) -> bool:
        """Whether the release meets it."""
        return self.state is State.MET

    @property
    def measured(self) -> Finding:
        """The same where the criterion has no limit; what cannot be checked stays so."""
        return self if self.state is State.UNKNOWN else replace(self, state=State.MEASURED)


CRITERION_KINDS: dict[str, type[Criterion]] = {}
"""Every kind of criterion by its name in a saved project. A class of :class:`Criterion` enters as it is defined."""


class Criterion(ABC):
    """Something that a release must meet.

    A kind of criterion is a class of this one, decorated with ``@dataclass(frozen=True)``. Its fields are its limits
    and what it looks at, all with defaults and plain values. It gives all that is abstract here, its ``kind``, ``word``
    and ``page`` and a field ``source``: what it leaves open is an error when the class is defined. The other members
    are right for one that is checked on a release, takes no part in a search and is mended by none: nobody outside
    asks of which kind a criterion is, but these.

    Attributes
    ----------
    kind : the name of its kind in a saved project.
    word : what the glossary calls it.
    page : the page that shows more.
    counted_in : what its figure is counted in, as it stands behind a number, such as "{unit}" for persons or records;
        "" where it has none.
    limits : those of its fields that an officer sets.
    options : those of which an officer chooses one of a few values.
    mending : what meets it where it is not met, by one click.
    disclosure : what it guards against: "identity", that a record is somebody's; "attribute", that a value is learned
        of somebody; "none", where it is about what stays useful.
    by_column : whether it is accepted of the columns at fault, also where it is found not to be met: what others hold
        is another question.
    of_any_file : whether it asks about the file that leaves alone, so that it can be asked of one made elsewhere.
    of_earlier : whether it asks what this release and earlier ones give together.
    of_method : whether it asks what somebody learns who knows how the release was searched for (:attr:`Case.method`).
    of_revealing_columns : whether the columns at fault are such that reveal what others lost.
    why_asked : why it is asked where nobody chose it, in sentences; "" where it never is.
    source : str
        Where its limit comes from, in a sentence; "" for the officer's own.
    """

    kind: ClassVar[str]
    word: ClassVar[str]
    page: ClassVar[str]
    counted_in: ClassVar[str] = ""
    limits: ClassVar[tuple[Limit, ...]] = ()
    disclosure: ClassVar[Literal["identity", "attribute", "none"]] = "identity"
    by_column: ClassVar[bool] = False
    options: ClassVar[tuple[Option, ...]] = ()
    mending: ClassVar[Mending] = BY_SEARCH
    of_any_file: ClassVar[bool] = False
    of_earlier: ClassVar[bool] = False
    of_method: ClassVar[bool] = False
    of_revealing_columns: ClassVar[bool] = False
    why_asked: ClassVar[str] = ""
    source: str

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        lacking = [
            name
            for name in ("kind", "word", "page", "source", *sorted(Criterion.__abstractmethods__))
            if getattr_static(cls, name, None) is vars(Criterion).get(name)
        ]
        if lacking:
            raise TypeError(f"The criterion {cls.__name__} does not say: {', '.join(lacking)}.")
        if cls.page not in PAGES or cls.kind in CRITERION_KINDS:
            raise TypeError(f"The criterion {cls.__name__} names no page, or a kind that is there already.")
        CRITERION_KINDS[cls.kind] = cls

    # ---- in words ----

    @property
    @abstractmethod
    def title(self) -> str:
        """What it is about, in two or three words."""

    @property
    @abstractmethod
    def bound(self) -> str:
        """What its figure must be, such as ``at least 5``."""

    def bound_in(self, unit: str = "persons") -> str:
        """The same with what it is counted in, such as ``at least 5 persons``."""
        return f"{self.bound} {self.counted_in.format(unit=unit)}".rstrip()

    @abstractmethod
    def describe(self, unit: str = "persons") -> str:
        """What must hold, in a sentence."""

    def describe_in(self, unit: str, several_rows: bool) -> str:
        """The same, with what is known of a person's rows where persons have several."""
        rows: Rows | None = getattr(self, "rows", None)
        return self.describe(unit) + (f" Asked against {against_whom(rows)}." if rows and several_rows else "")

    def in_short(self, unit: str) -> str:
        """The limit that a search eases, in a few words, such as ``a smallest class of 3 persons``."""
        return self.describe(unit)

    def shown(self, value: float) -> str:
        """The figure that the limit is compared with, as text."""
        return f"{value:,.0f}"

    # ---- what is set of it ----

    @classmethod
    def offered(cls) -> tuple[Criterion, ...]:
        """Those of this kind that an officer can add, each with a title of its own."""
        return (cls(),)

    @classmethod
    def is_called(cls, title: str) -> bool:
        """Whether a title is that of such a criterion, also in evidence of earlier versions."""
        return any(criterion.title == title for criterion in cls.offered())

    @property
    def is_unusual(self) -> bool:
        """Whether a limit lies beyond where it is usually set."""
        ranges = ((getattr(self, limit.field), limit.usual) for limit in self.limits if limit.usual is not None)
        return any(not low <= value <= high for value, (low, high) in ranges)

    def limit_on(self, meaning: Meaning) -> float | None:
        """What its limit of this meaning is set to; None where it has none."""
        return next((getattr(self, limit.field) for limit in self.limits if limit.means == meaning), None)

    def with_limit_on(self, meaning: Meaning, value: float) -> Self:
        """The same with its limit of this meaning set to a value."""
        (limit,) = (limit for limit in self.limits if limit.means == meaning)
        set_to = int(value) if limit.unit == "count" else value
        return cast(Self, replace(cast(Any, self), **{limit.field: set_to}))

    @property
    def as_criterion(self) -> Criterion:
        """What is asked where what it measures is limited."""
        return self

    # ---- on a release ----

    @abstractmethod
    def check(self, case: Case) -> Finding:
        """Whether a release meets it."""

    def is_implied(self, others: Sequence[Criterion], several_rows: bool) -> bool:
        """Whether it asks nothing of a file that another one does not, so that it need not be looked at."""
        return False

    def work(self, case: Case) -> float:
        """About how many rows are looked at to count it, each once for each set of columns; 0 where they are few."""
        return 0.0

    def texts_searched(self, data: Dataset) -> tuple[str, ...]:
        """The columns of free text in which it looks for identifiers."""
        return ()

    def found_by_earlier(self, all_of_them: JoinedReleases, releases: Sequence[Release]) -> np.ndarray:
        """Who is found by earlier releases and this one, of those whom holding back may mend: see ``of_earlier``.

        bool, an item a row (profile) of ``all_of_them.coded``.
        """
        return np.zeros(len(all_of_them.coded.counts), dtype=bool)

    # ---- in a search ----

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        """The privacy models on named columns by which a search takes it into account; none where it takes no part."""
        return ()

    @property
    def fixed(self) -> tuple[str, ...]:
        """The columns that must leave as they are because of it."""
        return ()

    @property
    def certain_from(self) -> int | None:
        """Where it asks of whom a sensitive value is certain: from how many facts at most, 0 from all; else None."""
        return None

    @property
    def coin(self) -> Coin | None:
        """Where it asks that nobody learns a value from how a release was found: how a search refuses by chance, with
        no secret of its own; else None."""
        return None

    @property
    def uniqueness(self) -> UniquenessLimit | None:
        """Where it asks who is alone by any few columns that leave: its limits; else None."""
        return None

    def mended(self, recipe: Recipe, original: Dataset, population: Dataset | None, year: int) -> Recipe:
        """The recipe with the steps by which it is met, where these are how it is mended."""
        return recipe

    # ---- as a value ----

    def to_dict(self) -> dict[str, Any]:
        """The criterion as plain values for JSON."""
        return {"kind": self.kind, **asdict(self)}  # type: ignore[call-overload]

    @classmethod
    def knows_rows(cls) -> bool:
        """Whether the kind says what may be known of the rows of a person (its field ``rows``)."""
        return any(field.name == "rows" for field in fields(cls))  # type: ignore[arg-type]

    # ---- findings ----

    def unknown(
        self, why: str, columns: Sequence[str] = (), cells: Sequence[tuple[str, tuple[str, ...]]] = ()
    ) -> Finding:
        """The finding that it cannot be checked; of some columns or cells alone, an answer is good for these."""
        return Finding(self, State.UNKNOWN, why, columns=tuple(columns), cells=tuple(cells))

    @property
    def title_measured(self) -> str:
        """What it is about where it has no limit, in a few words."""
        return self.title

    def measures(self, unit: str = "persons") -> str:
        """What is counted of it where it has no limit, in a sentence."""
        return self.describe(unit)

    def without_limit(self, finding: Finding) -> str:
        """A finding of it where it has no limit, in a sentence that stands beside the verdict."""
        return finding.says

    def found(self, met: bool, says: str, **more: Any) -> Finding:
        """The finding that it is met or not."""
        return Finding(self, State.MET if met else State.NOT_MET, says, **more)


def not_implied(criteria: Sequence[Criterion], several_rows: bool) -> list[Criterion]:
    """Those that ask something of a file that no other one of them asks, in their order.

    Parameters
    ----------
    criteria : Sequence[Criterion]
        All that are asked.
    several_rows : bool
        Whether persons of the file have several rows.

    Returns
    -------
    list[Criterion]
    """
    return [
        criterion
        for criterion in criteria
        if not criterion.is_implied([other for other in criteria if other != criterion], several_rows)
    ]


def title_is_of(title: str, meets: Callable[[Criterion], bool]) -> bool:
    """Whether a title, of which evidence has no more, is that of a kind of criterion that something is true of.

    Parameters
    ----------
    title : str
        The title, as evidence lists a criterion by it.
    meets : Callable[[Criterion], bool]
        What is asked of a criterion of the kind, as it begins.

    Returns
    -------
    bool
    """
    return any(kind.is_called(title) and meets(kind()) for kind in CRITERION_KINDS.values())


def criterion_from_dict(values: object, rows: Rows = USUAL) -> Criterion:
    """The criterion of such values; ``rows`` are taken to be known where they do not say what is.

    Parameters
    ----------
    values : object
        The criterion as plain values.
    rows : Rows, default USUAL
        What is taken to be known where they do not say it.

    Returns
    -------
    Criterion

    Raises
    ------
    InputError
        When they are none; a limit out of its range is named.
    """
    if (
        not isinstance(values, Mapping)
        or not isinstance(kind := values.get("kind"), str)
        or kind not in CRITERION_KINDS
    ):
        raise InputError("A criterion is of a kind that this version does not know.", code="kind-unknown")
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    del given["kind"]
    cls = CRITERION_KINDS[kind]
    if cls.knows_rows():
        given.setdefault("rows", rows)
    unknown = set(given) - {field.name for field in fields(cls)}  # type: ignore[arg-type]
    if unknown:
        raise InputError(
            f"The criterion “{kind}” has a setting that this version does not know.", code="setting-unknown"
        )
    checks.text(given.get("source", ""), f"The source of the criterion “{kind}”")
    try:
        return cls(**given)
    except InputError:
        raise
    except (TypeError, ValueError, AttributeError):
        raise InputError(
            f"The criterion “{kind}” has a setting of the wrong type.", code="setting-of-other-type"
        ) from None
