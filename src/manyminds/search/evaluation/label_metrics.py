"""Score stored predictions of many labels; choose where a predicted label begins."""

import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer

from manyminds.ensemble import (
    cardinality_threshold,
    center_thresholds,
    measure_labels,
)
from manyminds.ensemble.multilabel.measures import (
    divide_or_one,
    measure_row_scores,
    measure_row_sets,
)
from manyminds.experiments.measures import (
    LABEL_LOSSES,
    LABEL_METRICS,
    LOSSES,
    Scores,
)
from manyminds.search.evaluation.metrics import (
    Folds,
    PredictionScorer,
    nan_mean,
    score_area,
)
from manyminds.utils.errors import ParameterError

__all__ = ["LabelScorer", "make_scorer"]

DEFAULT = "micro_f1"
# Names of scikit-learn for the same measures of many labels.
SAME = {
    "accuracy": "subset_accuracy",
    "auc": "macro_auc",
    "f1_macro": "macro_f1",
    "f1_micro": "micro_f1",
    "f1_samples": "f1",
    "jaccard_samples": "jaccard",
    "roc_auc": "macro_auc",
}
ROW_SETS = ("hamming_loss", "subset_accuracy", "jaccard", "precision", "recall", "f1")
ROW_SCORES = ("ranking_loss", "one_error", "coverage", "average_precision")
# Measures that reward rows with about as many labels as they have: for them, labels
# begin where rows have as many as in training; for macro F1, where each label is as
# frequent as there. Fewest wrong labels begin at 0.5.
BY_CARDINALITY = ("jaccard", "f1", "micro_f1")


def make_scorer(
    metric: Any, task: str, classes: np.ndarray | None = None
) -> PredictionScorer:
    """Return the scorer of a metric for a task.

    Parameters
    ----------
    metric : str or callable
    task : {"classification", "regression", "multilabel"}
    classes : ndarray, default=None
        Labels of the codes, in classification.

    Returns
    -------
    scorer : PredictionScorer
    """
    if task == "multilabel":
        return LabelScorer(metric)
    return PredictionScorer(metric, task, classes)


class LabelScorer(PredictionScorer):
    """Score stored scores of labels; more is better.

    Predictions are scores of labels of shape (n_samples, n_labels), and labels begin
    above 0.5. The target is 0 and 1, of the same shape.

    Parameters
    ----------
    metric : str or callable
        A name of `manyminds.ensemble.measure_labels`, "auto" for "micro_f1", the name
        of a scorer of scikit-learn or a scorer.

    Attributes
    ----------
    name : str
        Name of the metric, for display.
    sign : int
        -1 for a loss: ``sign * score`` is displayed.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.search.evaluation.label_metrics import LabelScorer
    >>> measure = LabelScorer("hamming_loss")
    >>> measure(np.array([[0.9, 0.4], [0.8, 0.7]]), np.array([[1, 0], [0, 1]]))
    -0.25
    """

    def __init__(self, metric: Any = "auto") -> None:
        metric = DEFAULT if metric == "auto" else metric
        self.task, self.classes = "multilabel", None
        is_name = isinstance(metric, str)
        self.kind = SAME.get(metric, metric) if is_name else ""
        if is_name:
            Scores((self.kind,))  # raises on an unknown name
            if self.kind in LOSSES:
                takes = "a metric that can score a target of many labels"
                raise ParameterError("metric", metric, takes)
        self.name = self.kind or getattr(metric, "__name__", type(metric).__name__)
        self.sign = -1 if self.kind in LABEL_LOSSES else 1
        self._scorer = metric if callable(metric) else None
        if is_name and self.kind not in LABEL_METRICS:
            self._scorer = get_scorer(self.kind)

    def __call__(
        self,
        predictions: np.ndarray,
        y: np.ndarray,
        sample_weight: np.ndarray | None = None,
    ) -> float:
        """Score the predictions of rows.

        Parameters
        ----------
        predictions : ndarray of shape (n_samples, n_labels)
        y : ndarray of shape (n_samples, n_labels)
        sample_weight : ndarray of shape (n_samples,), default=None
            Used only if ``is_weighted``.

        Returns
        -------
        score : float
            More is better; losses are negated.
        """
        if self._scorer is not None:
            recorded = _RecordedLabels(predictions)
            rows = np.arange(len(y))[:, None]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedMetricWarning)
                return float(
                    self._scorer(recorded, rows, y, **self._pass_on(sample_weight))
                )
        if self.is_weighted and sample_weight is not None:
            weights = sample_weight[None]
            return float(self.score_weighted(predictions[None], y, weights)[0, 0])
        measured = measure_labels(y, predictions > 0.5, predictions)
        return float(self.sign * measured[self.kind])

    def score_weighted(
        self, predictions: np.ndarray, y: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Score several models on several weightings of the rows at once.

        Parameters
        ----------
        predictions : ndarray of shape (n_models, n_samples, n_labels)
        y : ndarray of shape (n_samples, n_labels)
        weights : ndarray of shape (n_weightings, n_samples)

        Returns
        -------
        scores : ndarray of shape (n_weightings, n_models)
        """
        return np.asarray(nan_mean(self.score_terms(predictions, y, weights), 0))

    def score_terms(
        self, predictions: np.ndarray, y: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Compute the terms of which a score is the mean: one, or one for each label.

        Parameters
        ----------
        predictions, y, weights
            As for ``score_weighted``.

        Returns
        -------
        terms : ndarray of shape (n_terms, n_weightings, n_models)
            NaN for a label without an area under the curve.
        """
        truth = y == 1
        if self.kind == "macro_auc":
            pairs = zip(np.moveaxis(predictions, 2, 0), truth.T)
            return np.array([score_area(P, has, weights) for P, has in pairs])
        if self.kind == "micro_auc":
            flat = predictions.reshape(len(predictions), -1)
            cells = np.repeat(weights, truth.shape[1], axis=1)
            return score_area(flat, truth.ravel(), cells)[None]
        if self.kind in (*ROW_SETS, *ROW_SCORES):
            rows = np.stack([self._measure_rows(one, truth) for one in predictions])
            total = weights.sum(axis=1, keepdims=True)
            return np.asarray(self.sign * (weights @ rows.T) / total)[None]
        if self.kind in ("micro_f1", "macro_f1"):
            scores = [self._measure_f1(one, truth, weights) for one in predictions]
            return np.stack(scores, axis=1)[None]
        return self.score_repeated(predictions, y, weights)[None]

    def _measure_rows(self, scores: np.ndarray, truth: np.ndarray) -> np.ndarray:
        """Return the measure of each row; its mean is the score."""
        if self.kind in ROW_SETS:
            return np.asarray(measure_row_sets(truth, scores > 0.5)[self.kind])
        return np.asarray(measure_row_scores(truth, scores)[self.kind])

    def _measure_f1(
        self, scores: np.ndarray, truth: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Return the F1 of each weighting, over all labels or as their mean."""
        predicted = scores > 0.5
        axis = 1 if self.kind == "micro_f1" else None
        both, either = truth & predicted, truth.astype(int) + predicted
        if axis == 1:
            both, either = both.sum(axis=1)[:, None], either.sum(axis=1)[:, None]
        shares = divide_or_one(2.0 * (weights @ both), weights @ either)
        return np.asarray(shares.mean(axis=1))

    @property
    def is_vectorized(self) -> bool:
        """Whether many models and weightings are scored at once."""
        return self.kind in (*ROW_SETS, *ROW_SCORES, "micro_f1", "macro_f1")

    @property
    def needs_all_classes(self) -> bool:
        """Whether rows that lack a class cannot be scored."""
        return False

    @property
    def is_mean_over_rows(self) -> bool:
        """Whether the score is a mean over rows, whatever their labels."""
        return self.kind in (*ROW_SETS, *ROW_SCORES)

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest possible score, infinite where unknown."""
        if self.kind == "coverage":
            return -np.inf, 0.0
        if self.kind in LABEL_METRICS:
            return (-1.0, 0.0) if self.sign < 0 else (0.0, 1.0)
        return super().range

    def as_vectorized(self) -> "LabelScorer":
        """Return this scorer, or a similar one that is vectorized."""
        return self if self.is_vectorized else LabelScorer("average_precision")

    # ------------------------------------------------------------ thresholds

    def find_threshold(self, scores: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the score above which each label is predicted.

        Parameters
        ----------
        scores : ndarray of shape (n_samples, n_labels)
            Of rows that had no part in the fit.
        y : ndarray of shape (n_rows, n_labels)
            Labels of training rows; their mean number, or the share of each, is to be
            met.

        Returns
        -------
        thresholds : ndarray of shape (n_labels,)
        """
        shares = y.mean(axis=0)
        if self.kind == "macro_f1":
            columns = zip(scores.T, shares)
            return np.array([cardinality_threshold(s[:, None], p) for s, p in columns])
        if self.kind in BY_CARDINALITY:
            return np.full(len(shares), cardinality_threshold(scores, shares.sum()))
        return np.full(len(shares), 0.5)

    def adapt(self, predictions: np.ndarray, y: np.ndarray, folds: Folds) -> np.ndarray:
        """Return scores with the threshold of each fold at 0.5.

        A fold's threshold comes from its scores and from the labels outside the fold;
        its own labels have no part in it.

        Parameters
        ----------
        predictions : ndarray of shape (n_samples, n_labels)
            Out of fold.
        y : ndarray of shape (n_samples, n_labels)
        folds : sequence of (train, test)

        Returns
        -------
        adapted : ndarray of shape (n_samples, n_labels)
        """
        adapted = np.array(predictions, dtype=np.float64)
        for train, test in folds:
            threshold = self.find_threshold(adapted[test], y[train])
            adapted[test] = center_thresholds(adapted[test], threshold)
        return adapted


class _RecordedLabels(ClassifierMixin, BaseEstimator):
    """A classifier of many labels that looks up stored scores: a row is its number."""

    def __init__(self, made: Any = None) -> None:
        self.made = made
        self.classes_ = [np.array([0, 1])] * made.shape[1]

    def predict_proba(self, rows: np.ndarray) -> np.ndarray:
        return np.asarray(self.made[rows[:, 0]], dtype=np.float64)

    def predict(self, rows: np.ndarray) -> np.ndarray:
        return (self.predict_proba(rows) > 0.5).astype(np.int64)
