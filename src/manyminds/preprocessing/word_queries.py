"""Queries of weighted words: those of known topics, and what they make of documents."""

import numpy as np
from scipy.sparse import csr_array
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from manyminds.datasets.sparse import shorten_indices


def weigh_words(counts):
    r"""Weigh counts of words by the inverse document frequency.

    .. math:: x_{dw} = f_{dw} \log(N / N_w)

    where :math:`f_{dw}` counts the word :math:`w` in document :math:`d`, and
    :math:`N_w` of the :math:`N` documents have it. A word of all documents weighs
    nothing, unlike in scikit-learn's ``TfidfTransformer``, which adds 1 to the
    logarithm.

    Parameters
    ----------
    counts : {array-like, sparse matrix} of shape (n_documents, n_terms)
        Counts, 0 or more.

    Returns
    -------
    weights : sparse array of shape (n_documents, n_terms)
        In CSR format, without explicit zeros.

    Examples
    --------
    >>> from manyminds.preprocessing import weigh_words
    >>> weigh_words([[1, 2], [3, 0]]).toarray().round(2)
    array([[0.  , 1.39],
           [0.  , 0.  ]])
    """
    counts = _read_counts(counts)
    n_documents, n_terms = counts.shape
    n_with = np.bincount(counts.indices, minlength=n_terms)
    idf = np.log(n_documents / np.maximum(n_with, 1))
    counts.data *= idf[counts.indices]
    counts.eliminate_zeros()
    return counts


def learn_topic_queries(counts, topics, *, C=1.0):
    """Learn the ideal query of each topic: a linear support vector machine's weights.

    To predict a query from eye movements [1]_, fit any regressor to the features of
    viewed words and the weights that the query of the search topic has for them; for a
    new session, predict the weights of the words that were viewed and score documents
    with them.

    Parameters
    ----------
    counts : {array-like, sparse matrix} of shape (n_documents, n_terms)
        Counts of terms.
    topics : array-like of shape (n_documents,)
        Topics of the documents, two or more.
    C : float, default=1.0
        Inverse strength of the machines' regularization.

    Returns
    -------
    queries : ndarray of shape (n_topics, n_terms)
        Weights of the terms, topic against rest, in the sorted order of topics.

    See Also
    --------
    score_documents : Scores documents by words and their weights.

    References
    ----------
    .. [1] Hardoon, Shawe-Taylor, Ajanki, Puolamäki and Kaski, "Information retrieval by
       inferring implicit queries from eye movements", AISTATS, 2007.

    Examples
    --------
    >>> from manyminds.preprocessing import learn_topic_queries
    >>> counts = [[3, 0, 1], [2, 0, 1], [0, 2, 1], [0, 3, 1]]
    >>> queries = learn_topic_queries(counts, ["cats", "cats", "dogs", "dogs"])
    >>> queries.argmax(axis=1)  # the term with the largest weight in each query
    array([0, 1])
    """
    X, topics = normalize(weigh_words(counts)), column_or_1d(topics)
    check_consistent_length(X, topics)
    check_classification_targets(topics)
    names, codes = np.unique(topics, return_inverse=True)
    if len(names) < 2:
        raise ValueError(f"topics must have two topics or more; got {len(names)}.")

    machine = LinearSVC(C=C, random_state=0)
    return np.array(
        [machine.fit(X, codes == code).coef_[0] for code in range(len(names))]
    )


def score_documents(counts, terms, scores):
    """Score documents by the words that a reader found relevant.

    The query is the mean score of each term, 0 for terms without a score. A document's
    score is the scalar product of the query and the document's words, weighted as by
    `weigh_words` and scaled to length 1, so that long documents have no advantage.

    Parameters
    ----------
    counts : {array-like, sparse matrix} of shape (n_documents, n_terms)
        Counts of terms in the documents to rank.
    terms : array-like of int of shape (n_words,)
        Viewed terms; one may occur several times.
    scores : array-like of shape (n_words,)
        Their relevance, such as the share of votes for it [1]_, or a weight that was
        predicted by a regressor.

    Returns
    -------
    document_scores : ndarray of shape (n_documents,)
        ``np.argsort(-document_scores)`` ranks the documents.

    References
    ----------
    .. [1] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 9.4.

    Examples
    --------
    >>> from manyminds.preprocessing import score_documents
    >>> counts = [[2, 0, 1], [0, 3, 1], [1, 1, 0]]
    >>> score_documents(counts, terms=[0, 0, 1], scores=[0.9, 0.5, -0.2]).round(2)
    array([ 0.63, -0.19,  0.35])
    """
    X = normalize(weigh_words(counts))
    terms, scores = column_or_1d(terms), column_or_1d(scores).astype(np.float64)
    check_consistent_length(terms, scores)
    n_terms = X.shape[1]
    if terms.dtype.kind not in "iu" or ((terms < 0) | (terms >= n_terms)).any():
        raise ValueError(
            f"terms must be integers from 0 to {n_terms - 1}, columns of counts; got "
            f"{terms!r}."
        )
    n_views = np.bincount(terms, minlength=n_terms)
    query = np.bincount(terms, scores, minlength=n_terms) / np.maximum(n_views, 1)
    return X @ query


def _read_counts(counts):
    """Return counts as a new sparse array of floats; they must not be negative."""
    counts = check_array(
        counts, accept_sparse="csr", dtype=np.float64, copy=True, input_name="counts"
    )
    counts = shorten_indices(csr_array(counts))
    counts.sum_duplicates()
    counts.eliminate_zeros()
    if (counts.data < 0.0).any():
        raise ValueError("counts must be 0 or more; got negative numbers.")
    return counts
