"""Criteria counted again from the bytes that left: the CSV as text, row by row, sharing nothing with the library.

Where labels of several levels stand side by side in a column, equal labels are what is counted here: classes of them
are at most as large as what the criterion counts, and values certain by them with nobody allowed at least as many.
"""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Row = dict[str, str]
Person = list[Row]
KNOWN, SENSITIVE, OTHER = "quasi_identifier", "sensitive", "other"


@dataclass(frozen=True)
class Release:
    """A released CSV, and what its columns were said to be.

    Attributes
    ----------
    rows : list[Row]
        Its lines.
    columns : tuple[str, ...]
        Its header.
    roles : Mapping[str, str]
        By column of the original, its role.
    """

    rows: list[Row]
    columns: tuple[str, ...]
    roles: Mapping[str, str]

    @classmethod
    def of(cls, content: bytes, roles: Mapping[str, str]) -> Release:
        lines = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
        return cls(list(lines), tuple(lines.fieldnames or ()), roles)

    def with_role(self, *roles: str) -> tuple[str, ...]:
        return tuple(name for name in self.columns if self.roles.get(name) in roles)

    @property
    def person_id(self) -> str | None:
        return next((name for name, role in self.roles.items() if role == "person_id" and name in self.columns), None)

    @property
    def persons(self) -> list[Person]:
        """The rows of each person, a row each where no id leaves."""
        if self.person_id is None:
            return [[row] for row in self.rows]
        of_person = defaultdict[str, Person](list)
        for row in self.rows:
            of_person[row[self.person_id]].append(row)
        return list(of_person.values())

    @property
    def has_several_rows(self) -> bool:
        return any(len(person) > 1 for person in self.persons)


def reads_as(cell: str) -> str:
    """What a person reads: case and blanks make no other value, nor does how a number is written."""
    text = " ".join(cell.split()).casefold()
    try:
        return repr(float(text)) if text and text[0] not in "+" and text not in ("nan", "inf", "infinity") else text
    except ValueError:
        return text


# ---- what is known of a person, and who shares it ----

Knowledge = Callable[[Person, Sequence[str]], list[Hashable]]
"""All that can be known of a person's rows in some columns."""


def one_row(person: Person, columns: Sequence[str]) -> list[Hashable]:
    return list({tuple(row[name] for name in columns) for row in person})


def all_rows(person: Person, columns: Sequence[str]) -> list[Hashable]:
    return [frozenset(Counter(tuple(row[name] for name in columns) for row in person).items())]


def values_of_columns(person: Person, columns: Sequence[str]) -> list[Hashable]:
    return [tuple(frozenset(row[name] for row in person if row[name]) for name in columns)]


def sizes(persons: Sequence[Person], columns: Sequence[str], known: Knowledge) -> list[int]:
    """Per person, how many share the rarest thing that can be known of them."""
    knowable = [known(person, columns) for person in persons]
    sharing = Counter(fact for facts in knowable for fact in facts)
    return [min(sharing[fact] for fact in facts) for facts in knowable]


def below(persons: Sequence[Person], columns: Sequence[str], known: Knowledge, k: int) -> int:
    return sum(size < k for size in sizes(persons, columns, known))


def average_risk(persons: Sequence[Person], columns: Sequence[str], known: Knowledge) -> float:
    return sum(1 / size for size in sizes(persons, columns, known)) / len(persons)


def certain(persons: Sequence[Person], sets: Sequence[Sequence[str]], sensitive: str, known: Knowledge) -> int:
    """How many have a value that all have who share something with them, by one of some sets of columns."""
    held = [{reads_as(row[sensitive]) for row in person if row[sensitive].strip()} for person in persons]
    sure = set[int]()
    for columns in sets:
        knowable = [known(person, columns) for person in persons]
        common = dict[Hashable, set[str]]()
        for facts, values in zip(knowable, held, strict=True):
            for fact in facts:
                common[fact] = common[fact] & values if fact in common else set(values)
        sure |= {i for i, facts in enumerate(knowable) if any(common[fact] for fact in facts)}
    return len(sure)


def sets_of(columns: Sequence[str], most: int) -> list[tuple[str, ...]]:
    return [subset for size in range(most + 1) for subset in combinations(columns, size)]


# ---- what each recipient asks ----


def against(release: Release, original: Release, recipient: str, limited: bool = False) -> list[str]:
    """What of a recipient's criteria does not hold of the bytes, in words; empty where all do.

    What is learned under contract and within the organisation is asked only where it is limited.
    """
    facts = FACTS.get(recipient)
    return [
        *(_learned(release, facts, 0.01, True, _by_rows(release)) if limited and facts is not None else []),
        *_identifiers(release, original),
        *{"public": _public, "contract": _contract, "within": _within}[recipient](release),
        *_kept(release, original, 0.98 if recipient == "within" else 0.95),
        *(_telling(release, original) if recipient != "within" else ()),
    ]


FACTS = {"contract": 2, "within": 1}
"""By recipient, from how many facts it is measured what can be learned."""


def most_certain(release: Release, facts: int) -> int:
    """Of how many a value of one sensitive column is certain from so many facts, of the column with most of them."""
    return max(
        (
            certain(release.persons, sets_of([n for n in may_know if n != name], facts), name, known)
            for may_know in [release.with_role(KNOWN, "place", SENSITIVE)]
            for name in release.with_role(SENSITIVE)
            for known in _by_rows(release)
        ),
        default=0,
    )


def _by_rows(release: Release) -> list[Knowledge]:
    return [one_row, values_of_columns] if release.has_several_rows else [one_row]


def _identifiers(release: Release, original: Release) -> list[str]:
    found = [f"{name} leaves" for name in release.with_role("identifier")]
    secret = {row[name] for row in original.rows for name in original.with_role("identifier", "person_id")} - {""}
    long = {cell for cell in secret if len(cell) >= 5}
    return found + [f"a cell of an identifier in {n}" for row in release.rows for n in row if row[n] in long]


def _kept(release: Release, original: Release, least: float) -> list[str]:
    shares = [len(release.rows) / len(original.rows), len(release.persons) / len(original.persons)]
    if release.person_id is None and original.person_id is not None:
        shares.pop()
    return [f"{share:.1%} are kept" for share in shares if share < least]


def _smallest(release: Release, k: int, knowledge: Sequence[Knowledge]) -> list[str]:
    persons, columns = release.persons, release.with_role(KNOWN, "place")
    fewer = {known.__name__: below(persons, columns, known, k) for known in knowledge}
    return [f"{number} below {k} by {name}" for name, number in fewer.items() if number]


def _not_counted(release: Release, k: int, knowledge: Sequence[Knowledge]) -> list[str]:
    persons, columns, found = release.persons, release.with_role(KNOWN, "place"), []
    for name in release.with_role(OTHER):
        for known in knowledge:
            beyond = below(persons, (*columns, name), known, k) - below(persons, columns, known, k)
            most = max(beyond, below(persons, (name,), known, k))
            if most > 0.03 * len(persons):
                found.append(f"{name} puts {most} below {k}")
    return found


def _learned(release: Release, most_known: int | None, share: float, others: bool, knowledge) -> list[str]:
    persons, found = release.persons, []
    for name in release.with_role(SENSITIVE):
        may_know = release.with_role(KNOWN, "place", *([SENSITIVE] if others else []))
        columns = [other for other in may_know if other != name]
        sets = [columns] if most_known is None else sets_of(columns, most_known)
        for known in knowledge:
            number = certain(persons, sets, name, known)
            if number > share * len(persons):
                found.append(f"{name} is certain for {number} by {known.__name__}")
    return found


def _alone(release: Release) -> list[str]:
    persons = release.persons
    alone, small = set[int](), set[int]()
    columns = [name for name in release.columns if name != release.person_id]
    for subset in combinations(columns, min(3, len(columns))):
        for i, size in enumerate(sizes(persons, subset, one_row)):
            if size < 2:
                alone.add(i)
            if size < 5:
                small.add(i)
    found = [f"{len(alone)} are alone"] if len(alone) > 0.001 * len(persons) else []
    return found + ([f"{len(small)} below 5"] if len(small) > 0.05 * len(persons) else [])


def _public(release: Release) -> list[str]:
    known = [all_rows] if release.has_several_rows else [one_row]
    return [
        *_smallest(release, 11, known),
        *_learned(release, None, 0, False, known),
        *_not_counted(release, 11, known),
    ]


def alone_by_labels(release: Release) -> list[str]:
    """Whom equal labels leave alone by any three columns: of one level a column it is what the criterion counts."""
    return _alone(release)


def _contract(release: Release) -> list[str]:
    known = [one_row, values_of_columns]
    persons = release.persons
    few = below(persons, release.with_role(KNOWN, "place"), all_rows, 5)
    return [
        *_smallest(release, 5, known),
        *([f"{few} below 5 by all rows"] if few > 0.05 * len(persons) else []),
        *_not_counted(release, 5, known),
    ]


def _within(release: Release) -> list[str]:
    known = _by_rows(release)
    persons, columns = release.persons, release.with_role(KNOWN, "place")
    found = [f"average risk {risk}" for each in known if (risk := average_risk(persons, columns, each)) > 0.2]
    for each in known:
        lonely = set[int]()
        for subset in sets_of(columns, 2):
            lonely |= {i for i, size in enumerate(sizes(persons, subset, each)) if size < 2}
        if len(lonely) > 0.01 * len(persons):
            found.append(f"{len(lonely)} alone by two facts")
    return found


def _telling(release: Release, original: Release) -> list[str]:
    """Columns that left as they were and tell, by equal values or last digits, what left otherwise or not at all."""
    before = {name: Counter(row[name] for row in original.rows) for name in original.columns}
    after = {name: Counter(row[name] for row in release.rows) for name in release.columns}
    as_is = [
        name
        for name in release.with_role(OTHER, SENSITIVE)
        if set(after[name]) <= set(before[name]) and "*" not in after[name]
    ]
    known = original.with_role(KNOWN, "place")
    hidden = [name for name in known if name not in after or not set(after[name]) <= set(before[name])]
    found = []
    for name in as_is:
        for how, of in (("", str), *((f"last {n} of ", lambda cell, n=n: cell[-n:]) for n in (1, 2, 3, 4))):
            for secret in hidden:
                if _tells([of(row[name]) for row in original.rows], [row[secret] for row in original.rows]):
                    found.append(f"{how}{name} tells {secret}")
    return found


def _tells(clues: Sequence[str], secrets: Sequence[str]) -> bool:
    """Whether most others with the same clue have the same secret, for at least 95% of the records."""
    of_clue, both, overall = Counter(clues), Counter(zip(clues, secrets, strict=True)), Counter(secrets)
    right = sum(2 * (both[pair] - 1) > of_clue[pair[0]] - 1 for pair in zip(clues, secrets, strict=True))
    wrong = len(secrets) - max(overall.values())
    return bool(wrong) and right >= 0.95 * len(secrets) and (len(secrets) - right) / wrong <= 0.2
