"""The splits, the measures and the forest of the paper on Fitselect."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import f1_score, recall_score, roc_auc_score

from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split

# The class whose recall and F the paper printed, by the sizes of its test halves.
POSITIVE = {
    "musk1": "1",
    "haberman": "2",
    "leukemia": "AML",
    "madelon": "1",
    "diabetes": "tested_positive",
    "spambase": "1",
    "wdbc": "B",
}


@dataclass(frozen=True)
class Halves:
    """Random halves by class; of an odd number of rows, the test half has one more.

    Parameters
    ----------
    n_repeats : int, default=20
        Number of splits.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.fitselect.protocol import Halves
    >>> y = np.repeat(["died", "lives"], [81, 225])
    >>> half = next(Halves(1).split(y, stratified=True))
    >>> len(half.test), int((y[half.test] == "died").sum())
    (154, 41)
    """

    n_repeats: int = 20

    def __len__(self) -> int:
        return self.n_repeats

    def split(self, y: Any, stratified: bool) -> Iterator[Split]:
        """Return the splits of as many samples as ``y`` has."""
        labels = np.unique(np.asarray(y), return_inverse=True)[1]
        for repeat in range(self.n_repeats):
            order = np.random.RandomState(repeat).permutation(len(labels))
            is_test = np.zeros(len(labels), dtype=bool)
            for label in range(labels.max() + 1):
                rows = order[labels[order] == label]
                is_test[rows[: (len(rows) + 1) // 2]] = True
            yield Split(repeat, 0, np.flatnonzero(~is_test), np.flatnonzero(is_test))

    def describe(self) -> dict[str, Any]:
        """Return what the indices depend on besides the data."""
        return {"kind": "halves by class"}


@dataclass(frozen=True)
class PruningMeasures:
    """Accuracy, recall, F, area under the ROC curve, and the number of trees."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the ensemble; measure it on the test samples."""
        estimator.fit(fold.X_train, fold.y_train)
        positive = POSITIVE[fold.data.name]
        truth = np.asarray(fold.y_test).astype(str) == positive
        p = estimator.predict_proba(fold.X_test)
        place = estimator.classes_.astype(str).tolist().index(positive)
        found = p.argmax(axis=1) == place
        kept = getattr(estimator, "selected_members_", None)
        return {
            "accuracy": float(np.mean(found == truth)),
            "recall": float(recall_score(truth, found)),
            "f": float(f1_score(truth, found)),
            "auc": float(roc_auc_score(truth, p[:, place])),
            "n_trees": float(estimator.n_estimators if kept is None else len(kept)),
        }


class VotingForest(RandomForestClassifier):
    """A random forest whose trees vote for one class each, as Breiman's do."""

    def __init__(self, n_estimators: int = 500, *, random_state: Any = None) -> None:
        super().__init__(n_estimators, random_state=random_state)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the shares of the votes."""
        votes = np.searchsorted(self.classes_, self.predict_all(X))
        return np.stack(
            [np.mean(votes == c, axis=0) for c in range(len(self.classes_))], axis=1
        )
