"""Common base of hybrid forests: standardized tables, rotations, families."""

from dataclasses import replace
from numbers import Integral, Real

import numpy as np
from sklearn.utils.validation import (
    check_is_fitted,
    has_fit_parameter,
    validate_data,
)

from manyminds._compat import Interval, StrOptions, check_sample_weight
from manyminds.ensemble.base import apply_view, make_member, run_on_members
from manyminds.ensemble.estimators import EnsembleClassifier, EnsembleRegressor
from manyminds.ensemble.rotations.composition import (
    CLASSIFIERS,
    REGRESSORS,
    draw_rows,
    find_mean_and_scale,
    fit_to_rows,
    is_rotation_invariant,
    read_families,
)
from manyminds.ensemble.rotations.rotation import (
    fill_missing,
    fit_block_rotation,
)
from manyminds.utils.targets import check_magnitude

_MAX_SEED = 2**31 - 1


class HybridForest:
    """Fit members of several families, each to its own view of a standardized table.

    Goes before an ensemble of estimators among the bases of a class, which sets
    ``_known_families``.
    """

    _parameter_constraints = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "families": ["array-like"],
        "rotate": [
            StrOptions({"always", "never"}),
            Interval(Real, 0.0, 1.0, closed="both"),
        ],
        "features_per_block": [Interval(Integral, 1, None, closed="left")],
        "row_share": [Interval(Real, 0.0, 1.0, closed="right"), None],
        "invariant": [StrOptions({"bootstrap", "subspace", "rotate"})],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def _read_families(self):
        """Store the names of the families; return their estimators."""
        self.family_names_, families = read_families(
            self.families, self._known_families
        )
        return families

    def _read_training_set(self, X, y, sample_weight):
        """Check and standardize the training set; leave out rows of weight 0."""
        X, y = validate_data(
            self, X, y, dtype=np.float64, ensure_all_finite="allow-nan",
            ensure_min_samples=2, y_numeric=self._known_families is REGRESSORS,
        )  # fmt: skip
        if sample_weight is not None:
            sample_weight = check_sample_weight(
                sample_weight, X, dtype=np.float64, ensure_non_negative=True
            )
            kept = sample_weight > 0.0
            X, y, sample_weight = X[kept], y[kept], sample_weight[kept]
            if len(y) < 2:
                raise ValueError("sample_weight is above 0 for fewer than two rows.")
        y = self._read_target(y, sample_weight)
        self.means_, self.scales_ = find_mean_and_scale(X, sample_weight)
        return self._standardize(X), y, sample_weight

    def _read_table(self, X):
        check_is_fitted(self)
        X = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False
        )
        return self._standardize(X)

    def _standardize(self, X):
        """Turn numbers into z-scores, and missing values into 0, the mean."""
        return fill_missing((X - self.means_) / self.scales_, np.zeros(1))

    def _fit_members(self, families, X, y, weight, rng):
        """Fit each member to what it sees of the table."""
        seeds = rng.randint(_MAX_SEED, size=self.n_estimators)
        is_varied = rng.uniform(size=self.n_estimators) < _read_rotate(self.rotate)
        jobs = (
            (families[k], self._choose_variation(families[k], varied), X, y, weight, s)
            for k, varied, s in zip(self.member_families_, is_varied, seeds)
        )
        fitted = list(run_on_members(self._fit_member, jobs, self.n_jobs))
        self.estimators_ = [member for member, _ in fitted]
        self.views_ = [view for _, view in fitted]
        return self

    def _choose_variation(self, family, varied):
        """Return how a member is made different from others of its family."""
        if not varied:
            return "none"
        return self.invariant if is_rotation_invariant(family) else "rotate"

    def _fit_member(self, family, variation, X, y, weight, seed):
        """Fit one member; return it and its view of the table."""
        rng = np.random.RandomState(seed)
        member, view, rows = _make_member(family, rng), None, None
        if variation == "rotate":
            view = self._draw_rotation(X, y, weight, rng)
        elif variation == "subspace":
            n_features = X.shape[1]
            view = np.sort(rng.permutation(n_features)[: (n_features + 1) // 2])
        takes_weight = has_fit_parameter(member, "sample_weight")
        if variation == "bootstrap" or (weight is not None and not takes_weight):
            rows = draw_rows(self._list_strata(y), weight, rng)
        return fit_to_rows(member, apply_view(view, X), y, weight, rows), view

    def _draw_rotation(self, X, y, weight, rng):
        return fit_block_rotation(
            X,
            y,
            n_blocks=max(1, X.shape[1] // self.features_per_block),
            row_share=self.row_share,
            class_subsets=getattr(self, "class_subsets", False),
            sample_weight=weight,
            random_state=rng,
        )

    @property
    def _members(self):
        return replace(super()._members, views=self.views_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class HybridClassifier(HybridForest, EnsembleClassifier):
    """A hybrid forest whose members vote for classes."""

    _known_families = CLASSIFIERS
    _parameter_constraints = {
        **HybridForest._parameter_constraints,
        "class_subsets": ["boolean"],
        "voting": [StrOptions({"hard", "soft"})],
    }

    def _read_target(self, y, weight):
        label = self._read_classes(y)
        if self.n_classes_ < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes or more; y has one class."
            )
        return label

    def _list_strata(self, y):
        return [np.flatnonzero(y == c) for c in np.unique(y)]


class HybridRegressor(HybridForest, EnsembleRegressor):
    """A hybrid forest whose members predict the standardized target."""

    _known_families = REGRESSORS

    def _read_target(self, y, weight):
        mean, scale = find_mean_and_scale(check_magnitude(y)[:, np.newaxis], weight)
        self.target_mean_, self.target_scale_ = float(mean[0]), float(scale[0])
        return (y - self.target_mean_) / self.target_scale_

    def _list_strata(self, y):
        return [np.arange(len(y))]

    def _decode(self, predictions):
        return predictions * self.target_scale_ + self.target_mean_


def _read_rotate(rotate):
    """Turn the policy into the probability of a member to be varied."""
    return {"always": 1.0, "never": 0.0}.get(rotate, rotate)


def _make_member(family, rng):
    """Clone a family with a seed of its own."""
    seed = rng.randint(_MAX_SEED)
    member = make_member(family, seed)
    # Support vector regression has a random_state that is no parameter. It decides
    # nothing, but None would move NumPy's global generator.
    if getattr(member, "random_state", seed) is None:
        member.random_state = seed
    return member
