"""Rounds with their luck measured: a control variate."""
