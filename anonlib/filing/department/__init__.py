"""A department that shares one server: its settings, its people, and what it keeps together."""
