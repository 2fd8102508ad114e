"""Random projects on the file of six people, for the tests of what a project keeps."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from anonlib.analyses.regions.reading import AreaColumns
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, intervals
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project import AreasBeside, FileRead, Project, TableBeside, ValueOrder, Variant, Way
from anonlib.reading.ids import IdsRead
from anonlib.reading.sources import Described, ReadOptions
from anonlib.reading.tables import Key, Linked, ListColumn
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.release.recipe import Entry, Recipe
from anonlib.release.steps import (
    AggregatePlaces,
    BlankCells,
    DropColumns,
    GeneralizeLocally,
    HoldBack,
    LeaveOut,
    Recode,
)
from anonlib.release.steps.of_cells import EarlierLDiversity, Requirement, guarantees_of
from anonlib.verdict.criteria import Accepted, Aim
from anonlib.verdict.criteria.earlier import EarlierReleases
from anonlib.verdict.criteria.inference import Inference
from anonlib.verdict.criteria.recipients import RECIPIENTS
from anonlib.verdict.criteria.sizes import AverageRisk, Combinations, SmallestClass
from anonlib.verdict.criteria.use import ColumnsStay
from tests.helpers.leaving_out import for_requirements
from tests.helpers.small_release import COLUMNS
from tests.helpers.small_release import ROLES as ROLES_OF_COLUMNS

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAMES = st.sampled_from([*COLUMNS, "größe", "a,b\n“c”"])
DIGESTS = st.text("0123456789abcdef", min_size=64, max_size=64)
LABELS = st.none() | TEXTS
MAPPINGS = st.builds(
    lambda labels, otherwise, missing, between: ValueMap(tuple(labels.items()), otherwise, missing, between),
    st.dictionaries(TEXTS, LABELS, min_size=1, max_size=5), LABELS, LABELS, st.booleans(),
)  # fmt: skip
INTERVALS = st.builds(Intervals, st.integers(1, 50), st.integers(-5, 5)) | st.builds(
    lambda cuts: Intervals(cuts=tuple(sorted(cuts))), st.sets(st.integers(0, 99), min_size=1, max_size=4)
)
RECODINGS = MAPPINGS | INTERVALS | st.builds(Mask, st.integers(0, 6)) | st.just(DateUnit("month"))
HIERARCHIES = st.builds(lambda levels: Hierarchy((*levels, EVERYTHING)), st.lists(RECODINGS, max_size=3))
KEPT = st.lists(TEXTS, max_size=3, unique=True).map(tuple)
RECODES = st.builds(Recode, NAMES, RECODINGS, TEXTS, st.sampled_from(["ask", "star", "leave_out"]), KEPT)
REQUIREMENTS = st.builds(lambda k: (Requirement(("age", "zip"), k),), st.integers(1, 9))
STEPS = st.one_of(
    RECODES,
    st.builds(DropColumns, st.lists(NAMES, min_size=1, max_size=3).map(tuple), TEXTS),
    st.builds(LeaveOut, st.integers(1, 30)),
    st.builds(
        lambda rows, of, unit: HoldBack(tuple(sorted(rows)), of, len(rows), unit),
        st.sets(st.integers(0, 99), max_size=9), DIGESTS, st.sampled_from(["persons", "records"]),
    ),
    st.builds(for_requirements, REQUIREMENTS, st.just((EarlierLDiversity("illness", 2),))),
    st.builds(
        lambda column, areas: AggregatePlaces(column, (("north", tuple(areas)),)),
        NAMES, st.sets(TEXTS, min_size=1, max_size=4),
    ),
    st.builds(
        lambda hierarchy, asked, kept: GeneralizeLocally(
            (("age", hierarchy),), guarantees_of(asked), kept=tuple(("age", value) for value in kept)
        ),
        HIERARCHIES, REQUIREMENTS, KEPT,
    ),
    st.builds(
        lambda asked, weight, labels: BlankCells(
            ("age", "zip"), guarantees_of(asked), 0.05, "", (("zip", weight),), (("age", tuple(labels.items())),)
        ),
        REQUIREMENTS, st.floats(0, 3), st.dictionaries(TEXTS, st.sampled_from([0.0, 0.5, 1.0]), max_size=3),
    ),
    st.builds(
        lambda column, labels: LeaveOut(guarantees=
            (
                KAnonymity(columns=("age", "zip"), least=2),
                AttributeDisclosure(columns=("age",), sensitive="illness", harmless=("flu",)),
            ),
            worth=((column, tuple(labels.items())),),
        ),
        NAMES, st.dictionaries(TEXTS, st.sampled_from([0.0, 0.5, 1.0]), max_size=3),
    ),
)  # fmt: skip
RECIPES = st.lists(st.builds(Entry, STEPS, st.booleans()), max_size=4).map(lambda entries: Recipe(tuple(entries)))
CRITERIA = st.one_of(
    st.builds(SmallestClass, st.integers(1, 99), TEXTS),
    st.builds(AverageRisk, st.floats(0, 1)),
    st.builds(Combinations, st.integers(1, 3), st.integers(1, 5), st.floats(0, 1)),
    st.builds(Inference, st.integers(0, 3), st.just(0.1), st.floats(0, 1), column=st.sampled_from(["", "illness"])),
    st.builds(ColumnsStay, st.lists(NAMES, max_size=2, unique=True).map(tuple)),
    st.builds(EarlierReleases, st.integers(1, 9)),
)
REASONS = TEXTS.filter(str.strip)
AIMS = st.builds(
    Aim,
    st.sampled_from([recipient.key for recipient in RECIPIENTS]),
    st.lists(CRITERIA, max_size=4).map(tuple),
    st.lists(st.builds(Accepted, CRITERIA, REASONS, TEXTS, st.just("2026-11-22")), max_size=2).map(tuple),
    st.dictionaries(NAMES, KEPT, max_size=2).map(lambda by_column: tuple(by_column.items())),
    st.lists(NAMES, max_size=2, unique=True).map(tuple),
    st.dictionaries(NAMES, st.floats(0, 3), max_size=2).map(lambda weights: tuple(weights.items())),
    st.lists(NAMES, max_size=2, unique=True).map(tuple),
    st.lists(RECIPES, max_size=2).map(tuple),
    TEXTS,
)
OPTIONS = st.builds(
    ReadOptions,
    st.sampled_from([None, "utf-8", "cp1252"]), st.sampled_from([None, ";", "\t"]), st.none() | st.booleans(),
    st.none() | st.integers(0, 9), st.none() | st.integers(0, 9), st.none() | TEXTS, st.sampled_from([None, ""]),
    st.booleans(), st.booleans(),
)  # fmt: skip
FILES = st.builds(
    FileRead, DIGESTS, st.sampled_from(["visits.csv", "größe.xlsx"]), st.integers(0, 10**9),
    st.lists(TEXTS, max_size=6, unique=True).map(tuple), OPTIONS, KEPT,
    st.lists(st.tuples(NAMES, TEXTS), max_size=2).map(tuple), st.lists(NAMES, max_size=2, unique=True).map(tuple),
)  # fmt: skip
ORDERS = st.builds(ValueOrder, st.sampled_from(get_args(Way)), st.none() | KEPT)
VARIANTS = st.dictionaries(
    st.sampled_from(["Version 1", "for the board", "größe “2”", " spaced "]), RECIPES, max_size=2
).map(lambda kept: tuple(Variant(name, recipe) for name, recipe in kept.items()))
ROLES = st.dictionaries(NAMES, st.sampled_from(list(Role)), max_size=6)
LINES = st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=12)
CASES = st.builds(
    ReleaseCase, title=LINES, purpose=st.lists(LINES, max_size=3).map("\n".join), author=LINES,
    until=st.just("") | st.dates().map(str),
)  # fmt: skip


@st.composite
def projects(draw: st.DrawFn) -> Project:
    """A project of any decisions, also such as could not stand together on one file."""
    aim = draw(AIMS)
    released = draw(st.lists(DIGESTS, min_size=len(aim.earlier), max_size=len(aim.earlier)))
    return Project(
        file=draw(st.none() | FILES),
        roles=draw(ROLES),
        missing=draw(st.sampled_from(["category", "drop"])),
        hierarchies=draw(st.dictionaries(NAMES, HIERARCHIES, max_size=2)),
        orders=draw(st.dictionaries(NAMES, ORDERS, max_size=2)),
        population=draw(st.none() | st.builds(TableBeside, DIGESTS, st.just("people.csv"), TEXTS)),
        population_columns=draw(st.dictionaries(NAMES, TEXTS, max_size=2)),
        areas=draw(
            st.none()
            | st.builds(
                AreasBeside, DIGESTS, st.just("areas.csv"),
                st.none() | st.builds(AreaColumns, TEXTS, LABELS, LABELS, LABELS), st.none() | st.just("EPSG:4326"),
            )
        ),
        aim=aim,
        recipe=draw(RECIPES),
        variants=draw(VARIANTS),
        released={recipe.digest: sha256 for recipe, sha256 in zip(aim.earlier, released, strict=True)},
        unknowable=draw(st.lists(NAMES, max_size=2, unique=True).map(tuple)),
        k=draw(st.integers(1, 10**6)),
        own_threshold=draw(st.none() | st.floats(0.001, 1)),
        case=draw(st.just(ReleaseCase()) | CASES),
        seed=draw(st.integers(0, 2**128)),
    )  # fmt: skip


EVERY_PART = Project(
    file=FileRead(
        "d" * 64, "visits.csv", 6, ("age", "zip"), column_marks=(("age", "999"),), merged=("zip",),
        described=(Described("age", "Age", "years", labels=(("1", "one"),), missing=("9",), identifies=True),),
        in_codes=("age",), ids=IdsRead("age", ("age",), True, "zip"),
        linked=Linked("a", {"a": "id", "b": "pid"}, (Key("b", "pid", "a", "id"),)), lists=(ListColumn("a", "x", ";"),),
    ),
    roles=ROLES_OF_COLUMNS | {"zip": Role.PLACE},
    hierarchies={"age": Hierarchy((*intervals((5, 10)).recodings, EVERYTHING)), "zip": Hierarchy((Mask(3),))},
    orders={"age": ValueOrder("given", ("51", "34"))},
    population=TableBeside("e" * 64, "people.csv", "heads"),
    population_columns={"age": "AGE"},
    areas=AreasBeside("f" * 64, "areas.csv", AreaColumns("id", "x", "y"), "EPSG:4326"),
    aim=Aim(harmless=(("illness", ("flu",)),), weights=(("age", 2.0),), earlier=(Recipe.of([LeaveOut(3)]),), year=2026),
    recipe=Recipe.of([Recode("age", Intervals(10)), Recode("zip", ValueMap.of({"02138": "021"}))]),
    variants=(Variant("Version 1", Recipe.of([LeaveOut(2)])),),
    unknowable=("visit",),
    own_threshold=0.2,
    case=ReleaseCase(title="Falls", until="2027-11-25"),
    pseudonyms=Pseudonyms("University of Example", "Falls", "0123456789abcdef", 2),
    seed=7,
)  # fmt: skip
"""A project in which nothing is empty that a file can hold."""
