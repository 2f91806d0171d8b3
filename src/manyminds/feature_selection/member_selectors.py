"""Fit a selector inside another one: check the table, fit a clone, read its choice."""

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import check_consistent_length

from manyminds.ensemble.base import route_weight
from manyminds.feature_selection.base import rank_scores, read_weight
from manyminds.utils.tables import is_frame


def read_inputs(selector, X, y, sample_weight):
    """Check the training set of a selector of selectors; dataframes stay dataframes.

    Parameters
    ----------
    selector : Selector
        Its ``n_features_in_`` and ``feature_names_in_`` are set.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or None
    sample_weight : array-like of shape (n_samples,) or None

    Returns
    -------
    X : ndarray, sparse CSC matrix or dataframe of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or None
    sample_weight : ndarray of shape (n_samples,) or None
        Checked, if there are any.
    """
    floats, _ = selector._read_features(X)
    if y is None and get_tags(selector).target_tags.required:
        raise ValueError(
            f"This {type(selector).__name__} estimator requires y to be passed, but "
            "the target y is None."
        )
    if y is not None:
        check_consistent_length(floats, y)
    if sample_weight is not None:
        sample_weight = read_weight(floats, sample_weight)
    return (X if is_frame(X) else floats), y, sample_weight


def fit_member(name, selector, X, y, sample_weight=None):
    """Fit a clone of a selector; return it, its support and its ranking.

    Parameters
    ----------
    name : str
        Name of the selector in error messages.
    selector : selector or Pipeline
        Anything that `read_choice` can read.
    X, y, sample_weight : object
        Training set.

    Returns
    -------
    member : selector
        The fitted clone.
    support : ndarray of bool of shape (n_features,)
    ranking : ndarray of int of shape (n_features,) or None
    """
    member = clone(selector)
    options = {}
    if sample_weight is not None:
        options = route_weight(member, sample_weight)
        if not options:
            raise ValueError(f"sample_weight was given, but {name} takes none in fit.")
    member.fit(X, y, **options)
    support, ranking = read_choice(member)
    if len(support) != X.shape[1]:
        raise ValueError(
            f"{name} selects among {len(support)} features, but X has {X.shape[1]}."
        )
    return member, support, ranking


def read_choice(selector):
    """Return the columns that a fitted selector selects, and its ranking.

    Parameters
    ----------
    selector : selector or Pipeline
        Fitted. The last step of a pipeline is a selector; all steps before it are
        selectors, too, or preserve the columns.

    Returns
    -------
    support : ndarray of bool of shape (n_features,)
        Mask of the selected columns.
    ranking : ndarray of int of shape (n_features,) or None
        Rank of each column, 1 for the best; None if the selector has no ranking.
        Columns that were removed before the last step of a pipeline share the last
        rank.
    """
    if not isinstance(selector, Pipeline):
        if not hasattr(selector, "get_support"):
            raise TypeError(
                f"selector={selector!r} is no selector: it has no get_support."
            )
        return np.asarray(selector.get_support(), dtype=bool), _find_ranking(selector)

    steps = [(name, step) for name, step in selector.steps if hasattr(step, "fit")]
    n_features = selector.n_features_in_
    selected = seen = np.arange(n_features)
    for name, step in steps:
        if hasattr(step, "get_support") or isinstance(step, Pipeline):
            seen, (chosen, ranking) = selected, read_choice(step)
            selected = seen[chosen]
        elif name == steps[-1][0]:
            raise TypeError(f"The last step of a pipeline, {name!r}, is no selector.")
        else:
            _check_keeps_columns(name, step)
    support = np.zeros(n_features, dtype=bool)
    support[selected] = True
    if ranking is None:
        return support, None
    whole = np.full(n_features, ranking.max() + 1)
    whole[seen] = ranking
    return support, whole


def _find_ranking(selector):
    """Return a ranking, by scores or importances if need be; None if it has none."""
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
    """Raise an error if a step creates, drops or reorders columns."""
    n_features = getattr(step, "n_features_in_", 0)
    names = getattr(step, "feature_names_in_", [f"x{j}" for j in range(n_features)])
    if not hasattr(step, "get_feature_names_out"):
        return
    if list(step.get_feature_names_out(names)) != list(names):
        raise ValueError(
            f"The step {name!r} of the pipeline creates, drops or reorders columns: "
            "what is selected after it cannot be mapped to the columns of X."
        )
