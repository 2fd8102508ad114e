"""Earlier releases of other files: opened as what left, or refused, and held beside a new release."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pandas as pd
import pytest

from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.columns.roles import Role
from anonlib.filing.earlier import held_beside, open_earlier
from anonlib.filing.evidence import evidence_of, gather, released_file, to_json
from anonlib.filing.evidence.report import html_of
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.release.pseudonyms import KeyOfPseudonyms, Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode, Step
from anonlib.verdict.criteria import Aim, EarlierReleases, State
from tests.helpers.errors import refused
from tests.helpers.evidence import as_bytes

ROLES = {"patient": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
TENS = Recode("age", Intervals(10))
KEY = KeyOfPseudonyms(bytes(range(32)))


def month(persons: range, name: str = "march.csv") -> LoadedFile:
    rows = [(f"MRN {i}", str(30 + i % 3), "flu" if i % 2 else "asthma") for i in persons]
    return LoadedFile.of(as_bytes(pd.DataFrame(rows, columns=list(ROLES))), name)


MARCH, APRIL = month(range(12)), month(range(15), "april.csv")


def released(loaded: LoadedFile, *steps: Step, **decided) -> Project:
    """The project that is kept with a release."""
    project = Project(**{"roles": ROLES, "recipe": Recipe.of(steps or [TENS]), "seed": 7, "aim": Aim()} | decided)
    opened = open_project(project, loaded)
    file = released_file(replace(opened, pseudonym_key=KEY))
    return Project.from_json(opened.project.having_released(sha256(file).hexdigest()).to_json())


def in_april(project: Project | None = None) -> Opened:
    return open_project(project or Project(roles=ROLES, recipe=Recipe.of([TENS]), seed=7, aim=Aim("public")), APRIL)


def test_what_left_is_made_again() -> None:
    earlier = open_earlier(released(MARCH), MARCH)
    opened, listed = held_beside(in_april(), [earlier])
    assert opened.beside == (earlier,) and opened.elsewhere == 0 and listed == ()
    (finding,) = [each for each in opened.verdict.findings if isinstance(each.criterion, EarlierReleases)]
    assert "Together with an earlier release" in finding.says and "3 persons are new" in finding.says


def test_the_file_has_to_be_the_one_that_its_project_names() -> None:
    with refused("earlier-of-another-file") as caught:
        open_earlier(released(MARCH), APRIL)
    assert "“april.csv” is not the file" in str(caught.value) and "“march.csv”" in str(caught.value)


def test_a_project_without_a_file_is_taken() -> None:
    assert open_earlier(Project(roles=ROLES, recipe=Recipe.of([TENS])), MARCH).applied.released.n_records == 12


def test_a_recipe_that_cannot_be_applied_is_no_release() -> None:
    emptied = released(MARCH, TENS, Recode("illness", ValueMap.of({"flu": "viral"}, "other")))
    for project in (emptied, replace(released(MARCH), recipe=Recipe.of([Recode("bed", Intervals(10))]))):
        with refused("earlier-not-made-again") as caught:
            open_earlier(project, MARCH)
        assert "cannot be applied to “march.csv”" in str(caught.value)
    unseen = replace(released(MARCH), recipe=Recipe.of([Recode("age", ValueMap.of({"30": "young"}, None))]))
    with pytest.raises(InputError):
        open_earlier(unseen, MARCH)


def test_what_is_made_again_has_to_be_what_left() -> None:
    project = released(MARCH)
    other = replace(project, released={project.recipe.digest: "a" * 64})
    with refused("earlier-not-made-again") as caught:
        open_earlier(other, MARCH)
    assert "is not what left" in str(caught.value)
    assert open_earlier(replace(project, released={}), MARCH).data.name == "march.csv", "nothing is on record"


def test_a_digest_on_record_is_that_of_the_latest_file() -> None:
    """The same recipe released March and April: what is on record says nothing of March."""
    project = released(MARCH)
    april = open_project(project, APRIL).project
    both = april.having_released(sha256(released_file(open_project(april, APRIL))).hexdigest())
    assert Project.from_json(both.to_json()) == both
    assert both.aim.released_of(both.recipe.digest) == (MARCH.digest, APRIL.digest)
    assert open_earlier(replace(both, file=MARCH.as_read), MARCH).data.name == "march.csv"
    assert open_earlier(both, APRIL).data.name == "april.csv"
    with refused("earlier-not-made-again"):
        open_earlier(replace(both, released={both.recipe.digest: "a" * 64}), APRIL)


def test_a_release_of_another_file_by_the_same_recipe_stays_on_record() -> None:
    """Else what is filed of April would have forgotten March."""
    april = in_april(replace(released(MARCH), aim=replace(released(MARCH).aim, recipient="public")))
    assert april.case.earlier_elsewhere == 1
    assert not april.verdict.may_leave
    after = replace(april, project=april.project.having_released("a" * 64))
    assert after.case.earlier_elsewhere == 1 and State.UNKNOWN in [each.state for each in after.verdict.against]


def test_without_the_key_of_its_pseudonyms_it_is_taken() -> None:
    label = Pseudonyms("University of Example", "Sepsis", KEY.id)
    project = released(MARCH, pseudonyms=label)
    wrong = replace(project, released={project.recipe.digest: "a" * 64})
    assert open_earlier(project, MARCH, KEY).why_no_key == ""
    with refused("earlier-not-made-again"):
        open_earlier(wrong, MARCH, KEY)
    assert open_earlier(wrong, MARCH).why_no_key and open_earlier(wrong, MARCH, KeyOfPseudonyms(bytes(32))).why_no_key


def test_the_release_itself_is_no_earlier_one_and_each_is_held_once() -> None:
    opened = in_april()
    march, again, itself = (open_earlier(released(of), of) for of in (MARCH, MARCH, APRIL))
    beside, _ = held_beside(opened, [march, itself, again])
    assert [each.data.name for each in beside.beside] == ["march.csv"]
    other, _ = held_beside(opened, [open_earlier(released(APRIL, Recode("age", Intervals(5))), APRIL)])
    assert len(other.beside) == 1, "the same file by another recipe"


def test_the_evidence_names_what_is_held_beside_and_a_report_for_anybody_does_not() -> None:
    opened, _ = held_beside(in_april(), [open_earlier(released(MARCH), MARCH)])
    evidence = gather(opened, parts=())
    (beside,) = evidence.held_beside
    assert (beside.name, beside.sha256, beside.records) == ("march.csv", MARCH.digest, 12)
    assert evidence_of(to_json(evidence)) == evidence
    assert b"march.csv" in html_of(evidence, "assessment")
    assert b"march.csv" not in html_of(evidence, "assessment", public=True)
