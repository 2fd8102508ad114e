"""``python -m anonlib.set_up``: compile the searches and keep their machine code for the app."""

from anonlib.frontier import readiness as frontier
from anonlib.machine_code import kept
from anonlib.regions.exchange import readiness as exchange

if __name__ == "__main__":
    with kept():
        exchange.get_ready()
        frontier.get_ready()
