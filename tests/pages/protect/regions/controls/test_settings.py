"""The controls of the Regions page: what is shown for them is what the library answers."""

from __future__ import annotations

import pandas as pd

from anonlib.analyses.regions import GAPS, Gaps, aggregate, regions_for_target
from anonlib.analyses.regions.choices import clustering
from anonlib.analyses.regions.exchange import exchange
from anonlib.basics import words
from tests.helpers.app import DATA, EXPLAINED, REGIONS, RISK
from tests.helpers.regions import (
    BY_HAND,
    LINES,
    MENDING,
    N_AREAS,
    PLACE,
    QUASI,
    TABS,
    at_first,
    by_gaps,
    check_figures,
    counted,
    every_tab,
    file_of,
    of_files,
    shown,
)


def test_every_way_to_a_number_is_the_librarys(app):
    of = counted(app)
    for model in ("entropy", "max_combinations"):
        app.choose("selectbox", "Number of regions", model)
        for name, gaps in GAPS.items():
            check_figures(app.choose("selectbox", "Cutoff fitted in", name), by_gaps(of, model=model, gaps=gaps))
    app.choose("selectbox", "Cutoff fitted in", "Own model").set("number_input", "Factor", 500.0)
    app.choose("number_input", "Exponent", 0.2)
    check_figures(app, by_gaps(of, gaps=Gaps(500.0, 0.2)))
    app.choose("selectbox", "Number of regions", BY_HAND)
    for number in (1, 7, N_AREAS):
        check_figures(app.choose("slider", "Regions", number), aggregate(of, 5, number=number))
    app.choose("selectbox", "Number of regions", "target")
    for share in (0.0, 5.0, 50.0):
        tried = () if share == 5 else regions_for_target(of, 5, 0.05).points
        target = regions_for_target(of, 5, share / 100, curve=tried)
        app.choose("slider", "Left out", share)
        check_figures(app, aggregate(of, 5, number=target.asked))
        assert target.measures.share_left_out <= share / 100
    every_tab(app)
    assert not app.tab(TABS, EXPLAINED).errors


def test_every_placement_is_the_librarys(app):
    of = counted(app)
    app.choose("selectbox", "Number of regions", BY_HAND).choose("slider", "Regions", 12)
    start = aggregate(of, 5, number=12)
    check_figures(app, start)
    assert "depend on where people live, and on no record" in app.text
    app.choose("segmented_control", "Placement", "clustering")
    clustered = aggregate(of, 5, number=12, placement=clustering)
    check_figures(app, clustered)
    assert "These borders depend on the records" in app.text
    assert ("No site could move" in app.text) == (clustered.shape_key == start.shape_key)
    assert app.widget("slider", "Exchange: more compact").disabled
    app.choose("segmented_control", "Placement", "exchange")
    found = exchange(start)
    check_figures(app, found)
    assert ("Better than as many balanced regions on all four" in app.text) == bool(found.improves_all)
    app.set("slider", "Exchange: more compact", 10).choose("slider", "Exchange: evenness", 70)
    check_figures(app, exchange(start, compactness=0.10, balance=0.70))
    every_tab(app)


def test_k_and_what_is_known_change_what_is_left_out():
    app = of_files(k=12)
    assert app.widget("number_input", "k").value == 12
    check_figures(app, at_first(counted(app), 12))
    app.choose("number_input", "k", 3)
    assert app.session.k == 3, "one k for all pages"
    check_figures(app, at_first(counted(app), 3))
    app.choose("multiselect", "Known beside the place", ["sex", "illness"])
    check_figures(app, at_first(counted(app, ("sex", "illness")), 3))
    app.choose("multiselect", "Known beside the place", [])
    assert len(app.errors) == 1 and "at least one quasi" in app.errors[0]
    assert not app.at.metric and "Nothing" not in app.tab(MENDING, "Areas").text
    app.choose("multiselect", "Known beside the place", ["sex"])
    check_figures(app, at_first(counted(app, ("sex",)), 3))
    app.choose("selectbox", "Records name their area in", "illness")
    assert len(app.errors) == 1 and "None of the areas is named in" in app.errors[0] and not app.at.metric
    app.choose("selectbox", "Records name their area in", "area")
    check_figures(app, at_first(counted(app, ("sex",)), 3))


def test_the_number_by_hand_begins_with_the_usual_target_and_does_not_move_with_k(app):
    app.choose("selectbox", "Number of regions", BY_HAND)
    number = at_first(counted(app)).asked
    assert app.widget("slider", "Regions").value == number
    check_figures(app.choose("number_input", "k", 3), aggregate(counted(app), 3, number=number))


def test_settings_stay_when_other_pages_are_opened(app):
    app.choose("selectbox", "Number of regions", BY_HAND).set("slider", "Regions", 9)
    app.set("multiselect", "Known beside the place", ["sex"]).choose("segmented_control", "Placement", "clustering")
    app.set("selectbox", "Look at", app.widget("selectbox", "Look at").options[3])
    app.set("selectbox", "Colour", "smallest class").tab(TABS, "Compare")
    before, compared = shown(app), app.run().table("configuration")
    app.open(RISK).open(DATA).open(REGIONS, (TABS, "Compare"))
    assert shown(app) == before
    pd.testing.assert_frame_equal(app.table("configuration"), compared)


def test_the_model_of_the_cutoff_stays_while_another_way_is_looked_at(app):
    app.choose("selectbox", "Number of regions", "max_combinations")
    app.tab(TABS, "Compare").choose("selectbox", "Cutoff fitted in", "Eastern Canada")
    for way in (BY_HAND, "target"):
        app.choose("selectbox", "Number of regions", way)
        app.choose("selectbox", "Number of regions", "max_combinations")
        assert app.widget("selectbox", "Cutoff fitted in").value == "Eastern Canada", way
        check_figures(app, by_gaps(counted(app), gaps=GAPS["Eastern Canada"]))


def test_more_regions_than_areas_are_never_asked_for(app):
    app.choose("selectbox", "Number of regions", "max_combinations")
    app.choose("selectbox", "Cutoff fitted in", "Own model").set("number_input", "Factor", 1.0)
    app.choose("number_input", "Exponent", 0.0)
    check_figures(app, aggregate(counted(app), 5, number=N_AREAS))
    app.choose("selectbox", "Number of regions", BY_HAND)
    assert app.widget("slider", "Regions").max == N_AREAS
    app.set("slider", "Regions", N_AREAS).tab(TABS, "Areas")
    app.upload(file_of(*LINES[:20]), "fewer.csv", "Load other areas")
    assert app.widget("slider", "Regions").max == 19 and not app.errors


def test_a_number_that_cannot_be_found_is_a_sentence_with_the_settings_still_there():
    rows = (f"{i % 2 and i},{4_700 + i % N_AREAS}" for i in range(100))
    app = of_files(file_of("age,area", *rows), roles={"age": QUASI, "area": PLACE})
    of = counted(app, ("age",))
    check_figures(app, aggregate(of, 5, number=1))
    one = aggregate(of, 5, number=1).measures
    (warning,) = (element.value for element in app.at.warning)
    assert "At most 5% cannot be kept to" in warning and one.share_left_out > 0.05
    assert f"even one region for all areas leaves out {words.percent(one.share_left_out)}" in warning
    every_tab(app).choose("slider", "Left out", 50.0)
    check_figures(
        app, aggregate(counted(app, ("age",)), 5, number=regions_for_target(counted(app, ("age",)), 5, 0.5).asked)
    )
    same = of_files(
        b"age,area\n" + b"".join(b"30,%d\n" % (4_700 + i) for i in range(N_AREAS)), roles={"age": QUASI, "area": PLACE}
    )
    same.choose("selectbox", "Number of regions", "entropy")
    assert len(same.errors) == 1 and "entropy" in same.errors[0].lower() and not same.at.metric
    same.choose("selectbox", "Number of regions", BY_HAND)
    assert not same.errors and same.at.metric
