"""The parts of the Generalize page."""
