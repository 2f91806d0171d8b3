"""What is measured on a fold: by default, the scores of a fitted estimator."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import check_scoring, get_scorer, get_scorer_names

from manyminds.datasets import Dataset
from manyminds.ensemble import measure_labels
from manyminds.experiments.splits import Split
from manyminds.utils.errors import InputError, Parameter, ParameterError
from manyminds.utils.tables import take_rows
from manyminds.utils.text import hint_at

# scikit-learn turns losses round so that more is better; people read them as they are.
LOSSES = {
    "rmse": "neg_root_mean_squared_error",
    "mse": "neg_mean_squared_error",
    "mae": "neg_mean_absolute_error",
    "log_loss": "neg_log_loss",
    "brier": "neg_brier_score",
}
# As a search names them: of classes, one against the rest, and of many labels.
SHORT, LABEL_SHORT = {"auc": "roc_auc_ovr"}, {"auc": "macro_auc"}
# Of many labels, by `measure_labels`: of predicted labels, then of their scores.
SET_METRICS = (
    "hamming_loss", "subset_accuracy", "jaccard", "precision", "recall", "f1",
    "micro_f1", "macro_f1",
)  # fmt: skip
SCORE_METRICS = (
    "micro_auc", "macro_auc", "ranking_loss", "one_error", "coverage",
    "average_precision",
)  # fmt: skip
LABEL_METRICS = (*SET_METRICS, *SCORE_METRICS)
LABEL_LOSSES = ("hamming_loss", "ranking_loss", "one_error", "coverage")


@dataclass(frozen=True)
class Fold:
    """A data set split into training and test samples, and a seed for random draws.

    Parameters
    ----------
    data : Dataset
    split : Split
    seed : int
    """

    data: Dataset
    split: Split
    seed: int

    @property
    def X_train(self) -> Any:
        """Features to train on."""
        return take_rows(self.data.X, self.split.train)

    @property
    def y_train(self) -> Any:
        """Target to train on."""
        return take_rows(self.data.y, self.split.train)

    @property
    def X_test(self) -> Any:
        """Features to test on."""
        return take_rows(self.data.X, self.split.test)

    @property
    def y_test(self) -> Any:
        """Target to test on."""
        return take_rows(self.data.y, self.split.test)


Measure = Callable[[Any, Fold], Mapping[str, float]]


@dataclass(frozen=True)
class Scores:
    """Fit on the training samples, score on the test samples.

    Parameters
    ----------
    metrics : tuple of str
        Names of scikit-learn's scorers, or ``"rmse"``, ``"mse"``, ``"mae"``,
        ``"log_loss"`` and ``"brier"`` for losses as they are, less being better, or
        ``"auc"``: the mean area under the curve of a class and the rest. Of many
        labels, those of `manyminds.ensemble.measure_labels` too.

    Examples
    --------
    >>> from manyminds.experiments import Scores
    >>> Scores(("accuracy", "rmse")).metrics
    ('accuracy', 'rmse')
    >>> Scores(("acuracy",))
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.InputError: metrics has 'acuracy', which is no metric; did
    you mean 'accuracy'?
    """

    metrics: tuple[str, ...] = ("accuracy",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "metrics", tuple(self.metrics))
        if not self.metrics:
            raise InputError("metrics is empty; it takes names such as 'accuracy'.")
        for metric in self.metrics:
            _check_metric(metric)

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit ``estimator`` and return its score by each metric."""
        estimator.fit(fold.X_train, fold.y_train)
        of_labels: tuple[str, ...] = ()
        if fold.data.task == "multilabel":
            known = (*LABEL_METRICS, *LABEL_SHORT)
            of_labels = tuple(one for one in self.metrics if one in known)
        measured = _measure_labels(estimator, fold, of_labels) if of_labels else {}
        others = tuple(one for one in self.metrics if one not in of_labels)
        if others:
            measured |= self._make_scorer(others)(estimator, fold.X_test, fold.y_test)
        return {
            metric: -float(measured[metric])
            if metric in LOSSES
            else float(measured[metric])
            for metric in self.metrics
        }

    @staticmethod
    def _make_scorer(metrics: tuple[str, ...]) -> Any:
        known = LOSSES | SHORT
        names = {metric: known.get(metric, metric) for metric in metrics}
        scorers = {metric: get_scorer(name) for metric, name in names.items()}
        return check_scoring(scoring=scorers)


def higher_is_better(metric: str) -> bool:
    """Return whether more of a metric is better.

    Parameters
    ----------
    metric : str
        A name as `Scores` takes it; any other name counts as a score.

    Returns
    -------
    better : bool

    Examples
    --------
    >>> from manyminds.experiments import higher_is_better
    >>> higher_is_better("accuracy"), higher_is_better("rmse")
    (True, False)
    """
    return metric not in LOSSES and metric not in LABEL_LOSSES


def check_task_metrics(metrics: Iterable[str], task: str) -> None:
    """Raise if a metric is for many labels, and the target is not.

    Parameters
    ----------
    metrics : iterable of str
        Names as `Scores` takes them.
    task : {"classification", "regression", "multilabel"}
    """
    if task == "multilabel":
        return
    for metric in metrics:
        if metric in LABEL_METRICS and metric not in get_scorer_names():
            raise ParameterError(
                "metric", metric, "a metric of one target; this one is of many labels"
            )


def predict_label_scores(model: Any, X: Any) -> np.ndarray:
    """Return the scores of labels by a fitted classifier of many labels.

    Parameters
    ----------
    model : estimator
        With ``predict_proba``, which returns a matrix, or, as in scikit-learn, a list
        of one matrix for each label.
    X : table of shape (n_samples, n_features)

    Returns
    -------
    scores : ndarray of shape (n_samples, n_labels)

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from manyminds.experiments.measures import predict_label_scores
    >>> model = DummyClassifier().fit([[0], [0]], [[1, 0], [1, 1]])
    >>> predict_label_scores(model, [[0]])
    array([[1. , 0.5]])
    """
    made = model.predict_proba(X)
    if not isinstance(made, list):
        return np.asarray(made, dtype=np.float64)
    columns = [
        (np.asarray(of_label) * (np.asarray(classes) == 1)).sum(axis=1)
        for of_label, classes in zip(made, model.classes_)
    ]
    return np.column_stack(columns)


def _measure_labels(
    estimator: Any, fold: Fold, metrics: tuple[str, ...]
) -> dict[str, float]:
    """Measure the labels that a fitted estimator predicts of the test samples."""
    X, truth = fold.X_test, np.asarray(fold.y_test)
    names = {metric: LABEL_SHORT.get(metric, metric) for metric in metrics}
    predicted = scores = None
    if any(one in SET_METRICS for one in metrics):
        predicted = np.asarray(estimator.predict(X)).reshape(truth.shape)
    if any(one in SCORE_METRICS for one in names.values()):
        scores = predict_label_scores(estimator, X)
    measured = measure_labels(truth, predicted, scores)
    return {metric: measured[name] for metric, name in names.items()}


def _check_metric(metric: str) -> None:
    known = [*LOSSES, *SHORT, *LABEL_METRICS, *get_scorer_names()]
    if metric not in known:
        hint = hint_at(metric, known)
        raise InputError(
            Parameter("metrics"), f" has {metric!r}, which is no metric; {hint}"
        )
