"""``python -m anonlib.set_up``: compile the loops and keep their machine code for the app."""

from anonlib.analyses.frontier import readiness as frontier
from anonlib.analyses.regions.exchange import readiness as exchange
from anonlib.basics.machine_code import kept
from anonlib.counting.classes.walk import readiness as walk
from anonlib.counting.guarantees import readiness as guarantees
from anonlib.reading.sources.regular import readiness as reading

if __name__ == "__main__":
    with kept():
        reading.get_ready()
        exchange.get_ready()
        frontier.get_ready()
        walk.get_ready()
        guarantees.get_ready()
