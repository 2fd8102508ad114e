"""“In short” agrees with every table below it: each of its figures is read in the finished report and counted again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from anonlib.analyses.utility.purposes import MeanByGroup, Together
from anonlib.basics.words import percent
from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.columns.roles import Role, suggest_roles
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence import PARTS, Evidence, gather
from anonlib.filing.evidence.report import ORDERS, report_of
from anonlib.filing.project import LoadedFile, Project, open_project
from anonlib.filing.report import Block, Bullets, Callout, Cell, Facts, Figure, Report, Table
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.verdict.criteria import Accepted, Aim, SmallestClass
from tests.helpers.evidence import ROLES, opened, visits

ON = date(2026, 11, 22)
ADMISSIONS = Path(__file__).parents[4] / "data" / "samples" / "admissions.csv"
CASE = ReleaseCase(title="Falls", recipient="University", until="2028-12-31", author="A. Officer")
NAMES = re.compile("“([^”]*)”")
STEPS = (Recode("age", Intervals(25)), Recode("zip", Mask(3)), DropColumns(("note",)), LeaveOut(3))
NO_DETAIL = (Role.IDENTIFIER, Role.PERSON_ID, Role.WEIGHT)


# ---- the releases ----


def under_contract() -> Evidence:
    purposes = (MeanByGroup("age", "sex"), Together("age", "zip"))
    aim = replace(Aim.for_recipient("contract"), purposes=purposes)
    return gather(opened(visits(140), *STEPS, aim=aim, case=CASE), on=ON)


def within() -> Evidence:
    return gather(opened(visits(90), *STEPS[:1], aim=Aim.for_recipient("within"), k=5), parts=("inference",), on=ON)


def to_the_public() -> Evidence:
    steps = (*STEPS, Recode("sex", Mask(0)))
    return gather(opened(visits(300), *steps, aim=Aim.for_recipient("public"), k=11), on=ON)


def accepted() -> Evidence:
    criterion = SmallestClass(60)
    aim = Aim.for_recipient("within")
    aim = replace(aim, criteria=(*aim.criteria, criterion), accepted=(Accepted(criterion, "All know.", "A", "2026-1"),))
    roles = ROLES | {"illness": Role.OTHER}
    return gather(opened(visits(200), *STEPS, Recode("sex", Mask(0)), roles=roles, aim=aim), parts=PARTS[:3], on=ON)


def against_the_verdict() -> Evidence:
    aim = replace(Aim.for_recipient("public"), leaves_anyway="Agreed in writing.")
    return gather(opened(visits(60), aim=aim, roles={k: v for k, v in ROLES.items() if k != "zip"}), on=ON)


def of_persons_with_several_rows() -> Evidence:
    frame = visits(160).assign(name=[f"P{i // 2}" for i in range(160)])
    roles = ROLES | {"name": Role.PERSON_ID}
    aim = Aim.for_recipient("contract")
    return gather(opened(frame, *STEPS, roles=roles, aim=aim, k=5), parts=("inference", "utility"), on=ON)


def of_a_sample() -> Evidence:
    loaded = LoadedFile.of(ADMISSIONS.read_bytes(), "admissions.csv")
    data = open_project(Project(), loaded).data
    roles = {each.column: each.role for each in suggest_roles(data.held, data.described)}
    dropped = ("zip", "admission_date", "length_of_stay", "insurance")
    recipe = Recipe.of([DropColumns(dropped), Recode("age", Intervals(20)), LeaveOut(5)])
    project = Project(roles=roles, recipe=recipe, seed=7, aim=Aim.for_recipient("contract"), case=CASE)
    return gather(open_project(project, loaded), parts=("inference", "singling_out", "utility"), on=ON)


def of_nothing() -> Evidence:
    return gather(opened(visits(40), LeaveOut(1000), aim=Aim.for_recipient("within")), parts=(), on=ON)


MADE = (
    under_contract, within, to_the_public, accepted, against_the_verdict, of_persons_with_several_rows, of_a_sample,
    of_nothing,
)  # fmt: skip


@cache
def evidence_of(made: Callable[[], Evidence]) -> Evidence:
    return made()


# ---- a report as it is read ----


class Printed:
    """A report: the points of “In short”, and all that stands elsewhere."""

    def __init__(self, report: Report) -> None:
        in_short, *below = report.sections
        assert in_short.title == "In short"
        bullets, *self.beside = in_short.blocks
        assert isinstance(bullets, Bullets)
        self.points = bullets.items
        self.blocks: list[Block] = [*report.opening, *(block for section in below for block in section.blocks)]
        self.facts = dict(pair for each in self.blocks if isinstance(each, Facts) for pair in each.pairs)
        self.text = "\n".join(texts_of((report.opening, tuple(below))))
        (self.front,) = [each for each in report.opening if isinstance(each, Table)] or [None]

    def table(self, caption: str) -> Table | None:
        """The one table whose caption begins so; None where the report has none."""
        found = [each for each in self.blocks if isinstance(each, Table) and each.caption.startswith(caption)]
        assert len(found) <= 1
        return found[0] if found else None

    def at_front(self, name: str) -> str:
        """What the table at the front has of the release."""
        assert self.front is not None
        (row,) = [row for row in self.front.rows if str(row[0]).startswith(name)]
        return str(row[2])

    def named(
        self, roles: tuple[Role, ...], of_those: Callable[[bool], bool] = lambda leaves: True
    ) -> list[str] | None:
        """Names of columns of these roles by the table of roles; None where the report has none."""
        table = self.table("Columns and their roles")
        labels = {Role(each).label for each in roles}
        if table is None:
            return None
        return [str(row[0]) for row in table.rows if row[1] in labels and of_those(row[3] != "does not leave")]


def texts_of(part: object) -> Iterator[str]:
    """The texts of a report, pictures left out."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from texts_of(each)
    elif is_dataclass(part):
        for each in fields(part):
            if each.name not in ("svg", "tone", "align", "furniture"):
                yield from texts_of(getattr(part, each.name))


def whole(text: str) -> int:
    return int(text.replace(",", ""))


def in_percent(text: str) -> float:
    """The first percentage of a text."""
    found = re.search(r"(-?[\d.]+)%", text)
    assert found is not None, text
    return float(found[1])


def released(cell: object) -> str:
    """The figure of the release in a cell such as ``20% → 5%``."""
    return str(cell).split(" → ")[-1]


# ---- each point of it, and the tables that it is compared with ----


def what_leaves(printed: Printed, rows: str, columns: str, of: str) -> None:
    roles, variables = printed.table("Columns and their roles"), printed.table("Variables")
    assert roles is not None or variables is not None
    if roles is not None:
        assert whole(of) == len(roles.rows)
        assert whole(columns) == sum(row[3] != "does not leave" for row in roles.rows)
    if variables is not None:
        assert whole(columns) == len(variables.rows)
    assert printed.facts.get("Columns", of) in (of, columns)
    if rows != "no file" and printed.front is not None and "nearly" not in (kept := printed.at_front("Rows kept")):
        original = printed.facts.get("Rows")
        assert original is None or percent(whole(rows) / whole(original)) == kept


def names(printed: Printed, listed: str, staying: str | None, roles: tuple[Role, ...]) -> None:
    for text, of_those in ((listed, lambda leaves: True), (staying or "", lambda leaves: not leaves)):
        below = printed.named(roles, of_those)
        more = re.search(r"and (\d+) more", text)
        assert below is None or NAMES.findall(text) == below[: len(NAMES.findall(text))]
        assert below is None or len(NAMES.findall(text)) + (whole(more[1]) if more else 0) == len(below)


def known(printed: Printed, listed: str, staying: str | None) -> None:
    names(printed, listed, staying, (Role.QUASI_IDENTIFIER, Role.PLACE))
    if "Three attackers" in printed.text:
        assert f"Taken to be known outside: {listed}." in printed.text


def harmful(printed: Printed, listed: str, staying: str | None) -> None:
    names(printed, listed, staying, (Role.SENSITIVE,))


def undecided(printed: Printed, listed: str) -> None:
    table = printed.table("Columns and their roles")
    assert table is None or NAMES.findall(listed) == [
        row[0] for row in table.rows if isinstance(row[1], Cell) and row[3] != "does not leave"
    ]


def what_was_done(printed: Printed, done: str) -> None:
    table = printed.table("Steps, in their order")
    applied = [] if table is None else [
        str(row[1]) for row in table.rows if not str(row[2]).startswith(("Switched off", "Not applied"))
    ]  # fmt: skip
    steps = [text.split(" (")[0].rstrip(".") for text in applied]
    more = re.search(r"(\d+) (?:more )?steps?$", done)
    if done.startswith("no step"):
        assert not applied
        return
    assert sum(step in done for step in steps) + (whole(more[1]) if more else 0) == len(applied)


def criteria(printed: Printed, met: str, of: str) -> None:
    table = printed.table("What the release must meet")
    assert table is not None and whole(of) == len(table.rows)
    states = [row[-1] for row in table.rows]
    assert whole(met) == sum(isinstance(each, Cell) and each.text == "met" for each in states)
    verdict = next(each.text for each in printed.blocks if isinstance(each, Callout) and each.title == "Verdict")
    if found := re.search(r"(\d+) of (\d+) criteria (?:is|are) met", verdict):
        assert found.groups() == (met, of)
    if "all" in verdict and "criteria are met" in verdict:
        assert met == of


def left(printed: Printed, k: str, alone: str, highest: str, average: str) -> None:
    assert k.startswith(printed.at_front("k, the smallest class")) and k[-1].isalpha()
    (unit,) = {text.split()[-1].rstrip("s") for text in (k, alone)}
    assert unit in ("record", "person")
    assert alone.startswith(printed.at_front(f"{unit.capitalize()}s alone"))
    assert highest == printed.at_front("Highest risk (prosecutor)") and average == printed.at_front("Average risk")
    if (attackers := printed.table("Risk of re-identification")) is not None:
        by_name = {str(row[0]): row for row in attackers.rows}
        assert released(by_name["Prosecutor"][2]) == highest and released(by_name["Marketer"][3]) == average
    if (threshold := printed.table("The risk beside the threshold")) is not None:
        assert threshold.rows[0][2] == highest
    if (others := printed.table("The release beside the original")) is not None:
        row = next(row for row in others.rows if row[0] == "Release")
        assert row[1:4] == (k, highest, average)
    if (risks := printed.table("Risks to rights and freedoms")) is not None and "fewer" not in alone:
        assert f"({alone.split()[0]} of " in str(risks.rows[0][3]) or alone.split()[0] == str(risks.rows[0][3])


def certain(printed: Printed, column: str, share: str) -> None:
    n = share if "(" not in share else share.split("(")[1].split(" of ")[0]
    assert printed.at_front(f"“{column}” certain from 2").split()[-1] == n.split()[-1]
    table = printed.table("For whom a sensitive value is certain")
    assert table is None or (column, "at most 2", share) in {(row[0], row[1], row[3]) for row in table.rows}
    if table is not None and "(" in share:
        both = [str(row[3]) for row in table.rows if row[1] == "at most 2" and "%" in str(row[3])]
        assert in_percent(share) == max(map(in_percent, both))


def attacks(printed: Printed, tried: str, title: str, gain: str, above: str, limit: str) -> None:
    tables = [each for each in printed.blocks if isinstance(each, Table) and each.caption.startswith("Attacks: ")]
    assert not [note for table in tables for note in table.notes if "as they gain less" in note], "all are listed"
    gains = {str(row[0]): in_percent(str(row[4])) for table in tables for row in table.rows if row[4] != "–"}
    assert whole(tried.split()[0]) == len(gains)
    assert in_percent(gain) == gains[title] == max(gains.values())
    n_above = {"None": 0, "It gains": 1, "It does not gain": 0}.get(above)
    n_above = whole(above.split()[0]) if n_above is None else n_above
    assert n_above == sum(value > in_percent(limit) for value in gains.values())


def detail_lost(printed: Printed, share: str) -> None:
    assert share == printed.at_front("Detail lost")


def good_for(printed: Printed, rows: str, entropy: str) -> None:
    if printed.front is not None:
        assert (rows, entropy) == (printed.at_front("Rows kept"), printed.at_front("Entropy kept"))
    if (table := printed.table("What is kept, and what it means")) is not None:
        values = {str(row[0]): row[1] for row in table.rows}
        assert values["Entropy kept"] == entropy and values.get("Rows kept", rows) == rows
    if (others := printed.table("The release beside the original")) is not None:
        row = next(row for row in others.rows if row[0] == "Release")
        assert rows in row[4:] and row[-1] == entropy


def nothing_left(printed: Printed, removed: str | None, dropped: str | None) -> None:
    levels, roles = printed.table("At which level cells leave"), printed.table("Columns and their roles")
    if levels is not None:
        assert split(removed) == [row[0] for row in levels.rows if row[1] == "removed"]
    if roles is not None:
        labels = {each.label for each in NO_DETAIL}
        stay = [str(row[0]) for row in roles.rows if row[3] == "does not leave" and row[1] not in labels]
        assert split(dropped) == stay


def split(listed: str | None) -> list[str]:
    return re.split(", | and ", listed) if listed else []


def survives(printed: Printed, shares: str) -> None:
    table = printed.table("What must survive, original against release")
    assert table is not None
    assert shares.split("; ") == [f"{row[0]}: {row[4]}" for row in table.rows if row[4] != "not measured"]


def accepted_ones(printed: Printed, titles: str) -> None:
    table, asked = printed.table("Accepted although not met"), printed.table("What the release must meet")
    assert table is not None and split(titles) == [row[0] for row in table.rows]
    assert asked is not None and split(titles) == [row[0] for row in asked.rows if "accepted" in row[-1].text]


def until_when(printed: Printed, kept: str | None, again: str) -> None:
    assert f"Assess again by {again}" in printed.text or again in printed.text
    assert kept is None or printed.facts.get("May be kept until", kept) == kept


SIZES = r"(fewer than \d+ \w+|[\d,]+ \w+)"
POINTS: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"What leaves: (no file|[\d,]+(?= rows?)).*?, (\d+) columns? of (\d+), to: .+\.", what_leaves),
    (r"Taken to be known outside: (.+?)\.(?: Not leaving, of these: (.+)\.)?", known),
    (r"Would harm if it were learned: (.+?)\.(?: Not leaving, of these: (.+)\.)?", harmful),
    (r"Nobody has decided on (.+): not assessed\.", undecided),
    (r"What was done: (.+)\.", what_was_done),
    (r"Criteria for .+: (\d+) of (\d+) met\.", criteria),
    (
        rf"Left by the columns taken to be known(?:, with the values of each known)?: the smallest class has {SIZES}, "
        rf"{SIZES} alone, the prosecutor’s highest risk (.+?), the marketer’s average (.+?)\.",
        left,
    ),
    (r"Of sensitive columns, most is certain of “(.+)” to somebody who knows 2 quasi-identifiers: for (.+)\.", certain),
    (
        r"Of (.+) that were tried, “(.+)” gains most: (.+%\)?)\. (None|It gains|It does not gain|\d+)(?: of .+?)?"
        r"(?: gains?)? more than (.+?%)\.(?: No criterion limits that\.)?",
        attacks,
    ),
    (r"What it is good for: (.+) of rows and (.+) of entropy kept\.", good_for),
    (r"Detail lost: (.+?%)\. The mean over .+\.", detail_lost),
    (r"(?=Nothing is left|Dropped)(?:Nothing is left of (.+?)\.)? ?(?:Dropped: (.+)\.)?", nothing_left),
    (r"What must survive, kept: (.+)\.", survives),
    (r"Accepted although not met: (.+)\.", accepted_ones),
    (r"(?:The recipient may keep it until (.+?)\. )?To be assessed again by (.+)\.", until_when),
)


def compare(printed: Printed) -> set[str]:
    """Compare each point with the tables below it, and give the names of what was compared."""
    compared = set()
    for point in printed.points:
        fits = [(found, check) for pattern, check in POINTS if (found := re.fullmatch(pattern, point))]
        assert len(fits) == 1, f"nothing below it is compared with: {point}"
        ((found, check),) = fits
        check(printed, *found.groups())
        compared.add(check.__name__)
    return compared


def reports(*forms: tuple) -> list:
    """Each release in each order and form; each release in one order, and one release in each, go for the others."""
    return [
        pytest.param(
            made, order, *form, id="-".join([made.__name__, order, *map(str, form)]),
            marks=() if made is under_contract or order == "assessment" else pytest.mark.repeats,
        )
        for made in MADE for order in ORDERS for form in forms
    ]  # fmt: skip


@pytest.mark.parametrize(("made", "order"), reports(()))
def test_each_figure_in_short_is_that_of_every_table_below_it(made: Callable[[], Evidence], order: str) -> None:
    evidence = evidence_of(made)
    printed = Printed(report_of(evidence, order))  # type: ignore[arg-type]
    compared = compare(printed)
    assert {"what_leaves", "criteria", "good_for", "until_when"} <= compared
    for figure in printed.beside:
        if isinstance(figure, Figure):
            below = re.search(r"\(([\d,]+) of [\d,]+ \w+\) are in classes below", figure.alt)
            assert below is not None and below[1] == printed.at_front(f"{evidence.unit.capitalize()} below k")


@pytest.mark.parametrize(("made", "order"), reports(()))
def test_each_figure_in_short_for_anybody_stands_in_a_table_too(made: Callable[[], Evidence], order: str) -> None:
    report = report_of(evidence_of(made), order, public=True)  # type: ignore[arg-type]
    in_short, *below = report.sections
    bullets = in_short.blocks[0]
    assert isinstance(bullets, Bullets)
    classes = [point for point in bullets.items if point.startswith("By the columns that leave")]
    assert bool(classes) is (evidence_of(made).as_released is not None)
    others = numbers_of((report.opening, tuple(below)))
    for point in classes:
        assert {*numbers_of(NAMES.sub("", point))} <= {*others}, point


def test_every_kind_of_point_is_compared_somewhere() -> None:
    compared = {name for made in MADE for name in compare(Printed(report_of(evidence_of(made))))}
    assert compared == {check.__name__ for _, check in POINTS}


def test_a_figure_in_short_that_no_table_has_is_found() -> None:
    """The comparison can fail: with one figure of the evidence changed behind the tables' back."""
    report = report_of(evidence_of(under_contract))
    in_short, *others = report.sections
    bullets = in_short.blocks[0]
    assert isinstance(bullets, Bullets)
    for i, point in enumerate(bullets.items):
        figures = [*re.finditer(r"\d+(?=%| rows| of|\.)|\d+(?= record)", NAMES.sub("", point))]
        if not figures or point.startswith(("What was done", "To be assessed", "The recipient")):
            continue
        at = point.index(figures[0][0])
        wrong = point[:at] + f"{int(figures[0][0]) + 1}" + point[at + len(figures[0][0]) :]
        items = (*bullets.items[:i], wrong, *bullets.items[i + 1 :])
        section = replace(in_short, blocks=(Bullets(items), *in_short.blocks[1:]))
        with pytest.raises(AssertionError):
            compare(Printed(replace(report, sections=(section, *others))))


def numbers_of(block: object) -> Counter[str]:
    """All numbers of a block, whatever their marks for thousands and decimals are."""
    text = "\n".join(texts_of(block))
    text = re.sub(r"\b(\d{4})-(\d\d)-(\d\d)\b", r"\3.\2.\1", text)
    return Counter(re.sub("[.,]", "", number) for number in re.findall(r"\d[\d.,]*", text))


@pytest.mark.parametrize(("made", "order"), reports(()))
def test_the_german_report_has_the_same_figure_at_each_place(made: Callable[[], Evidence], order: str) -> None:
    """So that in German, too, “in short” is what the tables say."""
    english, german = (report_of(evidence_of(made), order, language=code) for code in ("en", "de"))  # type: ignore[arg-type]
    for mine, other in zip(english.sections, german.sections, strict=True):
        for block, translated in zip(mine.blocks, other.blocks, strict=True):
            if isinstance(block, Table) and isinstance(translated, Table):
                cells = [*zip(block.rows, translated.rows, strict=True)]
                assert [numbers_of(a) for a, _ in cells] == [numbers_of(b) for _, b in cells], block.caption
            elif isinstance(block, Bullets) and isinstance(translated, Bullets):
                assert [numbers_of(a) for a in block.items] == [numbers_of(b) for b in translated.items]
