"""Small files of patients, and registers to enter their releases in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.filing.case import ReleaseCase
from anonlib.filing.department.database import Database
from anonlib.filing.department.keys import Keys
from anonlib.filing.department.register import DepartmentRegister
from anonlib.filing.department.settings import StoreSettings
from anonlib.filing.project import Opened
from anonlib.filing.register import FolderRegister, Register
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode, Step
from anonlib.verdict.criteria import Aim
from tests.helpers.department import in_postgresql
from tests.helpers.evidence import opened

PATIENTS = {"patient_id": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
BASEL = ReleaseCase(title="Sepsis cohort", reference="EK-12", recipient="University Hospital, Basel", author="A. Meier")
TENS = (Recode("age", Intervals(10)),)


def patients(ids: Sequence[str], *, column: str = "patient_id", first_age: int = 30) -> pd.DataFrame:
    """A file of one row a patient; ages begin at an age, so that files of the same patients can be others."""
    rows = [(each, str(first_age + i % 20), "flu" if i % 2 else "asthma") for i, each in enumerate(ids)]
    return pd.DataFrame(rows, columns=[column, "age", "illness"])


def release(frame: pd.DataFrame, *steps: Step, case: ReleaseCase = BASEL, to: str = "contract", **decided) -> Opened:
    """A release of a file under a recipe, for a case and a kind of recipient."""
    given = {"roles": PATIENTS, "recipe": Recipe.of(steps), "case": case, "aim": Aim.for_recipient(to)} | decided
    return opened(frame, name=given.pop("name", "patients.csv"), **given)


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@pytest.fixture
def desk(tmp_path: Path) -> FolderRegister:
    """A register in a folder of an officer's."""
    folder = tmp_path / "releases of 2026"
    folder.mkdir()
    return FolderRegister.create(folder)


@pytest.fixture(params=["desk", "sqlite", pytest.param("postgresql", marks=pytest.mark.engines)])
def register(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Register]:
    """A desk's register, and a department's in each kind of database: a test that asks for it is tried in all."""
    if request.param == "desk":
        yield request.getfixturevalue("desk")
        return
    folder = tmp_path / "store"
    folder.mkdir(mode=0o700)
    if request.param == "sqlite":
        store = StoreSettings(folder)
    else:
        store = in_postgresql(request.getfixturevalue("server"), folder)
    database = Database.open(store)
    yield DepartmentRegister.open(database, Keys(folder))
    database.close()
