"""A criterion on the method: that who knows how a release was searched for is certain of nobody's value by that."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from anonlib.analyses.generalization.search.coins import BUDGET, MOST_BUDGET, Coin, Q, greatest_probability
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit, Option, State
from anonlib.verdict.method import MethodFindings, coins_of, not_sensitive

_SOURCE = (
    "What is not done tells too (minimality attack, Wong et al. 2007; Xiao, Tao and Koudas 2010); that nobody may be "
    "certain by it, and the coin, are Anonscope's."
)
NO_QUESTION = (
    "How a search for this release is asked is not known, so what it refused is not either. Add a criterion that can "
    "be searched for, such as the smallest class, and say on the Data page which columns may be known."
)
NOTHING_REFUSED = "No value can have refused anything, so what was not done tells nothing."
_BY_COIN = "A proposal of mixed coarseness or blank cells that is searched for with the coin makes nobody certain."


@dataclass(frozen=True)
class MethodDisclosure(Criterion):
    """Who knows how a release was searched for is certain of nobody's value by what was not done.

    A finer release that the sizes of classes would have allowed was refused, so a value refused it (minimality attack,
    Wong et al. 2007). Counted are the persons whose value that makes certain though their class shows several, those
    of whom it is neither shown that it does nor that it does not, and those who are left out for a value of theirs
    although their class met every size. With a coin that refuses as values do, nobody is certain.

    Attributes
    ----------
    by_chance : Literal["on", "off"], default "on"
        Whether searches are to refuse by a coin too.
    q : float, default Q
        The chance, in (0, 1), that the coin refuses a change that values would allow.
    budget : int, default BUDGET
        How many refused changes may part two persons who stay alike, 1 to 20.
    source : str, default _SOURCE
        Where the limit comes from, in words that are shown beside it.
    """

    by_chance: Literal["on", "off"] = "on"
    q: float = Q
    budget: int = BUDGET
    source: str = _SOURCE
    kind: ClassVar[str] = "method"
    word: ClassVar[str] = "what the method tells"
    page: ClassVar[str] = "Attack"
    counted_in: ClassVar[str] = "{unit}"
    disclosure = "attribute"
    of_method: ClassVar[bool] = True
    limits: ClassVar[tuple[Limit, ...]] = (
        Limit("q", "The coin refuses, of what values allow", "share", 0.01, 0.9, (0.1, 0.3)),
        Limit("budget", "Refusals that may part two who stay alike", "count", 1, MOST_BUDGET, (1, 10)),
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option("by_chance", "What refuses a change", (("on", "Values, or a coin"), ("off", "Values alone"))),
    )

    def __post_init__(self) -> None:
        if self.by_chance not in ("on", "off"):
            raise InputError("What refuses a change is a coin too (on), or values alone (off).", code="choice-unknown")
        Coin(self.q, self.budget)

    @property
    def coin(self) -> Coin | None:
        return Coin(self.q, self.budget) if self.by_chance == "on" else None

    @property
    def as_criterion(self) -> MethodDisclosure:
        return replace(self, by_chance="on")

    # ---- in words ----

    @property
    def title(self) -> str:
        return "What the method tells"

    @property
    def bound(self) -> str:
        return "at most 0"

    def describe(self, unit: str = "persons") -> str:
        of_search = ""
        if self.coin is not None:
            of_search = f" Where a search can, {self.coin.in_words}."
        return (
            "Somebody who knows the known columns of everybody in the file, and how the release was searched for, is "
            f"certain of no value by what was not done.{of_search}"
        )

    def in_short(self, unit: str) -> str:
        return f"the value of no {words.singular(unit)} certain by the method"

    def measures(self, unit: str = "persons") -> str:
        return (
            f"Of how many {unit} a value is certain, or not shown to be uncertain, to somebody who knows the known "
            "columns of everybody in the file and how the release was searched for."
        )

    def without_limit(self, finding: Finding) -> str:
        if finding.state is State.UNKNOWN:
            return (
                "What the way in which the release was found tells of values could not be settled; it is not limited "
                "for this recipient."
            )
        if finding.says == NOTHING_REFUSED:
            return ""
        if not finding.persons:
            return "Who knows how the release was searched for is certain of nobody’s value by that."
        concerned = words.share(finding.persons, finding.n_persons)
        return (
            f"Who knows how the release was searched for is certain, or may be, of a value of {concerned}: not limited "
            "for this recipient."
        )

    # ---- on a release ----

    def check(self, case: Case) -> Finding:
        findings = case.method
        if findings is None:
            return self.unknown(NO_QUESTION)
        left = findings.persons_left_for_value
        if findings.not_counted and not left:
            return self.unknown(findings.not_counted)
        concerned = findings.forced + findings.uncertified + left
        says = _sentences(findings, case, self.coin is not None)
        is_against = bool(findings.forced or left)
        state = State.NOT_MET if is_against else State.UNKNOWN if findings.uncertified else State.MET
        return Finding(
            self, state, " ".join(says), now=float(concerned), persons=concerned, n_persons=findings.n_records
        )


def coin_in_words(coin: Coin | None) -> tuple[str, ...]:
    """What a step's coin means, in sentences that do not name its secret; none without a coin.

    Parameters
    ----------
    coin : Coin | None
        How the step's search refuses by chance.

    Returns
    -------
    tuple of str
    """
    if coin is None:
        return ()
    return (
        f"Values refused a finer label, or chance did: {coin.in_words}. So no value is certain by what was refused; "
        f"for who knows the method, the odds of a value are at most {math.ceil(coin.odds):,} times what the release "
        "shows.",
    )


def left_for_value_in_words(persons: int, unit: str = "persons") -> str:
    """Whom steps leave out for a value, as a part of a sentence; "" of nobody.

    Parameters
    ----------
    persons : int
        How many.
    unit : str, default "persons"
        What they are counted in.

    Returns
    -------
    str
    """
    return f"{words.count(persons, unit)} of classes that met every size left for their value" if persons else ""


def _sentences(findings: MethodFindings, case: Case, with_coin: bool) -> list[str]:
    """What was found, in sentences."""
    unit, says = case.unit, list[str]()
    if findings.forced:
        have = words.share(findings.forced, findings.n_records, unit)
        says.append(
            f"{have} have a value that is certain though their class shows several: a finer release that the known "
            "columns allow was refused, and nothing but such a value can have refused it."
        )
    if findings.uncertified:
        of_whom = words.share(findings.uncertified, findings.n_records, unit)
        says.append(
            f"Of {of_whom} it is neither shown that what was refused makes a value certain nor that it does not."
        )
    if left := findings.persons_left_for_value:
        classes = findings.classes_left_for_value
        of_classes = f" ({words.count(classes, 'classes')})" if classes else ""
        says.append(
            f"{left_for_value_in_words(left, unit)}{of_classes}: who is known to be in the file and is missing from "
            "the release is of a class that its values kept back, such as one in which all have the same."
        )
    if findings.not_counted:
        says.append(findings.not_counted)
    if not says:
        says.append(_why_nobody(findings, case))
    elif findings.forced or findings.uncertified:
        says.append(_BY_COIN if with_coin else f"{_BY_COIN} It is switched on under “Limits”.")
    if findings.greatest is None and _others(case):
        says.append("What earlier releases on record add to that is not counted.")
    return says


def _why_nobody(findings: MethodFindings, case: Case) -> str:
    """Why nobody's value is certain, in sentences."""
    coins = coins_of(case.recipe, not_sensitive(case.original))
    if findings.greatest is not None and coins:
        by = words.listed(dict.fromkeys(coin.in_words for coin in coins), most=len(coins))
        return (
            f"Nobody’s value is certain: {by}, so each refusal can be one by chance. For who knows the method "
            f"{_at_most(findings.greatest, case)}"
        )
    if not findings.states:
        tells = NOTHING_REFUSED
    else:
        refused = words.count(findings.states, "finer releases")
        tells = (
            f"Nobody’s value is certain by the {refused} that a value refused: each of the "
            f"{words.count(findings.safe, case.unit)} in classes of several values can change places with somebody of "
            "another value, and all would have been refused the same."
        )
    if findings.not_refused:
        others = words.count(findings.not_refused, "finer releases")
        was = "was" if findings.not_refused == 1 else "were"
        tells += f" {others} {was} not refused and not taken either, which tells nothing."
    return tells


def _at_most(greatest: float, case: Case) -> str:
    """The greatest probability that a value can reach, in sentences, with earlier releases where these have coins."""
    others = _others(case)
    says = f"a value reaches {_probability(greatest)}."
    coins = [coins_of(recipe, known) for recipe, known in others]
    if any(of_other is None for of_other in coins):
        says += " Earlier releases on record were made without a coin: what all of them tell together has no bound."
    elif others:
        of_others = math.prod(coin.odds for of_other in coins for coin in of_other or ())
        together = greatest_probability(greatest, of_others)
        says += f" With {words.count(len(others), 'earlier releases')} on record it reaches {_probability(together)}."
    if case.earlier_elsewhere:
        more = words.count(case.earlier_elsewhere, "earlier releases")
        says += f" What {more} of other files add is not counted."
    return says


def _probability(greatest: float) -> str:
    """A probability that is not exceeded; odds of many coins come as near to 1 as numbers do."""
    return f"at most {words.percent_at_most(greatest)}" if greatest < 1 else "as near to 100% as makes no difference"


def _others(case: Case) -> list[tuple[Recipe, frozenset[str]]]:
    """The recipes of earlier releases on record that are not this one, each with the columns known then."""
    here = [(recipe, not_sensitive(case.original)) for recipe in case.earlier if recipe != case.recipe]
    beside = [(release.recipe, not_sensitive(release.original)) for release in case.beside]
    return [*here, *beside]
