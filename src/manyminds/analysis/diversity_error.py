"""Diversity-error diagrams: how different, and how good, pairs of members are."""

from dataclasses import dataclass, field

import numpy as np

from manyminds.analysis.comparison._checks import read_scores

__all__ = ["DiversityError", "measure_diversity_error", "plot_diversity_error"]


@dataclass(frozen=True, eq=False)
class DiversityError:
    """Where the pairs of an ensemble's members stand in a diversity-error diagram.

    Parameters
    ----------
    mean_diversity, mean_error : float
        Center of the cloud of pairs.
    diversity : ndarray of shape (n_pairs,)
        Root mean squared difference of the two members' predictions: larger, more
        diverse.
    error : ndarray of shape (n_pairs,)
        Mean of the two members' root mean squared errors.
    """

    mean_diversity: float
    mean_error: float
    diversity: np.ndarray = field(repr=False)
    error: np.ndarray = field(repr=False)


def measure_diversity_error(y, predictions):
    """Measure how diverse, and how wrong, each pair of an ensemble's members is.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True targets.
    predictions : array-like of shape (n_members, n_samples)
        What each member predicts, such as ``predict_all`` gives; two members or more.

    Returns
    -------
    result : DiversityError
        The pairs (0, 1), (0, 2), ..., (1, 2), ... and the center of them all.

    References
    ----------
    .. [1] Pardo, Rodríguez, Díez-Pastor and García-Osorio, "Random oracles for
       regression ensembles", Ensembles in Machine Learning Applications, Springer,
       2011.

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
    # One product of matrices gives all pairs; rounding may go a little below zero.
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
    """Draw the clouds of pairs of some ensembles, and the center of each.

    Parameters
    ----------
    results : dict of str to DiversityError
        What to draw, by the name of the ensemble.
    ax : matplotlib Axes, default=None
        Where to draw; by default a new figure.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on; ``ax.figure.savefig`` saves it.

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
        ax = _new_axes()
    for i, (name, result) in enumerate(results.items()):
        color = f"C{i}"
        ax.scatter(result.diversity, result.error, s=5, alpha=0.25, color=color, lw=0)
        center = result.mean_diversity, result.mean_error
        ax.scatter(*center, s=90, marker="X", color=color, ec="black", label=name)
    ax.set(xlabel="RMSE between two members", ylabel="mean RMSE of the two")
    ax.legend()
    return ax


def _new_axes():
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "plot_diversity_error needs matplotlib: pip install matplotlib."
        ) from error
    return plt.subplots(layout="constrained")[1]
