"""What this version saves, kept for later ones to try: ``python -m tools.keep_saved``.

Projects by hand in `tests/saved/VERSION/toml` are opened on samples, most with the adviser's proposal, and saved with
their recipe, evidence and script, as the app does. A version whose files are there is left as it is.
"""

from __future__ import annotations

import json
import sys
import warnings
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from anonlib.basics.budget import about_seconds
from anonlib.basics.errors import InputError
from anonlib.basics.version import VERSION
from anonlib.columns.roles import suggest_roles
from anonlib.filing.evidence import PARTS, gather, released_file, to_json
from anonlib.filing.evidence.script import script_of
from anonlib.filing.project import (
    Loaded,
    LoadedFile,
    LoadedTables,
    Opened,
    Project,
    open_project,
    project_of,
    read_population,
)
from anonlib.reading.samples import FOLDER
from anonlib.release.recipe import Recipe
from anonlib.release.saved import SavedRecipe
from anonlib.release.steps import AtMostRows
from anonlib.verdict import criteria
from anonlib.verdict.criteria import Aim
from anonlib.verdict.proposals import Adviser, Asked, NothingFound, first_answer

SAVED = Path(__file__).resolve().parents[1] / "tests" / "saved"
BUDGET = about_seconds(10.0)
"""How long a search goes on, once it has a first answer."""


@dataclass(frozen=True)
class Kept:
    """A project to keep: its samples, the way in which its proposal protects ("": none), and the report's parts."""

    name: str
    files: tuple[str, ...]
    way: str = ""
    population: str = ""
    parts: tuple[str, ...] = ()


KEPT = (
    Kept("admissions-public", ("admissions.csv",), criteria.PARTS),
    Kept("admissions-contract", ("admissions.csv",), criteria.WHOLE_COLUMNS, parts=PARTS),
    Kept("admissions-all", ("admissions.csv",), population="admissions_population.csv"),
    Kept("admissions-laboratory", ("admissions.csv", "admissions_laboratory.csv"), criteria.WHOLE_COLUMNS),
    Kept("weight-loss-blanks", ("weight_loss.csv",), criteria.BLANK_CELLS),
    Kept("weight-loss-parts", ("weight_loss.csv",), criteria.PARTS),
)


def loaded(files: tuple[str, ...]) -> Loaded:
    """The samples as they are read: one file, or several tables."""
    contents = [(name, (FOLDER / name).read_bytes()) for name in files]
    return LoadedFile.of(contents[0][1], contents[0][0]) if len(contents) == 1 else LoadedTables.of(contents)


def of_tables(tables: Loaded) -> Project:
    """A project for several tables, which TOML does not tell: with suggested roles, and persons' rows limited."""
    roles = {each.column: each.role for each in suggest_roles(tables.cells().frame)}  # type: ignore[attr-defined]
    steps = (AtMostRows(n=4, secret="00112233445566778899aabbccddeeff", table="admissions_laboratory"),)
    return Project(roles=roles, aim=Aim.for_recipient("contract"), recipe=Recipe.of(steps), seed=0x2F)


def opened(kept: Kept, folder: Path) -> Opened:
    """The project on its samples, with the proposal in its recipe."""
    file = loaded(kept.files)
    by_hand = folder / "toml" / f"{kept.name}.toml"
    project = of_tables(file) if len(kept.files) > 1 else project_of(by_hand.read_bytes())
    people = read_population((FOLDER / kept.population).read_bytes(), kept.population) if kept.population else None
    start = open_project(project, file, people)
    if not kept.way:
        return start
    project, data = start.project, start.data
    looked_at = project.recipe.to_protect(data)
    asked = Asked.of(
        looked_at, project.aim, project.hierarchies, original=data, unknowable=project.unknowable,
        secret=project.secret_of_coins,
    )  # fmt: skip
    found = first_answer(kept.way, Adviser(asked), BUDGET)
    if isinstance(found, NothingFound):
        raise InputError(f"Nothing was found for {kept.name}.", code="nothing-found")
    return open_project(replace(project, recipe=found.taken(project.recipe, data)), file, people)


def keep(kept: Kept, folder: Path) -> dict[str, Any]:
    """Write what is saved of a project, and return what is expected of it."""
    of = opened(kept, folder)
    release = released_file(of)
    project = of.project.having_released(sha256(release).hexdigest())
    if not of.verdict.may_leave:
        project = replace(project, aim=replace(project.aim, leaves_anyway="Kept to be opened again"))
    of = replace(of, project=project)
    evidence = gather(of, parts=kept.parts, who="A. Officer")
    recipe = SavedRecipe.of(project.recipe, of.data, k=project.k, threshold=project.threshold, seed=project.seed)
    for kind, ending, text in (
        ("projects", "json", project.to_json()),
        ("recipes", "json", recipe.to_json()),
        ("evidence", "json", to_json(evidence)),
        ("scripts", "txt", script_of(of, evidence)),
    ):
        (folder / kind).mkdir(exist_ok=True)
        (folder / kind / f"{kept.name}.{ending}").write_text(text, encoding="utf-8")
    findings = enumerate(of.verdict.findings)
    return {
        "files": list(kept.files),
        "population": kept.population,
        "released": sha256(release).hexdigest(),
        "rows": of.applied.released.n_rows,
        "verdict": of.verdict.decision,
        "states": {f"{i} {finding.criterion.title}": str(finding.state) for i, finding in findings},
    }


def main() -> int:
    """0, or 1 where this version's files are there already, or its projects by hand are not."""
    folder = SAVED / VERSION
    if (folder / "expected.json").exists():
        print(f"tests/saved/{VERSION} is there already, and is never changed.")
        return 1
    if not (folder / "toml").exists():
        print(f"Copy the folder toml of the last version into tests/saved/{VERSION}, and add what is new to it.")
        return 1
    warnings.simplefilter("ignore")
    expected = {each.name: keep(each, folder) for each in KEPT}
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
