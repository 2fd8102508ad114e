"""The kinds of purposes, as plain values that a project keeps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from anonlib.analyses.utility.in_words import named
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.words import listed

MOST_PURPOSES = 5
_DAMAGED = "What must survive is damaged. Choose a project saved here."


@dataclass(frozen=True)
class Model:
    """A model that predicts a column from others.

    Attributes
    ----------
    target : str
        The column to predict, with 2 to 20 values.
    predictors : tuple[str, ...]
        Those to predict it from, one or more.
    """

    target: str
    predictors: tuple[str, ...]
    kind: ClassVar[str] = "model"
    called: ClassVar[str] = "A model"

    def __post_init__(self) -> None:
        object.__setattr__(self, "predictors", tuple(dict.fromkeys(self.predictors)))
        if not self.predictors:
            raise InputError(f"Choose at least one column to predict {named(self.target)} from.", code="choice-missing")
        if self.target in self.predictors:
            raise InputError(
                f"{named(self.target)} cannot be predicted from itself: choose other columns.",
                code="column-in-two-roles",
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it is about."""
        return (self.target, *self.predictors)

    @property
    def title(self) -> str:
        """What must survive, in a few words."""
        return f"Predict {named(self.target)} from {listed([named(name) for name in self.predictors], 4)}"

    @property
    def need(self) -> str:
        """What the data are needed for by it, as part of a sentence."""
        return f"to predict {named(self.target)} from {_all(self.predictors)}"

    def on(self, columns: Collection[str]) -> Model | None:
        """The purpose in a file with these columns, from those of its predictors that there are; None without any."""
        present = tuple(name for name in self.predictors if name in columns)
        return Model(self.target, present) if self.target in columns and present else None

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"kind": self.kind, "target": self.target, "predictors": list(self.predictors)}


@dataclass(frozen=True)
class Together:
    """How two columns go together.

    Attributes
    ----------
    first, second : str
        The columns.
    """

    first: str
    second: str
    kind: ClassVar[str] = "together"
    called: ClassVar[str] = "Two columns together"

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise InputError(
                f"{named(self.first)} goes together with itself: choose another column.", code="column-in-two-roles"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it is about."""
        return self.first, self.second

    @property
    def title(self) -> str:
        """What must survive, in a few words."""
        return f"{named(self.first)} together with {named(self.second)}"

    @property
    def need(self) -> str:
        """What the data are needed for by it, as part of a sentence."""
        return f"to study how {named(self.first)} and {named(self.second)} go together"

    def on(self, columns: Collection[str]) -> Together | None:
        """The purpose in a file with these columns; None where one of its own is not among them."""
        return self if all(name in columns for name in self.columns) else None

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"kind": self.kind, "first": self.first, "second": self.second}


@dataclass(frozen=True)
class MeanByGroup:
    """The mean of a column of numbers in each group of another column.

    Attributes
    ----------
    value : str
        The column of numbers.
    group : str
        The column of groups.
    """

    value: str
    group: str
    kind: ClassVar[str] = "mean by group"
    called: ClassVar[str] = "A mean by group"

    def __post_init__(self) -> None:
        if self.value == self.group:
            raise InputError(
                f"The mean of {named(self.value)} by itself is itself: choose another column.",
                code="column-in-two-roles",
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it is about."""
        return self.value, self.group

    @property
    def title(self) -> str:
        """What must survive, in a few words."""
        return f"Mean of {named(self.value)} by {named(self.group)}"

    @property
    def need(self) -> str:
        """What the data are needed for by it, as part of a sentence."""
        return f"to compare the mean of {named(self.value)} between groups of {named(self.group)}"

    def on(self, columns: Collection[str]) -> MeanByGroup | None:
        """The purpose in a file with these columns; None where one of its own is not among them."""
        return self if all(name in columns for name in self.columns) else None

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"kind": self.kind, "value": self.value, "group": self.group}


@dataclass(frozen=True)
class UsefulColumns:
    """Columns that must stay useful, whatever for.

    Attributes
    ----------
    names : tuple[str, ...]
        The columns, one or more.
    """

    names: tuple[str, ...]
    kind: ClassVar[str] = "columns"
    called: ClassVar[str] = "Columns"

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(dict.fromkeys(self.names)))
        if not self.names:
            raise InputError("Choose at least one column that must stay useful.", code="choice-missing")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it is about."""
        return self.names

    @property
    def title(self) -> str:
        """What must survive, in a few words, with every column."""
        return f"Use of {_all(self.names)}"

    @property
    def need(self) -> str:
        """What the data are needed for by it, as part of a sentence."""
        return f"to analyse {_all(self.names)}"

    def on(self, columns: Collection[str]) -> UsefulColumns | None:
        """The purpose in a file with these columns, of those of its own that there are; None without any."""
        present = tuple(name for name in self.names if name in columns)
        return UsefulColumns(present) if present else None

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"kind": self.kind, "names": list(self.names)}


Purpose = Model | Together | MeanByGroup | UsefulColumns


def named_by(purposes: Iterable[Purpose]) -> tuple[str, ...]:
    """The columns that some purposes are about, each once, in their order.

    Parameters
    ----------
    purposes : Iterable[Purpose]
        What must survive.

    Returns
    -------
    tuple[str, ...]
    """
    return tuple(dict.fromkeys(name for purpose in purposes for name in purpose.columns))


def in_a_sentence(purposes: Sequence[Purpose]) -> str:
    """What data are needed for, as a sentence that a case may begin with; "" where nothing is named.

    Parameters
    ----------
    purposes : Sequence[Purpose]
        What must survive.

    Returns
    -------
    str
    """
    needs = [purpose.need for purpose in purposes]
    return f"The data are needed {listed(needs, most=len(needs))}." if needs else ""


def _all(names: Sequence[str]) -> str:
    return listed([named(name) for name in names], most=len(names))


def purpose_from_dict(values: object) -> Purpose:
    """The purpose of such plain values.

    Parameters
    ----------
    values : object
        What the ``to_dict`` of a purpose gives, as read from JSON.

    Returns
    -------
    Purpose

    Raises
    ------
    InputError
        When one is missing, of the wrong kind, or of a kind that this version does not know.
    """
    if not isinstance(values, Mapping):
        raise InputError(_DAMAGED, code="purpose-damaged")
    try:
        match values["kind"]:
            case Model.kind:
                if not isinstance(values["predictors"], list):
                    raise TypeError
                return Model(_name(values["target"]), tuple(map(_name, values["predictors"])))
            case Together.kind:
                return Together(_name(values["first"]), _name(values["second"]))
            case MeanByGroup.kind:
                return MeanByGroup(_name(values["value"]), _name(values["group"]))
            case UsefulColumns.kind:
                if not isinstance(values["names"], list):
                    raise TypeError
                return UsefulColumns(tuple(map(_name, values["names"])))
    except (KeyError, TypeError):
        raise InputError(_DAMAGED, code="purpose-damaged") from None
    raise InputError("What must survive is of a kind that this version does not know.", code="kind-unknown")


def _name(value: object) -> str:
    return checks.text(value, "The name of a column")
