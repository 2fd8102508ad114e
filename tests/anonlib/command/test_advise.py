"""``advise`` lists what would do, best first, in the ways that are allowed; what is taken is what was judged."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from anonlib.command import main
from anonlib.filing.project import LoadedFile, Project, open_project
from anonlib.release.detail import detail_lost
from anonlib.release.left import columns_left
from anonlib.release.levels import levels_of
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import WAYS
from anonlib.verdict.proposals import Adviser, Asked
from anonlib.verdict.proposals.offers import AT_ONCE, Cost, Offers, best_first, kinds_of, with_another

ROOT = Path(__file__).resolve().parents[3]
ASKED = """
recipient = "own"
seed = "7"
[roles]
age = "quasi_identifier"
sex = "quasi_identifier"
ward = "quasi_identifier"
illness = "sensitive"
[[criteria]]
kind = "smallest_class"
k = 4
[[criteria]]
kind = "records_kept"
least = 0.95
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = [f"{20 + 7 * i % 40},{'fm'[i % 2]},{'ABC'[i % 3]},{['flu', 'gout', 'cold'][i * i % 3]}" for i in range(90)]
    (tmp_path / "visits.csv").write_text("age,sex,ward,illness\n" + "\n".join(rows) + "\n")
    (tmp_path / "asked.toml").write_text(ASKED)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def advised(capsys, *options: str) -> tuple[int, dict]:
    command = ["advise", "visits.csv", "--project", "asked.toml", "--out", "does.json", "--overwrite", "--quiet"]
    status = main([*command, "--json", "--effort", "1", *options])
    return status, json.loads(capsys.readouterr().out)


def test_it_lists_what_the_library_offers_best_first_and_writes_the_best(folder, capsys):
    status, document = advised(capsys)
    opened = open_project(Project.from_json((folder / "does.json").read_bytes()), LoadedFile.of(
        (folder / "visits.csv").read_bytes(), "visits.csv"))  # fmt: skip
    offers = Offers()
    adviser = Adviser(Asked.of(opened.data, opened.project.aim, {}, original=opened.data))
    for kind in kinds_of(WAYS):
        offers = with_another(offers, kind, adviser, AT_ONCE)
    costs = {}
    for offer in offers.offers:
        recipe = offer.proposal.taken(Recipe(), opened.data)
        applied = recipe.apply(opened.data)
        lost = detail_lost(applied, levels_of(applied, recipe))
        assert lost is not None
        costs[offer.title] = Cost(columns_left(applied).n_gone, lost.share)
    in_order = best_first(offers, {}, costs)
    expected = [(each.title, pytest.approx(costs[each.title].lost), each.proposal.left_out) for each in in_order]
    listed = document["proposals"]
    assert status == 0 and [(each["kind"], each["detail_lost"], each["left_out"]) for each in listed] == expected
    assert document["detail_lost"] == listed[0]["detail_lost"] and document["taken"] == 1
    assert all({"against", "columns_left_out", "proven", "ended_early", "verdict"} <= set(each) for each in listed)
    assert opened.verdict.may_leave


def test_another_one_is_taken_and_ways_are_restricted(folder, capsys):
    _, every = advised(capsys)
    _, second = advised(capsys, "--take", "2")
    assert second["taken"] == 2 and second["kind"] == every["proposals"][1]["kind"]
    _, whole = advised(capsys, "--ways", "whole")
    assert {each["kind"] for each in whole["proposals"]} <= {each["kind"] for each in every["proposals"]}
    assert all("Same coarseness" in each["kind"] for each in whole["proposals"])
    (folder / "asked.toml").write_text('ways = ["whole"]\n' + ASKED)
    assert advised(capsys)[1]["proposals"] == whole["proposals"], "the project's own ways"
    for options, sentence in ((("--take", "9"), "Take one from 1 to"), (("--ways", "half"), "whole, blanks, parts"),
                          (("--take", "0"), "counted from 1"), (("--effort", "0"), "above 0")):  # fmt: skip
        assert main(["advise", "visits.csv", "--project", "asked.toml", "--out", "x.json", *options]) == 2
        assert sentence in capsys.readouterr().err and not (folder / "x.json").exists()


def test_what_a_clock_ended_is_marked(folder, capsys):
    """Where it ended anything: small searches come to their end before they look at a clock."""
    _, document = advised(capsys, "--seconds", "1e-9")
    early = [each for each in document["proposals"] if each["ended_early"]]
    assert early and not any(each["proven"] for each in early)
    number = 1 + document["proposals"].index(early[0])
    advised(capsys, "--seconds", "1e-9", "--take", str(number))
    assert "ended early" in (folder / "does.json").read_text()
    assert main(["advise", "visits.csv", "--project", "asked.toml", "--out", "x.json", "--seconds", "1e-9"]) == 0
    assert "another machine may find another" in capsys.readouterr().out


def test_a_release_leaves_in_several_formats_with_the_same_rows_in_the_same_order(folder, capsys):
    advised(capsys)
    command = ["release", "visits.csv", "--project", "does.json", "--out", "july", "--quiet"]
    formats = [option for kind in ("csv", "parquet", "xlsx", "csv") for option in ("--format", kind)]
    assert main([*command, *formats]) == 0
    leaves = folder / "july" / "leaves"
    assert {each.name for each in leaves.iterdir()} == {
        "visits-released.csv", "visits-released.parquet", "visits-released.xlsx", "visits-codebook.xlsx",
    }  # fmt: skip
    as_csv = pd.read_csv(leaves / "visits-released.csv", dtype=str, keep_default_na=False)
    parquet = pd.read_parquet(leaves / "visits-released.parquet").astype(object)
    excel = pd.read_excel(leaves / "visits-released.xlsx", dtype=str, keep_default_na=False)
    assert as_csv.to_numpy().tolist() == excel.to_numpy().tolist() == parquet.fillna("").astype(str).to_numpy().tolist()
    evidence = str(folder / "july" / "stays" / "visits-evidence.json")
    for ending in ("csv", "parquet", "xlsx"):
        assert main(["verify", str(leaves / f"visits-released.{ending}"), "--evidence", evidence, "--quiet"]) == 0
    capsys.readouterr()


def test_the_documented_project_holds_the_whole_question(tmp_path, monkeypatch, capsys):
    """The complete example of docs/automation.md, on a file of its columns."""
    text = (ROOT / "docs" / "automation.md").read_text(encoding="utf-8")
    example = next(
        block for block in re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL) if "[[accepted]]" in block
    )
    rows = [f"{20 + i % 50};{'fm'[i % 2]};{i % 7};{'abc'[i % 3]};{'xy'[i % 2]}" for i in range(120)]
    (tmp_path / "visits.csv").write_text("age;sex;batch;diagnosis;insurance\n" + "\n".join(rows) + "\n")
    (tmp_path / "asked.toml").write_text(example)
    monkeypatch.chdir(tmp_path)
    command = ["advise", "visits.csv", "--project", "asked.toml", "--out", "does.json", "--json", "--quiet"]
    assert main([*command, "--effort", "1"]) in (0, 3)
    listed = json.loads(capsys.readouterr().out)["proposals"]
    assert listed and not any(each["kind"] == "Single cells blank" for each in listed), "it allows none"
    aim = Project.from_json((tmp_path / "does.json").read_bytes()).aim
    assert aim.ways == ("whole columns", "part by part") and aim.coarsenable == ("diagnosis",)
    assert aim.accepted[0].when == "2026-11-28" and aim.purposes and aim.weights
