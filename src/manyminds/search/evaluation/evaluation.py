"""The result of cross-validating a pipeline."""

from dataclasses import dataclass, field, replace

import numpy as np

from manyminds.search.evaluation.column_trace import Trace

__all__ = ["Evaluation", "end_as_slow"]

OVER_LIMIT = "over its time limit"


@dataclass
class Evaluation:
    """The result of cross-validating a pipeline.

    Parameters
    ----------
    state : {"complete", "sampled", "pruned", "slow", "failed", "unfinished"}
        A sampled one went through all folds of a sample of the rows. A slow evaluation
        can be continued.
    fold_scores : list of float
        More is better; NaN for a fold without a class that the score needs. Pipelines
        are pruned by them, and ranked by ``score``.
    score : float
        Of the pooled predictions of all folds that were done.
    predictions : ndarray of shape (n_tested[, n_classes or n_labels]) or None
        Out of fold, of the rows that are tested; NaN in folds that were not done. None
        of a sample of the rows.
    seconds : float
        Of all folds, without compiling.
    fit_seconds : float
        Of the fit in one fold, on average.
    predict_seconds : float
        To predict one row by all steps, on average.
    temperature : float
        By which the probabilities of a complete evaluation have been scaled; 1 unless
        the metric is one of probabilities.
    selected : list of ndarray of int
        Positions of the columns that reached the learner, for each fold; empty where
        the learner got linear combinations of columns.
    names : list of str
        Names of the positions: all columns that encoding made in any fold, if they are
        not those of the table.
    reason : str
        Why it failed.
    traces : list of Trace
        Columns that reached the learner in the folds so far.
    """

    state: str = "complete"
    fold_scores: list[float] = field(default_factory=list)
    score: float = np.nan
    predictions: np.ndarray | None = None
    seconds: float = 0.0
    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    temperature: float = 1.0
    selected: list[np.ndarray] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    reason: str = ""
    traces: list[Trace] = field(default_factory=list)

    def add_seconds(self, fit: float, predict: float, n_tested: int) -> None:
        """Include the next fold in the mean seconds of a fit and of a prediction.

        Parameters
        ----------
        fit, predict : float
            Seconds to fit all steps, and to predict the fold by all of them.
        n_tested : int
            Rows of the fold.
        """
        share = 1.0 / (len(self.fold_scores) + 1)
        per_row = predict / max(1, n_tested)
        self.fit_seconds += share * (fit - self.fit_seconds)
        self.predict_seconds += share * (per_row - self.predict_seconds)


def end_as_slow(previous: Evaluation | None, seconds: float) -> Evaluation:
    """Return the evaluation of a trial that was ended in the middle of a fold.

    Parameters
    ----------
    previous : Evaluation or None
        The folds that were done when the trial was continued.
    seconds : float
        That the fold had taken.
    """
    made = Evaluation() if previous is None else previous
    spent = made.seconds + seconds if previous is not None else 0.0
    return replace(made, state="slow", reason=OVER_LIMIT, seconds=spent)
