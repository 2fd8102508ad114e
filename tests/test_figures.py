"""One number, one meaning: a case is taken through pages, report, evidence and command line, name by name.

Every figure is read where it is shown. Its name is looked for among those of ``anonlib.basics.figures``; its value is
compared with all others of that name, of original and release, and some with what plain code counts in the bytes.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from anonlib.basics import figures
from anonlib.basics.figures import NamedFigure
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.columns.roles import Role
from anonlib.command import main
from anonlib.filing.evidence import evidence_of, gather, released_file, to_json
from anonlib.filing.evidence.report import html_of
from anonlib.filing.project import LoadedFile, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from anonlib.verdict.criteria import Aim, DetailKept, Inference, RecordsKept, SmallestClass
from tests.helpers.app import DATA, INDIVIDUALS, RELEASE, RISK, VERDICT, App, in_full, seeded

KNOWN = re.compile(
    "|".join(
        re.escape(each.name).replace(r"\{Unit\}", "(Records|Persons)").replace(r"\{k\}", "[0-9]+")
        + "(, values known|, with (one|the|all) .+)?"
        for each in vars(figures).values()
        if isinstance(each, NamedFigure)
    ),
    re.IGNORECASE,
)
CERTAIN = re.compile(r"(.+) (certain from (?:2|all) quasi-identifiers(?:, with .+)?)")
ROLES = {
    "name": Role.IDENTIFIER, "age": Role.QUASI_IDENTIFIER, "sex": Role.QUASI_IDENTIFIER, "ward": Role.QUASI_IDENTIFIER,
    "ill": Role.SENSITIVE, "visit": Role.OTHER,
}  # fmt: skip
RECIPE = Recipe.of([Recode("age", Intervals(20)), LeaveOut(3)])
CRITERIA = (SmallestClass(4), Inference(known=2, most=0.9), RecordsKept(0.1), DetailKept(0.1))
AIM = replace(Aim(), criteria=CRITERIA).with_harmless("ill", ["none"])


def file_of(rows_a_person: int) -> bytes:
    """A file with missing values, a value that harms nobody, and persons of up to so many rows."""
    rng = random.Random(11)
    lines = ["name,age,sex,ward,ill,visit"]
    for i in range(60 // rows_a_person):
        age, sex = str(rng.randrange(20, 60)) if rng.random() > 0.1 else "", rng.choice("fm")
        for _ in range(rng.randint(1, rows_a_person)):
            ward = rng.choice(["a", "b", ""]) if rows_a_person == 1 else rng.choice("ab")
            ill = rng.choice(["flu", "none"]) if ward == "a" else "none"
            lines.append(f"person {i},{age},{sex},{ward},{ill},{rng.randrange(9) or ''}")
    return ("\n".join(lines) + "\n").encode()


@dataclass
class Shown:
    """What is shown: by name, and original or release, each value with the place where it stands."""

    values: dict[tuple[str, str], dict[str, set[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(set))
    )

    def take(self, place: str, name: str, value: object, which: str = "release") -> None:
        of_column = CERTAIN.fullmatch(name)
        text = plain(value)
        if text and (of_column or KNOWN.fullmatch(name)):
            self.values[name.lower(), which][text].add(place)

    def change(self, place: str, name: str, value: str) -> None:
        """A figure as “before → now”, or alone where both are the same; what is kept is of the release alone."""
        before, _, now = value.rpartition(" → ")
        self.take(place, name, now)
        if before or not name.lower().endswith("kept"):
            self.take(place, name, before or now, "original")


def plain(value: object) -> str:
    """A value without what stands around it: of “12% (6 of 50 records)” the count, of “5 persons” the number."""
    text = re.sub(r"[*\\]|:\w+(?=\[)|:material/\w+:|[\[\]]", "", str(value)).strip().rstrip(".")
    text = re.sub(r"^([\d,]+) (?:record|person)s?$", r"\1", text)
    counted = re.search(r"\(([\d,]+) of", text)
    if re.fullmatch(r"[\d.]+", text):
        return f"{float(text):g}"
    return "" if text in ("nan", "None", "<NA>", "–", "—") else counted[1] if counted else text


# ---- where figures are shown -----------------------------------------------------------------------------------------


def of_pages(shown: Shown, app: App) -> None:
    for page, key, tabs in (
        (DATA, "", ("",)), (VERDICT, "verdict-tabs", ("",)), (RISK, "risk-tabs", ("Sensitive values",)),
        (RELEASE, "release-tabs", ("Original and release", "What it is still good for")),
    ):  # fmt: skip
        for tab in tabs:
            app.open(page, (key, tab) if tab else None)
            _of_page(shown, app, f"{page} {tab}".strip())
    table = app.open(INDIVIDUALS, ("individuals-tabs", "Columns")).table("Certain")
    of_two = [name for name in table.columns if name.startswith(figures.CERTAIN_FROM_TWO.name)]
    for row in table.to_dict("records"):
        for name in of_two:
            shown.take("individuals", f"{row['Column']} {name}", row[name])


def _of_page(shown: Shown, app: App, place: str) -> None:
    for metric in app.at.metric if place != VERDICT else ():  # there they are of proposals, each another release
        if place == DATA:
            shown.take(place, metric.label, metric.value, "original")
        else:
            shown.change(place, metric.label, metric.value)
    for line in map(in_full, app.sidebar_lines):
        name, _, value = line.partition(": ")
        shown.change(f"{place} sidebar", plain(name), plain(value))
    for table in [*app.at.dataframe, *app.at.data_editor]:
        frame = table.value
        first = frame.columns[0]
        for row in frame.to_dict("records"):
            subject = str(row[first])
            for name, value in row.items():
                _of_table(shown, f"{place} table", str(name), subject, value)


def _of_table(shown: Shown, place: str, name: str, subject: str, value: object) -> None:
    """A cell of a table, whose row is of original, release or one column."""
    of_version = {"Original": "original", "Release": "release", "Recipe now": "release"}
    certain = re.fullmatch(r"(?:Records|Persons) (certain from .* quasi-identifiers.*)", name)
    if subject in of_version:
        shown.take(place, name, value, of_version[subject])
    elif certain:
        shown.take(place, f"{subject} {certain[1]}", value)
    elif subject in ROLES and KNOWN.fullmatch(name):
        which = "original" if name == figures.VALUES.name else "release"
        shown.values[f"{name} of {subject}".lower(), which][plain(value)].add(place)


class Tables(HTMLParser):
    """The tables of a page of HTML, as rows of texts."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.tables[-1][-1][-1] += data


def of_report(shown: Shown, html: bytes) -> None:
    found = Tables()
    found.feed(html.decode())
    for header, *rows in (table for table in found.tables if table):
        for row in rows:
            cells = dict(zip(header, row, strict=False))
            if header[1:3] == ["Original", "Release"] and header[0] == "What is counted":
                shown.take("report", row[0], row[1], "original")
                shown.take("report", row[0], row[2])
            elif header[0] == "Measure":
                shown.take("report", row[0], row[1].rpartition(" → ")[2])
            elif header[:2] == ["Sensitive column", "Quasi-identifiers known"]:
                known = {"at most 2": "2", "all": "all"}.get(row[1])
                if known:
                    name = f"{row[0]} certain from {known} quasi-identifiers{by_rows(html.decode())}"
                    shown.take("report", name, row[2], "original")
                    shown.take("report", name, row[3])
            else:
                for name, value in cells.items():
                    now = value.rpartition(" → ")[2] if header[0] == "Sensitive column" else value
                    _of_table(shown, "report", name, row[0].strip("“”"), now)


def by_rows(html: str) -> str:
    """What a report says is taken to be known of rows, for what is certain."""
    found = re.search(r"Counted with ([\w ]+), whichever reveals most", html)
    return f", with {found[1]}" if found else ""


def of_evidence(shown: Shown, text: str) -> None:
    """What is filed, by the names that it has there."""
    document = json.loads(text)
    unit, by_values = document["unit"].capitalize(), ", values known" if document["several_rows"] else ""
    for which, found in (("original", document["before"]), ("release", document["after"])):
        for name, value in (
            ("k, the smallest class", found["k"]), (f"{unit} alone", found["unique"]),
            (f"{unit} below k = {document['k']}", found["below_k"]),
            ("Highest risk (prosecutor)", percent(found["attackers"][0]["highest"])),
            ("Average risk (marketer)", percent(found["attackers"][-1]["average"])),
        ):  # fmt: skip
            shown.take("evidence", name + by_values, value, which)
    (table,) = document["tables"]
    shown.take("evidence", "Rows kept", percent(table["records_kept"]))
    shown.take("evidence", "Entropy kept", percent(table["information_kept"]))
    if document["persons_kept"] is not None:
        shown.take("evidence", "Persons kept", percent(document["persons_kept"]))
    for each in document["inferred"]:
        known = {2: "2", None: "all"}.get(each["known"])
        if known:
            for which, value in (("original", each["before"]), ("release", each["after"])):
                by = f", with {each['by']}" if each["by"] else ""
                shown.take("evidence", f"{each['column']} certain from {known} quasi-identifiers{by}", value, which)
    for each in table["columns"]:
        name = f"values without missing of {each['name']}"
        shown.values[name, "original"][str(each["values_before"])].add("evidence")
    for each in document["criteria"]:
        shown.take("evidence, criterion", each["title"], each["now"])


def of_terminal(shown: Shown, lines: Iterable[str]) -> None:
    which, columns = "", []
    for line in lines:
        if re.match(r"(Original|Release): ", line):
            which = line.partition(":")[0].lower()
        elif line.startswith("  column "):
            columns = re.split(r"  +", line.strip())
        elif columns and line.startswith("  "):
            cells = re.split(r"  +", line.strip())
            shown.values[f"{columns[2]} of {cells[0]}", "original"][cells[2]].add("terminal")
        else:
            columns = []
        for part in re.split(r"; ", line.strip().rstrip(".")):
            name, _, value = part.partition(": ")
            shown.take("terminal", name, value.split(", in ")[0], which or "release")


def percent(share: float) -> str:
    """Three digits, as everywhere."""
    return "100%" if share == 1 else ">99.9%" if share >= 0.9995 else f"{100 * share:.3g}%"


# ---- the two cases ---------------------------------------------------------------------------------------------------


@pytest.fixture(params=[1, 4], ids=["a row a person", "several rows a person"])
def case(request: pytest.FixtureRequest) -> tuple[bytes, Project]:
    roles = ROLES | ({"name": Role.PERSON_ID} if request.param > 1 else {})
    return file_of(request.param), Project(roles=roles, recipe=RECIPE, aim=AIM, seed=7)


def test_a_figure_of_one_name_has_one_value(
    case: tuple[bytes, Project], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, project = case
    opened = open_project(project, LoadedFile.of(data, "visits.csv"))
    evidence = gather(opened)
    shown = Shown()
    app = seeded(data, page=DATA, roles=project.roles, recipe=RECIPE, aim=AIM, k=5)
    of_pages(shown, app)
    of_report(shown, html_of(evidence))
    of_evidence(shown, _as_text(evidence))
    (tmp_path / "visits.csv").write_bytes(data)
    (tmp_path / "project.json").write_text(project.to_json(), encoding="utf-8")
    for command in (["inspect"], ["assess", "--project", str(tmp_path / "project.json"), "--quiet"]):
        main([command[0], str(tmp_path / "visits.csv"), *command[1:]])
        out = capsys.readouterr().out
        of_terminal(shown, out.split("\nIf ")[0].splitlines())  # what is told of suggested roles is another case

    differing = {name: dict(values) for name, values in shown.values.items() if len(values) > 1}
    assert not differing, "\n".join(f"{name}: {values}" for name, values in differing.items())
    _are_seen_everywhere(shown, project)
    _are_what_is_in_the_bytes(shown, data, released_file(opened), project)


def _as_text(evidence: object) -> str:
    text = to_json(evidence)  # type: ignore[arg-type]
    assert evidence_of(text) == evidence
    return text


def _are_seen_everywhere(shown: Shown, project: Project) -> None:
    """The test is about something: each of these names is met on a page, in the report, in evidence and so on."""
    several = Role.PERSON_ID in project.roles.values()
    by, unit = (", values known", "persons") if several else ("", "records")
    asked = ", with one visit known or the values of each column known" if several else ""
    surfaces = {
        f"k, the smallest class{by}": {"page", "report", "evidence", "terminal"},
        f"{unit} alone{by}": {"page", "report", "evidence", "terminal"},
        f"{unit} below k = 4{by}": {"page", "report", "evidence"},
        f"highest risk (prosecutor){by}": {"page", "report", "evidence"},
        f"average risk (marketer){by}": {"page", "report", "evidence"},
        f"highest risk (prosecutor){asked}": {"sidebar"},
        "rows kept": {"page", "sidebar", "report", "evidence", "terminal"},
        "entropy kept": {"page", "report", "evidence", "criterion", "terminal"},
        "cells kept": {"page", "report"},
        f"ill certain from 2 quasi-identifiers{asked}": {"sidebar", "individuals", "report", "evidence"},
        f"ill certain from all quasi-identifiers{asked}": {"page", "report", "evidence"},
        "distinct l of ill": {"page", "report"},
        "values without missing of age": {"page", "report", "evidence", "terminal"},
    } | ({"persons kept": {"page", "sidebar", "report", "evidence", "terminal"}} if several else {})
    for name, expected in surfaces.items():
        of_name = [values for (found, _), values in shown.values.items() if found == name]
        places = " ".join(place for values in of_name for found in values.values() for place in found)
        assert not [each for each in expected if each not in places], (name, places)


def _rows(data: bytes) -> Iterator[dict[str, str]]:
    return csv.DictReader(io.StringIO(data.decode()))


def _are_what_is_in_the_bytes(shown: Shown, data: bytes, released: bytes, project: Project) -> None:
    """What is kept, and how many values there are, counted by hand in the file and in the one that leaves."""
    before, after = list(_rows(data)), list(_rows(released))

    def of(name: str, which: str = "release") -> str:
        (value,) = shown.values[name, which]
        return value

    assert len(after) < len(before) and of("rows kept") == percent(len(after) / len(before))
    for column in ("age", "ward", "ill"):
        assert of(f"values without missing of {column}", "original") == str(len({row[column] for row in before} - {""}))
    if Role.PERSON_ID in project.roles.values():
        share = len({row["name"] for row in after}) / len({row["name"] for row in before})
        assert of("persons kept") == percent(share) != of("rows kept")


def test_release_is_compared_with_the_k_that_its_recipient_asks_for() -> None:
    app = seeded(file_of(1), page=RELEASE, roles=ROLES, aim=Aim.for_recipient("public"), k=5)
    labels = [metric.label for metric in app.at.metric]
    assert "Records below k = 11" in labels and "Records below k = 5" not in labels
    project = Project(roles=ROLES, aim=Aim.for_recipient("public"), k=5, seed=7)
    evidence = gather(open_project(project, LoadedFile.of(file_of(1), "visits.csv")), parts=())
    assert (evidence.k, evidence.threshold) == (11, 1 / 11)
    assert Aim.for_recipient("safe_harbor").k == 5 and replace(Aim(), criteria=(SmallestClass(7),)).k == 7


def test_values_that_a_step_changes_are_counted_without_what_is_missing() -> None:
    recipe = Recipe.of([Recode("ward", ValueMap((("a", "*"), ("b", "*")), missing="*"))])
    app = seeded(file_of(1), page=RELEASE, roles=ROLES, aim=AIM, recipe=recipe)
    assert "60 cells of 2 values and missing ones changed" in app.text


@pytest.mark.parametrize("rows_a_person", [1, 3])
def test_tables_of_columns_say_how_many_values_these_have_without_what_is_missing(rows_a_person: int) -> None:
    data = file_of(rows_a_person)
    roles = ROLES | ({"name": Role.PERSON_ID} if rows_a_person > 1 else {})
    app = seeded(data, page=RISK, roles=roles, tab=("risk-tabs", "Quasi-identifiers"))
    found = app.table(figures.VALUES.name).set_index("Quasi-identifier")[figures.VALUES.name].to_dict()
    columns = app.open(INDIVIDUALS).table(figures.VALUES.name).set_index("Column")[figures.VALUES.name].to_dict()
    rows = list(_rows(data))
    counted = {name: len({row[name] for row in rows} - {""}) for name in (*found, *columns)}
    assert found and columns and found | columns == counted


def test_a_class_of_one_harmless_value_has_an_l_of_1_and_nothing_certain_and_both_are_stated() -> None:
    data = b"name,age,sex,ward,ill,visit\n" + b"".join(b"p%d,30,f,a,none,1\n" % i for i in range(6))
    project = Project(roles=ROLES, aim=AIM, seed=7)
    evidence = gather(open_project(project, LoadedFile.of(data, "visits.csv")))
    (found,) = evidence.sensitive
    assert found.before.distinct_l == 1 and {each.before for each in evidence.inferred} == {0}
    assert (
        "a class of one such value has an l of 1, and nothing that harms is certain in it" in html_of(evidence).decode()
    )
    app = seeded(data, page=RISK, roles=ROLES, aim=AIM, tab=("risk-tabs", "Sensitive values"))
    (row,) = app.table("Distinct l").to_dict("records")
    assert (row["Distinct l"], row["Records certain from all quasi-identifiers"]) == (1, 0)
    assert "a class of one such value has an l of 1" in app.text
