"""Kinds of proposal, and those made so far: how each is searched, in which order they stand, why there is none of one.

The page and the command line both offer these, with as much work: the same list in the same order on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.budget import Budget, about_seconds
from anonlib.basics.progress import Progress, nobody
from anonlib.verdict.criteria import BLANK_CELLS, PARTS, WHOLE_COLUMNS, Criterion, Verdict
from anonlib.verdict.proposals.advise import advise, plan_of
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.proposal import Proposal, none_found
from anonlib.verdict.proposals.what_if import Relaxation, WhatIf

AT_ONCE, LONGER = about_seconds(2), about_seconds(20)
"""What the search for a proposal may spend: without being asked for, and where somebody lets it search on."""
MOST_DETAIL = "Same coarseness for everyone"


@dataclass(frozen=True)
class ProposalKind:
    """A kind of proposal.

    Attributes
    ----------
    title, way : what it is called, and which of the ways to protect it takes.
    what : what is least in it.
    analysis : what it means for an analysis, in a sentence.
    search : given the adviser, the budget and what watches; the proposal, or that none was found.
    at_once : whether it is searched without being asked for.
    """

    title: str
    way: str
    what: str
    analysis: str
    search: Callable[..., Proposal | NothingFound]
    at_once: bool = True


_LEVELS = "Each column has one level throughout, so counts and models are made as before, of coarser values."
KINDS: list[ProposalKind] = [  # the quickest first: the page shows what it finds while the others are searched
    ProposalKind(
        "Mixed coarseness", PARTS, "Each part of the file is only as coarse as it must be.",
        "Labels of different levels stand side by side in a column: a count by a label alone is of those who have "
        "just it.", partial(advise, PARTS),
    ),
    ProposalKind(
        "Single cells blank", BLANK_CELLS, "Each column has one level, and single cells are blank.",
        "Blank cells are missing, and more often so of rare persons: an analysis treats them as missing not at random.",
        partial(advise, BLANK_CELLS),
    ),
    ProposalKind(
        MOST_DETAIL, WHOLE_COLUMNS, "One level a column: the least detail is lost, with as many left out as may be.",
        _LEVELS, partial(advise, WHOLE_COLUMNS),
    ),
    ProposalKind(
        "Same coarseness, all records", WHOLE_COLUMNS, "Nobody is left out.", _LEVELS, Adviser.most_records,
        at_once=False,
    ),
    ProposalKind(
        "Same coarseness, fewest changed", WHOLE_COLUMNS, "As many columns as possible stay as they are.", _LEVELS,
        Adviser.fewest_columns, at_once=False,
    ),
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Offer:
    """A proposal and its kind."""

    kind: ProposalKind
    proposal: Proposal

    @property
    def title(self) -> str:
        """What it is called."""
        return self.kind.title


@dataclass(frozen=True, eq=False)
class Offers:
    """Proposals made so far, or why there is none.

    ``why_none`` and ``what_ifs`` are of all columns, also where proposals leave some out; ``none`` are kinds of which
    none was found, ``cannot`` those of which there is none of these data, and why; ``same`` those that came out as
    another one; ``relaxations`` what it would pay to know, beside the proposal called ``relaxations_of``; ``all_tried``
    says that everything was tried that could make a release possible.
    """

    offers: tuple[Offer, ...] = ()
    why_none: str = ""
    what_ifs: tuple[WhatIf, ...] = ()
    all_tried: bool = False
    none: tuple[tuple[str, NothingFound], ...] = ()
    cannot: tuple[tuple[str, str], ...] = ()
    same: tuple[tuple[str, str], ...] = ()
    relaxations: tuple[Relaxation, ...] = ()
    relaxations_of: str = ""

    @property
    def least(self) -> Offer | None:
        """The proposal that loses least, beside which ``relaxations`` lose less; None where there is none."""
        return min(self.offers, key=lambda offer: offer.proposal.loss, default=None)

    @property
    def is_finished(self) -> bool:
        """Whether every search came to its end, so that longer ones find nothing better."""
        ends = [offer.proposal.least_change.finished for offer in self.offers]
        return all([*ends, *(nothing.finished for _, nothing in self.none)])

    @property
    def all_leave_columns_out(self) -> bool:
        """Whether nothing was found with all columns: each proposal leaves some out, or there is none."""
        return all(offer.proposal.columns_out for offer in self.offers)

    def why_not(self, title: str) -> str:
        """Why there is no proposal of this kind."""
        if title in dict(self.same):
            return f"The same as “{dict(self.same)[title]}”."
        if title in dict(self.cannot):
            return dict(self.cannot)[title]
        return none_found(dict(self.none)[title]) if title in dict(self.none) else "Not searched yet."


def with_proposal(earlier: Offers, kind: ProposalKind, proposal: Proposal) -> Offers:
    """The proposals with another one, in place of an earlier one of its kind, or named as the same as one of them."""
    others = tuple(other for other in earlier.offers if other.title != kind.title)
    for offer in others:
        if offer.kind.way == kind.way and offer.proposal.is_like(proposal):
            return replace(earlier, offers=others, same=(*earlier.same, (kind.title, offer.title)))
    return replace(earlier, offers=(*others, Offer(kind, proposal)))


def least_first(offers: Offers, met: Mapping[str, Set[Criterion]]) -> Offers:
    """Another proposal that loses less, and meets as much, takes the place of the one of whole columns.

    It may be among what that one's search had no time for. ``met`` are, by title, the criteria that a release by a
    proposal meets, where these were counted.
    """
    title = MOST_DETAIL
    most = next((offer for offer in offers.offers if offer.title == title), None)
    if most is None or title not in met:
        return offers
    others = [offer for offer in offers.offers if offer is not most and offer.kind.way == WHOLE_COLUMNS]
    less = [offer for offer in others if offer.proposal.loss < most.proposal.loss - 1e-9]
    better = [offer for offer in less if offer.title in met and met[offer.title] >= met[title]]
    if not better:
        return offers
    best = min(better, key=lambda offer: offer.proposal.loss)
    # What was proven of it is that nothing else of its own kind loses less.
    change = replace(best.proposal.least_change, proven=False, finished=most.proposal.least_change.finished)
    first = replace(most, proposal=replace(best.proposal, least_change=change))
    rest = (offer for offer in others if offer is not best)
    return replace(offers, offers=(first, *rest), same=(*offers.same, (best.title, title)))


def met(verdict: Verdict) -> frozenset[Criterion]:
    """The criteria that are met."""
    return frozenset(finding.criterion for finding in verdict.findings if finding.is_met)


def with_another(
    earlier: Offers,
    kind: ProposalKind,
    adviser: Adviser,
    budget: Budget = AT_ONCE,
    progress: Progress = nobody,
) -> Offers:
    """The proposals with one of another kind, or why there is none.

    Parameters
    ----------
    earlier : Offers
        Those made so far.
    kind : ProposalKind
        What is searched.
    adviser : Adviser
        The question.
    budget : Budget, default AT_ONCE
        What the search may spend.
    progress : Progress, default nobody
        Called with the share done, in [0, 1], and the proposals with the best so far; may raise to stop.
    """

    @lru_cache(maxsize=1)
    def with_best(best: Proposal | None) -> Offers | None:
        return None if best is None else with_proposal(earlier, kind, best)

    def report(share: float, best: Proposal | None = None) -> None:
        progress(share, with_best(best))

    if why := plan_of(kind.way).why_not(adviser):
        cannot = dict(earlier.cannot) | {kind.title: why}
        return replace(earlier, cannot=tuple(cannot.items()))
    answer = kind.search(adviser, budget, report)
    if isinstance(answer, Proposal):
        return with_proposal(earlier, kind, answer)
    none = (*((other, nothing) for other, nothing in earlier.none if other != kind.title), (kind.title, answer))
    return replace(earlier, none=none)


def kinds_of(ways: Iterable[str]) -> list[ProposalKind]:
    """The kinds that take some of the ways to protect, the quickest first.

    Parameters
    ----------
    ways : Iterable[str]
        As :attr:`anonlib.verdict.criteria.Aim.ways`.
    """
    allowed = {*ways}
    return [kind for kind in KINDS if kind.way in allowed]


@dataclass(frozen=True, order=True)
class Cost:
    """What a release by a proposal has lost: a column that is gone cannot be analysed at all, and counts first.

    Attributes
    ----------
    gone : int
        Columns that are removed or dropped.
    lost : float
        The detail lost, in [0, 1].
    """

    gone: int
    lost: float


def is_order_fixed(criteria: Iterable[Criterion]) -> bool:
    """Whether proposals stand in the order of their kinds, whatever they lose: where a search refuses by a coin.

    Compared by what they lost, the refusals of all ways would add up for somebody who knows that
    (:mod:`anonlib.analyses.generalization.search.coins`).

    Parameters
    ----------
    criteria : Iterable[Criterion]
        What is asked.
    """
    return any(getattr(criterion, "coin", None) is not None for criterion in criteria)


def best_first(
    offers: Offers, verdicts: Mapping[str, Verdict], costs: Mapping[str, Cost], fixed: bool = False
) -> list[Offer]:
    """The proposals in order: those that meet most criteria first, and of these what costs least.

    Parameters
    ----------
    offers : Offers
        Those made so far.
    verdicts : Mapping[str, Verdict]
        By title, of those whose criteria are checked; the others stand last.
    costs : Mapping[str, Cost]
        By title, what is lost of those of which it is counted; of the others what their search lost and dropped stands
        for it.
    fixed : bool, default False
        Whether those that meet as much stand in the order of their kinds (:func:`is_order_fixed`).
    """
    return sorted(
        offers.offers, key=lambda offer: order(offer, verdicts.get(offer.title), costs.get(offer.title), fixed)
    )


def order(offer: Offer, verdict: Verdict | None, cost: Cost | None, fixed: bool = False) -> tuple[int, int, Cost]:
    """Sorts proposals: first those that meet most criteria, then those that cost least; last those not checked yet.

    Where the order is ``fixed``, their kind stands before what they cost.
    """
    stands = Cost(len(offer.proposal.columns_out), offer.proposal.loss) if cost is None else cost
    place = [kind.title for kind in KINDS].index(offer.title) if fixed else 0
    return 1 if verdict is None else -len(met(verdict)), place, stands
