"""Risk and loss of every policy along a chain of the lattice, from what each step changes."""

from anonlib.analyses.frontier.chains.chain import along, evaluate_chain

__all__ = ["along", "evaluate_chain"]
