"""The test by a motivated intruder: targets that are drawn, what a person who tries is given, and their score.

Somebody competent tries with the release and with sources of their own, and says how sure they are (ICO, anonymisation
guidance, 2025; EMA, guidance on Policy 0070; ONS, guidance on intruder testing). The officer knows who is who. First
the targets are drawn; then the claims of the intruder are scored: right, wrong, and how sure they were.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.release.applied import Applied
from anonlib.release.files.workbook import write_tables
from anonlib.release.recipe import Recipe
from anonlib.values.cells import to_numbers
from anonlib.values.spellings import read_as_one
from anonlib.verdict.attacks.attacking import AttackSettings
from anonlib.verdict.attacks.matching import LeavingColumn, Matching, fitting, of_release
from anonlib.verdict.attacks.result import Rate, known_of, targets

TARGETS = 20
MOST_TARGETS = 100
NOT_IN_IT = "none"
"""A claim that the target is not in the release, in the place of a record."""
_LOOKED_AT = 5_000  # people of whom those at most risk are chosen
GIVEN, VALUE = "known: ", "value of: "
TARGET, RECORD, SURE, SOURCES, MINUTES = "target", "record", "how sure, %", "sources", "minutes"


@dataclass(frozen=True, eq=False)
class Sheet:
    """Targets that were drawn, and the answers, which stay with the officer.

    Attributes
    ----------
    names : tuple[str, ...]
        Of the targets, such as ``T3fa1-07``; the first part tells one draw of one release from another.
    given : tuple[str, ...]
        Columns that the intruder is given of each.
    values : np.ndarray
        Object, targets x given columns: true values; None where one is missing.
    asked : tuple[str, ...]
        Sensitive columns that leave, of which a value may be claimed.
    rows : np.ndarray
        int64, a target each: its row of people in ``matching``.
    chance : np.ndarray
        float64, a target each: the chance that a guess among all who fit is right; 0 of who is not in the release.
    leaves_from : np.ndarray
        int64, a record of the released file each, in its order: its row of the release in ``matching``.
    matching : Matching
        The release beside the people.
    at_risk : bool
        Whether those at most risk were chosen, or people at random.
    """

    names: tuple[str, ...]
    given: tuple[str, ...]
    values: np.ndarray
    asked: tuple[str, ...]
    rows: np.ndarray
    chance: np.ndarray
    leaves_from: np.ndarray
    matching: Matching
    at_risk: bool

    def form(self) -> pd.DataFrame:
        """What the intruder is given and fills in: a row a target; no answer is in it."""
        known = {f"{GIVEN}{name}": self.values[:, j] for j, name in enumerate(self.given)}
        empty = (RECORD, SURE, *(f"{VALUE}{name}" for name in self.asked), SOURCES, MINUTES)
        return pd.DataFrame({TARGET: list(self.names), **known, **dict.fromkeys(empty)}, dtype=object)

    def to_excel(self) -> bytes:
        """The form as a workbook, with a sheet that says how it goes."""
        return write_tables({"Targets and claims": self.form(), "How it goes": _instructions(self)})


def drawn(
    applied: Applied,
    recipe: Recipe,
    attacker: AttackSettings,
    order: np.ndarray,
    seed: Sequence[int],
    *,
    n_targets: int = TARGETS,
    at_risk: bool = False,
) -> Sheet:
    """Draw the targets of a test.

    Parameters
    ----------
    applied : Applied
        The release, in memory, and the original that it was made of.
    recipe : Recipe
        The steps that made it.
    attacker : AttackSettings
        Whose known columns are given, and whose sensitive columns may be claimed.
    order : np.ndarray
        int, a record of the released file each, in its order: the record of the release that it is
        (:func:`anonlib.release.export.leaving_order`).
    seed : Sequence[int]
        A secret, which draws the targets.
    n_targets : int, default TARGETS
        1 to :data:`MOST_TARGETS`; fewer where there are fewer people.
    at_risk : bool, default False
        Whether to choose, of 5,000 people drawn, those whom a guess among all who fit finds with the greatest chance;
        else people are drawn, each as likely, also of those who are not in the release.

    Raises
    ------
    InputError
        Where the records stay in a database, nothing leaves, or no known column does.
    """
    if not 1 <= checks.whole(n_targets, "The number of targets", 1) <= MOST_TARGETS:
        raise InputError(f"At most {MOST_TARGETS} targets can be drawn. Choose fewer.", code="number-out-of-range")
    original = applied.original
    if original.frame is None:
        raise InputError(
            "Targets are drawn from records in memory: open the table as a file, or a part of it.",
            code="records-in-a-database",
        )
    if not applied.released.n_records or not attacker.known:
        raise InputError(
            "An intruder needs a release with a column that may be known. Accept a role for one that leaves.",
            code="no-column-known",
        )
    columns = tuple(dict.fromkeys((*attacker.known, *attacker.sensitive)))
    matching = of_release(original, applied, recipe, columns)
    rng = np.random.default_rng(seed)
    everybody = np.ones(len(matching.person), dtype=bool)
    rows = targets(matching, everybody, max(n_targets, _LOOKED_AT) if at_risk else n_targets, rng)
    places = matching.places(attacker.known)
    known = known_of(places, 0, len(rows), rng)
    for i, j in enumerate(places.tolist()):  # a missing value is not known
        known[matching.columns[j].people[rows] == len(matching.columns[j].values), i] = -1
    fits = fitting(matching, rows, known)
    chance = np.divide(fits.own, fits.n, out=np.zeros(len(rows)), where=fits.n > 0)
    chosen = np.argsort(-chance, kind="stable")[:n_targets] if at_risk else np.arange(len(rows))
    chosen = chosen[rng.permutation(len(chosen))]
    rows, chance = rows[chosen], chance[chosen]
    given = tuple(matching.columns[j].name for j in places.tolist())
    values = np.empty((len(rows), len(given)), dtype=object)
    for place, j in enumerate(places.tolist()):
        column = matching.columns[j]
        values[:, place] = np.array([*column.values.tolist(), None], dtype=object)[column.people[rows]]
    mark = hashlib.sha256(repr((applied.released.key, [*seed], n_targets, at_risk)).encode()).hexdigest()[:4]
    sensitive = tuple(column.name for column in matching.columns if column.name in attacker.sensitive)
    return Sheet(
        tuple(f"T{mark}-{i:02}" for i in range(1, len(rows) + 1)), given, values, sensitive, rows, chance,
        np.asarray(order, dtype=np.int64), matching, at_risk,
    )  # fmt: skip


def _instructions(sheet: Sheet) -> pd.DataFrame:
    chosen = (
        "They are those of the file whom a guess finds with the greatest chance." if sheet.at_risk
        else "They are drawn at random from all people of the original; some may not be in the release."
    )  # fmt: skip
    steps = [
        f"You have the released file, and for each of {words.count(len(sheet.names), 'targets')} what is taken to be "
        f"known of them outside. {chosen}",
        "Try to find the record of each target, with what a competent person has: the internet, registers, libraries, "
        "public documents, questions to people. No crime, no break-in, and contact nobody who is a target.",
        f"In “{RECORD}” write the number of the record in the released file, the first one under the names of the "
        f"columns being 1; “{NOT_IN_IT}” for somebody who is not in it; leave it empty where you claim nothing.",
        f"In “{SURE}” say how sure you are, 0 to 100. Claim what you would stake something on, and do not guess.",
        "Where you believe to know something else of a target, write it beside “value of”, with or without a record.",
        f"In “{SOURCES}” name what you used, in “{MINUTES}” how long it took.",
        "These targets are people. Keep the sheet to yourself, give it back to who gave it to you, keep no copy, and "
        "tell nobody what you found.",
    ]  # fmt: skip
    return pd.DataFrame({"step": range(1, len(steps) + 1), "what to do": steps})


BANDS = ((80, "80% or more"), (50, "50 to 79%"), (0, "below 50%"))
"""How sure somebody is, from so many percent."""


@dataclass(frozen=True)
class Claim:
    """What was claimed of a target.

    Attributes
    ----------
    target : str
        Its name.
    claimed : bool
        Whether a record was named, or that there is none.
    right : bool
        Whether it is of the target, or the target is truly not in the release.
    sure : float | None
        How sure, in percent; None where they do not say.
    chance : float
        The chance that a guess among all who fit is right, in [0, 1].
    values : tuple[tuple[str, bool], ...]
        By column that was claimed, whether the value is true of the target.
    """

    target: str
    claimed: bool
    right: bool
    sure: float | None
    chance: float
    values: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class IntruderScore:
    """How an intruder did.

    Attributes
    ----------
    claims : tuple[Claim, ...]
        A target each.
    at_risk : bool
        Whether those at most risk were the targets.
    commonest : tuple[tuple[str, int], ...]
        By sensitive column, of how many of the targets for whom a value was claimed the commonest is true.
    """

    claims: tuple[Claim, ...]
    at_risk: bool
    commonest: tuple[tuple[str, int], ...]

    @property
    def of_targets(self) -> Rate:
        """Right claims of all targets."""
        return Rate(sum(claim.right for claim in self.claims), len(self.claims))

    @property
    def of_claims(self) -> Rate:
        """Right claims of all claims."""
        claimed = [claim for claim in self.claims if claim.claimed]
        return Rate(sum(claim.right for claim in claimed), len(claimed))

    @property
    def by_chance(self) -> float:
        """How many claims of the same targets would be right if each were a guess among all who fit."""
        return sum(claim.chance for claim in self.claims if claim.claimed)

    @property
    def by_band(self) -> tuple[tuple[str, Rate], ...]:
        """By how sure somebody was, right claims of claims; those that do not say so last, where there are any."""
        claimed = [claim for claim in self.claims if claim.claimed]
        bands = []
        above = float("inf")
        for least, name in BANDS:
            some = [claim for claim in claimed if claim.sure is not None and least <= claim.sure < above]
            bands.append((name, Rate(sum(claim.right for claim in some), len(some))))
            above = least
        silent = [claim for claim in claimed if claim.sure is None]
        if silent:
            bands.append(("no statement", Rate(sum(claim.right for claim in silent), len(silent))))
        return tuple(bands)

    @property
    def of_values(self) -> tuple[tuple[str, Rate, int], ...]:
        """By sensitive column right values of those claimed, and of how many of these targets the commonest is true."""
        common = dict(self.commonest)
        rates = []
        for name in dict.fromkeys(column for claim in self.claims for column, _ in claim.values):
            right = [is_right for claim in self.claims for column, is_right in claim.values if column == name]
            rates.append((name, Rate(sum(right), len(right)), common.get(name, 0)))
        return tuple(rates)

    def to_frame(self) -> pd.DataFrame:
        """A row a target, without a value of a cell."""
        return pd.DataFrame(
            {
                "target": [claim.target for claim in self.claims],
                "claimed": [claim.claimed for claim in self.claims],
                "right": [claim.right for claim in self.claims],
                "how sure, %": [claim.sure for claim in self.claims],
                "chance of a guess": [claim.chance for claim in self.claims],
                "values claimed": [len(claim.values) for claim in self.claims],
                "of these right": [sum(is_right for _, is_right in claim.values) for claim in self.claims],
            }
        )


def scored(sheet: Sheet, form: pd.DataFrame, codes: Mapping[str, Mapping[str, str]] | None = None) -> IntruderScore:
    """Score a form that an intruder filled in.

    Parameters
    ----------
    sheet : Sheet
        The targets.
    form : pd.DataFrame
        A row a target, texts as they were filled in: ``record`` is a number from 1 of the released file, ``none`` for
        somebody who is not in it, or empty; ``how sure, %`` is 0 to 100, or empty.
    codes : Mapping[str, Mapping[str, str]], optional
        By column that is shown by labels, by label, the code that the released file has: a value may be either.

    Raises
    ------
    InputError
        Where the form is of another draw or release, lacks a column, names a target twice, or has a cell that cannot be
        read; it names the row and the column.
    """
    texts = {name: [_text(cell) for cell in form[name]] for name in form.columns}
    if lacking := next((name for name in (TARGET, RECORD, SURE) if name not in texts), None):
        raise InputError(
            f"The form has no column “{lacking}”. Give the sheet as it was filled in, with all its columns.",
            code="column-unknown",
        )
    place_of = {name: i for i, name in enumerate(sheet.names)}
    row_of = dict[int, int]()
    for row, name in enumerate(texts[TARGET]):
        if not name:
            continue
        if name not in place_of:
            raise InputError(
                f"Row {row + 1} of the form names a target that is none of this draw. Choose the draw and the release "
                "that the form was made for.",
                code="target-unknown",
            )
        if place_of[name] in row_of:
            raise InputError(
                f"Row {row + 1} of the form names a target a second time. Leave one claim for each.",
                code="target-twice",
            )
        row_of[place_of[name]] = row
    claims = [_claim(sheet, i, row_of.get(i), texts, codes or {}) for i in range(len(sheet.names))]
    return IntruderScore(tuple(claims), sheet.at_risk, _commonest(sheet, claims))


def _claim(
    sheet: Sheet,
    target: int,
    row: int | None,
    texts: dict[str, list[str]],
    codes: Mapping[str, Mapping[str, str]],
) -> Claim:
    """What is claimed of a target in a row of the form; None: the form lacks it."""
    name, chance = sheet.names[target], float(sheet.chance[target])
    if row is None:
        return Claim(name, False, False, None, chance, ())
    matching, person = sheet.matching, sheet.matching.person[sheet.rows[target]]
    record = texts[RECORD][row]
    right = False
    if record.lower() == NOT_IN_IT:
        right = not (matching.owner == person).any()
    elif record:
        number = _number(record, f"The record in row {row + 1}", 1, len(sheet.leaves_from))
        if number != int(number):
            raise InputError(f"The record in row {row + 1} of the form must be a whole number.", code="not-a-number")
        right = matching.owner[sheet.leaves_from[int(number) - 1]] == person
    confidence = texts[SURE][row].removesuffix("%").strip()
    sure = _number(confidence, f"How sure somebody is in row {row + 1}", 0, 100) if confidence else None
    values = []
    for column in matching.columns:
        cell = texts.get(f"{VALUE}{column.name}", [""] * (row + 1))[row]
        if column.name in sheet.asked and cell:
            of_code = {code: label for label, code in codes.get(column.name, {}).items()}
            is_true = _is_true(column, int(sheet.rows[target]), of_code.get(cell, cell))
            values.append((column.name, is_true))
    return Claim(name, bool(record), bool(right), sure, chance, tuple(values))


def _is_true(column: LeavingColumn, row: int, cell: str) -> bool:
    """Whether a claimed value or label is true of somebody: their value as it is, or a label that covers it."""
    value = int(column.people[row])
    own = "" if value >= len(column.values) else str(column.values[value])
    labels = [str(column.labels[label]) for label in column.fits[value].tolist() if label >= 0]
    return any(_is_one_value(cell, true) for true in (own, *labels) if true)


def _is_one_value(one: str, other: str) -> bool:
    both = np.array([one, other], dtype=object)
    if one == other or read_as_one(both) is not None:
        return True
    numbers = to_numbers(both)
    return bool(numbers[0] == numbers[1])


def _commonest(sheet: Sheet, claims: Sequence[Claim]) -> tuple[tuple[str, int], ...]:
    commonest = []
    for column in (matched_column.as_read for matched_column in sheet.matching.columns):
        rows = [int(sheet.rows[i]) for i, claim in enumerate(claims) if column.name in dict(claim.values)]
        has_label = column.released >= 0
        if column.name in sheet.asked and rows and has_label.any():
            label = int(np.bincount(column.released[has_label], weights=sheet.matching.counts[has_label]).argmax())
            commonest.append((column.name, sum(label in column.fits[column.people[row]] for row in rows)))
    return tuple(commonest)


def _number(text: str, what: str, least: int, most: int) -> float:
    number = float(to_numbers(np.array([text], dtype=object))[0])
    if not least <= number <= most:  # NaN too
        raise InputError(f"{what} of the form must be a number from {least} to {most:,}.", code="number-out-of-range")
    return number


def _text(cell: object) -> str:
    return "" if cell is None or (isinstance(cell, float) and cell != cell) else str(cell).strip()


def in_words(score: IntruderScore, accepted: float) -> str:
    """How an intruder did, in sentences.

    Parameters
    ----------
    score : IntruderScore
        What came of it.
    accepted : float
        The highest risk that is accepted, in [0, 1].
    """
    rate, of_claims = score.of_targets, score.of_claims
    low, high = rate.interval
    n_claims = words.count(of_claims.tries, "claims")
    sentences = [
        f"Of {words.count(rate.tries, 'targets')} {rate.successes:.0f} were claimed rightly: "
        f"{words.percent(rate.share)} ({words.percent(low)} to {words.percent(high)}), of {n_claims}.",
        f"Guesses among all who fit would have been right for {score.by_chance:.1f} of these claims.",
    ]
    name, most_sure = score.by_band[0]
    if most_sure.tries:
        sentences.append(
            f"Of {words.count(most_sure.tries, 'claims')} made with {name} confidence {most_sure.successes:.0f} were "
            "right."
        )
    if score.at_risk:
        sentences.append("The targets were those at most risk: the share is none of all people.")
    above = "above" if rate.share > accepted else "not above"
    return " ".join([*sentences, f"That is {above} the {words.percent(accepted)} that is accepted."])
