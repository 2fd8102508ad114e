"""How many of those who are alone in a file are alone in the population it was drawn from: estimated, or counted.

An estimate needs the sizes of the file's classes and the number of people alone. Each estimator takes the file for a
simple random sample without replacement. ``n`` is the records of the file, ``N`` the people, ``f = n / N``, ``C_i`` the
classes of size ``i`` and ``u`` all classes.
"""

from anonlib.analyses.population_uniqueness.counted import CountedUniques, counted_uniques
from anonlib.analyses.population_uniqueness.decision import Estimate, PopulationUniqueness, population_uniqueness

__all__ = ["CountedUniques", "Estimate", "PopulationUniqueness", "counted_uniques", "population_uniqueness"]
