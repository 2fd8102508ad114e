"""The test by a motivated intruder: targets that are drawn, and what a person who tries is given.

Somebody competent tries with the release and with sources of their own, and says how sure they are (ICO, anonymisation
guidance, 2025; EMA, guidance on Policy 0070; ONS, guidance on intruder testing). The officer knows who is who.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.release.applied import Applied
from anonlib.release.files.workbook import write_tables
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.attacking import Attacker
from anonlib.verdict.attacks.fitting import fitting
from anonlib.verdict.attacks.matching import Matching, of_release
from anonlib.verdict.attacks.targets import known_of, targets

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
    attacker: Attacker,
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
    attacker : Attacker
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
