"""Robust diversity: DIVBOOST against AdaBoost, random rotation against forests."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="robust-diversity",
    title="DIVBOOST and random rotation compared with bagging, AdaBoost and random "
    "forests",
    source="J. D. Rogers, Ensemble Algorithms and Feature Selection, PhD thesis, "
    "University of Southampton, 2007, tables 5.2 to 5.8",
    shows="DIVBOOST draws rows on which the ensemble is undecided, random rotation "
    "makes trees diverse by rotating their features. Three parts compare "
    "error, members' error and Q of the same fits with the printed ones; a "
    "fourth shows, not counted, what another price of features does. What the "
    "thesis says about its tables is judged as claims. 40 trials instead of "
    "100.",
    minutes=9.0,
    quick_minutes=0.5,
    n_folds=6360,
)
