"""Added error: the effect of averaging, from the correlation of score errors."""

from dataclasses import dataclass

import numpy as np
from sklearn.utils import column_or_1d

from manyminds.analysis._checks import check_option, read_scores
from manyminds.analysis.diversity.pairwise import output_correlation

__all__ = ["AddedError", "added_error"]


@dataclass(frozen=True)
class AddedError:
    """Added error of an averaging ensemble, relative to that of its members.

    Parameters
    ----------
    correlation : float
        Mean correlation of the score errors of two members.
    factor : float
        Added error of the ensemble over that of a member: 1 if all errors are equal,
        1 / n_members if they are independent.
    """

    correlation: float
    factor: float


def added_error(y, scores, *, posterior=None, undefined="skip"):
    r"""Estimate by how much averaging reduces the error above the Bayes error.

    If members have scores :math:`h_t^c(x) = P(c | x) + \varepsilon_t^c(x)`, and the
    ensemble their mean, the expected error above the Bayes error is reduced by [1]_

    .. math::

       \frac{1 + \rho\,(T - 1)}{T}, \qquad
       \rho = \sum_c P(c)\, \frac{1}{T (T - 1)} \sum_{t \neq u}
       \operatorname{corr}(\varepsilon_t^c, \varepsilon_u^c) .

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True classes, as indices of the last axis of ``scores``: 0, 1, 2 ...
    scores : array-like of shape (n_members, n_samples, n_classes)
        Score of each member for each class, such as a probability.
    posterior : array-like of shape (n_samples, n_classes), default=None
        True probabilities of the classes. By default 1 for the true class and 0 for
        the others: the errors then include the noise of the labels, which is the same
        for all members, and the correlation is overestimated.
    undefined : {"skip", "zero"}, default="skip"
        Treatment of pairs in which a member's error is constant. A class without pairs
        is left out, and the priors of the others are normalized.

    Returns
    -------
    result : AddedError

    References
    ----------
    .. [1] Tumer and Ghosh, "Error correlation and error reduction in ensemble
       classifiers", Connection Science 8, 1996.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis.diversity import added_error
    >>> rng = np.random.default_rng(0)
    >>> first = rng.uniform(size=1000)
    >>> posterior = np.column_stack([first, 1 - first])
    >>> noise = rng.normal(scale=0.1, size=(10, 1000, 1))
    >>> scores = posterior + noise * [1, -1]
    >>> y = (rng.uniform(size=1000) > first).astype(int)
    >>> print(f"{added_error(y, scores, posterior=posterior).factor:.1f}")
    0.1
    """
    check_option("undefined", undefined, ("skip", "zero"))
    y, scores = _read(y, scores)
    n_members, n_samples, n_classes = scores.shape
    target = np.eye(n_classes)[y]
    if posterior is not None:
        target = read_scores("posterior", posterior)
        if target.shape != (n_samples, n_classes):
            raise ValueError(
                f"posterior must have shape {(n_samples, n_classes)}; got "
                f"{target.shape}."
            )

    prior = target.mean(axis=0)
    by_class = np.array(
        [
            output_correlation(scores[:, :, c] - target[:, c], undefined=undefined)
            for c in range(n_classes)
        ]
    )
    known = ~np.isnan(by_class) & (prior > 0.0)
    if not known.any():
        return AddedError(float("nan"), float("nan"))
    rho = float(np.average(by_class[known], weights=prior[known]))
    return AddedError(rho, (1.0 + rho * (n_members - 1)) / n_members)


def _read(y, scores):
    scores = read_scores("scores", scores)
    if scores.ndim != 3 or len(scores) < 2:
        raise ValueError(
            "scores must have shape (n_members, n_samples, n_classes) with two members "
            f"or more; got {scores.shape}."
        )
    y = column_or_1d(np.asarray(y))
    if len(y) != scores.shape[1]:
        raise ValueError(
            f"y must have one class for each of the {scores.shape[1]} samples of "
            f"scores; got {len(y)}."
        )
    if not np.isin(y, np.arange(scores.shape[2])).all():
        raise ValueError(
            f"y must have integers from 0 to {scores.shape[2] - 1}, the classes of "
            "scores; got others."
        )
    return y.astype(np.intp), scores
