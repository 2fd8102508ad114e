"""What can be asked on the command line, each with an example."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn, TypeAlias, get_args

from anonlib.basics import words
from anonlib.basics.version import VERSION
from anonlib.filing.case import Order
from anonlib.filing.languages import ENGLISH, languages

_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"
MET, BROKEN, UNUSABLE, NOT_MET, NOT_COMPARED, NOT_CHECKED, EXHAUSTED = 0, 1, 2, 3, 4, 5, 6
"""Exit status: all criteria are met; of ``audit``, the chain is broken; the input cannot be used; a criterion is not
met; of ``verify``, nothing differs but the cells were not compared; none is not met, but one cannot be checked; the
machine has no more memory, disk or room for a file."""
_NO_MORE = "6 when the machine has no more memory, disk or room for a file"
_STATUS = (
    "Exit status: 0 when all criteria are met, 3 when one is not, 5 when none is not met but one cannot be checked, 2 "
    f"when the input cannot be used, and {_NO_MORE}; the reason is then on standard error."
)
_OF_VERIFY = (
    "Exit status: 0 when the file is one that was released byte by byte, or each of its cells was compared with the "
    "release made again and is the same; 3 when something differs; 4 when nothing does but the cells were not "
    "compared, which takes the project and the original; 2 when the input cannot be used, and "
    f"{_NO_MORE}."
)
_OF_ATTACK = (
    "Exit status: 0 when no attack gains more than is accepted, 3 when one does, 2 when the input cannot be used, and "
    f"{_NO_MORE}; the reason is then on standard error."
)
_OF_DEPARTMENT = (
    "Exit status: 0 when it is done, 2 when the settings or the store cannot be used; the reason is then on standard "
    "error."
)
_OF_AUDIT = (
    "Exit status: 0 when the chain holds or is exported, 1 when it is broken, 2 when the settings or the store cannot "
    "be used; the reason is then on standard error."
)
_PROJECT = "what was decided: saved in the app with “Save project”, or written by hand in TOML"


class _Parser(argparse.ArgumentParser):
    """A parser whose errors name what was typed so that a terminal does not obey it."""

    def error(self, message: str) -> NoReturn:
        super().error(words.escaped(message))


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; each command's name is in ``command``."""
    top = _Parser(
        prog="anonscope",
        description="See who could be re-identified in a file, check a release of it, and make it. Nothing leaves this "
        "machine.",
        epilog=_STATUS,
    )
    top.add_argument("--version", action="version", version=f"Anonscope {VERSION}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _inspect(commands)
    _assess(commands)
    _advise(commands)
    _release(commands)
    _report(commands)
    _verify(commands)
    _attack(commands)
    _serve(commands)
    _audit(commands)
    _department_register(commands)
    _keys(commands)
    return top


def _command(commands: _Commands, name: str, does: str, example: str, status: str = _STATUS) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=does[0].lower() + does[1:].rstrip("."),
        description=does,
        epilog=f"Example: anonscope {example}\n\n{status}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _file(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE", help="CSV, Excel, Parquet, Stata, SAS or SPSS")


def _output(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="say it as JSON on standard output")
    command.add_argument("--quiet", action="store_true", help="no progress on standard error")


def _overwrite(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--overwrite", action="store_true", help="replace the file that --out names; never one that is read here"
    )


def _project(command: argparse.ArgumentParser) -> None:
    command.add_argument("--project", type=Path, required=True, metavar="P", help=_PROJECT)
    command.add_argument("--population", type=Path, metavar="FILE", help="the people of the area, as a table")


def _pseudonym_key(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--pseudonym-key", type=Path, metavar="KEY",
        help="the file of the key, where the project names persons by pseudonyms; the key stays in this file alone",
    )  # fmt: skip


def _earlier(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--earlier", type=Path, nargs=2, action="append", default=[], metavar=("PROJECT", "FILE"),
        help="an earlier release that can be held beside this one, by the project that was kept with it and the file "
        "that it was made of; give it again for another",
    )  # fmt: skip


def _register(command: argparse.ArgumentParser, also: str = "") -> None:
    command.add_argument(
        "--register", type=Path, metavar="DIR",
        help="the folder of a register of releases: those that could be held beside this one, and were not given with "
        f"--earlier, are named{also}",
    )  # fmt: skip


def _inspect(commands: _Commands) -> None:
    command = _command(
        commands, "inspect", "How a file is read, the roles suggested for its columns, and what risk that is.",
        "inspect visits.csv --dictionary codebook.xlsx",
    )  # fmt: skip
    _file(command)
    command.add_argument(
        "--dictionary", type=Path, metavar="FILE",
        help="a data dictionary of the file: a table, REDCap, DDI, FHIR, Frictionless or another",
    )  # fmt: skip
    _output(command)


def _assess(commands: _Commands) -> None:
    command = _command(
        commands, "assess", "Whether the release that a project makes of a file may leave for its recipient.",
        "assess visits.csv --project visits-project.json",
    )  # fmt: skip
    _file(command)
    _project(command)
    _earlier(command)
    _register(command)
    _output(command)


def _advise(commands: _Commands) -> None:
    command = _command(
        commands, "advise",
        "What would meet the criteria, best first, in all ways that the project allows; the best as another project.",
        "advise visits.csv --project visits.toml --out visits-project.json --ways whole,parts",
    )  # fmt: skip
    _file(command)
    _project(command)
    command.add_argument("--out", type=Path, required=True, metavar="P2", help="where the project with the change goes")
    _overwrite(command)
    command.add_argument("--areas", type=Path, metavar="FILE", help="areas that places can be joined to regions of")
    command.add_argument(
        "--ways", metavar="W",
        help="which ways to protect are searched, of whole, blanks and parts (default: those that the project allows)",
    )  # fmt: skip
    command.add_argument(
        "--take", type=int, default=1, metavar="N", help="which proposal of the list is written (default 1, the best)"
    )
    command.add_argument(
        "--effort", type=float, default=1.0, metavar="E",
        help="how much to search, in times of what the app does unasked (default 1; its button does 10): the same "
        "effort gives the same answer on every machine",
    )  # fmt: skip
    command.add_argument(
        "--seconds", type=float, metavar="S",
        help="end each search early after so many seconds; what it has found is then marked, and another machine may "
        "find another",
    )  # fmt: skip
    _earlier(command)
    _output(command)


def _release(commands: _Commands) -> None:
    command = _command(
        commands, "release",
        "Make the file that leaves with its codebook, and what is filed of it: values, evidence, report and project.",
        "release visits.csv --project visits-project.json --out july",
    )  # fmt: skip
    _file(command)
    _project(command)
    command.add_argument(
        "--out", type=Path, required=True, metavar="DIR",
        help="a new folder, or one of an earlier release: what leaves goes to “leaves” in it, and what is filed "
        "and stays inside to “stays”, which only you can read",
    )  # fmt: skip
    command.add_argument(
        "--anyway",
        metavar="REASON",
        default="",
        help="why it leaves although a criterion is not met (kept in the report)",
    )
    command.add_argument(
        "--format", choices=("csv", "xlsx", "parquet", "sav", "dta"), action="append", default=[],
        help="the file that leaves as Excel, Parquet, SPSS or Stata too, beside the CSV; give it again for another",
    )  # fmt: skip
    _pseudonym_key(command)
    _earlier(command)
    _register(command, "; the release is entered in it")
    _of_report(command)
    _output(command)


def _report(commands: _Commands) -> None:
    command = _command(
        commands, "report", "The report alone, as HTML or PDF by the name of the file, or the evidence as JSON.",
        "report visits.csv --project visits-project.json --out visits-report.pdf",
    )  # fmt: skip
    _file(command)
    _project(command)
    command.add_argument(
        "--out", type=Path, required=True, metavar="FILE",
        help="ends in .html, .pdf or .json; with --order record also in .zip: the record for a catalogue",
    )  # fmt: skip
    _overwrite(command)
    _pseudonym_key(command)
    _earlier(command)
    _register(command)
    _of_report(command)
    _output(command)


def _of_report(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--order", choices=get_args(Order), default="assessment",
        help="the form of the report: a general assessment, that of an application to an ethics board, of an EMA or "
        "Health Canada anonymisation report, of a HIPAA expert determination, of an annex to a data protection impact "
        "assessment, or of the record of a data set",
    )  # fmt: skip
    command.add_argument(
        "--language",
        choices=list(languages()),
        default=ENGLISH,
        help="of the report and the codebook; the evidence is English",
    )
    command.add_argument(
        "--public", action="store_true",
        help="a report for anybody: what leaves and what was decided, and nothing counted on the original",
    )  # fmt: skip
    command.add_argument(
        "--add", default="", metavar="WHAT",
        help="with --public, what of the original it says all the same, numbers as ranges: some of rows, detail, "
        "learned, reasons, separated by commas",
    )  # fmt: skip
    command.add_argument(
        "--values", action="store_true",
        help="list values of the original and what they became: report and evidence are then as confidential as the "
        "data",
    )  # fmt: skip
    command.add_argument(
        "--predict", default="", metavar="COLUMN", help="a column that a task for the release predicts"
    )
    command.add_argument(
        "--people", type=int, metavar="N", help="everybody whom the file could have been drawn from, for estimates"
    )  # fmt: skip
    command.add_argument(
        "--who", default="", metavar="NAME",
        help="who says so, for the report (default: the author that the project's case names)",
    )  # fmt: skip


def _verify(commands: _Commands) -> None:
    command = _command(
        commands, "verify", "Whether a file that came back is what its evidence or its original says.",
        "verify july/leaves/visits-released.csv --evidence july/stays/visits-evidence.json", _OF_VERIFY,
    )  # fmt: skip
    command.add_argument("released", type=Path, metavar="RELEASED", help="the file that came back")
    command.add_argument("--project", type=Path, metavar="P", help=_PROJECT)
    command.add_argument("--evidence", type=Path, metavar="E", help="the evidence that was saved with the report")
    command.add_argument("--original", type=Path, metavar="FILE", help="the original, to make the release of again")
    _pseudonym_key(command)
    _output(command)


def _attack(commands: _Commands) -> None:
    command = _command(
        commands, "attack",
        "What somebody with a file gets: one made elsewhere of an original, or the release that the project makes.",
        "attack visits.csv synthetic.csv --project visits-project.json --control others.csv", _OF_ATTACK,
    )  # fmt: skip
    command.add_argument("file", type=Path, metavar="ORIGINAL", help="CSV, Excel, Parquet, Stata, SAS or SPSS")
    command.add_argument(
        "released", type=Path, metavar="RELEASED", nargs="?",
        help="a file made elsewhere of the original, with its names of columns; the project's release when left out",
    )  # fmt: skip
    _project(command)
    command.add_argument(
        "--control", type=Path, metavar="FILE",
        help="people whom the original does not hold, with its columns; of the project's release a random tenth is "
        "kept out without it",
    )  # fmt: skip
    command.add_argument("--columns", type=int, default=3, metavar="N", help="columns of a condition (default 3)")
    command.add_argument(
        "--accepted", type=float, metavar="SHARE",
        help="what an attack may gain, 0 to 1 (default: the highest risk that the recipient is asked for)",
    )  # fmt: skip
    _output(command)


def _serve(commands: _Commands) -> None:
    command = _command(
        commands, "serve", "Start the app on this machine, and open it in the browser.", "serve --port 9000"
    )
    command.add_argument("--port", type=int, default=8501, help="port to listen on (default 8501)")
    command.add_argument("--no-browser", action="store_true", help="print the address and open no browser")
    command.add_argument(
        "--data", type=Path, metavar="DIR", help="offer the CSV and Parquet files of a folder, to be opened in place"
    )
    command.add_argument(
        "--temporary", type=Path, metavar="DIR", help="a folder for what of --data does not fit into memory"
    )
    command.add_argument(
        "--releases", type=Path, metavar="DIR", help="a folder into which releases of --data can be written"
    )
    command.add_argument(
        "--register", type=Path, metavar="DIR", help="the folder in which a register of releases may be kept"
    )
    command.add_argument(
        "--team", type=Path, metavar="FILE",
        help="serve a department instead, behind a sign-in, as the settings in this file say (docs/team.md)",
    )  # fmt: skip


def _team(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--team", type=Path, required=True, metavar="FILE", help="the settings of the department's server, in TOML"
    )


def _audit(commands: _Commands) -> None:
    command = _command(
        commands, "audit", "Verify the chain of a department's audit lines, or print them as JSON, a line each.",
        "audit verify --team team.toml", _OF_AUDIT,
    )  # fmt: skip
    command.add_argument("do", choices=("verify", "export"), metavar="verify|export", help="what to do with them")
    _team(command)
    command.add_argument(
        "--head", metavar="NUMBER:HASH",
        help="a head that “verify” printed earlier and that was noted elsewhere: lines that are missing since or were "
        "written again are then found, too",
    )  # fmt: skip


def _department_register(commands: _Commands) -> None:
    command = _command(
        commands, "register", "Take a desk's register of releases over into the department's.",
        "register import --team team.toml releases", _OF_DEPARTMENT,
    )  # fmt: skip
    command.add_argument("do", choices=("import",), metavar="import", help="what to do with it")
    _team(command)
    command.add_argument("folder", type=Path, metavar="FOLDER", help="where the desk's register and its key are")


def _keys(commands: _Commands) -> None:
    command = _command(
        commands, "keys", "Make, rotate or list the department's keys, each in a file of its own.",
        "keys make --team team.toml --name cardiology", _OF_DEPARTMENT,
    )  # fmt: skip
    command.add_argument("do", choices=("make", "rotate", "list"), metavar="make|rotate|list", help="what to do")
    _team(command)
    command.add_argument(
        "--name", default="pseudonyms", help="of a key of pseudonyms (default: pseudonyms); several may be there"
    )
