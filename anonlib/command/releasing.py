"""``release`` and ``report``: the file that leaves, and what is filed with it."""

from __future__ import annotations

import argparse
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.two_folders import WHAT_THEY_ARE, TwoFolders, before_of
from anonlib.command import earlier, files, shown
from anonlib.command.progress import ProgressLine
from anonlib.command.shown import status_of, status_of_evidence
from anonlib.filing.evidence import CONFIDENTIAL, PARTS, VALUE_TABLES, Evidence, gather, released_file, to_json
from anonlib.filing.evidence.report import ADDITIONS, additions, html_of, pdf_of
from anonlib.filing.languages.report import translated_codebook
from anonlib.filing.project import Opened
from anonlib.filing.record import record_zip
from anonlib.release.codebook import codebook
from anonlib.release.export import table_csv, value_mapping
from anonlib.release.files import FORMATS

_KINDS = (".html", ".pdf", ".json", ".zip")


def release(asked: argparse.Namespace) -> int:
    """Make the file that leaves, its mapping, the evidence, the report, and the project with the release on record.

    Nothing is written where the verdict is against it and no reason is given.
    """
    before_of(asked.out, files.inputs(asked))  # refused before the work
    beside = earlier.opened(asked)
    opened = beside.opened
    if reason := checks.text(asked.anyway, "The reason").strip():
        aim = replace(opened.project.aim, leaves_anyway=reason)
        opened = replace(opened, project=replace(opened.project, aim=aim))
    if opened.why_no_key:
        raise InputError(opened.why_no_key, code="key-missing")
    if why_not := opened.why_it_stays:
        if opened.applied.why_not or not opened.applied.released.n_records:
            raise InputError(why_not, code="release-stays")
        _say_it_stays(opened, beside, asked.json)
        return status_of(False, [finding.state for finding in opened.verdict.against])
    file = released_file(opened)
    verdict = opened.verdict
    # The evidence names the project that is written, which has the release on record.
    opened = replace(opened, project=opened.project.having_released(sha256(file).hexdigest(), opened.data))
    kinds = tuple(name for name, file_format in FORMATS.items() if file_format.ending in asked.format and name != "CSV")
    evidence = _evidence(opened, asked, kinds or ("CSV",))
    stem = files.stem(opened.data.name)
    book, _ = translated_codebook(
        codebook(opened.applied.released, opened.project.recipe, opened.pseudonyms, opened.project.aim.coin),
        asked.language,
    )
    in_formats = {kind: released_file(opened, kind) for kind in kinds}  # the same rows in the same order
    leaves = {
        f"{stem}-released.{FORMATS[kind].ending_of(opened.data)}": content
        for kind, content in {"CSV": file, **in_formats}.items()
    } | {
        f"{stem}-codebook.xlsx": book.to_excel(),
    }
    report = {f"{stem}-report{ending}": _document(opened, evidence, asked, ending) for ending in (".html", ".pdf")}
    stays = {
        f"{stem}-values.csv": table_csv(value_mapping(opened.applied, opened.project.recipe)),
        f"{stem}-evidence.json": to_json(evidence).encode(),
        f"{stem}-project.json": opened.project.to_json().encode(),
    }
    folders = TwoFolders(
        stem, {**leaves, **(report if asked.public else {})}, {**stays, **({} if asked.public else report)}
    )
    folders.write_into(asked.out, files.inputs(asked))
    digests = {kind: sha256(content).hexdigest() for kind, content in {"CSV": file, **in_formats}.items()}
    entry = beside.enter(opened, digests, verdict)
    _say(evidence, list(folders.files), asked, beside, WHAT_THEY_ARE, entry)
    return status_of_evidence(evidence)


def _say_it_stays(opened: Opened, beside: earlier.WithEarlier, as_json: bool) -> None:
    if as_json:
        document = {"verdict": opened.verdict.says, "may_leave": False, "written": [], "note": opened.no_longer_met}
        shown.as_json({**document, **beside.as_values})
        return
    shown.say(opened.verdict.says)
    if opened.no_longer_met:
        shown.say(f"Note: {opened.no_longer_met}")
    beside.say()
    shown.say("Nothing was written. Change the project, or give a reason with --anyway.")


def report(asked: argparse.Namespace) -> int:
    """Make the report alone."""
    files.check_out(asked)
    ending = asked.out.suffix.lower()
    if ending not in _KINDS:
        raise InputError(
            f"The name of the report must end in one of: {', '.join(_KINDS)}.", code="file-name-of-other-kind"
        )
    if ending == ".json" and asked.public:
        raise InputError(
            "The evidence as JSON has every number and the digest of the original, and is for nobody else: leave out "
            "--public, or name a report that ends in .html or .pdf.",
            code="options-do-not-fit",
        )
    if ending == ".zip" and asked.order != "record":
        raise InputError("A zip is the record of a data set: give --order record with it.", code="options-do-not-fit")
    beside = earlier.opened(asked)
    opened = beside.opened
    evidence = _evidence(opened, asked)
    files.write(asked, _document(opened, evidence, asked, ending), for_anybody=asked.public or ending == ".zip")
    _say(evidence, [Path(asked.out).name], asked, beside)
    return status_of_evidence(evidence)


def _document(opened: Opened, evidence: Evidence, asked: argparse.Namespace, ending: str) -> bytes:
    match ending:
        case ".json":
            return to_json(evidence).encode()
        case ".zip":
            return record_zip(opened, evidence)
    form = html_of if ending == ".html" else pdf_of
    return form(evidence, asked.order, public=asked.public, add=_added(asked), language=asked.language)


def _added(asked: argparse.Namespace) -> tuple[str, ...]:
    """What is added to a report for anybody."""
    return tuple(filter(None, (addition.strip() for addition in asked.add.split(","))))


def _evidence(opened: Opened, asked: argparse.Namespace, formats: tuple[str, ...] = ()) -> Evidence:
    if asked.values and asked.public:
        raise InputError(
            "A report for anybody lists no values of the original: leave out --values or --public.",
            code="options-do-not-fit",
        )
    if unknown := set(_added(asked)) - set(ADDITIONS):
        raise InputError(
            f"{len(unknown)} of what --add names are none of: {', '.join(ADDITIONS)}.", code="choice-unknown"
        )
    if asked.add and not asked.public:
        raise InputError(
            "Only to a report for anybody something is added: give --public too, or leave out --add.",
            code="options-do-not-fit",
        )
    progress = ProgressLine(not asked.quiet)
    parts = (*PARTS, VALUE_TABLES) if asked.values else PARTS
    evidence = gather(
        opened, parts=parts, target=asked.predict, people=asked.people, who=asked.who, formats=formats,
        progress=progress,
    )  # fmt: skip
    progress.done()
    return evidence


def _say(
    evidence: Evidence,
    written: list[str],
    asked: argparse.Namespace,
    beside: earlier.WithEarlier,
    about: str = "",
    entry: str = "",
) -> None:
    added = [sentence for key in _added(asked) for sentence in additions(evidence)[key]]
    if asked.json:
        document = {
            "verdict": evidence.verdict,
            "learned": evidence.learned,
            "may_leave": evidence.may_leave,
            "written": written,
            "added": added,
            "confidential": CONFIDENTIAL if evidence.is_confidential else "",
        }
        shown.as_json({**document, **beside.as_values, **({"entered": entry} if entry else {})})
        return
    shown.verdict(evidence)
    shown.in_population(evidence.in_population, evidence.unit)
    beside.say()
    for name in written:
        shown.say(f"  {name}")
    if about:
        shown.say(about)
    if entry:
        shown.say(f"Entered in the register: {entry}.")
    for sentence in added:
        shown.say(f"Added to the report for anybody: {sentence}")
    if evidence.is_confidential:
        shown.say(f"Note on the report and the evidence, as asked for with --values. {CONFIDENTIAL}")
