"""A fitted estimator with the columns of its table, which predicts other tables."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from manyminds.analysis import (
    ConformalIntervals,
    ConformalSets,
    NoveltyCheck,
    NoveltyResult,
)
from manyminds.datasets import Column, match_columns
from manyminds.datasets.sparse import shorten_indices
from manyminds.persistence.model_parts import find_unseen
from manyminds.utils.errors import InputError, InputTypeError

__all__ = ["TableModel"]


@dataclass(frozen=True, eq=False)
class TableModel:
    """A fitted estimator with the columns of its table, as `load_model` returns it.

    It predicts tables whatever the order of their columns.

    Parameters
    ----------
    estimator : estimator
        Fitted on a table.
    columns : tuple of Column or None
        Names and dtypes of the columns; None for a sparse table, which has no names.
    target : str or tuple of str
        Name of the target, or the names of several labels.
    task : {"classification", "regression", "multilabel"}
    classes : tuple of str or int
        The classes, or the names of the labels; empty for regression.
    n_features : int
        Number of columns.
    about : dict, default={}
        Plain values stored with the model, such as a metric and scores.
    versions : dict of str to str, default={}
        Versions of the libraries that the model was written with.
    date : str, default=""
        When it was written.
    calibration : ConformalIntervals, ConformalSets or None, default=None
        From which `predict_interval` and `predict_set` are computed.
    novelty : NoveltyCheck or None, default=None
        From which `find_unlike` is.
    left_out : tuple of str, default=()
        Columns of the table of the fit that are no features, such as groups and times:
        they may be in other tables, and are left out.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from sklearn.linear_model import LinearRegression
    >>> from manyminds.datasets import Column
    >>> from manyminds.persistence import TableModel
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0]})
    >>> line = LinearRegression().fit(frame, [1.0, 3.0, 5.0])
    >>> model = TableModel(line, (Column("x"),), "y", "regression", (), 1)
    >>> model.predict_table(pd.DataFrame({"x": ["3"]})).round(6)
       prediction
    0         7.0
    """

    estimator: Any
    columns: tuple[Column, ...] | None
    target: str | tuple[str, ...]
    task: str
    classes: tuple[Any, ...]
    n_features: int
    about: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    date: str = ""
    calibration: ConformalIntervals | ConformalSets | None = None
    novelty: NoveltyCheck | None = None
    left_out: tuple[str, ...] = ()

    @property
    def targets(self) -> tuple[str, ...]:
        """Names of all predicted columns."""
        return (self.target,) if isinstance(self.target, str) else self.target

    def read_rows(self, table: Any) -> Any:
        """Return a table with the columns that the estimator takes.

        Parameters
        ----------
        table : DataFrame of pandas or polars, or sparse matrix
            With the columns of training in any order. Other columns are dropped, and
            unseen categories become missing values, with a warning. The target may be
            among them.

        Returns
        -------
        X : DataFrame or sparse matrix
        """
        if self.columns is not None:
            if issparse(table):
                raise InputTypeError(
                    "The model takes a table with names; got a sparse one."
                )
            known = {column.name for column in self.columns}
            others = {*self.targets, *self.left_out} - known
            names = [one for one in table.columns if str(one) in others]
            return match_columns(_without(table, names), self.columns)
        if issparse(table):
            X = shorten_indices(table.tocsr())
        else:
            X = np.asarray(table, dtype=np.float64)
        if X.ndim != 2 or X.shape[1] != self.n_features:
            raise InputError(
                f"The model takes sparse tables of {self.n_features} columns; got one "
                f"of shape {X.shape}."
            )
        return X

    def predict_table(self, table: Any) -> pd.DataFrame:
        """Predict the rows of a table.

        Parameters
        ----------
        table : DataFrame of pandas or polars, or sparse matrix
            See `read_rows`.

        Returns
        -------
        predictions : DataFrame
            ``prediction``, then ``probability <class>`` for each class if the estimator
            has probabilities. With several labels, ``prediction <label>`` for each,
            then ``probability <label>``.
        """
        X = self.read_rows(table)
        index = table.index if isinstance(table, pd.DataFrame) else None
        several = self.task == "multilabel"
        has_probabilities = hasattr(self.estimator, "predict_proba")
        probabilities = None
        if self.task != "regression" and has_probabilities:
            probabilities = _as_matrix(self.estimator.predict_proba(X), several)
        if probabilities is not None and hasattr(self.estimator, "decide"):
            found = self.estimator.decide(probabilities)  # each row is predicted once
        else:
            found = np.asarray(self.estimator.predict(X))
        if several:
            found = found.reshape(len(found), len(self.classes))
            names = enumerate(self.classes)
            columns = {f"prediction {c}": found[:, j] for j, c in names}
        else:
            columns = {"prediction": found.ravel()}
        if probabilities is not None:
            names = enumerate(self.classes if several else self.estimator.classes_)
            columns |= {f"probability {c}": probabilities[:, j] for j, c in names}
        return pd.DataFrame(columns, index=index)

    def predict_interval(
        self, table: Any, level: float = 0.9
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return an interval around the prediction of each row.

        Parameters
        ----------
        table : DataFrame of pandas or polars, or sparse matrix
            See `read_rows`.
        level : float, default=0.9
            Share of rows whose target is to be in its interval.

        Returns
        -------
        low, high : ndarray of shape (n_samples,)
            See `manyminds.analysis.ConformalIntervals` for what holds of them.
        """
        self._check_calibration(ConformalIntervals)
        return self.find_intervals(self.predict_table(table), level)

    def find_intervals(
        self, predictions: pd.DataFrame, level: float = 0.9
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return an interval around each prediction.

        Parameters
        ----------
        predictions : DataFrame
            From `predict_table`.
        level : float, default=0.9
            As for `predict_interval`.

        Returns
        -------
        low, high : ndarray of shape (n_samples,)
        """
        calibration = self._check_calibration(ConformalIntervals)
        return calibration.predict(predictions["prediction"].to_numpy(), level)

    def predict_set(
        self, table: Any, level: float = 0.9, *, by_class: bool = False
    ) -> np.ndarray:
        """Return the classes that each row may have.

        Parameters
        ----------
        table : DataFrame of pandas or polars, or sparse matrix
            See `read_rows`.
        level : float, default=0.9
            Share of rows whose class is to be in its set.
        by_class : bool, default=False
            Whether the level is to hold for the rows of each class.

        Returns
        -------
        sets : ndarray of shape (n_samples, n_classes), bool
            One column for each of ``classes``; see `manyminds.analysis.ConformalSets`.
        """
        self._check_calibration(ConformalSets)
        return self.find_sets(self.predict_table(table), level, by_class=by_class)

    def find_sets(
        self, predictions: pd.DataFrame, level: float = 0.9, *, by_class: bool = False
    ) -> np.ndarray:
        """Return the classes that each predicted row may have.

        Parameters
        ----------
        predictions : DataFrame
            From `predict_table`.
        level : float, default=0.9
        by_class : bool, default=False
            As for `predict_set`.

        Returns
        -------
        sets : ndarray of shape (n_samples, n_classes), bool
            The predicted class is always among them.
        """
        calibration = self._check_calibration(ConformalSets)
        made = self.get_probabilities(predictions)
        sets = calibration.predict(made, level, by_class=by_class)
        # With decisions tuned to a metric, it need not be the most probable one.
        decided = predictions["prediction"].to_numpy()
        return np.asarray(sets | (decided[:, None] == self.estimator.classes_))

    def get_probabilities(self, predictions: pd.DataFrame) -> np.ndarray:
        """Return the probabilities of classes, or of labels, as a matrix.

        Parameters
        ----------
        predictions : DataFrame
            From `predict_table`. Without probabilities, that of the predicted class is
            1, as in the search.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes or n_labels)
        """
        n_decided = len(self.classes) if self.task == "multilabel" else 1
        if predictions.shape[1] > n_decided:
            return predictions.iloc[:, n_decided:].to_numpy(dtype=np.float64)
        if self.task == "multilabel":
            return predictions.to_numpy(dtype=np.float64)
        decided = predictions["prediction"].to_numpy()
        return (decided[:, None] == self.estimator.classes_) * 1.0

    def find_unlike(self, table: Any) -> NoveltyResult | None:
        """Find the rows that are unlike those of training.

        Parameters
        ----------
        table : DataFrame of pandas or polars, or sparse matrix
            See `read_rows`.

        Returns
        -------
        result : NoveltyResult or None
            None if the model file has no description of the training rows.
        """
        if self.novelty is None or self.columns is None:
            return None
        with warnings.catch_warnings():  # of unknown columns: predictions warn as well
            warnings.simplefilter("ignore", UserWarning)
            X = self.read_rows(table)
        return self.novelty.find_unlike(X, find_unseen(table, X, self.columns))

    def _check_calibration(self, kind: type) -> Any:
        """Return the calibration; raise unless it is of a kind."""
        if self.task == "multilabel":
            raise InputError("Models of many labels have no intervals and no sets.")
        if self.calibration is None:
            raise InputError(
                "The model file has no calibration for intervals or sets: only models "
                "of a search of classes or numbers have one, from this version on."
            )
        if not isinstance(self.calibration, kind):
            other = "sets" if kind is ConformalIntervals else "intervals"
            raise InputError(
                f"The model has prediction {other}; its task is {self.task}."
            )
        return self.calibration


def _without(table: Any, names: Sequence[str]) -> Any:
    if not names:
        return table
    return table[[name for name in table.columns if name not in set(names)]]


def _as_matrix(probabilities: Any, several: bool) -> np.ndarray:
    """Return probabilities as a matrix, one column for each class or label."""
    if several and isinstance(
        probabilities, list
    ):  # one matrix of two columns for each label
        return np.column_stack([np.asarray(one)[:, -1] for one in probabilities])
    return np.asarray(probabilities)
