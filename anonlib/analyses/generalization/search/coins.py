"""Coins: a change that values would allow is refused by chance too, so that nobody knows that a value refused it.

Who knows the known columns of everybody and how a release was searched for learns from what was not done: a finer
release was refused, by a value (minimality attack, Wong et al. 2007). So each try that looks at values can be refused
by a coin of chance q as well, and no two persons who stay alike would have been parted by more than a budget of
refused tries: exchanged, they change the odds by at most 1 / q for each (docs/analyses/method.md has the proof). A
coin is drawn of a secret, of the data with their values and what is asked, and of the two sets of persons that it keeps
together: what is tried twice is refused twice, and next month's file has coins of its own.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.words import percent
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import KAnonymity, PrivacyModel, privacy_model_to_dict
from anonlib.counting.privacy_models.models import sensitive_of

MOST_BUDGET = 20
Q, BUDGET = 0.15, 8
"""What is used where nobody chose: chosen from the measured curve (docs/benchmarks.md)."""
_SECRET_DIGITS = 32
LARGE, LARGER = 4, 64
"""Times k: a try of which both sides have so many persons counts twice, or three times, and its coin has the chance q
squared, or to the third: values seldom refuse it, and by chance it would be refused at the cost of many."""


@dataclass(frozen=True)
class Coin:
    """How a search refuses by chance.

    Attributes
    ----------
    q : float, default Q
        The chance, in (0, 1), that a try which values would allow is refused.
    budget : int, default BUDGET
        Refused tries that would have parted two persons who stay alike, at most, 1 to 20; a try of many counts more.
    secret : str, default ""
        What coins are drawn of, 32 hexadecimal digits. It stays inside, as the seed does, and is in no description.
    """

    q: float = Q
    budget: int = BUDGET
    secret: str = field(default="0" * _SECRET_DIGITS, repr=False)

    def __post_init__(self) -> None:
        if not 0 < checks.number(self.q, "The chance that a change is refused") < 1:
            raise InputError(
                "The chance that a change is refused must be above 0 and below 1.", code="number-out-of-range"
            )
        if checks.whole(self.budget, "The budget of refusals", 1) > MOST_BUDGET:
            raise InputError(f"The budget of refusals is at most {MOST_BUDGET}.", code="number-out-of-range")
        secret = self.secret
        if not isinstance(secret, str) or len(secret) != _SECRET_DIGITS or set(secret) - set("0123456789abcdef"):
            raise InputError("The secret of the coins must be 32 hexadecimal digits.", code="secret-wrong")

    @property
    def odds(self) -> float:
        """By how much the odds of a value can change at most, (1 / q) ** budget."""
        return (1 / self.q) ** self.budget

    @property
    def in_words(self) -> str:
        """The same as part of a sentence, without what it is drawn of."""
        return f"a coin refuses {percent(self.q)} of the tries that values would allow, with a budget of {self.budget}"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values for JSON."""
        return {"q": self.q, "budget": self.budget, "secret": self.secret}

    @classmethod
    def from_dict(cls, values: object) -> Coin:
        """The coin of such values; an InputError says what is wrong with them."""
        if not isinstance(values, Mapping) or set(values) != {"q", "budget", "secret"}:
            raise InputError("A coin has a chance q, a budget and a secret.", code="setting-unknown")
        return cls(float(checks.number(values["q"], "The chance")), values["budget"], values["secret"])


def greatest_probability(share: float, odds: float) -> float:
    """The greatest probability that a value can reach for who knows the method.

    Parameters
    ----------
    share : float
        Of those who are alike that have the value, in [0, 1].
    odds : float
        By how much its odds can change at most, 1 or more (:attr:`Coin.odds`).

    Returns
    -------
    float
        share * odds / (share * odds + 1 - share).
    """
    if math.isinf(odds):
        return 1.0 if share else 0.0
    return share * odds / (share * odds + 1 - share)


class Coins(NamedTuple):
    """What coins are drawn of: ``row`` (uint64, a row each) is added up over a set of persons, ``key`` (uint64) is the
    search's own, and a draw below ``thresholds[c]`` (uint64) refuses a try whose refusal costs c of the budget: 2 where
    both sides have ``large`` persons or more, 3 where they have ``larger``, else 1."""

    row: np.ndarray
    key: np.uint64
    thresholds: np.ndarray
    large: int
    larger: int


_GOLDEN, _FIRST, _SECOND = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)


def mixed(numbers: np.ndarray) -> np.ndarray:
    """uint64 of uint64: numbers that nobody sees a pattern in (splitmix64, Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        numbers = (numbers + _GOLDEN).astype(np.uint64)
        numbers = (numbers ^ (numbers >> np.uint64(30))) * _FIRST
        numbers = (numbers ^ (numbers >> np.uint64(27))) * _SECOND
        return numbers ^ (numbers >> np.uint64(31))


def coins_of(classes: ClassTable, guarantees: Sequence[PrivacyModel], coin: Coin) -> Coins:
    """What the coins of a search of a class table are drawn of, the same in whatever order its rows and values come.

    Parameters
    ----------
    classes : ClassTable
        Records of one row each, known and sensitive columns.
    guarantees : Sequence[PrivacyModel]
        What must hold.
    coin : Coin
        How the search refuses by chance.
    """
    of_known, whole = numbers_of_rows(classes, guarantees, coin)
    return drawn_of(of_known, whole, classes.counts, guarantees, coin)


def numbers_of_rows(
    classes: ClassTable, guarantees: Sequence[PrivacyModel], coin: Coin
) -> tuple[np.ndarray, np.ndarray]:
    """uint64, a row of a class table each: what stands for its known values, and for all of them."""
    sensitive = {sensitive_of(guarantee) for guarantee in guarantees}
    known = [name for name in classes.attributes if name not in sensitive]
    of_known = _of_rows(classes, known, coin.secret)
    return of_known, _of_rows(
        classes, [name for name in classes.attributes if name in sensitive], coin.secret, of_known
    )


def summed(numbers: np.ndarray, owner: np.ndarray, n_owners: int) -> np.ndarray:
    """uint64, an owner each: what stands for its rows together, in whatever order they come."""
    sums = np.zeros(n_owners, dtype=np.uint64)
    with np.errstate(over="ignore"):
        np.add.at(sums, owner, mixed(numbers))
    return mixed(sums)


def drawn_of(
    of_known: np.ndarray, whole: np.ndarray, counts: np.ndarray, guarantees: Iterable[PrivacyModel], coin: Coin
) -> Coins:
    """The same of rows (uint64 each) of which the known values, and all of them, are given as numbers."""
    with np.errstate(over="ignore"):
        sums = [int((mixed(whole ^ np.uint64(salt)) * counts.astype(np.uint64)).sum()) for salt in (1, 2)]
    stated = sorted(json.dumps(privacy_model_to_dict(guarantee), sort_keys=True) for guarantee in guarantees)
    content = json.dumps([coin.secret, sums, int(counts.sum()), stated, coin.q, coin.budget])
    digest = hashlib.sha256(content.encode()).digest()
    key, second = (np.uint64(int.from_bytes(digest[place : place + 8], "big")) for place in (0, 8))
    chances = coin.q ** np.arange(coin.budget + 1)
    thresholds = np.minimum(chances * 2.0**64, 2.0**64 - 2048).astype(np.uint64)
    least = max((guarantee.least for guarantee in guarantees if isinstance(guarantee, KAnonymity)), default=1)
    return Coins(mixed(of_known ^ second), key, thresholds, LARGE * least, LARGER * least)


def _of_rows(classes: ClassTable, names: Sequence[str], secret: str, before: np.ndarray | None = None) -> np.ndarray:
    """uint64, a row each: what stands for its values in some columns, behind what stands for others."""
    numbers = np.zeros(len(classes.counts), dtype=np.uint64) if before is None else before.copy()
    for name in sorted(names):
        place = classes.attributes.index(name)
        of_value = np.array(
            [number_of_text(name, value, secret) for value in classes.categories[place]], dtype=np.uint64
        )
        if len(of_value):
            numbers = mixed(numbers ^ of_value[classes.codes[:, place]])
    return numbers


def number_of_text(column: str, value: object, secret: str) -> int:
    """A number of 64 bits that stands for a value of a column."""
    text = f"{column}\0" if value is None else f"{column}\1{value}"
    hashed = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, key=secret.encode())
    return int.from_bytes(hashed.digest(), "big")
