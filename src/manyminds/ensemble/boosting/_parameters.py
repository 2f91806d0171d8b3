"""Paragraphs that docstrings of boosting share; see ``fill_docstring``."""

from manyminds.ensemble._parameters import (
    PARAGRAPHS as ENSEMBLE,
)
from manyminds.ensemble._parameters import (
    PREDICTING_JOBS,
    describe_fit,
)

RUN = f"""\
{PREDICTING_JOBS}\
random_state : int, RandomState instance or None, default=None
    Draws the rows, and seeds the members.
"""
MEMBERS = """\
estimators_ : list of classifiers
    The members, fitted on class numbers.
"""
_ODDS = "Their odds of being drawn, which multiply those of the method."

PARAGRAPHS = {
    **ENSEMBLE,
    "fit_drawn": describe_fit(weight=_ODDS),
    "fit_drawn_two_classes": describe_fit(target="classes, two of them", weight=_ODDS),
    "fit_resampled": describe_fit(weight="Their initial weights."),
    "members": MEMBERS,
    "run": RUN,
}
