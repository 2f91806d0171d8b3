"""Added error: what averaging takes off, by how the errors of scores correlate."""

from dataclasses import dataclass

import numpy as np
from sklearn.utils import column_or_1d

from manyminds.analysis._checks import check_option, read_scores
from manyminds.analysis.diversity.pairwise import output_correlation

__all__ = ["AddedError", "added_error"]


@dataclass(frozen=True)
class AddedError:
    """How much of its members' added error an averaging ensemble keeps.

    Parameters
    ----------
    correlation : float
        Mean correlation of two members' errors of scores.
    factor : float
        The ensemble's added error over that of a member: 1 if all errors are the same,
        one over the number of members if they are independent.
    """

    correlation: float
    factor: float


def added_error(y, scores, *, posterior=None, undefined="skip"):
    r"""Estimate how much of the error above Bayes's averaging scores leaves.

    If members give scores :math:`h_t^c(x) = P(c | x) + \varepsilon_t^c(x)`, and the
    ensemble their mean, the expected error above that of Bayes's rule shrinks by [1]_

    .. math::

       \frac{1 + \rho\,(T - 1)}{T}, \qquad
       \rho = \sum_c P(c)\, \frac{1}{T (T - 1)} \sum_{t \neq u}
       \operatorname{corr}(\varepsilon_t^c, \varepsilon_u^c) .

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True classes, as numbers of the last axis of ``scores``: 0, 1, 2 ...
    scores : array-like of shape (n_members, n_samples, n_classes)
        What each member gives each class, such as its probabilities.
    posterior : array-like of shape (n_samples, n_classes), default=None
        True probabilities of the classes. By default 1 for the true class and 0 for
        the others: what is then taken for errors has the noise of the labels, which
        all members share, so the correlation comes out too high.
    undefined : {"skip", "zero"}, default="skip"
        What to do with pairs of which one member's error never changes. A class
        without any pair is left out, and the priors of the others brought to a sum
        of 1.

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
            f"y must hold whole numbers from 0 to {scores.shape[2] - 1}, the classes "
            "of scores; got others."
        )
    return y.astype(np.intp), scores
