"""Search pipelines of transformations and learners, validated as one model."""

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import check_array
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from manyminds.datasets.model_input import read_many_labels
from manyminds.search._parameters import SHARED
from manyminds.search.base import BaseComplexModelSearch
from manyminds.search.choice.calibration import check_calibration
from manyminds.search.evaluation.metrics import predict_class_probabilities
from manyminds.utils._paragraphs import ROWS
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.errors import InputError


def _has_probabilities(search: Any) -> bool:
    """Return whether the final model has probabilities."""
    return not hasattr(search, "model_") or hasattr(search.model_, "predict_proba")


@fill_docstring(**SHARED)
class ComplexModelSearchClassifier(ClassifierMixin, BaseComplexModelSearch):
    """Search a classifier: transformations, selection, learner and committee at once.

    {algorithm}

    A target of several columns of 0 and 1 is one of many labels: the learners are then
    those of many labels, and a committee averages their scores of labels.

    Parameters
    ----------
    {budget}
    metric : str or callable, default="auto"
        By which pipelines are scored: "accuracy" by default, "balanced_accuracy",
        "auc", "log_loss", the name of a scorer of scikit-learn, or a scorer. Of many
        labels "micro_f1" by default, or another name of
        `manyminds.ensemble.measure_labels`, such as "hamming_loss".
    {settings}

    Attributes
    ----------
    {models}
    {results}
    oof_predictions_ : ndarray of shape (n_samples, n_classes) or (n_samples, n_labels)
        Out-of-fold predictions of ``model_``; NaN in rows that no fold tests.
    calibration_ : ConformalSets or None
        Of the out-of-fold predictions, from which `predict_set` is computed; None for
        many labels.
    {folds}
    task_ : {{"classification", "multilabel"}}
        Whether there are classes, or many labels.
    classes_ : ndarray of shape (n_classes,) or (n_labels, 2)
        The class labels, sorted; 0 and 1 for each of many labels.
    {features}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.search import ComplexModelSearchClassifier, default_space
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> space = default_space("classification").only("learner", "logistic", "nrbf")
    >>> search = ComplexModelSearchClassifier(
    ...     None, n_trials=3, space=space, random_state=0
    ... )
    >>> search.fit(X, y).leaderboard_["learner"].iloc[0]
    'logistic'
    >>> search.honest_score_.score <= search.honest_score_.naive
    True
    """

    @available_if(_has_probabilities)
    @fill_docstring(**ROWS)
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class, or the score of each label.

        {classify_table}
        probabilities : ndarray of shape (n_samples, n_classes) or (n_samples, n_labels)
            A row has the labels whose score is above 0.5.
        """
        check_is_fitted(self)
        return self.model_.predict_proba(self._check_new(X))

    def predict_set(
        self, X: Any, level: float = 0.9, *, by_class: bool = False
    ) -> np.ndarray:
        """Return the conformal set of the classes that each row may have.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        level : float, default=0.9
            Share of new rows whose class is to be in its set; see
            `manyminds.analysis.ConformalSets` for what holds.
        by_class : bool, default=False
            Whether the level is to hold for the rows of each class.

        Returns
        -------
        sets : ndarray of shape (n_samples, n_classes), bool
        """
        check_is_fitted(self)
        calibration = check_calibration(self.calibration_)
        X = self._check_new(X)
        probabilities = predict_class_probabilities(self.model_, X, self.classes_)
        return calibration.predict(probabilities, level, by_class=by_class)

    def _read_target(self, y: Any) -> np.ndarray:
        labels = read_many_labels(y)
        return super()._read_target(y) if labels is None else labels

    def _encode_target(self, y: np.ndarray) -> np.ndarray:
        self.task_ = "multilabel" if y.ndim == 2 else "classification"
        if y.ndim == 2:
            self.classes_ = np.tile([0, 1], (y.shape[1], 1))
            return y
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise InputError(
                "y must have at least two classes; it has one class only, "
                f"{self.classes_[0]}."
            )
        return codes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


@fill_docstring(**SHARED)
class ComplexModelSearchRegressor(RegressorMixin, BaseComplexModelSearch):
    """Search a regressor: transformations, selection, learner and committee at once.

    {algorithm}

    Parameters
    ----------
    {budget}
    metric : str or callable, default="auto"
        By which pipelines are scored: "rmse" by default, "mae", "r2", the name of a
        scorer of scikit-learn, or a scorer.
    {settings}

    Attributes
    ----------
    {models}
    {results}
    oof_predictions_ : ndarray of shape (n_samples,)
        Out-of-fold predictions of ``model_``; NaN in rows that no fold tests.
    calibration_ : ConformalIntervals or None
        Of the out-of-fold predictions, from which `predict_interval` is computed.
    {folds}
    task_ : str
        "regression".
    {features}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.search import ComplexModelSearchRegressor, default_space
    >>> X, y = load_diabetes(return_X_y=True)
    >>> space = default_space("regression").only("learner", "ridge", "rf")
    >>> search = ComplexModelSearchRegressor(
    ...     None, n_trials=3, metric="r2", space=space, random_state=0
    ... )
    >>> round(search.fit(X, y).honest_score_.score, 1)
    0.5
    """

    task_ = "regression"

    def predict_interval(
        self, X: Any, level: float = 0.9
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return a conformal interval around the prediction of each row.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        level : float, default=0.9
            Share of new rows whose target is to be in its interval; see
            `manyminds.analysis.ConformalIntervals` for what holds.

        Returns
        -------
        low, high : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        calibration = check_calibration(self.calibration_)
        return calibration.predict(self.predict(X), level)

    def _encode_target(self, y: np.ndarray) -> np.ndarray:
        return check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
