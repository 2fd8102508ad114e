"""The samples that come with Anonscope, opened with the roles and files that go with them."""

from __future__ import annotations

from anonlib.reading.samples import SAMPLES, Sample
from ui.files import data_file, projects
from ui.session import companions, decide
from ui.session.state import session


def sample(key: str) -> Sample:
    """The sample of a key."""
    return next(sample for sample in SAMPLES if sample.key == key)


def open_sample(key: str) -> None:
    """Load a sample with its roles, and the files that go with it."""
    chosen = sample(key)
    data_file.load(chosen.read_bytes(), chosen.filename)
    decide.set_roles(chosen.roles)
    if chosen.population:
        companions.load_population(chosen.path.with_name(chosen.population).read_bytes(), chosen.population)
    if chosen.areas:
        companions.load_areas(chosen.path.with_name(chosen.areas).read_bytes(), chosen.areas)
    if chosen.slots:
        companions.load_slots(chosen.path.with_name(chosen.slots).read_bytes(), chosen.slots)
    session().notice = f"{chosen.title} is loaded, with its roles accepted."
    projects.use_waiting()
