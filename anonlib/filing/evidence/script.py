"""The script that makes a release and its evidence again, without the app."""

from __future__ import annotations

from datetime import date

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.basics.version import VERSION
from anonlib.filing.evidence.evidence import PARTS, VALUE_TABLES, Evidence
from anonlib.filing.project import Opened
from anonlib.release.files import FORMATS

_SCRIPT = '''\
"""Makes the release of {name} again, and its evidence. Written by Anonscope {version} on {made_on}.

Keep this where the original is: the project in it names values of columns that may be known, and it has the seed of
the rows' order. It writes nothing where the verdict is against it and nobody wrote why it leaves all the same. Needs
Anonscope's library (pip install anonscope, or its folder on PYTHONPATH).{about_key}

    python {stem} {name}{population}{key} [FOLDER]
"""

import sys
from datetime import date
from hashlib import sha256
from pathlib import Path

from anonlib.evidence import PARTS, TwoFolders, gather, released_file, to_json
from anonlib.project import {key_class}{loaded_class}, Project, open_project, read_population

# The recipient: {recipient}. The release must meet:
{criteria}
# The recipe:
{steps}


def main(file: str, {population_argument}{key_argument}folder: str = "again") -> None:
    """Read the file, apply the recipe, check the criteria, and write what leaves and what stays into two folders."""
    {read_original}
    project = Project.from_json(PROJECT)
    {read_population}
    opened = open_project(project, original, population{read_key})
    if opened.data.digest != FILE:
        print("This is another file than the release was made of: everything is assessed again.")
    print(opened.verdict.says)
    if opened.why_it_stays:
        sys.exit(opened.why_it_stays)
    release = released_file(opened)
    evidence = gather(opened, parts={parts}, target={target}, people={stated}, who={who}, on=date({day}))
    stem = Path(file).stem
    stays = {{f"{{stem}}-evidence.json": to_json(evidence).encode()}}
    TwoFolders(stem, {{f"{{stem}}-released.{ending}": release}}, stays).write_into(Path(folder), [Path(file)])
    same = sha256(release).hexdigest() == RELEASE
    print("The release is the same, byte by byte." if same else "The release is not the same as the first one.")


# SHA-256 of the original and of the release.
FILE = "{file}"
RELEASE = "{release}"
PROJECT = "\\n".join([
{project}
])

if __name__ == "__main__":
    main(*sys.argv[1:])
'''


_READ_FILE = "original = LoadedFile.of(Path(file).read_bytes(), Path(file).name)"
_READ_TABLES = (
    "tables = [each for each in sorted(Path(file).iterdir()) if each.is_file()]\n"
    "    original = LoadedTables.of([(each.name, each.read_bytes()) for each in tables])"
)
_FOLDER = "FOLDER_OF_TABLES"
_ABOUT_KEY = (
    " KEY is the file of the\nkey {key_id}, by which persons have their pseudonyms: it is not in here, and does not "
    "belong here."
)


def script_of(opened: Opened, evidence: Evidence) -> str:
    """The script that makes a release and its evidence again.

    Parameters
    ----------
    opened : Opened
        The project on its files.
    evidence : Evidence
        What was gathered of it.

    Returns
    -------
    str
        Python. Run on the same files it writes the same release, byte by byte, and the same evidence; it writes
        nothing where the verdict is against it and the project has no reason why it leaves all the same.

    Raises
    ------
    InputError
        Where no file can be made, a step is made of values that a project does not hold, or the records stay in a
        database.
    """
    if evidence.file.by_content:
        raise InputError(
            "The records stay in a database, and a script reads a file: the release can be made again in the app "
            "alone.",
            code="records-in-a-database",
        )
    if evidence.released is None:
        raise InputError(
            evidence.why_no_file or "No record is left in the release, so that there is nothing to make.",
            code="no-record-left",
        )
    if unsaved_columns := opened.project.unsaved_columns:
        raise InputError(
            f"Steps are made of values of {words.quoted(unsaved_columns)}, which a script may not hold. Save the "
            "recipe on the page Release instead, which has its steps with them.",
            code="values-not-saved",
        )
    day = date.fromisoformat(evidence.made_on)
    has_population = opened.people is not None
    table = opened.project.population
    weight = None if table is None else table.weight
    label, several = evidence.pseudonyms, len(evidence.files) > 1
    reading = f"read_population(Path(people).read_bytes(), Path(people).name, {weight!r})"
    return _SCRIPT.format(
        name=_FOLDER if several else _line(evidence.file.name),
        stem="SCRIPT.py",
        version=VERSION,
        made_on=evidence.made_on,
        recipient=_line(evidence.recipient),
        population=" POPULATION" if has_population else "",
        population_argument="people: str, " if has_population else "",
        read_population=f"population = {reading}" if has_population else "population = None",
        read_original=_READ_TABLES if several else _READ_FILE,
        loaded_class="LoadedTables" if several else "LoadedFile",
        ending=FORMATS["CSV"].ending_of(opened.data),
        about_key="" if label is None else _ABOUT_KEY.format(key_id=label.key_id),
        key="" if label is None else " KEY",
        key_class="" if label is None else "KeyOfPseudonyms, ",
        key_argument="" if label is None else "key: str, ",
        read_key="" if label is None else ", KeyOfPseudonyms.of(Path(key).read_bytes())",
        criteria=_comments([criterion.asks for criterion in evidence.criteria]),
        steps=_comments([f"{i}. {step.says}" for i, step in enumerate(evidence.steps, start=1)]),
        parts="PARTS" if _looked_at(evidence) == PARTS else repr(_looked_at(evidence)),
        target=repr(_target(evidence)),
        stated=None if evidence.in_population is None else evidence.in_population.people,
        who=repr(evidence.who),
        day=f"{day.year}, {day.month}, {day.day}",
        file=evidence.file.sha256,
        release=evidence.released.sha256,
        project="\n".join(f"    {line!r}," for line in opened.project.to_json().split("\n")),
    )


def _looked_at(evidence: Evidence) -> tuple[str, ...]:
    parts = tuple(part for part in PARTS if part not in evidence.left_out)
    return (*parts, VALUE_TABLES) if evidence.is_confidential else parts


def _target(evidence: Evidence) -> str:
    prediction = None if evidence.utility is None else evidence.utility.prediction
    return "" if prediction is None else prediction.target


def _comments(lines: list[str]) -> str:
    return "\n".join(f"#   {_line(line)}" for line in lines) or "#   nothing"


def _line(text: str) -> str:
    """A text of a file on one line of a comment: nothing in it ends the line, or the text around it."""
    return "".join(c if c.isprintable() else " " for c in text).replace('"""', "'''").replace("\\", "/")
