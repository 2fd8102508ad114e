"""The version of Anonscope, as a saved recipe names it."""

VERSION = "0.1.0"
