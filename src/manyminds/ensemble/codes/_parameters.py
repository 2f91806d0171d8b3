"""Paragraphs that docstrings of output codes share; see ``fill_docstring``."""

from manyminds.ensemble._parameters import CLASSES, N_JOBS, NAMES, ROWS, describe_fit

PARAGRAPHS = {
    **ROWS,
    "estimator": """\
estimator : classifier, default=None
    Binary learner to clone for each column; None: a support vector machine with a
    Gaussian kernel on standardized features.
""",
    "decoder": """\
decoder : str or callable, default="auto"
    How classes are found from the outputs: "attenuated", "euclidean", "exponential",
    "hamming", "hinge", "l1", "probabilistic", "strict_hamming", or a function; see
    `decode`. "auto": "hinge", or "attenuated" for a code with 0.
""",
    "cv": """\
cv : int or None, default=3
    Number of folds that calibrate probabilities: outputs for samples that the learners
    have not seen. This takes ``cv`` further fits of each column. None: there is no
    ``predict_proba``.
""",
    "run": N_JOBS
    + """\
random_state : int, RandomState instance or None, default=None
    Draws the code, the folds, and the seeds of the learners, which depend on what a
    column splits, not on its place.
""",
    "fitted": """\
code_ : ndarray of shape (n_classes, n_columns)
    Code matrix of 1, -1 and 0.
estimators_ : list of classifiers
    Learner of each column, fitted to 0 and 1: the column turned so that the first class
    in it is 0.
temperature_ : float
    Factor of the losses in ``predict_proba``; only with ``cv``.
"""
    + CLASSES
    + NAMES,
    "n_jobs": N_JOBS,
    "class_names": CLASSES + NAMES,
    "names": NAMES,
    "fit_odds": describe_fit(
        weight="Their odds of being drawn, or their weights if there is no bootstrap."
    ),
    "fit": describe_fit(weight="Their weights, if the estimator takes any."),
}
