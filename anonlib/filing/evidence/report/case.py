"""The parts of a report that say what the release is decided for: who asks, what for, under which terms."""

from __future__ import annotations

from collections.abc import Callable

from anonlib.basics import words
from anonlib.filing.case import BY_NAME, ITEMS, NOT_STATED, Group, Item, Order
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.report.wording import Wording
from anonlib.filing.report.blocks import Block, Callout, Facts

Part = Callable[[Evidence, Wording], tuple[Block, ...]]


def of_group(*groups: Group) -> Part:
    """The part that says all of these groups."""
    return of(*(item.name for group in groups for item in ITEMS if item.group == group))


def of(*names: str) -> Part:
    """The part that says these, each “not stated” where it is empty."""
    items = [BY_NAME[name] for name in names]

    def part(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
        return (Facts(tuple((item.label, stated(evidence, item)) for item in items)),)

    return part


def stated(evidence: Evidence, item: Item) -> str:
    """What the case says; “not stated” where that is nothing."""
    return getattr(evidence.case, item.name) or NOT_STATED


def lacking(evidence: Evidence, order: Order) -> tuple[Block, ...]:
    """What this order asks for and the case does not say; nothing where it says all."""
    names = [item.label.lower() for item in evidence.case.lacks(order)]
    if not names:
        return ()
    text = (
        f"{words.listed(names, most=len(names)).capitalize()}. Say it on the page Case before this is filed; nothing "
        "that is counted depends on it."
    )
    return (Callout(text, "accepted", "Not stated yet, and asked for by those who read this"),)
