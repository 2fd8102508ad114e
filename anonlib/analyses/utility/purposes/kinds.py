"""The kinds of purposes, as plain values that a project keeps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
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

    def on(self, columns: Collection[str]) -> MeanByGroup | None:
        """The purpose in a file with these columns; None where one of its own is not among them."""
        return self if all(name in columns for name in self.columns) else None

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"kind": self.kind, "value": self.value, "group": self.group}


Purpose = Model | Together | MeanByGroup


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
    except (KeyError, TypeError):
        raise InputError(_DAMAGED, code="purpose-damaged") from None
    raise InputError("What must survive is of a kind that this version does not know.", code="kind-unknown")


def _name(value: object) -> str:
    return checks.text(value, "The name of a column")
