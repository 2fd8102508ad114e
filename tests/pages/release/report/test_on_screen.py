"""Each figure at the front of a report stands on the page that it names, with the same name and the same number."""

from __future__ import annotations

import pytest

from anonlib.basics import words
from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.columns.roles import Role
from anonlib.filing.evidence import gather
from anonlib.filing.evidence.report import report_of
from anonlib.filing.report import Table
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from anonlib.verdict.criteria import Aim
from tests.helpers.app import RELEASE, RISK, App, in_full, seeded
from tests.helpers.evidence import ROLES, as_bytes, opened, visits

STEPS = (Recode("age", Intervals(25)), Recode("zip", Mask(2)), LeaveOut(5))
PAGES = {"page Risk": RISK, "page Release": RELEASE, "the sidebar": RISK}

OF_PROPOSALS = "page Verdict"


def shown(app: App, where: str) -> list[str]:
    """Names with their numbers: figures of a page, a line of its text; of the sidebar its lines."""
    if where == "the sidebar":
        return [in_full(line).replace("*", "") for line in app.sidebar_lines]
    return [*(f"{each.label}: {each.value}" for each in app.at.metric), app.text.replace("*", "")]


@pytest.mark.parametrize("of_persons", [False, True])
def test_each_figure_is_on_the_page_that_it_names(of_persons: bool) -> None:
    frame = visits(160).assign(other=[f"ill {i % 3 % 2}" for i in range(160)])
    roles = ROLES | {"other": Role.SENSITIVE}
    if of_persons:
        frame, roles = frame.assign(name=[f"P{i // 2}" for i in range(160)]), roles | {"name": Role.PERSON_ID}
    aim = Aim.for_recipient("contract")
    evidence = gather(opened(frame, *STEPS, roles=roles, aim=aim, k=5), parts=("inference",))
    (table,) = [block for block in report_of(evidence).opening if isinstance(block, Table)]
    app = seeded(as_bytes(frame), page=RISK, roles=roles, recipe=Recipe.of(STEPS), aim=aim, k=5)
    on_screen = {where: shown(app.open(page), where) for where, page in PAGES.items()}
    for name, original, release, unit, where in (map(str, row) for row in table.rows):
        if where == OF_PROPOSALS:  # a recipe made by hand is none: tests of that page have its figure
            continue
        change = words.change(original, release)
        looked_for = {
            f"{name}: {change}",
            f"{name}: {release}",  # of what is kept, of which the original is all
            f"{name.replace('“', '').replace('”', '')}: {change}",
        }
        if name.lower() == unit:
            looked_for = {f"{release} of {original} {unit} leave."}
        lines = on_screen[where]
        assert looked_for & {*lines} or any(each in lines[-1] for each in looked_for), (name, looked_for, lines)
    assert {row[4] for row in table.rows} == {*PAGES, OF_PROPOSALS}
