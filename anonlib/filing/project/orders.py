"""In which order the values of a column stand, where only neighbours can be grouped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from anonlib.basics.errors import InputError
from anonlib.filing.project.bounds import damaged, listed, mapping, optional, text

Way = Literal["natural", "scale", "frequent", "alphabetical", "safe harbor", "codes", "stated", "given"]
"""By number or date, by the first number in the text, the commonest first, by letters, ZIP codes with small areas
first, codes by the groups of their system, as the file states it, and as put by hand."""
MOST_BY_HAND = 200
"""Most values of a column that can be put in order by hand."""


@dataclass(frozen=True)
class ValueOrder:
    """The order of a column's values.

    Attributes
    ----------
    way : Way
        Which order.
    by_hand : tuple[str, ...], optional
        The values put first by hand, at most ``MOST_BY_HAND``, each once; None where none were. They stay while another
        way is chosen. Values of a file that are not among them follow in the order that they would have.
    """

    way: Way
    by_hand: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.way not in get_args(Way):
            raise InputError(f"The order of values is one of: {', '.join(get_args(Way))}.", code="choice-unknown")
        values = self.by_hand or ()
        if len(values) > MOST_BY_HAND or len(set(values)) < len(values):
            raise InputError(
                f"By hand at most {MOST_BY_HAND} values can be put in order, each once.", code="too-many-values"
            )

    @property
    def n_named(self) -> int:
        """How many values it names, 0 or more."""
        return len(self.by_hand or ())

    def without_named(self) -> ValueOrder:
        """The order without the values that it names."""
        return replace(self, by_hand=None)

    def to_dict(self) -> dict[str, Any]:
        """The order as plain values for JSON."""
        return {"way": self.way, "by_hand": None if self.by_hand is None else list(self.by_hand)}

    @classmethod
    def from_dict(cls, value: Any, what: str) -> ValueOrder:
        """The order of such values. Raises InputError when one is missing or wrong."""
        given = mapping(value, what)
        if given.get("way") not in list(get_args(Way)):
            raise damaged(f"{what} must be one of: {', '.join(get_args(Way))}")
        return cls(given["way"], optional(given.get("by_hand"), _values, f"the values of {what}"))


def orders(value: Any) -> dict[str, ValueOrder]:
    """By column, the order of its values."""
    return {
        column: ValueOrder.from_dict(order, "the order of a column’s values")
        for column, order in mapping(value, "the orders of values").items()
    }


def _values(value: Any, what: str) -> tuple[str, ...]:
    found = tuple(text(each, what) for each in listed(value, what, MOST_BY_HAND))
    if len(set(found)) < len(found):
        raise damaged(f"{what} name one twice")
    return found
