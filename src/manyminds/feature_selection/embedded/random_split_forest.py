"""Base class of selectors by the gains in a forest of random splits."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection.base import (
    TABLE_CONSTRAINTS,
    SupervisedSelector,
    drop_weightless,
    read_target,
    read_weight,
)
from manyminds.trees.binning import MAX_BINS, bin_table, wants_row_copy
from manyminds.trees.growing import (
    draw_seeds,
    grow,
    list_draws,
    make_rules,
    make_sampling,
)
from manyminds.trees.nodes.expected_gain import (
    exact_gain,
    midpoint_gain,
)
from manyminds.trees.nodes.gain_statistics import (
    ESS,
    GainStatistics,
    collect_gains,
)
from manyminds.trees.nodes.node_complexity import (
    node_complexity,
    number_complexity,
)
from manyminds.trees.nodes.node_rows import shadow_gains

_BLOCK_WEIGHTS = 2**21  # sample weights of trees that are in memory at once: 16 MB
EXPECTED = ("shadow", "exact", "midpoint")


class RandomSplitForestSelector(SupervisedSelector):
    """Base class of selectors that score features by the gains of random splits."""

    _parameter_constraints = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "expected_gain": [StrOptions(set(EXPECTED))],
        "weighting": [StrOptions({"complexity", "uniform"})],
        "bag": [StrOptions({"unique", "bootstrap"})],
        "on_constant": [StrOptions({"redraw", "leaf"})],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "ess": [StrOptions(set(ESS))],
        "unit": [Interval(Real, 0.0, None, closed="neither")],
        **TABLE_CONSTRAINTS,
        "max_bins": [Interval(Integral, 2, MAX_BINS, closed="both")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def _read(self, X, y, sample_weight, expected_gain=None):
        """Check a training set; return table, categories, targets, classes, odds."""
        X, is_categorical = self._read_features(X, self.categorical_features)
        y, classes = read_target(self, X, y, self.task)
        if classes is not None and len(classes) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes or more; y has only one "
                f"class, {classes[0]!r}."
            )
        if expected_gain in ("exact", "midpoint"):
            _check_two_classes(expected_gain, classes)
        odds = None
        if sample_weight is not None:
            X, y, odds = drop_weightless(X, y, read_weight(X, sample_weight))
        return X, is_categorical, y, classes, odds

    def _collect_gains(self, X, is_categorical, y, classes, odds, expected_gain=None):
        """Grow the forest, some trees at a time, and sum the gains of its splits."""
        n_classes = 1 if classes is None else len(classes)
        y = y.astype(np.float64)
        if classes is None:  # gains are shares of the target's variance
            y = (y - y.mean()) / (y.std() or 1.0)
        table = bin_table(
            X,
            is_categorical if is_categorical.any() else None,
            self.max_bins,
            row_copy=wants_row_copy(*X.shape, 1),
            n_jobs=self.n_jobs,
        )
        rules = make_rules(
            *X.shape,
            n_classes,
            float(len(y)),
            criterion="squared_error" if classes is None else "entropy",
            max_features=1,
            max_depth=self.max_depth,
            redraw_constant=self.on_constant == "redraw",
        )
        rng = check_random_state(self.random_state)
        bags, seeds, shadows = (draw_seeds(rng, self.n_estimators) for _ in range(3))
        total = GainStatistics.empty(X.shape[1])
        for some in _list_blocks(self.n_estimators, len(y)):
            weights = draw_bags(bags[some], len(y), odds, self.bag == "unique")
            sampling = make_sampling(*X.shape, weights)
            trees = grow(table, y, rules, sampling, seeds[some], n_jobs=self.n_jobs)
            expected = None
            if expected_gain == "shadow":
                expected = shadow_gains(
                    trees, table, X, y, weights, shadows[some], self.n_jobs
                )
            elif expected_gain is not None:
                expected = EXPECTED_OF_COUNTS[expected_gain]
            total += collect_gains(trees, expected=expected, weighting=self.weighting)
        return total

    def _weigh_unit(self, y, classes):
        """Return the weight of a node that counts as one."""
        if self.weighting == "uniform":
            return 1.0
        if classes is None:
            return self.unit * float(number_complexity(len(y)))
        return self.unit * float(node_complexity(np.bincount(y)))


def draw_bags(seeds, n_samples, odds=None, unique=True):
    """Draw the samples of each tree with replacement.

    Parameters
    ----------
    seeds : ndarray of shape (n_trees,)
        From ``draw_seeds``.
    n_samples : int
        Number of samples, and of draws.
    odds : ndarray of shape (n_samples,), default=None
        Relative probability of drawing each sample.
    unique : bool, default=True
        Whether a sample that was drawn repeatedly counts once.

    Returns
    -------
    weights : ndarray of shape (n_trees, n_samples)
        Weight of each sample in each tree.
    """
    bounds = np.empty(0) if odds is None else np.cumsum(odds)
    counts = list_draws(seeds, n_samples, n_samples, bounds).astype(np.float64)
    return np.minimum(counts, 1.0) if unique else counts


def _list_blocks(n_trees, n_samples):
    """Divide the trees into blocks whose sample weights fit into memory."""
    step = max(1, _BLOCK_WEIGHTS // n_samples)
    return [slice(i, min(i + step, n_trees)) for i in range(0, n_trees, step)]


def _check_two_classes(expected_gain, classes):
    """Check that there are two classes."""
    if classes is None or len(classes) != 2:
        found = "numbers" if classes is None else f"{len(classes)} classes"
        raise ValueError(
            f"expected_gain={expected_gain!r} takes two classes; y has {found}. "
            "expected_gain='shadow' takes any target."
        )


def _expect_midpoint(gains):
    return midpoint_gain(gains.counts.sum(axis=1).round())


def _expect_exact(gains):
    counts = gains.counts.round().astype(np.int64)
    return exact_gain(counts.sum(axis=1), counts.min(axis=1))


EXPECTED_OF_COUNTS = {"midpoint": _expect_midpoint, "exact": _expect_exact}
