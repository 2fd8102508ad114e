"""The sample files: the stories are true, the published tables are the papers'."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely

from anonlib.reading.samples import COMPANIONS, SAMPLES, Sample, sample
from tests.helpers.errors import refused
from tools.samples.admissions import COTTAGE, SENATOR
from tools.samples.province_map import TOWNS

ROLES = {"identifier", "quasi_identifier", "sensitive", "place", "person_id", "weight", "other"}
MISSING = ("", "?")


def read(key: str) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(sample(key).read_bytes()), dtype=str, keep_default_na=False)


@pytest.fixture(scope="module")
def admissions() -> pd.DataFrame:
    return read("admissions")


@pytest.fixture(scope="module")
def population() -> pd.DataFrame:
    return read("admissions_population").astype({"people": int})


@pytest.fixture(scope="module")
def laboratory() -> pd.DataFrame:
    return read("admissions_laboratory")


@pytest.fixture(scope="module")
def areas() -> gpd.GeoDataFrame:
    return gpd.read_file(io.BytesIO(sample("province_areas").read_bytes()))


@pytest.fixture(scope="module")
def province(areas: gpd.GeoDataFrame) -> pd.DataFrame:
    return read("province").merge(areas.drop(columns="geometry"), on="area")


def decade_and_prefix(frame: pd.DataFrame) -> pd.DataFrame:
    """Ages by ten years up to 90+, ZIP codes by their first three digits."""
    age = (frame["age"].astype(int) // 10 * 10).clip(upper=90)
    return frame.assign(age=age.astype(str), zip=frame["zip"].str[:3])


def size_of_each(frame: pd.DataFrame, columns: list[str]) -> np.ndarray:
    rows = list(frame[columns].itertuples(index=False, name=None))
    sizes = Counter(rows)
    return np.array([sizes[row] for row in rows])


@pytest.mark.parametrize("entry", SAMPLES + COMPANIONS, ids=lambda entry: entry.key)
def test_every_column_has_a_role(entry: Sample):
    if entry.filename.endswith(".geojson"):
        header = list(json.loads(entry.read_bytes())["features"][0]["properties"])
    else:
        header = next(csv.reader(io.StringIO(entry.read_bytes().decode())))
    assert header == list(entry.roles)
    assert set(entry.roles.values()) <= ROLES
    assert list(entry.roles.values()).count("person_id") <= 1
    for companion in (entry.population, entry.slots, entry.areas, *entry.tables):
        assert companion is None or companion in {other.filename for other in COMPANIONS}


def test_roles_cannot_be_changed_by_a_page():
    with pytest.raises(TypeError):
        SAMPLES[0].roles["age"] = "other"  # type: ignore[index]


def test_keys_are_distinct_and_unknown_ones_refused():
    keys = [entry.key for entry in SAMPLES + COMPANIONS]
    assert len(set(keys)) == len(keys)
    assert sample("weight_loss") is SAMPLES[keys.index("weight_loss")]
    with refused("choice-unknown"):
        sample("nothing")


def test_missing_file_is_a_sentence():
    gone = Sample("gone", "Gone", "gone.csv", "", {})
    with refused("file-missing"):
        gone.read_bytes()


def test_admissions_shape(admissions):
    assert admissions.shape == (5_000, 12)
    assert admissions["medical_record_number"].nunique() == 4_600
    assert admissions["medical_record_number"].str.fullmatch(r"\d{8}").all()
    assert admissions["zip"].isin(MISSING).sum() == (~admissions["zip"].str.fullmatch(r"0\d{4}")).sum()
    assert admissions["age"].astype(int).gt(89).sum() >= 50
    assert admissions["admission_date"].between("2024-01-01", "2024-12-31").all()


def test_missing_cells_are_few_and_in_few_columns(admissions):
    missing = admissions.isin(MISSING).sum()
    assert set(missing[missing > 0].index) == {"zip", "race", "insurance", "outcome"}
    assert missing.max() < 150
    assert {"", "?"} <= set(admissions["race"])


def test_a_patient_is_one_person(admissions):
    several = admissions.groupby("medical_record_number")
    for column in ("patient_name", "age", "sex"):
        assert several[column].nunique().max() == 1
    for column in ("zip", "race", "insurance"):
        known = admissions[~admissions[column].isin(MISSING)]
        assert known.groupby("medical_record_number")[column].nunique().max() == 1


def test_stays_of_a_patient_do_not_overlap_and_the_dead_stay_away(admissions):
    ordered = admissions.sort_values(["medical_record_number", "admission_date"])
    same = ordered["medical_record_number"].eq(ordered["medical_record_number"].shift(-1))
    admitted = pd.to_datetime(ordered["admission_date"])
    left = admitted + pd.to_timedelta(ordered["length_of_stay"].astype(int), unit="D")
    assert (left < admitted.shift(-1))[same].all()
    assert not ordered["outcome"].eq("Died")[same].any()


def test_dependence_is_realistic(admissions):
    age = admissions["age"].astype(int)
    stay = admissions["length_of_stay"].astype(int)
    code = admissions["diagnosis"].str[:3]
    birth = admissions[code == "O80"]
    assert birth["sex"].eq("Female").all() and birth["age"].astype(int).between(16, 47).all()
    assert admissions.loc[code == "C61", "sex"].eq("Male").all()
    assert age[code == "G30"].median() > 75 and age[code == "J21"].max() <= 2
    mean_stay = stay.groupby(admissions["diagnosis"]).mean()
    assert mean_stay["F20 Schizophrenia"] > 2 * mean_stay["M17 Knee arthrosis"]
    winter = admissions["admission_date"].str[5:7].isin(["12", "01", "02"])
    assert winter[code == "J10"].mean() > 0.35 > winter.mean()
    assert admissions.loc[age >= 65, "insurance"].eq("Medicare").mean() > 0.8
    medicaid = admissions["insurance"].eq("Medicaid").groupby(admissions["zip"]).mean()
    assert medicaid["01841"] > medicaid["02420"] + 0.2
    white = admissions["race"].eq("White").groupby(admissions["zip"]).mean()
    assert white["02633"] > white["02121"] + 0.4


def test_population_holds_every_patient(admissions, population):
    assert population["people"].sum() == 120_000
    assert population["people"].min() >= 1
    columns = ["age", "sex", "zip", "race"]
    assert not population.duplicated(columns).any()
    people = population.set_index(columns)["people"]
    patients = admissions.drop_duplicates("medical_record_number")
    known = patients[~patients[["zip", "race"]].isin(MISSING).any(axis=1)]
    for combination, count in known.value_counts(columns).items():
        assert people[combination] >= count
    assert sample("admissions_population").path.stat().st_size < 1_500_000


def test_one_zip_prefix_is_below_the_limit_of_safe_harbor(population):
    people = population.groupby(population["zip"].str[:3])["people"].sum()
    assert set(people.index[people < 20_000]) == {"026"}


def test_the_newspaper_finds_the_senator(admissions, population):
    senator = {"age": str(SENATOR.age), "sex": SENATOR.sex, "zip": SENATOR.zip}
    alike = admissions[(admissions[list(senator)] == pd.Series(senator)).all(axis=1)]
    neighbours = population[(population[list(senator)] == pd.Series(senator)).all(axis=1)]
    found = alike[alike["admission_date"] == SENATOR.admission_date]
    assert (len(alike), neighbours["people"].sum(), len(found)) == (4, 38, 1)
    assert found["patient_name"].item() == SENATOR.name
    assert found["diagnosis"].item() == SENATOR.diagnosis


def test_the_cottage_is_hidden_in_a_class_and_still_known(admissions):
    recoded = decade_and_prefix(admissions)
    men = recoded[(recoded["age"] == "40") & (recoded["sex"] == COTTAGE.sex) & (recoded["zip"] == COTTAGE.zip[:3])]
    assert len(men) == COTTAGE.patients >= 5
    assert set(men["diagnosis"]) == {COTTAGE.diagnosis}


def test_laboratory_values_are_of_the_same_persons_and_lie_within_their_stays(admissions, laboratory):
    assert len(laboratory) == 15_287 and laboratory["medical_record_number"].nunique() == 4_275  # as the README says
    assert not laboratory.duplicated(["medical_record_number", "sample_date", "test"]).any()
    assert [entry.key for entry in sample("admissions").further] == ["admissions_laboratory"]
    both = laboratory.merge(admissions, on="medical_record_number", how="left")
    day, admitted = pd.to_datetime(both["sample_date"]), pd.to_datetime(both["admission_date"])
    left = admitted + pd.to_timedelta(both["length_of_stay"].astype(float), unit="D")
    both["within"] = (admitted <= day) & (day <= left)
    stays = both.groupby(["medical_record_number", "sample_date", "test"])["within"].sum()
    assert (stays == 1).all(), "each in one stay"
    assert laboratory["sample_date"].is_monotonic_increasing and laboratory["sample_date"].max()[:7] == "2025-01"
    assert sample("admissions_laboratory").path.stat().st_size < 1_000_000


def test_laboratory_values_depend_on_the_diagnosis_and_on_age(admissions, laboratory):
    once = admissions.drop_duplicates("medical_record_number", keep=False)
    both = laboratory.merge(once, on="medical_record_number")
    both["number"], both["old"] = both["value"].astype(float), both["age"].astype(int) >= 70
    assert both["number"].ge(0).all()
    median = both.groupby(["test", both["diagnosis"].str[:3]])["number"].median()
    assert median["Hemoglobin A1c", "E11"] > 7.5 > 6.0 > median["Hemoglobin A1c", "I63"]
    assert median["C-reactive protein", "A41"] > 10 * median["C-reactive protein", "M16"]
    assert median["Hemoglobin", "D57"] < 10 < 13 < median["Hemoglobin", "M17"]
    assert set(both.loc[both["test"] == "CD4 cells", "diagnosis"]) == {"B20 HIV disease"}
    assert set(both.loc[both["test"] == "PSA", "sex"]) == {"Male"}
    creatinine = both[both["test"].eq("Creatinine") & both["diagnosis"].str.startswith("I21")].groupby("old")["number"]
    assert creatinine.median()[True] > creatinine.median()[False]
    flagged = both[both["test"].eq("Sodium")]
    assert (flagged["number"] > 145).eq(flagged["flag"] == "H").all()
    assert (flagged["number"] < 135).eq(flagged["flag"] == "L").all()


def test_month_and_test_single_out_patients_whom_the_admissions_hide(admissions, laboratory):
    known = laboratory.assign(month=laboratory["sample_date"].str[:7])
    known = known.drop_duplicates(["medical_record_number", "month", "test"])
    alone = set(known.loc[size_of_each(known, ["month", "test"]) == 1, "medical_record_number"])
    patients = decade_and_prefix(admissions).drop_duplicates("medical_record_number")
    hidden = set(patients.loc[size_of_each(patients, ["age", "sex", "zip"]) >= 5, "medical_record_number"])
    assert len(alone) == 36 and alone <= hidden  # as the README says
    times = Counter(laboratory["test"])
    assert len(times) == 40 and sum(number < 10 for number in times.values()) == 6


def test_a_release_of_five_is_in_reach(admissions):
    raw = size_of_each(admissions, ["age", "sex", "zip"])
    assert (raw == 1).mean() > 0.2
    assert (raw < 5).mean() > 0.8
    with_date = size_of_each(admissions, ["age", "sex", "zip", "admission_date"])
    assert (with_date == 1).mean() > 0.99
    recoded = size_of_each(decade_and_prefix(admissions), ["age", "sex", "zip"])
    assert (recoded >= 5).mean() > 0.99
    assert (recoded < 5).sum() == 25  # as the README says
    with_race = size_of_each(decade_and_prefix(admissions), ["age", "sex", "zip", "race"])
    assert (with_race >= 5).mean() > 0.9


def test_the_areas_are_a_map_without_gaps(areas):
    assert len(areas) == 1_500
    assert areas["area"].tolist() == [f"P{i:04d}" for i in range(1, 1_501)]
    assert set(areas["municipality"]) == {town.name for town in TOWNS}
    assert areas["population"].between(400, 700).all()
    assert areas.geometry.is_valid.all()
    assert set(areas.geom_type) <= {"Polygon", "MultiPolygon"}
    assert shapely.coverage_is_valid(areas.geometry.to_numpy())  # neighbours share every corner of their border
    together = max(areas.union_all().geoms, key=lambda part: part.area)
    assert len(together.interiors) >= 4  # the lakes are the only holes
    assert together.area > 0.9 * shapely.area(areas.geometry.to_numpy()).sum()
    assert sample("province_areas").path.stat().st_size < 700_000


def test_the_areas_lie_where_no_land_is_and_in_one_utm_zone(areas):
    left, bottom, right, top = areas.total_bounds
    assert -43 < left < right < -37
    assert 45 < bottom < top < 49
    coordinates = shapely.get_coordinates(areas.geometry.to_numpy())
    assert (coordinates.round(5) == coordinates).all()


def test_every_record_is_in_an_area_and_every_area_has_some(areas):
    records = read("province")
    assert len(records) == 60_000
    assert set(records["area"]) == set(areas["area"])
    assert 0.06 < len(records) / areas["population"].sum() < 0.08
    assert sample("province").path.stat().st_size < 2_500_000
    assert not records.isin(MISSING).any().any()


def test_places_can_be_too_fine_and_too_coarse(areas, province):
    known = ["age_group", "sex", "language"]
    assert (size_of_each(province, ["area", *known]) < 5).mean() == pytest.approx(0.67, abs=0.005)  # as the README says
    assert (size_of_each(province, ["municipality", *known]) < 5).mean() == pytest.approx(0.011, abs=0.0005)
    assert areas["population"].sum() == 824_850
    records_of_areas = Counter(province["area"]).values()
    assert (min(records_of_areas), max(records_of_areas)) == (17, 77)


def test_who_lives_where_differs(province):
    def share(column: str, *values: str) -> pd.Series:
        return province[column].isin(values).groupby(province["municipality"]).mean()

    old, poor = share("age_group", "75-84", "85+"), share("control", "poor")
    french, gaelic = share("language", "French"), share("language", "Gaelic")
    assert old["Upper Tarn"] > old["Port Averill"] + 0.05 and poor["Upper Tarn"] > poor["Tolmen"]
    assert french["Saint-Orme"] > 0.5 > 0.1 > french["Tolmen"]
    assert gaelic["Kilbrae"] > 0.3 > 0.05 > gaelic["Port Averill"]


# Screening: Caballero et al. (2017)


def test_screening_frequencies_and_capacities_are_those_of_table_7():
    people, slots = read("screening_people"), read("screening_slots")
    frequencies = Counter(people[["zip", "gender", "age"]].itertuples(index=False, name=None))
    assert frequencies == {
        ("88888", "male", "50-54"): 4, ("11111", "male", "55-59"): 4,
        ("11111", "female", "55-59"): 5, ("88888", "female", "55-59"): 2,
    }  # fmt: skip
    assert [int(capacity) for capacity in slots["capacity"]] == [4, 2, 4, 3, 2]


def test_screening_schedule_is_table_3():
    people, slots, schedule = read("screening_people"), read("screening_slots"), read("screening_schedule")
    shared = ["zip", "gender", "age"]
    assert schedule[shared].equals(people[shared])
    taken = Counter(schedule[["centre", "hour"]].itertuples(index=False, name=None))
    for slot in slots.itertuples(index=False):
        assert taken[slot.centre, slot.hour] == int(slot.capacity)
    assert schedule.loc[schedule["test"] == "negative", "person"].tolist() == ["4", "11", "14"]
    sizes = size_of_each(schedule, [*shared, "centre", "hour"])
    # The paper's text says (11, 2); its own table gives nine single people and three pairs.
    assert Counter(sizes.tolist()) == {1: 9, 2: 6}


# Weight loss: Arca and Hewett (2021)


def entropy(frame: pd.DataFrame, *columns: str) -> float:
    """Information loss in bits: the entropy of the partition by these columns, summed term by term."""
    n = len(frame)
    counts = Counter(frame[list(columns)].itertuples(index=False, name=None))
    return -sum(count / n * math.log2(count / n) for count in counts.values())


# Table 2 of the paper, which truncates its numbers (and lost the minus sign of S_j in the text): within .01.
@pytest.mark.parametrize(
    ("columns", "bits", "normalized"),
    [
        (["sex"], 0.9928, 0.1681),
        (["alcohol_consumption"], 1.8616, 0.3152),
        (["age"], 3.5581, 0.6024),
        (["zip"], 2.7574, 0.4668),
        (["weight"], 2.2428, 0.3797),
        (["race"], 2.5224, 0.4270),
        (["alcohol_consumption", "age"], None, 0.6855),
        (["zip", "weight"], None, 0.6594),
        (["alcohol_consumption", "age", "zip"], None, 0.7237),
    ],
)
def test_weight_loss_has_the_published_entropies(columns, bits, normalized):
    frame = read("weight_loss")
    loss = entropy(frame, *columns)
    if bits is not None:
        assert loss == pytest.approx(bits, abs=0.01)
    assert loss / math.log2(len(frame)) == pytest.approx(normalized, abs=0.01)


def test_weight_loss_has_60_records_in_22_rows():
    frame = read("weight_loss")
    assert Counter(frame["sex"]) == {"F": 27, "M": 33}
    assert len(frame.drop_duplicates()) == 22


def test_weight_loss_violations_of_the_worked_example():
    # <{Zip, Age, Alcohol}, 3>: five violating rows of 22. The paper prints six; its row 14 shares row 2's projection.
    frame = read("weight_loss")
    rows = frame.assign(size=size_of_each(frame, ["zip", "age", "alcohol_consumption"])).drop_duplicates()
    assert int((rows["size"] < 3).sum()) == 5


# Five people: Kroes et al. (2021)


def test_five_people_are_those_of_table_1():
    assert read("five_people").values.tolist() == [
        ["1", "Cancer", "Female", "50"],
        ["2", "Cancer", "Male", "40"],
        ["3", "Cancer", "Female", "35"],
        ["4", "Arthrosis", "Male", "64"],
        ["5", "Diabetes", "Female", "49"],
    ]
