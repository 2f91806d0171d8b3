"""Paragraphs that docstrings of bagging share; see ``fill_docstring``."""

from manyminds.ensemble._parameters import (
    N_JOBS,
    OOB_CLASSES,
    OOB_TARGETS,
    describe_fit,
)
from manyminds.trees._parameters import CATEGORICAL_FEATURES, CLASSES, NAMES
from manyminds.utils._paragraphs import ROWS

BAGGING = """\
n_estimators : int, default=100
    Number of members.
bootstrap : bool, default=True
    Whether a member draws rows with replacement, or sees all. Sample weights are then
    the odds of the draw.
max_samples : int or float, default=None
    Number of rows that a member draws, or fraction of the rows (of the total weight,
    if there are sample weights); None: as many as there are.
max_features : int, float, {{"sqrt", "log2"}} or None, default=1.0
    Number of columns, or fraction of them, that a member sees; None: all.
oob_score : bool, default=False
    Whether to predict each row by the members that did not draw it, and to score that
    by {score}.
"""
RUN = f"""\
{N_JOBS}\
random_state : int, RandomState instance or None, default=None
    Draws rows and columns, and seeds the members.
{CATEGORICAL_FEATURES}"""
MEMBERS = """\
estimators_ : list of estimators
    The fitted members; trees are made into estimators on access.
"""
MEMBER_FEATURES = f"""\
{MEMBERS}\
estimators_features_ : list of ndarray
    The columns that each member sees.
"""
ORACLE = """\
min_samples_side : int, default=1
    Minimum number of rows on a side; anchors that leave fewer are drawn again. If
    fifty draws fail, or all rows are equal, there is one model for all rows. A side
    with one row{constant} gets a constant.
"""
ORACLE_RUN = f"""\
random_state : int, RandomState instance or None, default=None
    Draws the anchors, and seeds both models.
{CATEGORICAL_FEATURES}"""
ANCHORS = """\
anchors_ : ndarray of shape (2, n_features)
    The two rows, with categories as codes; NaN if there is one model for all rows.
"""

PARAGRAPHS = {
    **ROWS,
    "anchors": ANCHORS,
    "bagging_classifier": BAGGING.format(score="accuracy") + RUN,
    "bagging_regressor": BAGGING.format(score="R²") + RUN,
    "categorical_features": CATEGORICAL_FEATURES,
    "class_names": CLASSES + NAMES,
    "classifier_attributes": MEMBER_FEATURES + CLASSES + NAMES + OOB_CLASSES,
    "members": MEMBERS,
    "n_jobs": N_JOBS,
    "names": NAMES,
    "oracle_classifier": ORACLE.format(constant=", or of one class,") + ORACLE_RUN,
    "oracle_regressor": ORACLE.format(constant="") + ORACLE_RUN,
    "regressor_attributes": MEMBER_FEATURES + NAMES + OOB_TARGETS,
    **{
        f"fit_{name}": describe_fit(
            "{array-like, dataframe}", target=target, weight=weight
        )
        for name, target, weight in (
            (
                "bagged",
                "classes or targets",
                "Their weights: the odds of being drawn, if there is a bootstrap.",
            ),
            ("iterated", "targets", "Their weights: the odds of being drawn."),
            ("boosted", "targets", "The weights of the first round."),
        )
    },
}
