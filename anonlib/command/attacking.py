"""``attack``: what somebody with a file actually gets."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.command import files, shown
from anonlib.command.arguments import MET, NOT_MET
from anonlib.command.progress import ProgressLine
from anonlib.dataset import Dataset
from anonlib.verdict.attacks.attacking import Attacker, Attacks
from anonlib.verdict.attacks.attacking import attack as attack_release
from anonlib.verdict.attacks.elsewhere import AnotherFile, another_file
from anonlib.verdict.attacks.in_words import first_sentence, is_above, says, title


def attack(asked: argparse.Namespace) -> int:
    """Attack a file made elsewhere, or the release that a project makes, and say what each attack gains."""
    if asked.columns < 1:
        raise InputError(
            "A condition is on one column or more: give --columns a number from 1.", code="number-out-of-range"
        )
    opened = files.opened(asked)
    limit = opened.project.asked_threshold if asked.accepted is None else asked.accepted
    if not 0 <= limit <= 1:
        raise InputError(
            "What an attack may gain is a share: give --accepted a number from 0 to 1.", code="number-out-of-range"
        )
    original = opened.applied.original
    control = _table(asked.control, original)
    line = ProgressLine(not asked.quiet)
    project = opened.project

    def attacker_of(released: Dataset) -> Attacker:
        return Attacker.of(original, released, project.aim, project.unknowable, n_columns=asked.columns)

    def in_words(share: float, _: Attacks | None = None, /) -> None:
        line(share, "Attacking")

    other: AnotherFile | None = None
    if asked.released is None:
        attacker = attacker_of(opened.applied.released)
        found = attack_release(
            opened.applied,
            opened.project.recipe,
            attacker,
            control=control,
            population=opened.people,
            progress=in_words,
        )
    else:
        released = _table(asked.released, original)
        assert released is not None
        criteria = opened.project.aim.criteria
        other = another_file(original, released, attacker_of(released), criteria, control=control, progress=in_words)
        found = other.attacks
    line.done()
    above = [each for each in found.attacks if is_above(each, limit)]
    if asked.json:
        shown.as_json(_as_values(found, other, limit))
    else:
        _say(found, other, limit)
    return NOT_MET if above else MET


def _table(path: Path | None, original: Dataset) -> Dataset | None:
    if path is None:
        return None
    loaded = files.one_file(path)
    return loaded.dataset(loaded.records(), "category").shown_as(original)


def _say(found: Attacks, other: AnotherFile | None, limit: float) -> None:
    sentence = first_sentence(found.attacks, found.attacker.n_columns)
    if sentence:
        shown.say(sentence)
    shown.say(found.made_of)
    if other is not None:
        copies, once = other.copies
        shown.say(
            f"{words.share(copies, other.n_records, 'records')} are an original record in all "
            f"{len(other.columns)} columns compared, {once:,} of them one that the original has once; {other.near:,} "
            "more differ from one in a single column."
        )
    for each in found.attacks:
        mark = "above" if is_above(each, limit) else "  ok "
        shown.say(f"{mark}  {title(each)}. {' '.join(says(each))}")
    for sentence in found.not_tried:
        shown.say(f"not tried  {sentence}")
    shown.say(f"Accepted gain: {words.percent(limit)}.")


def _as_values(found: Attacks, other: AnotherFile | None, limit: float) -> dict[str, Any]:
    """All of it as plain values for JSON."""
    frame = found.to_frame().astype(object)
    values: dict[str, Any] = {
        "accepted": limit,
        "made_of": found.made_of,
        "in_the_file": found.n_released,
        "in_the_control": found.n_control,
        "attacks": frame.where(frame.notna(), None).to_dict("records"),
        "not_tried": list(found.not_tried),
    }
    if found.alone is not None:
        values["alone"] = {
            "known": found.alone.known, "k": found.alone.k, "alone": found.alone.alone, "below": found.alone.below,
            "of": found.alone.n_records,
        }  # fmt: skip
    if other is not None:
        values["another_file"] = {
            "copies": other.copies[0], "copies_of_single_records": other.copies[1], "near": other.near,
            "records": other.n_records,
            "replicated_uniques": other.replicated_uniques,
            "disco": {each.column: each.share for each in other.disclosed},
            "in_common": {each.column: each.share for each in other.in_common},
            "association_kept": None if other.together is None else other.together.kept,
            "criteria": [
                {"title": each.criterion.title, "met": each.is_met, "says": each.says} for each in other.findings
            ],
        }  # fmt: skip
    return values
