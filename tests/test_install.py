"""What `make` and `pip install .` install: locked versions with hashes inside the ranges, and a library that works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCKS = {
    "requirements.lock": ("requirements.txt",),
    "requirements-dev.lock": ("requirements.txt", "requirements-dev.txt"),
    "deploy/requirements.lock": ("requirements.txt", "deploy/requirements.txt"),
    "deploy/build.lock": ("deploy/build.txt",),
}
SYSTEMS = ("linux", "darwin", "win32")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def ranges(name: str) -> list[Requirement]:
    """The requirements of a file, those of files it includes aside."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith(("#", "-r "))]


def locked(name: str) -> list[tuple[Requirement, list[str]]]:
    """The entries of a lock: the requirement with its exact version, and its hashes."""
    text = re.sub(r"^\s*#.*\n", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.M)
    entries = [entry.split() for entry in text.replace("\\\n", " ").splitlines()]
    return [
        (
            Requirement(" ".join(word for word in entry if not word.startswith("--"))),
            [word for word in entry if word.startswith("--")],
        )
        for entry in entries
    ]


def installed(name: str, system: str, python: str) -> dict[str, str]:
    """Package -> version that a lock installs on a system; every package once."""
    environment = {"sys_platform": system, "python_version": python, "python_full_version": f"{python}.0"}
    chosen = [entry for entry, _ in locked(name) if entry.marker is None or entry.marker.evaluate(environment)]
    versions = {str(canonicalize_name(entry.name)): str(entry.specifier).removeprefix("==") for entry in chosen}
    assert len(versions) == len(chosen)
    return versions


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_every_requirement_in_its_range(lock: str, system: str, python: str) -> None:
    versions = installed(lock, system, python)
    for name in LOCKS[lock]:
        for requirement in ranges(name):
            version = versions.get(canonicalize_name(requirement.name))
            assert version is not None, f"{requirement.name} is not in {lock}: run make lock"
            assert requirement.specifier.contains(version), f"{requirement} is not {version} of {lock}: run make lock"


@pytest.mark.parametrize("lock", LOCKS)
def test_every_entry_is_one_version_with_hashes(lock: str) -> None:
    for entry, hashes in locked(lock):
        assert re.fullmatch(r"==[^,*]+", str(entry.specifier)), entry
        assert hashes and all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", word) for word in hashes), entry


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host_and_no_path(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host|(^|\s)[/~]|[A-Za-z]:\\", text)


@pytest.mark.parametrize("others", ["requirements-dev.lock", "deploy/requirements.lock"])
def test_the_tests_and_the_image_have_the_versions_that_the_app_runs_with(others: str) -> None:
    app = {entry.name: entry.specifier for entry, _ in locked("requirements.lock")}
    assert app.items() <= {entry.name: entry.specifier for entry, _ in locked(others)}.items()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of what is in the folder."""
    folder = tmp_path_factory.mktemp("built")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as it is unpacked when it is installed."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(site)
    return site


def printed(code: str, wheel: Path) -> str:
    """What code prints that can find only the wheel's anonlib: -I leaves out this folder and PYTHONPATH."""
    code = f"import sys; sys.path.insert(0, {str(wheel)!r}){code}"
    finished = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_an_installed_library_opens_its_samples(wheel: Path) -> None:
    code = """
import anonlib.reading.samples as samples, sys
from anonlib.reading.sources import open_source
for sample in samples.SAMPLES:
    assert set(sample.roles) == set(open_source(sample.read_bytes(), sample.filename).frame.columns)
print(samples.FOLDER)
assert not {"streamlit", "starlette", "ui"} & set(sys.modules)
"""
    assert Path(printed(code, wheel).strip()).is_relative_to(wheel)


def test_an_installed_library_sets_reports(wheel: Path) -> None:
    """Their templates are installed with it."""
    code = """
from datetime import date
from anonlib.filing.report import Facts, Report, rendering
report = Report("A title", "", "en", Facts(()), (), (), "", date(2026, 1, 1))
print(rendering.__file__, rendering.to_html(report).count("A title"), rendering.to_pdf(report)[:5])
"""
    found = printed(code, wheel)
    assert found.startswith(str(wheel)) and found.endswith("2 b'%PDF-'\n")


def test_an_installed_library_has_every_file_of_it(wheel: Path) -> None:
    """Lists of names, codes, templates and languages too."""
    files = {path.relative_to(ROOT) for path in (ROOT / "anonlib").rglob("*") if path.is_file()}
    files = {path for path in files if "__pycache__" not in path.parts}
    assert any(path.suffix == ".po" for path in files)
    assert not [path for path in files if not (wheel / path).is_file()]


def test_the_command_is_installed_with_the_library(wheel: Path) -> None:
    (points,) = wheel.glob("*.dist-info/entry_points.txt")
    assert "anonscope = anonlib.command:main" in points.read_text(encoding="utf-8")


def declared() -> dict[str, set[str]]:
    """What pyproject.toml asks for: without an extra, under "", and by extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    return {extra: {str(Requirement(line)) for line in lines} for extra, lines in groups.items()}


def test_the_ranges_of_the_package_are_those_that_people_read() -> None:
    asked = declared()
    assert asked["app"] >= {"anonscope[reports]"} and asked["engines"] == {"anonscope[postgres,spark]"}
    assert asked["team"] >= {"anonscope[app]"}
    app = asked[""] | asked["reports"] | asked["app"] - {"anonscope[reports]"} | asked["team"] - {"anonscope[app]"}
    assert app == {str(requirement) for requirement in ranges("requirements.txt")}
    assert asked["postgres"] | asked["spark"] == {
        str(requirement) for requirement in ranges("requirements-engines.txt")
    }
    assert {Requirement(line).name for line in asked["app"]} == {
        "anonscope", "streamlit", "starlette", "cloudpickle", "psutil"
    }  # fmt: skip
    assert {Requirement(line).name for line in asked["team"]} == {"anonscope", "authlib", "httpx", "sqlalchemy"}


def test_the_wheel_holds_the_app_in_a_folder_of_its_own(wheel: Path) -> None:
    assert {path.name for path in wheel.iterdir() if path.suffix != ".dist-info"} == {"anonlib", "anonscope_app"}
    parts = ["app.py", ".streamlit/config.toml", *_files_of("pages"), *_files_of("ui"), *_files_of("docs/analyses")]
    assert len(parts) > 100
    assert [part for part in parts if (wheel / "anonscope_app" / part).read_bytes() != (ROOT / part).read_bytes()] == []


def _files_of(folder: str) -> list[str]:
    files = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return [path.relative_to(ROOT).as_posix() for path in files]


@pytest.mark.slow
def test_who_installs_the_wheel_starts_the_app_from_any_folder(built: Path, tmp_path: Path) -> None:
    """In an environment of its own, with the packages of this one, and without this folder."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    python = next((tmp_path / "venv").glob("bin/python")) if os.name != "nt" else tmp_path / "venv/Scripts/python.exe"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*install, str(built)], check=True, capture_output=True)
    (site,) = (tmp_path / "venv").rglob("site-packages")
    (site / "others.pth").write_text("\n".join(path for path in sys.path if "site-packages" in path))
    mark = "from anonlib.basics import machine_code; machine_code.mark_kept()"  # compiling it takes half a minute
    subprocess.run([str(python), "-c", mark], cwd=tmp_path, check=True)
    command = python.with_name("anonscope")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    served = subprocess.Popen(
        [str(command), "serve", "--port", "8640", "--no-browser"],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        line = next(line for line in served.stdout if "Anonscope is at" in line)
        address = re.search(r"http://127\.0\.0\.1:\d+", line).group(0)
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=30) as answer:
            assert answer.read() == b"ok"
    finally:
        served.terminate()
        served.wait(timeout=30)
    assert not [path for path in tmp_path.iterdir() if path.name != "venv"], "it writes nothing where it is called"


def test_an_installed_library_brings_its_licence(wheel: Path) -> None:
    (metadata,) = wheel.glob("*.dist-info/METADATA")
    assert "License-Expression: Apache-2.0\n" in metadata.read_text(encoding="utf-8")
    for name in ("LICENSE", "NOTICE"):
        assert (metadata.parent / "licenses" / name).read_bytes() == (ROOT / name).read_bytes()


def test_the_notice_names_the_licence_of_every_package_that_is_installed() -> None:
    text = (ROOT / "NOTICE").read_text(encoding="utf-8")
    table = text.partition("spdx.org/licenses):")[2].partition("Not permissive")[0]
    listed = {line.split()[0] for line in table.splitlines() if line}
    assert listed == {requirement.name for requirement, _ in locked("requirements.lock")}
