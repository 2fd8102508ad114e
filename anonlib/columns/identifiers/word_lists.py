"""The words by which a column of few values is known, whatever it is called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anonlib.columns.identifiers.kinds import KINDS, Kind
from anonlib.columns.identifiers.names import fold, words

YES_NO = words("0 1 0.0 1.0 y n j o s t f yes no true false ja nein oui non si nee unknown none na positive negative")

_MOST_VALUES = 40
_FEWEST_TELLING = 2  # words that tell what it is, before a column is taken for one of a kind

# The words that tell what a column is, and those that may stand beside them.
_TELLING = {
    "sex": words("m f male female mannlich weiblich homme femme hombre mujer vrouw"),
    "race": words("white black asian caucasian hispanic asian-pac-islander"),
    "marital": words("married divorced widowed married-civ-spouse verheiratet geschieden casado gehuwd marie"),
    "department": words(
        "cardiology oncology neurology nephrology urology pulmonology gastroenterology hematology haematology "
        "rheumatology dermatology ophthalmology orthopedics orthopaedics pediatrics paediatrics gynecology gynaecology "
        "obstetrics psychiatry geriatrics neonatology neurosurgery radiology endocrinology otolaryngology icu nicu "
        "kardiologie onkologie neurologie nephrologie urologie chirurgie gynakologie padiatrie psychiatrie "
        "dermatologie cardiologie oncologie pediatrie gynecologie cardiologia oncologia neurologia urologia cirugia "
        "pediatria ginecologia psiquiatria kindergeneeskunde"
    ),
    "visit_type": words(
        "elective emergency urgent inpatient outpatient ambulatory notfall elektiv stationar ambulant urgence "
        "programme ambulatoire urgente programado urgencia ambulatorio spoed electief"
    ),
    "insurance": words(
        "medicare medicaid hmo ppo self-pay selfpay uninsured tricare privatversichert kassenpatient aok cpam cmu"
    ),
    "disposition": words(
        "home hospice expired snf rehab transferred deceased died entlassen verlegt verstorben domicile decede "
        "domicilio traslado exitus"
    ),
}
_BESIDE = {
    "sex": words(
        "man woman men women boy girl divers masculin feminin varon x u o other unknown unspecified nonbinary "
        "non-binary intersex"
    ),
    "race": words(
        "latino african american african-american other native hawaiian pacific islander alaska amer-indian-eskimo "
        "mixed multiracial unknown indian eskimo two more races or non-hispanic declined and"
    ),
    "marital": words(
        "single widow separated never-married married-spouse-absent married-af-spouse never partner "
        "partnered cohabiting unmarried ledig verwitwet celibataire divorce veuf soltero divorciado viudo ongehuwd "
        "gescheiden civil partnership unknown other"
    ),
    "department": words(
        "general internal medicine surgery emergency intensive care unit family and adult child maternity trauma "
        "vascular thoracic plastic medical surgical rehabilitation palliative ent transplant infectious diseases "
        "department ward clinic innere medizin allgemeine medecine interne generale medicina interna general hno "
        "orthopadie orthopedie traumatologia urgencias urgences anesthesia anesthesiology pathology other unknown"
    ),
    "visit_type": words("newborn routine trauma planned unplanned scheduled observation day other unknown center case"),
    "insurance": words(
        "private public commercial self pay none other unknown government military insurance blue cross managed care "
        "workers compensation charity no dual tk barmer dak privat gesetzlich bkk ikk"
    ),
    "disposition": words(
        "discharged to with health care skilled nursing facility long term rehabilitation left against medical advice "
        "ama transfer other hospital unknown alive in the house self routine nach hause"
    ),
}


def kind_of_words(texts: Sequence[str]) -> Kind | None:
    """The kind of content whose words a column's few values are, or None.

    Parameters
    ----------
    texts
        Distinct values.

    Returns
    -------
    Kind or None

    Examples
    --------
    >>> kind_of_words(["Elective", "Emergency"]).key, kind_of_words(["left", "right"])
    ('visit_type', None)
    """
    if not 2 <= len(texts) <= _MOST_VALUES:
        return None
    word_sets = [{word for word in re.split(r"[\s/,()&]+", fold(text).lower()) if word} for text in texts]
    used: set[str] = set().union(*word_sets)
    for key, telling in _TELLING.items():
        if len(telling & used) >= _FEWEST_TELLING and all(words <= telling | _BESIDE[key] for words in word_sets):
            return KINDS[key]
    return None
