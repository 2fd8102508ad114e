"""``advise``: what meets the criteria, in all ways that are allowed, best first."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from anonlib.analyses.regions import region_hierarchy
from anonlib.analyses.regions.reading import areas_of, open_areas, suggest_area_column, suggest_columns
from anonlib.analyses.utility.purposes import Kept, kept
from anonlib.basics import figures, words
from anonlib.basics.budget import Budget
from anonlib.basics.errors import InputError
from anonlib.basics.progress import share_of
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.command import earlier, files, shown
from anonlib.command.arguments import NOT_MET
from anonlib.command.progress import ProgressLine
from anonlib.command.shown import status_of
from anonlib.dataset import Dataset
from anonlib.filing.earlier import held_beside
from anonlib.filing.project import AreasBeside, Opened, Project
from anonlib.filing.project.by_hand import ways_of
from anonlib.release.detail import DetailLost, detail_lost
from anonlib.release.left import columns_left
from anonlib.release.levels import levels_if_counted
from anonlib.verdict.criteria import left_for_value_in_words
from anonlib.verdict.proposals import Adviser, Asked, NothingFound, Proposal, how_sure, what_ifs, why_none
from anonlib.verdict.proposals.offers import (
    AT_ONCE,
    KINDS,
    MOST_DETAIL,
    Cost,
    Offer,
    Offers,
    best_first,
    is_order_fixed,
    kinds_of,
    least_first,
    met,
    with_another,
)


@dataclass(frozen=True, eq=False)
class _Judged:
    """A proposal, and the project with it in its recipe on the file."""

    offer: Offer
    after: Opened

    @cached_property
    def lost(self) -> DetailLost | None:
        """The detail that its release has lost; None where that cannot be counted."""
        applied = self.after.applied
        return detail_lost(applied, levels_if_counted(applied, self.after.project.recipe))

    @property
    def cost(self) -> Cost | None:
        """What it has lost; None where that cannot be counted."""
        return None if self.lost is None else Cost(columns_left(self.after.applied).n_gone, self.lost.share)


def advise(asked: argparse.Namespace) -> int:
    """Search for what meets the criteria in all ways that are allowed, say it best first, and write a project with it.

    The list, its order and what is lost are those of the Verdict page.
    """
    budget = _budget(asked)
    files.check_out(asked)
    opened, held = files.opened(asked), earlier.given(asked)
    ways = opened.project.aim.ways if asked.ways is None else ways_of(asked.ways.split(","))
    looked_at = opened.project.recipe.to_protect(opened.data)
    project, regions = _with_areas(opened.project, looked_at, asked.areas)
    hierarchies = {**regions, **project.hierarchies}
    asked_of = Asked.of(
        looked_at, project.aim, hierarchies, original=opened.data, unknowable=project.unknowable,
        secret=project.secret_of_coins,
    )  # fmt: skip
    adviser = Adviser(asked_of)
    progress = ProgressLine(not asked.quiet)
    offers, kinds = Offers(), kinds_of(ways)
    for i, kind in enumerate(kinds):
        of_kind = share_of(partial(_in_words, progress, kind.title), i / len(kinds), (i + 1) / len(kinds))
        offers = with_another(offers, kind, adviser, budget, of_kind)
    judged = {offer.title: _Judged(offer, _after(opened, project, offer.proposal, held)) for offer in offers.offers}
    progress.done()
    verdicts = {title: judgement.after.verdict for title, judgement in judged.items()}
    fixed = is_order_fixed(project.aim.criteria)
    if not fixed:
        offers = least_first(offers, {title: met(verdict) for title, verdict in verdicts.items()})
    judged = {
        offer.title: replace(judged[offer.title], offer=offer)
        if judged[offer.title].offer.proposal.is_like(offer.proposal)
        else _Judged(offer, _after(opened, project, offer.proposal, held))
        for offer in offers.offers
    }
    costs = {title: cost for title, judgement in judged.items() if (cost := judgement.cost) is not None}
    in_order = [judged[offer.title] for offer in best_first(offers, verdicts, costs, fixed)]
    if not in_order:
        return _nothing_found(adviser, offers, asked.json)
    if asked.take > len(in_order):
        raise InputError(
            f"There are {words.count(len(in_order), 'proposals')}. Take one from 1 to {len(in_order)}.",
            code="number-out-of-range",
        )
    taken = in_order[asked.take - 1]
    files.write(asked, taken.after.project.to_json().encode())
    _say(in_order, asked.take, offers, asked.json)
    verdict = taken.after.verdict
    return status_of(verdict.may_leave, [finding.state for finding in verdict.against])


def _in_words(progress: ProgressLine, what: str, share: float, _: Offers | None = None, /) -> None:
    progress(share, what)


def _budget(asked: argparse.Namespace) -> Budget:
    """What each search may spend."""
    if asked.seconds is not None and not asked.seconds > 0:
        raise InputError("The time for the search must be above 0 seconds.", code="time-limit-too-short")
    if not asked.effort > 0:
        raise InputError("The effort of the search must be above 0.", code="number-out-of-range")
    if asked.take < 1:
        raise InputError("The proposals are counted from 1.", code="number-out-of-range")
    return Budget(asked.effort * (AT_ONCE.work or 0.0), asked.seconds)


def _after(opened: Opened, project: Project, proposal: Proposal, held: Sequence[Opened]) -> Opened:
    """The project as it is saved with a proposal, so that what is judged is what ``release`` makes of it."""
    saved = replace(project, recipe=proposal.taken(project.recipe, opened.data)).as_saved
    after, _ = held_beside(Opened(saved, opened.data, saved.recipe.apply(opened.data), opened.people), held)
    return after


def _with_areas(project: Project, data: Dataset, path: Path | None) -> tuple[Project, Mapping[str, Hierarchy]]:
    """The project with a file of areas, and by the column that names them the regions that they can be joined to."""
    if path is None:
        return project, {}
    file = open_areas(files.content(path, "The file of areas"), path.name)
    decided = project.areas if project.areas is not None and project.areas.digest == file.digest else None
    columns = decided.columns if decided is not None and decided.columns is not None else suggest_columns(file)
    crs = None if decided is None else decided.crs
    areas = areas_of(file, columns, crs)
    column = suggest_area_column(areas, data)
    if column not in data.quasi_identifiers:
        raise InputError(
            "No column that may be known outside names these areas. Give the column of places a role.",
            code="areas-not-in-records",
        )
    project = replace(project, areas=AreasBeside(file.digest, file.name, columns, crs))
    return project, {column: region_hierarchy(areas, data, column)}


def _say(in_order: Sequence[_Judged], taken: int, offers: Offers, as_json: bool) -> None:
    listed = [_described(judged) for judged in in_order]
    nothing = [
        {"kind": kind.title, "why": offers.why_not(kind.title)}
        for kind in KINDS
        if kind.title in {**dict(offers.none), **dict(offers.cannot), **dict(offers.same)}
    ]
    if as_json:
        # Of the one that was taken all stands at the top too, as before there were several.
        shown.as_json({**listed[taken - 1], "taken": taken, "proposals": listed, "no_proposal": nothing})
        return
    for number, judgement in enumerate(in_order, start=1):
        _say_one(number, judgement, number == taken)
    for kind in nothing:
        shown.say(f"   {kind['kind']}: {kind['why']}")


def _described(judged: _Judged) -> dict[str, object]:
    proposal, after, lost = judged.offer.proposal, judged.after, judged.lost
    survives = _survives(after)
    return {
        "kind": judged.offer.title,
        "verdict": after.verdict.decision,
        "learned": after.verdict.learned,
        "may_leave": after.verdict.may_leave,
        "against": [f"{finding.criterion.title}. {finding.says}" for finding in after.verdict.against],
        "changes": dict(proposal.changes),
        "columns_left_out": list(proposal.columns_out),
        "nothing_left_of": list(columns_left(after.applied).removed),
        "detail_lost": None if lost is None else lost.share,
        "nearly_constant": [] if lost is None else list(lost.nearly_constant),
        "left_out": proposal.left_out,
        "rows_left_out": proposal.rows_out,
        "left_for_value": sum(left.persons for left in after.left_for_value),
        "proven": proposal.least_change.proven,
        "ended_early": proposal.least_change.ended_early,
        **(
            {"survives": [{**of_purpose.purpose.to_dict(), "kept": of_purpose.share} for of_purpose in survives]}
            if survives
            else {}
        ),
    }


def _survives(after: Opened) -> Sequence[Kept]:
    return kept(after.project.aim.purposes, after.applied.original, after.applied.released)


def _say_one(number: int, judged: _Judged, is_taken: bool) -> None:
    proposal, after = judged.offer.proposal, judged.after
    written = ", written into the project" if is_taken else ""
    shown.say(f"{number}. {judged.offer.title}{written}: {after.verdict.says}")
    for column, change in proposal.changes.items():
        shown.say(f"  {column}: {change}")
    if gone := columns_left(after.applied).says:
        shown.say(f"  {gone}")
    for finding in after.verdict.against:
        shown.say(f"  still open: {finding.criterion.title}. {finding.says}")
    left_out = words.share(proposal.left_out, proposal.n_records, after.data.unit)
    if proposal.n_rows:
        left_out += f" and {words.share(proposal.rows_out, proposal.n_rows, 'rows')}"
    if for_value := sum(left.persons for left in after.left_for_value):
        left_out += f", {left_for_value_in_words(for_value, after.data.unit)}"
    lost = "not counted" if judged.lost is None else words.percent(judged.lost.share)
    shown.say(f"  {figures.DETAIL_LOST.name}: {lost}; left out: {left_out}. {how_sure(proposal.least_change)}")
    shown.survives(_survives(after))


def _nothing_found(adviser: Adviser, offers: Offers, as_json: bool) -> int:
    unknown = NothingFound(proven=False, finished=True, complete=False)
    nothing = dict(offers.none).get(MOST_DETAIL, next((none_found for _, none_found in offers.none), unknown))
    why = why_none(adviser, nothing) if offers.none else " ".join(dict.fromkeys(why for _, why in offers.cannot))
    tried = what_ifs(adviser)
    ways = [what_if.says for what_if in tried.ways if what_if.harmless is None]  # which would name a sensitive value
    if as_json:
        shown.as_json(
            {
                "may_leave": False,
                "why": why,
                "proven": nothing.proven,
                "ways_out": ways,
                "all_ways_tried": tried.all_tried,
            }
        )
    else:
        shown.say(why)
        if ways:
            shown.say("Each of these alone would make a release possible:")
        for way in ways:
            shown.say(f"  {way}")
        if not tried.all_tried:
            shown.say("The work given was done before all that could make a release possible was tried.")
    return NOT_MET
