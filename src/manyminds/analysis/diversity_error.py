"""Diversity-error diagrams of the pairs of members of a regression ensemble."""

from dataclasses import dataclass, field

import numpy as np

from manyminds.analysis._checks import read_scores
from manyminds.analysis._plotting import new_axes
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import PARDO_2011, cite

__all__ = ["DiversityError", "measure_diversity_error", "plot_diversity_error"]


@dataclass(frozen=True, eq=False)
class DiversityError:
    """Diversity and error of the pairs of members of an ensemble.

    Parameters
    ----------
    mean_diversity, mean_error : float
        Means over all pairs.
    diversity : ndarray of shape (n_pairs,)
        Root mean squared difference of the two members' predictions.
    error : ndarray of shape (n_pairs,)
        Mean of the two members' root mean squared errors.
    """

    mean_diversity: float
    mean_error: float
    diversity: np.ndarray = field(repr=False)
    error: np.ndarray = field(repr=False)


@fill_docstring(references=cite(PARDO_2011))
def measure_diversity_error(y, predictions):
    """Compute the diversity and the error of each pair of members of an ensemble.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True targets.
    predictions : array-like of shape (n_members, n_samples)
        Predictions of two members or more, such as those of ``predict_all``.

    Returns
    -------
    result : DiversityError
        The pairs (0, 1), (0, 2), ..., (1, 2), ... and their means.

    {references}

    Examples
    --------
    >>> from manyminds.analysis import measure_diversity_error
    >>> measure_diversity_error([0.0, 0.0], [[1.0, 1.0], [-1.0, -1.0]])
    DiversityError(mean_diversity=2.0, mean_error=1.0)
    """
    y, predictions = read_scores("y", y), read_scores("predictions", predictions)
    if y.ndim != 1 or predictions.ndim != 2 or predictions.shape[1] != len(y):
        raise ValueError(
            "y must have shape (n_samples,) and predictions (n_members, n_samples); "
            f"got {y.shape} and {predictions.shape}."
        )
    if len(predictions) < 2:
        raise ValueError(
            f"predictions must have two members or more; got {len(predictions)}."
        )
    residuals = predictions - y
    squares = (residuals**2).mean(axis=1)
    # One matrix product has all pairs; by rounding, some may be slightly negative.
    shared = residuals @ residuals.T / len(y)
    first, second = np.triu_indices(len(predictions), k=1)
    apart = squares[first] + squares[second] - 2.0 * shared[first, second]
    diversity = np.sqrt(np.maximum(apart, 0.0))
    rmse = np.sqrt(squares)
    error = (rmse[first] + rmse[second]) / 2.0
    return DiversityError(
        float(diversity.mean()), float(error.mean()), diversity, error
    )


def plot_diversity_error(results, ax=None):
    """Plot the pairs of members of some ensembles, and the mean of each ensemble.

    Parameters
    ----------
    results : dict of str to DiversityError
        Results by the name of the ensemble.
    ax : matplotlib Axes, default=None
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    ax : matplotlib Axes
        Axes of the plot; ``ax.figure.savefig`` saves it.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from manyminds.analysis import measure_diversity_error, plot_diversity_error
    >>> result = measure_diversity_error(
    ...     [0.0, 0.0], [[1.0, 1.0], [-1.0, 1.0], [0.0, 1.0]]
    ... )
    >>> plot_diversity_error({"three members": result}).get_xlabel()
    'RMSE between two members'
    """
    if ax is None:
        ax = new_axes("plot_diversity_error")
    for i, (name, result) in enumerate(results.items()):
        color = f"C{i}"
        ax.scatter(result.diversity, result.error, s=5, alpha=0.25, color=color, lw=0)
        center = result.mean_diversity, result.mean_error
        ax.scatter(*center, s=90, marker="X", color=color, ec="black", label=name)
    ax.set(xlabel="RMSE between two members", ylabel="mean RMSE of the two")
    ax.legend()
    return ax
