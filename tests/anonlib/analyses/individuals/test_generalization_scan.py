"""The generalization scan: every partition recoded and counted afresh, and the paper's Figure 4."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from unittest.mock import Mock, call

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.individuals as slow
from anonlib.analyses.individuals import (
    KNOWS_ALL,
    KNOWS_ANY,
    Attacker,
    GeneralizationScan,
    Individual,
    Partition,
    breach_probability,
    breaching_sets,
    generalization_scan,
    leave_one_out,
    privacy_profile,
    protective_peers,
    singling_out,
)
from anonlib.analyses.individuals.intervals import IntervalGrid
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from tests.helpers.errors import refused
from tests.helpers.examples import settings

THRESHOLDS = st.sampled_from([0.0, 0.25, 0.3, 0.5])
WHOLE = st.sampled_from(["-2", "0", "1", "2", "3", "4"])
WITH_OTHERS = st.sampled_from([None, "unknown", "3", "4", "5", "8"])
TENTHS = st.sampled_from(["0.7", "0.8", "0.9", "1.1", None])
HUNDREDTHS = st.sampled_from(["0.11", "0.12", "0.14", "0.15"])
Rows = list[tuple]


def class_table(rows: Rows, names: list[str]) -> ClassTable:
    return ClassTable.from_frame(pd.DataFrame(rows, columns=names, dtype=object))


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    """Rows of a sensitive variable, an ordered one that has numbers, and at most one more."""
    ages = draw(st.sampled_from([WHOLE, WITH_OTHERS, TENTHS, HUNDREDTHS]))
    columns = [slow.FEW, ages, draw(st.sampled_from([slow.FEW, slow.TEXTS]))][: draw(st.sampled_from([2, 3]))]
    if draw(st.booleans()):
        columns[0] = st.sampled_from(["flu", "cold", "gout"])
    return draw(st.lists(st.tuples(*columns), min_size=1, max_size=9).filter(has_numbers))


def has_numbers(rows: Rows) -> bool:
    return any(slow.number(row[1]) is not None for row in rows)


def scan_of(rows: Rows, **options) -> GeneralizationScan:
    return generalization_scan(class_table(rows, ["s", "age", "sex"][: len(rows[0])]), "s", "age", **options)


def recoded(rows: Rows, partition: Partition) -> Rows:
    """The rows as a recipe would release them."""
    values = list({row[1] for row in rows} - {None})
    labels = dict(zip(values, partition.recoding.labels(values), strict=True))
    return [(row[0], None if row[1] is None else labels[row[1]], *row[2:]) for row in rows]


def steps(scan: GeneralizationScan, rows: Rows) -> list[str]:
    """Every step between the least and the greatest value, as text."""
    step = slow.exact(scan.grid.step)
    numbers = [number for row in rows if (number := slow.number(row[1])) is not None]
    return [repr(float(min(numbers) + i * step)) for i in range(int((max(numbers) - min(numbers)) / step) + 1)]


# --- the paper's numbers --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cervical(shared_data: Callable[[str], Path]) -> ClassTable:
    frame = pd.read_csv(shared_data("cervical_cancer.csv"), dtype=str, na_values="?", keep_default_na=False)
    names = ["Num of pregnancies", "Smokes", "Age", "Biopsy"]
    return ClassTable.from_frame(frame.dropna(subset=names), names)


def test_figure_4_age(cervical):
    """At best 761 of 789 are protected: 96.45%, which the paper's text calls "up to 97%". As it is, 223 are."""
    scan = generalization_scan(cervical, "Biopsy", "Age")
    assert (scan.n_records, scan.baseline, scan.grid.step, scan.grid.low) == (789, 223, 1, 13)
    assert scan.protected.max() == scan.ceiling == 761 and round(761 / 789, 4) == 0.9645
    assert scan.to_frame()["share"].max() == 761 / 789
    assert len(steps(scan, [("", "13"), ("", "84")])) == 72 == scan.categories.max()


def test_figure_4_pregnancies(cervical):
    """At best 463 of 789: 58.7%, the paper's "only 59%"."""
    scan = generalization_scan(cervical, "Biopsy", "Num of pregnancies")
    assert (scan.baseline, scan.protected.max()) == (223, 463) and round(463 / 789, 3) == 0.587


def test_figure_4_partitions_protect_as_many_when_applied(cervical):
    scan = generalization_scan(cervical, "Biopsy", "Age", max_width=20)
    assert scan.optimum is not None and scan.optimum.widest <= 20
    for partition in [scan.optimum, *(scan.partition(i) for i in scan.best.tolist())]:
        ages = cervical.categories[cervical.attributes.index("Age")]
        labels = dict(zip(ages, partition.recoding.labels(ages), strict=True))
        frame = cervical.to_frame().assign(Age=lambda frame, labels=labels: frame["Age"].map(labels))
        again = privacy_profile(ClassTable.from_frame(frame, weights="count"), sensitive="Biopsy")
        assert 789 - round(again.share_below(0)[0] * 789) == partition.protected
    assert scan.optimum.protected >= scan.protected.max()


def test_generalizing_further_need_not_help():
    """The paper's remark on Figure 4 holds for partitions that are not nested: wider, and fewer are protected."""
    rows = [("flu", "1"), ("flu", "2"), ("cold", "3"), ("cold", "4")]
    frame = scan_of(rows).to_frame().set_index(["width", "starts_at"])
    assert frame["protected"][2, 2] == 2 and frame["categories"][2, 2] == 3  # 1, 2-3, 4
    assert frame["protected"][3, 3] == 0 and frame["categories"][3, 3] == 2  # 1-2, 3-4


# --- brute force ----------------------------------------------------------------------------------------------------


@given(tables(), THRESHOLDS)
def test_every_partition_protects_as_many_as_the_rows_recoded(rows, p):
    scan = scan_of(rows, p=p)
    domain, threshold = steps(scan, rows), slow.exact(p)
    n = len(domain)
    found = list(zip(scan.widths.tolist(), scan.offsets.tolist(), strict=True))
    assert sorted(found) == [(width, offset) for width in range(1, n + 1) for offset in range(width)]
    for i, (width, offset) in enumerate(found):
        partition = scan.partition(i)
        assert partition.protected == slow.protected(recoded(rows, partition), 0, threshold)
        place = [(step - offset) // width for step in range(n)]
        assert partition.categories == scan.categories[i] == len(set(place))
        labels = partition.recoding.labels(domain).tolist()
        assert [a == b for a, b in pairwise(labels)] == [a == b for a, b in pairwise(place)]
        assert partition.widest == float(width * slow.exact(scan.grid.step))


CLOSE = st.tuples(slow.FEW, st.sampled_from(["1", "2", "3", "4"]), st.sampled_from(["f", "f", "m"]))


@settings(max_examples=200)
@given(st.lists(CLOSE, min_size=4, max_size=12), st.sampled_from([0.0, 0.3]))
def test_steps_where_both_values_occur_beside_steps_of_one(rows, p):
    scan = scan_of(rows, p=p)
    for i in range(len(scan.widths)):
        assert scan.protected[i] == slow.protected(recoded(rows, scan.partition(i)), 0, slow.exact(p))


@given(tables(), THRESHOLDS, st.integers(1, 4))
def test_the_optimum_is_the_best_of_all_cuts(rows, p, widest):
    """Of all ways to cut with no category wider than the limit; of equals, one with most categories."""
    step = slow.exact(scan_of(rows).grid.step)
    limit = float(widest * step)
    scan = scan_of(rows, p=p, max_width=limit)
    domain, threshold = steps(scan, rows), slow.exact(p)
    n, widest = len(domain), min(widest, len(domain))
    assert scan.widths.max() == widest and scan.max_width == pytest.approx(float(widest * step))
    ways = []
    for size in range(n):
        for cuts in combinations(range(1, n), size):
            widths = [b - a for a, b in pairwise((0, *cuts, n))]
            if max(widths) <= widest:
                group = {value: sum(place >= cut for cut in cuts) for place, value in enumerate(domain)}
                ways.append((protected_by(rows, group, threshold), len(widths)))
    best = scan.optimum
    assert best is not None and (best.protected, best.categories) == max(ways)
    assert slow.protected(recoded(rows, best), 0, threshold) == best.protected
    assert len(set(best.recoding.labels(domain))) == best.categories
    assert float(step) <= best.widest <= limit * (1 + 1e-12)


def protected_by(rows: Rows, group: dict[str, int], p) -> int:
    places = {slow.number(value): place for value, place in group.items()}
    return slow.protected([(row[0], places.get(slow.number(row[1]), row[1]), *row[2:]) for row in rows], 0, p)


@given(tables(), THRESHOLDS)
def test_the_best_partition_for_each_number_of_categories_and_protection_before_and_without(rows, p):
    scan, threshold = scan_of(rows, p=p), slow.exact(p)
    assert scan.n_records == len(rows) and (scan.sensitive, scan.attribute, scan.p) == ("s", "age", p)
    assert scan.baseline == slow.protected(rows, 0, threshold), "before"
    assert scan.ceiling == slow.protected([(row[0], *row[2:]) for row in rows], 0, threshold), "without the variable"
    assert scan.optimum is None and scan.max_width is None
    assert (scan.protected <= scan.ceiling).all()
    assert scan.categories[scan.best].tolist() == sorted(set(scan.categories.tolist()))
    for i in scan.best.tolist():
        rivals = scan.categories == scan.categories[i]
        assert scan.protected[i] == scan.protected[rivals].max()
        equals = rivals & (scan.protected == scan.protected[i])
        ranks = list(zip(scan.widths[equals].tolist(), scan.offsets[equals].tolist(), strict=True))
        assert (scan.widths[i], scan.offsets[i]) == min(ranks)
    frame = scan.to_frame()
    assert np.flatnonzero(frame["best"]).tolist() == sorted(scan.best.tolist())
    assert (frame["share"] == scan.protected / len(rows)).all()


# --- steps ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "step"),
    [
        (["0", "999"], 1),
        (["1", "1000"], 1),
        (["0", "1000"], 2),
        (["1", "2000"], 5),
        (["0", "1998"], 2),
        (["0", "2000"], 5),
        (["7", "12000"], 20),
        (["10", "30", "90"], 1),
        (["0.5", "1"], 0.1),
        (["0.25", "1"], 0.01),
        (["0.5", "300"], 0.5),
        (["5"], 1),
    ],
)
def test_the_step_is_the_smallest_round_one_that_leaves_at_most_1000(values, step):
    scan = scan_of([("x", value) for value in values], max_width=100 * step)
    assert scan.grid.step == step
    assert scan.categories.max() <= 1000


@given(st.integers(-5000, 5000), st.integers(0, 100_000), st.sampled_from([1, 10, 1000]))
def test_steps_are_at_most_1000_wherever_they_begin(low, span, scale):
    values = [low / scale, (low + span) / scale]
    grid = IntervalGrid.of(class_table([("x", repr(value)) for value in values], ["s", "age"]), 1)
    assert grid.n <= 1000
    assert grid.low <= values[0] and values[1] < grid.value(grid.n)


@pytest.mark.parametrize("values", [["0", "1", "1000", "5000"], ["0", "1", "2999", "3000"], ["5", "05", "7"]])
def test_the_baseline_is_of_the_values_as_they_are(values):
    """Also where the steps are coarser than the values, or two texts are one number."""
    rows = [("flu" if i % 2 else "cold", value) for i, value in enumerate(values)]
    assert scan_of(rows, max_width=50).baseline == slow.protected(rows, 0, slow.exact(0.0)) == 0


def test_widths_and_labels_are_the_decimals_as_written():
    """Three steps of 0.1 are 0.3 wide, also where they are shown, and from 0.7 on they are one category."""
    scan = scan_of([("x", "0.1"), ("y", "0.6")], max_width=0.3)
    assert scan.max_width == 0.3
    assert sorted(set(scan.to_frame()["width"])) == [0.1, 0.2, 0.3]
    assert set(scan.to_frame()["starts_at"]) == {0.1, 0.2, 0.3}
    optimum = scan_of([("x", "0.7"), ("y", "0.9")], max_width=0.3).optimum
    assert optimum is not None and optimum.widest == 0.3
    assert set(optimum.recoding.labels(["0.7", "0.8", "0.9"])) == {"[0.7, 1)"}


# --- what cannot be asked, and how far it is ------------------------------------------------------------------------

ROWS = [("secret", "1", "secret"), ("x", "2", "b"), ("x", "2.5", "b")]


@pytest.mark.parametrize(
    ("attributes", "options", "says"),
    [
        (("s", "nobody"), {}, "no column named “nobody”"),
        (("nobody", "age"), {}, "no column named “nobody”"),
        (("age", "age"), {}, "“age” is the sensitive variable"),
        (("s", "sex"), {}, "“sex” has no numbers"),
        (("s", "age"), {"p": 1.0}, "p is a share"),
        (("s", "age"), {"p": -0.1}, "p is a share"),
        (("s", "age"), {"max_width": 0.05}, "“age”"),
        (("s", "age"), {"max_width": -3.0}, "“age”"),
        (("s", "age"), {"max_width": float("nan")}, "width must be a number"),
    ],
)
def test_what_cannot_be_scanned_is_refused_without_a_cell(attributes, options, says):
    with pytest.raises(InputError, match=says) as error:
        generalization_scan(class_table(ROWS, ["s", "age", "sex"]), *attributes, **options)
    assert "secret" not in str(error.value)


def test_an_individual_that_is_not_there_or_of_too_many_variables_is_refused():
    classes = class_table([("a", "x"), ("b", "y")], ["u", "s"])
    for row in (-1, 2):
        with refused("class-unknown"):
            Individual.of(classes, row)
    with refused("column-unknown", "nobody"):
        Individual.of(classes, 0).measure("nobody")
    wide = ClassTable.from_frame(pd.DataFrame({f"v{j}": ["a", "b"] for j in range(21)}))
    with pytest.raises(InputError, match="more than 20 variables"):
        Individual.of(wide, 0)


def test_more_than_fits_in_memory_is_refused(monkeypatch):
    monkeypatch.setattr("anonlib.analyses.individuals.intervals.MEMORY", 10)
    assert scan_of(ROWS).ceiling == 0
    with pytest.raises(InputError, match="p = 0"):
        scan_of(ROWS, p=0.1)


def test_memory_is_kept_to_whatever_the_number_of_steps(monkeypatch):
    """Everyone in every interval of every width is far more than everyone in every set of known variables."""
    monkeypatch.setattr("anonlib.analyses.individuals.intervals.MEMORY", 1_000_000)
    rows = [(str(i % 2), str(i % 300), "f") for i in range(602)]
    tracemalloc.start()
    try:
        scan_of(rows, p=0.1)
    except InputError:
        return
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 10_000_000


MANY = ClassTable.from_frame(pd.DataFrame({f"v{j}": ["a", "b"] for j in range(30)}))


def test_more_than_64_variables_are_singled_out_by_one_of_them():
    names = [f"v{j}" for j in range(70)]
    found = singling_out(class_table([tuple("a" * 70), tuple("a" * 69 + "b"), tuple("a" * 70)], names), max_size=1)
    assert [found.minimal.smallest_set(row) for row in found.minimal.people.class_of_record] == [(), ("v69",), ()]


def test_too_many_sets_are_refused():
    with pytest.raises(InputError, match="at most 6 of them"):
        privacy_profile(MANY)
    with pytest.raises(InputError, match="30 columns have too many combinations of 9"):
        singling_out(MANY, max_size=9)
    assert (privacy_profile(MANY, Attacker(knows=2), sensitive="v0").values == 0).all()


@pytest.mark.parametrize("ask", [lambda: privacy_profile(MANY, KNOWS_ALL), lambda: leave_one_out(MANY, "v0")])
def test_full_knowledge_of_many_variables_takes_no_sets(ask):
    """It is one count a variable, however many sets there are."""
    assert (ask().values == 0).all()


NOBODY = class_table([], ["s", "age", "sex"])


@pytest.mark.parametrize(
    "ask",
    [
        lambda: privacy_profile(NOBODY).to_frame(0.5),
        lambda: privacy_profile(NOBODY, Attacker(measure="poac", include_empty=True)).to_frame(0.5),
        lambda: privacy_profile(NOBODY, KNOWS_ALL).to_frame(0.5),
        lambda: leave_one_out(NOBODY, "s").to_frame(0.5),
        lambda: leave_one_out(NOBODY, "s", Attacker(measure="poac")).to_frame(0.5),
        lambda: breach_probability(NOBODY, None, 0.5).to_frame(),
    ],
)
def test_of_nobody_nothing_is_certain(ask):
    """Tables of zeros, a row a variable."""
    frame = ask()
    assert len(frame) in (2, 3)
    amounts = [
        name for name in frame if name in ("individuals", "share", "certain", "share_certain", "mean", "highest")
    ]
    assert amounts and (frame[amounts] == 0).all(axis=None)


def test_of_nobody_there_are_no_sets_no_peers_and_nothing_to_scan():
    assert breaching_sets(NOBODY, "s").minimal.sets == singling_out(NOBODY).minimal.sets == ()
    assert len(breaching_sets(NOBODY, "s").minimal.records()) == len(privacy_profile(NOBODY).records()) == 0
    assert len(protective_peers(NOBODY, "s", ["age"]).ppp) == 0
    with refused("column-without-numbers", "age"):
        generalization_scan(NOBODY, "s", "age")
    with refused("class-unknown"):
        Individual.of(NOBODY, 0)


CROWD = class_table([(str(i % 3), str(i % 7), str(i % 5)) for i in range(60)], ["s", "age", "sex"])


@pytest.mark.parametrize(
    "ask",
    [
        lambda progress: generalization_scan(CROWD, "s", "age", p=0.1, progress=progress),
        lambda progress: privacy_profile(CROWD, progress=progress),
        lambda progress: privacy_profile(CROWD, Attacker(knows=1), sensitive="s", progress=progress),
        lambda progress: privacy_profile(CROWD, Attacker(include_empty=True), progress=progress),
        lambda progress: privacy_profile(CROWD, Attacker(measure="poac"), progress=progress),
        lambda progress: privacy_profile(CROWD, KNOWS_ALL, progress=progress),
        lambda progress: breaching_sets(CROWD, "s", progress=progress),
        lambda progress: singling_out(CROWD, max_size=2, progress=progress),
        lambda progress: breach_probability(CROWD, None, 0.5, progress=progress),
        lambda progress: leave_one_out(CROWD, "s", KNOWS_ANY, progress=progress),
    ],
)
def test_progress_ascends_to_1_and_can_stop_the_work(ask):
    reports: list[float] = []
    ask(reports.append)
    assert reports == sorted(set(reports)) and reports[0] > 0 and reports[-1] == 1

    stop = Mock(side_effect=InterruptedError)
    with pytest.raises(InterruptedError):
        ask(stop)
    assert stop.call_args_list == [call(reports[0])]
