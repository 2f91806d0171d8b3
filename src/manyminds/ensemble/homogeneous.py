"""Homogeneous ensembles: members cloned from one estimator, often on drawn rows."""

import numpy as np
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds.ensemble.base import draw_member_seeds, make_member
from manyminds.ensemble.estimators import EnsembleClassifier
from manyminds.trees.binning import bin_table
from manyminds.trees.mdl_tree import MDLTreeClassifier
from manyminds.utils.weights import read_weights


class HomogeneousClassifier(EnsembleClassifier):
    """An ensemble whose members are all clones of its ``estimator``.

    If that is None, an `MDLTreeClassifier`. A subclass for two classes only sets
    ``_is_multiclass``; one that handles missing values by itself, ``_takes_missing``.
    """

    _is_multiclass = True

    @property
    def _base(self):
        return MDLTreeClassifier() if self.estimator is None else self.estimator

    @property
    def _takes_missing(self):
        return get_tags(self._base).input_tags.allow_nan

    def _read_training_set(self, X, y, sample_weight):
        """Check the arguments of ``fit``: table, class numbers, odds of rows."""
        if not is_classifier(self._base):
            raise ValueError(f"estimator must be a classifier; got {self.estimator!r}.")
        X, y = validate_data(self, X, y, **self._list_checks())
        label = self._read_classes(y)
        if self.n_classes_ > 2 and not self._is_multiclass:
            raise ValueError(
                f"Only binary classification is supported by {type(self).__name__}; y "
                f"has {self.n_classes_} classes."
            )
        odds = read_weights(sample_weight, X)
        odds = np.ones(X.shape[0]) if odds is None else odds
        return X, label, odds / odds.sum()

    def _draw_seed(self):
        """Draw one seed for all members."""
        return int(draw_member_seeds(self.random_state, 1)[0])

    def _read_table(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, **self._list_checks())

    def _list_checks(self):
        finite = "allow-nan" if self._takes_missing else True
        return {"dtype": np.float64, "ensure_all_finite": finite}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing
        tags.classifier_tags.multi_class = self._is_multiclass
        return tags


class ResamplingFitter:
    """Fit members to rows drawn from one table, and predict all of its rows by each.

    An `MDLTreeClassifier` is grown on one binned copy of the table. Other learners get
    the drawn rows, each as often as it was drawn. Rows without odds have no effect on
    bins or on the number of draws; members predict them like all others.

    Parameters
    ----------
    estimator : classifier
        Estimator to clone.
    X : ndarray of shape (n_samples, n_features)
        The table.
    label : ndarray of shape (n_samples,)
        Numbers of the classes.
    odds : ndarray of shape (n_samples,)
        Odds of the rows before any round; a row with 0 is never drawn.
    """

    def __init__(self, estimator, X, label, odds):
        self.estimator, self.X, self.label = estimator, X, label
        self.classes = np.arange(label.max() + 1)
        self.kept = odds > 0.0
        self.table = None
        if type(estimator) is MDLTreeClassifier:
            estimator._validate_params()
            seen = X if self.kept.all() else X[self.kept]
            self.table = bin_table(seen, max_bins=estimator.max_bins)

    def draw(self, rng, weights):
        """Draw as many rows as have odds, by weight; count how often each was drawn."""
        counts = np.zeros(len(weights), dtype=np.intp)
        counts[self.kept] = draw_counts(rng, weights[self.kept])
        return counts

    def fit(self, counts, seed):
        """Fit a member to drawn rows; return it and the classes that it predicts.

        Parameters
        ----------
        counts : ndarray of shape (n_samples,)
            How often each row was drawn.
        seed : int
            Seed of the member.

        Returns
        -------
        member : classifier
            Fitted to the numbers of the classes.
        predicted : ndarray of shape (n_samples,)
            Class number that it predicts for each row of the table.
        """
        member = make_member(self.estimator, seed)
        if self.table is not None:
            return member, self._grow(member, counts)
        rows = np.repeat(np.arange(len(counts)), counts)
        member = fit_member(member, self.X[rows], self.label[rows])
        return member, np.asarray(member.predict(self.X), dtype=np.intp)

    def _grow(self, member, counts):
        """Grow a tree on the binned table; return the class of every row."""
        kept, predicted = self.kept, np.empty(len(counts), dtype=np.intp)
        predicted[kept] = member._grow_member(
            self.table, self.classes, self.label[kept], counts[kept]
        )
        if not kept.all():
            predicted[~kept] = member.predict(self.X[~kept])
        return predicted


def fit_member(member, X, label, sample_weight=None):
    """Fit a member; a constant in place of it if all rows are of one class."""
    if (label == label[0]).all():
        return DummyClassifier(strategy="most_frequent").fit(X, label)
    if sample_weight is None:
        return member.fit(X, label)
    return member.fit(X, label, sample_weight=sample_weight)


def draw_counts(rng, weights):
    """Draw as many rows as there are, by weight; count how often each was drawn."""
    n_samples = len(weights)
    rows = rng.choice(n_samples, size=n_samples, p=weights / weights.sum())
    return np.bincount(rows, minlength=n_samples)
