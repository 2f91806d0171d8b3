"""Scores of texts by a linear model of their words and pairs of words, cross-fitted."""

from numbers import Integral, Real

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer
from sklearn.linear_model import Ridge
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import Interval
from manyminds.preprocessing.checking import check_table
from manyminds.preprocessing.generation.base import (
    CONSTRAINTS,
    PARAGRAPHS,
    FeatureGenerator,
    append_columns,
    read_target,
)
from manyminds.preprocessing.generation.text_encoder import WORD, as_texts, find_texts
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.folds import assign_folds, read_groups

N_TERMS = 2**18  # numbers that words and pairs are hashed to
MIN_TEXTS = 2  # with a term that counts
MAX_SCORED_CLASSES = 20  # the most frequent ones have a score
TOLERANCE = 1e-3  # of the solver: about 15 passes over the texts


@fill_docstring(**PARAGRAPHS)
class TextScores(FeatureGenerator):
    """Append what a linear model of the words of each text column predicts.

    The words of a text, and its pairs of neighboring words, are hashed [1]_ and
    weighted by tf-idf; a ridge regression of the target on them is the model. The
    columns of text stay. ``fit_transform`` is cross-fitted: the score of a training row
    is that of a model of other folds, so that no row's own target is in its new
    columns. It therefore differs from ``fit`` and then ``transform``.

    Parameters
    ----------
    columns : list of str or of int, or None, default=None
        Names or positions of the columns of text. None: columns of text or categories
        that hold mostly different texts of several words, at least 20.
    max_length : int, default=2
        Maximum number of neighboring words that are a term of their own.
    max_terms : int, default=50_000
        Number of terms that count: those of the most texts, and of two at least.
    alpha : float, default=1.0
        Penalty of the ridge regression.
    cv : int, default=5
        Number of folds of ``fit_transform``.
    {task}
    {random_state}

    Attributes
    ----------
    models_ : dict of int to list
        Positions of the columns of text, and for each the numbers of the terms that
        count, the fitted `TfidfTransformer` and the fitted `Ridge`. Columns without
        words are left out.
    outputs_ : ndarray of int
        Places of the classes that have a score, in sorted order: the second of two
        classes, otherwise all or the 20 most frequent ones. Only 0 for a regression;
        empty if there is one class.
    {inputs}

    References
    ----------
    .. [1] Weinberger, Dasgupta, Langford, Smola and Attenberg, "Feature hashing for
       large scale multitask learning", ICML, 2009.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.preprocessing import TextScores
    >>> X = pd.DataFrame({"text": ["a good wine", "a bad wine"] * 10})
    >>> scores = TextScores(columns=["text"]).fit(X, [1.0, 0.0] * 10)
    >>> scores.transform(X).head(2).round(1)
              text  score by text
    0  a good wine            0.9
    1   a bad wine            0.1
    """

    _parameter_constraints = {
        "columns": [list, tuple, None],
        "max_length": [Interval(Integral, 1, None, closed="left")],
        "max_terms": [Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0.0, None, closed="neither")],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "task": CONSTRAINTS["task"],
        "random_state": CONSTRAINTS["random_state"],
    }

    def __init__(
        self,
        *,
        columns=None,
        max_length=2,
        max_terms=50_000,
        alpha=1.0,
        cv=5,
        task="auto",
        random_state=0,
    ):
        self.columns = columns
        self.max_length = max_length
        self.max_terms = max_terms
        self.alpha = alpha
        self.cv = cv
        self.task = task
        self.random_state = random_state

    def fit(self, X, y):
        """Fit the model of each column of text to all training rows.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Only dataframes have columns of text.
        y : array-like of shape (n_samples,)
            The target.

        Returns
        -------
        self : object
        """
        self._fit(X, y)
        return self

    def fit_transform(self, X, y, groups=None):
        """Append the scores of models of other folds; fit those for ``transform``.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Only dataframes have columns of text.
        y : array-like of shape (n_samples,)
            The target.
        groups : array-like of shape (n_samples,), default=None
            Groups of the rows, as patients or days, that stay together in the folds.

        Returns
        -------
        X : ndarray or dataframe of shape (n_samples, n_features + n_new)
        """
        X, target, folds, weights = self._fit(X, y, groups)
        scores = []
        for one in weights.values():
            held_out = np.empty(target.shape)
            for fold in range(folds.max() + 1):
                inside = folds == fold
                model = self._fit_ridge(one[~inside], target[~inside])
                held_out[inside] = _predict(model, one[inside])
            scores += list(held_out.T)
        return self._append(X, scores)

    def transform(self, X):
        """Append the scores of the texts.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)

        Returns
        -------
        X : ndarray or dataframe of shape (n_samples, n_features + n_new)
            The score of a missing text is that of a text of unknown words.
        """
        check_is_fitted(self)
        X = check_table(self, X, reset=False, accept_sparse=False)
        scores = []
        for place, (terms, tfidf, ridge) in self.models_.items():
            counts = _count_terms(as_texts(X.iloc[:, place]), self.max_length)
            scores += list(_predict(ridge, tfidf.transform(counts[:, terms])).T)
        return self._append(X, scores)

    def _fit(self, X, y, groups=None):
        """Fit the models; return table, outputs, folds, and the weights of the terms.

        Weights do not depend on the target, so that all folds share them.
        """
        self._validate_params()
        X = check_table(self, X, reset=True, accept_sparse=False)
        y, is_classes = read_target(self, X, y)
        places = find_texts(X, self.columns)

        rng = check_random_state(self.random_state)
        self.outputs_ = _choose_outputs(y, is_classes)
        target = y[:, None] == self.outputs_ if is_classes else y[:, None]
        target = target.astype(np.float64)
        label = y if is_classes else np.zeros(len(y), np.intp)
        folds = assign_folds(label, self.cv, rng, read_groups(groups, X))
        self.models_, weights = {}, {}
        for place in places if len(self.outputs_) else []:
            counts = _count_terms(as_texts(X.iloc[:, place]), self.max_length)
            terms = _find_frequent(counts, self.max_terms)
            if not len(terms):
                continue
            tfidf = TfidfTransformer(sublinear_tf=True)
            weights[place] = tfidf.fit_transform(counts[:, terms])
            ridge = self._fit_ridge(weights[place], target)
            self.models_[place] = [terms, tfidf, ridge]
        return X, target, folds, weights

    def _fit_ridge(self, weights, target):
        ridge = Ridge(self.alpha, solver="sparse_cg", tol=TOLERANCE)
        return ridge.fit(weights, target)

    def _append(self, X, scores):
        return append_columns(X, scores, self.get_feature_names_out()[X.shape[1] :])

    def _name_new(self, names):
        made = [f"score by {names[place]}" for place in self.models_]
        if len(self.outputs_) == 1:
            return made
        return [f"{name} of class {k}" for name in made for k in self.outputs_]


def _choose_outputs(y, is_classes):
    """Return the codes of the classes that have a score; 0 for numbers."""
    if not is_classes:
        return np.zeros(min(1, len(y) - 1), dtype=np.int64)
    counts = np.bincount(y)
    if len(counts) <= 2:
        return np.arange(1, len(counts))
    return np.sort(np.argsort(-counts, kind="stable")[:MAX_SCORED_CLASSES])


def _count_terms(texts, max_length):
    """Return the sparse counts of the hashed words and pairs of texts."""
    vectorizer = HashingVectorizer(
        token_pattern=WORD,
        ngram_range=(1, max_length),
        n_features=N_TERMS,
        alternate_sign=False,
        norm=None,
    )
    return vectorizer.transform(texts)


def _find_frequent(counts, max_terms):
    """Return the numbers of the terms of the most texts, sorted.

    Terms of a single text are left out, unless there are no others.
    """
    n_texts = np.bincount(counts.indices, minlength=N_TERMS)
    found = np.flatnonzero(n_texts >= min(MIN_TEXTS, n_texts.max()))
    most = np.argsort(-n_texts[found], kind="stable")[:max_terms]
    return np.sort(found[most]) if n_texts.any() else found[:0]


def _predict(ridge, weights):
    return ridge.predict(weights).reshape(weights.shape[0], -1)
