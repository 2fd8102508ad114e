"""Evidence says of a release what the released file itself says when it is read again."""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import date
from html import unescape
from itertools import combinations

import pytest
from hypothesis import given
from pypdf import PdfReader

from anonlib.analyses.utility.purposes import MeanByGroup, Together, kept
from anonlib.basics.errors import InputError
from anonlib.basics.words import percent
from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.command.shown import assessment
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence import (
    PARTS,
    VALUE_TABLES,
    Evidence,
    TableFacts,
    evidence_of,
    gather,
    of_case,
    released_file,
    script_of,
    to_json,
)
from anonlib.filing.evidence.measures import MOST_LISTED
from anonlib.filing.evidence.report import ORDERS, html_of, pdf_of
from anonlib.filing.evidence.utility import purpose_facts
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.reading.sources import open_source
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.verdict.attacks.attacking import AttackSettings, attack
from anonlib.verdict.attacks.in_words import first_sentence, title
from anonlib.verdict.criteria import Accepted, Aim, SmallestClass
from tests.helpers.errors import refused
from tests.helpers.evidence import ROLES, SECRETS, on_a_file, opened, text_of, visits
from tests.helpers.examples import settings

ON = date(2026, 11, 22)


@settings(60)
@given(on_a_file())
def test_the_released_file_read_again_has_what_the_evidence_says(project: Opened) -> None:
    evidence = gather(project, parts=(), on=ON)
    if evidence.released is None or evidence.after is None:
        assert not project.applied.released.n_records or not project.case.known or project.applied.why_not
        return
    file = released_file(project)
    assert evidence.released.sha256 == hashlib.sha256(file).hexdigest()
    frame = open_source(file, "released.csv").frame
    assert list(frame.columns) == list(evidence.released.columns) and len(frame) == evidence.released.records
    known = [name for name in frame.columns if ROLES[name] is Role.QUASI_IDENTIFIER]
    rows = list(zip(*(frame[name].astype(object).where(frame[name].notna(), None) for name in known), strict=True))
    if project.project.missing == "drop":
        assert not any(cell is None for row in rows for cell in row)
    sizes = Counter(rows)
    by_size = Counter(sizes.values())
    assert dict(zip(evidence.after.sizes, evidence.after.classes_of_size, strict=True)) == by_size
    assert evidence.after.k == min(sizes.values()) and evidence.after.unique == by_size.get(1, 0)
    assert evidence.after.attackers[0].average == pytest.approx(len(sizes) / len(rows))
    certain = {row: set() for row in sizes}  # by all that may be known
    for row, value in zip(rows, frame["illness"], strict=True):
        certain[row].add(value)
    in_full = gather(project, parts=("inference",), on=ON)
    (by_all,) = [each for each in in_full.inferred if each.known is None]
    assert by_all.after == sum(len(certain[row]) == 1 for row in rows)


@settings(5)
@given(on_a_file())
def test_it_comes_back_from_its_text(project: Opened) -> None:
    """Also from the text of version 1, which had no tables."""
    parts = (*PARTS, VALUE_TABLES)
    evidence = gather(project, parts=parts, on=ON, who="A. Officer")
    assert evidence_of(to_json(evidence)) == evidence
    assert gather(project, parts=parts, on=ON, who="A. Officer") == evidence, "the same again"
    document = _of_version_1(json.loads(to_json(evidence)))
    assert {"file", "columns", "steps", "released", "records_kept"} < set(document) and "tables" not in document
    assert evidence_of(json.dumps(document)) == evidence


def test_no_view_shows_a_cell_that_is_confidential() -> None:
    project = opened(visits(40, secrets=True), Recode("age", Intervals(20)), Recode("zip", Mask(3)), LeaveOut(2))
    evidence = gather(project, parts=(*PARTS, VALUE_TABLES), on=ON)
    views = [to_json(evidence), script_of(project, evidence), *(html_of(evidence, each).decode() for each in ORDERS)]
    for view in views:
        assert not [secret for secret in SECRETS if secret in view]
    assert "02138" in views[0], "value tables name values that may be known"


def test_the_pdf_holds_each_number_of_the_summary() -> None:
    project = opened(visits(90), Recode("age", Intervals(20)), Recode("zip", Mask(3)), LeaveOut(2))
    evidence = gather(project, on=ON, who="A. Officer", people=2000, target="sex")
    pages = PdfReader(io.BytesIO(pdf_of(evidence))).pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    packed = text.replace(" ", "")
    for digest in (evidence.file.sha256, evidence.released.sha256, evidence.project):
        assert digest in packed
    assert evidence.verdict in text and "A. Officer" in text and 4 <= len(pages) <= 14
    for before, after in (
        (evidence.before.records, evidence.after.records),
        (evidence.before.k, evidence.after.k),
        (evidence.before.unique, evidence.after.unique),
        (evidence.before.below_k, evidence.after.below_k),
        (percent(evidence.before.attackers[0].highest), percent(evidence.after.attackers[0].highest)),
        ("100%", percent(evidence.records_kept)),
        ("100%", percent(evidence.information_kept)),
    ):
        assert f"{before} {after}" in text
    for each in evidence.criteria:
        assert each.title in text and each.says.split(";")[0] in text


def test_the_report_says_the_range_of_the_estimates_and_how_wrong_they_have_been() -> None:
    evidence = gather(opened(visits(60)), parts=(), people=6_000, on=ON)
    found = evidence.in_population
    assert found is not None and found.after is not None and not found.before.exact
    text = text_of(html_of(evidence))
    for each in (found.before, found.after):
        assert each.says(evidence.unit) in text and each.says_how_wrong in text
    assert text.count(found.before.says_how_wrong) == 1, "once where it is of both"
    assert evidence_of(to_json(evidence)).in_population == found


@pytest.mark.parametrize("order", ORDERS)
def test_each_order_answers_the_three_questions_with_what_attacks_measured(order) -> None:
    project = opened(visits(300), Recode("age", Intervals(20)))
    evidence = gather(project, parts=("attacks",), on=ON)
    case = project.case
    found = attack(case.applied, case.recipe, AttackSettings.of(case.original, case.released, project.project.aim))
    assert evidence.attacks == replace(found, alone=None), "as the page and the command have them"
    text = text_of(html_of(evidence, order))
    for question in ("possible to single out an individual?", "possible to link records", "information be inferred"):
        assert question in text
    assert first_sentence(found.attacks, 3) in text and found.made_of in text and "What was not tried:" in text
    for each in found.attacks:
        assert not each.rate.tries or f"{title(each)}{percent(each.rate.share)} (" in text, title(each)
    anybody = text_of(html_of(evidence, order, public=True))
    for each in found.attacks:
        assert f"{title(each)}{percent(each.rate.share)} (" not in anybody


def test_a_report_for_anybody_does_not_tell_how_few_were_left_out() -> None:
    frame = visits(61).assign(age="40", zip="02138", sex=["f"] * 59 + ["m"] * 2)
    evidence = gather(opened(frame, LeaveOut(3), k=3), on=ON)
    assert evidence.before.records - evidence.after.records == 2, "two people"
    for order in ORDERS:
        text = html_of(evidence, order, public=True).decode()
        assert not re.search(r"\b61\b|96\.7%|3\.28%", text)
    assert re.search(r"\b61\b", html_of(evidence).decode()), "but those who review it read it"


def test_values_stated_to_harm_nobody_are_counted_and_not_named() -> None:
    aim = replace(Aim(), harmless=(("illness", (f"{SECRETS[1]} a",)),))
    project = opened(visits(40, secrets=True), LeaveOut(2), aim=aim)
    evidence = gather(project, on=ON)
    assert evidence.harmless == (("illness", 1),)
    assert SECRETS[1] not in to_json(evidence) + html_of(evidence).decode()


def test_a_combination_that_is_listed_has_its_number_in_the_original_and_in_the_release() -> None:
    """Also one that is enough for few in either, and one that is enough only since its parts are coarser."""
    names, rng = [f"c{j}" for j in range(7)], random.Random(3)
    lines = [",".join(names), *(",".join(str(rng.randrange(6)) for _ in names) for _ in range(80))]
    data = ("\n".join(lines) + "\n").encode()
    roles = dict.fromkeys(names, Role.QUASI_IDENTIFIER)
    recipe = Recipe.of([Recode(name, Intervals(3)) for name in names[:5]])
    project = open_project(Project(roles=roles, recipe=recipe, seed=1), LoadedFile.of(data, "many.csv"))
    evidence = gather(project, parts=("singling_out",), on=ON)
    found = evidence.singled_out
    assert found is not None and [names for names, _ in found.sets_before] == [names for names, _ in found.sets_after]
    files = [open_source(content, "a.csv").frame for content in (data, released_file(project))]
    for sets, frame in zip((found.sets_before, found.sets_after), files, strict=True):
        alone_by = {
            some: set(frame.index[~frame.duplicated(list(some), keep=False)])
            for size in (1, 2, 3)
            for some in combinations(names, size)
        }
        for some, number in sets:
            parts = [alone_by[part] for size in range(1, len(some)) for part in combinations(some, size)]
            assert number == len(alone_by[some] - set().union(*parts)), some
    assert len(found.sets_before) > MOST_LISTED, "those of the release are others"
    (rows,) = [
        re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)[1:]
        for table in html_of(evidence).decode().split("<table")
        if "Smallest combinations that leave somebody alone" in table
    ] or [[]]
    assert len(rows) == len(found.sets_before)


def test_parts_left_out_are_stated_and_not_counted() -> None:
    project = opened(visits(40), LeaveOut(2))
    evidence = gather(project, parts=("inference",), on=ON)
    assert evidence.left_out == tuple(part for part in PARTS if part != "inference")
    assert evidence.inferred and not evidence.leaking and evidence.singled_out is None and not evidence.recoding
    assert "by choice" in html_of(evidence).decode()


def test_what_is_accepted_has_its_reason_and_who_says_so() -> None:
    criterion = SmallestClass(30)
    reason = Accepted(criterion, "The recipient has the file anyway.", "A. Officer", "2026-11-20")
    aim = replace(Aim(), criteria=(criterion,), accepted=(reason,))
    (found,) = gather(opened(visits(40), aim=aim), on=ON).criteria
    assert (found.state, found.accepted, found.who, found.when) == (
        "not met", "The recipient has the file anyway.", "A. Officer", "2026-11-20",
    )  # fmt: skip
    met = replace(aim, criteria=(SmallestClass(1),), accepted=(replace(reason, criterion=SmallestClass(1)),))
    (found,) = gather(opened(visits(40), aim=met), on=ON).criteria
    assert found.state == "met" and not found.accepted, "what is met needs no reason"


@pytest.mark.parametrize(
    "roles, steps",
    [
        ({}, ()),
        ({"illness": Role.SENSITIVE}, ()),
        ({"age": Role.QUASI_IDENTIFIER}, (LeaveOut(1000),)),
        (ROLES, (DropColumns(("age", "zip", "sex", "illness", "note")),)),
        (dict.fromkeys(ROLES, Role.IDENTIFIER), ()),
    ],
    ids=["nothing decided", "nothing known", "nobody left", "only identifiers left", "identifiers alone"],
)
def test_a_release_of_which_little_can_be_stated(roles: dict, steps: tuple) -> None:
    evidence = gather(opened(visits(20), *steps, roles=roles), on=ON)
    assert evidence_of(to_json(evidence)) == evidence
    assert "<h1" in html_of(evidence).decode()


def test_rows_that_stand_for_nobody_are_stated(capsys: pytest.CaptureFixture[str]) -> None:
    frame = visits(20).assign(n=[str(i % 4) for i in range(20)])
    evidence = gather(opened(frame, roles={"age": Role.QUASI_IDENTIFIER, "n": Role.WEIGHT}), parts=(), on=ON)
    assert evidence.released is not None and (evidence.released.records, evidence.released.of_nobody) == (15, 5)
    says = "5 rows of count 0 stand for nobody and are left out."
    assert says in html_of(evidence).decode()
    assessment(evidence)
    assert says in capsys.readouterr().out


def test_a_step_that_does_not_fit_is_stated_and_no_file_is_made() -> None:
    evidence = gather(opened(visits(20), Recode("shoe size", Intervals(2))), on=ON)
    assert evidence.released is None and "could not be applied" in evidence.why_no_file
    assert evidence.steps[0].problem and not evidence.steps[0].applied


def test_progress_goes_from_nothing_to_all_and_can_stop_it() -> None:
    shares: list[float] = []
    project = opened(visits(40), LeaveOut(2))
    gather(project, progress=lambda share, what: shares.append(share))
    assert shares == sorted(shares) and shares[0] == 0 and 0.5 < shares[-1] <= 1

    def stop(share: float, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gather(project, progress=stop)


def test_what_cannot_be_used_is_refused_in_a_sentence() -> None:
    project = opened(visits(20))
    with refused("choice-unknown"):
        gather(project, parts=("horoscope",))
    with refused("text-too-long"):
        gather(project, who="x" * 1000)
    with refused("characters-not-writable"):
        gather(project, who="\ud800")


HOSTILE = [
    "", "{", "[]", "{}", '{"format": "anonscope-evidence"}', '{"format": "anonscope-evidence", "version": 1}',
    '{"format": "anonscope-evidence", "version": 2}', '{"format": "anonscope-evidence", "version": 99}',
    '{"format": "anonscope-evidence", "version": []}', "[" * 100_000, "\x00", '{"format": 1e999}',
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_text_that_is_no_evidence_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        evidence_of(text)


def test_doubts_of_ids_come_back_without_what_came_later() -> None:
    data = "\n".join(["patient_id,age", *(f"P{i % 9},30" for i in range(20)), ",30"]).encode()
    roles = {"patient_id": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER}
    project = open_project(Project(roles=roles), LoadedFile.of(data, "a.csv"))
    document = json.loads(to_json(gather(project, parts=(), on=ON)))
    ids = document["tables"][0]["ids"]
    assert ids.pop("beginnings") == 0
    back = evidence_of(json.dumps(document)).tables[0].ids
    assert back is not None and back.without == 1


CAME_LATER = (
    "alone", "several_rows", "values_recoded", "persons_kept", "texts_looked_at", "levels", "may_be_blank", "attacks",
    "case", "pseudonyms", "parts", "spelled", "by_covering", "by_labels", "ids", "left", "learned",
    "measured", "lost", "as_released", "held_beside",
)  # fmt: skip


@pytest.mark.parametrize("version", [1, 2])
def test_evidence_with_one_part_changed_to_another_type_is_refused(version: int) -> None:
    document = json.loads(to_json(gather(opened(visits(10)), parts=(), on=ON)))
    (table,) = document["tables"]
    document = _of_version_1(document) if version == 1 else document

    def parts() -> Iterator[tuple[str, object, Callable[..., str]]]:
        """The name and value of each part, and the text with others in its place."""
        for name, value in document.items():
            rest = {key: each for key, each in document.items() if key != name}
            yield name, value, lambda rest=rest, **other: json.dumps({**rest, **other})
        for name, value in table.items() if version == 2 else ():
            rest = {key: each for key, each in table.items() if key != name}
            yield name, value, lambda rest=rest, **other: json.dumps({**document, "tables": [{**rest, **other}]})

    for name, value, text_with in parts():
        with pytest.raises(InputError):
            evidence_of(text_with(**{name: 5 if isinstance(value, str | list) else "five"}))
        if name in CAME_LATER:  # which evidence that was saved before they came lacks
            assert evidence_of(text_with()).verdict == document["verdict"]
            continue
        with pytest.raises(InputError):
            evidence_of(text_with())


def _of_version_1(document: dict) -> dict:
    """A document of evidence as it was before there were tables in it."""
    (table,) = document["tables"]
    flat = {name: value for name, value in document.items() if name != "tables"}
    return {**flat, **{name: value for name, value in table.items() if name not in ("parts", "spelled")}, "version": 1}


def test_evidence_of_another_number_of_tables_is_refused_and_of_before_they_could_be_opened_is_read() -> None:
    evidence = gather(opened(visits(10)), parts=(), on=ON)
    document = json.loads(to_json(evidence))
    for tables in (5, None, [[]], [None], "one"):
        with pytest.raises(InputError):
            evidence_of(json.dumps({**document, "tables": tables}))
    for n, says in ((2, r"holds 2 tables; this version reads one\. Check"), (0, "holds 0 tables")):
        with pytest.raises(InputError, match=says):
            evidence_of(json.dumps({**document, "tables": document["tables"] * n}))
    assert not document["tables"][0]["file"].pop("by_content")
    assert evidence_of(json.dumps(document)) == evidence


def test_what_concerns_its_table_is_an_attribute_of_the_evidence_too() -> None:
    evidence = gather(opened(visits(20), LeaveOut(2)), parts=(VALUE_TABLES,), on=ON)
    (table,) = evidence.tables
    for each in fields(TableFacts):
        assert getattr(evidence, each.name) is getattr(table, each.name)
    other = evidence.with_table(steps=(), why_no_file="None is wanted.")
    assert (other.steps, other.why_no_file, other.columns) == ((), "None is wanted.", evidence.columns)
    assert other.verdict == evidence.verdict and evidence.steps, "the first is as it was"


CASE = ReleaseCase(title="Falls", purpose="Who falls?\nAnd why?", author="A. Officer", until="2027-11-25")


def test_evidence_has_the_case_and_its_author_where_nobody_else_is_named() -> None:
    project = opened(visits(20), LeaveOut(2), case=CASE)
    evidence = gather(project, parts=(), on=ON)
    assert evidence.case == CASE and evidence.who == "A. Officer"
    assert gather(project, parts=(), on=ON, who=" B. Officer ").who == "B. Officer"
    assert evidence.project == hashlib.sha256(project.project.to_json().encode()).hexdigest()
    text = to_json(evidence)
    assert evidence_of(text) == evidence and json.loads(text)["case"] == CASE.to_dict()
    for damage in (5, None, {"titel": "x"}, {"until": "soon"}):
        with pytest.raises(InputError, match="case"):
            evidence_of(json.dumps({**json.loads(text), "case": damage}))


@pytest.mark.parametrize("who", ["", "B. Officer"])
def test_a_case_that_is_typed_afterwards_gives_the_evidence_that_gathering_again_would(who: str) -> None:
    before = opened(visits(20), LeaveOut(2))
    for case in (CASE, replace(CASE, author="C. Officer"), replace(CASE, author=""), ReleaseCase()):
        after = replace(before, project=replace(before.project, case=case))
        again = gather(after, parts=(), on=ON, who=who)
        assert of_case(gather(before, parts=(), on=ON, who=who), after.project) == again
        assert of_case(again, after.project) == again
        before = after


def test_evidence_is_frozen() -> None:
    evidence = gather(opened(visits(10)), parts=(), on=ON)
    assert isinstance(evidence, Evidence)
    with pytest.raises(AttributeError):
        evidence.verdict = "May leave."  # type: ignore[misc]


def test_what_must_survive_is_in_the_report_and_not_in_one_for_anybody() -> None:
    purposes = (MeanByGroup("age", "sex"), Together("age", "zip"), Together("age", "note"))
    steps = (Recode("age", Intervals(25)), DropColumns(("note",)), LeaveOut(2))
    project = opened(visits(60), *steps, aim=replace(Aim(), purposes=purposes))
    evidence = gather(project, parts=("utility",), on=ON)
    measured = kept(purposes, project.applied.original, project.applied.released)
    assert evidence.utility.purposes == purpose_facts(measured)
    assert [each.share for each in evidence.utility.purposes][2] == 0
    assert evidence_of(to_json(evidence)) == evidence
    for public in (False, True):
        report = unescape(html_of(evidence, public=public).decode())
        assert all((each.title in report) is not public for each in evidence.utility.purposes)
        assert ("records that have both" in report) is not public
    without = gather(replace(project, project=replace(project.project, aim=Aim())), parts=("utility",), on=ON)
    assert "What must survive" not in html_of(without).decode()


def test_the_levels_of_cells_are_in_the_evidence_and_in_a_report_for_those_who_review_it() -> None:
    stays = visits(40)["age"].iloc[0]
    ages = Recode("age", ValueMap(((stays, stays),), otherwise=" ", missing=None))
    found = gather(opened(visits(40), ages), parts=(), on=ON)
    assert evidence_of(to_json(found)).levels == found.levels
    by_column = {each.column: each for each in found.levels}
    parts = {part.name: part.share for part in by_column["age"].parts}
    assert list(parts)[:2] == ["as it was", "blank"] and "age" in found.may_be_blank
    page = html_of(found).decode()
    assert "At which level cells leave" in page and "missing not at random" in page
    page = html_of(found, public=True).decode()
    assert "At which level" not in page and "or was left blank" in page, "which of the two is not for anybody"
