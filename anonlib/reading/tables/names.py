"""What the names of columns and tables say of keys: whether a name is an id, and of what.

The words are of English, German, French, Spanish, Italian, Portuguese, Dutch, Polish and Swedish, without accents. At
the end are the keys of the OMOP common data model, as it defines them (OHDSI, Common Data Model 5.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from anonlib.basics.words import singular
from anonlib.values.naming import name_tokens, words

Thing = Literal["person", "visit", "household", ""]
"""What rows are of, where it is one of those that the keys of health data are mostly of."""

_ID = words(
    "id ids identifier identifiers identifiant identificador identificativo identyfikator identity ident number num no "
    "nbr nr nummer numero numer key keys uid uuid guid kennung kennzeichen pseudonym pseudoniem pseudo token ref "
    "reference index row rowid record seq sequence lfd laufende sk fk pk"
)
_PLAIN = words(
    "id ids identifier identifiant identificador identificativo identyfikator uid uuid guid key keys kennung pseudonym"
)  # of these, those that need no other word to be an id: a number or a row may be counted
_NUMBERS = words("no nr num nbr number nummer numero numer")  # an id in a table of persons: who names it says “Pat-Nr”
_FILLING = words("code codice cod codigo kod occurrence master internal external anonyme unique unico univoco clinica")
_PERSON = words(
    "patient patients pat pt patienten patientin patientinnen person persons people persona personas personen personne "
    "personnes persoon persoons personer osoba osoby pessoa pessoas subject subjects subj participant participants "
    "proband probanden probandin teilnehmer teilnehmende deelnemer deelnemers uczestnik uczestnika participante "
    "participantes individual individuals individu individus individuo individuos individuum individ client clients "
    "klient klienten kunde klant cliente clienti member members beneficiary beneficiaries bene enrollee resident "
    "residents respondent respondents soggetto sujet sujeto paziente pazienti paciente pacientes pacjent pacjenta "
    "pacjenci bewohner versicherte versicherten versicherter assure usubjid subjid mrn pid ptid patid ehr emr medical "
    "nhs mpi empi journal lop lopnr lpnr ipp nhc prontuario cartella historia dossier rinpersoon kvnr hicn mbi eid"
)
_VISIT = words(
    "encounter encounters encntr visit visits admission admissions adm hadm stay stays icustay icustays "
    "hospitalization hospitalizations hospitalisation hospitalisations episode episodes spell spells consultation "
    "consultations appointment appointments csn fall falle faelle aufnahme aufnahmen aufenthalt aufenthalte besuch "
    "besuche behandlungsfall behandlungsfalle sejour sejours passage passages venue rss rsa nda iep episodio episodios "
    "episodi visita visitas visite estancia estancias ingreso ingresos consulta consultas opname opnamen opnames "
    "bezoek bezoeken ricovero ricoveri accesso accessi degenza nosologico wizyta wizyty pobyt pobytu pobyty "
    "hospitalizacji internacao internacoes atendimento atendimentos vardtillfalle vardtillfallen vtf besok besoks "
    "vardkontakt vardkontakter aih"
)
_HOUSEHOLD = words(
    "household households hh hhold family families fam haushalt haushalte haushalts haushalten familie familien menage "
    "menages foyer foyers famille familles logement hogar hogares vivienda viviendas familia familias famiglia "
    "famiglie domicilio domicilios agregado agregados huishouden huishoudens gezin gezinnen gospodarstwo gospodarstwa "
    "gospodarstw rodzina rodziny hushall hushalls familj familjer"
)
_OF_TABLES = words(
    "table tables tbl data dataset dim fact raw stg list liste lista export extract file info details master base cdm "
    "omop demographics demographic stammdaten all sheet anon anonymized"
)
_NAMING_PERSONS = words("demographics demographic stammdaten")  # a table of that name has a row a person
_ALONE = words(
    "patient person subject participant client individual member mrn pid ptid patid usubjid subjid lopnr lpnr ipp nhc "
    "eid empi rinpersoon proband paciente persona paziente pacjent encounter visit admission episode hadm csn icustay "
    "sejour nda iep episodio vtf aih"
)  # what is an id without a word that says so: other words alone may be numbers of something
_ENDINGS = ("nummer", "number", "kennung", "pseudonym", "num", "nr", "id", "key")
_SHORTEST = 3  # letters of a word before such an ending


@dataclass(frozen=True)
class Meaning:
    """What a name says.

    Attributes
    ----------
    tokens : tuple[str, ...]
        Its words.
    core : tuple[str, ...]
        The words that are not about its being an id, in the singular.
    thing : Thing
        Whether it is the id of a person, of a visit or of a household.
    is_id : bool
        Whether it is one of anything.
    is_plain : bool, default False
        Whether it is only called an id, without a word of what.
    is_number : bool, default False
        Whether it is only called a number.
    """

    tokens: tuple[str, ...]
    core: tuple[str, ...]
    thing: Thing
    is_id: bool
    is_plain: bool = False
    is_number: bool = False


@cache
def of_column(name: str) -> Meaning:
    """What the name of a column says.

    >>> of_column("Pat-ID").thing, of_column("visit_occurrence_id").thing, of_column("Fallnummer").thing
    ('person', 'visit', 'visit')
    >>> of_column("hhid").thing, of_column("Haushaltsnummer").thing, of_column("household_size").thing
    ('household', 'household', '')
    >>> of_column("mother_patient_id").thing, of_column("id").core, of_column("order_id").core
    ('', (), ('order',))
    """
    tokens = tuple(part for token in name_tokens(name) for part in _parted(token))
    core = tuple(token for token in tokens if token not in _ID and token not in _FILLING and not token.isdigit())
    is_named = any(token in _ID or token in _FILLING for token in tokens)
    counted = tokens[:1] != () and tokens[0] in _NUMBERS and any(singular(word) != word for word in core)
    thing = _thing(core) if not counted and (is_named or (len(tokens) == 1 and tokens[0] in _ALONE)) else ""
    is_plain = not core and any(token in _PLAIN for token in tokens)
    is_id = thing != "" or is_plain or (core != () and any(token in _ID for token in tokens))
    is_number = tokens != () and all(token in _NUMBERS for token in tokens)
    return Meaning(tokens, tuple(map(singular, core)), thing, is_id, is_plain, is_number)


@cache
def of_table(name: str) -> Meaning:
    """What the name of a table says its rows are.

    >>> of_table("patients_2024").thing, of_table("patient_visits").thing, of_table("visit_detail").core
    ('person', 'visit', ('visit', 'detail'))
    """
    tokens = tuple(part for token in name_tokens(name) for part in _parted(token))
    about = [token for token in tokens if token not in _ID and token not in _FILLING and not token.isdigit()]
    core = tuple(token for token in about if token not in _OF_TABLES)
    thing = _thing(core)
    if not thing and set(core) <= _PERSON | _VISIT and core:
        thing = "visit"  # visits of persons
    if not thing and set(core) <= _PERSON | _HOUSEHOLD and core:
        thing = "person"  # members of households
    if not core and _NAMING_PERSONS & set(about):
        thing = "person"
    return Meaning(tokens, tuple(map(singular, core)), thing, False)


def evidence(child: str, parent: str, parent_table: str) -> int:
    """How clearly a column says, by its name, that it names a row of another table by a column of that.

    Parameters
    ----------
    child : str
        The column's name.
    parent : str
        The name of the other table's column.
    parent_table : str
        The other table's name.

    Returns
    -------
    int
        3: the same id, or the other table's name; 2: both are ids of persons, or of visits; 1: both are called by a
        word that any id is; 0: neither.

    >>> [evidence(column, "id", "patients") for column in ("patient_id", "Pat-ID", "age")]
    [3, 2, 0]
    """
    one, other, table = of_column(child), of_column(parent), of_table(parent_table)
    named_alike = other.is_number and one.core != () and set(other.tokens) <= set(one.tokens)
    if not other.is_id and not named_alike:
        return 0
    if one.is_id and one.tokens == other.tokens:
        return 3 if one.core else 1
    if one.core and one.core == (other.core or table.core):
        return 3 if one.is_id or not other.core else 0
    thing = other.thing or ("" if other.core else table.thing)
    return 2 if one.thing and one.thing == thing else 0


def _thing(core: tuple[str, ...]) -> Thing:
    if core and set(core) <= _PERSON:
        return "person"
    if core and set(core) <= _HOUSEHOLD:
        return "household"
    return "visit" if core and set(core) <= _VISIT else ""


def _parted(token: str) -> tuple[str, ...]:
    """``fallnummer`` is two words: what ends like an id is parted there."""
    if token in _ID or token in _PERSON or token in _VISIT or token in _HOUSEHOLD:
        return (token,)
    for ending in _ENDINGS:
        before = token.removesuffix(ending)
        if before != token and (len(before) >= _SHORTEST or before in _PERSON | _VISIT | _HOUSEHOLD):
            return before, ending
    return (token,)


_TABLES = words(
    "person observation_period visit_occurrence visit_detail condition_occurrence drug_exposure procedure_occurrence "
    "device_exposure measurement observation death note note_nlp specimen fact_relationship location care_site "
    "provider payer_plan_period cost drug_era dose_era condition_era episode episode_event cohort"
)
_BY_ANOTHER_NAME = {("cohort", "subject_id"): "person"}


def is_defined(table: str, column: str, parent: str, parent_column: str) -> bool | None:
    """Whether the model defines a key; None where one of the two is no table of it.

    >>> is_defined("measurement", "visit_occurrence_id", "visit_occurrence", "visit_occurrence_id")
    True
    >>> is_defined("visit_occurrence", "preceding_visit_occurrence_id", "visit_occurrence", "visit_occurrence_id")
    False
    """
    table, column, parent, parent_column = (name.lower() for name in (table, column, parent, parent_column))
    if table not in _TABLES or parent not in _TABLES:
        return None
    if parent_column != f"{parent}_id":
        return False
    return column == parent_column or _BY_ANOTHER_NAME.get((table, column)) == parent
