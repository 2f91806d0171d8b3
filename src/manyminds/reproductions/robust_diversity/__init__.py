"""Robust diversity: DIVBOOST against AdaBoost, random rotation against forests."""
