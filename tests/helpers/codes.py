"""A made-up file of a hospital with columns of codes, as exports of its systems have them."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

ICD_9 = (
    "8 38 153 162.9 174 197 198.5 211 218.9 250 250.01 250.6 250.83 276.51 278.01 285.9 295.3 296.2 303.9 309 "
    "331 345.9 401 401.9 402.91 410.71 411.1 414.01 427.31 428 428.0 433.1 434.91 435.9 440.24 453.4 458.9 466 "
    "482.9 486 491.21 493.92 507 518.81 530.81 535.5 540.9 560.9 562.11 574.1 577 584.9 585.6 590.1 599 600.01 618.1 "
    "644.2 648.83 682.6 707.15 715.36 722.1 724.2 730.27 745.5 780.2 780.39 786.5 787.01 789 799.02 805.4 812 820.8 "
    "824.8 850.5 920 996.74 998.59 V43.6 V45.8 V54 V57 V57.1 V58.1 V58.67 E849 E878 E885.9 E909 E932"
).split()
ICD_10 = (
    "A04.7 A41.9 B18.2 C18.7 C34.1 C50.9 C61 C4A.5 D50.9 D64.9 E03.9 E08.9 E11.9 E11.65 E66.9 E78.5 F10.2 F20.0 F32.1 "
    "F41.1 G20 G35 G40.9 G47.3 H25.9 H40.1 H66.9 I10 I16.0 I20.0 I21.4 I25.1 I48.0 I50.1 I63.9 I70.2 J15.9 J18.9 J44.1 "
    "J45.9 K21.0 K35.8 K57.3 K80.2 L03.1 L40.0 M05.8 M16.1 M17.1 M54.5 N17.9 N18.5 N39.0 N40 O80 O99.0 P07.3 Q21.1 "
    "R07.4 R55 S06.0 S52.5 S72.001A S82.6 T81.4 V43.5 W19 X59 Y83.1 Z37.0 Z51.1"
).split()
ATC = (
    "A02BC01 A02BC02 A10BA02 A10BB12 A10AB05 B01AC06 B01AF01 B03BA03 C03CA01 C07AB02 C07AB07 C08CA01 C09AA02 C09AA05 "
    "C09CA03 C10AA01 C10AA05 D07AC01 G04CA02 H02AB06 H03AA01 J01CA04 J01CR02 J01MA02 L01XC03 L04AX03 M01AE01 M05BA04 "
    "N02AA01 N02BE01 N03AX09 N05AH04 N05BA12 N06AB04 N06AB06 P01BA02 R03AC02 R03BB04 S01ED01 V03AE01"
).split()
ICD_9_PROCEDURES = (
    "00.66 3.09 03.31 06.4 13.41 33.24 36.01 36.06 37.22 38.93 39.61 45.13 45.23 47.01 51.23 54.11 57.94".split()
)
LOINC = "718-7 2345-7 4548-4 2160-0 2951-2 2823-3 777-3 6690-2 1742-6 1920-8 2085-9 2089-1 2093-3 2571-8 3016-3".split()
SNOMED_CT = "22298006 38341003 44054006 73211009 195967001 13645005 84114007 233604007 49601007 414545008".split()


def hospital(records: int = 600, seed: int = 5) -> pd.DataFrame:
    """Stays: three columns of ICD-9-CM codes with “?”, and one each of other systems."""
    rng = np.random.default_rng(seed)

    def some(codes: list[str]) -> np.ndarray:
        often = 1 / np.arange(1, len(codes) + 1)
        return rng.choice(np.array(codes, dtype=object), records, p=often / often.sum())

    def with_gaps(codes: list[str]) -> np.ndarray:
        return np.where(rng.random(records) < 0.02, "?", some(codes))

    return pd.DataFrame(
        {
            "age": rng.integers(18, 95, records).astype(str),
            "sex": rng.choice(["F", "M"], records),
            "diag_1": with_gaps(ICD_9),
            "diag_2": with_gaps(ICD_9[::-1]),
            "diag_3": with_gaps(ICD_9[1::2] + ICD_9[::2]),
            "main": some(ICD_10),
            "drug_given": some(ATC),
            "procedure": some(ICD_9_PROCEDURES),
            "analyte": some(LOINC),
            "concept": some(SNOMED_CT),
        }
    )


def as_csv(frame: pd.DataFrame) -> bytes:
    """The file as it is dropped in."""
    text = io.StringIO()
    frame.to_csv(text, index=False)
    return text.getvalue().encode()
