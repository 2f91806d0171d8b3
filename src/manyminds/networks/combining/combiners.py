"""Combine the probabilities of two classifiers: weighted vote, smoothed table, mean."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from sklearn.metrics import roc_curve


class WeightedVote:
    r"""Average probabilities of the positive class, weighted by training accuracies.

    .. math::

       p = \frac{\sum_i a_i p_i}{\sum_i a_i}

    Parameters
    ----------
    threshold : float or "best", default="best"
        Where the probabilities are cut to count right answers; "best": where most are
        right.

    Attributes
    ----------
    weights_ : ndarray of shape (n_classifiers,)
        Accuracies.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks import WeightedVote
    >>> p = np.array([[0.1, 0.6], [0.2, 0.4], [0.8, 0.9], [0.9, 0.3]])
    >>> vote = WeightedVote().fit(p, [0, 0, 1, 1])
    >>> vote.weights_
    array([1.  , 0.75])
    """

    def __init__(self, threshold="best"):
        self.threshold = threshold

    def fit(self, probabilities, y, sample_weight=None):
        """Measure the accuracy of each classifier.

        Parameters
        ----------
        probabilities : ndarray of shape (n_samples, n_classifiers)
            Of the positive class.
        y : array-like of shape (n_samples,)
            0 or 1.
        sample_weight : ndarray of shape (n_samples,), default=None

        Returns
        -------
        self : WeightedVote
        """
        y = np.asarray(y)
        weight = np.ones(len(y)) if sample_weight is None else sample_weight
        self.weights_ = np.array(
            [_find_accuracy(p, y, weight, self.threshold) for p in probabilities.T]
        )
        return self

    def combine(self, probabilities):
        """Return the combined probability of the positive class of each row."""
        return probabilities @ self.weights_ / self.weights_.sum()


class TableCombiner:
    """A network of three nodes: two classifiers' outputs are the class's parents.

    Each output is discretized; the table of the class given both is counted on training
    rows and smoothed by a mean filter, a window that is cut off at the border [1]_.

    Parameters
    ----------
    n_states : int, default=8
        Number of states of each output.
    bins : {"uniform", "quantile"}, default="uniform"
        Whether the states have equal widths, or about equally many training rows.
    smooth : {"probabilities", "counts"} or None, default="probabilities"
        What is smoothed. Cells without rows have the probability 0 before smoothing,
        as in the paper, and pull their neighbors towards 0; with "counts", the positive
        and all rows are smoothed, and then divided.
    window : int, default=3
        Width of the filter.

    Attributes
    ----------
    edges_ : list of ndarray
        Inner bounds of the states of each output.
    counts_ : ndarray of shape (n_states, n_states)
        Training rows in each cell.
    raw_cpd_ : ndarray of shape (n_states, n_states)
        Share of the positive class in each cell.
    cpd_ : ndarray of shape (n_states, n_states)
        The same, smoothed: the combined probability.

    References
    ----------
    .. [1] Ceccon, Garway-Heath, Crabb and Tucker, "Combining expertise-driven and
       semi-supervised Bayesian networks for classification of early glaucoma", 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks import TableCombiner
    >>> p = np.array([[0.1, 0.2], [0.3, 0.9], [0.8, 0.7], [0.9, 0.6]])
    >>> table = TableCombiner(n_states=2, smooth=None).fit(p, [0, 1, 1, 1])
    >>> table.cpd_
    array([[0., 1.],
           [0., 1.]])
    """

    def __init__(self, n_states=8, *, bins="uniform", smooth="probabilities", window=3):
        self.n_states = n_states
        self.bins = bins
        self.smooth = smooth
        self.window = window

    def fit(self, probabilities, y, sample_weight=None):
        """Count the table.

        Parameters
        ----------
        probabilities : ndarray of shape (n_samples, 2)
            Of the positive class, by each classifier.
        y : array-like of shape (n_samples,)
            0 or 1.
        sample_weight : ndarray of shape (n_samples,), default=None

        Returns
        -------
        self : TableCombiner
        """
        y = np.asarray(y)
        weight = np.ones(len(y)) if sample_weight is None else sample_weight
        self.edges_ = [self._find_edges(p) for p in probabilities.T]
        cell, n = self._find_cells(probabilities), self.n_states**2
        shape = self.n_states, self.n_states
        self.counts_ = np.bincount(cell, weight, minlength=n).reshape(shape)
        positive = np.bincount(cell, weight * y, minlength=n).reshape(shape)
        self.raw_cpd_ = _divide(positive, self.counts_)
        if self.smooth == "probabilities":
            self.cpd_ = smooth_mean(self.raw_cpd_, self.window)
        elif self.smooth == "counts":
            total = smooth_mean(self.counts_, self.window)
            self.cpd_ = _divide(smooth_mean(positive, self.window), total)
        else:
            self.cpd_ = self.raw_cpd_
        return self

    def combine(self, probabilities):
        """Return the combined probability of the positive class of each row."""
        return self.cpd_.ravel()[self._find_cells(probabilities)]

    def _find_edges(self, p):
        if self.bins == "uniform":
            return np.arange(1, self.n_states) / self.n_states
        return np.quantile(p, np.arange(1, self.n_states) / self.n_states)

    def _find_cells(self, probabilities):
        a, b = (
            np.searchsorted(edges, p, side="right")
            for edges, p in zip(self.edges_, probabilities.T)
        )
        return a * self.n_states + b


class MeanCombiner:
    """The mean of a `TableCombiner` and a `WeightedVote`.

    Parameters
    ----------
    table : TableCombiner, default=None
    vote : WeightedVote, default=None

    Attributes
    ----------
    table_ : TableCombiner
    vote_ : WeightedVote
    """

    def __init__(self, table=None, vote=None):
        self.table = table
        self.vote = vote

    def fit(self, probabilities, y, sample_weight=None):
        """Fit both; the arguments are those of `TableCombiner`'s."""
        self.table_ = TableCombiner() if self.table is None else self.table
        self.vote_ = WeightedVote() if self.vote is None else self.vote
        for one in (self.table_, self.vote_):
            one.fit(probabilities, y, sample_weight)
        return self

    def combine(self, probabilities):
        """Return the combined probability of the positive class of each row."""
        parts = [one.combine(probabilities) for one in (self.table_, self.vote_)]
        return 0.5 * (parts[0] + parts[1])


def smooth_mean(table, window):
    """Return the mean over a square window, of which only the part inside counts.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks.combining.combiners import smooth_mean
    >>> smooth_mean(np.array([[4.0, 0.0, 0.0], [0.0, 0.0, 0.0]]), 3)
    array([[1.        , 0.66666667, 0.        ],
           [1.        , 0.66666667, 0.        ]])
    """
    return _sum_windows(table, window) / _sum_windows(np.ones_like(table), window)


def _sum_windows(table, window):
    """Return the sum over the window around each cell; exact for counts."""
    padded = np.pad(table, (window // 2, (window - 1) // 2))
    return sliding_window_view(padded, (window, window)).sum(axis=(2, 3))


def _find_accuracy(p, y, weight, threshold):
    """Return the share of right answers at a threshold, or at the best one."""
    if threshold != "best":
        return float(np.average((p >= threshold) == y, weights=weight))
    positive = weight[y == 1].sum()
    negative = weight.sum() - positive
    if positive == 0.0 or negative == 0.0:
        return 1.0
    false_rate, true_rate, _ = roc_curve(y, p, sample_weight=weight)
    right = true_rate * positive + (1.0 - false_rate) * negative
    return float(right.max() / weight.sum())


def _divide(part, total):
    """Return shares, 0 where there is nothing."""
    shares = np.divide(part, total, out=np.zeros(part.shape), where=total > 0.0)
    return np.minimum(shares, 1.0)  # weights may round
