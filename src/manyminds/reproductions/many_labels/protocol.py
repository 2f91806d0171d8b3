"""Learners, measures and test sets of the comparison of learners of many labels."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.multioutput import ClassifierChain as TheirChain
from sklearn.multioutput import MultiOutputClassifier
from sklearn.tree import DecisionTreeClassifier as TheirTree

from manyminds import ensemble as ours
from manyminds.experiments.measures import Fold, predict_label_scores
from manyminds.experiments.preparation import prepared
from manyminds.experiments.splits import Split
from manyminds.kernels._jit import time_compiling
from manyminds.trees import DecisionTreeClassifier

# The first rows of a set are Mulan's training set.
TRAINING_ROWS = {
    "ml-emotions": (593, 391),
    "ml-enron": (1702, 1123),
    "ml-flags": (194, 129),
    "ml-genbase": (662, 463),
    "ml-scene": (2407, 1211),
    "ml-yeast": (2417, 1500),
}
N_MEMBERS = 10
NO_SKILL = "Most frequent values"


def make_learners() -> dict[str, Any]:
    """Return all learners of many labels, with decision trees as base learners."""
    tree = DecisionTreeClassifier()
    forest = ours.RandomForestClassifier()
    return {
        "BR": ours.BinaryRelevanceClassifier(tree),
        "CC": ours.ClassifierChain(tree, order="random"),
        "LP": ours.LabelPowersetClassifier(tree),
        "PS": ours.PrunedSetsClassifier(tree),
        "2BR": ours.StackedRelevanceClassifier(tree),
        "CLR": ours.CalibratedLabelRankingClassifier(tree),
        "EBR": ours.BaggedRelevanceClassifier(tree, N_MEMBERS),
        "ECC": ours.EnsembleOfChainsClassifier(tree, N_MEMBERS),
        "EPS": ours.EnsembleOfPrunedSetsClassifier(tree, N_MEMBERS),
        "RAkEL": ours.RAkELClassifier(tree),
        "RAkEL disjoint": ours.DisjointRAkELClassifier(tree),
        "HOMER": ours.HOMERClassifier(ours.BinaryRelevanceClassifier(tree)),
        "AdaBoost.MH": prepared(ours.AdaBoostMHClassifier()),
        "ML-kNN": prepared(ours.MLkNNClassifier(), scale=True),
        "BR of forests": ours.BinaryRelevanceClassifier(forest),
        "Forest of all labels": ours.MultiLabelForestClassifier(),
        NO_SKILL: prepared(DummyClassifier()),
    }


def make_pairs() -> dict[str, tuple[Any, Any]]:
    """Return our learner and a peer by name; trees are scikit-learn's in both."""
    tree = TheirTree()
    return {
        "BR": (ours.BinaryRelevanceClassifier(tree), MultiOutputClassifier(tree)),
        "CC": (ours.ClassifierChain(tree), TheirChain(tree)),
        "LP of scikit-multilearn": (
            ours.LabelPowersetClassifier(tree),
            Multilearn("LabelPowerset"),
        ),
        "RAkEL of scikit-multilearn": (
            ours.RAkELClassifier(tree),
            Multilearn("RakelO"),
        ),
        "ML-kNN of scikit-multilearn": (
            ours.MLkNNClassifier(),
            Multilearn("MLkNN"),
        ),
    }


class Multilearn(ClassifierMixin, BaseEstimator):
    """A learner of scikit-multilearn-ng, which need not be installed.

    Parameters
    ----------
    kind : {"LabelPowerset", "RakelO", "MLkNN"}
        Its class there.
    random_state : int or None, default=None
        Seed of the trees, and of the sets of labels, which it draws by NumPy's global
        generator.
    """

    def __init__(self, kind: str = "LabelPowerset", random_state: Any = None) -> None:
        self.kind = kind
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the learner; raise ImportError if it is not installed."""
        X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
        state = np.random.get_state()  # noqa: NPY002 - theirs draws by it
        np.random.seed(self.random_state)  # noqa: NPY002
        try:
            self.model_ = self._make(y.shape[1]).fit(X, y)
        finally:
            np.random.set_state(state)  # noqa: NPY002
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the predicted labels."""
        found = self.model_.predict(np.asarray(X, dtype=np.float64))
        found = found.toarray() if hasattr(found, "toarray") else np.asarray(found)
        return np.asarray(found, dtype=np.int64)

    def _make(self, n_labels: int) -> Any:
        from skmultilearn import adapt
        from skmultilearn import ensemble as ensembles
        from skmultilearn import problem_transform as transform

        tree, dense = TheirTree(random_state=self.random_state), [True, True]
        if self.kind == "MLkNN":
            return adapt.MLkNN(k=10)
        if self.kind == "RakelO":
            return ensembles.RakelO(
                base_classifier=tree,
                base_classifier_require_dense=dense,
                labelset_size=3,
                model_count=2 * n_labels,
            )
        kind = getattr(transform, self.kind)
        return kind(classifier=tree, require_dense=dense)


@dataclass(frozen=True)
class LabelMeasures:
    """Measure predicted labels, their scores if there are any, and the time."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit an estimator, and measure it on the test samples."""
        X, truth = fold.X_test, np.asarray(fold.y_test)
        started, scores = time.perf_counter(), None
        with time_compiling() as compiling:
            estimator.fit(fold.X_train, fold.y_train.to_numpy())
            predicted = np.asarray(estimator.predict(X)).reshape(truth.shape)
        seconds = time.perf_counter() - started - compiling.seconds
        if hasattr(estimator, "predict_proba"):
            scores = predict_label_scores(estimator, X)
        measured = ours.measure_labels(truth, predicted, scores)
        return {**measured, "seconds": seconds}


@dataclass(frozen=True)
class MulanSplit:
    """Mulan's training and test set: the first rows, and the rest."""

    def __len__(self) -> int:
        return 1

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the only split; a set is known by its number of rows."""
        n_train = dict(TRAINING_ROWS.values())[len(y)]
        yield Split(0, 0, np.arange(n_train), np.arange(n_train, len(y)))

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {"kind": "mulan", "rows": [list(one) for one in TRAINING_ROWS.values()]}
