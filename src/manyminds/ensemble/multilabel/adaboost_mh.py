"""AdaBoost.MH: stumps boosted by weights over all pairs of a row and a label."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from manyminds._compat import DocLinkMixin, Interval
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelMixin
from manyminds.kernels.bundles import FIRST_BIN, HIGH, LOW
from manyminds.kernels.label_stumps import add_label_stumps, find_label_stump
from manyminds.trees.binning import bin_table
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import SCHAPIRE_2000, cite
from manyminds.utils.weights import read_weights

_MAX_EDGE = 1.0 - 1e-10  # of a stump without error: its weight is finite


@fill_docstring(**PARAGRAPHS, references=cite(SCHAPIRE_2000))
class AdaBoostMHClassifier(MultiLabelMixin, DocLinkMixin, BaseEstimator):
    """Boost decision stumps that predict all labels at once.

    A distribution over all pairs of a row and a label starts uniform. The stump of each
    round cuts one feature and predicts every label on both sides, so that the weighted
    share of right pairs is as large as possible; pairs that it gets wrong then weigh
    more. The product of the rounds' factors bounds the Hamming loss [1]_.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of rounds; fewer if a stump is no better than chance.
    max_bins : int, default=255
        Largest number of bins of a column.

    Attributes
    ----------
    estimator_weights_ : ndarray of shape (n_rounds,)
        Weight of each stump.
    bounds_ : ndarray of shape (n_rounds,)
        Upper bound of the Hamming loss on the training rows after each round.
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import AdaBoostMHClassifier
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)
    >>> model = AdaBoostMHClassifier().fit(X, y)
    >>> bool((model.predict(X) != y).mean() <= model.bounds_[-1])
    True
    """

    _parameter_constraints = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_bins": [Interval(Integral, 2, 65_535, closed="both")],
    }

    def __init__(self, n_estimators=50, *, max_bins=255):
        self.n_estimators = n_estimators
        self.max_bins = max_bins

    def fit(self, X, y, sample_weight=None):
        """Fit one stump after the other.

        {fit_finite_weighted}
        """
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64)
        Y = self._read_labels(y)
        check_consistent_length(X, Y)
        weights = read_weights(sample_weight, X)
        if weights is not None:
            kept = weights > 0.0
            X, Y, weights = X[kept], Y[kept], weights[kept]

        table = bin_table(X, max_bins=self.max_bins)
        truth = 2.0 * Y - 1.0
        signed = truth.copy() if weights is None else truth * weights[:, None]
        signed /= np.abs(signed).sum()  # weights of pairs, signed by their truth
        codes = table.codes.reshape(X.shape[1], len(X))
        hist = np.empty((self.max_bins + 1, Y.shape[1]))
        rounds, bound = [], 1.0
        for _ in range(self.n_estimators):
            sides = np.empty((2, Y.shape[1]))
            edge, feature, below, above = find_label_stump(
                codes, table.columns, signed, hist, sides
            )
            alpha = 0.5 * np.log((1.0 + min(edge, _MAX_EDGE)) / max(1.0 - edge, 1e-10))
            if edge <= 0.0 or feature < 0:
                break
            votes = np.where(sides > 0.0, 1.0, -1.0)
            side = (codes[feature] > below).astype(np.intp)
            signed *= np.exp(-alpha * truth * votes[side])
            total = np.abs(signed).sum()
            signed /= total
            bound *= total
            cut = _middle(table, feature, below, above)
            rounds.append((feature, cut, alpha, votes, bound))
            if edge >= _MAX_EDGE:
                break
        self._store(rounds, Y, weights)
        return self

    def _store(self, rounds, Y, weights):
        """Keep the stumps as arrays; without any, the majority of each label."""
        if not rounds:
            share = np.average(Y, axis=0, weights=weights)
            votes = np.where(share > 0.5, 1.0, -1.0)
            rounds = [(0, np.inf, 1.0, np.stack([votes, votes]), 1.0)]
        features, cuts, alphas, votes, bounds = zip(*rounds)
        self.estimator_weights_, self.bounds_ = np.array(alphas), np.array(bounds)
        self._features, self._cuts = np.array(features, np.intp), np.array(cuts)
        self._votes = np.array(votes) * self.estimator_weights_[:, None, None]

    def _score_labels(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        margins = np.zeros((len(X), self.n_labels_))
        columns = np.ascontiguousarray(X[:, self._features].T)
        add_label_stumps(columns, self._cuts, self._votes, margins)
        with np.errstate(over="ignore"):
            return 1.0 / (1.0 + np.exp(-2.0 * margins))


def _middle(table, feature, below, above):
    """Return the threshold between two bins of a feature; one side: infinity."""
    if above < 0:
        return np.inf
    first = table.columns[feature, FIRST_BIN]
    low, high = table.edges[HIGH, first + below], table.edges[LOW, first + above]
    middle = low + (high - low) / 2.0
    return middle if middle < high else low
