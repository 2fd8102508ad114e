"""The words by which a column of few values is known, whatever it is called, and names of medicines.

The lists of words come first. Names of medicines are recognised by the stems of international nonproprietary names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from anonlib.columns.identifiers.kinds import KINDS, Kind
from anonlib.values.naming import fold, words

YES_NO = words("0 1 0.0 1.0 y n j o s t f yes no true false ja nein oui non si nee unknown none na positive negative")

_PAIRS_OF_LETTERS = [frozenset(pair) for pair in ("mf", "mw", "mv", "hm", "hf", "km")]
"""Male and female by letters: English and the Romance languages, German, Dutch, Spanish, French, Polish and Swedish."""
SEX_LETTERS = words("m f w v h k")
_OF_NO_SEX = words("d x u o i n")  # divers, indeterminate, unknown
_MOST_VALUES = 40
_FEWEST_TELLING = 2  # words that tell what it is, before a column is taken for one of a kind

# The words that tell what a column is, and those that may stand beside them.
_TELLING = {
    "sex": words(
        "m f male female mannlich weiblich homme femme hombre mujer vrouw masculino femenino feminino masculin "
        "feminin maschio femmina maschile femminile kobieta mezczyzna man kvinna kvinne kvinde mand pige drenge "
        "herr frau"
    ),
    "race": words(
        "white black asian caucasian hispanic asian-pac-islander branca preta parda amarela indigena mestizo mulato "
        "afrodescendiente wit zwart hindoestaans"
    ),
    "marital": words(
        "married divorced widowed married-civ-spouse verheiratet geschieden verwitwet casado casada viudo viuda "
        "divorciado divorciada gehuwd ongehuwd gescheiden verweduwd marie mariee divorcee veuf veuve pacse solteiro "
        "solteira viuvo viuva celibe nubile coniugato coniugata divorziato divorziata vedovo vedova kawaler panna "
        "zonaty zamezna rozwiedziony rozwiedziona wdowiec wdowa gift ogift skild anka ankling sambo"
    ),
    "education": words(
        "bachelor bachelors master masters doctorate phd preschool hs-grad some-college college highschool abitur "
        "hauptschule realschule gymnasium hochschule universitat grundschule hochschulabschluss primaria secundaria "
        "bachillerato universidad baccalaureat licence bac universite brevet diploma laurea elementare media mbo "
        "hbo vwo havo vmbo gymnasieutbildning grundskola universitet podstawowe srednie wyzsze zawodowe fundamental "
        "medio superior"
    ),
    "religion": words(
        "catholic protestant muslim jewish hindu buddhist orthodox christian katholisch evangelisch muslimisch "
        "judisch catholique musulman juif protestante catolico catolica evangelico musulman judio cattolico "
        "katoliek hervormd gereformeerd rzymskokatolickie prawoslawne"
    ),
    "department": words(
        "cardiology oncology neurology nephrology urology pulmonology gastroenterology hematology haematology "
        "rheumatology dermatology ophthalmology orthopedics orthopaedics pediatrics paediatrics gynecology "
        "gynaecology obstetrics psychiatry geriatrics neonatology neurosurgery radiology endocrinology "
        "otolaryngology icu nicu kardiologie onkologie neurologie nephrologie urologie chirurgie gynakologie "
        "padiatrie psychiatrie dermatologie cardiologie oncologie pediatrie gynecologie cardiologia oncologia "
        "neurologia urologia cirugia pediatria ginecologia psiquiatria kindergeneeskunde"
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
        "woman men women boy girl divers varon x u o d i other unknown unspecified nonbinary non-binary intersex "
        "unbekannt inconnu desconocido ignorado onbekend nieznana okand andet annan autre otro outro altro inny"
    ),
    "education": words(
        "high school some no none degree education level lower upper primary secondary tertiary university graduate "
        "less than year years vocational assoc-voc assoc-acdm prof-school associate professional schule abschluss "
        "ohne kein sin sans niveau studium ausbildung lehre fachhochschule fachschule superiore scuola nessuno und "
        "or and unknown other completo incompleto ensino universitaria tecnica 1st-4th 5th-6th 7th-8th 9th 10th "
        "11th 12th"
    ),
    "religion": words(
        "none no religion other unknown roman church of islam judaism hinduism buddhism christianity atheist "
        "agnostic islamisch keine konfessionslos ohne sonstige aucune ninguna sin nessuna geen inne bez wyznania "
        "and"
    ),
    "race": words(
        "latino african american african-american other native hawaiian pacific islander alaska amer-indian-eskimo "
        "mixed multiracial unknown indian eskimo two more races or non-hispanic declined and alone some "
        "american-indian ignorado sem informacao blanco negro blanca negra otro outra overig"
    ),
    "marital": words(
        "single widow separated never-married married-spouse-absent married-af-spouse never partner partnered "
        "cohabiting unmarried ledig celibataire divorce soltero soltera divorciado civil partnership unknown other "
        "lebenspartnerschaft eingetragene getrennt lebend lebt union libre conviviente separado separada uniao "
        "estavel separato separata w separacji partnerschap geregistreerd registrerad partner stan wolny nieznany "
        "ignorado"
    ),
    "department": words(
        "general internal medicine surgery emergency intensive care unit family and adult child maternity trauma "
        "vascular thoracic plastic medical surgical rehabilitation palliative ent transplant infectious diseases "
        "department ward clinic innere medizin allgemeine medecine interne generale medicina interna general hno "
        "orthopadie orthopedie traumatologia urgencias urgences anesthesia anesthesiology pathology other unknown"
    ),
    "visit_type": words("newborn routine trauma planned unplanned scheduled observation day other unknown center case"),
    "insurance": words(
        "private public commercial self pay none other unknown government military insurance blue cross managed "
        "care workers compensation charity no dual tk barmer dak privat gesetzlich bkk ikk"
    ),
    "disposition": words(
        "discharged to with health care skilled nursing facility long term rehabilitation left against medical "
        "advice ama transfer other hospital unknown alive in the house self routine nach hause"
    ),
}


def kind_of_words(texts: Sequence[str]) -> Kind | None:
    """The kind of content whose words a column's few values are, or None.

    Parameters
    ----------
    texts : Sequence[str]
        Distinct values.

    Examples
    --------
    >>> kind_of_words(["Elective", "Emergency"]).key, kind_of_words(["left", "right"])
    ('visit_type', None)
    """
    if not 2 <= len(texts) <= _MOST_VALUES:
        return None
    word_sets = [{word for word in re.split(r"[\s/,()&]+", fold(text).lower()) if word} for text in texts]
    used: set[str] = set().union(*word_sets)
    if used <= SEX_LETTERS | _OF_NO_SEX and any(pair <= used for pair in _PAIRS_OF_LETTERS):
        return KINDS["sex"]
    for key, telling in _TELLING.items():
        if len(telling & used) >= _FEWEST_TELLING and all(words <= telling | _BESIDE[key] for words in word_sets):
            return KINDS[key]
    return None


# World Health Organization, "The use of stems in the selection of International Nonproprietary Names (INN)": endings
# and beginnings that no common word of seven letters and more has.
_STEMS = (
    "adol afil amine apine azepam azolam azosin caine cillin conazole coxib cycline dipine dronate fenac fibrate "
    "floxacin formin gatran gliflozin gliptin glitazone glutide lukast mycin navir nidazole olol oxacin oxetine parin "
    "peridol pidem prazole pril profen sartan semide setron statin steride tadine thiazide tidine tinib triptan "
    "triptyline vastatin vudine xaban zumab ximab tuzumab limumab"
).split()
_FIRST_STEMS = "cef gliben glibor glicl glimep glipi gliqui glybur sulfa".split()
_MEDICINE = re.compile(rf"(?=[a-z]{{7,}}$)(?:[a-z]+(?:{'|'.join(_STEMS)})|(?:{'|'.join(_FIRST_STEMS)})[a-z]+)")
_OTHER_WORDS = frozenset(
    "vitamine examine determine april africaine americaine dominicaine marocaine mexicaine".split()
)


def is_medicine(word: str) -> bool:
    """Whether a word, in lower case and without accents, is made as international names of medicines are.

    Examples
    --------
    >>> is_medicine("glipizide"), is_medicine("rosiglitazone"), is_medicine("outside")
    (True, True, False)
    """
    return _MEDICINE.fullmatch(word) is not None and word not in _OTHER_WORDS
