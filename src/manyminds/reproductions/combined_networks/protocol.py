"""The protocol of the paper: structure from a first study, subject-wise folds."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import roc_auc_score, roc_curve

from manyminds._compat import split_stratified_groups
from manyminds.datasets import Dataset, from_arrays, make_visual_field_study
from manyminds.experiments.measures import Fold
from manyminds.networks import (
    AnnealingSearch,
    BayesianNetworkClassifier,
    CombinedNetworksClassifier,
    ExpertNetworkClassifier,
)

N_FOLDS = {"cross_sectional": 3, "longitudinal": 6, "null": 6}
MAX_FALSE_RATE = 0.1  # 90 % specificity
SUBJECT = "subject"
DATA, EXPERT = "data-driven", "expert"
COMBINED = {"vote": "weighted vote", "table": "table", "mean": "mean of both"}
COUNTS = "table, counts smoothed"


def load_study(kind: str, number: int) -> Dataset:
    """Draw a study; its subjects are a column that the protocol takes away.

    Parameters
    ----------
    kind : {"cross_sectional", "longitudinal", "null"}
        "null": longitudinal, with the labels of subjects shuffled among them.
    number : int
        Seed.

    Returns
    -------
    data : Dataset
    """
    drawn = "longitudinal" if kind == "null" else kind
    study = make_visual_field_study(drawn, random_state=number)
    target = study.target
    if kind == "null":
        first = np.unique(study.subject, return_index=True)[1]
        shuffled = np.random.RandomState(number).permutation(target[first])
        target = shuffled[study.subject]
    X = study.data.assign(**{SUBJECT: study.subject})
    return from_arrays(X, target, task="classification", name=f"{kind} {number}")


def make_methods() -> dict[str, Any]:
    """Return the two networks and their combinations."""
    study = make_visual_field_study(random_state=0)
    expert = ExpertNetworkClassifier(
        study.expert_arcs, anchor_feature="field_2", anchor_sign=-1, n_init=3
    )
    data = BayesianNetworkClassifier([])
    combined = {
        name: CombinedNetworksClassifier(
            data, expert, combiner=combiner, smooth="probabilities"
        )
        for combiner, name in COMBINED.items()
    }
    counts = CombinedNetworksClassifier(data, expert, smooth="counts")
    return {DATA: data, EXPERT: expert, **combined, COUNTS: counts}


@cache
def learn_arcs(number: int) -> tuple[tuple[str, str], ...]:
    """Return the arcs that annealing finds among the controls of the first study."""
    study = make_visual_field_study(random_state=number)
    search = AnnealingSearch(random_state=number)
    return tuple(search.fit(study.data[study.target == 0]).arcs_)


@dataclass(frozen=True)
class StudyScores:
    """Score a method on a study, in folds that keep the visits of a subject together.

    Values are the mean AUROC over the folds, and errors per 100 rows, added over the
    folds: at the threshold of maximum accuracy on the test rows, as in the paper, and
    at 90 % specificity.
    """

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit and score in each fold of the study."""
        X, y = fold.X_train, np.asarray(fold.y_train)
        subject, X = X[SUBJECT].to_numpy(), X.drop(columns=SUBJECT)
        kind, _, number = fold.data.name.partition(" ")
        arcs = list(learn_arcs(int(number)))
        folds = split_stratified_groups(y, subject, N_FOLDS[kind], int(number))
        areas, errors = [], np.zeros(2)
        for train, test in folds:
            model = _with_arcs(estimator, arcs)
            model.fit(X.iloc[train], y[train])
            p = model.predict_proba(X.iloc[test])[:, 1]
            areas.append(roc_auc_score(y[test], p))
            errors += count_errors(y[test], p)
        best, specific = 100.0 * errors / len(y)
        return {
            "auroc": float(np.mean(areas)),
            "errors": float(best),
            "errors_at_90": float(specific),
        }


def _with_arcs(estimator: Any, arcs: list[tuple[str, str]]) -> Any:
    """Return a clone whose data-driven network has the arcs."""
    model = clone(estimator)
    for name in ("structure", "first__structure"):
        if name in model.get_params(deep=True):
            model.set_params(**{name: arcs})
    return model


def count_errors(y: np.ndarray, p: np.ndarray) -> tuple[float, float]:
    """Return the fewest errors over all thresholds, and those at 90 % specificity.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reproductions.combined_networks.protocol import count_errors
    >>> y, p = np.array([0, 0, 1, 1]), np.array([0.1, 0.6, 0.4, 0.9])
    >>> count_errors(y, p)
    (1.0, 1.0)
    """
    false_rate, true_rate, _ = roc_curve(y, p, drop_intermediate=False)
    errors = false_rate * (y == 0).sum() + (1.0 - true_rate) * (y == 1).sum()
    specific = errors[false_rate <= MAX_FALSE_RATE + 1e-9]
    return float(errors.min()), float(specific.min())
