"""The formats that the Release page offers, and the codebook, without a browser."""

from __future__ import annotations

import io
import zipfile

import pyreadstat
import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.filing.languages.report import translated_codebook
from anonlib.reading.sources import open_source
from anonlib.release.codebook import codebook
from anonlib.release.export import draws_for, released_csv
from anonlib.release.files import FORMATS
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from tests.helpers.app import RELEASE, App, dataset_of, seeded
from ui.kit import page


def released_csv_of(app: App) -> bytes:
    released = app.session.recipe.apply(dataset_of(app)).released
    return released_csv(released, draws_for(released, app.session.project.lot("release")))


@pytest.fixture
def offered(monkeypatch) -> dict[str, tuple]:
    """What makes the file of a download, its name, and what else is said of it: by its label."""
    shown, download = {}, page.download

    def noted(label, make, name, *others, **how) -> None:
        shown[label] = make, name, how
        download(label, make, name, *others, **how)

    monkeypatch.setattr(page, "download", noted)
    return shown


@pytest.mark.parametrize("kind", FORMATS)
def test_the_release_is_taken_home_in_the_format_chosen(kind, file, offered):
    recipe = Recipe.of([Recode("age", Intervals(10)), LeaveOut(2)])
    app = seeded(file, page=RELEASE, recipe=recipe).leave_anyway()
    assert not app.choose("selectbox", "Format of the release", kind).errors
    make, name, how = offered[f"Released {kind}"]
    assert name == f"visits-released.{FORMATS[kind].ending}" and not how["why_not"] and how["primary"]
    released = open_source(make(), name).frame
    csv = open_source(released_csv_of(app), "a.csv").frame
    ages = released["age"].astype(str)
    if kind in ("SPSS", "Stata"):  # codes with value labels
        read = pyreadstat.read_sav if kind == "SPSS" else pyreadstat.read_dta
        _, about = read(io.BytesIO(make()))
        ages = ages.map({f"{code:g}": label for code, label in about.variable_value_labels["age"].items()})
    assert len(released) == len(csv) and list(ages) == list(csv["age"].astype(str))


def test_what_leaves_and_what_stays_go_home_in_two_folders(file, offered):
    app = seeded(file, page=RELEASE, recipe=Recipe.of([Recode("age", Intervals(10)), LeaveOut(2)]))
    assert app.download("All of these (zip)").proto.disabled, "as long as the verdict is against the release"
    app.leave_anyway()
    assert not app.choose("selectbox", "Format of the release", "Parquet").errors
    make, name, how = offered["All of these (zip)"]
    assert name == "visits-release.zip" and not how["why_not"] and "for you alone" in how["help"]
    with zipfile.ZipFile(io.BytesIO(make())) as archive:
        members = {member.filename: member.external_attr >> 16 & 0o777 for member in archive.infolist()}
        for label in ("Released Parquet", "Codebook", "Value mapping", "Save recipe"):
            folder = "leaves" if label in ("Released Parquet", "Codebook") else "stays"
            assert archive.read(f"{folder}/{offered[label][1]}") == offered[label][0]()
    assert members == {
        "leaves/": 0o755, "leaves/visits-released.parquet": 0o644, "leaves/visits-codebook.xlsx": 0o644,
        "stays/": 0o700, "stays/visits-values.csv": 0o600, "stays/visits-recipe.json": 0o600,
    }  # fmt: skip


def test_a_format_that_cannot_hold_the_release_says_why_instead(file):
    longer = file.replace(b"ok\n", b"x" * 40_000 + b"\n", 1)
    app = seeded(longer, page=RELEASE).leave_anyway()
    app.choose("selectbox", "Format of the release", "Excel")
    download = app.download("Released Excel").proto
    assert download.disabled and "longer than a cell of Excel" in download.help
    app.choose("selectbox", "Format of the release", "Parquet")
    assert not app.download("Released Parquet").proto.disabled


def test_the_codebook_goes_home_as_the_library_makes_it(file, offered):
    recipe = Recipe.of([Recode("age", Intervals(10))])
    app = seeded(file, page=RELEASE, recipe=recipe)
    assert app.download("Codebook").proto.disabled, "as long as the verdict is against the release"
    app.leave_anyway()
    make, name, _ = offered["Codebook"]
    assert name == "visits-codebook.xlsx"
    assert make() == codebook(recipe.apply(dataset_of(app)).released, recipe).to_excel()
    app.put(report_language="de").run()
    make, name, _ = offered["Codebook (Deutsch)"]
    assert name == "visits-codebook-de.xlsx"
    assert make() == translated_codebook(codebook(recipe.apply(dataset_of(app)).released, recipe), "de")[0].to_excel()
