"""What ensembles share whose members are of one kind: checks and drawn rows."""

import numpy as np
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import check_sample_weight
from manyminds.ensemble.base import PoolClassifier, draw_member_seeds, make_member
from manyminds.trees.binning import bin_table
from manyminds.trees.mdl_tree import MDLTreeClassifier


class SameKindClassifier(PoolClassifier):
    """A pool whose members are all made of its ``estimator``.

    None stands for an `MDLTreeClassifier`. A subclass for two classes only says so in
    ``_is_multiclass``; one that can do with missing values by itself, in
    ``_takes_missing``.
    """

    _is_multiclass = True

    @property
    def _base(self):
        return MDLTreeClassifier() if self.estimator is None else self.estimator

    @property
    def _takes_missing(self):
        return get_tags(self._base).input_tags.allow_nan

    def _read_training_set(self, X, y, sample_weight):
        """Check what ``fit`` is given: table, numbers of the classes, odds of rows."""
        if not is_classifier(self._base):
            raise ValueError(f"estimator must be a classifier; got {self.estimator!r}.")
        X, y = validate_data(self, X, y, **self._how_to_check())
        label = self._read_classes(y)
        if self.n_classes_ > 2 and not self._is_multiclass:
            raise ValueError(
                f"Only binary classification is supported by {type(self).__name__}; y "
                f"has {self.n_classes_} classes."
            )
        odds = check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
        if odds.sum() <= 0.0:
            raise ValueError("sample_weight has no positive weight.")
        return X, label, odds / odds.sum()

    def _draw_seed(self):
        """Draw the seed of all members, for ensembles that want them alike."""
        return int(draw_member_seeds(self.random_state, 1)[0])

    def _read_table(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, **self._how_to_check())

    def _how_to_check(self):
        finite = "allow-nan" if self._takes_missing else True
        return {"dtype": np.float64, "ensure_all_finite": finite}

    def predict(self, X):
        """Predict the class of each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The class with the highest probability; the first of equals.
        """
        check_is_fitted(self)
        return super().predict(X)

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Mean of what the members say, or the shares of their votes. Columns in the
            order of ``classes_``.
        """
        check_is_fitted(self)
        return super().predict_proba(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing
        tags.classifier_tags.multi_class = self._is_multiclass
        return tags


class RowSampler:
    """Fit members to rows of one table, and ask each about all of its rows.

    An `MDLTreeClassifier` is grown on one binned copy of the table. Other learners get
    the drawn rows, each as often as it was drawn. Rows without odds shape nothing: no
    bin, and not the number of draws; members are asked about them like about others.

    Parameters
    ----------
    estimator : classifier
        What the members are made of.
    X : ndarray of shape (n_samples, n_features)
        The table.
    label : ndarray of shape (n_samples,)
        Numbers of the classes.
    odds : ndarray of shape (n_samples,)
        Odds of the rows before any round; 0: a row is never drawn.
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
        """Fit a member to rows drawn so often; give it and the classes that it says.

        Parameters
        ----------
        counts : ndarray of shape (n_samples,)
            How often each row was drawn.
        seed : int
            For what the member draws.

        Returns
        -------
        member : classifier
            Fitted to the numbers of the classes.
        says : ndarray of shape (n_samples,)
            What it predicts for every row of the table.
        """
        member = make_member(self.estimator, seed)
        if self.table is not None:
            return member, self._grow(member, counts)
        rows = np.repeat(np.arange(len(counts)), counts)
        member = fit_member(member, self.X[rows], self.label[rows])
        return member, np.asarray(member.predict(self.X), dtype=np.intp)

    def _grow(self, member, counts):
        """Grow a tree on the binned table; return the class of every row."""
        kept, says = self.kept, np.empty(len(counts), dtype=np.intp)
        says[kept] = member._grow_member(
            self.table, self.classes, self.label[kept], counts[kept]
        )
        if not kept.all():
            says[~kept] = member.predict(self.X[~kept])
        return says


def fit_member(member, X, label, sample_weight=None):
    """Fit a member; to rows of one class, a constant in place of it."""
    if (label == label[0]).all():
        return DummyClassifier(strategy="most_frequent").fit(X, label)
    if sample_weight is None:
        return member.fit(X, label)
    return member.fit(X, label, sample_weight=sample_weight)


def draw_counts(rng, weights):
    """Draw as many rows as there are, by weight; tell how often each was drawn."""
    n_samples = len(weights)
    rows = rng.choice(n_samples, size=n_samples, p=weights / weights.sum())
    return np.bincount(rows, minlength=n_samples)
