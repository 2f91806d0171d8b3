"""What is measured on a fold: by default, the scores of a fitted estimator."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sklearn.metrics import check_scoring, get_scorer, get_scorer_names

from manyminds.datasets import Dataset
from manyminds.experiments.splits import Split
from manyminds.utils.errors import InputError, Parameter
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
        ``"log_loss"`` and ``"brier"`` for losses as they are, less being better.

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
        scores = self._scorer(estimator, fold.X_test, fold.y_test)
        return {
            metric: -float(score) if metric in LOSSES else float(score)
            for metric, score in scores.items()
        }

    @cached_property
    def _scorer(self) -> Any:
        names = {metric: LOSSES.get(metric, metric) for metric in self.metrics}
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
    return metric not in LOSSES


def _check_metric(metric: str) -> None:
    known = [*LOSSES, *get_scorer_names()]
    if metric not in known:
        hint = hint_at(metric, known)
        raise InputError(
            Parameter("metrics"), f" has {metric!r}, which is no metric; {hint}"
        )
