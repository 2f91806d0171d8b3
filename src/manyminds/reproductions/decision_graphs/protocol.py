"""Sets with many unequal classes, the methods of the paper, and F-scores by class."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import precision_recall_fscore_support
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import SVC

from manyminds.datasets import Dataset
from manyminds.ensemble import (
    DDAGKTIPCACClassifier,
    NestedDichotomiesClassifier,
    PairwiseCouplingClassifier,
    RandomForestClassifier,
)
from manyminds.experiments.measures import Fold
from manyminds.experiments.preparation import prepared
from manyminds.learners import KernelTIPCACClassifier
from manyminds.reproductions.published import Find
from manyminds.trees import DecisionTreeClassifier

MAX_ROWS = 1_000
MIN_OF_CLASS = 5
SHUFFLED = ", shuffled"  # end of the name of a set with shuffled labels
CLASS = "F of "  # start of the name of a value


@dataclass(frozen=True)
class PerClassMeasures:
    """F-scores of all classes, from the predictions of one cross-validation.

    Parameters
    ----------
    n_folds : int, default=5
    """

    n_folds: int = 5

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Return means weighted by the sizes of the classes, and each F-score."""
        y = np.asarray(fold.y_train)
        folds = StratifiedKFold(self.n_folds, shuffle=True, random_state=fold.seed)
        guess = cross_val_predict(estimator, fold.X_train, y, cv=folds)
        classes = np.unique(y)
        precision, recall, f, size = precision_recall_fscore_support(
            y, guess, labels=classes, zero_division=0
        )
        weighted = {
            "weighted_f": np.average(f, weights=size),
            "precision": np.average(precision, weights=size),
            "recall": np.average(recall, weights=size),
            "mean_f": f.mean(),
            "given_up": np.sum(f == 0.0),
        }
        named = {f"{CLASS}{one}": value for one, value in zip(classes, f)}
        return {name: float(value) for name, value in {**weighted, **named}.items()}


def make_methods() -> dict[str, Any]:
    """Return DDAG K-TIPCAC in two forms, and its competitors, not tuned."""
    printed = KernelTIPCACClassifier(tail="one", threshold="candidates")
    scaled = {
        "DDAG K-TIPCAC": DDAGKTIPCACClassifier(),
        "DDAG K-TIPCAC, as printed": DDAGKTIPCACClassifier(printed),
        "MCSVM": PairwiseCouplingClassifier(SVC(C=10.0), coupling="divergence"),
        "SVM, balanced": SVC(C=10.0, class_weight="balanced"),
    }
    tree = DecisionTreeClassifier(min_samples_leaf=2)
    forest = RandomForestClassifier(50, max_features=0.2)
    return {
        **{name: prepared(model, scale=True) for name, model in scaled.items()},
        "END": prepared(NestedDichotomiesClassifier(tree, 40)),
        "RF": prepared(forest),
    }


def load_unequal(find: Find, name: str) -> Dataset:
    """Load at most 1,000 rows without the smallest classes; shuffle, if so named."""
    data = find(name.removesuffix(SHUFFLED))
    y = np.asarray(data.y)
    if data.task == "regression":  # numbers of rings, which are classes here
        y = y.astype(np.int64)
        data = replace(data, y=y, task="classification")
    rows = keep_classes(y)
    data = data.take(rows)
    if not name.endswith(SHUFFLED):
        return data
    labels = np.random.default_rng(0).permutation(np.asarray(data.y))
    return replace(data, name=name, y=labels)


def keep_classes(y: NDArray[Any]) -> NDArray[np.intp]:
    """Draw 1,000 rows, and return those of classes with at least five of them.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.decision_graphs.protocol import keep_classes
    >>> y = np.repeat([0, 1, 2], [20, 5, 4])
    >>> np.bincount(y[keep_classes(y)]).tolist()
    [20, 5]
    """
    rows = np.sort(np.random.default_rng(0).permutation(len(y))[:MAX_ROWS])
    drawn = pd.Series(y[rows])
    size = drawn.map(drawn.value_counts()).to_numpy()
    return rows[size >= MIN_OF_CLASS]
