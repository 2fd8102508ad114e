"""Screening schedules that are anonymous by construction (Caballero, Sen and Nygård 2017)."""
