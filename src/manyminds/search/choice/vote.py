"""Final models of a search: weighted means of the predictions of fitted pipelines."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.pipeline import Pipeline

from manyminds.search.choice.class_weights import decide_by
from manyminds.search.choice.stacked import Inputs, predict_members
from manyminds.search.evaluation.metrics import predict_class_probabilities
from manyminds.search.evaluation.temperature import scale_temperature
from manyminds.utils.weights import pass_weights

__all__ = ["BaseVote", "VoteClassifier", "VoteRegressor"]


class BaseVote(BaseEstimator):
    """Fit members once each, or take those that are fitted; average what they predict.

    Subclasses have the parameters ``estimators``, ``weights`` and ``n_jobs``.
    """

    estimators: Sequence[Any]
    weights: Sequence[float]
    n_jobs: int | None

    @classmethod
    def of_fitted(
        cls, estimators: Sequence[Any], y: np.ndarray, *args: Any, **options: Any
    ) -> Self:
        """Return the vote of estimators that are fitted already.

        Parameters
        ----------
        estimators : sequence of estimator
        y : ndarray of shape (n_samples,) or (n_samples, n_labels)
            The target to which they are fitted.
        *args, **options : object
            Other parameters.

        Returns
        -------
        vote : object
        """
        vote = cls(list(estimators), *args, **options)
        vote.estimators_ = list(estimators)
        vote._set_target(y)
        return vote

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit a clone of each estimator.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)
        y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        sample_weight : ndarray of shape (n_samples,), default=None
            Passed to the learners that take weights.

        Returns
        -------
        self : object
        """
        run = Parallel(self.n_jobs, prefer="threads")
        self.estimators_ = run(
            delayed(_fit)(clone(one), X, y, sample_weight) for one in self.estimators
        )
        self._set_target(y)
        return self

    def _set_target(self, y: Any) -> None:
        """Set what is known of the target."""

    def _average(self, predictions: Any) -> np.ndarray:
        """Return the weighted mean of predictions, one for each member."""
        parts = zip(self.weights, predictions, strict=True)
        return np.asarray(sum(weight * made for weight, made in parts))

    @property
    def n_features_in_(self) -> int:
        """Number of columns that the members were fitted on."""
        return int(self.estimators_[0].n_features_in_)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimators_")


class VoteClassifier(ClassifierMixin, BaseVote):
    """Average the class probabilities of pipelines, and decide by them.

    Parameters
    ----------
    estimators : list of classifier
        With probabilities; one is a vote too, with another temperature.
    weights : sequence of float
        Of the estimators; they sum to 1.
    temperature : float, default=1.0
        Of the mean probabilities: above 1 they are flatter, below 1 sharper.
    class_weights : ndarray of shape (n_classes,) or None, default=None
        The class with the greatest weighted probability is predicted. Probabilities
        are not weighted: where a metric rewards rare classes, the most likely class is
        not always the best decision.
    n_jobs : int or None, default=None
        Estimators fitted in parallel.

    Attributes
    ----------
    estimators_ : list of classifier
        Fitted.
    classes_ : ndarray of shape (n_classes,)

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from manyminds.search.choice.vote import VoteClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> members = [GaussianNB().fit(X, y), KNeighborsClassifier().fit(X, y)]
    >>> vote = VoteClassifier.of_fitted(members, y, [0.75, 0.25])
    >>> vote.predict_proba(X[:1]).round(2)
    array([[1., 0., 0.]])
    """

    def __init__(
        self,
        estimators: Sequence[Any],
        weights: Sequence[float],
        temperature: float = 1.0,
        class_weights: np.ndarray | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.weights = weights
        self.temperature = temperature
        self.class_weights = class_weights
        self.n_jobs = n_jobs

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the mean probability of each class, at the temperature.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """

        def predict(model: Any, known: Inputs | None = None) -> np.ndarray:
            if known is not None:
                return np.asarray(model.predict_proba(X, known))
            return predict_class_probabilities(model, X, self.classes_)

        made = predict_members(self.estimators_, predict)
        return scale_temperature(self._average(made), self.temperature)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of the greatest weighted probability.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return self.decide(self.predict_proba(X))

    def decide(self, probabilities: np.ndarray) -> np.ndarray:
        """Return the classes of rows whose probabilities are known.

        Parameters
        ----------
        probabilities : ndarray of shape (n_samples, n_classes)
            From `predict_proba`.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        decided = decide_by(probabilities, self.class_weights)
        return np.asarray(self.classes_[decided.argmax(axis=1)])

    def _set_target(self, y: Any) -> None:
        self.classes_ = np.unique(y)


class VoteRegressor(RegressorMixin, BaseVote):
    """Average the numbers that pipelines predict.

    Parameters
    ----------
    estimators : list of regressor
    weights : sequence of float
        Of the estimators; they sum to 1.
    n_jobs : int or None, default=None
        Estimators fitted in parallel.

    Attributes
    ----------
    estimators_ : list of regressor
        Fitted.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> from manyminds.search.choice.vote import VoteRegressor
    >>> members = [DummyRegressor(strategy="constant", constant=c) for c in (0, 4)]
    >>> VoteRegressor(members, [0.25, 0.75]).fit([[0], [1]], [0, 1]).predict([[2]])
    array([3.])
    """

    def __init__(
        self,
        estimators: Sequence[Any],
        weights: Sequence[float],
        n_jobs: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.weights = weights
        self.n_jobs = n_jobs

    def predict(self, X: Any) -> np.ndarray:
        """Return the weighted mean of the members' predictions.

        Parameters
        ----------
        X : ndarray, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """

        def predict(model: Any, known: Inputs | None = None) -> np.ndarray:
            given = () if known is None else (known,)
            return np.ravel(model.predict(X, *given))

        return self._average(predict_members(self.estimators_, predict))


def _fit(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Any:
    """Fit an estimator, with weights if its learner takes them."""
    if not isinstance(estimator, Pipeline):
        return estimator.fit(X, y, **pass_weights(estimator, sample_weight))
    name, learner = estimator.steps[-1]
    passed = pass_weights(learner, sample_weight)
    return estimator.fit(X, y, **{f"{name}__{k}": v for k, v in passed.items()})
