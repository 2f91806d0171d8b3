"""A support vector machine that searches for its cost and width."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.svm import SVC
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.output_layer import fit_scaler
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.evolution import evolve_bits
from manyminds.utils.folds import assign_folds
from manyminds.utils.weights import read_weights

N_BITS = 10  # of each of the two parameters
LOG2_C = (-5.0, 15.0)
LOG2_GAMMA = (-15.0, 3.0)


@fill_docstring(**PARAMETERS)
class TunedSVC(ClassifierMixin, DocLinkMixin, BaseEstimator):
    r"""Support vector classification with a Gaussian kernel, tuned by its own search.

    The cost :math:`C` and the coefficient :math:`\gamma` of the kernel
    :math:`\exp(-\gamma \lVert x - x' \rVert^2)` are those with the least error in
    two-fold evaluation on the training samples. As a learner of an output code, each
    column gets parameters of its own [1]_.

    Parameters
    ----------
    search : {"ga", "pbil", "optuna"}, default="ga"
        A genetic algorithm or population-based incremental learning on ten bits for
        each of :math:`\log_2 C`, from -5 to 15, and :math:`\log_2 \gamma`, from -15 to
        3; or Optuna's tree-structured Parzen estimator on the same ranges.
    population_size : int, default=20
        Number of candidates in a generation.
    n_generations : int, default=20
        Maximum number of generations.
    patience : int or None, default=5
        Number of generations without improvement after which the search stops.
    n_trials : int, default=40
        Number of candidates of Optuna.
    {scale}
    random_state : int, RandomState instance or None, default=None
        Draws folds and candidates.

    Attributes
    ----------
    {classes}
    C_ : float
        The cost.
    gamma_ : float
        The coefficient of the kernel.
    search_error_ : float
        Two-fold error of these. As the least of many it is optimistic.
    n_candidates_ : int
        Number of different candidates that were evaluated.
    svc_ : SVC
        The machine, fitted to class numbers.
    {scaler}
    {n_features_in}

    References
    ----------
    .. [1] Bautista, Baró, Pujol, Radeva, Vitrià and Escalera, "Compact evolutive design
       of error-correcting output codes", SUEMA, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyminds.learners import TunedSVC
    >>> X, y = load_wine(return_X_y=True)
    >>> model = TunedSVC(random_state=0).fit(X[::2], y[::2])
    >>> print(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _parameter_constraints = {
        "search": [StrOptions({"ga", "pbil", "optuna"})],
        "population_size": [Interval(Integral, 2, None, closed="left")],
        "n_generations": [Interval(Integral, 0, None, closed="left")],
        "patience": [Interval(Integral, 1, None, closed="left"), None],
        "n_trials": [Interval(Integral, 1, None, closed="left")],
        "scale": [StrOptions({"standard"}), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        search="ga",
        *,
        population_size=20,
        n_generations=20,
        patience=5,
        n_trials=40,
        scale="standard",
        random_state=None,
    ):
        self.search = search
        self.population_size = population_size
        self.n_generations = n_generations
        self.patience = patience
        self.n_trials = n_trials
        self.scale = scale
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Search for the parameters, then fit the machine to all samples.

        {fit_classes}
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        weight = read_weights(sample_weight, X)
        if weight is not None:
            kept = np.flatnonzero(weight)
            X, y, weight = X[kept], y[kept], weight[kept]
        self.classes_, label = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("TunedSVC needs two classes or more; y has one class.")
        rng = check_random_state(self.random_state)

        self.scaler_ = fit_scaler(X, weight, self.scale)
        X = X if self.scaler_ is None else self.scaler_.transform(X)
        errors = _TwoFoldErrors(X, label, weight, assign_folds(label, 2, rng))
        if self.search == "optuna":
            best = self._search_by_optuna(errors, rng)
        else:
            best = self._search_by_evolution(errors, rng)
        self.C_, self.gamma_ = 2.0 ** np.array(best)
        self.search_error_, self.n_candidates_ = errors(*best), len(errors.known)
        self.svc_ = _make_machine(*best).fit(X, label, weight)
        return self

    def _search_by_evolution(self, errors, rng):
        """Return the best logarithms of both parameters, coded by bits."""

        def rate(bits):
            return np.array([errors(*read_genes(one)) for one in bits])

        sizes = ("population_size", "n_generations", "patience")
        options = {name: getattr(self, name) for name in sizes}
        found = evolve_bits(
            rate, 2 * N_BITS, method=self.search, random_state=rng, **options
        )
        return read_genes(found.best)

    def _search_by_optuna(self, errors, rng):
        """Return the best logarithms of both parameters by Optuna."""
        import optuna

        def rate(trial):
            return errors(
                trial.suggest_float("log2_C", *LOG2_C),
                trial.suggest_float("log2_gamma", *LOG2_GAMMA),
            )

        sampler = optuna.samplers.TPESampler(seed=int(rng.randint(2**31 - 1)))
        before = optuna.logging.get_verbosity()
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        try:
            study = optuna.create_study(sampler=sampler)
            study.optimize(rate, n_trials=self.n_trials)
        finally:
            optuna.logging.set_verbosity(before)
        return study.best_params["log2_C"], study.best_params["log2_gamma"]

    def decision_function(self, X):
        """Return the scores of the classes; the highest is predicted.

        Parameters
        ----------
        {x_new}

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes) or (n_samples,)
            Decision values; for two classes one column, positive for the second class.
        """
        X = self._read(X)
        return self.svc_.decision_function(X)

    def predict(self, X):
        """Predict the class of each sample.

        {predict}
        """
        X = self._read(X)
        return self.classes_[self.svc_.predict(X)]

    def _read(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return X if self.scaler_ is None else self.scaler_.transform(X)


def read_genes(bits):
    """Return the logarithms of cost and kernel coefficient that bits stand for.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.learners.tuned_svc import read_genes
    >>> read_genes(np.repeat([True, False], 10))
    (15.0, -15.0)
    """
    share = bits.reshape(2, N_BITS) @ 2.0 ** np.arange(N_BITS)[::-1]
    share /= 2.0**N_BITS - 1.0
    bounds = (LOG2_C, LOG2_GAMMA)
    return tuple(float(low + s * (high - low)) for s, (low, high) in zip(share, bounds))


def _make_machine(log2_C, log2_gamma):
    """Return a machine that draws no numbers from the global random state."""
    return SVC(C=2.0**log2_C, gamma=2.0**log2_gamma, random_state=0)


class _TwoFoldErrors:
    """Two-fold errors of parameters, each evaluated once."""

    def __init__(self, X, label, weight, fold):
        self.X, self.label, self.weight, self.fold = X, label, weight, fold
        self.known = {}

    def __call__(self, log2_C, log2_gamma):
        key = log2_C, log2_gamma
        if key not in self.known:
            self.known[key] = self._evaluate(_make_machine(*key))
        return self.known[key]

    def _evaluate(self, machine):
        """Return the share of samples that the machine of the other fold gets wrong."""
        is_wrong = np.empty(len(self.label))
        for f in range(2):
            train, test = self.fold != f, self.fold == f
            guess = self._fit_and_predict(machine, train, self.X[test])
            is_wrong[test] = guess != self.label[test]
        return float(np.average(is_wrong, weights=self.weight))

    def _fit_and_predict(self, machine, train, X_new):
        label = self.label[train]
        if len(X_new) == 0 or len(label) == 0 or (label == label[0]).all():
            return np.full(len(X_new), label[0] if len(label) else -1)
        weight = None if self.weight is None else self.weight[train]
        return machine.fit(self.X[train], label, weight).predict(X_new)
