"""``python -m anonlib.regions.exchange``: compile the exchange and keep its machine code for the app."""

from anonlib.regions.exchange.machine_code import kept
from anonlib.regions.exchange.readiness import get_ready

if __name__ == "__main__":
    with kept():
        get_ready()
