"""The version of Anonscope, as a saved recipe names it."""

VERSION = "1.0.0"
