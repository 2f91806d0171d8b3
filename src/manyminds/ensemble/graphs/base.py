"""Pairwise classifiers: one member for each pair of classes."""

from contextlib import nullcontext
from itertools import combinations
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, is_classifier
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, HasMethods
from manyminds.ensemble.base import (
    draw_member_seeds,
    make_member,
    route_weight,
    run_on_members,
)
from manyminds.learners import TIPCACClassifier
from manyminds.utils.threads import limit_blas_threads
from manyminds.utils.weights import read_weights


class PairwiseClassifier(ClassifierMixin, DocLinkMixin, BaseEstimator):
    """Base class: fit a clone of ``estimator`` to the samples of each two classes."""

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    @property
    def _base(self):
        return TIPCACClassifier() if self.estimator is None else self.estimator

    def _read_training_set(self, X, y, sample_weight):
        """Check a training set; set the classes; drop samples of weight 0."""
        if not is_classifier(self._base):
            raise ValueError(f"estimator must be a classifier; got {self.estimator!r}.")
        X, y = validate_data(self, X, y, **self._list_checks())
        check_classification_targets(y)
        weight = read_weights(sample_weight, X)
        if weight is not None:
            if not route_weight(self._base, weight):
                raise ValueError(
                    f"estimator={self._base!r} takes no sample_weight; fit without "
                    "weights, or choose another estimator."
                )
            kept = np.flatnonzero(weight)
            X, y, weight = X[kept], y[kept], weight[kept]
        self.classes_, label = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        return X, label, weight

    def _fit_pairs(self, member, X, label, weight):
        """Set the members: clones of one, each fitted to two classes."""
        pairs = list(combinations(range(self.n_classes_), 2))
        seeds = draw_member_seeds(self.random_state, len(pairs))
        rows_of = [np.flatnonzero(label == c) for c in range(self.n_classes_)]

        def fit_pair(pair, seed):
            rows = np.sort(np.concatenate([rows_of[c] for c in pair]))
            clone = make_member(member, seed)
            given = {} if weight is None else route_weight(clone, weight[rows])
            return clone.fit(X[rows], label[rows], **given)

        self.pairs_ = np.array(pairs, dtype=np.intp).reshape(-1, 2)
        with self._limit_threads():
            fitted = run_on_members(fit_pair, zip(pairs, seeds), self.n_jobs)
            self.estimators_ = list(fitted)

    def _limit_threads(self):
        """Return a context in which only the loop over pairs runs on threads."""
        return limit_blas_threads() if self.n_classes_ > 2 else nullcontext()

    def _decide(self, pair, X):
        """Return whether the member of a pair predicts the first of its classes."""
        first, second = pair
        n_before = first * (2 * self.n_classes_ - first - 1) // 2
        member = self.estimators_[n_before + second - first - 1]
        return np.asarray(member.predict(X)) == first

    def _read_table(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, **self._list_checks())

    def _list_checks(self):
        tags = get_tags(self._base).input_tags
        return {
            "dtype": np.float64,
            "accept_sparse": "csr" if tags.sparse else False,
            "ensure_all_finite": "allow-nan" if tags.allow_nan else True,
        }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self._base).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        return tags
