"""How well a release keeps what must survive, as evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anonlib.analyses.utility.purposes import Kept


@dataclass(frozen=True)
class PurposeFacts:
    """How well the release keeps what must survive.

    Attributes
    ----------
    title : what must survive.
    share : how much of it is kept, in [0, 1]; None where that cannot be measured.
    measure : what the figures are; "" where there are none.
    original, release : the figure of the original and of the release; None where there is none.
    sentence : what it means.
    """

    title: str
    share: float | None
    measure: str
    original: float | None
    release: float | None
    sentence: str


def purpose_facts(found: Sequence[Kept]) -> tuple[PurposeFacts, ...]:
    """What was measured, as evidence."""
    return tuple(
        PurposeFacts(each.purpose.title, each.share, each.measure, each.original, each.release, each.sentence)
        for each in found
    )
