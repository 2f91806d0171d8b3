"""Topic words: the words that best tell each topic from all others."""

from numbers import Integral

import numpy as np
from scipy.sparse import csc_array
from scipy.special import entr
from sklearn.utils.validation import check_non_negative, validate_data

from manyminds._compat import Interval
from manyminds.feature_selection.base import Selector, rank_scores, read_target
from manyminds.preprocessing import weigh_words
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite

DIGITS = 12  # gains that differ by rounding are equal


@fill_docstring(references=cite(f"{ROGERS_2007}, section 9.2.2"))
class TopicWordSelector(Selector):
    r"""Select the words that best discriminate each topic, by information gain.

    For each topic, documents are labeled as of this topic or not. The score of a word
    is the largest information gain of a split of the documents by a threshold on its
    weight :math:`f_{dw} \log(N / N_w)`, see `manyminds.preprocessing.weigh_words`. The
    best words of each topic are selected, redundant or not [1]_.

    Parameters
    ----------
    n_words_per_topic : int, default=15
        Number of words to select for each topic; all of them if there are fewer.
    idf : bool, default=True
        Whether to weight counts by the inverse document frequency. It scales the
        counts of a word, which no gain depends on, except that a word of all documents
        weighs and gains nothing, however much its counts differ. False: use X as it is.

    Attributes
    ----------
    topics_ : ndarray of shape (n_topics,)
        The topics, sorted.
    gains_ : ndarray of shape (n_topics, n_features)
        Information gain of each word for each topic, in bits.
    topic_words_ : ndarray of int of shape (n_topics, n_words_per_topic)
        The columns selected for each topic, best first. Of words with equal gains the
        one with the larger mean weight in the topic goes first, then the first in
        alphabetical order of the column names; without names, the first column.
    scores_ : ndarray of shape (n_features,)
        Largest gain of each word over the topics.
    ranking_ : ndarray of int of shape (n_features,)
        Rank of each word by its score, 1 for the best.
    support_ : ndarray of bool of shape (n_features,)
        Words that are selected for any topic.
    n_features_in_ : int
        Number of features seen during ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if all of them are strings.

    See Also
    --------
    InformationGainSelector : Scores features of any kind, for all classes together.

    Notes
    -----
    A word that a topic avoids gains as much as one that it prefers. With many topics
    such words are rare.

    The cost is one sort of the nonzero counts and, for each topic, a pass over them.

    {references}

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.feature_selection import TopicWordSelector
    >>> counts = pd.DataFrame(
    ...     {
    ...         "the": [3, 4, 2, 5, 3, 3],
    ...         "lens": [1, 2, 0, 0, 0, 0],
    ...         "film": [0, 0, 1, 2, 0, 0],
    ...         "mail": [0, 0, 0, 0, 1, 3],
    ...         "see": [1, 0, 1, 0, 0, 1],
    ...     }
    ... )
    >>> topics = ["optics", "optics", "cinema", "cinema", "post", "post"]
    >>> selector = TopicWordSelector(n_words_per_topic=1).fit(counts, topics)
    >>> for topic, words in zip(selector.topics_, selector.topic_words_):
    ...     print(topic, *counts.columns[words])
    cinema film
    optics lens
    post mail
    """

    _parameter_constraints = {
        "n_words_per_topic": [Interval(Integral, 1, None, closed="left")],
        "idf": ["boolean"],
    }

    def __init__(self, n_words_per_topic=15, *, idf=True):
        self.n_words_per_topic = n_words_per_topic
        self.idf = idf

    def fit(self, X, y):
        """Compute the gain of every word for every topic; select the best words.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_documents, n_words)
            Counts of words, or other weights of 0 or more.
        y : array-like of shape (n_documents,)
            Topics of the documents.

        Returns
        -------
        self : TopicWordSelector
            The fitted selector.
        """
        self._validate_params()
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        check_non_negative(X, type(self).__name__)
        codes, self.topics_ = read_target(self, X, y, "classification")
        n_topics, n_features = len(self.topics_), X.shape[1]
        if n_topics < 2:
            raise ValueError("y must have two classes or more; got one class.")

        X = csc_array(weigh_words(X) if self.idf else X)
        X.eliminate_zeros()
        is_topic = codes == np.arange(n_topics)[:, None]
        self.gains_ = _find_threshold_gains(X, is_topic)
        means = is_topic @ X / is_topic.sum(axis=1, keepdims=True)
        names = getattr(self, "feature_names_in_", np.arange(n_features))
        place = np.argsort(np.argsort(names, kind="stable"))
        keys = (np.broadcast_to(place, means.shape), -means, -self.gains_.round(DIGITS))
        n_selected = min(self.n_words_per_topic, n_features)
        self.topic_words_ = np.lexsort(keys, axis=1)[:, :n_selected]
        self.support_ = np.zeros(n_features, dtype=bool)
        self.support_[self.topic_words_] = True
        self.scores_ = self.gains_.max(axis=0)
        self.ranking_ = rank_scores(self.scores_.round(DIGITS))
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = False
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.target_tags.required = True
        return tags


def _find_threshold_gains(X, is_topic):
    """Return the largest gain of a threshold on each column, for each topic.

    Nonzero values of each column are sorted once, from large to small; its zeros are
    one block below them all.
    """
    n_topics, (n_rows, n_columns) = len(is_topic), X.shape
    column = np.repeat(np.arange(n_columns), np.diff(X.indptr))
    order = np.lexsort((-X.data, column))
    row, value = X.indices[order], X.data[order]
    start = X.indptr[column]
    n_above = np.arange(1, len(row) + 1) - start
    ends = np.append(np.diff(column) != 0, True)
    splits = np.append(np.diff(value) != 0, True) | ends
    splits = np.flatnonzero(splits & (n_above < n_rows))
    gains = np.zeros((n_topics, n_columns))
    if not len(splits):
        return gains
    at, start, n_above = column[splits], start[splits], n_above[splits]
    firsts = np.flatnonzero(np.diff(at, prepend=-1))
    for topic, mine in enumerate(is_topic):
        summed = np.append(0, np.cumsum(mine[row]))
        above = summed[splits + 1] - summed[start]
        n_mine = np.count_nonzero(mine)
        left = _entropy(above, n_above)
        right = _entropy(n_mine - above, n_rows - n_above)
        gain = _entropy(n_mine, n_rows) - (left + right)
        gains[topic, at[firsts]] = np.maximum.reduceat(gain, firsts)
    return np.maximum(gains / n_rows, 0.0)


def _entropy(n_mine, n):
    """Return the entropy of n labels in bits, times n."""
    share = n_mine / n
    return n * (entr(share) + entr(1.0 - share)) / np.log(2.0)
