"""The invented facts behind the laboratory values: tests, whom they are done for, and what comes out.

Names, units and usual ranges are like those of a hospital laboratory; who gets which test, and what it finds, is made
up and estimates nothing real.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class LabTest(NamedTuple):
    """A laboratory test.

    ``low`` and ``high`` bound the usual values, of which either can be left open; ``middle`` is the median, and
    ``spread`` the standard deviation, of a healthy person up to 60; of the logarithm where ``ratio`` is set. ``aging``
    is added to the middle for each ten years above 60. ``decimals`` are written. ``share`` of all stays have it, 0
    to 1; ``found`` gives by ICD-10 category the middle that it shifts to, and how often the test is done there.
    """

    name: str
    unit: str
    low: float | None
    high: float | None
    middle: float
    spread: float
    decimals: int
    share: float
    found: Mapping[str, tuple[float, float]] = {}
    aging: float = 0.0
    ratio: bool = False


_INFECTED = ("A41", "J18", "J10", "N39", "K35")

TESTS = (
    LabTest("Hemoglobin", "g/dL", 12.0, 17.0, 13.8, 1.3, 1, 0.62,
            {"D57": (8.2, 1), "C18": (10.6, 1), "C34": (11.4, 0.9), "S72": (10.8, 1), "O80": (11.6, 0.8)}, -0.2),
    LabTest("Leukocytes", "10^9/L", 4.0, 10.5, 7.2, 0.25, 1, 0.5,
            {"A41": (15.5, 1), "J18": (13.0, 0.9), "K35": (13.8, 1), "N39": (11.5, 0.8), "B20": (4.4, 1)}, ratio=True),
    LabTest("Platelets", "10^9/L", 150, 400, 250, 0.25, 0, 0.18, {"A41": (140, 0.7), "F10": (135, 0.4)}, ratio=True),
    LabTest("Sodium", "mmol/L", 135, 145, 139.5, 2.6, 0, 0.42, {"I50": (136, 0.9), "F10": (134, 0.6)}, -0.3),
    LabTest("Potassium", "mmol/L", 3.5, 5.1, 4.2, 0.4, 1, 0.42, {"I50": (4.6, 0.9), "J21": (4.6, 0.4)}),
    LabTest("Creatinine", "mg/dL", 0.5, 1.2, 0.88, 0.28, 2, 0.42, {"A41": (1.7, 0.9), "I50": (1.45, 0.9)}, 0.05, True),
    LabTest("Glucose", "mg/dL", 70, 140, 104, 0.18, 0, 0.2, {"E11": (215, 1), "A41": (150, 0.5)}, 2.0, True),
    LabTest("Hemoglobin A1c", "%", None, 6.0, 5.5, 0.07, 1, 0.02, {"E11": (8.6, 0.85), "I63": (5.9, 0.3)}, ratio=True),
    LabTest("C-reactive protein", "mg/L", None, 5.0, 2.6, 0.8, 1, 0.16,
            dict.fromkeys(_INFECTED, (95, 0.85)), 0.3, True),
    LabTest("Lactate", "mmol/L", 0.5, 2.0, 1.2, 0.3, 1, 0.01, {"A41": (3.6, 0.9), "J18": (1.7, 0.2)}, ratio=True),
    LabTest("Procalcitonin", "ng/mL", None, 0.5, 0.1, 0.7, 2, 0.005, {"A41": (9, 0.6), "J18": (0.6, 0.2)}, ratio=True),
    LabTest("Troponin T", "ng/L", None, 14, 7, 0.4, 0, 0.02, {"I21": (620, 1), "I50": (28, 0.4)}, 1.5, True),
    LabTest("NT-proBNP", "pg/mL", None, 300, 120, 0.7, 0, 0.01, {"I50": (4200, 0.9), "I21": (800, 0.2)}, 60, True),
    LabTest("LDL cholesterol", "mg/dL", None, 130, 112, 0.25, 0, 0.03, {"I21": (148, 0.6), "I63": (128, 0.6)}, 0, True),
    LabTest("INR", "", 0.8, 1.2, 1.02, 0.08, 1, 0.1, {"I63": (1.1, 0.8), "S72": (1.1, 0.7)}, ratio=True),
    LabTest("Alanine aminotransferase", "U/L", None, 45, 24, 0.4, 0, 0.08,
            {"F10": (82, 0.8), "K80": (74, 0.9)}, ratio=True),
    LabTest("Gamma-glutamyltransferase", "U/L", None, 60, 28, 0.5, 0, 0.04,
            {"F10": (240, 0.9), "K80": (150, 0.8)}, ratio=True),
    LabTest("Bilirubin", "mg/dL", None, 1.2, 0.6, 0.4, 1, 0.03, {"K80": (2.4, 0.9), "D57": (3.1, 0.9)}, ratio=True),
    LabTest("Ethanol", "g/L", None, 0.1, 0.02, 0.5, 2, 0.002, {"F10": (1.9, 0.5), "S06": (0.5, 0.2)}, ratio=True),
    LabTest("Opiates, urine", "ng/mL", None, 300, 40, 0.6, 0, 0.003, {"F11": (2600, 0.8), "T40": (4100, 0.9)}, 0, True),
    LabTest("Acetaminophen", "mg/L", None, 20, 4, 0.6, 0, 0.001, {"T40": (11, 0.4)}, ratio=True),
    LabTest("TSH", "mIU/L", 0.4, 4.2, 1.7, 0.5, 2, 0.03, {"F32": (1.9, 0.6), "G30": (2.1, 0.6)}, ratio=True),
    LabTest("Vitamin B12", "pg/mL", 200, 900, 410, 0.35, 0, 0.005, {"G30": (330, 0.7), "F10": (300, 0.2)}, ratio=True),
    LabTest("Clozapine", "ng/mL", 350, 600, 430, 0.35, 0, 0.0, {"F20": (430, 0.45)}, ratio=True),
    LabTest("Lithium", "mmol/L", 0.6, 1.2, 0.75, 0.25, 2, 0.0, {"F32": (0.75, 0.07)}, ratio=True),
    LabTest("CD4 cells", "/uL", 500, 1500, 820, 0.3, 0, 0.0, {"B20": (240, 1)}, ratio=True),
    LabTest("HIV RNA", "copies/mL", None, 50, 30, 1.0, 0, 0.0, {"B20": (22000, 0.9)}, ratio=True),
    LabTest("Hemoglobin S", "%", None, 1.0, 0.5, 0.2, 1, 0.0, {"D57": (78, 0.9)}, ratio=True),
    LabTest("CEA", "ng/mL", None, 5.0, 2.0, 0.4, 1, 0.002, {"C18": (24, 0.8), "C34": (11, 0.4)}, ratio=True),
    LabTest("CA 15-3", "U/mL", None, 30, 16, 0.4, 0, 0.0, {"C50": (48, 0.7)}, ratio=True),
    LabTest("PSA", "ng/mL", None, 4.0, 1.4, 0.5, 1, 0.0, {"C61": (19, 0.95)}, ratio=True),
    LabTest("Lipase", "U/L", None, 60, 32, 0.4, 0, 0.01, {"K80": (70, 0.5), "F10": (55, 0.3)}, ratio=True),
    LabTest("RSV, nasal swab", "Ct", None, None, 24.0, 3.0, 1, 0.0, {"J21": (24, 0.8)}),
    LabTest("Influenza A RNA", "Ct", None, None, 25.0, 3.0, 1, 0.0, {"J10": (25, 0.9)}),
    LabTest("Ceruloplasmin", "mg/dL", 20, 60, 32, 0.2, 0, 0.0008, {"G30": (30, 0.03)}, ratio=True),
    LabTest("Porphobilinogen, urine", "mg/L", None, 2.0, 0.8, 0.5, 1, 0.0006, {"K35": (0.9, 0.02)}, ratio=True),
    LabTest("Lead", "ug/dL", None, 5.0, 1.6, 0.5, 1, 0.0008, ratio=True),
    LabTest("Anti-HTLV I/II", "index", None, 1.0, 0.2, 0.4, 2, 0.0002, {"B20": (0.3, 0.1)}, ratio=True),
    LabTest("Huntingtin repeats", "", None, 35, 18, 0.15, 0, 0.0003, {"G30": (22, 0.04)}, ratio=True),
    LabTest("Cryoglobulins", "mg/dL", None, 5.0, 1.5, 0.5, 1, 0.0006, ratio=True),
)  # fmt: skip
