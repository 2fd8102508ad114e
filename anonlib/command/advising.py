"""``advise``: the least change that meets the criteria."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from anonlib.analyses.regions import region_hierarchy
from anonlib.analyses.regions.reading import areas_of, open_areas, suggest_area_column, suggest_columns
from anonlib.analyses.utility.purposes import kept
from anonlib.basics import figures, words
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.command import files, shown
from anonlib.command.arguments import MET, NOT_MET
from anonlib.command.progress import Progress
from anonlib.dataset import Dataset
from anonlib.filing.project import AreasBeside, Opened, Project
from anonlib.verdict.proposals import (
    Adviser,
    Asked,
    NothingFound,
    Proposal,
    how_sure,
    remedies,
    whole_columns,
    why_none,
)


def advise(asked: argparse.Namespace) -> int:
    """Search for the least change, and write the project with it in its recipe."""
    if not asked.seconds > 0:
        raise InputError("The time for the search must be above 0 seconds.", code="time-limit-too-short")
    files.check_out(asked)
    opened = files.opened(asked)
    looked_at = opened.project.recipe.to_protect(opened.data)
    project, regions = _with_areas(opened.project, looked_at, asked.areas)
    hierarchies = {**regions, **project.hierarchies}
    asked_of = Asked.of(looked_at, project.aim, hierarchies, original=opened.data, unknowable=project.unknowable)
    adviser = Adviser(asked_of)
    progress = Progress(not asked.quiet)
    proposal = whole_columns(adviser, asked.seconds, lambda share, _: progress(share, "The least change"))
    progress.done()
    if isinstance(proposal, NothingFound):
        return _nothing_found(adviser, proposal, asked.json)
    recipe = proposal.taken(project.recipe, opened.data)
    after = Opened(replace(project, recipe=recipe), opened.data, recipe.apply(opened.data), opened.people)
    files.write(asked, after.project.to_json().encode())
    _say(after, proposal, asked.json)
    return MET if after.verdict.may_leave else NOT_MET


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


def _say(after: Opened, proposal: Proposal, as_json: bool) -> None:
    survives = kept(after.project.aim.purposes, after.applied.original, after.applied.released)
    document = {
        "verdict": after.verdict.says,
        "may_leave": after.verdict.may_leave,
        "changes": dict(proposal.changes),
        "detail_lost": proposal.loss,
        "left_out": proposal.left_out,
        "rows_left_out": proposal.rows_out,
        "proven": proposal.found.proven,
        **({"survives": [{**each.purpose.to_dict(), "kept": each.share} for each in survives]} if survives else {}),
    }
    if as_json:
        shown.as_json(document)
        return
    shown.say(after.verdict.says)
    for column, change in proposal.changes.items():
        shown.say(f"  {column}: {change}")
    for finding in after.verdict.against:
        shown.say(f"  still open: {finding.criterion.title}. {finding.says}")
    left_out = words.share(proposal.left_out, proposal.n_records, after.data.unit)
    if proposal.n_rows:
        left_out += f" and {words.share(proposal.rows_out, proposal.n_rows, 'rows')}"
    shown.say(
        f"{figures.DETAIL_LOST.name}: {words.percent(proposal.loss)}; left out: {left_out}. {how_sure(proposal.found)}"
    )
    shown.survives(survives)


def _nothing_found(adviser: Adviser, nothing: NothingFound, as_json: bool) -> int:
    why = why_none(adviser, nothing)
    tried = remedies(adviser)
    ways = [each.says for each in tried.found if each.harmless is None]  # which would name a sensitive value
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
            shown.say("The time was over before all that could make a release possible was tried.")
    return NOT_MET
