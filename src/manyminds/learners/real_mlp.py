"""RealMLP: a multilayer perceptron with defaults that suit tables."""

from numbers import Integral, Real

import numpy as np
from joblib import Parallel, delayed
from scipy.sparse import issparse
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.kernels.real_mlp import Shape, Table
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.real_mlp_columns import NetColumns
from manyminds.learners.real_mlp_net import make_shape, run_net
from manyminds.learners.real_mlp_training import (
    Options,
    make_target,
    split_rows,
    train_net,
)
from manyminds.learners.temperature import compute_log_losses, fit_temperature
from manyminds.trees.columns import encode_table
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.folds import read_groups
from manyminds.utils.threads import limit_blas_threads
from manyminds.utils.weights import read_weights

SMOOTHING = 0.1  # of labels
MIN_HARD_LABELS = 5_000  # samples from which on labels are not smoothed


class _RealMLP(DocLinkMixin, BaseEstimator):
    """Base class: read tables, hold rows out, train nets, run them."""

    _parameter_constraints = {
        "hidden_layer_sizes": ["array-like"],
        "learning_rate": [Interval(Real, 0.0, None, closed="neither")],
        "dropout": [Interval(Real, 0.0, 1.0, closed="left")],
        "weight_decay": [Interval(Real, 0.0, None, closed="left")],
        "numeric_embedding": ["boolean"],
        "batch_size": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({"auto"}),
        ],
        "max_epochs": [Interval(Integral, 1, None, closed="left")],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0.0, 1.0, closed="left")],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [Integral, None],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "random_state": ["random_state"],
    }

    def _read_training_set(self, X, y, sample_weight, groups):
        """Check the arguments of ``fit``; leave out samples without weight.

        Return codes and numbers, the numbers of categories, the target, weights and
        codes of groups.
        """
        self._validate_params()
        if any(int(width) != width or width < 1 for width in self.hidden_layer_sizes):
            raise ValueError(
                "hidden_layer_sizes must be positive integers; got "
                f"{self.hidden_layer_sizes!r}."
            )
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but "
                "the target y is None."
            )
        _reject_sparse(self, X)
        X, self._encoder = encode_table(
            self, X, None, self.categorical_features, reset=True
        )
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        check_consistent_length(X, y)
        weight, groups = read_weights(sample_weight, X), read_groups(groups, X)
        if weight is None:
            weight = np.ones(len(X))
        elif not weight.all():
            kept = weight > 0.0
            X, y, weight = self._encoder.forget_absent(X[kept]), y[kept], weight[kept]
            groups = None if groups is None else read_groups(groups[kept], X)
        categories = self._encoder.categories
        n_states = [len(categories.get(j, ())) for j in range(X.shape[1])]
        # A categorical column without any known value is a number that is missing.
        return X, np.array(n_states, dtype=np.int64), y, weight, groups

    def _train(self, X, n_states, value, label, weight, groups, n_outputs):
        """Train the nets; return outputs, targets and weights of their held-out rows.

        None for a net without held-out rows.
        """
        rng = check_random_state(self.random_state)
        self._columns = NetColumns().fit(X, n_states, self.numeric_embedding)
        table = self._columns.transform(X)
        shape = make_shape(
            table,
            self._columns.n_levels,
            [int(width) for width in self.hidden_layer_sizes],
            n_outputs,
            self._is_mish,
        )
        n_nets, share = self.n_estimators, self.validation_fraction
        parts = split_rows(label, n_nets, share, rng, groups)
        seeds = rng.randint(np.iinfo(np.int32).max, size=len(parts))

        def train(rows, held_out, seed):
            """Train a net; return it and what it makes of its held-out rows."""
            others = _take(table, held_out) if len(held_out) else None
            target, known = value[held_out], weight[held_out]
            net = train_net(
                _take(table, rows),
                make_target(value[rows], weight[rows], self._smoothing),
                shape,
                self._options(),
                others,
                lambda outputs: self._score(outputs, target, known),
                np.random.RandomState(seed),
            )
            if others is None:
                return net, None
            return net, (run_net(others, net.theta, shape), target, known)

        with limit_blas_threads():
            pool = Parallel(self.n_jobs, prefer="threads")
            made = pool(delayed(train)(*part, seed) for part, seed in zip(parts, seeds))
        nets = [net for net, _ in made]
        self._widths, self._starts = shape.widths, shape.starts
        self.parameters_ = np.stack([net.theta for net in nets])
        self.validation_scores_ = [net.scores for net in nets]
        self.n_epochs_ = np.array([net.n_epochs for net in nets])
        self.best_epoch_ = np.array([net.best_epoch for net in nets])
        return [held_out for _, held_out in made]

    def _options(self):
        return Options(
            float(self.learning_rate),
            float(self.dropout),
            float(self.weight_decay),
            self._smoothing,
            self.batch_size,
            int(self.max_epochs),
            bool(self.early_stopping),
        )

    def _outputs(self, X):
        """Yield the outputs of each net for samples that are not checked yet."""
        _reject_sparse(self, X)
        X, _ = encode_table(
            self, X, self._encoder, self.categorical_features, reset=False
        )
        # Kernels are compiled for arrays that can be written to.
        arrays = (self.parameters_, self._widths, self._starts)
        nets, widths, starts = (np.require(one, requirements="CW") for one in arrays)
        shape = Shape(widths, starts, self._is_mish)
        table = self._columns.transform(X)
        for theta in nets:
            yield run_net(table, theta, shape).astype(np.float64)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


@fill_docstring(**PARAMETERS)
class RealMLPClassifier(ClassifierMixin, _RealMLP):
    r"""Classify by a multilayer perceptron with defaults that suit tables.

    {realmlp_story}

    Activations are SELU, the loss is the cross-entropy. Outputs are divided by a
    temperature that is fitted to the held-out samples, since long training, and
    smoothed labels, distort probabilities.

    Parameters
    ----------
    {realmlp_layers}
    learning_rate : float, default=0.04
        Highest learning rate.
    {realmlp_regularization}
    label_smoothing : float or "auto", default="auto"
        Share of each label that is spread evenly over all classes. "auto": 0.1, as in
        the paper, for criterion="error" and for fewer than 5,000 samples; else 0, since
        smoothing raises the log loss of many.
    {realmlp_training}
    criterion : {"log_loss", "error"}, default="log_loss"
        What the best epoch is lowest in, on held-out samples. The paper uses "error".
    {realmlp_columns}

    Attributes
    ----------
    {classes}
    label_smoothing_ : float
        Share of each label that was spread.
    temperature_ : ndarray of shape (n_estimators,)
        By which the outputs of each net are divided; 1 without held-out samples.
    {realmlp_fitted}

    {realmlp_references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.learners import RealMLPClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RealMLPClassifier((32, 32), max_epochs=64, random_state=0)
    >>> print(model.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _parameter_constraints = {
        **_RealMLP._parameter_constraints,
        "label_smoothing": [
            Interval(Real, 0.0, 1.0, closed="left"),
            StrOptions({"auto"}),
        ],
        "criterion": [StrOptions({"log_loss", "error"})],
    }
    _is_mish = False

    def __init__(
        self,
        hidden_layer_sizes=(256, 256, 256),
        *,
        learning_rate=0.04,
        dropout=0.15,
        weight_decay=0.02,
        label_smoothing="auto",
        numeric_embedding=True,
        batch_size=256,
        max_epochs=256,
        early_stopping=True,
        validation_fraction=0.2,
        n_estimators=1,
        criterion="log_loss",
        categorical_features="from_dtype",
        n_jobs=None,
        random_state=None,
    ):
        self.hidden_layer_sizes = hidden_layer_sizes
        self.learning_rate = learning_rate
        self.dropout = dropout
        self.weight_decay = weight_decay
        self.label_smoothing = label_smoothing
        self.numeric_embedding = numeric_embedding
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _smoothing(self):
        return self.label_smoothing_

    def _choose_smoothing(self, n_samples):
        if self.label_smoothing != "auto":
            return float(self.label_smoothing)
        is_smooth = self.criterion == "error" or n_samples < MIN_HARD_LABELS
        return SMOOTHING if is_smooth else 0.0

    def fit(self, X, y, sample_weight=None, *, groups=None):
        """Train the nets.

        {realmlp_fit}
        """
        X, n_states, y, weight, groups = self._read_training_set(
            X, y, sample_weight, groups
        )
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)
        n_classes = len(self.classes_)
        if n_classes < 2:
            raise ValueError(
                "RealMLPClassifier needs two classes or more; y has one class."
            )

        self.label_smoothing_ = self._choose_smoothing(len(X))
        held_out = self._train(X, n_states, label, label, weight, groups, n_classes)
        self.temperature_ = np.array(
            [1.0 if one is None else fit_temperature(*one) for one in held_out]
        )
        return self

    def _score(self, outputs, label, weight):
        """Return the loss of the criterion."""
        if self.criterion == "error":
            return np.average(outputs.argmax(axis=1) != label, weights=weight)
        if self._smoothing:  # outputs of smoothed labels are too small
            outputs = outputs / fit_temperature(outputs, label, weight)
        return np.average(compute_log_losses(outputs, label), weights=weight)

    def predict_proba(self, X):
        """Predict the probability of each class, the mean over the nets.

        {realmlp_proba}
        """
        check_is_fitted(self)
        nets = zip(self._outputs(X), self.temperature_)
        total = sum(softmax(made / t, axis=1) for made, t in nets)
        return total / len(self.parameters_)

    def predict(self, X):
        """Predict the class with the highest probability.

        {realmlp_predict}
        """
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]


@fill_docstring(**PARAMETERS)
class RealMLPRegressor(RegressorMixin, _RealMLP):
    r"""Predict a number by a multilayer perceptron with defaults that suit tables.

    {realmlp_story}

    Activations are Mish, the loss is the squared error of the standardized target.
    Predictions are clipped to the range of the target in ``fit``.

    Parameters
    ----------
    {realmlp_layers}
    learning_rate : float, default=0.2
        Highest learning rate.
    {realmlp_regularization}
    {realmlp_training}
    {realmlp_columns}

    Attributes
    ----------
    {realmlp_fitted}

    {realmlp_references}

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from manyminds.learners import RealMLPRegressor
    >>> X, y = make_friedman1(600, noise=0.5, random_state=0)
    >>> model = RealMLPRegressor((64, 64), max_epochs=128, random_state=0)
    >>> print(model.fit(X[:400], y[:400]).score(X[400:], y[400:]) > 0.9)
    True
    """

    _is_mish = True
    _smoothing = 0.0

    def __init__(
        self,
        hidden_layer_sizes=(256, 256, 256),
        *,
        learning_rate=0.2,
        dropout=0.15,
        weight_decay=0.02,
        numeric_embedding=True,
        batch_size=256,
        max_epochs=256,
        early_stopping=True,
        validation_fraction=0.2,
        n_estimators=1,
        categorical_features="from_dtype",
        n_jobs=None,
        random_state=None,
    ):
        self.hidden_layer_sizes = hidden_layer_sizes
        self.learning_rate = learning_rate
        self.dropout = dropout
        self.weight_decay = weight_decay
        self.numeric_embedding = numeric_embedding
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_estimators = n_estimators
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None, *, groups=None):
        """Train the nets.

        {realmlp_fit}
        """
        X, n_states, y, weight, groups = self._read_training_set(
            X, y, sample_weight, groups
        )
        y = y.astype(np.float64)

        self._range = float(y.min()), float(y.max())
        unit = max(abs(y).max(), np.finfo(float).tiny)  # no square overflows
        center = np.average(y / unit, weights=weight)
        spread = np.sqrt(np.average((y / unit - center) ** 2, weights=weight))
        self._center, self._spread = center * unit, spread * unit or 1.0
        value = (y - self._center) / self._spread
        label = np.zeros(len(y), np.int64)
        self._train(X, n_states, value, label, weight, groups, 1)
        return self

    def _score(self, outputs, value, weight):
        """Return the root mean squared error of the standardized target."""
        low, high = ((end - self._center) / self._spread for end in self._range)
        errors = np.clip(outputs[:, 0], low, high) - value
        return np.sqrt(np.average(errors**2, weights=weight))

    def predict(self, X):
        """Predict the target of each sample.

        {realmlp_predict}
        """
        check_is_fitted(self)
        mean = sum(made[:, 0] for made in self._outputs(X)) / len(self.parameters_)
        return np.clip(mean * self._spread + self._center, *self._range)


def _reject_sparse(estimator, X):
    if issparse(X):
        raise TypeError(
            f"{type(estimator).__name__} takes no sparse matrix: pass X.toarray()."
        )


def _take(table, rows):
    """Return some rows of a table."""
    return Table(*(part[rows] for part in table))
