"""Margins of votes: strength, correlation and Breiman's bound of the error."""

from dataclasses import dataclass

import numpy as np

from manyminds.analysis._checks import check_option
from manyminds.analysis.diversity._paragraphs import document_measure
from manyminds.analysis.diversity._reading import (
    encode_labels,
    read_pair,
    read_where,
)
from manyminds.analysis.diversity.averaging import average_pairs
from manyminds.analysis.diversity.pair_counts import divide, gram
from manyminds.analysis.diversity.voting import count_votes
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BREIMAN_2001, cite

__all__ = ["Strength", "measure_strength", "raw_margins", "vote_margins"]


@dataclass(frozen=True)
class Strength:
    """Strength and correlation of an ensemble.

    Parameters
    ----------
    strength : float
        Mean margin of the votes: higher is better.
    correlation : float
        Mean correlation of the members' raw margins: lower is better.
    bound : float
        Breiman's bound of the ensemble's error; NaN unless the strength is positive.
    is_bounded : bool
        Whether the strength is positive and the bound below 1.
    """

    strength: float
    correlation: float
    bound: float
    is_bounded: bool


@document_measure
def vote_margins(y, predictions, *, where=None):
    r"""Compute the margin of the true label over the best other one.

    .. math:: m(x, y) = s_y(x) - \max_{c \neq y} s_c(x)

    where :math:`s_c(x)` is the fraction of the members that predict :math:`c`.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels.
    {predictions}
    {where}

    Returns
    -------
    margins : ndarray of shape (n_samples,)
        Between -1 and 1; NaN for a sample without votes.

    Examples
    --------
    >>> from manyminds.analysis.diversity import vote_margins
    >>> vote_margins(["a", "b"], [["a", "a"], ["a", "b"], ["a", "c"], ["b", "a"]])
    array([ 0.5 , -0.25])
    """
    return _read_votes(y, predictions, where).margins()


def raw_margins(y, predictions, *, where=None):
    """Compute the raw margin of each member on each sample.

    The runner-up of a sample is the wrong label with the most votes; of ties, the
    first. The mean over members is the sample's margin.

    Parameters
    ----------
    y, predictions, where
        As in `vote_margins`.

    Returns
    -------
    margins : ndarray of int8 of shape (n_members, n_samples)
        1 for the true label, -1 for the runner-up, 0 for others and for votes that do
        not count.

    Examples
    --------
    >>> from manyminds.analysis.diversity import raw_margins
    >>> raw_margins(["a"], [["a"], ["b"], ["b"], ["c"]]).ravel()
    array([ 1, -1, -1,  0], dtype=int8)
    """
    return _read_votes(y, predictions, where).raw_margins()


@fill_docstring(references=cite(BREIMAN_2001))
def measure_strength(y, predictions, *, correlation="variance", where=None):
    r"""Compute strength and correlation of an ensemble, and Breiman's error bound.

    With :math:`s` the mean margin and :math:`\bar\rho` the mean correlation of two
    members' raw margins, the vote's error is at most [1]_

    .. math:: \bar\rho\, \frac{1 - s^2}{s^2} \qquad (s > 0).

    Parameters
    ----------
    y, predictions
        As in `vote_margins`.
    correlation : {"variance", "pairs"}, default="variance"
        - "variance": that of the paper, the variance of the margins over the square of
          the raw margins' mean standard deviation. Members of large variance have more
          weight, and the bound holds on these samples, with ties as errors.
        - "pairs": the mean over all pairs of different members, as in some later texts.
          The bound is not proved for it.
    where : array-like of bool of shape (n_members, n_samples), default=None
        Mask of the votes that count, such as out-of-bag ones; samples without votes are
        left out. The bound is then an estimate.

    Returns
    -------
    result : Strength

    {references}

    Examples
    --------
    >>> from manyminds.analysis.diversity import measure_strength
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> first = [0, 0, 0, 1, 1, 1, 1, 1]
    >>> second = [0, 0, 0, 0, 1, 1, 1, 0]
    >>> found = measure_strength(y, [first, second])
    >>> print(f"{found.strength:.2f} {found.correlation:.2f} {found.bound:.2f}")
    0.75 0.43 0.33
    """
    check_option("correlation", correlation, ("variance", "pairs"))
    read = _read_votes(y, predictions, where)
    margins = read.margins()
    margins = margins[~np.isnan(margins)]
    if len(margins) == 0:
        raise ValueError("where must leave one vote or more; got none.")

    strength = float(margins.mean())
    raw = read.raw_margins()
    if correlation == "pairs":
        rho = average_pairs(_correlate(raw, read.where))
    else:
        rho = _correlate_by_variance(margins, raw, read.where)
    bound = rho * (1.0 - strength**2) / strength**2 if strength > 0.0 else np.nan
    if strength == 1.0:
        bound = 0.0  # without errors the correlation is 0 / 0
    return Strength(strength, float(rho), float(bound), bool(bound < 1.0))


@dataclass(frozen=True)
class _Votes:
    """Encoded labels, and votes for the true label and the runner-up."""

    y: np.ndarray
    codes: np.ndarray
    where: np.ndarray | None
    for_true: np.ndarray
    for_runner_up: np.ndarray
    runner_up: np.ndarray

    def margins(self):
        n_votes = len(self.codes) if self.where is None else self.where.sum(axis=0)
        lead = self.for_true - self.for_runner_up
        return divide(lead, np.broadcast_to(n_votes, lead.shape))

    def raw_margins(self):
        raw = (self.codes == self.y).astype(np.int8)
        raw -= self.codes == self.runner_up
        if self.where is not None:
            raw *= self.where
        return raw


def _read_votes(y, predictions, where):
    y, predictions = read_pair(y, predictions, min_members=1)
    where = read_where(where, predictions.shape)
    classes, codes, y = encode_labels(predictions, y)
    votes = count_votes(codes, len(classes), where)
    return _Votes(y, codes, where, *split_votes(votes, y))


def split_votes(votes, y):
    """Return the votes for the true label and for the runner-up; overwrites votes.

    Parameters
    ----------
    votes : ndarray of int of shape (n_samples, n_classes)
    y : ndarray of int of shape (n_samples,)
        Encoded true labels.

    Returns
    -------
    for_true, for_runner_up : ndarray of int of shape (n_samples,)
    runner_up : ndarray of int of shape (n_samples,)
        Encoded runner-up; ``n_classes`` if there is only one class.
    """
    samples = np.arange(len(y))
    for_true = votes[samples, y]
    votes[samples, y] = -1  # the true label is not a runner-up
    runner_up = votes.argmax(axis=1)
    for_runner_up = np.maximum(votes[samples, runner_up], 0)
    return for_true, for_runner_up, np.where(runner_up == y, votes.shape[1], runner_up)


def _correlate_by_variance(margins, raw, where):
    """Return the variance of margins over the squared mean standard deviation."""
    n_rows = raw.shape[1] if where is None else where.sum(axis=1)
    mean = divide(raw.sum(axis=1), np.broadcast_to(n_rows, len(raw)))
    square = divide(np.count_nonzero(raw, axis=1), np.broadcast_to(n_rows, len(raw)))
    std = np.nanmean(np.sqrt(np.maximum(square - mean**2, 0.0)))
    return margins.var() / std**2 if std > 0.0 else np.nan


def _correlate(raw, where):
    """Return Pearson's correlation of the raw margins of all pairs of members."""
    if where is None:
        n_rows = float(raw.shape[1])
        total = raw.sum(axis=1, dtype=np.float64)[:, None]
        square = np.count_nonzero(raw, axis=1)[:, None]
    else:
        n_rows, total = gram(where), gram(raw, where)
        square = gram(raw != 0, where)
    variance = n_rows * square - total**2
    covariance = n_rows * gram(raw) - total * total.T
    return divide(covariance, np.sqrt(variance * variance.T))
