"""Encode columns of free text by the main components of their weighted words."""

from numbers import Integral

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import DocLinkMixin, Interval, check_feature_names_in
from manyminds.datasets.texts import is_free_text
from manyminds.preprocessing.checking import check_table
from manyminds.preprocessing.generation.text_statistics import (
    STATISTICS,
    compute_statistics,
)

WORD = r"(?u)\b\w+\b"
MAX_SEED = 2**31 - 1


class TextEncoder(DocLinkMixin, TransformerMixin, BaseEstimator):
    """Replace each column of free text by numeric columns; pass all others through.

    The words of a text are weighted by tf-idf: often in the text, rarely in others. A
    truncated singular value decomposition [1]_ reduces the sparse matrix of texts and
    words to few columns, in which texts of related words are close. A missing or empty
    text, and one of unknown words only, is 0 in all of them.

    Parameters
    ----------
    n_components : int, default=30
        Number of columns of each column of text; fewer if it has fewer words or rows.
    columns : list of str or of int, or None, default=None
        Names or positions of the columns of text. None: columns of text or categories
        that hold mostly different texts of several words, at least 20.
    max_words : int, default=20_000
        Number of words that count: the most frequent ones.
    statistics : bool, default=False
        Whether there are columns of the numbers of characters and of words, and of the
        shares of digits, capital letters and marks among the characters. Those that do
        not vary in the training rows are left out.
    random_state : int, RandomState instance or None, default=0
        Seed of the decomposition.

    Attributes
    ----------
    encoders_ : dict of int to list
        Positions of the columns of text, and the fitted `TfidfVectorizer` and
        `TruncatedSVD` of each; without the latter if there are as few words as
        components, and empty without words.
    statistics_ : dict of int to list of int
        Positions of the columns of text, and the statistics that vary, by their order
        above; without ``statistics``, none.
    n_features_in_ : int
        Number of features seen during ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if all of them are strings.

    References
    ----------
    .. [1] Deerwester, Dumais, Furnas, Landauer and Harshman, "Indexing by latent
       semantic analysis", Journal of the American Society for Information Science,
       1990.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.preprocessing import TextEncoder
    >>> texts = ["a good red wine", "a good white wine", "an old red car"]
    >>> X = pd.DataFrame({"text": texts, "price": [9.0, 8.0, 7.0]})
    >>> encoder = TextEncoder(n_components=2, columns=["text"])
    >>> list(encoder.fit_transform(X))
    ['text_0', 'text_1', 'price']
    """

    _parameter_constraints = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "columns": [list, tuple, None],
        "max_words": [Interval(Integral, 1, None, closed="left")],
        "statistics": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components=30,
        *,
        columns=None,
        max_words=20_000,
        statistics=False,
        random_state=0,
    ):
        self.n_components = n_components
        self.columns = columns
        self.max_words = max_words
        self.statistics = statistics
        self.random_state = random_state

    def fit(self, X, y=None):
        """Learn the words of the columns of text, and their main components.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Only dataframes have columns of text.
        y : None
            Ignored.

        Returns
        -------
        self : object
        """
        self._validate_params()
        X = check_table(self, X, reset=True, accept_sparse=("csr", "csc"))
        places = find_texts(X, self.columns)

        rng = check_random_state(self.random_state)
        self.encoders_, self.statistics_ = {}, {}
        for place in places:
            texts, seed = as_texts(X.iloc[:, place]), rng.randint(MAX_SEED)
            self.encoders_[place] = _fit_encoder(
                texts, self.n_components, self.max_words, seed
            )
            self.statistics_[place] = _find_varying(texts) if self.statistics else []
        return self

    def transform(self, X):
        """Replace the columns of text by numbers.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)

        Returns
        -------
        X : ndarray, sparse matrix or dataframe of shape (n_samples, n_made)
            The components and statistics of a column are at its position.
        """
        check_is_fitted(self)
        X = check_table(self, X, reset=False, accept_sparse=("csr", "csc"))
        if not self.encoders_:
            return X
        made = []
        for place in range(X.shape[1]):
            column = X.iloc[:, place]
            if place in self.encoders_:
                texts, kept = as_texts(column), self.statistics_[place]
                made += list(_encode(texts, self.encoders_[place]).T)
                made += list(compute_statistics(texts)[:, kept].T) if kept else []
            else:
                made.append(column.array)
        names = self.get_feature_names_out()
        columns = dict(zip(names, made, strict=True))
        return pd.DataFrame(columns, index=X.index, columns=names)

    def get_feature_names_out(self, input_features=None):
        """Return the names of the columns of ``transform``.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the columns; by default those seen during ``fit``.

        Returns
        -------
        names : ndarray of str
            ``note_0`` and so on for the components of ``note``, and ``note_words`` and
            the like for its statistics; with another ``_`` if a column of this name
            exists.
        """
        check_is_fitted(self)
        names = list(check_feature_names_in(self, input_features))
        taken, made = set(names), []
        for place, name in enumerate(names):
            if place not in self.encoders_:
                made.append(name)
                continue
            endings = list(range(_count_components(self.encoders_[place])))
            for ending in endings + [STATISTICS[k] for k in self.statistics_[place]]:
                new = f"{name}_{ending}"
                while new in taken:
                    new += "_"
                taken.add(new)
                made.append(new)
        return np.array(made, dtype=object)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def as_texts(column):
    """Return the cells of a column as a list of str; empty where missing."""
    codes, values = pd.factorize(column.astype(object))
    texts = np.array([*(str(value) for value in values), ""], dtype=object)
    return texts[codes].tolist()


def find_texts(X, columns):
    """Return the positions of the columns of text."""
    if not hasattr(X, "iloc"):
        if columns:
            raise ValueError(
                f"columns must be None for a table without names; got {columns!r}."
            )
        return []
    if columns is None:
        return [p for p in range(X.shape[1]) if is_free_text(X.iloc[:, p])]
    names = {name: place for place, name in enumerate(X.columns)}
    names |= {place: place for place in range(X.shape[1]) if place not in names}
    if unknown := [name for name in columns if name not in names]:
        raise ValueError(f"columns must name columns of X; got {unknown[0]!r}.")
    return sorted(names[name] for name in columns)


def _fit_encoder(texts, n_components, max_words, seed):
    """Return the fitted vectorizer of texts, and the decomposition if there are many.

    Words of a single text are left out, unless there are no others.
    """
    for min_df in (2, 1) if len(set(texts)) > 2 else (1,):
        vectorizer = TfidfVectorizer(
            token_pattern=WORD,
            min_df=min_df,
            max_features=max_words,
            sublinear_tf=True,
        )
        try:
            weights = vectorizer.fit_transform(texts)
        except ValueError:  # there are no words
            continue
        n_kept = min(n_components, weights.shape[0])
        if weights.shape[1] <= n_kept:
            return [vectorizer]
        return [vectorizer, TruncatedSVD(n_kept, random_state=seed).fit(weights)]
    return []


def _find_varying(texts):
    """Return the places of the statistics that are not the same for all texts."""
    statistics = compute_statistics(texts)
    return np.flatnonzero(np.ptp(statistics, axis=0) > 0.0).tolist()


def _encode(texts, encoder):
    """Return the components of texts."""
    if not encoder:
        return np.empty((len(texts), 0))
    weights = encoder[0].transform(texts)
    return encoder[1].transform(weights) if len(encoder) > 1 else weights.toarray()


def _count_components(encoder):
    if not encoder:
        return 0
    if len(encoder) > 1:
        return len(encoder[1].components_)
    return len(encoder[0].vocabulary_)
