"""Privacy models: frozen values that say what must hold of a release, against somebody who knows a little.

First what may be known of a person's rows: one of them, some, the values of each column, or all. Those who know more
rows have fewer peers to choose from: of a person with several rows the size by all rows is at most that by ``j`` rows,
and that at most the size by one. The values of each column lie beside them: they follow from all rows, and not from
one. Where every person has one row, all of these are the same. Then the kinds of models, what can be asked of any of
them (its columns, its sensitive column, its sets of known columns), and how they are saved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any, ClassVar, Literal, Self

from anonlib.basics import checks
from anonlib.basics.errors import InputError

# ---- what is known of a person's rows ----

RowsKnown = int | Literal["values", "all"]
"""So many rows of a person (1: they were seen once); the values that their rows have in each column, as sets; or all of
their rows with their number."""
ONE: RowsKnown = 1
VALUES: RowsKnown = "values"
ALL: RowsKnown = "all"


def checked_rows(value: Any) -> RowsKnown:
    """What may be known of rows.

    Parameters
    ----------
    value : Any
        A whole number of rows, "values" or "all".

    Returns
    -------
    RowsKnown

    Raises
    ------
    InputError
        Where it is none of :data:`RowsKnown`.
    """
    if value in (VALUES, ALL):
        return value
    if isinstance(value, str):
        raise InputError(
            "What is known of a person's rows is a number of rows, “values” or “all”.", code="knowledge-unclear"
        )
    return checks.whole(value, "The number of rows that may be known", 1)


def who_knows(rows: RowsKnown) -> str:
    """Who knows so much, as the subject of a sentence.

    Parameters
    ----------
    rows : RowsKnown
        What may be known of the rows of a person.

    Returns
    -------
    str
        As ``who saw a person once``.
    """
    match rows:
        case 1:
            return "who saw a person once"
        case "values":
            return "who knows the values that a person's visits have in each column"
        case "all":
            return "who knows all visits of a person"
    return f"who knows {rows:,} visits of a person"


def in_short(rows: RowsKnown) -> str:
    """The same as :func:`who_knows` for a table.

    Parameters
    ----------
    rows : RowsKnown
        What may be known of the rows of a person.

    Returns
    -------
    str
        As ``one visit known``: a visit is a row of a person who has several.
    """
    match rows:
        case 1:
            return "one visit known"
        case "values":
            return "the values of each column known"
        case "all":
            return "all visits known"
    return f"{rows:,} visits known"


@dataclass(frozen=True, order=True)
class KnownFacts:
    """Facts about several rows of a person, each of another row of theirs.

    Attributes
    ----------
    of_rows : tuple[tuple[str, ...], ...]
        For each known row, the columns of which its value is known; sorted. Two or more.
    of_all : tuple[str, ...], default ()
        Columns that do not change for the person: a fact about one is known once for all of these rows.
    whole : bool, default False
        Every column is known of each row; asked of those who have just so many rows, or more than may be known.
    """

    of_rows: tuple[tuple[str, ...], ...]
    of_all: tuple[str, ...] = ()
    whole: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns in it, each once."""
        return tuple(dict.fromkeys(name for row in (self.of_all, *self.of_rows) for name in row))


def facts_of_whole_rows(columns: Sequence[str], rows: int) -> Iterator[KnownFacts]:
    """That these columns are known of two rows or more, at most ``rows``."""
    for number in range(2, rows + 1):
        yield KnownFacts((tuple(columns),) * number, whole=True)


def facts_of_rows(columns: Sequence[str], known: int, rows: int) -> Iterator[KnownFacts]:
    """What at most ``known`` facts can be about, spread in every way over two rows or more, at most ``rows``.

    Those of one row alone are sets of columns, and not among these.
    """
    for n_shared in range(min(known, len(columns)) + 1):
        for shared in combinations(columns, n_shared):
            others = [name for name in columns if name not in shared]
            left = known - n_shared
            of_row = [
                chosen
                for size in range(0 if shared else 1, min(left, len(others)) + 1)
                for chosen in combinations(others, size)
            ]
            for number in range(2, rows + 1):
                for of_rows in combinations_with_replacement(sorted(of_row), number):
                    if sum(map(len, of_rows)) <= left:
                        yield KnownFacts(of_rows, shared)


# ---- the kinds of models ----


def _share(value: float, what: str) -> float:
    if not 0 <= checks.number(value, what) <= 1:
        raise InputError(f"{what} is a share of the records: choose one between 0 and 1.", code="number-out-of-range")
    return float(value)


def _names(columns: Iterable[str]) -> tuple[str, ...]:
    if isinstance(columns, str):
        raise InputError("The columns that may be known must be a list.", code="not-a-list")
    names = tuple(checks.text(name, "The name of a column") for name in columns)
    if len(set(names)) < len(names):
        raise InputError(
            "A column is named twice among those that may be known. Name each once.", code="column-named-twice"
        )
    return names


@dataclass(frozen=True, kw_only=True)
class _OfColumns:
    """What all guarantees share: the columns that may be known.

    Attributes
    ----------
    columns : tuple[str, ...]
        The columns that may be known, each once.
    share : float, default 0.0
        Of the records (persons) that may violate it, in [0, 1].
    rows : RowsKnown, default VALUES
        How many of a person's rows these are known of, or what of them.
    kind : its name in a saved file.
    """

    kind: ClassVar[str]
    columns: tuple[str, ...]
    share: float = 0.0
    rows: RowsKnown = VALUES

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", _names(self.columns))
        object.__setattr__(self, "rows", checked_rows(self.rows))
        object.__setattr__(self, "share", _share(self.share, "The share that may violate"))

    @property
    def stays(self) -> bool:
        """Whether a record (person) that violates goes on doing so however many others are left out.

        Of rows left out of a person it is true where one row is known (:attr:`stays_by_rows`).
        """
        return False

    @property
    def stays_by_rows(self) -> bool:
        """Whether a row by which it is violated goes on doing so however many other rows are left out."""
        return False

    def on(self, columns: Iterable[str]) -> Self | None:
        """The guarantee for a table with these columns alone; None where it then holds by itself."""
        present = set(columns)
        return replace(self, columns=tuple(name for name in self.columns if name in present))


@dataclass(frozen=True, kw_only=True)
class _AgainstKnowledge(_OfColumns):
    """A guarantee against somebody who knows at most so many of the columns; None: all of them."""

    known: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.known is not None:
            object.__setattr__(self, "known", checks.whole(self.known, "The number of known columns", 0))

    @property
    def most_known(self) -> int:
        """How many of the columns are known at most."""
        return len(self.columns) if self.known is None else min(self.known, len(self.columns))

    @property
    def every_size(self) -> bool:
        """Whether smaller sets of known columns must be looked at too, since the largest do not settle them."""
        return False

    @property
    def _sizes(self) -> range:
        return range(0 if self.every_size else self.most_known, self.most_known + 1)

    @property
    def n_sets(self) -> int:
        """How many sets of columns have to be looked at."""
        return sum(comb(len(self.columns), size) for size in self._sizes)

    def sets(self) -> Iterator[tuple[str, ...]]:
        """The sets of columns that someone may know and that have to be looked at."""
        for size in self._sizes:
            yield from combinations(self.columns, size)

    def facts(self) -> Iterator[KnownFacts]:
        """What someone may know of two rows of a person or more, besides :meth:`sets` of one; none unless asked."""
        if not isinstance(self.rows, int) or self.rows == ONE:
            return
        if self.known is None:
            for columns in self.sets():
                yield from facts_of_whole_rows(columns, self.rows)
        else:
            yield from facts_of_rows(self.columns, self.known, self.rows)


@dataclass(frozen=True, kw_only=True)
class _OfSensitive(_OfColumns):
    """A guarantee on what is learned of a column that is not known."""

    sensitive: str

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.text(self.sensitive, "The name of the sensitive column")
        if self.sensitive in self.columns:
            raise InputError(
                f"“{self.sensitive}” cannot be both inferred and known. Take it out of one.",
                code="column-in-two-roles",
                column=self.sensitive,
            )

    def on(self, columns: Iterable[str]) -> Self | None:
        present = set(columns)
        return super().on(present) if self.sensitive in present else None


@dataclass(frozen=True, kw_only=True)
class KAnonymity(_AgainstKnowledge):
    """Every combination of values of at most ``known`` columns is shared by at least ``least`` records.

    A share of the records may be in smaller ones. With all columns known and a share of 0 it is k-anonymity (Samarati
    and Sweeney 1998); with a share of 0 the K of LKC-privacy (Mohammed et al. 2009); with ``least`` 2, one minus the
    unicity that is accepted (de Montjoye et al. 2013). Larger sets make smaller groups: the largest settle all.

    Attributes
    ----------
    least : int
        Records, 1 or more.
    """

    kind = "shared"
    least: int

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "least", checks.whole(self.least, "The smallest class", 1))

    @property
    def stays(self) -> bool:
        return True

    @property
    def stays_by_rows(self) -> bool:
        return isinstance(self.rows, int)


@dataclass(frozen=True, kw_only=True)
class AttributeDisclosure(_OfSensitive, _AgainstKnowledge):
    """At most a share of the records have a value of ``sensitive`` that someone who knows a little can be sure of.

    A record's value is certain where at most a share ``p`` of those who share its values in some set of at most
    ``known`` columns, the empty set included, have another one: PPP <= p (Kroes et al. 2021), confidence >= 1 - p
    (LKC-privacy, Mohammed et al. 2009). ``p`` = 0: all of them have it. Of a person who has several, a value is certain
    where it is among those of all of them. A missing value is nothing to learn, and to be certain of a harmless one
    harms nobody (the “don't-care” values of Machanavajjhala et al. 2007).

    Attributes
    ----------
    sensitive : the column that may be inferred; not among ``columns``.
    p : float, default 0.0
        In [0, 1).
    harmless : tuple[str, ...], default ()
        Values of ``sensitive`` that anybody may be sure of.
    """

    kind = "uncertain"
    p: float = 0.0
    harmless: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= checks.number(self.p, "The share of others") < 1:
            raise InputError(
                "The share of others that counts as certain must be 0 or more and less than 1.",
                code="number-out-of-range",
            )
        if isinstance(self.harmless, str):
            raise InputError("The harmless values must be a list.", code="not-a-list")
        harmless = tuple(sorted({checks.text(value, "Each harmless value") for value in self.harmless}))
        object.__setattr__(self, "harmless", harmless)

    @property
    def stays(self) -> bool:
        return self.p == 0

    @property
    def every_size(self) -> bool:
        return self.p > 0


@dataclass(frozen=True, kw_only=True)
class AverageRiskLimit(_OfColumns):
    """Classes of the columns / records is at most ``limit``: the average prosecutor risk, the marketer's on the file.

    Attributes
    ----------
    limit : float
        In [0, 1].
    """

    kind = "average"
    limit: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= checks.number(self.limit, "The average risk") <= 1:
            raise InputError(
                "The average risk is a probability: choose one between 0 and 1.", code="number-out-of-range"
            )


@dataclass(frozen=True, kw_only=True)
class LDiversity(_OfSensitive):
    """Every class of the columns has at least ``l`` values of ``sensitive`` (Machanavajjhala et al. 2007).

    Attributes
    ----------
    sensitive : not among ``columns``.
    l : float
        1 or more; a whole number for distinct values.
    by : Literal["distinct", "entropy"], default "distinct"
        So many ``distinct`` values, or ``entropy`` of at least log l.
    """

    kind = "diverse"
    l: float  # noqa: E741 - the measure's own name
    by: Literal["distinct", "entropy"] = "distinct"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.by not in ("distinct", "entropy"):
            raise InputError("l-diversity counts distinct values or their entropy.", code="choice-unknown")
        if checks.number(self.l, "l") < 1:
            raise InputError("l must be 1 or more.", code="number-out-of-range")

    @property
    def stays(self) -> bool:
        return self.by == "distinct"


@dataclass(frozen=True, kw_only=True)
class TCloseness(_OfSensitive):
    """No class's values of ``sensitive`` are further than ``t`` from those of all records left (Li et al. 2007).

    Attributes
    ----------
    sensitive : not among ``columns``.
    t : float
        In [0, 1].
    distance : Literal["equal", "ordered"], default "equal"
        All values “equal” in distance, or as “ordered”.
    """

    kind = "close"
    t: float
    distance: Literal["equal", "ordered"] = "equal"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.distance not in ("equal", "ordered"):
            raise InputError("t-closeness takes values as equal in distance or as ordered.", code="choice-unknown")
        if not 0 <= checks.number(self.t, "t") <= 1:
            raise InputError("t is a distance between 0 and 1.", code="number-out-of-range")


PrivacyModel = KAnonymity | AttributeDisclosure | AverageRiskLimit | LDiversity | TCloseness
_KINDS: dict[str, type[Any]] = {
    model.kind: model for model in (KAnonymity, AttributeDisclosure, AverageRiskLimit, LDiversity, TCloseness)
}


def columns_of(guarantees: Iterable[PrivacyModel]) -> tuple[str, ...]:
    """The columns that guarantees name, known or sensitive, each once.

    Parameters
    ----------
    guarantees : Iterable[PrivacyModel]
        What must hold.

    Returns
    -------
    tuple of str
    """
    named: list[str] = []
    for guarantee in guarantees:
        named += [*guarantee.columns, *([sensitive] if (sensitive := sensitive_of(guarantee)) else [])]
    return tuple(dict.fromkeys(named))


def sensitive_of(guarantee: PrivacyModel) -> str | None:
    """The sensitive column that a guarantee is about."""
    return getattr(guarantee, "sensitive", None)


def is_finer_stricter(guarantee: PrivacyModel, of_records: bool) -> bool:
    """Whether no fewer violate it where known values are distinguished that a person reads as one.

    It is so of sizes, and of certain values and numbers of values, since what holds of a class holds of its parts. A
    likely value, entropy or distance of a class is a mixture of those of its parts, one of which is no better: that
    settles whether anybody violates it, but not how many do, and not of persons, whose several rows may be in several
    parts.

    Parameters
    ----------
    guarantee : PrivacyModel
        What must hold.
    of_records : bool
        Whether who is counted has one row each.
    """
    match guarantee:
        case AttributeDisclosure():
            settled = guarantee.p == 0
        case LDiversity():
            settled = guarantee.by == "distinct"
        case TCloseness():
            settled = False
        case _:
            settled = True
    return settled or (of_records and guarantee.share == 0)


def n_sets_of(guarantee: PrivacyModel) -> int:
    """How many sets of columns have to be looked at."""
    return guarantee.n_sets if isinstance(guarantee, KAnonymity | AttributeDisclosure) else 1


def privacy_model_to_dict(guarantee: PrivacyModel) -> dict[str, Any]:
    """A guarantee as plain values for JSON.

    Parameters
    ----------
    guarantee : PrivacyModel
        What must hold.

    Returns
    -------
    dict
        Its ``kind``, and its fields by name.
    """
    values = {"kind": guarantee.kind, **asdict(guarantee)}
    if guarantee.rows == VALUES:
        del values["rows"]  # as it was before there was a choice
    return values


def privacy_model_from_dict(values: Mapping[str, Any]) -> PrivacyModel:
    """The guarantee of such plain values.

    Parameters
    ----------
    values : Mapping[str, Any]
        What :func:`privacy_model_to_dict` gives, as read from JSON.

    Returns
    -------
    PrivacyModel

    Raises
    ------
    InputError, KeyError, TypeError
        When values are missing or wrong; an InputError says in a sentence which.
    """
    fields = dict(values)
    kind = fields.pop("kind")
    if kind not in _KINDS:
        raise InputError("A criterion to search for is of a kind this version does not know.", code="kind-unknown")
    return _KINDS[kind](**fields)
