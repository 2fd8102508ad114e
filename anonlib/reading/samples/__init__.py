"""The samples that come with Anonscope: what each file is.

``tools/samples`` writes the files. Their stories, sources and licences are in ``data/samples/README.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from anonlib.basics.errors import InputError

_INSTALLED = Path(__file__).parent / "files"
FOLDER = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).resolve().parents[3] / "data" / "samples"
"""Where the sample files are: beside this module when the library is installed (``setup.py``), else in the checkout."""


@dataclass(frozen=True)
class Sample:
    """One sample file.

    Attributes
    ----------
    key : str
        Short name in code and addresses.
    title : str
        Its name on screen.
    filename : str
        In :data:`FOLDER`; UTF-8 CSV with a header line, or GeoJSON.
    description : str
        One or two sentences for an officer who chooses a sample.
    roles : Mapping[str, str]
        Every column (property, in GeoJSON) -> the name of its role: identifier, quasi_identifier, sensitive, place,
        person_id, weight or other.
    population : str, optional
        File name of the population table that goes with it, if there is one.
    slots : str, optional
        File name of the screening slots that go with it, if there are any.
    areas : str, optional
        File name of the areas that its places are, if there is one.
    tables : tuple[str, ...], default ()
        File names of further tables of the same persons, which are opened with it as one case. Each is a companion with
        roles of its own.
    """

    key: str
    title: str
    filename: str
    description: str
    roles: Mapping[str, str]
    population: str | None = None
    slots: str | None = None
    areas: str | None = None
    tables: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "roles", MappingProxyType(dict(self.roles)))

    @property
    def further(self) -> tuple[Sample, ...]:
        """The further tables of the same persons."""
        return tuple(entry for entry in COMPANIONS if entry.filename in self.tables)

    @property
    def path(self) -> Path:
        """Where the file is."""
        return FOLDER / self.filename

    def read_bytes(self) -> bytes:
        """The file's bytes, as an upload of it would give.

        Raises
        ------
        InputError
            When the file is not there.
        """
        try:
            return self.path.read_bytes()
        except OSError:
            raise InputError(
                f"The sample “{self.title}” is missing. Install Anonscope again, or run "
                "“python -m tools.samples” in its folder.",
                code="file-missing",
            ) from None


SAMPLES: tuple[Sample, ...] = (
    Sample(
        "admissions",
        "Hospital admissions",
        "admissions.csv",
        "5,000 invented admissions of 4,600 patients in one year, with names, dates and diagnoses, "
        "and the people of the area they were drawn from. A newspaper wrote about one of them.",
        {
            "patient_name": "identifier",
            "medical_record_number": "person_id",
            "age": "quasi_identifier",
            "sex": "quasi_identifier",
            "zip": "quasi_identifier",
            "race": "quasi_identifier",
            "admission_date": "quasi_identifier",
            "department": "other",
            "diagnosis": "sensitive",
            "insurance": "sensitive",
            "length_of_stay": "other",
            "outcome": "sensitive",
        },
        population="admissions_population.csv",
        tables=("admissions_laboratory.csv",),
    ),
    Sample(
        "province",
        "A province under care",
        "province_records.csv",
        "60,000 invented people of a province who are treated for diabetes or high blood pressure, each with the small "
        "area they live in. Goes with the map of its 1,500 areas: how coarse must places be?",
        {
            "area": "place",
            "age_group": "quasi_identifier",
            "sex": "quasi_identifier",
            "language": "quasi_identifier",
            "diagnosis": "sensitive",
            "control": "sensitive",
        },
        areas="province_areas.geojson",
    ),
    Sample(
        "screening_people",
        "Screening: people to invite",
        "screening_people.csv",
        "15 fictional people of a screening programme before anyone has an appointment "
        "(Caballero et al. 2017, Table 1). Goes with the slots file.",
        {
            "full_name": "identifier",
            "address": "identifier",
            "zip": "quasi_identifier",
            "gender": "quasi_identifier",
            "age": "quasi_identifier",
        },
        slots="screening_slots.csv",
    ),
    Sample(
        "screening_county",
        "Screening: a county to invite",
        "screening_county.csv",
        "1,180 invented women of five municipalities to be invited to a mammography, with year and country of birth. "
        "Goes with the slots of six centres: every rule of the Schedules page has something to say.",
        {
            "person": "person_id",
            "birth_year": "quasi_identifier",
            "municipality": "quasi_identifier",
            "postcode": "other",
            "latitude": "other",
            "longitude": "other",
            "born_in": "other",
        },
        slots="screening_county_slots.csv",
    ),
    Sample(
        "screening_schedule",
        "Screening: appointments and results",
        "screening_schedule.csv",
        "The same 15 people with centre, hour and test result (Caballero et al. 2017, Table 3).",
        {
            "person": "person_id",
            "zip": "quasi_identifier",
            "gender": "quasi_identifier",
            "age": "quasi_identifier",
            "centre": "quasi_identifier",
            "hour": "quasi_identifier",
            "test": "sensitive",
        },
    ),
    Sample(
        "weight_loss",
        "Weight-loss profiles",
        "weight_loss.csv",
        "60 users of a weight-loss programme with their genetic risk (Arca and Hewett 2021, Table 1).",
        {
            "sex": "quasi_identifier",
            "alcohol_consumption": "quasi_identifier",
            "age": "quasi_identifier",
            "zip": "quasi_identifier",
            "weight": "quasi_identifier",
            "race": "quasi_identifier",
            "genetic_risk": "sensitive",
        },
    ),
    Sample(
        "five_people",
        "Five people",
        "five_people.csv",
        "The smallest example: diagnosis, gender and age of five people (Kroes et al. 2021, Table 1).",
        {"id": "person_id", "diagnosis": "sensitive", "gender": "quasi_identifier", "age": "quasi_identifier"},
    ),
)
"""The samples offered as data to open, the one to start with first."""

COMPANIONS: tuple[Sample, ...] = (
    Sample(
        "admissions_population",
        "People of the hospital's area",
        "admissions_population.csv",
        "How many of the area's 120,000 invented people have each age, sex, ZIP code and race: "
        "the population behind the admissions.",
        {
            "age": "quasi_identifier",
            "sex": "quasi_identifier",
            "zip": "quasi_identifier",
            "race": "quasi_identifier",
            "people": "weight",
        },
    ),
    Sample(
        "admissions_laboratory",
        "Laboratory values of the admissions",
        "admissions_laboratory.csv",
        "What 40 laboratory tests found in the same patients, a row a test. They name the person and the day.",
        {
            "medical_record_number": "person_id",
            "sample_date": "quasi_identifier",
            "test": "quasi_identifier",
            "value": "sensitive",
            "unit": "other",
            "flag": "sensitive",
        },
    ),
    Sample(
        "province_areas",
        "Areas of the province",
        "province_areas.geojson",
        "Outlines of 1,500 areas of 400 to 700 people each, with a coast, lakes and empty parks.",
        {"area": "other", "municipality": "other", "population": "other"},
    ),
    Sample(
        "screening_slots",
        "Screening: slots",
        "screening_slots.csv",
        "Centres, hours and how many people each can see (Caballero et al. 2017, Table 7).",
        {"centre": "other", "hour": "other", "capacity": "other"},
    ),
    Sample(
        "screening_county_slots",
        "Screening: slots of a county",
        "screening_county_slots.csv",
        "Hours of six invented screening centres, with places, municipality and coordinates.",
        {
            "centre": "other",
            "municipality": "other",
            "latitude": "other",
            "longitude": "other",
            "date": "other",
            "hour": "other",
            "places": "other",
        },
    ),
)
"""Files that go with a sample: not person-level records, or further tables of the same persons."""


def sample(key: str) -> Sample:
    """The sample or companion of that key. Raises InputError for any other key, naming those there are."""
    for entry in SAMPLES + COMPANIONS:
        if entry.key == key:
            return entry
    keys = ", ".join(entry.key for entry in SAMPLES + COMPANIONS)
    raise InputError(f"There is no sample of that name. Choose one of: {keys}.", code="choice-unknown")
