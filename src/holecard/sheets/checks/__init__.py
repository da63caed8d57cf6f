"""Checks on a rule sheet beyond single settings, and how its pay lines were read."""
