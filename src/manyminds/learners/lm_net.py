"""Small nets by Levenberg-Marquardt: one hidden layer, many nets at once."""

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.kernels.lm_nets import train_net
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.output_layer import fit_scaler
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.targets import check_magnitude
from manyminds.utils.weights import read_weights

BLOCK_CELLS = 2**21  # activations held at once: samples by hidden units of all nets


@dataclass(frozen=True, eq=False)
class Nets:
    """Trained nets with one hidden layer and one output each.

    Attributes
    ----------
    input_weights : ndarray of shape (n_nets, n_features + 1, n_hidden)
        Weights of the features and, last, the biases.
    output_weights : ndarray of shape (n_nets, n_hidden + 1)
        Weights of the hidden units and, last, the intercept.
    n_iter : ndarray of shape (n_nets,)
        Number of steps of each.
    is_linear : bool
        Whether outputs are not passed through a sigmoid.
    """

    input_weights: np.ndarray
    output_weights: np.ndarray
    n_iter: np.ndarray
    is_linear: bool = False

    def outputs(self, X):
        """Return the output of each net: (n_samples, n_nets)."""
        n_nets, n_inputs, n_hidden = self.input_weights.shape
        joined = self.input_weights.transpose(1, 0, 2).reshape(n_inputs, -1)
        out = np.empty((len(X), n_nets))
        step = max(1, BLOCK_CELLS // joined.shape[1])
        for first in range(0, len(X), step):
            hidden = X[first : first + step] @ joined[:-1] + joined[-1]
            hidden = np.tanh(hidden).reshape(-1, n_nets, n_hidden)
            out[first : first + step] = np.einsum(
                "inh,nh->in", hidden, self.output_weights[:, :-1]
            )
        out += self.output_weights[:, -1]
        return out if self.is_linear else 0.5 * (1.0 + np.tanh(0.5 * out))


def train_nets(
    X,
    targets,
    *,
    n_hidden,
    max_iter,
    seeds,
    alpha=0.0,
    weights=None,
    is_linear=False,
    n_jobs=None,
):
    """Train one net for each column of targets, over threads.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Samples, scaled.
    targets : ndarray of shape (n_samples, n_nets)
        Targets of each net; from 0 to 1 unless ``is_linear``.
    n_hidden : int
        Number of hidden units.
    max_iter : int
        Maximum number of steps.
    seeds : array-like of shape (n_nets,)
        Seeds of the initial weights.
    alpha : float, default=0.0
        Penalty of the squared parameters.
    weights : ndarray of shape (n_nets, n_samples), default=None
        Weights of the samples for each net, such as numbers of draws; a net does not
        see those with 0.
    is_linear : bool, default=False
        Whether outputs are linear; else they are sigmoids.
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    nets : Nets

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.learners.lm_net import train_nets
    >>> X = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    >>> xor_and_and = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> nets = train_nets(X, xor_and_and, n_hidden=3, max_iter=50, seeds=[0, 1])
    >>> nets.outputs(X).round(1)
    array([[0., 0.],
           [1., 0.],
           [1., 0.],
           [0., 1.]])
    """
    X = np.column_stack([X, np.ones(len(X))])
    everything = np.ones(len(X))

    def train(k):
        weight = everything if weights is None else weights[k]
        rows = np.flatnonzero(weight)
        start = _draw_start(seeds[k], X.shape[1], n_hidden)
        n_steps, _ = train_net(
            np.ascontiguousarray(X[rows]),
            np.sqrt(weight[rows].astype(np.float64)),
            np.ascontiguousarray(targets[rows, k], dtype=np.float64),
            n_hidden,
            max_iter,
            float(alpha),
            is_linear,
            start,
        )
        return start, n_steps

    if n_jobs in (None, 1):  # a small net takes no longer than joblib's bookkeeping
        trained = [train(k) for k in range(targets.shape[1])]
    else:
        run = Parallel(n_jobs, prefer="threads")
        trained = run(delayed(train)(k) for k in range(targets.shape[1]))
    parameters = np.array([found for found, _ in trained])
    n_weights = X.shape[1] * n_hidden
    return Nets(
        parameters[:, :n_weights].reshape(-1, X.shape[1], n_hidden),
        parameters[:, n_weights:],
        np.array([n_steps for _, n_steps in trained]),
        is_linear,
    )


def _draw_start(seed, n_inputs, n_hidden):
    """Draw initial parameters: inputs of all units have about unit variance."""
    rng = np.random.RandomState(seed)
    start = rng.normal(size=n_inputs * n_hidden + n_hidden + 1)
    start[: n_inputs * n_hidden] /= np.sqrt(n_inputs)
    start[n_inputs * n_hidden :] /= np.sqrt(n_hidden + 1)
    return start


class _LMNet(DocLinkMixin, BaseEstimator):
    """Base class: scale the features and train nets."""

    _parameter_constraints = {
        "n_hidden": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0.0, None, closed="left")],
        "scale": [StrOptions({"standard"}), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_hidden=8,
        *,
        max_iter=20,
        alpha=1.0,
        scale="standard",
        n_jobs=None,
        random_state=None,
    ):
        self.n_hidden = n_hidden
        self.max_iter = max_iter
        self.alpha = alpha
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _read_training_set(self, X, y, sample_weight, **checks):
        """Check the arguments of ``fit``; leave out samples without weight."""
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, **checks)
        weight = read_weights(sample_weight, X)
        if weight is not None:
            kept = np.flatnonzero(weight)
            X, y, weight = X[kept], y[kept], weight[kept]
        return X, y, weight

    def _train(self, X, targets, weight, is_linear):
        """Train a net for each column of targets."""
        seeds = check_random_state(self.random_state).randint(
            2**31 - 1, size=targets.shape[1]
        )
        self.scaler_ = fit_scaler(X, weight, self.scale)
        if weight is not None:
            weight = np.broadcast_to(weight, targets.T.shape)
        self.nets_ = train_nets(
            X if self.scaler_ is None else self.scaler_.transform(X),
            targets,
            n_hidden=self.n_hidden,
            max_iter=self.max_iter,
            alpha=self.alpha,
            seeds=seeds,
            weights=weight,
            is_linear=is_linear,
            n_jobs=self.n_jobs,
        )
        self.n_iter_ = int(self.nets_.n_iter.max())
        return self

    def _outputs(self, X):
        """Return the outputs of the nets for samples that are not checked yet."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.nets_.outputs(
            X if self.scaler_ is None else self.scaler_.transform(X)
        )


@fill_docstring(**PARAMETERS)
class LMNetClassifier(ClassifierMixin, _LMNet):
    r"""Classify by a net with one hidden layer, trained by Levenberg-Marquardt.

    {lm_story}

    Hidden units are hyperbolic tangents, the output is a sigmoid, with targets 0 and 1.
    More than two classes have one net each, against all others.

    Parameters
    ----------
    {lm_layer}

    Attributes
    ----------
    {classes}
    {lm_fitted}

    {lm_references}

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.learners import LMNetClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> model = LMNetClassifier(max_iter=10, random_state=0)
    >>> print(cross_val_score(model, X, y).mean() > 0.9)
    True
    """

    def fit(self, X, y, sample_weight=None):
        """Train the net, or the nets of all classes.

        {fit_classes}
        """
        X, y, weight = self._read_training_set(X, y, sample_weight)
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)
        n_classes = len(self.classes_)
        if n_classes < 2:
            raise ValueError(
                "LMNetClassifier needs two classes or more; y has one class."
            )

        targets = np.eye(n_classes)[label]
        targets = targets[:, 1:] if n_classes == 2 else targets
        return self._train(X, targets, weight, is_linear=False)

    def predict_proba(self, X):
        """Predict the probability of each class.

        {proba}
        """
        p = self._outputs(X)
        if p.shape[1] == 1:
            return np.column_stack([1.0 - p[:, 0], p[:, 0]])
        p += np.finfo(float).tiny  # all outputs may be 0
        return p / p.sum(axis=1, keepdims=True)

    def predict(self, X):
        """Predict the class with the highest output.

        {predict}
        """
        p = self.predict_proba(X)
        return self.classes_[p.argmax(axis=1)]


@fill_docstring(**PARAMETERS)
class LMNetRegressor(RegressorMixin, _LMNet):
    r"""Predict a number by a net with one hidden layer, by Levenberg-Marquardt.

    {lm_story}

    Hidden units are hyperbolic tangents, the output is linear.

    Parameters
    ----------
    {lm_layer}

    Attributes
    ----------
    {lm_fitted}

    {lm_references}

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from manyminds.learners import LMNetRegressor
    >>> X, y = make_friedman1(600, noise=0.5, random_state=0)
    >>> model = LMNetRegressor(random_state=0).fit(X[:400], y[:400])
    >>> print(model.score(X[400:], y[400:]) > 0.9)
    True
    """

    def fit(self, X, y, sample_weight=None):
        """Train the net.

        {fit_numbers}
        """
        X, y, weight = self._read_training_set(X, y, sample_weight, y_numeric=True)
        y = check_magnitude(y.astype(np.float64))

        self._center = np.average(y, weights=weight)
        spread = np.sqrt(np.average((y - self._center) ** 2, weights=weight))
        self._spread = spread if spread > 0.0 else 1.0
        targets = (y - self._center)[:, np.newaxis] / self._spread
        return self._train(X, targets, weight, is_linear=True)

    def predict(self, X):
        """Predict the target of each sample.

        {predict}
        """
        return self._outputs(X)[:, 0] * self._spread + self._center
