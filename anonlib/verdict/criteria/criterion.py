"""A criterion: something that a release must meet, with its limit; and a finding: whether it does, and for how many."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from inspect import getattr_static
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import PrivacyModel, RowsKnown
from anonlib.verdict.criteria.rows import USUAL, Rows, against_whom

if TYPE_CHECKING:
    from anonlib.verdict.criteria.case import Case

NOBODY_FOUND, NOBODY_LEARNED = "Nobody is found", "Nobody's value is learned"
"""What is asked of a release against identity disclosure, and against attribute disclosure, as officers read it."""
PAGES = ("Data", "Risk", "Individuals", "Leakage", "Attack", "Frontier", "Regions", "Release", "Verdict")


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
    """

    field: str
    label: str
    unit: Literal["count", "share", "number"]
    least: float
    most: float | None
    usual: tuple[float, float] | None = None


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
    and what it looks at, all with defaults and plain values.

    Attributes
    ----------
    kind : the name of its kind in a saved project.
    word : what the glossary calls it.
    page : the page that shows more.
    counted_in : what its figure is counted in, as it stands behind a number, such as "{unit}" for persons or records;
        "" where it has none.
    limits : those of its fields that an officer sets.
    disclosure : what it guards against: "identity", that a record is somebody's; "attribute", that a value is learned
        of somebody; "none", where it is about what stays useful.
    by_column : whether it is accepted of the columns at fault, also where it is found not to be met: what others hold
        is another question.
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
    source: str

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        lacking = [
            name
            for name in ("kind", "word", "page", *sorted(Criterion.__abstractmethods__))
            if getattr_static(cls, name, None) is vars(Criterion).get(name)
        ]
        if lacking:
            raise TypeError(f"The criterion {cls.__name__} does not say: {', '.join(lacking)}.")
        if cls.page not in PAGES or cls.kind in CRITERION_KINDS:
            raise TypeError(f"The criterion {cls.__name__} names no page, or a kind that is there already.")
        CRITERION_KINDS[cls.kind] = cls

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

    def is_implied(self, others: Sequence[Criterion], several_rows: bool) -> bool:
        """Whether it asks nothing of a file that another one does not, so that it need not be looked at."""
        return False

    @abstractmethod
    def check(self, case: Case) -> Finding:
        """Whether a release meets it."""

    @property
    def is_unusual(self) -> bool:
        """Whether a limit lies beyond where it is usually set."""
        ranges = ((getattr(self, limit.field), limit.usual) for limit in self.limits if limit.usual is not None)
        return any(not low <= value <= high for value, (low, high) in ranges)

    def shown(self, value: float) -> str:
        """The figure that the limit is compared with, as text."""
        return f"{value:,.0f}"

    def work(self, case: Case) -> float:
        """About how many rows are looked at to count it, each once for each set of columns; 0 where they are few."""
        return 0.0

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        """What a search for the least change takes it for; none where it takes no part in one."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """The criterion as plain values for JSON."""
        return {"kind": self.kind, **asdict(self)}  # type: ignore[call-overload]

    @classmethod
    def knows_rows(cls) -> bool:
        """Whether the kind says what may be known of the rows of a person (its field ``rows``)."""
        return any(each.name == "rows" for each in fields(cls))  # type: ignore[arg-type]

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
        each for each in criteria if not each.is_implied([other for other in criteria if other != each], several_rows)
    ]


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
    unknown = set(given) - {each.name for each in fields(cls)}  # type: ignore[arg-type]
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
