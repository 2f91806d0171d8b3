"""Common base of smaller ensembles: fit the members, hold rows out, combine."""

from dataclasses import replace
from numbers import Integral

import numpy as np
from scipy.sparse import issparse
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    RegressorMixin,
    is_classifier,
    is_regressor,
)
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from manyminds._compat import DocLinkMixin, HasMethods, Interval, RealNotInt
from manyminds.ensemble.base import (
    draw_member_seeds,
    make_member,
    route_weight,
    run_on_members,
)
from manyminds.ensemble.estimators import Ensemble
from manyminds.ensemble.forests.random_forest import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.ensemble.pruning._parameters import PARAGRAPHS
from manyminds.ensemble.pruning.pool import Committee, is_frozen, open_pool
from manyminds.trees.columns import encode_table
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.tables import take_rows
from manyminds.utils.weights import read_weights


class PoolEstimator(Ensemble, MetaEstimatorMixin, DocLinkMixin, BaseEstimator):
    """An estimator with a pool of members, some of which it selects.

    A subclass sets ``_default``, the class of the ensemble if there is none.
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), list, tuple, None],
        "validation_fraction": [
            Interval(RealNotInt, 0.0, 1.0, closed="neither"),
            None,
        ],
        "prefit": ["boolean"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }
    validation_fraction = 0.3

    # ------------------------------------------------------------ fit

    @property
    def _base(self):
        """The ensemble, or the list of members."""
        if self.estimator is not None:
            return self.estimator
        return self._default(n_jobs=self.n_jobs)

    @property
    def _is_prefit(self):
        return self.prefit or is_frozen(self.estimator)

    def _list_estimators(self):
        base = self._base
        return list(base) if isinstance(base, (list, tuple)) else [base]

    def _read_training_set(self, X, y):
        """Check the arguments of ``fit``; return table, and class numbers or targets.

        If the members are fitted already, the table stays as it is: they check it.
        """
        self._check_estimators()
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but "
                "the target y is None."
            )
        if self._is_prefit:
            X, self._encoder = self._keep_table(X), None
        else:
            X, self._encoder = encode_table(self, X, reset=True)
            self._check_table(X)
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        if len(y) < 2 and not self._is_prefit:
            raise ValueError(
                f"{type(self).__name__} holds rows out and needs 2 samples or more; "
                f"got n_samples = {len(y)}."
            )
        return X, self._read_target(y)

    def _check_estimators(self):
        wanted, kind = is_classifier, "classifier"
        if not is_classifier(self):
            wanted, kind = is_regressor, "regressor"
        estimators = self._list_estimators()
        if not estimators or not all(wanted(one) for one in estimators):
            raise ValueError(
                f"estimator must be a {kind} or a list of {kind}s; got "
                f"{self.estimator!r}."
            )

    def _check_table(self, X):
        if issparse(X) and not self._takes_sparse:
            raise TypeError(
                f"{type(self).__name__} takes no sparse X here: make it dense by "
                "X.toarray()."
            )
        if not self._takes_missing:
            assert_all_finite(X, estimator_name=type(self).__name__, input_name="X")

    def _read_weights(self, sample_weight, X):
        """Check the weights of the rows; return None if there are none."""
        weight = read_weights(sample_weight, np.empty((X.shape[0], 1)))
        if weight is not None and not self._is_prefit:
            for one in self._list_estimators():
                if not route_weight(one, weight):
                    raise ValueError(
                        "sample_weight was passed, but the fit of estimator="
                        f"{type(one).__name__} takes none."
                    )
        return weight

    def _fit_pool(self, X, y, rows, seed, weight=None):
        """Fit the members to some of the rows; return their pool."""
        X, y = take_rows(X, rows), self._decode(y[rows])
        base = self._base

        def fit(member):
            weights = {} if weight is None else route_weight(member, weight[rows])
            return member.fit(X, y, **weights)

        if not isinstance(base, (list, tuple)):
            return open_pool(fit(make_member(self._mark_categories(base), seed)))
        members = [
            make_member(self._mark_categories(one), each)
            for one, each in zip(base, draw_member_seeds(int(seed), len(base)))
        ]
        fitted = run_on_members(fit, ((one,) for one in members), self.n_jobs)
        return open_pool(list(fitted))

    def _mark_categories(self, estimator):
        """Mark the columns of codes as categories, if the estimator knows such."""
        categorical = self._encoder.is_categorical
        if categorical is None or "categorical_features" not in estimator.get_params():
            return estimator
        return make_member(estimator, 0).set_params(categorical_features=categorical)

    def _make_pool(self, X, y, sample_weight=None):
        """Return the pool of fitted members, and the rows by which to rate them.

        Returns
        -------
        pool : Pool
        X : table of the rows
        y : ndarray
            Their class numbers or targets.
        weight : ndarray or None
            Their weights.
        rng : RandomState
            For further draws.
        """
        rng = check_random_state(self.random_state)
        X, y = self._read_training_set(X, y)
        X, y, weight = self._drop_weightless(X, y, sample_weight)
        if self._is_prefit:
            return self._adopt_pool(), X, y, weight, rng
        held_out = hold_out(y, self.validation_fraction, is_classifier(self), rng)
        rows = np.arange(len(y))
        if held_out.any():
            rows = np.flatnonzero(~held_out)
        pool = self._fit_pool(X, y, rows, draw_member_seeds(rng, 1)[0], weight)
        rated = np.flatnonzero(held_out) if held_out.any() else rows
        if weight is not None:
            weight = weight[rated]
        return pool, take_rows(X, rated), y[rated], weight, rng

    def _drop_weightless(self, X, y, sample_weight):
        """Return the rows with a positive weight, and their weights or None."""
        weight = self._read_weights(sample_weight, X)
        if weight is None or (weight > 0.0).all():
            return X, y, weight
        rows = np.flatnonzero(weight)
        return take_rows(X, rows), y[rows], weight[rows]

    def _adopt_pool(self):
        """Return the pool of members that are fitted already; adopt their names."""
        pool = open_pool(self._base)
        known = self._list_estimators()[0]
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
            if hasattr(known, name):
                setattr(self, name, getattr(known, name))
        return pool

    # ------------------------------------------------------------ predict

    def _read_table(self, X):
        """Check samples to predict; encode them unless the members do."""
        check_is_fitted(self)
        if self._is_prefit:
            return self._keep_table(X)
        X, _ = encode_table(self, X, self._encoder, reset=False)
        self._check_table(X)
        return X

    def _keep_table(self, X):
        return X if hasattr(X, "shape") else np.asarray(X)

    @property
    def _takes_missing(self):
        return all(get_tags(e).input_tags.allow_nan for e in self._list_estimators())

    @property
    def _takes_sparse(self):
        return all(get_tags(e).input_tags.sparse for e in self._list_estimators())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing
        tags.input_tags.sparse = self._takes_sparse
        tags.target_tags.required = True
        return tags


@fill_docstring(**PARAGRAPHS)
class PoolClassifier(ClassifierMixin, PoolEstimator):
    """A classifier with a pool of members; goes before other bases."""

    _default = RandomForestClassifier

    def _read_target(self, y):
        """Store the classes; return the number of each row's class."""
        check_classification_targets(y)
        if not self._is_prefit:
            self.classes_, label = np.unique(y, return_inverse=True)
            return label.astype(np.int32)
        self.classes_ = open_pool(self._base).classes
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown) > 0:
            raise ValueError(
                f"y has the classes {unknown.tolist()}, which the members do not know; "
                f"they know {self.classes_.tolist()}."
            )
        return np.searchsorted(self.classes_, y).astype(np.int32)

    def predict(self, X):
        """Predict the class of each row of X.

        {classify_table}
        y : ndarray of shape (n_samples,)
            The class with the highest probability; the first of equals.
        """
        return self._decode(self.predict_proba(X).argmax(axis=1))


class PoolRegressor(RegressorMixin, PoolEstimator):
    """A regressor with a pool of members; goes before other bases."""

    _default = RandomForestRegressor

    def _read_target(self, y):
        y = np.asarray(y, dtype=np.float64)
        assert_all_finite(y, input_name="y")
        return y


class PrunedMixin:
    """Predict by the kept members; ``fit`` calls ``_keep``."""

    def _keep(self, pools, kept, weights=None, is_hard=False):
        """Store the kept members of each pool, and their weights.

        Parameters
        ----------
        pools : list of Pool
        kept : list of ndarray of int
            Numbers of the kept members of each pool.
        weights : list of ndarray, default=None
            Their weights; None: equal ones.
        is_hard : bool
            Whether members vote for one class each.
        """
        if weights is None:
            weights = [np.ones(len(some)) for some in kept]
        total = sum(some.sum() for some in weights)
        starts = np.cumsum([0, *map(len, pools)])
        self._total = total
        self._committees = [
            Committee(pool.select(some), weight, is_hard)
            for pool, some, weight in zip(pools, kept, weights)
            if len(some) > 0
        ]
        numbers = [some + start for some, start in zip(kept, starts)]
        self.selected_members_ = np.concatenate(numbers).astype(np.intp)
        self.weights_ = np.concatenate(weights) / total
        self.n_members_ = int(starts[-1])

    def _mean_value(self, X, is_hard=None):
        """Return the weighted mean of votes or targets: (n_samples, n_values)."""
        X = self._read_table(X)
        classes = getattr(self, "classes_", None)
        committees = self._committees
        if is_hard is not None:
            committees = [replace(one, is_hard=is_hard) for one in committees]
        each = (one.sum_values(X, classes) for one in committees)
        return sum(each) / self._total

    def _predict_members(self, X):
        """Return class numbers or targets of the kept members."""
        pools = [one.pool for one in self._committees]
        if is_classifier(self):
            return np.concatenate([pool.labels(X, self.classes_) for pool in pools])
        return np.concatenate([pool.values(X)[:, :, 0] for pool in pools])


@fill_docstring(**PARAGRAPHS)
class PrunedClassifierMixin(PrunedMixin):
    """Vote by the kept members."""

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_table}
        p : ndarray of shape (n_samples, n_classes)
            Weighted shares of the kept members' votes, or with ``voting="soft"`` the
            weighted mean of their probabilities. Columns in the order of ``classes_``.
        """
        return self._mean_value(X)


@fill_docstring(**PARAGRAPHS)
class PrunedRegressorMixin(PrunedMixin):
    """Average the kept members."""

    def predict(self, X):
        """Predict the target of each row of X.

        {predict_table}
        y : ndarray of shape (n_samples,)
            Weighted mean of what the kept members predict.
        """
        return self._mean_value(X)[:, 0]


def hold_out(y, fraction, by_class, rng):
    """Draw the rows that are held out, the same share of every class.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        Class numbers or targets.
    fraction : float or None
        Share of the rows; at least one, and not all. None: no row.
    by_class : bool
        Whether y are classes.
    rng : RandomState
        Draws the rows.

    Returns
    -------
    is_held_out : ndarray of bool of shape (n_samples,)

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.pruning.base import hold_out
    >>> y = np.repeat([0, 1], [6, 4])
    >>> held_out = hold_out(y, 0.5, True, np.random.RandomState(0))
    >>> int(held_out[:6].sum()), int(held_out[6:].sum())
    (3, 2)
    """
    n_rows = len(y)
    is_held_out = np.zeros(n_rows, dtype=bool)
    if fraction is None:
        return is_held_out
    order = rng.permutation(n_rows)
    if by_class:
        order = order[np.argsort(y[order], kind="stable")]
    place = np.floor(np.arange(n_rows + 1) * fraction + 1e-9)
    is_held_out[order] = np.diff(place) > 0.0
    if not is_held_out.any():
        is_held_out[order[-1]] = True
    if is_held_out.all():
        is_held_out[order[0]] = False
    return is_held_out
