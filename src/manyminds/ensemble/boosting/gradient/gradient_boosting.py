"""Gradient boosting: trees grown on the gradients of a loss, round after round."""

from numbers import Real

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.boosting.gradient._parameters import PARAGRAPHS
from manyminds.ensemble.boosting.gradient.base import GradientBoosting
from manyminds.ensemble.boosting.gradient.losses import (
    check_targets,
    find_baseline,
    link_inverse,
)
from manyminds.trees.base import TreeClassifierMixin, TreeRegressorMixin
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class GradientBoostingClassifier(TreeClassifierMixin, GradientBoosting):
    """Classify by a sum of trees, each grown on the gradients of the log loss.

    Every round adds a tree for each class (one in all for two classes), grown best leaf
    first on binned columns [1]_ [2]_. Numbers, missing values and categories need no
    preprocessing. Parameters that scikit-learn's ``HistGradientBoostingClassifier`` has
    mean the same here. By default, the number of rounds is found by cross-validation
    on tables of up to 5,000 rows, and on a tenth of the rows of larger ones.

    Parameters
    ----------
    loss : {"log_loss"}, default="log_loss"
        What the trees decrease.
    {growth}
    {columns}
    {stopping}
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes. "balanced": inversely to their frequency.
    {run}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_classes_ : int
        How many there are.
    {attributes}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.ensemble import GradientBoostingClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GradientBoostingClassifier(random_state=0)
    >>> bool(cross_val_score(model, X, y).mean() > 0.95)
    True
    """

    _parameter_constraints = {
        **GradientBoosting._parameter_constraints,
        "loss": [StrOptions({"log_loss"})],
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }

    def __init__(
        self,
        loss="log_loss",
        *,
        learning_rate="auto",
        max_iter="auto",
        max_leaf_nodes=31,
        max_depth=None,
        min_samples_leaf=20,
        min_sum_hessian=1e-3,
        l2_regularization=1.0,
        min_gain=0.0,
        max_features=0.5,
        max_features_tree=None,
        subsample=0.8,
        sampling="without_replacement",
        random_thresholds=False,
        symmetric=False,
        monotonic_cst=None,
        interaction_cst=None,
        max_bins=255,
        categorical_features="from_dtype",
        categorical_smoothing=10.0,
        min_samples_level="auto",
        early_stopping="auto",
        validation_fraction=0.1,
        cv="auto",
        n_iter_no_change=20,
        tol=1e-7,
        refit="replay",
        max_seconds=None,
        class_weight=None,
        warm_start=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.loss = loss
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_sum_hessian = min_sum_hessian
        self.l2_regularization = l2_regularization
        self.min_gain = min_gain
        self.max_features = max_features
        self.max_features_tree = max_features_tree
        self.subsample = subsample
        self.sampling = sampling
        self.random_thresholds = random_thresholds
        self.symmetric = symmetric
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.categorical_smoothing = categorical_smoothing
        self.min_samples_level = min_samples_level
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.cv = cv
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.refit = refit
        self.max_seconds = max_seconds
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _choose_loss(self, y):
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes or more; y has only one "
                f"class, {self.classes_.tolist()[0]!r}."
            )
        return "log_loss" if len(self.classes_) == 2 else "softmax"

    def _find_baseline(self, loss, y, weights):
        return find_baseline(loss, y, weights, 0.5, len(self.classes_))

    def _weigh_samples(self, y, sample_weight):
        return self._weigh_classes(y, sample_weight, self.class_weight)

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {predict_table}
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        raw = self._predict_raw(X)
        return link_inverse(self._loss, raw)

    def decision_function(self, X):
        """Return the raw predictions: sums of the trees.

        {predict_table}
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Log-odds of the second class; with more classes, logarithms of probabilities
            up to a constant.
        """
        raw = self._predict_raw(X)
        return raw[:, 0] if raw.shape[1] == 1 else raw

    def staged_predict_proba(self, X):
        """Predict probabilities after each round.

        {predict_staged}
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        for raw in self._stage_raw(X):
            yield link_inverse(self._loss, raw)

    def staged_predict(self, X):
        """Predict classes after each round.

        {predict_staged}
        y : ndarray of shape (n_samples,)
        """
        for probabilities in self.staged_predict_proba(X):
            yield self.classes_.take(probabilities.argmax(axis=1))


@fill_docstring(**PARAGRAPHS)
class GradientBoostingRegressor(TreeRegressorMixin, GradientBoosting):
    """Predict a number by a sum of trees, each grown on the gradients of a loss.

    Every round adds a tree, grown best leaf first on binned columns [1]_ [2]_. Numbers,
    missing values and categories need no preprocessing. Parameters that scikit-learn's
    ``HistGradientBoostingRegressor`` has mean the same here. By default, the number of
    rounds is found by cross-validation on tables of up to 5,000 rows, and on a tenth of
    the rows of larger ones.

    Parameters
    ----------
    loss : {"squared_error", "absolute_error", "quantile", "huber", "poisson", \
"gamma"}, default="squared_error"
        What the trees decrease. "poisson" and "gamma" predict through a logarithm.
        Huber's loss is squared up to the ``quantile`` of absolute residuals, found
        anew in each round, and linear beyond.
    quantile : float, default=None
        Level of the quantile that loss="quantile" predicts; share of the residuals that
        loss="huber" squares (None: 0.9).
    {growth}
    linear_leaves : bool, default=False
        Fit a ridge regression on the columns of its path in each leaf, with
        ``l2_regularization`` as penalty. For squared error; slower.
    {columns}
    {stopping}
    {run}

    Attributes
    ----------
    {attributes}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.ensemble import GradientBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = GradientBoostingRegressor(random_state=0)
    >>> bool(cross_val_score(model, X, y).mean() > 0.38)
    True
    """

    _parameter_constraints = {
        **GradientBoosting._parameter_constraints,
        "loss": [
            StrOptions(
                {
                    "squared_error",
                    "absolute_error",
                    "quantile",
                    "huber",
                    "poisson",
                    "gamma",
                }
            )
        ],
        "quantile": [Interval(Real, 0.0, 1.0, closed="both"), None],
        "linear_leaves": ["boolean"],
    }

    def __init__(
        self,
        loss="squared_error",
        *,
        quantile=None,
        learning_rate="auto",
        max_iter="auto",
        max_leaf_nodes=31,
        max_depth=None,
        min_samples_leaf=20,
        min_sum_hessian=1e-3,
        l2_regularization=1.0,
        min_gain=0.0,
        max_features=0.5,
        max_features_tree=None,
        subsample=0.8,
        sampling="without_replacement",
        random_thresholds=False,
        symmetric=False,
        monotonic_cst=None,
        interaction_cst=None,
        linear_leaves=False,
        max_bins=255,
        categorical_features="from_dtype",
        categorical_smoothing=10.0,
        min_samples_level="auto",
        early_stopping="auto",
        validation_fraction=0.1,
        cv="auto",
        n_iter_no_change=20,
        tol=1e-7,
        refit="replay",
        max_seconds=None,
        warm_start=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.loss = loss
        self.quantile = quantile
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_sum_hessian = min_sum_hessian
        self.l2_regularization = l2_regularization
        self.min_gain = min_gain
        self.max_features = max_features
        self.max_features_tree = max_features_tree
        self.subsample = subsample
        self.sampling = sampling
        self.random_thresholds = random_thresholds
        self.symmetric = symmetric
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.linear_leaves = linear_leaves
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.categorical_smoothing = categorical_smoothing
        self.min_samples_level = min_samples_level
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.cv = cv
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.refit = refit
        self.max_seconds = max_seconds
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @property
    def _level(self):
        """Level of the quantile, or of the residuals that are squared."""
        if self.quantile is not None:
            return self.quantile
        return 0.9

    def _choose_loss(self, y):
        if self.loss == "quantile" and self.quantile is None:
            raise ValueError("loss='quantile' needs quantile, a number from 0 to 1.")
        if self.linear_leaves and self.loss != "squared_error":
            raise ValueError(
                f"linear_leaves=True needs loss='squared_error'; got {self.loss!r}."
            )
        if self.linear_leaves and self.monotonic_cst is not None:
            raise ValueError("monotonic_cst is not supported with linear_leaves=True.")
        check_targets(self.loss, y)
        return self.loss

    def _find_baseline(self, loss, y, weights):
        return find_baseline(loss, y, weights, self._level)

    def predict(self, X):
        """Predict the target of each row of X.

        {predict_table}
        y : ndarray of shape (n_samples,)
        """
        raw = self._predict_raw(X)
        return link_inverse(self._loss, raw)

    def staged_predict(self, X):
        """Predict targets after each round.

        {predict_staged}
        y : ndarray of shape (n_samples,)
        """
        for raw in self._stage_raw(X):
            yield link_inverse(self._loss, raw)
