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
from anonlib.verdict.attacks.attacking import Attacks, AttackSettings
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

    def attacker_of(released: Dataset) -> AttackSettings:
        return AttackSettings.of(original, released, project.aim, project.unknowable, n_columns=asked.columns)

    def in_words(share: float, _: Attacks | None = None, /) -> None:
        line(share, "Attacking")

    other: AnotherFile | None = None
    if asked.released is None:
        attacker = attacker_of(opened.applied.released)
        attacks = attack_release(
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
        attacks = other.attacks
    line.done()
    above = [attempt for attempt in attacks.attacks if is_above(attempt, limit)]
    if asked.json:
        shown.as_json(_as_values(attacks, other, limit))
    else:
        _say(attacks, other, limit)
    return NOT_MET if above else MET


def _table(path: Path | None, original: Dataset) -> Dataset | None:
    if path is None:
        return None
    loaded = files.one_file(path)
    return loaded.dataset(loaded.records(), "category").shown_as(original)


def _say(attacks: Attacks, other: AnotherFile | None, limit: float) -> None:
    sentence = first_sentence(attacks.attacks, attacks.attacker.n_columns)
    if sentence:
        shown.say(sentence)
    shown.say(attacks.made_of)
    if other is not None:
        copies, once = other.copies
        shown.say(
            f"{words.share(copies, other.n_records, 'records')} are an original record in all "
            f"{len(other.columns)} columns compared, {once:,} of them one that the original has once; {other.near:,} "
            "more differ from one in a single column."
        )
    for attempt in attacks.attacks:
        mark = "above" if is_above(attempt, limit) else "  ok "
        shown.say(f"{mark}  {title(attempt)}. {' '.join(says(attempt))}")
    for sentence in attacks.not_tried:
        shown.say(f"not tried  {sentence}")
    shown.say(f"Accepted gain: {words.percent(limit)}.")


def _as_values(attacks: Attacks, other: AnotherFile | None, limit: float) -> dict[str, Any]:
    """All of it as plain values for JSON."""
    frame = attacks.to_frame().astype(object)
    values: dict[str, Any] = {
        "accepted": limit,
        "made_of": attacks.made_of,
        "in_the_file": attacks.n_released,
        "in_the_control": attacks.n_control,
        "attacks": frame.where(frame.notna(), None).to_dict("records"),
        "not_tried": list(attacks.not_tried),
    }
    if attacks.alone is not None:
        values["alone"] = {
            "known": attacks.alone.known, "k": attacks.alone.k, "alone": attacks.alone.alone,
            "below": attacks.alone.below, "of": attacks.alone.n_records,
        }  # fmt: skip
    if other is not None:
        values["another_file"] = {
            "copies": other.copies[0], "copies_of_single_records": other.copies[1], "near": other.near,
            "records": other.n_records,
            "replicated_uniques": other.replicated_uniques,
            "disco": {disclosure.column: disclosure.share for disclosure in other.disclosed},
            "in_common": {overlap.column: overlap.share for overlap in other.in_common},
            "association_kept": None if other.together is None else other.together.kept,
            "criteria": [
                {"title": finding.criterion.title, "met": finding.is_met, "says": finding.says}
                for finding in other.findings
            ],
        }  # fmt: skip
    return values
