"""Score stored predictions by any of scikit-learn's metrics."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer

from manyminds.experiments.measures import LOSSES, Scores, check_task_metrics
from manyminds.search.evaluation.rates import DECISION_SCORES
from manyminds.utils.errors import ParameterError

__all__ = [
    "Folds",
    "PredictionScorer",
    "nan_mean",
    "predict_class_probabilities",
    "score_area",
]

Folds = Sequence[tuple[np.ndarray, np.ndarray]]

SHORT = {
    "auc": "roc_auc_ovr",
    "balanced_error": "balanced_accuracy",
}
DEFAULTS = {"classification": "accuracy", "regression": "rmse"}
# Ranges of scikit-learn's scores, by what their names begin with.
RANGES = (
    (("neg_",), (-np.inf, 0.0)),
    (("r2", "explained_variance", "d2_"), (-np.inf, 1.0)),
    (("matthews_corrcoef",), (-1.0, 1.0)),
    (
        ("accuracy", "balanced_accuracy", "top_k_accuracy", "auc", "roc_auc", "f1",
         "precision", "recall", "jaccard", "average_precision"),
        (0.0, 1.0),
    ),
)  # fmt: skip


class PredictionScorer:
    """Score stored predictions; more is better.

    Predictions are class probabilities of shape (n_samples, n_classes), or numbers of
    shape (n_samples,). The target is codes of the classes, or numbers.

    Parameters
    ----------
    metric : str or callable
        "auc", "rmse", "log_loss", the name of a scorer of scikit-learn or a scorer.
        "f1" stands for "f1_macro", in which no class is the positive one.
    task : {"classification", "regression"}
    classes : ndarray, default=None
        Labels of the codes.

    Attributes
    ----------
    name : str
        Name of the metric, for display.
    sign : int
        -1 for a loss: ``sign * score`` is displayed.
    """

    is_weighted = False  # whether rows have weights that are not counts

    def __init__(
        self, metric: Any, task: str, classes: np.ndarray | None = None
    ) -> None:
        metric = DEFAULTS[task] if metric == "auto" else metric
        self.task, self.classes = task, classes
        metric = "f1_macro" if metric == "f1" else metric
        if isinstance(metric, str):
            check_task_metrics([metric], task)
        self.name = metric if isinstance(metric, str) else _name_of(metric)
        self.sign = -1 if self.name in LOSSES or self.name == "balanced_error" else 1
        self.kind = _known_as(metric, _count(classes))
        self._scorer = metric if callable(metric) else get_scorer(_look_up(self.kind))
        if self.name == "balanced_error":
            self.kind = "balanced_accuracy"

    def __call__(
        self,
        predictions: np.ndarray,
        y: np.ndarray,
        sample_weight: np.ndarray | None = None,
    ) -> float:
        """Score the predictions of rows.

        Parameters
        ----------
        predictions : ndarray of shape (n_samples,) or (n_samples, n_classes)
        y : ndarray of shape (n_samples,)
            Codes of the classes, or numbers.
        sample_weight : ndarray of shape (n_samples,), default=None
            Of a scorer of scikit-learn used only if ``is_weighted``.

        Returns
        -------
        score : float
            More is better; losses are negated. NaN if the rows lack a class that the
            score needs.
        """
        if self.needs_all_classes and len(np.unique(y)) < _count(self.classes):
            return np.nan
        if self.kind in _MEANS or self.kind in _CLASS_MEANS:
            weights = np.ones(len(y)) if sample_weight is None else sample_weight
            scores = self.score_weighted(predictions[None], y, weights[None])
            return float(scores[0, 0])
        recorded: Any
        if self.task == "regression":
            recorded, target = _RecordedNumbers(predictions), y
        else:
            assert self.classes is not None
            recorded = _RecordedClasses(predictions, self.classes)
            target = self.classes[y]
        rows = np.arange(len(y))[:, None]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedMetricWarning)
                return float(
                    self._scorer(recorded, rows, target, **self._pass_on(sample_weight))
                )
        except ValueError:
            if self.classes is None or len(np.unique(y)) == len(self.classes):
                raise
            return np.nan  # the score needs all classes

    def score_weighted(
        self, predictions: np.ndarray, y: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Score several models on several weightings of the rows at once.

        Parameters
        ----------
        predictions : ndarray of shape (n_models, n_samples[, n_classes])
        y : ndarray of shape (n_samples,)
        weights : ndarray of shape (n_weightings, n_samples)
            How often each row counts, such as in a bootstrap sample.

        Returns
        -------
        scores : ndarray of shape (n_weightings, n_models)
            A class without weight is left out of the mean over classes; NaN where
            nothing is left.
        """
        if self.kind in _CLASS_MEANS:
            return nan_mean(self.score_terms(predictions, y, weights), 0)
        if self.kind in _MEANS:
            return np.asarray(_MEANS[self.kind](predictions, y, weights))
        return self.score_repeated(predictions, y, weights)

    def score_repeated(
        self, predictions: np.ndarray, y: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Score models one by one, with each row as often, or as much, as it counts.

        Parameters
        ----------
        predictions, y, weights
            As for ``score_weighted``.

        Returns
        -------
        scores : ndarray of shape (n_weightings, n_models)
        """
        scores = np.empty((len(weights), len(predictions)))
        for b, counts in enumerate(weights):
            n_times = counts > 0 if self.is_weighted else counts
            rows = np.repeat(np.arange(len(y)), n_times.astype(np.int64))
            for c, made in enumerate(predictions):
                scores[b, c] = self(made[rows], y[rows], counts[rows])
        return scores

    def require_weights(self) -> None:
        """Let rows have weights; raise if the metric does not take them."""
        self.is_weighted = True
        if self._scorer is None or self.kind in _MEANS or self.kind in _CLASS_MEANS:
            return
        n = max(2, _count(self.classes))
        made: np.ndarray = np.eye(n)
        y = {"classification": np.arange(n), "multilabel": np.eye(n, dtype=int)}.get(
            self.task, made[0]
        )
        made = made[0] if self.task == "regression" else made
        try:
            self(made, y, np.ones(n))
        except TypeError as error:
            takes = "a metric that takes sample weights, as the rows have weights"
            raise ParameterError("metric", self.name, takes) from error
        except ValueError:  # of so few rows
            return

    def _pass_on(self, sample_weight: np.ndarray | None) -> dict[str, np.ndarray]:
        """Return the weights as a scorer of scikit-learn takes them, if any."""
        if sample_weight is None or not self.is_weighted:
            return {}
        return {"sample_weight": sample_weight}

    def score_terms(
        self, predictions: np.ndarray, y: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Compute the terms of which a score is the mean: one, or one for each class.

        Parameters
        ----------
        predictions, y, weights
            As for ``weigh``.

        Returns
        -------
        terms : ndarray of shape (n_terms, n_weightings, n_models)
            NaN for a class without weight.
        """
        if self.kind in _CLASS_MEANS:
            return _CLASS_MEANS[self.kind](predictions, y, weights)
        return self.score_weighted(predictions, y, weights)[None]

    @property
    def is_vectorized(self) -> bool:
        """Whether many models and weightings are scored at once."""
        many = self.kind == "auc" and _count(self.classes) > 2
        return (self.kind in _MEANS or self.kind in _CLASS_MEANS) and not many

    @property
    def needs_all_classes(self) -> bool:
        """Whether rows that lack a class cannot be scored."""
        return self.kind == "auc" or self.kind.startswith("roc_auc")

    @property
    def is_mean_over_rows(self) -> bool:
        """Whether the score is a mean over rows, whatever their classes."""
        return self.kind in ("accuracy", "log_loss", "mse", "mae")

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest possible score, infinite where unknown."""
        known = LOSSES.get(self.kind, self.kind)
        for beginnings, ends in RANGES:
            if known.startswith(beginnings):
                return ends
        return -np.inf, np.inf

    def as_vectorized(self) -> "PredictionScorer":
        """Return this scorer, or a similar one that is vectorized."""
        if self.is_vectorized:
            return self
        similar = "log_loss" if self.task == "classification" else "mse"
        return PredictionScorer(similar, self.task, self.classes)

    def find_threshold(self, scores: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return 0.5: only labels have thresholds."""
        return np.array([0.5])

    def adapt(self, predictions: np.ndarray, y: np.ndarray, folds: Folds) -> np.ndarray:
        """Return predictions as the score takes them: as they are, but for labels."""
        return predictions

    def show(self, score: float) -> float:
        """Return a score as it is displayed: a loss is a positive number."""
        if self.name == "balanced_error":
            return 1.0 - score
        return self.sign * score

    def bound(self, low: float, high: float) -> tuple[float, float]:
        """Return an interval as it is displayed, within the range of the metric."""
        ends = np.clip([low, high], *self.range)
        first, last = sorted(float(self.show(end)) for end in ends)
        return first, last


def nan_mean(values: np.ndarray, axis: int | None = None) -> Any:
    """Return the mean of the finite values; NaN where there are none."""
    known = np.isfinite(values)
    with np.errstate(invalid="ignore"):
        return np.where(known, values, 0.0).sum(axis=axis) / known.sum(axis=axis)


def predict_class_probabilities(model: Any, X: Any, classes: np.ndarray) -> np.ndarray:
    """Return the probabilities of a model, one column for each of the sorted classes.

    A model without probabilities has probability 1 of the class that it predicts. A
    class that was not in its training rows has probability 0.
    """
    made = np.zeros((X.shape[0], len(classes)))
    if hasattr(model, "predict_proba"):
        made[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(X)
    else:
        made[np.arange(len(made)), np.searchsorted(classes, model.predict(X))] = 1.0
    return made


# ------------------------------------------------------------------ which metric


def _known_as(metric: Any, n_classes: int) -> str:
    """Return the name of a metric in this module, or else in scikit-learn."""
    if not isinstance(metric, str):
        return ""
    if metric in ("auc", "roc_auc_ovr") or (metric == "roc_auc" and n_classes == 2):
        return "auc"
    name = SHORT.get(metric, metric)
    Scores((name,))  # raises on an unknown name
    known = {loss: short for short, loss in LOSSES.items()}
    return known.get(name, name)


def _count(classes: np.ndarray | None) -> int:
    return 0 if classes is None else len(classes)


def _look_up(kind: str) -> str:
    return "roc_auc" if kind == "auc" else LOSSES.get(kind, kind)


def _name_of(metric: Any) -> str:
    return getattr(metric, "__name__", type(metric).__name__)


class _RecordedClasses(ClassifierMixin, BaseEstimator):
    """A classifier that looks up stored probabilities: a row is its number."""

    def __init__(self, made: Any = None, classes: Any = None) -> None:
        self.made = made
        self.classes = classes
        self.classes_ = classes

    def predict_proba(self, rows: np.ndarray) -> np.ndarray:
        made = self.made[rows[:, 0]].astype(np.float64)
        return made / made.sum(axis=1, keepdims=True)

    def predict(self, rows: np.ndarray) -> np.ndarray:
        return np.asarray(self.classes_[self.made[rows[:, 0]].argmax(axis=1)])


class _RecordedNumbers(RegressorMixin, BaseEstimator):
    """A regressor that looks up stored predictions: a row is its number."""

    def __init__(self, made: Any = None) -> None:
        self.made = made
        self.made_ = made

    def predict(self, rows: np.ndarray) -> np.ndarray:
        return np.asarray(self.made[rows[:, 0]])


# ------------------------------------------------------------------ weighted scores
#
# Each is a function of means over rows, so that one matrix product scores all models on
# all weightings.


def _score_accuracy(P: np.ndarray, y: np.ndarray, W: np.ndarray) -> np.ndarray:
    right = (P.argmax(axis=2) == y).astype(np.float64)
    return np.asarray(W @ right.T / W.sum(axis=1, keepdims=True))


def _score_recalls(P: np.ndarray, y: np.ndarray, W: np.ndarray) -> np.ndarray:
    right = (P.argmax(axis=2) == y).astype(np.float64)
    recalls = []
    for code in np.unique(y):
        rows = np.flatnonzero(y == code)
        weight = W[:, rows].sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            recalls.append(W[:, rows] @ right[:, rows].T / weight)
    return np.asarray(recalls)


def _score_log_loss(P: np.ndarray, y: np.ndarray, W: np.ndarray) -> np.ndarray:
    tiny = np.finfo(np.float32).eps
    given = P[:, np.arange(len(y)), y].astype(np.float64) / P.sum(axis=2)
    return np.asarray(
        W @ np.log(np.clip(given, tiny, 1.0)).T / W.sum(axis=1, keepdims=True)
    )


def _score_mse(P: np.ndarray, y: np.ndarray, W: np.ndarray) -> np.ndarray:
    return np.asarray(-W @ ((P - y) ** 2).T / W.sum(axis=1, keepdims=True))


def _score_rmse(P: np.ndarray, y: np.ndarray, W: np.ndarray) -> np.ndarray:
    return np.asarray(-np.sqrt(-_score_mse(P, y, W)))


def _score_mae(P: np.ndarray, y: np.ndarray, W: np.ndarray) -> np.ndarray:
    return np.asarray(-W @ np.abs(P - y).T / W.sum(axis=1, keepdims=True))


def _score_r2(P: np.ndarray, y: np.ndarray, W: np.ndarray) -> np.ndarray:
    total = W.sum(axis=1, keepdims=True)
    # Squares of dates or other numbers far from 0 would lose the spread; one center
    # suffices for all weightings.
    centered = y - W.sum(axis=0) @ y / W.sum()
    mean = (W @ centered)[:, None] / total
    square = (W @ centered**2)[:, None] / total
    spread = square - mean**2
    error = -_score_mse(P, y, W)
    # Without spread there is nothing to explain: 1 or 0, as in scikit-learn.
    is_flat = spread <= 1e-12 * square
    explained = 1.0 - error / np.where(is_flat, 1.0, spread)
    is_exact = error <= 1e-12 * (W @ (y * y))[:, None] / total
    return np.asarray(np.where(is_flat, is_exact, explained))


def _score_areas(P: np.ndarray, y: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Area under the curve of two classes, or of each class against all others."""
    if P.shape[2] == 2:
        return score_area(P[:, :, 1], y == 1, W)[None]
    return np.array([score_area(P[:, :, c], y == c, W) for c in np.unique(y)])


def score_area(P: np.ndarray, ones: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Area under the curve of a class and the rest: pairs in order, ties as halves."""
    scores = np.empty((len(W), len(P)))
    for c, made in enumerate(P):
        order = np.argsort(made, kind="stable")
        values, hit = made[order], ones[order]
        ends = np.append(np.flatnonzero(np.diff(values)), len(hit) - 1)
        sorted_weights = W[:, order]
        zeros = np.cumsum(sorted_weights * ~hit, axis=1)[:, ends]
        hits = np.diff(
            np.cumsum(sorted_weights * hit, axis=1)[:, ends], axis=1, prepend=0.0
        )
        below = np.concatenate([np.zeros((len(W), 1)), zeros[:, :-1]], axis=1)
        pairs = (hits * (below + zeros) / 2.0).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            scores[:, c] = pairs / (zeros[:, -1] * hits.sum(axis=1))
    return scores


_MEANS: dict[str, Any] = {
    "accuracy": _score_accuracy,
    "log_loss": _score_log_loss,
    "mse": _score_mse,
    "rmse": _score_rmse,
    "mae": _score_mae,
    "r2": _score_r2,
    **DECISION_SCORES,
}

# Means over classes; a class without weight has no term.
_CLASS_MEANS = {"balanced_accuracy": _score_recalls, "auc": _score_areas}
