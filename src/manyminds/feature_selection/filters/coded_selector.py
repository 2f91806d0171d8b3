"""Base class of filters on discretized columns and targets."""

from numbers import Integral

import numpy as np

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection.associations import (
    gain_ratio,
    information_gain,
    symmetrical_uncertainty,
)
from manyminds.feature_selection.base import (
    TABLE_CONSTRAINTS,
    SupervisedSelector,
    read_target,
    read_weight,
)
from manyminds.feature_selection.filters.discretization import (
    code_target,
    make_code_table,
)
from manyminds.trees.binning import MAX_BINS

ASSOCIATIONS = {
    "symmetrical_uncertainty": symmetrical_uncertainty,
    "information_gain": information_gain,
    "gain_ratio": gain_ratio,
}
ROUNDING = 1e-10  # smaller differences are rounding errors


class CodedSelector(SupervisedSelector):
    """Base class of selectors that discretize all columns and the target."""

    _parameter_constraints = {
        "discretize": [
            StrOptions({"auto", "mdl", "quantile", "uniform", "mean_std"}),
            None,
        ],
        "n_bins": [Interval(Integral, 2, MAX_BINS, closed="both")],
        **TABLE_CONSTRAINTS,
        "n_jobs": [Integral, None],
    }

    def _read_rows(self, X, y, sample_weight):
        """Check a training set.

        Returns X as floats, its mask of categorical columns, the target, its classes
        or None, and the weights or None: unweighted samples are counted faster.
        """
        X, is_categorical = self._read_features(X, self.categorical_features)
        y, classes = read_target(self, X, y, self.task)
        if sample_weight is not None:
            sample_weight = read_weight(X, sample_weight)
        return X, is_categorical, y, classes, sample_weight

    def _code(self, X, is_categorical, y, classes, sample_weight):
        """Return the codes of all columns, and those of the target with their number.

        Arguments are what ``_read_rows`` returns.
        """
        target = code_target(y, classes, self.n_bins, sample_weight)
        method = self.discretize
        if method == "auto":
            method = self._choose_cuts(classes)
        table = make_code_table(
            X, is_categorical, target[0], method, self.n_bins,
            sample_weight=sample_weight, n_jobs=self.n_jobs,
        )  # fmt: skip
        return table, target

    def _choose_cuts(self, classes):
        """Return how "auto" discretizes numeric columns."""
        return "quantile" if classes is None else "mdl"


def order_by_score(scores, threshold=None):
    """List the features above a threshold by decreasing score.

    Scores that differ by rounding are equal; among equals the first goes first.
    """
    order = np.argsort(-np.round(scores, 10), kind="stable")
    if threshold is None:
        return order
    return order[scores[order] > threshold + ROUNDING]
