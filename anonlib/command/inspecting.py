"""``inspect``: how a file is read, suggested roles, and the risk that they say."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace

from anonlib.basics import figures, words
from anonlib.columns.dictionaries import read_dictionary
from anonlib.columns.person_ids import IdDoubts, in_words
from anonlib.columns.roles import Role, Suggestion, suggest_roles
from anonlib.command import files, shown
from anonlib.command.arguments import MET
from anonlib.dataset import Dataset
from anonlib.filing.evidence import RiskFacts, risk_of
from anonlib.filing.project import Project
from anonlib.release.unprotected import BothEnds
from anonlib.release.whose_rows import doubts_of
from anonlib.verdict.criteria import Spelled, ends_of, spelled_differently, spelled_in_words

_NAMES_SOMEBODY = (Role.IDENTIFIER, Role.PERSON_ID)
_COUNTED_BY = (Role.PERSON_ID, Role.WEIGHT)  # of these it is asked how records count, not who knows them


def inspect(asked: argparse.Namespace) -> int:
    """Say how a file is read, what its columns look like, and how identifiable that makes it."""
    loaded = files.loaded(asked.file)
    says = ""
    if asked.dictionary is not None:
        dictionary = read_dictionary(files.content(asked.dictionary, "The dictionary"), files.name_of(asked.dictionary))
        described = dictionary.on(loaded.columns, loaded.known)
        loaded, says = replace(loaded, described=described), dictionary.says(loaded.columns)
    records = loaded.records()
    data = loaded.dataset(records, "category")
    suggested = suggest_roles(data.visible, loaded.known)
    decided = {
        suggestion.column: suggestion.role
        for suggestion in suggested
        if not suggestion.asked or suggestion.role in _COUNTED_BY
    }
    data = data.with_roles({**decided, **loaded.roles})
    notes = (*loaded.notes, *([says] if says else []))
    project = Project()
    risk = risk_of(data, project.k) if data.quasi_identifiers else None
    ends = ends_of(data, project.aim.k, project.aim.rows)
    spelled = spelled_differently(
        data, [suggestion.column for suggestion in suggested if suggestion.role not in _NAMES_SOMEBODY]
    )
    doubts = doubts_of(data)
    if asked.json:
        shown.as_json(_document(notes, suggested, data, risk, ends, spelled, doubts))
        return MET
    shown.say(f"{data.name}: {words.count(data.n_records, 'rows')}, {words.count(len(data.columns), 'columns')}")
    for note in notes:
        shown.say(f"  {note}")
    if spelled:
        shown.say(f"  {spelled_in_words(spelled)} The Data page and a project’s merge_spellings make them one.")
    shown.say("\nSuggested roles (nothing is decided by them):")
    rows = [("column", "role", figures.VALUES.name.lower(), "missing", "why")]
    rows += [
        (
            suggestion.column,
            _shown(suggestion),
            f"{suggestion.distinct:,}",
            f"{suggestion.missing:,}",
            suggestion.why[0],
        )
        for suggestion in suggested
    ]
    shown.table(rows)
    if ends is not None:
        shown.ends(ends, data.unit)
    elif risk is not None:
        shown.say(f"\nIf {words.quoted(data.quasi_identifiers)} {_is(data.quasi_identifiers)} known outside:")
        shown.risk(risk, data.unit, data.has_several_rows)
    else:
        shown.say("\nNo column is suggested as known outside, so there is no risk to count.")
        shown.doubts(doubts)
        return MET
    shown.doubts(doubts)
    open_ones = [suggestion.column for suggestion in suggested if suggestion.asked]
    if open_ones:
        shown.say(f"\nOnly you can say: could somebody outside know {words.quoted(open_ones, last='or')}?")
    shown.say("\nA project to begin with, as TOML:\n")
    shown.say(_toml(suggested, doubts))
    return MET


def _toml(suggested: tuple[Suggestion, ...], doubts: IdDoubts | None) -> str:
    lines = ['recipient = "contract"', "", "[roles]"]
    lines += [_line(suggestion) for suggestion in suggested]
    return "\n".join([*lines, *_ids_in_toml(doubts)])


def _line(suggestion: Suggestion) -> str:
    """The role of a column in TOML; left out, so that it stays undecided, where nothing tells what it is."""
    if suggestion.is_open:
        return f"# {_key(suggestion.column)} =   # decide: nothing tells what it is"
    return f'{_key(suggestion.column)} = "{suggestion.role}"' + ("  # decide" if suggestion.asked else "")


def _shown(suggestion: Suggestion) -> str:
    return "only you can say" if suggestion.is_open else suggestion.role.label


def _ids_in_toml(doubts: IdDoubts | None) -> list[str]:
    """How the ids could be read, as comments: nothing of it is done unless somebody says so."""
    if doubts is None or not (doubts.fill or doubts.spellings or doubts.site):
        return []
    settings = [f"column = {_text(doubts.column)}"]
    if doubts.fill:
        settings.append(f"fill_down = [{', '.join(map(_text, doubts.fill))}]")
    if doubts.spellings:
        settings.append("one_spelling = true")
    if doubts.site:
        settings.append(f"within = {_text(doubts.site)}")
    return ["", "# [read]  # without the marks in front, if it is so", f"# person_ids = {{ {', '.join(settings)} }}"]


def _key(name: str) -> str:
    """A column's name as a key in TOML."""
    plain = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if plain else _text(name)


def _text(name: str) -> str:
    """A text in TOML."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _document(
    notes: tuple[str, ...],
    suggested: tuple[Suggestion, ...],
    data: Dataset,
    risk: RiskFacts | None,
    ends: BothEnds | None,
    spelled: tuple[Spelled, ...],
    doubts: IdDoubts | None,
) -> dict[str, object]:
    return {
        "file": data.name,
        "sha256": data.digest,
        "records": data.n_records,
        "reading": list(notes),
        "columns": [
            {
                "name": suggestion.column,
                "suggested": None if suggestion.is_open else str(suggestion.role),
                "reasons": list(suggestion.reasons),
                "asked": suggestion.asked,
                "values": suggestion.distinct,
                "missing": suggestion.missing,
            }
            for suggestion in suggested
        ],
        "spelled": [asdict(spelling) for spelling in spelled],
        "whose_rows": None if not doubts else {**asdict(doubts), "says": list(in_words(doubts))},
        "undecided": None if ends is None else asdict(ends),
        "risk": None if risk is None else asdict(risk),
    }
