"""How filters by entropy are counted, and what they lose is judged."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from manyminds.ensemble import BaggingClassifier
from manyminds.experiments.measures import Fold
from manyminds.trees import DecisionTreeClassifier


@dataclass(frozen=True)
class CountSelected:
    """The number of features that a selector keeps."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the selector."""
        estimator.fit(fold.X_train, fold.y_train)
        return {"n_selected": float(estimator.get_support().sum())}


@dataclass(frozen=True)
class FilteredErrors:
    """Errors of three learners on the features that a selector keeps.

    If a selector keeps nothing, its best feature is taken. Learners are naive Bayes
    with normal densities, a tree that splits by entropy down to two samples, and 25
    such trees on bootstrap samples.
    """

    n_members: int = 25

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the selector, then the learners; predict the test samples."""
        X, y = fold.X_train.to_numpy(), fold.y_train
        estimator.fit(X, y)
        kept = estimator.get_support(indices=True)
        if len(kept) == 0:
            kept = [int(np.argmax(estimator.scores_))]
        X, X_test = X[:, kept], fold.X_test.to_numpy()[:, kept]
        values = {"n_selected": float(len(kept))}
        for name, learner in self._make_learners(fold.seed).items():
            answer = learner.fit(X, y).predict(X_test)
            values[name] = float(np.mean(answer != fold.y_test))
        return values

    def _make_learners(self, seed: int) -> dict[str, Any]:
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
        bagging = BaggingClassifier(clone(tree), self.n_members, random_state=seed)
        tree.set_params(random_state=seed)
        return {"naive_bayes": GaussianNB(), "tree": tree, "bagging": bagging}
