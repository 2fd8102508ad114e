"""The parts of a report that say what the release is decided for: who asks, what for, under which terms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from anonlib.basics import words
from anonlib.filing.case import BY_NAME, ITEMS, NOT_STATED, Group, Item, Order, ReleaseCase
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.report.wording import Wording
from anonlib.filing.report.blocks import Block, Callout, Facts

Part = Callable[[Evidence, Wording], tuple[Block, ...]]


@dataclass(frozen=True)
class OfCase:
    """The part that says some things of the case, each “not stated” where it is empty.

    Attributes
    ----------
    names : tuple[str, ...]
        Of the fields of :class:`ReleaseCase`.
    """

    names: tuple[str, ...]

    def __call__(self, evidence: Evidence, say: Wording) -> tuple[Block, ...]:
        return self.of(evidence.case)

    def of(self, about: ReleaseCase) -> tuple[Block, ...]:
        """What a case says of them."""
        return (Facts(tuple((BY_NAME[name].label, stated(about, BY_NAME[name])) for name in self.names)),)


def of_group(*groups: Group) -> OfCase:
    """The part that says all of these groups."""
    return of(*(item.name for group in groups for item in ITEMS if item.group == group))


def of(*names: str) -> OfCase:
    """The part that says these, each “not stated” where it is empty."""
    return OfCase(names)


def stated(about: ReleaseCase, item: Item) -> str:
    """What the case says; “not stated” where that is nothing."""
    return getattr(about, item.name) or NOT_STATED


def lacking(about: ReleaseCase, order: Order) -> tuple[Block, ...]:
    """What this order asks for and the case does not say; nothing where it says all."""
    names = [item.label.lower() for item in about.lacks(order)]
    if not names:
        return ()
    text = (
        f"{words.listed(names, most=len(names)).capitalize()}. Say it on the page Case before this is filed; nothing "
        "that is counted depends on it."
    )
    return (Callout(text, "accepted", "Not stated yet, and asked for by those who read this"),)
