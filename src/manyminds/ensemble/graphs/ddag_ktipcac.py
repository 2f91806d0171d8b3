"""DDAG K-TIPCAC: a decision graph of kernel learners in the Fisher subspace."""

from numbers import Integral

from sklearn.preprocessing import StandardScaler

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.graphs._parameters import PARAGRAPHS
from manyminds.ensemble.graphs.base import PairwiseClassifier
from manyminds.ensemble.graphs.decision_dag import DecisionDAGClassifier, read_order
from manyminds.learners import FisherSubspace, KernelTIPCACClassifier
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import PLATT_2000, ROZZA_2010, cite


@fill_docstring(**PARAGRAPHS, references=cite(ROZZA_2010, PLATT_2000))
class DDAGKTIPCACClassifier(PairwiseClassifier):
    """Classify many classes by a decision graph in their Fisher subspace.

    The samples are projected on the span of the class means after partial whitening
    (`FisherSubspace`), one dimension fewer than there are classes. There a kernel
    learner separates each pair of classes (`KernelTIPCACClassifier`), and a decision
    graph combines the pairs (`DecisionDAGClassifier`) [1]_ [2]_.

    Parameters
    ----------
    estimator : classifier, default=None
        Estimator to clone for each pair of classes; None: `KernelTIPCACClassifier`.
    n_components : int, "log2" or None, default="log2"
        Number of whitened components; see `FisherSubspace`.
    scale : {"standard"} or None, default=None
        Whether to standardize the features first. The components to whiten depend on
        it, unless all are whitened.
    {order}
    {run}

    Attributes
    ----------
    {members}
    scaler_ : StandardScaler or None
        The scaler of the features.
    subspace_ : FisherSubspace
        The projection.
    graph_ : DecisionDAGClassifier
        The graph, on projected samples.
    {class_names}

    Notes
    -----
    A weight of two is equivalent to two samples.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from manyminds.ensemble import DDAGKTIPCACClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> model = DDAGKTIPCACClassifier().fit(X[::2], y[::2])
    >>> model.subspace_.basis_.shape, len(model.estimators_)
    ((64, 9), 45)
    >>> print(model.score(X[1::2], y[1::2]) > 0.94)
    True
    """

    _parameter_constraints = {
        **DecisionDAGClassifier._parameter_constraints,
        "n_components": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({"log2"}),
            None,
        ],
        "scale": [StrOptions({"standard"}), None],
    }

    def __init__(
        self,
        estimator=None,
        *,
        n_components="log2",
        scale=None,
        class_order="sorted",
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_components = n_components
        self.scale = scale
        self.class_order = class_order
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _base(self):
        return KernelTIPCACClassifier() if self.estimator is None else self.estimator

    def fit(self, X, y, sample_weight=None):
        """Find the subspace, and fit a member to each pair of classes in it.

        {fit_pairs}
        """
        self._validate_params()
        X, label, weight = self._read_training_set(X, y, sample_weight)
        order = read_order(self.class_order, self.classes_)

        self.scaler_ = None
        if self.scale is not None:
            self.scaler_ = StandardScaler().fit(X, sample_weight=weight)
        X = self._scale(X)
        self.subspace_ = FisherSubspace(self.n_components)
        self.subspace_.fit(X, label, sample_weight=weight)
        self.graph_ = DecisionDAGClassifier(
            self._base,
            class_order=order,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        ).fit(self.subspace_.transform(X), label, sample_weight=weight)
        self.estimators_, self.pairs_ = self.graph_.estimators_, self.graph_.pairs_
        return self

    def predict(self, X):
        """Predict the class of each row of X.

        {classify_rows}
        y : ndarray of shape (n_samples,)
            The class that is not excluded.
        """
        Z = self._project(X)
        return self.classes_[self.graph_.predict(Z)]

    def decision_path(self, X):
        """Return the decisions that lead to the class of each row of X.

        {classify_rows}
        path : ndarray of shape (n_samples, n_classes - 1, 2)
            Labels of the winner and of the loser of each decision.
        """
        Z = self._project(X)
        return self.classes_[self.graph_.decision_path(Z)]

    def _project(self, X):
        """Check samples to predict; return their coordinates in the subspace."""
        X = self._read_table(X)
        return self.subspace_.transform(self._scale(X))

    def _scale(self, X):
        return X if self.scaler_ is None else self.scaler_.transform(X)
