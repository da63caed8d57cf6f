"""Exact values of many shoes: the main wager, insurance and side wagers from the cards left in each.

A table of shoes has one shoe per row. Its columns are the counts of 10 values (ace, 2 … 9, ten), of 13 ranks, or of 52
cards (4 * rank + suit). Each value is the one that the other parts of `exact` find for that shoe alone. Only
`small_shoes` has approximate values.
"""

from holecard.exact.shoe_values.insurance_values import insurance_values, offered_insurance_values
from holecard.exact.shoe_values.main_values import main_values
from holecard.exact.shoe_values.wager_values import wager_values, wager_values_by_upcard

__all__ = ["insurance_values", "main_values", "offered_insurance_values", "wager_values", "wager_values_by_upcard"]
