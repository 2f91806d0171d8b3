"""Apply the steps before a learner to a fold, from the last one that is cached."""

from collections.abc import Hashable
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from manyminds.feature_selection.base import count_to_select
from manyminds.search.evaluation.column_trace import Trace
from manyminds.search.evaluation.row_arguments import pass_groups
from manyminds.search.evaluation.step_cache import FoldTables, Ranking, StepCache
from manyminds.search.evaluation.timing import Stopwatch
from manyminds.search.space.space import PipelineSpec, Space
from manyminds.utils.tables import take_rows

__all__ = ["FoldSteps"]

MAX_CACHED = 400_000_000  # bytes of transformed folds in the cache
# The same in all pipelines.
WITHOUT_OPTIONS = ("dates", "text_scores", "texts", "clean")


class FoldSteps:
    """Fit the steps of pipelines in folds of one table, and transform its rows.

    What the first steps of a pipeline make of a fold is cached: another pipeline that
    begins in the same way continues from there. So is the ranking of a selector, from
    which any number of columns can be taken.

    Parameters
    ----------
    X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        Codes of classes, numbers, or 0 and 1 of labels.
    space : Space
    names : ndarray of str
        Of the columns.
    """

    def __init__(self, X: Any, y: np.ndarray, space: Space, names: np.ndarray) -> None:
        self.X, self.y, self.space, self.names = X, y, space, names
        self._cache = StepCache(MAX_CACHED)

    def forget(self) -> bool:
        """Empty the cache; return whether there was anything in it."""
        had_any = bool(self._cache.size)
        self._cache = StepCache(MAX_CACHED)
        return had_any

    def apply(
        self,
        pipeline: PipelineSpec,
        model: Pipeline,
        fold: tuple[Hashable, ...],
        train: np.ndarray,
        test: np.ndarray,
        watch: Stopwatch,
        groups: np.ndarray | None = None,
    ) -> FoldTables:
        """Apply the steps before the learner.

        Parameters
        ----------
        pipeline : dict
        model : Pipeline
            Made of it; its steps are not fitted.
        fold : tuple
            What distinguishes these rows from others.
        train, test : ndarray of int
            Rows to fit the steps to, and to transform as well.
        watch : Stopwatch
            Running.
        groups : ndarray of int of shape (n_train,), default=None
            Rows that stay together where a step holds rows out.

        Returns
        -------
        tables : FoldTables
        """
        trace = Trace(self.names, self.names)
        made = FoldTables(take_rows(self.X, train), take_rows(self.X, test), trace)
        key: tuple[Hashable, ...] = fold
        get_or_make, y = self._cache.get_or_make, self.y[train]
        for stage, step in model.steps[:-1]:
            if stage in WITHOUT_OPTIONS:
                key = (*key, stage)
                apply = partial(_apply, step, made, y, watch, groups)
                made = get_or_make(key, apply)
                continue
            option = self.space.find(stage, pipeline[stage])
            values = {k: v for k, v in pipeline.items() if k in option.defaults()}
            if option.ranks:
                share = values.pop(option.key("share"))
                key = (*key, option.name, *values.items())
                found = get_or_make(key, partial(_rank, step, made, y, watch))
                made = made.keep(found, count_to_select(share, len(found.ranks)))
                key = (*key, share)
            else:
                key = (*key, option.name, *values.items())
                apply = partial(_apply, step, made, y, watch, groups)
                made = get_or_make(key, apply)
        return made


def _apply(
    step: Any,
    made: FoldTables,
    y: np.ndarray,
    watch: Stopwatch,
    groups: np.ndarray | None,
) -> FoldTables:
    """Fit a step to the training rows of a fold, and transform both tables."""
    step, start = clone(step), watch.seconds
    X_train = step.fit_transform(made.train, y, **pass_groups(step, groups))
    fitted = watch.seconds
    X_test = step.transform(made.test)
    seconds = (
        made.fit_seconds + fitted - start,
        made.transform_seconds + watch.seconds - fitted,
    )
    if not X_train.shape[1]:
        raise ValueError("no column was selected")
    trace = made.trace.follow(step, X_train.shape[1])
    steps = None if made.steps is None else (*made.steps, step)
    return FoldTables(X_train, X_test, trace, steps, *seconds)


def _rank(step: Any, made: FoldTables, y: np.ndarray, watch: Stopwatch) -> Ranking:
    """Rank the columns by a selector."""
    start = watch.seconds
    ranks = np.asarray(clone(step).fit(made.train, y).ranking_)
    return Ranking(ranks, watch.seconds - start)
