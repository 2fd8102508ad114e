"""Small searches, one for each kind of compiled loops, on a few made-up records.

Each compiles what it runs: up to half a minute where no machine code is kept, at most a second where it is.
"""

from __future__ import annotations

from dataclasses import replace

import geopandas as gpd
import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from anonlib.analyses.forecast import NewPeople, Promise, draw_futures, forecast, kept_after_each
from anonlib.analyses.frontier.bound import lower_bounds
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.interval_programs import interval_programs
from anonlib.analyses.frontier.searches import random_chains
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.analyses.generalization.search import Problem
from anonlib.analyses.generalization.search.cell_suppression import blank_cells
from anonlib.analyses.generalization.search.coins import Coin
from anonlib.analyses.generalization.search.local_recoding import ROUNDS, part_by_part, parts_with_coins
from anonlib.analyses.generalization.search.node_weights import NodeWeights
from anonlib.analyses.regions.areas import AreaClasses, Areas
from anonlib.analyses.regions.choices import aggregate
from anonlib.analyses.regions.exchange import exchange
from anonlib.analyses.schedules.solver.plain import mixed, pack
from anonlib.coarsening.hierarchies import intervals
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.covering import CoveredTable, Covering, subsets_of
from anonlib.counting.classes.subsets import Subsets
from anonlib.counting.classes.walk import Walk
from anonlib.counting.privacy_models.coded import CodedPersons, CodedRows
from anonlib.counting.privacy_models.marking import walk
from anonlib.counting.privacy_models.models import ONE, AttributeDisclosure, KAnonymity, PrivacyModel
from anonlib.dataset import Dataset
from anonlib.reading.sources.regular import read_regular
from anonlib.release.recipe import Recipe
from anonlib.release.steps import GeneralizeLocally
from anonlib.verdict.attacks.attacking import AttackSettings, attack

_MANY = 70  # values that do not have a bit each


def compile_reading() -> None:
    """Read a few made-up rows."""
    read_regular(memoryview(b'1,"two"\n1,a longer text than eight\n'), ",", '"', 2, 2)


def compile_schedules() -> None:
    """Put a few values whole into slots, and pack a few parts into as few targets."""
    values, slots, rng = np.array([1, 2, 3]), np.array([3, 4]), np.random.default_rng(0)
    pack(values, slots, rng, 2, lambda work: True)
    mixed(values, slots, rng, lambda cells: None, lambda work: True)


def compile_forecast() -> None:
    """Draw a few made-up people, and count them."""
    classes = ClassTable(
        ("a",), (np.array(list("ab"), dtype=object),), np.array([[0], [1]], np.int32), np.array([6, 9])
    )
    futures = draw_futures(classes, NewPeople.of(4), 3)
    group = np.zeros(2, dtype=np.int32)
    forecast(futures, group)
    kept_after_each(futures, group, Promise())


def compile_exchange() -> None:
    """Exchange a few made-up areas."""
    rng = np.random.default_rng(0)
    points, population = rng.random((60, 2)) * 1000, np.full(60, 10)
    places = gpd.GeoDataFrame(geometry=gpd.points_from_xy(points[:, 0], points[:, 1]))
    areas = Areas(np.array([str(i) for i in range(60)], dtype=object), points, population, places)
    counts = csr_array(rng.multinomial(population, [0.5, 0.3, 0.15, 0.05]))
    codes = np.arange(4, dtype=np.int32)[:, None]
    categories = (np.array(list("abcd"), dtype=object),)
    classes = ClassTable(("class",), categories, codes, np.asarray(counts.sum(axis=0)))
    exchange(aggregate(AreaClasses(areas, counts, classes, "area"), 3, number=6))


def compile_frontier() -> None:
    """Search a few made-up records."""
    codes = np.stack(np.meshgrid(np.arange(8), np.arange(6), np.arange(3), indexing="ij"), axis=-1).reshape(-1, 3)
    categories = tuple(np.array([f"{value:02d}" for value in range(n)], dtype=object) for n in (8, 6, 3))
    classes = ClassTable(("a", "b", "c"), categories, codes.astype(np.int32), 1 + codes.sum(axis=1) % 5)
    plane = Plane(PolicySpace(classes))
    for _ in random_chains(plane, budget=20):
        pass
    *_, program = interval_programs(plane, work=1e7)
    next(lower_bounds(program))


def compile_walk() -> None:
    """Walk over a few made-up records."""
    codes = np.stack(np.meshgrid(np.arange(5), np.arange(4), np.arange(3), indexing="ij"), axis=-1).reshape(-1, 3)
    categories = tuple(np.array([str(value) for value in range(n)], dtype=object) for n in (5, 4, 3))
    few = ClassTable(("a", "b", "c"), categories, codes.astype(np.int32), np.ones(len(codes), np.int64))
    many = replace(few, counts=few.counts * 2**31)  # whose counts are kept as larger numbers
    for classes in (few, many):
        for _ in Subsets(classes).walk():
            pass
        Walk.of(classes, (0, 1, 2), 1, 2).least(np.arange(classes.n_classes), share=True)
    covering = Covering.of(few.codes[:, 0], np.eye(5, dtype=bool))
    of_parts = CoveredTable(few.attributes, few.categories, few.codes, few.counts, None, (covering, None, None))
    for _ in subsets_of(of_parts).walk():
        pass


def compile_privacy_models() -> None:
    """Walk over a few made-up persons."""
    twice = np.repeat(np.arange(_MANY), 2)
    codes = {"a": twice % 2, "b": twice, "c": twice}
    labels = {name: np.array([str(code) for code in range(_MANY)], dtype=object) for name in codes}
    rows = CodedRows(codes, labels, np.ones(2 * _MANY, dtype=np.int64))
    start = np.arange(0, 2 * _MANY + 1, 2, dtype=np.int64)
    persons = CodedPersons(rows, np.ones(_MANY, np.int64), start, np.arange(2 * _MANY), np.ones(2 * _MANY, np.intp))
    for coded in (rows, persons):
        few = KAnonymity(columns=("a", "b"), least=3, known=1, rows=ONE)
        sure = [
            AttributeDisclosure(columns=("a", "b"), sensitive="c", known=1, rows=ONE, harmless=harmless)
            for harmless in ((), ("1",))
        ]
        walk(coded, [few, *sure])


def compile_local_recoding() -> None:
    """Split a few made-up records into parts where all columns are known."""
    part_by_part(_made_up_problem(), rounds=ROUNDS + 1)


def compile_local_recoding_with_coins() -> None:
    """Split a few made-up records where a coin can refuse."""
    parts_with_coins(_made_up_problem(), Coin())


def compile_local_recoding_of_few_facts() -> None:
    """Split a few made-up records into parts where few facts are known."""
    problem = _made_up_problem()
    few = [
        replace(guarantee, known=1) if isinstance(guarantee, AttributeDisclosure) else guarantee
        for guarantee in problem.guarantees
    ]
    part_by_part(problem.changed(guarantees=few))


def compile_node_weights() -> None:
    """Weigh one level of a few made-up records."""
    problem = _made_up_problem()
    NodeWeights(problem).weigh(problem.bottom)


def _made_up_problem() -> Problem:
    codes = np.stack(np.meshgrid(np.arange(6), np.arange(5), np.arange(4), indexing="ij"), axis=-1).reshape(-1, 3)
    categories = tuple(np.array([str(value) for value in range(n)], dtype=object) for n in (6, 5, 4))
    classes = ClassTable(("a", "b", "c"), categories, codes.astype(np.int32), np.ones(len(codes), np.int64))
    guarantees: list[PrivacyModel] = [
        KAnonymity(columns=("a", "b"), least=5),
        AttributeDisclosure(columns=("a", "b"), sensitive="c"),
    ]
    return Problem(classes, {"a": intervals([2]), "b": intervals([2])}, guarantees)


def compile_cell_suppression() -> None:
    """Leave cells of a few made-up records blank."""
    codes = np.arange(6, dtype=np.int32)[:, None] // np.array([1, 2, 3], dtype=np.int32)
    categories = tuple(np.array([str(value) for value in range(n)], dtype=object) for n in (6, 3, 2))
    classes = ClassTable(("a", "b", "c"), categories, codes, np.ones(len(codes), np.int64))
    guarantees: list[PrivacyModel] = [
        KAnonymity(columns=("a", "b"), least=5),
        AttributeDisclosure(columns=("a", "b"), sensitive="c"),
    ]
    blank_cells(Problem(classes, {"a": intervals([2]), "b": intervals([2])}, guarantees), (0, 0))


def compile_attacks() -> None:
    """Attack a few made-up records that are recoded part by part, and count who is alone by what leaves."""
    rng = np.random.default_rng(0)
    columns = {"age": rng.integers(20, 60, 80), "sex": rng.integers(0, 2, 80), "ill": rng.integers(0, 3, 80)}
    frame = pd.DataFrame({name: cells.astype(str) for name, cells in columns.items()}, dtype=object)
    known = ("age", "sex")
    data = Dataset.from_frame(frame, roles=dict.fromkeys(known, "quasi_identifier") | {"ill": "sensitive"})
    recipe = Recipe.of([GeneralizeLocally((("age", intervals([5, 20])),), (KAnonymity(columns=known, least=4),))])
    attack(recipe.apply(data), recipe, AttackSettings(known, sensitive=("ill",), tries=20))
