"""Kinds of criterion that nothing but their classes knows, taken through all that looks at criteria.

One limits who is alone by all known columns, which a search can ask; one keeps a word out of the names of columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, ClassVar

import pytest

from anonlib.basics import words
from anonlib.command import main
from anonlib.counting.privacy_models import KAnonymity, PrivacyModel
from anonlib.filing.evidence import evidence_of, gather, script_of, to_json
from anonlib.filing.evidence.report import html_of
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from anonlib.verdict.attacks.attacking import AttackSettings
from anonlib.verdict.attacks.elsewhere import another_file
from anonlib.verdict.criteria import (
    CRITERION_KINDS,
    Accepted,
    Aim,
    Case,
    Criterion,
    Finding,
    Limit,
    Mending,
    State,
    judge,
)
from anonlib.verdict.proposals import Adviser, Asked, Proposal, what_ifs
from anonlib.verdict.proposals.offers import KINDS
from tests.helpers.app import VERDICT, seeded
from tests.helpers.evidence import ROLES, as_bytes, text_of, visits

ON = date(2026, 11, 22)


@dataclass(frozen=True)
class FewAlone(Criterion):
    """At most a share of the persons are alone by all that may be known."""

    most: float = 0.02
    source: str = ""
    kind: ClassVar[str] = "few_alone"
    word: ClassVar[str] = "smallest class"
    page: ClassVar[str] = "Risk"
    counted_in: ClassVar[str] = "of {unit}"
    limits: ClassVar[tuple[Limit, ...]] = (
        Limit("most", "Alone, at most", "share", 0, 1, (0, 0.1), means="share_at_risk"),
    )
    of_any_file: ClassVar[bool] = True

    @property
    def title(self) -> str:
        return "Few alone"

    @property
    def bound(self) -> str:
        return f"at most {words.percent(self.most)}"

    def describe(self, unit: str = "persons") -> str:
        return f"At most {words.percent(self.most)} of the {unit} have all known values to themselves."

    def in_short(self, unit: str) -> str:
        return f"{words.percent(self.most)} of the {unit} alone at most"

    def shown(self, value: float) -> str:
        return words.percent(value)

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        return (KAnonymity(columns=case.known, least=2, share=self.most),) if case.known else ()

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown("Nothing is known.")
        (now,), (before,) = case.violations(self.guarantees(case)), case.violations_before(self.guarantees(case))
        assert now is not None and before is not None
        says = f"{words.share(now.records, now.n_records, case.unit)} have all known values to themselves."
        return self.found(
            now.is_met, says, now=now.share, original=before.share, persons=now.records, n_persons=now.n_records
        )


@dataclass(frozen=True)
class NoColumnCalled(Criterion):
    """No column leaves whose name has a word in it: without a limit, and no search takes part."""

    contains: str = "note"
    source: str = "A rule of the house."
    kind: ClassVar[str] = "no_column_called"
    word: ClassVar[str] = "no identifiers"
    page: ClassVar[str] = "Data"
    by_column: ClassVar[bool] = True
    mending: ClassVar[Mending] = Mending("drop", "Takes the notes out.", "There are notes in {columns}. Drop them?")

    @property
    def title(self) -> str:
        return "No notes"

    @property
    def bound(self) -> str:
        return "none"

    def describe(self, unit: str = "persons") -> str:
        return f"No column whose name has “{self.contains}” in it leaves."

    def check(self, case: Case) -> Finding:
        columns = tuple(name for name in case.released.columns if self.contains in name)
        return self.found(not columns, f"{words.count(len(columns), 'columns')} of notes leave.", columns=columns)


OWN = {kind.kind: kind for kind in (FewAlone, NoColumnCalled)}
for _kind in OWN:
    del CRITERION_KINDS[_kind]  # of other tests there are no such criteria

ALONE, NOTES = FewAlone(0.01, "the ethics committee"), NoColumnCalled()
FILE = as_bytes(visits(120))


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The kinds, as long as a test lasts."""
    for name, kind in OWN.items():
        monkeypatch.setitem(CRITERION_KINDS, name, kind)
    yield


def opened_with(*criteria: Criterion, recipe: Recipe | None = None, **aim: Any) -> Opened:
    """The file, of which these are asked."""
    project = Project(roles=ROLES, recipe=recipe or Recipe(), k=3, seed=7, aim=Aim("own", criteria, **aim))
    return open_project(replace(project, missing="category"), LoadedFile.of(FILE, "visits.csv"))


@pytest.fixture(scope="module")
def first() -> Opened:
    """The file as it is, which meets neither; the notes may stay."""
    return opened_with(ALONE, NOTES, accepted=(Accepted(NOTES, "they name nobody", columns=("note",)),))


def adviser_of(opened: Opened, *criteria: Criterion) -> Adviser:
    return Adviser(Asked.of(opened.data, opened.project.aim, {}, criteria or None, opened.data))


@pytest.mark.parametrize("lacking", ["kind", "word", "page", "source", "title", "bound", "describe", "check"])
def test_what_a_kind_does_not_say_is_an_error(lacking: str) -> None:
    members = {
        name: value for name, value in vars(FewAlone).items() if name in (*Criterion.__abstractmethods__, "word")
    }
    members |= {"kind": "another", "page": "Risk", "source": ""}
    with pytest.raises(TypeError, match=f"does not say: {lacking}"):
        type("Another", (Criterion,), {name: value for name, value in members.items() if name != lacking})


def test_they_are_saved_and_read_with_their_acceptance(first: Opened) -> None:
    aim = Project.from_json(first.project.to_json()).aim
    assert aim == first.project.aim and aim.criteria == (ALONE, NOTES)
    assert aim.replacing(ALONE, None).criteria == (NOTES,) and aim.is_changed(ALONE)


def test_the_verdict_finds_what_they_find(first: Opened) -> None:
    alone, notes = first.verdict.findings
    assert (alone.state, notes.state, notes.columns) == (State.NOT_MET, State.NOT_MET, ("note",))
    assert alone.persons > 0.01 * alone.n_persons and first.verdict.against == (alone,)
    without = opened_with(NOTES, recipe=Recipe.of([DropColumns(("note",))]))
    assert without.verdict.may_leave
    measured = judge(first.case, (NOTES,), recipient="own", measured=(ALONE,)).measured
    assert [finding.state for finding in measured] == [State.MEASURED]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.title)
def test_every_search_meets_the_one_and_passes_over_the_other(first: Opened, kind) -> None:
    adviser = adviser_of(first)
    assert [criterion for criterion, _ in adviser.searched] == [ALONE]
    proposal = kind.search(adviser)
    assert isinstance(proposal, Proposal) and proposal.steps
    taken = opened_with(ALONE, recipe=proposal.taken(Recipe(), first.data))
    assert taken.verdict.may_leave


def test_its_limit_has_a_price_and_is_eased(first: Opened) -> None:
    (cost,) = adviser_of(first).marginal_costs()
    assert cost.criterion == ALONE and cost.cost == cost.alone and cost.cost > 0
    fixed = replace(first.project.aim, fixed=("age", "zip", "sex"))
    adviser = Adviser(Asked.of(first.data, fixed, {}, (ALONE,), first.data))
    eased = [what_if for what_if in what_ifs(adviser).ways if what_if.new is not None and what_if.old == ALONE]
    (what_if,) = eased
    assert what_if.new is not None and what_if.says == what_if.new.in_short("records")
    assert 0.01 < (what_if.new.limit_on("share_at_risk") or 0) < 1 and what_if.new.source == ALONE.source


def test_one_is_asked_of_a_file_made_elsewhere(first: Opened) -> None:
    attacker = AttackSettings(("age", "zip", "sex"), sensitive=("illness",), tries=5)
    criteria = first.project.aim.criteria
    assert [each.criterion for each in another_file(first.data, first.data, attacker, criteria).findings] == [ALONE]


def test_evidence_and_both_reports_name_them(first: Opened) -> None:
    evidence = gather(first, parts=(), on=ON)
    assert [each.title for each in evidence.criteria] == ["Few alone", "No notes"]
    assert evidence_of(to_json(evidence)) == evidence
    inside, outside = (text_of(html_of(evidence, public=public)) for public in (False, True))
    for text in (inside, outside):
        assert "Few alone" in text and "No notes" in text
    assert all(finding.says in inside for finding in first.verdict.findings) and "they name nobody" in inside


def test_the_script_makes_the_release_again(first: Opened, tmp_path: Path, monkeypatch, capsys) -> None:
    (tmp_path / "visits.csv").write_bytes(FILE)
    monkeypatch.chdir(tmp_path)
    lets_out = open_project(
        replace(first.project, aim=replace(first.project.aim, leaves_anyway="Agreed with the recipient.")),
        LoadedFile.of(FILE, "visits.csv"),
    )
    script: dict[str, Any] = {"__name__": "again"}
    exec(compile(script_of(lets_out, gather(lets_out, parts=(), on=ON)), "again.py", "exec"), script)
    script["main"]("visits.csv")
    assert "the same, byte by byte" in capsys.readouterr().out


def test_the_command_line_assesses_and_advises(first: Opened, tmp_path: Path, monkeypatch, capsys) -> None:
    (tmp_path / "visits.csv").write_bytes(FILE)
    (tmp_path / "asked.json").write_text(first.project.to_json(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(("assess", "visits.csv", "--project", "asked.json", "--quiet")) == 3
    assessed = capsys.readouterr().out
    assert "Few alone" in assessed and first.verdict.findings[0].says in assessed
    advise = ("advise", "visits.csv", "--project", "asked.json", "--out", "does.json", "--quiet", "--effort", "1")
    assert main(advise) == 0
    assert main(("assess", "visits.csv", "--project", "does.json", "--quiet")) == 0


def test_the_verdict_page_shows_limits_and_mends_them(first: Opened) -> None:
    app = seeded(FILE, page=VERDICT, roles=ROLES, aim=replace(first.project.aim, accepted=()), k=3)
    rows = [row.label for row in app.at.expander]
    assert any("Not met · Few alone" in row for row in rows) and any("Not met · No notes" in row for row in rows)
    assert "There are notes in" in app.text
    offered = app.widget("selectbox", "Another criterion").options
    assert offered[-2:] == ["Few alone", "No notes"]
    app.choose("number_input", "Alone, at most, in %", 3.0)
    assert app.session.aim.criteria == (replace(ALONE, most=0.03), NOTES)
    while app.has_button("Mend"):
        app.press("Mend")
    assert app.session.recipe.dropped == {"note"} and app.session.recipe.recoded
    assert all("Met" in row.label for row in app.at.expander if "Few alone" in row.label or "No notes" in row.label)
