"""Kinds of proposal, and those made so far: which one is best, and why there is none of a kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, replace

from anonlib.verdict.criteria import BLANK_CELLS, PARTS, WHOLE_COLUMNS, Criterion, Verdict
from anonlib.verdict.proposals import (
    Adviser,
    NothingFound,
    Proposal,
    Relief,
    Remedy,
    blank_cells,
    none_found,
    part_by_part,
    whole_columns,
    why_no_blanks,
    why_no_parts,
)

MOST_DETAIL = "Whole columns"


@dataclass(frozen=True)
class Kind:
    """A kind of proposal.

    Attributes
    ----------
    title, way : what it is called, and which of the ways to protect it takes.
    what : what is least in it.
    analysis : what it means for an analysis, in a sentence.
    search : given the adviser, the seconds and what watches; the proposal, or that none was found.
    at_once : whether it is searched without being asked for.
    why_not : given the adviser, why there is none of these data, in a sentence; "" where there may be.
    """

    title: str
    way: str
    what: str
    analysis: str
    search: Callable[..., Proposal | NothingFound]
    at_once: bool = True
    why_not: Callable[[Adviser], str] = lambda adviser: ""


_LEVELS = "Each column has one level throughout, so counts and models are made as before, of coarser values."
KINDS: list[Kind] = [  # the quickest first: the page shows what it finds while the others are searched
    Kind(
        "Part by part", PARTS, "Each part of the file is only as coarse as it must be.",
        "Labels of different levels stand side by side in a column: a count by a label alone is of those who have "
        "just it.", part_by_part, why_not=why_no_parts,
    ),
    Kind(
        "Blank cells", BLANK_CELLS, "Each column has one level, and single cells are blank.",
        "Blank cells are missing, and more often so of rare persons: an analysis treats them as missing not at random.",
        blank_cells, why_not=why_no_blanks,
    ),
    Kind(
        MOST_DETAIL, WHOLE_COLUMNS, "One level a column: the least detail is lost, with as many left out as may be.",
        _LEVELS, whole_columns,
    ),
    Kind(
        "Whole columns, all records", WHOLE_COLUMNS, "Nobody is left out.", _LEVELS, Adviser.most_records,
        at_once=False,
    ),
    Kind(
        "Whole columns, fewest changed", WHOLE_COLUMNS, "As many columns as possible stay as they are.", _LEVELS,
        Adviser.fewest_columns, at_once=False,
    ),
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Offer:
    """A proposal and its kind."""

    kind: Kind
    proposal: Proposal

    @property
    def title(self) -> str:
        """What it is called."""
        return self.kind.title


@dataclass(frozen=True, eq=False)
class Offers:
    """Proposals made so far, or why there is none.

    ``why_none`` and ``remedies`` are of all columns, also where proposals leave some out; ``none`` are kinds of which
    none was found, ``cannot`` those of which there is none of these data, and why; ``same`` those that came out as
    another one; ``reliefs`` what it would pay to know, beside the proposal called ``reliefs_of``; ``all_tried`` says
    that every remedy there is to try was tried.
    """

    offers: tuple[Offer, ...] = ()
    why_none: str = ""
    remedies: tuple[Remedy, ...] = ()
    all_tried: bool = False
    none: tuple[tuple[str, NothingFound], ...] = ()
    cannot: tuple[tuple[str, str], ...] = ()
    same: tuple[tuple[str, str], ...] = ()
    reliefs: tuple[Relief, ...] = ()
    reliefs_of: str = ""

    @property
    def least(self) -> Offer | None:
        """The proposal that loses least, beside which ``reliefs`` lose less; None where there is none."""
        return min(self.offers, key=lambda offer: offer.proposal.loss, default=None)

    @property
    def is_finished(self) -> bool:
        """Whether every search came to its end, so that longer ones find nothing better."""
        ends = [offer.proposal.found.finished for offer in self.offers]
        return all([*ends, *(nothing.finished for _, nothing in self.none)])

    @property
    def all_leave_columns_out(self) -> bool:
        """Whether nothing was found with all columns: each proposal leaves some out, or there is none."""
        return all(each.proposal.columns_out for each in self.offers)

    def why_not(self, title: str) -> str:
        """Why there is no proposal of this kind."""
        if title in dict(self.same):
            return f"The same as “{dict(self.same)[title]}”."
        if title in dict(self.cannot):
            return dict(self.cannot)[title]
        return none_found(dict(self.none)[title]) if title in dict(self.none) else "Not searched yet."


def with_proposal(earlier: Offers, kind: Kind, proposal: Proposal) -> Offers:
    """The proposals with another one, in place of an earlier one of its kind, or named as the same as one of them."""
    others = tuple(each for each in earlier.offers if each.title != kind.title)
    for each in others:
        if each.kind.way == kind.way and each.proposal.is_like(proposal):
            return replace(earlier, offers=others, same=(*earlier.same, (kind.title, each.title)))
    return replace(earlier, offers=(*others, Offer(kind, proposal)))


def least_first(offers: Offers, met: Mapping[str, Set[Criterion]]) -> Offers:
    """Another proposal that loses less, and meets as much, takes the place of the one of whole columns.

    It may be among what that one's search had no time for. ``met`` are, by title, the criteria that a release by a
    proposal meets, where these were counted.
    """
    title = MOST_DETAIL
    most = next((each for each in offers.offers if each.title == title), None)
    if most is None or title not in met:
        return offers
    others = [each for each in offers.offers if each is not most and each.kind.way == WHOLE_COLUMNS]
    less = [each for each in others if each.proposal.loss < most.proposal.loss - 1e-9]
    better = [each for each in less if each.title in met and met[each.title] >= met[title]]
    if not better:
        return offers
    best = min(better, key=lambda each: each.proposal.loss)
    # What was proven of it is that nothing else of its own kind loses less.
    found = replace(best.proposal.found, proven=False, finished=most.proposal.found.finished)
    first = replace(most, proposal=replace(best.proposal, found=found))
    rest = (each for each in others if each is not best)
    return replace(offers, offers=(first, *rest), same=(*offers.same, (best.title, title)))


def met(verdict: Verdict) -> frozenset[Criterion]:
    """The criteria that are met."""
    return frozenset(each.criterion for each in verdict.findings if each.is_met)


def best_of(offers: Offers, verdicts: Mapping[str, Verdict]) -> Offer:
    """The proposal that loses least of those that meet most criteria; ``verdicts`` by title, of those checked."""
    return min(offers.offers, key=lambda offer: order(offer, verdicts.get(offer.title)))


def order(offer: Offer, verdict: Verdict | None) -> tuple[int, float]:
    """Sorts proposals: first those that meet most criteria, then those that lose least; last those not checked yet."""
    return (1 if verdict is None else -len(met(verdict)), offer.proposal.loss)
