"""Bootstrapped output codes whose columns are weighted for each class."""

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, is_classifier
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, HasMethods, Interval, StrOptions
from manyminds.ensemble.bagging.base import draw_bags
from manyminds.ensemble.base import (
    draw_member_seeds,
    make_member,
    read_probabilities,
    route_weight,
    run_on_members,
)
from manyminds.ensemble.codes._parameters import PARAGRAPHS
from manyminds.ensemble.codes.calibration import fit_temperature
from manyminds.ensemble.codes.distances import check_code
from manyminds.ensemble.codes.random_codes import balanced_code
from manyminds.ensemble.codes.separability import csep_weights
from manyminds.learners import LMNetClassifier
from manyminds.learners.lm_net import train_nets
from manyminds.learners.output_layer import fit_scaler
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.weights import read_weights

MAX_DRAWS = 100  # attempts to draw rows of both sides of a column


@fill_docstring(**PARAGRAPHS)
class WeightedECOCClassifier(ClassifierMixin, DocLinkMixin, BaseEstimator):
    r"""Classify by many columns on bootstrap samples, weighted for each class.

    The columns of a random code split the classes into two halves. A small net is
    trained on a bootstrap sample of the rows for each column :math:`j` and has the
    output :math:`s_j` from 0 to 1. With the codewords :math:`Z`, the score of class
    :math:`i` is [1]_

    .. math:: F_i = 1 - \sum_j W_{ij} |s_j - Z_{ij}|, \qquad
       W_{ij} \propto \max(0, a_{ij} + b_{ij} - 1),

    where :math:`a_{ij}` is the share of the training rows of the class that the column
    gets right, and :math:`b_{ij}` that of all other rows: its class separability. The
    class with the highest score is predicted.

    Parameters
    ----------
    estimator : classifier, default=None
        Binary learner with ``predict_proba``; None: `LMNetClassifier` with four hidden
        units and eight steps. Nets of this class are trained all at once.
    n_estimators : int, default=200
        Number of columns.
    code : array-like of shape (n_classes, n_columns), default=None
        Code matrix of 1 and -1; None: a `balanced_code` of ``n_estimators`` columns.
    bootstrap : bool, default=True
        Whether each column draws as many rows as there are, with replacement. Sample
        weights are then the odds of the draw.
    weighting : {"csep"} or None, default="csep"
        Class separability on all training rows, also those that a column did not draw;
        None: equal weights.
    voting : {"soft", "hard"}, default="soft"
        Whether outputs are taken as they are, or rounded, one half up.
    {n_jobs}
    random_state : int, RandomState instance or None, default=None
        Draws the code and the rows, and seeds the learners.

    Attributes
    ----------
    code_ : ndarray of shape (n_classes, n_columns)
        Code matrix of 1 and -1.
    weights_ : ndarray of shape (n_classes, n_columns)
        :math:`W`; each row adds up to 1.
    columns_ : object
        The learners; ``columns_.outputs(X)`` returns the outputs.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Scores of the training rows by the columns that did not draw them; NaN for a row
        that all drew. Only with ``bootstrap``.
    oob_score_ : float
        Accuracy of these.
    temperature_ : float
        Factor of the scores in ``predict_proba``, fitted to out-of-bag scores.
    {class_names}

    See Also
    --------
    LabelGroupClassifier : Several labels that occur in few combinations.

    Notes
    -----
    The weights are computed in closed form; the printed algorithm loops over all pairs
    of rows. A class that no column separates, which the paper does not treat, weighs
    all columns equally.

    References
    ----------
    .. [1] Smith and Windeatt, "Facial action unit recognition using filtered local
       binary pattern features with bootstrapped and weighted ECOC classifiers", SUEMA,
       2010.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from manyminds.ensemble import WeightedECOCClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> model = WeightedECOCClassifier(n_estimators=60, random_state=0).fit(
    ...     X[::4], y[::4]
    ... )
    >>> print(model.score(X[1::4], y[1::4]) > 0.9, model.oob_score_ > 0.9)
    True True
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "code": ["array-like", None],
        "bootstrap": ["boolean"],
        "weighting": [StrOptions({"csep"}), None],
        "voting": [StrOptions({"soft", "hard"})],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=200,
        *,
        code=None,
        bootstrap=True,
        weighting="csep",
        voting="soft",
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.code = code
        self.bootstrap = bootstrap
        self.weighting = weighting
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _base(self):
        if self.estimator is None:
            return LMNetClassifier(4, max_iter=8)
        return self.estimator

    def fit(self, X, y, sample_weight=None):
        """Draw the code and the rows, train the columns, and weigh them.

        {fit_odds}
        """
        self._validate_params()
        X, label, weight = self._read_training_set(X, y, sample_weight)
        rng = check_random_state(self.random_state)
        self.code_ = self._make_code(rng)

        bits = (self.code_ > 0).astype(np.float64)
        targets = bits[label]
        draws = np.broadcast_to(weight, targets.T.shape)
        if self.bootstrap:
            draws = np.array([draw_both_sides(rng, weight, t) for t in targets.T])
        self.columns_ = self._fit_columns(X, targets, draws, weight, rng)
        outputs = self._round(self.columns_.outputs(X))
        self.weights_ = np.full(bits.shape, 1.0 / bits.shape[1])
        if self.weighting == "csep":
            self.weights_ = csep_weights(outputs >= 0.5, bits, label, weight)
        if self.bootstrap:
            self._score_out_of_bag(outputs, label, weight, draws == 0)
        return self

    def _read_training_set(self, X, y, sample_weight):
        """Check the arguments of ``fit``; leave out rows without weight."""
        if not is_classifier(self._base):
            raise ValueError(f"estimator must be a classifier; got {self.estimator!r}.")
        X, y = validate_data(self, X, y, **self._list_checks())
        check_classification_targets(y)
        weight = read_weights(sample_weight, X)
        weight = np.ones(len(y)) if weight is None else weight
        kept = np.flatnonzero(weight)
        X, y, weight = X[kept], y[kept], weight[kept]
        self.classes_, label = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        if self.n_classes_ < 2:
            raise ValueError(
                "WeightedECOCClassifier needs two classes or more; y has one class."
            )
        return X, label, weight

    def _make_code(self, rng):
        """Return a checked code without zeros."""
        if self.code is None:
            return balanced_code(self.n_classes_, self.n_estimators, random_state=rng)
        code = check_code(self.code, self.n_classes_)
        if not code.all():
            raise ValueError(
                "code must consist of 1 and -1: WeightedECOCClassifier trains each "
                "column on all classes; got a 0."
            )
        return code

    def _fit_columns(self, X, targets, draws, weight, rng):
        """Train the learners of all columns, nets of ours at once."""
        base, seeds = self._base, draw_member_seeds(rng, len(draws))
        if type(base) is not LMNetClassifier:
            fits = zip(targets.T, draws, seeds)
            fits = ((base, X, *column, self.bootstrap) for column in fits)
            learners = list(run_on_members(_fit_learner, fits, self.n_jobs))
            return _Learners(learners, self.n_jobs)
        base._validate_params()
        scaler = fit_scaler(X, weight, base.scale)
        nets = train_nets(
            X if scaler is None else scaler.transform(X),
            targets,
            n_hidden=base.n_hidden,
            max_iter=base.max_iter,
            alpha=base.alpha,
            seeds=seeds,
            weights=draws,
            n_jobs=self.n_jobs,
        )
        return _ScaledNets(scaler, nets)

    def _round(self, outputs):
        """Return outputs as ``voting`` takes them."""
        return outputs if self.voting == "soft" else np.floor(outputs + 0.5)

    def _score_out_of_bag(self, outputs, label, weight, left_out):
        """Set the out-of-bag scores, and fit the temperature to them."""
        scores = score_classes(outputs, self.code_ > 0, self.weights_, left_out.T)
        self.oob_decision_function_ = scores
        known = np.flatnonzero(~np.isnan(scores).any(axis=1))
        right = scores[known].argmax(axis=1) == label[known]
        self.oob_score_ = np.nan
        if len(known):
            self.oob_score_ = float(np.average(right, weights=weight[known]))
        else:  # so few columns that each row was drawn by one of them
            known = np.arange(len(label))
            scores = score_classes(outputs, self.code_ > 0, self.weights_)
        self.temperature_ = fit_temperature(-scores[known], label[known], weight[known])

    def class_scores(self, X):
        """Return the score of each class for each row of X.

        {classify_array}
        scores : ndarray of shape (n_samples, n_classes)
            :math:`F`, from 0 to 1. Columns in the order of ``classes_``.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **self._list_checks())
        outputs = self._round(self.columns_.outputs(X))
        return score_classes(outputs, self.code_ > 0, self.weights_)

    def decision_function(self, X):
        """Return the scores of the classes; the highest is predicted.

        {classify_array}
        scores : ndarray of shape (n_samples, n_classes) or (n_samples,)
            Columns in the order of ``classes_``; for two classes the difference,
            positive for the second one.
        """
        scores = self.class_scores(X)
        return scores[:, 1] - scores[:, 0] if self.n_classes_ == 2 else scores

    def predict(self, X):
        """Predict the class of each row of X.

        {classify_array}
        y : ndarray of shape (n_samples,)
            The class with the highest score; the first of equals.
        """
        scores = self.class_scores(X)
        return self.classes_[scores.argmax(axis=1)]

    @available_if(lambda self: self.bootstrap)
    @fill_docstring(**PARAGRAPHS)
    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_array}
        p : ndarray of shape (n_samples, n_classes)
            Softmax of the scores times ``temperature_``. Columns in the order of
            ``classes_``. Only with ``bootstrap``.
        """
        scores = self.class_scores(X)
        return softmax(self.temperature_ * scores, axis=1)

    def _list_checks(self):
        finite = "allow-nan" if get_tags(self._base).input_tags.allow_nan else True
        return {"dtype": np.float64, "ensure_all_finite": finite}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = get_tags(self._base).input_tags.allow_nan
        return tags


def draw_both_sides(rng, weight, target):
    """Draw rows with replacement until there are some of both sides of a column."""
    for _ in range(MAX_DRAWS):
        (counts,) = draw_bags(rng, 1, len(weight), weight)
        drawn = target[counts > 0]
        if (drawn != drawn[0]).any():
            return counts
    return np.ones(len(weight))  # a side of hardly any weight: all rows


def score_classes(outputs, bits, weights, used=None):
    """Return the scores of all classes: 1 minus weighted distances.

    Parameters
    ----------
    outputs : ndarray of shape (n_samples, n_columns)
        Outputs of the columns, from 0 to 1.
    bits : ndarray of shape (n_classes, n_columns)
        Codewords, 0 or 1.
    weights : ndarray of shape (n_classes, n_columns)
        Weights of the columns; rows add up to 1.
    used : ndarray of shape (n_samples, n_columns), default=None
        Columns to use for each sample, the others having no weight; None: all.

    Returns
    -------
    scores : ndarray of shape (n_samples, n_classes)
        NaN for a class whose used columns have no weight.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.codes.weighted_ecoc import score_classes
    >>> bits, equal = np.array([[0, 1], [1, 1]]), np.full((2, 2), 0.5)
    >>> score_classes(np.array([[0.2, 0.9]]), bits, equal)
    array([[0.85, 0.55]])
    """
    ones, zeros = weights * bits, weights * ~np.asarray(bits, dtype=bool)
    if used is None:
        scores = 1.0 - (1.0 - outputs) @ ones.T - outputs @ zeros.T
        return scores.clip(0.0, 1.0)  # but for rounding, they are
    distance = ((1.0 - outputs) * used) @ ones.T + (outputs * used) @ zeros.T
    total = used @ weights.T
    unknown = np.full_like(distance, np.nan)
    scores = 1.0 - np.divide(distance, total, out=unknown, where=total > 0.0)
    return scores.clip(0.0, 1.0)


def _fit_learner(estimator, X, target, draws, seed, bootstrap):
    """Fit a learner to drawn rows, or to weighted ones if they were not drawn."""
    member = make_member(estimator, seed)
    target = target.astype(np.intp)
    if bootstrap:
        rows = np.repeat(np.arange(len(target)), draws.astype(np.intp))
        return member.fit(X[rows], target[rows])
    if (draws == draws[0]).all():
        return member.fit(X, target)
    return member.fit(X, target, **_route(member, draws))


def _route(member, draws):
    """Return the argument that passes weights on, or raise."""
    found = route_weight(member, draws)
    if not found:
        raise ValueError(
            "sample_weight without bootstrap needs an estimator whose fit takes it; "
            f"got {member!r}."
        )
    return found


@dataclass(frozen=True, eq=False)
class _Learners:
    """Fitted learners of any kind."""

    estimators: list
    n_jobs: Any = None

    def outputs(self, X):
        """Return the probabilities of 1: (n_samples, n_columns)."""
        pairs = ((member, X, 2) for member in self.estimators)
        found = run_on_members(read_probabilities, pairs, self.n_jobs)
        return np.stack([p[:, 1] for p in found], axis=1)


@dataclass(frozen=True, eq=False)
class _ScaledNets:
    """Nets, and the scaler of their inputs."""

    scaler: Any
    nets: Any

    def outputs(self, X):
        """Return the outputs of the nets: (n_samples, n_columns)."""
        return self.nets.outputs(X if self.scaler is None else self.scaler.transform(X))
