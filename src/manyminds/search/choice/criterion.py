"""Choose models by their mean score less a multiple of its standard deviation."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import GRABCZEWSKI_2006, cite


@fill_docstring(references=cite(GRABCZEWSKI_2006))
def mean_minus_std(scores: Any, alpha: float = 1.0) -> Any:
    """Return the mean of fold scores less ``alpha`` times their standard deviation.

    Of two models with the same mean, the one whose folds agree is the safer choice
    [1]_.

    Parameters
    ----------
    scores : array-like of shape (n_folds,) or (n_models, n_folds)
        Scores; more is better.
    alpha : float, default=1.0
        Weight of the standard deviation, 0 or more.

    Returns
    -------
    value : float or ndarray of shape (n_models,)
        NaN for a model with a fold that has no score.

    {references}

    Examples
    --------
    >>> from manyminds.search import mean_minus_std
    >>> float(mean_minus_std([0.75, 0.95]))
    0.75
    """
    _check_alpha(alpha)
    scores = np.asarray(scores, dtype=np.float64)
    if scores.ndim not in (1, 2) or scores.shape[-1] == 0:
        raise ValueError(
            "scores must have shape (n_folds,) or (n_models, n_folds), with one fold "
            f"or more; got shape {scores.shape}."
        )
    return scores.mean(axis=-1) - alpha * scores.std(axis=-1)


def choose_by_mean_minus_std(results: Any, alpha: float = 1.0) -> Any:
    """Choose the model with the greatest mean score less its standard deviation.

    Parameters
    ----------
    results : array-like of shape (n_models, n_folds), dict, or search results
        Fold scores; or a dict of them, by the names of models, also of different
        numbers of folds; or the ``cv_results_`` of one of scikit-learn's searches.
    alpha : float, default=1.0
        Weight of the standard deviation, 0 or more.

    Returns
    -------
    best : int or object
        Position of the best model, or its name in a dict; the first of ties. A model
        without a score for every fold is chosen only if there is no other.

    Notes
    -----
    The function itself can be the ``refit`` of scikit-learn's ``GridSearchCV``.

    Examples
    --------
    >>> from manyminds.search import choose_by_mean_minus_std
    >>> folds = {"steady": [0.84, 0.86], "lucky": [0.76, 0.98]}
    >>> choose_by_mean_minus_std(folds)
    'steady'
    >>> choose_by_mean_minus_std(folds, alpha=0.0)
    'lucky'
    """
    _check_alpha(alpha)
    if isinstance(results, Mapping) and "mean_test_score" in results:
        means = np.asarray(results["mean_test_score"], dtype=np.float64)
        stds = np.asarray(results["std_test_score"], dtype=np.float64)
        return _find_greatest(means - alpha * stds)
    if isinstance(results, Mapping):
        values = [float(mean_minus_std(one, alpha)) for one in results.values()]
        return list(results)[_find_greatest(np.array(values))]
    return _find_greatest(np.atleast_1d(mean_minus_std(results, alpha)))


def _check_alpha(alpha: float) -> None:
    if not alpha >= 0.0:
        raise ValueError(f"alpha must be at least 0; got {alpha!r}.")


def _find_greatest(values: np.ndarray) -> int:
    """Find the first of the greatest values; NaN is less than any."""
    if len(values) == 0:
        raise ValueError("results has no models; there must be one or more.")
    return int(np.argmax(np.where(np.isnan(values), -np.inf, values)))
