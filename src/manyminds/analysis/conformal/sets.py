"""Conformal sets: the classes whose probability reaches a calibrated threshold."""

from dataclasses import dataclass

import numpy as np

from manyminds.analysis.conformal.quantiles import check_level, find_quantile, shorten
from manyminds.utils.errors import InputError

__all__ = ["ConformalSets"]

MIN_SCORES = 100  # of each class, however many classes there are
MAX_SCORES = 2_000


@dataclass(frozen=True, eq=False)
class ConformalSets:
    """Prediction sets of a classifier, calibrated on out-of-fold probabilities.

    A set holds the classes whose probability is at least ``1 - q``, where q is the
    quantile of one minus the probability of the true class, of rank
    ``ceil((n + 1) * level)`` [1]_. These are the smallest sets, on average, for a
    level. The most probable class is always in the set: where a model is right more
    often than the level asks for, coverage is its accuracy, and no set is empty.

    The quantile is one for all rows, or one for each class: then rows of each class,
    also of a rare one, are covered at the level, and sets are larger.

    As with `ConformalIntervals`, the level is guaranteed, on average over rows, if one
    model made the probabilities of rows that it was not fitted to; of cross-validation,
    it holds approximately, for models that change little without a fold.

    Parameters
    ----------
    scores : ndarray of shape (n_scores,)
        Sorted one minus the probability of the true class, or quantiles of it.
    class_scores : tuple of ndarray
        The same of the rows of each class.
    n_rows : int
        Number of rows calibrated on.

    References
    ----------
    .. [1] Sadinle, Lei, Wasserman, "Least ambiguous set-valued classifiers with bounded
       error levels", Journal of the American Statistical Association 114, 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis import ConformalSets
    >>> shares = np.array([[0.9, 0.1], [0.8, 0.2], [0.4, 0.6], [0.3, 0.7]])
    >>> found = ConformalSets.calibrate(shares, np.array([0, 0, 0, 1]))
    >>> found.predict([[0.5, 0.5], [0.7, 0.3]], level=0.8)
    array([[ True,  True],
           [ True, False]])
    """

    scores: np.ndarray
    class_scores: tuple
    n_rows: int

    @classmethod
    def calibrate(cls, probabilities, codes, sample_weight=None):
        """Calibrate on out-of-fold probabilities.

        Parameters
        ----------
        probabilities : array-like of shape (n_samples, n_classes)
            NaN for rows that were never predicted; they are ignored.
        codes : array-like of shape (n_samples,)
            Number of the true class of each row, that is, its column.
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        calibrated : ConformalSets
        """
        probabilities = np.asarray(probabilities, dtype=np.float64)
        known = np.isfinite(probabilities).all(axis=1)
        if sample_weight is not None:
            known &= np.asarray(sample_weight) > 0.0
        if not known.any():
            raise InputError("probabilities must have at least one finite row.")
        codes = np.asarray(codes)[known]
        score = 1.0 - probabilities[known][np.arange(len(codes)), codes]
        weight = None
        if sample_weight is not None:
            weight = np.asarray(sample_weight, dtype=np.float64)[known]
        n_classes = probabilities.shape[1]
        most = max(MIN_SCORES, MAX_SCORES // n_classes)
        of_class = []
        for c in range(n_classes):
            rows = codes == c
            some = None if weight is None else weight[rows]
            of_class.append(shorten(score[rows], some, most))
        return cls(shorten(score, weight), tuple(of_class), len(codes))

    def predict(self, probabilities, level=0.9, *, by_class=False):
        """Return the classes in the set of each new row.

        Parameters
        ----------
        probabilities : array-like of shape (n_samples, n_classes)
        level : float, default=0.9
            Share of new rows whose class is to be in the set.
        by_class : bool, default=False
            Whether each class has its own threshold, and so the level for its rows.

        Returns
        -------
        sets : ndarray of shape (n_samples, n_classes), bool
            All classes if there are too few rows for the level.
        """
        probabilities = np.asarray(probabilities, dtype=np.float64)
        level = check_level(level)
        scores = self.class_scores if by_class else (self.scores,)
        quantiles = np.array([find_quantile(one, level) for one in scores])
        # The slack is for sums of members that differ in the last digit.
        sets = 1.0 - probabilities <= quantiles + 1e-12
        sets[np.arange(len(sets)), probabilities.argmax(axis=1)] = True
        return sets
