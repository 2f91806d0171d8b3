"""Common base of local classifiers: one expert for each region, and a route to it."""

from numbers import Integral

import numpy as np
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble.base import (
    Members,
    draw_member_seeds,
    make_member,
    read_probabilities,
    route_weight,
    run_on_members,
)
from manyminds.ensemble.estimators import EnsembleClassifier
from manyminds.ensemble.experts.prior_correction import correct_priors
from manyminds.utils.threads import limit_blas_threads
from manyminds.utils.weights import read_weights


class ExpertMembers(Members):
    """Experts as members of an ensemble, each by the model's ``_predict_expert``."""

    def __init__(self, model, n_experts):
        self.model, self.n_experts = model, n_experts

    def __len__(self):
        return self.n_experts

    def _predict_each(self, X):
        n_jobs = getattr(self.model, "n_jobs", None)
        numbers = ((e, X) for e in range(self.n_experts))
        return run_on_members(self.model._predict_expert, numbers, n_jobs)


class ExpertClassifier(EnsembleClassifier):
    """Check tables and classes; subclasses fit experts and predict by them.

    ``_base`` is the estimator of an expert. A subclass whose gates take missing values
    sets ``_gates_take_missing``; sparse tables, ``_gates_take_sparse``.
    """

    _gates_take_missing = False
    _gates_take_sparse = True

    @property
    def _takes_missing(self):
        tags = get_tags(self._base).input_tags
        return self._gates_take_missing and tags.allow_nan

    @property
    def _takes_sparse(self):
        return self._gates_take_sparse and get_tags(self._base).input_tags.sparse

    def _list_checks(self):
        finite = "allow-nan" if self._takes_missing else True
        sparse = "csr" if self._takes_sparse else False
        return {
            "dtype": np.float64,
            "ensure_all_finite": finite,
            "accept_sparse": sparse,
        }

    def _read_training_set(self, X, y, sample_weight):
        """Check the arguments of ``fit``; leave out rows without weight."""
        self._validate_params()
        if not is_classifier(self._base):
            raise ValueError(f"estimator must be a classifier; got {self._base!r}.")
        X, y = validate_data(self, X, y, **self._list_checks())
        weight = read_weights(sample_weight, X)
        if weight is not None:
            kept = np.flatnonzero(weight)
            X, y, weight = X[kept], y[kept], weight[kept]
        return X, self._read_classes(y), weight

    def _read_table(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, **self._list_checks())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing
        tags.input_tags.sparse = self._takes_sparse
        return tags


class LocalClassifier(ExpertClassifier):
    """A classifier whose experts own regions; a subclass defines ``_route``."""

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_regions": [Interval(Integral, 1, None, closed="left")],
        "prior_correction": [StrOptions({"none", "king-zeng", "paper-run"})],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }
    prior_correction = "none"

    @property
    def _base(self):
        return make_default_expert() if self.estimator is None else self.estimator

    def _start(self, X, y, sample_weight):
        """Check the arguments of ``fit``; return also the random numbers."""
        X, label, weight = self._read_training_set(X, y, sample_weight)
        return X, label, weight, check_random_state(self.random_state)

    def _fit_experts(self, X, label, weight, regions, rng):
        """Fit an expert to the rows of each region; regions may overlap."""
        seeds = draw_member_seeds(rng, len(regions))

        def fit(rows, seed):
            part = None if weight is None else weight[rows]
            return fit_expert(make_member(self._base, seed), X[rows], label[rows], part)

        with limit_blas_threads():
            fitted = run_on_members(fit, zip(regions, seeds), self.n_jobs)
            self.estimators_ = list(fitted)
        self.n_rows_ = np.array([len(rows) for rows in regions])
        self.class_prior_ = share_classes(label, weight, self.n_classes_)
        self.expert_priors_ = np.array(
            [
                share_classes(
                    label[rows],
                    None if weight is None else weight[rows],
                    self.n_classes_,
                )
                for rows in regions
            ]
        )
        return self

    @property
    def _members(self):
        return ExpertMembers(self, len(self.estimators_))

    def _predict_expert(self, e, X):
        """Return the corrected probabilities of an expert."""
        p = read_probabilities(self.estimators_[e], X, self.n_classes_)
        return correct_priors(
            p, self.class_prior_, self.expert_priors_[e], self.prior_correction
        )

    def route(self, X):
        """Return the expert that predicts each row of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples to route.

        Returns
        -------
        expert : ndarray of int of shape (n_samples,)
            Places in ``estimators_``.
        """
        return self._route(self._read_table(X))

    def predict_proba(self, X):
        """Predict the probability of each class by the expert of each row of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Probabilities. Columns in the order of ``classes_``.
        """
        X = self._read_table(X)
        p = np.empty((X.shape[0], self.n_classes_))
        groups = list(enumerate(group_rows(self._route(X), len(self.estimators_))))
        tasks = [(e, X[rows]) for e, rows in groups if len(rows) > 0]
        answers = run_on_members(self._predict_expert, tasks, self.n_jobs)
        for (e, _), answer in zip(tasks, answers):
            p[groups[e][1]] = answer
        return p


def make_default_expert():
    """Return a logistic regression of standardized columns, sparse ones included."""
    return make_pipeline(
        StandardScaler(with_mean=False), LogisticRegression(max_iter=1000)
    )


def fit_expert(member, X, label, weight):
    """Fit an expert; a constant in place of it if all rows are of one class."""
    if (label == label[0]).all():
        return DummyClassifier(strategy="prior").fit(X, label)
    if weight is None:
        return member.fit(X, label)
    passed = route_weight(member, weight)
    if not passed and (weight != weight[0]).any():
        raise ValueError(
            f"sample_weight needs an estimator whose fit takes it; got {member!r}."
        )
    return member.fit(X, label, **passed)


def share_classes(label, weight, n_classes):
    """Return the share of each class among rows with weights."""
    counts = np.bincount(label, weights=weight, minlength=n_classes)
    return counts / counts.sum()


def group_rows(region, n_regions):
    """Return the rows of each region, in their order.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.experts.base import group_rows
    >>> [rows.tolist() for rows in group_rows(np.array([1, 0, 1]), 3)]
    [[1], [0, 2], []]
    """
    order = np.argsort(region, kind="stable")
    return np.split(order, np.searchsorted(region[order], np.arange(1, n_regions)))


def number_regions(found):
    """Number the regions that have rows; return their names and each row's number."""
    names, region = np.unique(found, return_inverse=True)
    return names, region


def look_up_regions(found, names, n_rows):
    """Return the numbers of regions by name; for unknown ones, that with most rows."""
    place = np.minimum(np.searchsorted(names, found), len(names) - 1)
    return np.where(names[place] == found, place, np.argmax(n_rows))


def scale_points(scaler, X):
    """Return the table as distances see it."""
    return X if scaler is None else scaler.transform(X)


def fit_point_scaler(X, weight, scale):
    """Return a fitted scaler for distances, or None if ``scale`` is None."""
    if scale is None:
        return None
    # Distances do not depend on means, and sparse tables stay sparse.
    return StandardScaler(with_mean=False).fit(X, sample_weight=weight)
