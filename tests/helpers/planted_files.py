"""Small files of which the least change gives somebody away who knows the method, and ways to that change.

In each, some people alike in known columns have all one sensitive value. A class that others join hides that, and
nothing but their value explains why it is not finer. The ways have no defence, and are slow and plain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from random import Random

import pandas as pd

from tests.helpers.method_attack import Candidate, Conclusion, Known, Levels, Part, Release, Sensitive

Rows = list[tuple[tuple[str, ...], tuple[str, ...]]]  # labels and sensitive values of each record that leaves
Ladder = dict[str, tuple[str, ...]]
BLANK = "*"


# ---- ways to the least change, without a defence ----


def detail_lost(known: Known, node: Levels, left_out: Part) -> float:
    """Mean over cells: of the other values of its column, those with the same label; all of who is left out."""
    lost = 0.0
    for column, level in enumerate(node):
        ladder = known.hierarchies[column]
        values = {row[column] for row in known.rows}
        for person, row in enumerate(known.rows):
            alike = sum(ladder[value][level] == ladder[row[column]][level] for value in values)
            lost += 1.0 if person in left_out else (alike - 1) / max(1, len(values) - 1)
    return lost / len(known.rows) / len(node)


def whole_columns(
    known: Known, values: Sequence[tuple[str, ...]], k: int, sensitive: Sensitive, most_left_out: int = 0
) -> tuple[Rows, Part]:
    """One level a column, and who is left out there for size or value, so that least is lost."""
    best: tuple[float, Levels, Part] | None = None
    for node in product(*(range(top + 1) for top in known.top)):
        out = frozenset(
            person
            for part in known.classes(node)
            if len(part) < k or not sensitive.is_diverse([values[person] for person in part])
            for person in part
        )
        if len(out) <= most_left_out:
            this = (detail_lost(known, node, out), tuple(node), out)
            best = this if best is None or this[:2] < best[:2] else best
    if best is None:
        return [], known.everybody
    _, node, out = best
    rows = [
        (tuple(known.label(person, column, level) for column, level in enumerate(node)), values[person])
        for person in sorted(known.everybody - out)
    ]
    return rows, out


def part_by_part(known: Known, values: Sequence[tuple[str, ...]], k: int, sensitive: Sensitive) -> tuple[Rows, Part]:
    """Parts of which no child can be parted off any more; the finest that parts most comes first."""
    rows: Rows = []
    waiting: list[tuple[Part, Levels]] = [(known.everybody, known.top)]
    while waiting:
        part, levels = waiting.pop()
        split = _first_split(known, values, k, sensitive, part, levels)
        if split is None:
            labels = known.lowered(part, levels)
            rows += [(labels, values[person]) for person in sorted(part)]
        else:
            waiting += split
    return rows, frozenset()


def _first_split(
    known: Known, values: Sequence[tuple[str, ...]], k: int, sensitive: Sensitive, part: Part, levels: Levels
) -> list[tuple[Part, Levels]] | None:
    """A child parted off with others that remain, both diverse: coarse levels and large children first."""
    candidates: list[Candidate] = [(c, level) for c, top in enumerate(levels) for level in reversed(range(top))]
    for column, level in candidates:
        finer = (*levels[:column], level, *levels[column + 1 :])
        for child in sorted(known.children(part, column, level).values(), key=lambda child: (-len(child), min(child))):
            others = part - child
            if min(len(child), len(others)) >= k and all(
                sensitive.is_diverse([values[person] for person in side]) for side in (child, others)
            ):
                return [(child, finer), (others, levels)]
    return None


# ---- files ----


@dataclass(frozen=True, eq=False)
class PlantedFile:
    """A small file, what is asked of its release, and whose value is planted.

    Attributes
    ----------
    frame : pd.DataFrame
        Text cells, a row each person.
    hierarchies : dict of dict
        Of each known column, in their order, each value's labels from itself to the coarsest.
    sensitive : tuple of str
        Sensitive columns.
    k : int
        The fewest of a class.
    harmless : dict of tuple
        Values of a sensitive column that anybody may be sure of.
    way : str
        ``columns``: one level a column; ``parts``: levels differ, also where a cell is kept or blank.
    most_left_out : int
        How many may be left out.
    planted : tuple of int
        The rows of those of one value.
    """

    name: str
    frame: pd.DataFrame
    hierarchies: Mapping[str, Ladder]
    sensitive: tuple[str, ...]
    k: int
    way: str
    planted: tuple[int, ...]
    harmless: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    most_left_out: int = 0

    @cached_property
    def known(self) -> Known:
        rows = list(self.frame[list(self.hierarchies)].itertuples(index=False, name=None))
        return Known(rows, list(self.hierarchies.values()))

    @property
    def values(self) -> list[tuple[str, ...]]:
        return list(self.frame[list(self.sensitive)].itertuples(index=False, name=None))

    @property
    def asked(self) -> Sensitive:
        harmless = tuple(frozenset(self.harmless.get(name, ())) for name in self.sensitive)
        return Sensitive(len(self.sensitive), harmless)

    def exchanged(self, person: int, other: int) -> PlantedFile:
        """The file in which two have each other's sensitive values."""
        frame = self.frame.copy()
        names = list(self.sensitive)
        frame.loc[[person, other], names] = self.frame.loc[[other, person], names].to_numpy()
        return replace(self, frame=frame)

    def least_change(self) -> tuple[Rows, Part]:
        """The release without a defence, and who is left out."""
        if self.way == "columns":
            return whole_columns(self.known, self.values, self.k, self.asked, self.most_left_out)
        return part_by_part(self.known, self.values, self.k, self.asked)

    def attacked(self, rows: Rows, way: str | None = None) -> tuple[Release, Conclusion]:
        """What somebody who knows the method concludes of a release, its rows in an order that shows nothing."""
        release = Release(self.known, sorted(rows), self.asked)
        if (way or self.way) == "columns":
            return release, release.conclude(release.of_nodes(self.k, detail_lost, self.most_left_out))
        return release, release.conclude(release.of_parts(self.k))


ZIP: Ladder = {code: (code, f"{code[:4]}*", BLANK) for code in ("60110", "60119", "60120", "60124", "60131", "60135")}
AGE: Ladder = {
    str(age): (str(age), f"{age // 10 * 10}-{age // 10 * 10 + 9}", f"{age // 20 * 20}-{age // 20 * 20 + 19}", BLANK)
    for age in range(20, 100)
}
SEX: Ladder = {sex: (sex, BLANK) for sex in ("F", "M")}
WARD: Ladder = {ward: (ward, BLANK) for ward in ("east", "north", "south", "west")}
DAY: Ladder = {
    f"{year}-{month:02}-{day:02}": (f"{year}-{month:02}-{day:02}", f"{year}-{month:02}", str(year), BLANK)
    for year in (2023, 2024)
    for month in (3, 4, 9)
    for day in range(1, 29)
}
LADDERS = {"zip": ZIP, "age": AGE, "sex": SEX, "ward": WARD, "admitted": DAY}
ILLNESSES = ("asthma", "cancer", "flu", "gout", "measles", "stroke", "ulcer", "migraine")


@dataclass(frozen=True)
class Plan:
    """How a file is planted.

    ``cells`` are the labels, on a level of each column, that its people have (level and labels by column); where they
    have them, their values below are drawn. The first combination of cells is the one of a single value.
    """

    name: str
    cells: Mapping[str, tuple[int, tuple[str, ...]]]
    k: int
    way: str = "columns"
    larger: int = 1  # the others than the planted people, at least, than k
    spread: int = 2  # and how much their numbers differ
    n_values: int = 8
    columns: tuple[str, ...] = ("diagnosis",)
    harmless: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: int = 0


def planted(plan: Plan, seed: int) -> PlantedFile:
    """The file of a plan."""
    random = Random(f"{plan.name} {seed}")
    of_column = {name: LADDERS[name] for name in plan.cells}
    records: list[tuple[str, ...]] = []
    combinations = list(product(*(labels for _, labels in plan.cells.values())))
    for combination in combinations:
        is_planted = combination == combinations[0]
        size = plan.k if is_planted else plan.k + plan.larger + random.randint(0, plan.spread)
        illnesses = list(ILLNESSES[: plan.n_values])
        random.shuffle(illnesses)
        for number in range(size):
            known = tuple(
                random.choice([value for value, labels in LADDERS[name].items() if labels[level] == cell])
                for (name, (level, _)), cell in zip(plan.cells.items(), combination, strict=True)
            )
            values = [illnesses[number % len(illnesses)], "ABCDEF"[number % 6]][: len(plan.columns)]
            if is_planted:
                values[0] = "HIV"
            elif plan.harmless and combination == combinations[-1]:
                values[0] = next(iter(plan.harmless.values()))[0]
            records.append((*known, *values))
    order = random.sample(range(len(records)), len(records))
    frame = pd.DataFrame([records[i] for i in order], columns=[*plan.cells, *plan.columns], dtype=object)
    here = tuple(place for place, i in enumerate(order) if i < plan.k)
    hierarchies = {
        name: {value: ladder[value] for value in sorted(set(frame[name]))} for name, ladder in of_column.items()
    }
    return PlantedFile(
        plan.name, frame, hierarchies, plan.columns, plan.k, plan.way, here, plan.harmless, plan.left_out
    )


_ZIPS = (0, ("60119", "60110", "60120", "60124"))
_SIX_ZIPS = (0, ("60119", "60110", "60120", "60124", "60131", "60135"))
_TWO_ZIPS = (0, ("60119", "60110"))
_DECADES = (1, ("20-29", "30-39", "40-49", "50-59"))
_MONTHS = (1, ("2024-03", "2024-04", "2023-03", "2023-09"))
_WARDS = (0, ("east", "north", "south", "west"))
_SEX = (0, ("F", "M"))

PLANS = (
    Plan("zip", {"zip": _ZIPS}, 5),
    Plan("zip, in parts", {"zip": _ZIPS}, 5, "parts"),
    Plan("two wards, blank", {"ward": (0, ("east", "north"))}, 10, "parts"),
    Plan("wards, blank", {"ward": _WARDS}, 6, "parts"),
    Plan("ages, in parts", {"age": _DECADES}, 6, "parts"),
    Plan("dates", {"admitted": _MONTHS}, 4),
    Plan("dates, in parts", {"admitted": _MONTHS}, 4, "parts"),
    Plan("zip and sex", {"zip": _ZIPS, "sex": _SEX}, 5),
    Plan("zip and sex, in parts", {"zip": _ZIPS, "sex": _SEX}, 5, "parts"),
    Plan("ward and sex, blank", {"ward": _WARDS, "sex": _SEX}, 4, "parts"),
    Plan("age and zip", {"age": (1, ("20-29", "60-69")), "zip": _ZIPS}, 5),
    Plan("zip, sex and age", {"zip": _ZIPS, "sex": _SEX, "age": (1, ("20-29", "30-39"))}, 5, "parts"),
    Plan(
        "zip, sex and age, many", {"zip": _SIX_ZIPS, "sex": _SEX, "age": (1, ("20-29", "60-69"))}, 6, larger=2, spread=4
    ),
    Plan(
        "four columns",
        {"zip": _TWO_ZIPS, "sex": _SEX, "ward": (0, ("east", "west")), "age": (1, ("20-29", "30-39"))},
        6,
        "parts",
    ),
    Plan("a few who join many", {"zip": _ZIPS}, 6, larger=20, spread=8),
    Plan("a few who join many, in parts", {"zip": _ZIPS}, 6, "parts", larger=20, spread=8),
    Plan("two sensitive columns", {"zip": _ZIPS, "sex": _SEX}, 5, "parts", columns=("diagnosis", "group")),
    Plan("a harmless value", {"zip": _SIX_ZIPS}, 5, harmless={"diagnosis": ("healthy",)}),
    Plan("left out", {"zip": _SIX_ZIPS}, 5, larger=6, left_out=5),
    Plan("left out, of two columns", {"zip": _SIX_ZIPS, "sex": _SEX}, 4, larger=4, left_out=4),
)


def planted_files(seed: int = 0) -> list[PlantedFile]:
    """Twenty files and the clinic's, drawn by a seed."""
    return [clinic(), *(planted(plan, seed) for plan in PLANS)]


def clinic(way: str = "columns") -> PlantedFile:
    """Five of ZIP 60119, all HIV; six of 60110, all different; the others mixed."""
    records = [("60119", "HIV")] * 5 + [("60110", illness) for illness in ILLNESSES[:6]]
    for code in ("60120", "60124", "60131", "60135"):
        records += [(code, illness) for illness in (*ILLNESSES[2:8], "HIV")]
    frame = pd.DataFrame(records, columns=["zip", "diagnosis"], dtype=object)
    return PlantedFile("clinic", frame, {"zip": ZIP}, ("diagnosis",), 5, way, tuple(range(5)))
