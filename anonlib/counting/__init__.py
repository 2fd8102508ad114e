"""Who shares what: equivalence classes, persons, and what must hold of them."""
