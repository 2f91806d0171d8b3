"""Sub-sampled cross-validation, with a given overlap of training sets."""

from fractions import Fraction
from math import ceil, floor
from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

from manyminds.analysis._checks import check_share


class SubsampledCV:
    r"""Split rows so that each is predicted equally often, from overlapping sets.

    The training sets of plain cross-validation have nearly all rows in common, and so
    underestimate the variance. Here the training sets of a row's predictions share
    ``1 - variability`` of their rows on average, whatever the size of the sets [1]_.

    Rows are assigned to segments of
    :math:`\lceil m / (1 - \delta) + 1 \rceil` rows, where :math:`m` is the size of the
    training sets and :math:`\delta` the variability. In each repetition, each segment
    is split into folds; a fold is predicted from :math:`m` rows drawn from the other
    folds of its segment. The remaining rows are predicted by the first model of each
    repetition.

    Parameters
    ----------
    n_predictions : int, default=50
        Number of predictions of each row.
    train_size : int, default=None
        Size of a training set; by default half of all rows, or the maximum
        ``(1 - variability) * (n_samples - 1)``.
    variability : float, default=0.5
        Fraction of the rows, between 0 and 1, in which two training sets differ.
    random_state : int, RandomState instance or None, default=None
        Determines the permutations and training sets.

    References
    ----------
    .. [1] Webb and Conilione, "Estimating bias and variance from data", technical
       report, Monash University, 2005.

    Examples
    --------
    >>> from manyminds.analysis import SubsampledCV
    >>> splitter = SubsampledCV(n_predictions=10, random_state=0)
    >>> train, test = next(splitter.split(range(101)))
    >>> len(train), len(test), splitter.get_n_splits(range(101))
    (50, 51, 20)
    """

    def __init__(
        self, n_predictions=50, *, train_size=None, variability=0.5, random_state=None
    ):
        self.n_predictions = n_predictions
        self.train_size = train_size
        self.variability = variability
        self.random_state = random_state

    def __repr__(self):
        return (
            f"SubsampledCV(n_predictions={self.n_predictions}, "
            f"train_size={self.train_size}, variability={self.variability})"
        )

    def split(self, X, y=None, groups=None):
        """Generate training and test rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table to split; only its length is used.
        y, groups : object, default=None
            Ignored.

        Yields
        ------
        train, test : ndarray
            Row indices.
        """
        n_rows = count_rows(X)
        size, segment_size, n_folds = self._plan(n_rows)
        rng = check_random_state(self.random_state)

        order = rng.permutation(n_rows)
        n_segments = n_rows // segment_size
        segments = order[: n_segments * segment_size].reshape(n_segments, segment_size)
        remainder = order[n_segments * segment_size :]
        for _ in range(self.n_predictions):
            left = remainder
            for segment in segments:
                folds = np.array_split(rng.permutation(segment), n_folds)
                for k, test in enumerate(folds):
                    others = np.concatenate(folds[:k] + folds[k + 1 :])
                    train = rng.permutation(others)[:size]
                    yield train, np.concatenate([test, left])
                    left = left[:0]

    def get_n_splits(self, X, y=None, groups=None):
        """Return the number of splits.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table to split.
        y, groups : object, default=None
            Ignored.

        Returns
        -------
        n_splits : int
        """
        n_rows = count_rows(X)
        _, segment_size, n_folds = self._plan(n_rows)
        return self.n_predictions * (n_rows // segment_size) * n_folds

    def _plan(self, n_rows):
        """Check parameters; return the sizes of training sets and segments, n_folds."""
        check_count("n_predictions", self.n_predictions, 1)
        check_share("variability", self.variability)
        # Exact, so that rounding does not add a row to the segments.
        shared = 1 - Fraction(str(float(self.variability)))
        largest = floor(shared * (n_rows - 1))
        size = self.train_size
        if size is None:
            size = min(n_rows // 2, largest)
        check_count("train_size", size, 1)
        if size > largest:
            raise ValueError(
                f"train_size must be at most {largest} with variability="
                f"{self.variability} and {n_rows} rows; got {size}."
            )
        segment_size = ceil(size / shared + 1)
        return size, segment_size, ceil(Fraction(segment_size, segment_size - size))


def count_rows(X):
    """Return the number of rows of a table or items of a list."""
    return X.shape[0] if hasattr(X, "shape") else len(X)


def check_count(name, value, low):
    """Raise ValueError unless ``value`` is an integer of at least ``low``."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < low:
        raise ValueError(f"{name} must be an integer of at least {low}; got {value!r}.")
