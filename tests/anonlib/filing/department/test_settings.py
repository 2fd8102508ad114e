"""The settings of a department's server: read whole, or refused with a sentence that names what to mend."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from anonlib.basics import cores
from anonlib.basics.errors import InputError
from anonlib.filing.department import settings
from anonlib.filing.department.person import TeamRole
from anonlib.filing.department.settings import read_team
from tests.helpers.errors import refused

WHOLE = """
address = "https://Anonscope.hospital.example:443/"
listen = "[::1]:9000"
[sign_in]
provider = "https://login.hospital.example/realms/hospital"
client = "anonscope"
secret_file = "{folder}/client"
cookie_secret_file = "{folder}/cookie"
groups_claim = "member"
idle_minutes = 15
longest_hours = 1.5
[roles]
officer = ["privacy-officers", "dpo"]
reviewer = ["privacy-reviewers"]
[store]
folder = "{folder}/store"
database_file = "{folder}/database"
[limits]
session = "1.5 GB"
all = "8GB"
workers = 1
"""
LEAST = """
address = "https://anonscope.hospital.example"
[sign_in]
provider = "https://login.hospital.example"
client = "anonscope"
secret_file = "{folder}/client"
cookie_secret_file = "{folder}/cookie"
[roles]
officer = ["privacy-officers"]
[store]
folder = "{folder}/store"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that the settings name."""
    (tmp_path / "store").mkdir(mode=0o700)
    for name, text in (("client", "s" * 32), ("cookie", "c" * 32), ("database", "postgresql://u:p@db/anonscope")):
        written(tmp_path / name, text)
    return tmp_path


def written(path: Path, text: str, mode: int = 0o640) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def read(folder: Path, text: str):
    return read_team(written(folder / "team.toml", text.replace("{folder}", str(folder))))


def test_everything_is_read(folder: Path) -> None:
    team = read(folder, WHOLE)
    assert (team.address, team.host) == ("https://anonscope.hospital.example", "anonscope.hospital.example")
    assert team.listen == ("::1", 9000)
    assert team.sign_in.provider == "https://login.hospital.example/realms/hospital"
    assert (team.sign_in.secret, team.sign_in.cookie_secret) == ("s" * 32, b"c" * 32)
    assert (team.sign_in.groups_claim, team.sign_in.idle, team.sign_in.longest) == ("member", 900, 5400)
    assert team.store.folder == folder / "store" and team.store.database == "postgresql://u:p@db/anonscope"
    assert (team.limits.session, team.limits.all, team.limits.workers) == (1_500_000_000, 8_000_000_000, 1)
    assert team.roles_of(frozenset({"dpo", "staff", "privacy-reviewers"})) == {TeamRole.OFFICER, TeamRole.REVIEWER}
    assert not team.roles_of(frozenset({"staff"})) and not team.roles_of(frozenset())


def test_what_may_be_left_out_is_as_usual(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "n_threads", lambda: 8)
    team = read(folder, LEAST)
    assert team.listen == ("127.0.0.1", 8501) and team.store.database is None
    assert (team.sign_in.groups_claim, team.sign_in.idle, team.sign_in.longest) == ("groups", 1800, 36_000)
    assert (team.limits.session, team.limits.all, team.limits.workers) == (10**9, 8 * 10**9, 7)


def test_one_core_has_one_worker(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "n_threads", lambda: 1)
    assert read(folder, LEAST).limits.workers == 1


def test_no_secret_is_in_what_is_printed_of_the_settings(folder: Path) -> None:
    printed = repr(read(folder, WHOLE))
    assert not any(secret in printed for secret in ("s" * 32, "c" * 32, "u:p@db"))


@pytest.mark.parametrize(("line", "instead", "code", "named"), [
    ('address = "https://', "", "file-not-of-this-kind", "TOML"),
    ('address = "https://anonscope.hospital.example"', "", "setting-missing", "address"),
    ("https://anonscope.h", "http://anonscope.h", "address-not-secure", "address"),
    ("https://anonscope.hospital.example", "https://a.example/anonscope", "address-wrong", "path"),
    ("https://anonscope.hospital.example", "https://u:p@anonscope.example", "address-wrong", "address"),
    ("https://anonscope.hospital.example", "https://", "address-wrong", "address"),
    ("https://anonscope.hospital.example", "https://a b", "address-wrong", "address"),
    ("https://anonscope.hospital.example", "https://a:port", "address-wrong", "address"),
    ('"https://anonscope.hospital.example"', "7", "setting-of-other-type", "address"),
    ('provider = "https://login.hospital.example"', "", "setting-missing", "[sign_in] provider"),
    ("https://login", "http://login", "address-not-secure", "[sign_in] provider"),
    ('client = "anonscope"', "", "setting-missing", "[sign_in] client"),
    ('client = "anonscope"', 'client = " "', "setting-of-other-type", "[sign_in] client"),
    ('secret_file = "{folder}/client"\n', "", "setting-missing", "[sign_in] secret_file"),
    ('"{folder}/client"', '"{folder}/nowhere"', "file-missing", "[sign_in] secret_file"),
    ('"{folder}/client"', '"{folder}/store"', "file-unreadable", "[sign_in] secret_file"),
    ('cookie_secret_file = "{folder}/cookie"', "", "setting-missing", "[sign_in] cookie_secret_file"),
    ("[roles]", "idle_minutes = 0\n[roles]", "setting-of-other-type", "idle_minutes"),
    ("[roles]", "idle_minutes = true\n[roles]", "setting-of-other-type", "idle_minutes"),
    ("[roles]", "longest_hours = inf\n[roles]", "setting-of-other-type", "longest_hours"),
    ("[roles]", "idle_minutes = 61\nlongest_hours = 1\n[roles]", "number-out-of-range", "idle_minutes"),
    ("[roles]", "logout = 1\n[roles]", "setting-unknown", "logout"),
    ('officer = ["privacy-officers"]', "", "setting-missing", "role"),
    ('["privacy-officers"]', "[]", "setting-missing", "role"),
    ('["privacy-officers"]', '"privacy-officers"', "setting-of-other-type", "[roles] officer"),
    ('["privacy-officers"]', "[7]", "setting-of-other-type", "[roles] officer"),
    ("officer =", "janitor =", "setting-unknown", "janitor"),
    ("[roles]", "[rolls]", "setting-unknown", "rolls"),
    ('folder = "{folder}/store"', "", "setting-missing", "[store] folder"),
    ("{folder}/store", "{folder}/nowhere", "folder-missing", "[store] folder"),
    ('address =', 'listen = "localhost:8501"\naddress =', "address-wrong", "listen"),
    ('address =', 'listen = "127.0.0.1"\naddress =', "address-wrong", "listen"),
    ('address =', 'listen = "127.0.0.1:70000"\naddress =', "address-wrong", "listen"),
    ('address =', 'limits = 7\naddress =', "setting-of-other-type", "limits"),
    ("[store]", '[limits]\nsession = "1 TB"\n[store]', "setting-of-other-type", "[limits] session"),
    ("[store]", '[limits]\nsession = "0 MB"\n[store]', "setting-of-other-type", "[limits] session"),
    ("[store]", "[limits]\nall = 8\n[store]", "setting-of-other-type", "[limits] all"),
    ("[store]", '[limits]\nsession = "9 GB"\n[store]', "number-out-of-range", "[limits] session"),
    ("[store]", "[limits]\nworkers = 1.5\n[store]", "setting-of-other-type", "[limits] workers"),
    ("[store]", "[limits]\nworkers = 0\n[store]", "number-out-of-range", "[limits] workers"),
    ("[store]", "[limits]\nworkers = 4\n[store]", "number-out-of-range", "4 cores"),
])  # fmt: skip
def test_what_is_half_configured_is_refused_by_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch, line: str, instead: str, code: str, named: str
) -> None:
    monkeypatch.setattr(settings, "n_threads", lambda: 4)
    assert line in LEAST
    with refused(code) as error:
        read(folder, LEAST.replace(line, instead, 1))
    assert named in str(error.value)


def test_a_secret_that_could_be_guessed_is_refused(folder: Path) -> None:
    for name in ("client", "cookie"):
        written(folder / name, "x" * 31 + "\n")
        with refused("secret-too-short"):
            read(folder, LEAST)
        written(folder / name, "x" * 32 + "\n")
        read(folder, LEAST)


def test_a_database_elsewhere_is_postgresql(folder: Path) -> None:
    written(folder / "database", "mysql://u:secret@db/x")
    with refused("address-wrong") as error:
        read(folder, WHOLE)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"#" * 200_000])
def test_a_file_that_is_none_of_settings_is_refused(folder: Path, content: bytes) -> None:
    path = written(folder / "team.toml", "")
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_team(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize(("name", "mode"), [
    ("team.toml", 0o644), ("team.toml", 0o642), ("client", 0o604), ("cookie", 0o644), ("database", 0o644),
])  # fmt: skip
def test_what_everybody_on_the_computer_may_read_or_change_is_refused(folder: Path, name: str, mode: int) -> None:
    read(folder, WHOLE)
    (folder / name).chmod(mode)
    with refused("file-open-to-all"):
        read_team(folder / "team.toml")
    (folder / name).chmod(0o640)
    read_team(folder / "team.toml")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_store_that_is_open_to_everybody_is_refused(folder: Path) -> None:
    (folder / "store").chmod(0o755)
    with refused("folder-open-to-all"):
        read(folder, LEAST)


def test_settings_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with refused("file-missing"):
        read_team(tmp_path / "team.toml")


def test_workers_leave_a_core_to_the_pages() -> None:
    assert settings.n_threads is cores.n_threads
