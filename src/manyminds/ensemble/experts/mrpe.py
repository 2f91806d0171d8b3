"""MRPE: a mixture of experts that random prototypes weigh, without trained gates."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble.base import (
    draw_member_seeds,
    make_member,
    read_probabilities,
    route_weight,
    run_on_members,
)
from manyminds.ensemble.experts._parameters import PARAGRAPHS
from manyminds.ensemble.experts.base import ExpertClassifier, ExpertMembers, fit_expert
from manyminds.ensemble.experts.expert_nets import (
    Mixture,
    NetOptions,
    TrainingSet,
    draw_nets,
    mix,
    normalize_rows,
    train_mixture,
)
from manyminds.ensemble.experts.prototypes import (
    WAYS,
    draw_prototypes,
    dynamic_weights,
    gaussian_weights,
    make_eta,
    measure_distances,
    static_weights,
)
from manyminds.kernels.expert_nets import BY_SHARE
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.folds import assign_folds
from manyminds.utils.scaling import fit_standard_scaler
from manyminds.utils.threads import limit_blas_threads

NET_CONSTRAINTS = {
    "n_hidden": [Interval(Integral, 1, None, closed="left")],
    "learning_rate": [Interval(Real, 0.0, None, closed="neither")],
    "batch_size": [Interval(Integral, 1, None, closed="left")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "early_stopping": ["boolean"],
    "validation_fraction": [Interval(Real, 0.0, 0.5, closed="right")],
    "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
    "loss": [StrOptions({"squared", "cross_entropy"})],
    "scale": [StrOptions({"standard"}), None],
}
CANDIDATES = (1, 2, 3, 5, 8)  # numbers of experts that "auto" compares


class MixtureClassifier(ExpertClassifier):
    """Scale the columns, mix the outputs of experts by gates."""

    _gates_take_sparse = False

    @property
    def _base(self):
        return LogisticRegression() if self._expert is None else self._expert

    @property
    def _expert(self):
        return getattr(self, "estimator", None)

    @property
    def _options(self):
        return NetOptions(*(getattr(self, name) for name in NetOptions._fields))

    def _start(self, X, y, sample_weight):
        """Check the arguments of ``fit``, scale; return also the random numbers."""
        X, label, weight = self._read_training_set(X, y, sample_weight)
        weight = np.ones(len(X)) if weight is None else weight / weight.mean()
        self.scaler_ = None
        if self.scale is not None:
            self.scaler_ = fit_standard_scaler(X, weight)
        return X, label, weight, check_random_state(self.random_state)

    def _scale(self, X):
        return X if self.scaler_ is None else self.scaler_.transform(X)

    @property
    def _members(self):
        n_experts = self.nets_.n_experts if self._expert is None else None
        return ExpertMembers(self, n_experts or len(self.estimators_))

    @property
    def n_parameters_(self):
        """Number of trained weights of nets and gates."""
        if self._expert is not None:
            raise AttributeError("Only nets have a known number of parameters.")
        return self._mixture.n_parameters

    @property
    def nets_(self):
        """The trained nets of all experts."""
        if self._expert is not None:
            raise AttributeError("With an estimator, there are no nets.")
        return self._mixture.nets

    def _predict_expert(self, e, X):
        """Return the probabilities of an expert alone."""
        if self._expert is not None:
            return read_probabilities(self.estimators_[e], X, self.n_classes_)
        return normalize_rows(self.nets_.expert(e).outputs(self._scale(X))[0])

    def gate(self, X):
        """Return the weight of each expert for each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        weights : ndarray of shape (n_samples, n_experts)
            They add up to 1, unless ``normalize=False``. Experts of a module stand
            side by side.
        """
        return self._gate(self._scale(self._read_table(X)))

    def route(self, X):
        """Return the expert with the greatest weight for each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples to route.

        Returns
        -------
        expert : ndarray of int of shape (n_samples,)
        """
        return self.gate(X).argmax(axis=1)

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Outputs of the experts, weighted by the gates and divided by their sum.
            Columns in the order of ``classes_``.
        """
        X = self._read_table(X)
        points = self._scale(X)
        if self._expert is None:
            outputs = self.nets_.outputs(points)
        else:
            outputs = self._members.values(X)
        return normalize_rows(mix(self._gate(points), outputs))


class PrototypeExperts(MixtureClassifier):
    """Prototypes, and weights of experts by distances to them."""

    _parameter_constraints = {
        "n_experts": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({"auto"}),
        ],
        "strategy": [StrOptions({"dynamic", "static", "gaussian"})],
        "eta": ["array-like", None],
        "width": [Interval(Real, 0.0, None, closed="neither"), None],
        "normalize": ["boolean"],
        "prototypes": [StrOptions(set(WAYS)), "array-like"],
        "metric": [str, callable],
        "estimator": [HasMethods(["fit", "predict"]), None],
        **NET_CONSTRAINTS,
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }
    n_modules = 1

    def _choose_n_experts(self, X, label, weight):
        """Return the number of experts of a module."""
        if not isinstance(self.prototypes, str):
            return np.shape(self.prototypes)[-2] if np.ndim(self.prototypes) > 1 else 0
        if self.n_experts != "auto":
            return min(self.n_experts, len(label))
        if self.eta is not None:
            raise ValueError("n_experts='auto' takes no eta, which has their number.")
        rng = check_random_state(self.random_state)
        return choose_n_experts(self, X, label, weight, rng)

    def _place(self, X, label, weight, n_experts, rng):
        """Store the prototypes of all modules, drawn for each by itself."""
        shape = (self.n_modules, n_experts, X.shape[1])
        if isinstance(self.prototypes, str):
            points = self._scale(X)
            drawn = [
                draw_prototypes(points, label, weight, n_experts, self.prototypes, rng)
                for _ in range(self.n_modules)
            ]
            self.prototypes_ = X[np.array(drawn)].reshape(shape)
        else:
            given = np.array(self.prototypes, dtype=np.float64)
            if given.size != np.prod(shape) or not np.isfinite(given).all():
                raise ValueError(
                    f"prototypes must be finite numbers of shape {shape}; got an array "
                    f"of shape {given.shape}."
                )
            self.prototypes_ = given.reshape(shape)
        self.n_experts_ = n_experts
        self._points = self._scale(self.prototypes_.reshape(-1, X.shape[1]))

    def _fit_weights(self, points):
        """Read what weights depend on besides distances."""
        self._eta = make_eta(self.n_experts_)
        if self.eta is not None:
            self._eta = read_eta(self.eta, self.n_experts_)
        self._width = self.width
        if self.width is None and self.strategy == "gaussian":
            nearest = self._measure(points).min(axis=2)
            apart = nearest[nearest > 0.0]
            self._width = float(np.median(apart)) if len(apart) > 0 else 1.0

    def _measure(self, points):
        """Return distances: (n_samples, n_modules, n_experts)."""
        distances = measure_distances(points, self._points, self.metric)
        return distances.reshape(len(points), self.n_modules, self.n_experts_)

    def _share(self, points):
        """Return the weights of the paper: (n_samples, all experts)."""
        distances = self._measure(points).reshape(-1, self.n_experts_)
        if self.strategy == "static":
            share = static_weights(distances, self._eta)
        elif self.strategy == "dynamic":
            share = dynamic_weights(distances)
        else:
            share = gaussian_weights(distances, self._width)
        return share.reshape(len(points), -1)

    def _gate(self, points):
        return self._mixture.gates(points, self._share(points), self.normalize)

    def _fit_estimators(self, X, label, weight, share, rng):
        """Fit an estimator for each expert, with its weights of the samples."""
        if not route_weight(self.estimator, weight):
            raise ValueError(
                "estimator must take sample_weight in fit, which shares the samples "
                f"among experts; got {self.estimator!r}."
            )
        seeds = draw_member_seeds(rng, share.shape[1])

        def fit(e, seed):
            odds = share[:, e] * weight
            rows = np.flatnonzero(odds)
            rows = rows if len(rows) > 0 else np.arange(len(label))
            part = odds[rows] if odds.any() else weight
            member = make_member(self.estimator, seed)
            return fit_expert(member, X[rows], label[rows], part)

        numbered = zip(range(share.shape[1]), seeds)
        with limit_blas_threads():
            self.estimators_ = list(run_on_members(fit, numbered, self.n_jobs))


@fill_docstring(**PARAGRAPHS)
class MRPEClassifier(PrototypeExperts):
    r"""Classify by a mixture of experts that random prototypes weigh.

    Some training rows, the prototypes, are drawn, one for each expert. How much an
    expert learns from a sample, and how much it counts in its prediction, depends on
    the distances :math:`d_i` of the sample to the prototypes alone [1]_,

    .. math:: h_i = 1 - \frac{d_i}{\sum_k d_k}

    for ``strategy="dynamic"``. There are no gates to train, as in a mixture of experts.

    Parameters
    ----------
    n_experts : int or "auto", default=3
        Number of experts. ``"auto"``: of 1, 2, 3, 5 and 8, the smallest whose Brier
        score on held-out rows is within one standard error of the best.
    {gates}
    {flat_prototypes}
    {experts}
    {net}
    {scale_nets}
    {run}

    Attributes
    ----------
    prototypes_ : ndarray of shape (1, n_experts, n_features)
        The prototypes, as rows of X.
    {flat_attributes}
    scaler_ : StandardScaler or None
        Scales the columns.
    {class_names}

    See Also
    --------
    HMRPEClassifier : Several such mixtures, and a gate that is trained.
    RandomPrototypeOracleClassifier : Each sample has one expert only.

    Notes
    -----
    The more experts, the flatter are dynamic weights: the share of the nearest is
    below 1 / (n_experts - 1). For more than three, ``"gaussian"`` keeps experts local.

    {hme_references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import MRPEClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MRPEClassifier(random_state=0).fit(X[::2], y[::2])
    >>> print(model.score(X[1::2], y[1::2]) > 0.9)
    True
    >>> model.gate(X).sum(axis=1).round(9).max()
    np.float64(1.0)
    """

    _parameter_constraints = {**PrototypeExperts._parameter_constraints}

    def __init__(
        self,
        n_experts=3,
        *,
        strategy="dynamic",
        eta=None,
        width=None,
        normalize=True,
        prototypes="random",
        metric="euclidean",
        estimator=None,
        n_hidden=10,
        learning_rate=0.1,
        batch_size=1,
        max_iter=200,
        early_stopping=True,
        validation_fraction=0.1,
        n_iter_no_change=10,
        loss="squared",
        scale="standard",
        n_jobs=None,
        random_state=None,
    ):
        self.n_experts = n_experts
        self.strategy = strategy
        self.eta = eta
        self.width = width
        self.normalize = normalize
        self.prototypes = prototypes
        self.metric = metric
        self.estimator = estimator
        self.n_hidden = n_hidden
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.loss = loss
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Draw prototypes; train the experts by their weights.

        {fit_array}
        """
        X, label, weight, rng = self._start(X, y, sample_weight)
        n_experts = self._choose_n_experts(X, label, weight)

        self._place(X, label, weight, n_experts, rng)
        points = self._scale(X)
        self._fit_weights(points)
        share = self._share(points)
        no_gate = np.zeros((1, X.shape[1] + 1))
        if self.estimator is not None:
            self._mixture = Mixture(None, no_gate)
            self._fit_estimators(X, label, weight, share, rng)
            return self
        nets = draw_nets(X.shape[1], self.n_hidden, self.n_classes_, n_experts, rng)
        self._mixture, self.validation_errors_, self.n_iter_ = train_mixture(
            TrainingSet(points, label, weight, share),
            Mixture(nets, no_gate),
            BY_SHARE,
            self._options,
            rng,
            self.n_jobs,
        )
        return self


def read_eta(eta, n_experts):
    """Return checked weights of ranks."""
    values = np.array(eta, dtype=np.float64)
    is_good = values.shape == (n_experts,) and (values >= 0.0).all()
    if not is_good or (np.diff(values) < 0.0).any() or abs(values.sum() - 1.0) > 1e-6:
        raise ValueError(
            f"eta must be {n_experts} numbers in increasing order, one for each "
            f"expert, that add up to 1; got {eta!r}."
        )
    return values


def choose_n_experts(model, X, label, weight, rng, candidates=CANDIDATES):
    """Return the smallest number of experts that is about as good as the best.

    A fifth of the rows is held out by class. Each number is rated by the Brier score of
    these rows; the smallest that is within one standard error of the best is taken.

    Parameters
    ----------
    model : estimator
        With ``n_experts``.
    X, label, weight : ndarray
        Training rows, their class numbers and weights.
    rng : RandomState
    candidates : sequence of int, default=(1, 2, 3, 5, 8)
        In increasing order.

    Returns
    -------
    n_experts : int
    """
    fold = assign_folds(label, 5, rng)
    kept, held = np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)
    if len(held) < 2 or len(np.unique(label[kept])) < 2:
        return min(candidates[0], len(label))
    losses = []
    for n_experts in candidates:
        trial = clone(model).set_params(n_experts=min(n_experts, len(kept)))
        trial.fit(X[kept], label[kept], weight[kept])
        p = np.zeros((len(held), label.max() + 1))
        p[:, trial.classes_] = trial.predict_proba(X[held])
        p[np.arange(len(held)), label[held]] -= 1.0
        losses.append((p**2).sum(axis=1))
    means = np.array([np.average(one, weights=weight[held]) for one in losses])
    best = int(means.argmin())
    limit = means[best] + losses[best].std() / np.sqrt(len(held))
    return min(candidates[int(np.flatnonzero(means <= limit)[0])], len(label))
