"""The checklist of a version: ``make release-check`` walks it and prints, of each step, “ok” or what is to be done.

The exit status is 1 while something is open. What is only to be thought of, such as benchmarks older than the code,
is printed and leaves nothing open. Nothing is changed in the repository.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import images, java

ROOT = Path(__file__).resolve().parents[1]
VERSION_FILE = "anonlib/basics/version.py"
SHOWN = ("app.py", "pages", "ui", "anonlib/plots", ".streamlit", "data/samples")
"""What the pictures of pages show."""
MEASURED = ("app.py", "pages", "ui", "anonlib", "benchmarks")
"""What the benchmarks measure."""
PACKAGES = ("anonlib", "anonscope_app")
"""What a wheel may hold, of which the first is always there."""
_SECTION = re.compile(r"^## \[(?P<name>[^]]+)\](?: - (?P<day>\d{4}-\d{2}-\d{2}))?$", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """What a step found: what is open, and what is only to be thought of; a sentence each."""

    open: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """A version in the changelog: its day as written, or "" without one, and how many entries it has."""

    day: str
    entries: int


def version_of(root: Path) -> str:
    """The version that the code names."""
    return _only(r'^VERSION = "([^"]+)"$', _text(root, VERSION_FILE))


def sections_of(changelog: str) -> dict[str, Section]:
    """The sections of a changelog by the version they name, in their order; ``Unreleased`` is one."""
    matches = list(_SECTION.finditer(changelog))
    ends = [match.start() for match in matches[1:]] + [len(changelog)]
    return {
        match["name"]: Section(match["day"] or "", len(re.findall(r"^\* ", changelog[match.end() : end], re.MULTILINE)))
        for match, end in zip(matches, ends, strict=True)
    }


def versions(root: Path) -> Outcome:
    """Code, citation, changelog, README and the pages to start with name one version, and the first three one day."""
    version, citation = version_of(root), _text(root, "CITATION.cff")
    section = sections_of(_text(root, "CHANGELOG.md")).get(version)
    to_do = []
    if (cited := _only(r"^version: (\S+)$", citation)) != version:
        to_do.append(f"CITATION.cff names {cited or 'no version'} and {VERSION_FILE} {version}: write {version}.")
    if section is None or not section.day:
        to_do.append(f"CHANGELOG.md has no section of {version} with its day: write “## [{version}] - year-month-day”.")
    elif (day := _only(r"^date-released: (\S+)$", citation)) != section.day:
        to_do.append(f"CITATION.cff is of {day or 'no day'} and CHANGELOG.md of {section.day}: write one day in both.")
    for name in ("README.md", *sorted(path.relative_to(root).as_posix() for path in root.glob("docs/start/*.md"))):
        named = re.findall(r"anonscope\W{1,3}v?(\d+\.\d+\.\d+)", _text(root, name), re.IGNORECASE)
        to_do += [f"{name} names {other}: write {version}." for other in sorted(set(named) - {version})]
    return Outcome(tuple(to_do))


def changelog(root: Path) -> Outcome:
    """The version's section has entries, and nothing waits for a version to come."""
    version, sections = version_of(root), sections_of(_text(root, "CHANGELOG.md"))
    section, waiting = sections.get(version), sections.get("Unreleased")
    to_do = []
    if section is not None and not section.entries:
        to_do.append(f"The section of {version} is empty: write what somebody who uses Anonscope will notice.")
    if waiting is None:
        to_do.append("CHANGELOG.md has no section “## [Unreleased]” for what comes next: add it, empty.")
    elif waiting.entries:
        to_do.append(
            f"{waiting.entries} entries are under Unreleased: choose the version, write it into {VERSION_FILE} and "
            "CITATION.cff, and move them into its section."
        )
    return Outcome(tuple(to_do))


def saved_files(root: Path) -> Outcome:
    """What earlier versions saved is kept, so that this one is tried on it."""
    version = version_of(root)
    names = [name for name in sections_of(_text(root, "CHANGELOG.md")) if name not in ("Unreleased", version)]
    lacking = [name for name in names if not (root / "tests/saved" / name / "expected.json").exists()]
    return Outcome(
        tuple(
            f"tests/saved has no files of {name}: in its code run python -m tools.keep_saved, of projects in "
            f"tests/saved/{name}/toml, and bring the folder here."
            for name in lacking
        )
    )


def working_tree(root: Path) -> Outcome:
    """Everything is committed."""
    changed = _git(root, "status", "--porcelain").splitlines()
    return Outcome((f"{len(changed)} files differ from the last commit: commit or undo them.",) if changed else ())


def locks(root: Path) -> Outcome:
    """The locked versions are within the ranges of requirements*.txt."""
    return _by_tests(
        root, "tests/test_install.py", "-k", "lock or versions", otherwise="The locks do not fit: run make lock."
    )


def wheel(root: Path) -> Outcome:
    """The wheel of what is committed is built, and holds what it must and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        source, built = Path(folder) / "source", Path(folder) / "built"
        exported = subprocess.run(["git", "archive", "--format=zip", "HEAD"], cwd=root, capture_output=True, check=True)
        with zipfile.ZipFile(io.BytesIO(exported.stdout)) as archive:
            archive.extractall(source)
        build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(built), "."]
        finished = subprocess.run(build, cwd=source, capture_output=True, text=True, check=False)
        if finished.returncode:
            return Outcome((f"The wheel is not built: {_last_line(finished.stderr)}",))
        (path,) = built.glob("*.whl")
        with zipfile.ZipFile(path) as archive:
            return Outcome(tuple(missing_in_wheel(archive.namelist(), source, path.name)))


def missing_in_wheel(names: Sequence[str], source: Path, wheel_name: str) -> list[str]:
    """What a wheel of these files lacks, or has too much, against the folder that it was built of."""
    version, top = version_of(source), {name.partition("/")[0] for name in names}
    to_do = []
    if not wheel_name.startswith(f"anonscope-{version}-"):
        to_do.append(f"The wheel is {wheel_name}: it must be of {version}.")
    files = {path.relative_to(source).as_posix() for path in (source / "anonlib").rglob("*") if path.is_file()}
    if lacking := sorted(files - set(names)):
        to_do.append(f"The wheel lacks {len(lacking)} files of anonlib, such as {lacking[0]}: see pyproject.toml.")
    for what, pattern in (
        ("samples", r"anonlib/.*/admissions\.csv"),
        ("licence", r"[^/]+\.dist-info/licenses/LICENSE"),
        ("notice", r"[^/]+\.dist-info/licenses/NOTICE"),
        ("app", r"anonscope_app/app\.py"),
        ("command", r"[^/]+\.dist-info/entry_points\.txt"),
    ):
        if not any(re.match(pattern, name) for name in names):
            to_do.append(f"The wheel has no {what}: see pyproject.toml.")
    others = sorted(name for name in top - set(PACKAGES) if not name.endswith(".dist-info"))
    to_do += [f"The wheel has {name} at its top, which is not to be installed." for name in others]
    return to_do


def containers(root: Path) -> Outcome:
    """The images of deploy/ are named by digests that their registries answer for."""
    return Outcome(tuple(images.not_there(root)))


def pictures(root: Path) -> Outcome:
    """The pictures of pages were taken after the last change of what they show."""
    changes = _commits_since(root, "docs/screenshots", SHOWN)
    if not changes:
        return Outcome()
    return Outcome(
        (f"Pages changed in {changes} commits since the pictures were taken: run make pictures, look at them.",)
    )


def benchmarks(root: Path) -> Outcome:
    """The benchmarks are of the code as it is; else a reminder, since a small change need not be measured."""
    changes = _commits_since(root, "docs/benchmarks.md", MEASURED)
    if not changes:
        return Outcome()
    return Outcome(
        reminders=(
            f"What is measured changed in {changes} commits since docs/benchmarks.md: run make bench if it matters.",
        )
    )


def tests(root: Path) -> Outcome:
    """Every check and test, those too that ``make test`` leaves out."""
    finished = subprocess.run(["make", "test-all"], cwd=root, check=False)
    return Outcome(("Checks or tests fail: see above.",) if finished.returncode else ())


def engines(root: Path) -> Outcome:
    """Every test of records in databases, all of those in Spark, without which no version is made."""
    if reason := java.lacking():
        return Outcome((reason,))
    finished = subprocess.run(["make", "test-engines"], cwd=root, check=False)
    return Outcome(("Tests of records in databases fail: see above.",) if finished.returncode else ())


STEPS: dict[str, Callable[[Path], Outcome]] = {
    "versions": versions,
    "changelog": changelog,
    "saved files": saved_files,
    "working tree": working_tree,
    "locks": locks,
    "wheel": wheel,
    "images": containers,
    "pictures": pictures,
    "benchmarks": benchmarks,
    "tests": tests,
    "engines": engines,
}
"""In their order: what takes long comes last."""


def walk(root: Path, left_out: Sequence[str] = ()) -> bool:
    """Walk the list and print each step; whether all is done. A step that is left out is open."""
    is_open = False
    for name, look in STEPS.items():
        outcome = Outcome(("Left out.",)) if name in left_out else look(root)
        is_open |= bool(outcome.open)
        print(f"{name:14}{'open' if outcome.open else 'ok'}", flush=True)
        for sentence in (*outcome.open, *outcome.reminders):
            print(f"{'':14}{sentence}", flush=True)
    return not is_open


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if nothing is open, else 1."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release_check", description="Walk the checklist of a version."
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=STEPS,
        metavar="STEP",
        help="leave a step out, which stays open",
    )
    done = walk(ROOT, parser.parse_args(arguments).without)
    print("Nothing is open: tag this commit." if done else "Not ready yet.")
    return 0 if done else 1


def _commits_since(root: Path, document: str, code: Sequence[str]) -> int:
    """How many commits changed code and are not behind the last one that changed the document.

    The number of a version is no code here, since it is raised last.
    """
    last = _git(root, "log", "-1", "--format=%H", "--", document).strip()
    revisions = f"{last}..HEAD" if last else "HEAD"
    return int(_git(root, "rev-list", "--no-merges", "--count", revisions, "--", *code, f":(exclude){VERSION_FILE}"))


def _by_tests(root: Path, *arguments: str, otherwise: str) -> Outcome:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    finished = subprocess.run(command, cwd=root, capture_output=True, check=False)
    return Outcome((otherwise,) if finished.returncode else ())


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout


def _text(root: Path, name: str) -> str:
    return (root / name).read_text(encoding="utf-8")


def _only(pattern: str, text: str) -> str:
    """The group of the first match, or "" where there is none."""
    match = re.search(pattern, text, re.MULTILINE)
    return match[1] if match else ""


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason was given"])[-1]


if __name__ == "__main__":
    sys.exit(main())
