"""Boosting: members fitted one after the other, each to the errors of the last."""
