"""Pool the probabilities of several models: their mean, or that of their logarithms."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from manyminds._compat import DocLinkMixin, StrOptions
from manyminds.networks.classifiers.ande import AODEClassifier, NaiveBayesClassifier
from manyminds.utils.tables import name_columns
from manyminds.utils.weights import pass_weights, read_weights


def linear_pool(probabilities, weights=None):
    """Return the weighted mean of the probabilities of several models.

    Parameters
    ----------
    probabilities : array-like of shape (n_models, n_samples, n_classes)
    weights : array-like of shape (n_models,), default=None
        None: equal weights.

    Returns
    -------
    pooled : ndarray of shape (n_samples, n_classes)

    Examples
    --------
    >>> from manyminds.networks import linear_pool
    >>> linear_pool([[[0.5, 0.5]], [[0.9, 0.1]]])
    array([[0.7, 0.3]])
    """
    probabilities, weights = _read(probabilities, weights)
    return np.tensordot(weights, probabilities, axes=1)


def logarithmic_pool(probabilities, weights=None):
    """Return the normalized weighted geometric mean of probabilities.

    A model that is certain overrules the others. The result does not depend on whether
    models are pooled before or after new evidence.

    Parameters
    ----------
    probabilities : array-like of shape (n_models, n_samples, n_classes)
    weights : array-like of shape (n_models,), default=None
        None: equal weights, which add up to 1.

    Returns
    -------
    pooled : ndarray of shape (n_samples, n_classes)
        Even where the models exclude all classes together.

    References
    ----------
    .. [1] Genest and Zidek, "Combining probability distributions: A critique and an
       annotated bibliography", Statistical Science 1, 1986.

    Examples
    --------
    >>> from manyminds.networks import logarithmic_pool
    >>> logarithmic_pool([[[0.5, 0.5]], [[0.9, 0.1]]])
    array([[0.75, 0.25]])
    """
    probabilities, weights = _read(probabilities, weights)
    powers = np.prod(probabilities ** weights[:, None, None], axis=0)
    total = powers.sum(axis=1, keepdims=True)
    even = np.full(powers.shape, 1.0 / powers.shape[1])
    return np.divide(powers, total, out=even, where=total > 0.0)


def _read(probabilities, weights):
    """Check arguments; return arrays, the weights adding up to 1."""
    probabilities = np.asarray(probabilities, dtype=np.float64)
    if probabilities.ndim != 3 or len(probabilities) == 0:
        raise ValueError(
            "probabilities must have the shape (n_models, n_samples, n_classes); got "
            f"{probabilities.shape}."
        )
    if weights is None:
        weights = np.ones(len(probabilities))
    weights = np.asarray(weights, dtype=np.float64)
    good = weights.shape == (len(probabilities),) and (weights >= 0.0).all()
    if not good or weights.sum() <= 0.0:
        raise ValueError(
            f"weights must be {len(probabilities)} numbers of at least 0, not all 0; "
            f"got {weights.tolist()}."
        )
    return probabilities, weights / weights.sum()


class PooledClassifier(ClassifierMixin, DocLinkMixin, BaseEstimator):
    """Pool the probabilities of any classifiers.

    Parameters
    ----------
    estimators : list of (str, classifier), default=None
        Named classifiers with ``predict_proba``; None: `NaiveBayesClassifier` and
        `AODEClassifier`.
    pooling : {"linear", "logarithmic"}, default="linear"
        See `linear_pool` and `logarithmic_pool`.
    weights : array-like of shape (n_estimators,), default=None
        Weights of the classifiers; None: equal.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    estimators_ : list of classifiers
        The fitted classifiers.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.networks import PooledClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = PooledClassifier(pooling="logarithmic").fit(X, y)
    >>> print(round(model.score(X, y), 2))
    0.95
    """

    _parameter_constraints = {
        "estimators": [list, tuple, None],
        "pooling": [StrOptions({"linear", "logarithmic"})],
        "weights": ["array-like", None],
    }

    def __init__(self, estimators=None, *, pooling="linear", weights=None):
        self.estimators = estimators
        self.pooling = pooling
        self.weights = weights

    def fit(self, X, y, sample_weight=None):
        """Fit each classifier.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights; passed to classifiers that take them.

        Returns
        -------
        self : PooledClassifier
        """
        self._validate_params()
        validate_data(self, name_columns(X), skip_check_array=True)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        check_consistent_length(X, y)
        weight = read_weights(sample_weight, np.empty((len(y), 1)))
        given = self.estimators
        if given is None:
            given = [("nb", NaiveBayesClassifier()), ("aode", AODEClassifier())]

        self.classes_ = np.unique(y if weight is None else y[weight > 0.0])
        self.estimators_ = []
        for _, one in given:
            fitted = clone(one).fit(X, y, **pass_weights(one, weight))
            self.estimators_.append(fitted)
        return self

    def predict_proba(self, X):
        """Return the pooled probabilities of the classes.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        pool = linear_pool if self.pooling == "linear" else logarithmic_pool
        return pool([one.predict_proba(X) for one in self.estimators_], self.weights)

    def predict(self, X):
        """Return the most probable class of each row; of ties the first.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags
