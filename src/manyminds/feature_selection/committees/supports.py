"""What fitted selectors, alone or in a pipeline, say of the columns they were given."""

import numpy as np
from sklearn.pipeline import Pipeline

from manyminds.feature_selection.base import rank_scores


def read_choice(selector):
    """Return which columns a fitted selector keeps, and how it ranks them.

    Parameters
    ----------
    selector : selector or Pipeline
        Fitted. The last step of a pipeline is a selector; those before it are, too, or
        keep the columns as they are.

    Returns
    -------
    support : ndarray of bool of shape (n_features,)
        True for columns that are kept.
    ranking : ndarray of int of shape (n_features,) or None
        Rank of each column, 1 for the best; None if the selector does not tell.
        Columns that never reached the last step of a pipeline share the last rank.
    """
    if not isinstance(selector, Pipeline):
        if not hasattr(selector, "get_support"):
            raise TypeError(
                f"selector={selector!r} is no selector: it has no get_support."
            )
        return np.asarray(selector.get_support(), dtype=bool), _find_ranking(selector)

    steps = [(name, step) for name, step in selector.steps if hasattr(step, "fit")]
    n_features = selector.n_features_in_
    kept = seen = np.arange(n_features)
    for name, step in steps:
        if hasattr(step, "get_support") or isinstance(step, Pipeline):
            seen, (chosen, ranking) = kept, read_choice(step)
            kept = seen[chosen]
        elif name == steps[-1][0]:
            raise TypeError(f"The last step of a pipeline, {name!r}, is no selector.")
        else:
            _check_keeps_columns(name, step)
    support = np.zeros(n_features, dtype=bool)
    support[kept] = True
    if ranking is None:
        return support, None
    whole = np.full(n_features, ranking.max() + 1)
    whole[seen] = ranking
    return support, whole


def _find_ranking(selector):
    """Read a ranking, or make one of scores or importances; None if there are none."""
    if hasattr(selector, "ranking_"):
        return np.asarray(selector.ranking_).astype(np.int64)
    scores = getattr(selector, "scores_", None)
    model = getattr(selector, "estimator_", None)
    if scores is None and hasattr(model, "feature_importances_"):
        scores = model.feature_importances_
    if scores is None and hasattr(model, "coef_"):
        scores = np.abs(np.atleast_2d(model.coef_)).sum(axis=0)
    return None if scores is None else rank_scores(scores)


def _check_keeps_columns(name, step):
    """Refuse a step after which columns are not what they were, or where."""
    n_features = getattr(step, "n_features_in_", 0)
    names = getattr(step, "feature_names_in_", [f"x{j}" for j in range(n_features)])
    if not hasattr(step, "get_feature_names_out"):
        return
    if list(step.get_feature_names_out(names)) != list(names):
        raise ValueError(
            f"The step {name!r} of the pipeline makes new columns, adds, drops or "
            "reorders some: what is selected after it cannot be told of the columns of "
            "X."
        )
