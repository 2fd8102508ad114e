"""Earlier releases on the Verdict page: opened by project and file, counted, let go, and whom to hold back."""

from __future__ import annotations

import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.filing.project import LoadedFile, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import HoldBack, Recode
from anonlib.verdict.criteria import Aim, EarlierReleases, RecordsKept
from tests.helpers.app import DATA, VERDICT, App, loaded

ROLES = {
    "patient": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "ill": Role.SENSITIVE, "cost": Role.OTHER,
}  # fmt: skip
OPEN = "Open an earlier release of another file: its project and its month’s file"
RECIPE = Recipe.of([Recode("age", Intervals(10))])
AIM = Aim(criteria=(RecordsKept(0.5),), measured=())


def csv(*persons: tuple[str, str, str]) -> bytes:
    rows = [f"{name},{age},{ill},{i}" for i, (name, age, ill) in enumerate(persons)]
    return "\n".join(["patient,age,ill,cost", *rows]).encode()


def alike(first: int, n: int, age: str) -> list[tuple[str, str, str]]:
    return [(f"P{i:03}", age, ["flu", "cold"][i % 2]) for i in range(first, first + n)]


MARCH = csv(*alike(0, 12, "33"))
APRIL = csv(*alike(0, 12, "33"), *alike(20, 2, "38"), *alike(30, 11, "41"))


def march_project() -> bytes:
    opened = open_project(Project(roles=ROLES, aim=AIM, recipe=RECIPE), LoadedFile.of(MARCH, "march.csv"))
    return opened.project.to_json().encode()


def april(recipient: str = "contract") -> App:
    app = loaded(APRIL, "april.csv", page=VERDICT)
    app.session.roles, app.session.recipe = ROLES, RECIPE
    app.session.aim = Aim(recipient, (RecordsKept(0.5),), measured=())
    return app.open(VERDICT)


def with_march(recipient: str = "contract") -> App:
    app = april(recipient)
    files = [("march-project.json", march_project(), "application/json"), ("march.csv", MARCH, "text/csv")]
    return app.choose("file_uploader", OPEN, files)


def title(app: App) -> str:
    return next(each.label for each in app.at.expander if each.label.startswith("Earlier releases"))


def test_it_is_counted_with_its_own_months_data() -> None:
    app = with_march()
    assert title(app) == "Earlier releases: 1 release of another file beside this one (measured)"
    assert "A proven leak" in app.text and "2 new, 0 gone" in app.text and "march.csv" in app.text
    assert not app.errors
    app.press("Let go")
    assert title(app) == "Earlier releases: none is held beside this one"


def test_who_is_new_and_could_be_found_is_held_back() -> None:
    app = with_march("public")
    assert title(app).endswith("(not met)")
    assert "hold back 2 of 13 persons who are new; then it is met" in app.text.replace("\\", "")
    app.press("Hold back")
    (step, _) = app.session.recipe.enabled
    assert isinstance(step, HoldBack) and step.rows == (12, 13) and step.persons == 2
    assert title(app).endswith("(met)") and not app.errors


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([("march.csv", MARCH, "text/csv")], "0 projects and 1 file came"),
        ([("p.json", march_project(), "application/json")], "1 project and 0 files came"),
        (
            [("p.json", march_project(), "application/json"), ("april.csv", APRIL, "text/csv")],
            "is not the file of the earlier release",
        ),
    ],
)
def test_what_does_not_belong_together_changes_nothing(files: list, says: str) -> None:
    app = april().choose("file_uploader", OPEN, files)
    assert any(says in each for each in app.errors)
    assert title(app) == "Earlier releases: none is held beside this one"


def test_another_file_lets_them_go() -> None:
    app = with_march()
    app.open(DATA).upload(MARCH, "march.csv")
    assert not app.session.parts or all(not getattr(part, "opened", ()) for part in app.session.parts.values())


def test_its_limits_can_be_changed_which_makes_it_a_criterion_of_the_aim() -> None:
    app = with_march("public")
    app.choose("number_input", "Smallest class with all of them", 2)
    (criterion,) = (each for each in app.session.aim.criteria if isinstance(each, EarlierReleases))
    assert criterion.k == 2 and title(app).endswith("(met)")
