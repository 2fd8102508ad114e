"""A release whose persons have pseudonyms by a key: it is made with the key alone, and the key is in nothing kept."""

from __future__ import annotations

import base64
import csv
import hashlib
import hmac
import io
import json
import logging
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pandas as pd
import pytest
from pypdf import PdfReader

from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence import Evidence, evidence_of, gather, released_file, script_of, to_json, verify
from anonlib.filing.evidence.report import ORDERS, html_of, pdf_of
from anonlib.filing.project import LoadedFile, Opened, Project, from_toml, open_project
from anonlib.filing.record import record_zip
from anonlib.filing.register import FolderRegister, Register, facts_of
from anonlib.filing.register.folder import KEY_NAME
from anonlib.release.codebook import DONE, codebook
from anonlib.release.export import value_mapping
from anonlib.release.pseudonyms import KeyOfPseudonyms, Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode, Step
from anonlib.verdict.criteria import Accepted, Aim, EarlierReleases, SamePseudonyms, State
from tests.helpers.errors import refused
from tests.helpers.evidence import as_bytes, run_script, text_of

ON = date(2026, 11, 22)
SECRET = hashlib.sha256(b"a key of a test").digest()
KEY, OTHER_KEY = KeyOfPseudonyms(SECRET), KeyOfPseudonyms(hashlib.sha256(b"another").digest())
LABEL = Pseudonyms("University of Example", "Sepsis cohort", KEY.id)
ROLES = {"patient": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
CASE = ReleaseCase(title="Sepsis cohort", recipient="University of Example", author="A. Meier")
TENS = Recode("age", Intervals(10))
AGREED = Aim.for_recipient("contract")
AGREED = replace(AGREED, accepted=(Accepted(SamePseudonyms(), "The contract lets them follow patients."),))


def month(first: int, n: int = 60) -> bytes:
    """A month of patients, of whom half are in the next one too."""
    patients = [f"MRN {i:04d}" for i in range(first, first + n)]
    rows = [(each, str(30 + i % 3), "flu" if i % 2 else "asthma") for i, each in enumerate(patients)]
    return as_bytes(pd.DataFrame(rows, columns=list(ROLES)))


def release(
    data: bytes,
    key: KeyOfPseudonyms | None = KEY,
    pseudonyms: Pseudonyms | None = LABEL,
    aim: Aim = AGREED,
    steps: Sequence[Step] = (TENS,),
) -> Opened:
    project = Project(roles=ROLES, recipe=Recipe.of(steps), aim=aim, case=CASE, seed=7, pseudonyms=pseudonyms)
    return open_project(project, LoadedFile.of(data, "visits.csv"), pseudonym_key=key)


JANUARY, FEBRUARY = month(0), month(30)
OPENED = release(JANUARY)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return gather(OPENED, parts=("utility",), on=ON)


def ids(file: bytes) -> list[str]:
    return [row["patient"] for row in csv.DictReader(io.StringIO(file.decode(), newline=""))]


def test_who_is_in_both_months_has_one_pseudonym_for_one_recipient_alone() -> None:
    january, february = set(ids(released_file(OPENED))), set(ids(released_file(release(FEBRUARY))))
    assert len(january) == len(february) == 60 and len(january & february) == 30
    for other in (replace(LABEL, recipient="Another"), replace(LABEL, project="Another"), replace(LABEL, version=2)):
        assert not january & set(ids(released_file(release(FEBRUARY, pseudonyms=other))))
    numbers = ids(released_file(release(FEBRUARY, None, None)))
    assert sorted(map(int, numbers)) == list(range(1, 61)), "random numbers stay what is usual"


@pytest.mark.parametrize("key, says", [(None, "which is not here"), (OTHER_KEY, f"that was given is {OTHER_KEY.id}")])
def test_without_its_key_nothing_leaves_and_it_says_which_one_it_needs(key: KeyOfPseudonyms | None, says: str) -> None:
    opened = release(JANUARY, key)
    assert says in opened.why_it_stays and KEY.id in opened.why_it_stays
    with pytest.raises(InputError, match=KEY.id):
        released_file(opened)
    found = gather(opened, parts=(), on=ON)
    assert found.released is None and says in found.why_no_file and found.pseudonyms == LABEL
    assert opened.key != OPENED.key, "what was gathered without it is not taken for what is gathered with it"


def test_no_key_is_needed_where_no_id_leaves() -> None:
    opened = release(JANUARY, None, steps=(TENS, DropColumns(("patient",))))
    assert opened.pseudonyms is None and not opened.why_no_key and released_file(opened).startswith(b"age,")
    found = gather(opened, parts=(), on=ON)
    assert found.pseudonyms is None and found.released is not None
    assert State.UNKNOWN not in {each.state for each in opened.verdict.findings}


def finding(opened: Opened, kind: type):
    return next((each for each in opened.verdict.findings if isinstance(each.criterion, kind)), None)


def test_that_releases_add_up_is_asked_and_cannot_be_checked() -> None:
    opened = release(JANUARY, aim=Aim.for_recipient("contract"))
    found = finding(opened, SamePseudonyms)
    assert found is not None and found.state is State.UNKNOWN and "University of Example" in found.says
    assert opened.why_it_stays and "1 cannot be checked" in opened.verdict.says
    without = release(JANUARY, None, None, Aim.for_recipient("contract"))
    assert finding(without, SamePseudonyms) is None and not without.why_it_stays
    assert not OPENED.why_it_stays and OPENED.verdict.may_leave and OPENED.verdict.n_accepted == 1, "once accepted"


def test_asked_by_name_it_is_met_by_random_numbers() -> None:
    aim = Aim.for_recipient("contract").with_criterion(SamePseudonyms())
    assert finding(release(JANUARY, None, None, aim), SamePseudonyms).is_met
    asked = release(JANUARY, aim=aim).verdict.findings
    assert sum(isinstance(each.criterion, SamePseudonyms) for each in asked) == 1


def test_an_earlier_release_of_this_file_is_counted_with_it() -> None:
    """Each age band is of twenty and of sixty persons: together with the ages themselves a class is a third."""
    earlier = Recipe.of([Recode("age", Intervals(1))])
    opened = release(JANUARY, aim=replace(AGREED, earlier=(earlier,)))
    found = finding(opened, EarlierReleases)
    assert found is not None and found.now == 20 and "on record" in finding(opened, SamePseudonyms).says
    assert finding(release(JANUARY, aim=replace(AGREED, earlier=(opened.project.recipe,))), EarlierReleases) is None
    assert finding(release(JANUARY, None, None, replace(AGREED, earlier=(earlier,))), EarlierReleases) is None


def test_the_report_and_the_codebook_say_under_which_label(evidence: Evidence) -> None:
    says = (
        f"Person ids are pseudonyms by a key (id {KEY.id}) for recipient “University of Example”, project “Sepsis "
        "cohort”, version 1: the same persons have the same pseudonyms in each release under this label."
    )
    shown = text_of(html_of(evidence, "assessment"))
    assert says in shown and "numbers drawn at random" not in shown
    german = html_of(evidence, "assessment", language="de").decode()
    assert "Personenkennungen sind Pseudonyme" in german and "Person ids" not in german
    book = codebook(OPENED.applied.released, OPENED.project.recipe, OPENED.pseudonyms).columns
    book = book.set_index("column").loc["patient"]
    assert "University of Example" in book[DONE] and book["type"] == "text"
    assert KEY.id not in " ".join(map(str, book))
    plain = codebook(OPENED.applied.released, OPENED.project.recipe).columns.set_index("column").loc["patient"]
    assert "drawn at random" in plain[DONE] and plain["type"] == "number"


def test_evidence_and_a_project_keep_the_label_and_older_ones_have_none(evidence: Evidence) -> None:
    assert evidence_of(to_json(evidence)).pseudonyms == LABEL
    document = json.loads(to_json(evidence))
    del document["pseudonyms"]
    assert evidence_of(json.dumps(document)).pseudonyms is None
    again = Project.from_json(OPENED.project.to_json())
    assert again == OPENED.project and again.pseudonyms == LABEL
    plain = replace(OPENED.project, pseudonyms=None)
    assert "pseudonyms" not in json.loads(plain.to_json()) and Project.from_json(plain.to_json()).pseudonyms is None


def test_a_label_is_written_by_hand() -> None:
    text = f'[roles]\nage = "other"\n[pseudonyms]\nrecipient = "University of Example"\nkey = "{KEY.id}"\n'
    assert from_toml(f'{text}project = "Sepsis cohort"').pseudonyms == LABEL
    with refused("options-missing"):
        from_toml(text)


def test_the_script_makes_it_again_with_the_file_of_the_key(tmp_path: Path, evidence: Evidence) -> None:
    (tmp_path / "visits.csv").write_bytes(JANUARY)
    (tmp_path / "pseudonyms.key").write_bytes(SECRET)
    (tmp_path / "other.key").write_bytes(OTHER_KEY.secret)
    text = script_of(OPENED, evidence)
    assert "the same, byte by byte" in run_script(tmp_path, text, "visits.csv", "pseudonyms.key")
    assert (tmp_path / "again" / "leaves" / "visits-released.csv").read_bytes() == released_file(OPENED)
    with pytest.raises(AssertionError, match=KEY.id):
        run_script(tmp_path, text, "visits.csv", "other.key", "elsewhere")
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_that_came_back_is_compared_by_its_pseudonyms(evidence: Evidence) -> None:
    file = released_file(OPENED)
    assert verify(LoadedFile.of(file, "back.csv"), original=OPENED).holds
    lines = file.decode().splitlines()
    shuffled = "\n".join([lines[0], *reversed(lines[1:])]).encode()
    found = verify(LoadedFile.of(shuffled, "back.csv"), original=OPENED)
    assert found.holds and not found.is_same_file
    names = sorted(ids(file))
    exchanged = shuffled.replace(names[0].encode(), b"p" + b"a" * 16)
    assert verify(LoadedFile.of(exchanged, "back.csv"), original=OPENED).differs
    with pytest.raises(InputError, match=KEY.id):
        verify(LoadedFile.of(shuffled, "back.csv"), original=release(JANUARY, None))


def written_as(secret: bytes) -> list[bytes]:
    """The ways in which bytes could be written."""
    texts = [secret.hex(), secret.hex().upper(), base64.b64encode(secret).decode().rstrip("=")]
    texts += [base64.urlsafe_b64encode(secret).decode().rstrip("="), base64.b32encode(secret).decode().rstrip("=")]
    texts += [texts[-1].lower(), repr(secret)[2:-1], str(list(secret)), str(int.from_bytes(secret, "big"))]
    return [secret, *(each.encode() for each in texts)]


def secrets_of(key: KeyOfPseudonyms) -> list[bytes]:
    """The key, and the one that is derived for the label."""
    extracted = hmac.new(b"anonscope pseudonyms of persons", key.secret, hashlib.sha256).digest()
    return [*written_as(key.secret), *written_as(extracted), *written_as(key.under(LABEL).secret)]


def everything_made(evidence: Evidence, register: Register) -> dict[str, bytes]:
    """By what it is, each document of the release, unpacked; and what is said where something is wrong."""
    register.enter(facts_of(OPENED, {"CSV": hashlib.sha256(released_file(OPENED)).hexdigest()}))
    made = {
        "release": released_file(OPENED),
        "project": OPENED.project.to_json().encode(),
        "evidence": to_json(evidence).encode(),
        "script": script_of(OPENED, evidence).encode(),
        "values": value_mapping(OPENED.applied, OPENED.project.recipe).to_csv().encode(),
        "codebook": codebook(OPENED.applied.released, OPENED.project.recipe, OPENED.pseudonyms).to_excel(),
        "record": record_zip(OPENED, evidence),
        "register": register.to_csv(register.entries()),
        "printed": repr((OPENED, KEY, KEY.under(LABEL), register, evidence)).encode(),
        "why not": release(JANUARY, OTHER_KEY).why_it_stays.encode(),
    }
    made |= {f"report {order}": html_of(evidence, order) for order in ORDERS}
    made["pdf"] = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf_of(evidence))).pages).encode()
    made |= {path.name: path.read_bytes() for path in register.folder.iterdir() if path.name != KEY_NAME}
    for name in ("codebook", "record"):
        with zipfile.ZipFile(io.BytesIO(made[name])) as packed:
            made[name] = b"".join(packed.read(each) for each in packed.namelist())
    return made


def test_the_key_is_in_nothing_that_is_made(
    evidence: Evidence, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        made = everything_made(evidence, FolderRegister.create(tmp_path))
    made["log"] = caplog.text.encode()
    found = {(name, i) for name, data in made.items() for i, each in enumerate(secrets_of(KEY)) if each in data}
    assert not found
    planted = made | {"planted": b"x" + SECRET.hex().encode() + b"y"}
    assert any(each in planted["planted"] for each in secrets_of(KEY)), "one that is there would be found"
    assert KEY.id.encode() in made["project"] and KEY.id.encode() in made["evidence"]


def test_the_registers_key_serves_too_and_it_names_earlier_releases_under_the_label(tmp_path: Path) -> None:
    register = FolderRegister.create(tmp_path)
    key = register.key_of_pseudonyms
    assert KeyOfPseudonyms.of((tmp_path / KEY_NAME).read_bytes()) == key
    label = replace(LABEL, key_id=key.id)
    january, february = release(JANUARY, key, label), release(FEBRUARY, key, label)
    register.enter(facts_of(january, {}), register.people_of(january))
    (entry,) = register.entries()
    assert entry.pseudonyms == label and "Sepsis cohort" in register.to_csv([entry]).decode()
    (earlier,) = register.earlier(february)
    assert "same label of pseudonyms" in earlier.why and "version 1" in earlier.why and earlier.persons == 30
    (elsewhere,) = register.earlier(release(FEBRUARY, key, replace(label, version=2)))
    assert "same label" not in elsewhere.why
    another = replace(CASE, recipient="Another")
    assert register.earlier(february, another) and not register.earlier(release(FEBRUARY, key, None), another)
    assert register.earlier(january) == (), "it is that very release"
    assert register.earlier(release(JANUARY, key, replace(label, version=2)))


def test_the_same_release_under_another_label_is_another_entry(tmp_path: Path) -> None:
    register = FolderRegister.create(tmp_path)
    for label in (LABEL, LABEL, replace(LABEL, version=2), None):
        register.enter(facts_of(release(JANUARY, KEY, label), {}))
    assert [each.pseudonyms for each in register.entries()] == [None, replace(LABEL, version=2), LABEL]
