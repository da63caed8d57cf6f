"""Computations for people who wait: worker processes that stay."""
