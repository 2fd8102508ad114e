"""The county sample: 1,180 invented women to be invited to a mammography, and the hours of six centres.

Numbers are chosen so that every rule of a schedule has something to say: villages with one centre, a town with two,
postcodes near a border, and one person in fifteen who was born in another country.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

SEED = 20261003
N_PEOPLE = 1_180
OLDEST, YOUNGEST = 1957, 1976  # years of birth
HOME, HOME_SHARE = "Norway", 0.93
ORIGINS = ("Poland", "Sweden", "Somalia", "Pakistan", "Germany", "Syria", "Thailand")
ORIGIN_SHARES = (0.2, 0.18, 0.16, 0.14, 0.12, 0.1, 0.1)


class Postcode(NamedTuple):
    """Where people live: the middle of the postcode, in degrees."""

    code: str
    municipality: str
    share: float
    latitude: float
    longitude: float


POSTCODES = (
    Postcode("0101", "Havn", 0.21, 59.02, 10.04),
    Postcode("0102", "Havn", 0.18, 59.05, 10.10),
    Postcode("0103", "Havn", 0.10, 59.09, 10.01),
    Postcode("0201", "Lia", 0.11, 59.18, 10.22),
    Postcode("0202", "Lia", 0.07, 59.24, 10.16),
    Postcode("0301", "Nes", 0.12, 58.92, 10.21),
    Postcode("0401", "Øvre Dal", 0.08, 59.31, 9.86),
    Postcode("0402", "Øvre Dal", 0.04, 59.38, 9.74),
    Postcode("0501", "Ytre Vik", 0.09, 58.87, 9.83),
)


class Centre(NamedTuple):
    """A screening centre and when it is open."""

    name: str
    municipality: str
    latitude: float
    longitude: float
    places: int  # an hour
    days: tuple[str, ...]


CENTRES = (
    Centre("Havn hospital", "Havn", 59.03, 10.05, 34, ("2027-03-01", "2027-03-02", "2027-03-03")),
    Centre("Havn harbour", "Havn", 59.05, 10.11, 28, ("2027-03-01", "2027-03-03")),
    Centre("Lia", "Lia", 59.20, 10.20, 28, ("2027-03-02", "2027-03-04")),
    Centre("Nes", "Nes", 58.93, 10.20, 20, ("2027-03-04", "2027-03-05")),
    Centre("Øvre Dal bus", "Øvre Dal", 59.33, 9.84, 20, ("2027-03-05", "2027-03-08")),
    Centre("Ytre Vik bus", "Ytre Vik", 58.88, 9.84, 20, ("2027-03-08", "2027-03-09")),
)
HOURS = ("09:00", "10:30", "12:30", "14:00")


def screening_county(seed: int = SEED) -> pd.DataFrame:
    """The people: ``person``, ``birth_year``, ``municipality``, ``postcode``, its coordinates, ``born_in``."""
    rng = np.random.default_rng(seed)
    shares = np.array([place.share for place in POSTCODES])
    place = rng.choice(len(POSTCODES), N_PEOPLE, p=shares / shares.sum())
    years = np.arange(OLDEST, YOUNGEST + 1)
    weights = 1 + 0.5 * np.sin((years - OLDEST) / 5)  # a wave of births
    year = rng.choice(years, N_PEOPLE, p=weights / weights.sum())
    abroad = rng.choice(ORIGINS, N_PEOPLE, p=ORIGIN_SHARES)
    born_in = np.where(rng.random(N_PEOPLE) < HOME_SHARE, HOME, abroad)
    return pd.DataFrame(
        {
            "person": [f"S{number:05d}" for number in rng.choice(90_000, N_PEOPLE, replace=False) + 10_000],
            "birth_year": year.astype(str),
            "municipality": [POSTCODES[position].municipality for position in place],
            "postcode": [POSTCODES[position].code for position in place],
            "latitude": [f"{POSTCODES[position].latitude:.2f}" for position in place],
            "longitude": [f"{POSTCODES[position].longitude:.2f}" for position in place],
            "born_in": born_in,
        }
    )


def screening_county_slots() -> pd.DataFrame:
    """The slots: ``centre``, ``municipality``, its coordinates, ``date``, ``hour``, ``places``."""
    rows = [
        (
            centre.name,
            centre.municipality,
            f"{centre.latitude:.2f}",
            f"{centre.longitude:.2f}",
            day,
            hour,
            centre.places,
        )
        for centre in CENTRES
        for day in centre.days
        for hour in HOURS
    ]
    columns = ["centre", "municipality", "latitude", "longitude", "date", "hour", "places"]
    return pd.DataFrame(rows, columns=columns)
