"""Margins of votes: their mean is an ensemble's strength; correlation; a bound."""

from dataclasses import dataclass

import numpy as np

from manyminds.analysis._checks import check_option
from manyminds.analysis.diversity._reading import (
    encode_labels,
    read_pair,
    read_where,
)
from manyminds.analysis.diversity.averaging import average_pairs
from manyminds.analysis.diversity.counting import divide, gram
from manyminds.analysis.diversity.voting import count_votes

__all__ = ["Strength", "measure_strength", "raw_margins", "vote_margins"]


@dataclass(frozen=True)
class Strength:
    """How strong the members of an ensemble are, and how much alike.

    Parameters
    ----------
    strength : float
        Mean margin of the votes: higher is better.
    correlation : float
        Mean correlation of the members' raw margins: lower is better.
    bound : float
        Breiman's bound of the ensemble's error; NaN unless the strength is positive.
    is_bounded : bool
        Whether the strength is positive and the bound below 1, so that it says
        something.
    """

    strength: float
    correlation: float
    bound: float
    is_bounded: bool


def vote_margins(y, predictions, *, where=None):
    r"""Measure by which share of votes the true label is ahead of the best other one.

    .. math:: m(x, y) = s_y(x) - \max_{c \neq y} s_c(x)

    where :math:`s_c(x)` is the share of the members that say class :math:`c`.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels.
    predictions : array-like of shape (n_members, n_samples)
        What each member predicts, such as ``predict_all`` gives.
    where : array-like of bool of shape (n_members, n_samples), default=None
        Which member's votes count, such as those on samples out of its bag.

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
    """Describe whether each member votes for the true label or for its strongest rival.

    The rival of a sample is the wrong label with the most votes, of equal ones the
    first. The mean over members is the sample's margin.

    Parameters
    ----------
    y, predictions, where
        As in `vote_margins`.

    Returns
    -------
    margins : ndarray of int8 of shape (n_members, n_samples)
        1 for the true label, -1 for the rival, 0 for others and for votes that do not
        count.

    Examples
    --------
    >>> from manyminds.analysis.diversity import raw_margins
    >>> raw_margins(["a"], [["a"], ["b"], ["b"], ["c"]]).ravel()
    array([ 1, -1, -1,  0], dtype=int8)
    """
    return _read_votes(y, predictions, where).raw_margins()


def measure_strength(y, predictions, *, correlation="variance", where=None):
    r"""Measure strength and correlation of an ensemble, and bound its error by them.

    With :math:`s` the mean margin and :math:`\bar\rho` the mean correlation of two
    members' raw margins, the vote's error is at most [1]_

    .. math:: \bar\rho\, \frac{1 - s^2}{s^2} \qquad (s > 0).

    Parameters
    ----------
    y, predictions
        As in `vote_margins`.
    correlation : {"variance", "pairs"}, default="variance"
        - "variance": that of the paper, the variance of the margins over the square of
          the raw margins' mean standard deviation. Members of large variance weigh
          more, and the bound holds on the samples at hand, ties counted as errors.
        - "pairs": the plain mean over all pairs of different members, as in some later
          texts. It is the cleaner measure of diversity, but no bound is proved with it.
    where : array-like of bool of shape (n_members, n_samples), default=None
        Which member's votes count, such as those on samples out of its bag; samples
        without votes are left out. The bound is then an estimate.

    Returns
    -------
    result : Strength

    References
    ----------
    .. [1] Breiman, "Random forests", Machine Learning 45, 2001.

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
        bound = 0.0  # no member ever errs; its correlation is 0 / 0
    return Strength(strength, float(rho), float(bound), bool(bound < 1.0))


@dataclass(frozen=True)
class _Votes:
    """Coded labels, and how often each class is said of each sample."""

    y: np.ndarray
    codes: np.ndarray
    where: np.ndarray | None
    for_true: np.ndarray
    for_rival: np.ndarray
    rival: np.ndarray

    def margins(self):
        n_votes = len(self.codes) if self.where is None else self.where.sum(axis=0)
        lead = self.for_true - self.for_rival
        return divide(lead, np.broadcast_to(n_votes, lead.shape))

    def raw_margins(self):
        raw = (self.codes == self.y).astype(np.int8)
        raw -= self.codes == self.rival
        if self.where is not None:
            raw *= self.where
        return raw


def _read_votes(y, predictions, where):
    y, predictions = read_pair(y, predictions, min_members=1)
    where = read_where(where, predictions.shape)
    classes, codes, y = encode_labels(predictions, y)
    votes = count_votes(codes, len(classes), where)
    return _Votes(y, codes, where, *part_votes(votes, y))


def part_votes(votes, y):
    """Part votes, which are overwritten, into those for the truth and for its rival.

    Parameters
    ----------
    votes : ndarray of int of shape (n_samples, n_classes)
    y : ndarray of int of shape (n_samples,)
        Places of the true labels among the classes.

    Returns
    -------
    for_true, for_rival : ndarray of int of shape (n_samples,)
    rival : ndarray of int of shape (n_samples,)
        Place of the rival; ``n_classes`` if there is one class only.
    """
    samples = np.arange(len(y))
    for_true = votes[samples, y]
    votes[samples, y] = -1  # the true label is nobody's rival
    rival = votes.argmax(axis=1)
    for_rival = np.maximum(votes[samples, rival], 0)
    return for_true, for_rival, np.where(rival == y, votes.shape[1], rival)


def _correlate_by_variance(margins, raw, where):
    """Return the correlation that makes variance and deviations of margins fit."""
    n_rows = raw.shape[1] if where is None else where.sum(axis=1)
    mean = divide(raw.sum(axis=1), np.broadcast_to(n_rows, len(raw)))
    square = divide(np.count_nonzero(raw, axis=1), np.broadcast_to(n_rows, len(raw)))
    deviation = np.nanmean(np.sqrt(np.maximum(square - mean**2, 0.0)))
    return margins.var() / deviation**2 if deviation > 0.0 else np.nan


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
