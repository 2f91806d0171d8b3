"""Pass rows' weights and groups on to the steps of a pipeline that take them."""

from inspect import signature
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from manyminds.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from manyminds.search.space.prior_correction import PriorCorrectedClassifier

__all__ = ["pass_groups", "pass_rows"]

# On other groups, boosting stops where its probabilities become too sure, which a
# temperature mends later: benchmarks/results/grouped_fits.md.
UNTOLD: tuple[type, ...] = (GradientBoostingClassifier, GradientBoostingRegressor)


def pass_rows(
    model: Any, weights: np.ndarray | None, groups: np.ndarray | None
) -> dict[str, np.ndarray]:
    """Return the arguments of ``fit`` that pass weights and groups of the rows on.

    Parameters
    ----------
    model : estimator
        A whole pipeline, whose learner gets the weights; or a learner.
    weights : ndarray of shape (n_samples,) or None
    groups : ndarray of int of shape (n_samples,) or None
        Rows that stay together where a step holds rows out. Passed to what takes them.

    Returns
    -------
    arguments : dict of str to ndarray

    Examples
    --------
    >>> from sklearn.pipeline import Pipeline
    >>> from manyminds.learners import RealMLPClassifier
    >>> from manyminds.search.evaluation.row_arguments import pass_rows
    >>> pass_rows(Pipeline([("learner", RealMLPClassifier())]), None, [0, 0, 1])
    {'learner__groups': [0, 0, 1]}
    """
    if not isinstance(model, Pipeline):
        given = {} if weights is None else {"sample_weight": weights}
        return given | pass_groups(model, groups)
    given = {}
    for name, step in model.steps[:-1]:
        given |= {f"{name}__{k}": v for k, v in pass_groups(step, groups).items()}
    name, learner = model.steps[-1]
    last = pass_rows(learner, weights, groups)
    return given | {f"{name}__{k}": v for k, v in last.items()}


def pass_groups(step: Any, groups: np.ndarray | None) -> dict[str, np.ndarray]:
    """Return the argument that passes groups to a step or a learner, if it has any."""
    if isinstance(step, PriorCorrectedClassifier):
        step = step.estimator
    method = getattr(step, "fit_transform", None) or step.fit
    takes = "groups" in signature(method).parameters
    if groups is None or not takes or isinstance(step, UNTOLD):
        return {}
    return {"groups": groups}
