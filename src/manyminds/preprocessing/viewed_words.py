"""Viewed words as training examples: relevant to a search, or to another topic."""

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

NO_EXAMPLE = -1


def label_viewed_words(terms, search_topics, is_relevant, topic_words):
    """Label viewed words by whether they are relevant to a reader's search.

    In a document that its reader marked as relevant, words from the list of the search
    topic are positive examples. In a document marked as irrelevant, words from the list
    of any other topic are negative examples. All other words are no examples [1]_.

    Parameters
    ----------
    terms : array-like of int of shape (n_viewed_words,)
        The term of each viewed word.
    search_topics : array-like of int of shape (n_viewed_words,)
        The topic that its reader searches for, a row of ``topic_words``.
    is_relevant : array-like of bool of shape (n_viewed_words,)
        Whether the reader marked the document as relevant.
    topic_words : array-like of int of shape (n_topics, n_words)
        The most discriminative terms of each topic, as of
        `manyminds.feature_selection.TopicWordSelector`.

    Returns
    -------
    labels : ndarray of int of shape (n_viewed_words,)
        1 and 0 for positive and negative examples, -1 for words that are no example.

    Notes
    -----
    Labels are noisy: a reader may not recognize a relevant word, or may be interested
    in another topic as well. The sentence of the paper that defines negative examples
    is damaged in the copy that we have; this reading fits its description of them as
    words that are relevant to a different topic. A term in the lists of the search
    topic and of another one is a negative example in an irrelevant document.

    References
    ----------
    .. [1] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 9.2.3.

    Examples
    --------
    Topic 0 has the terms 3 and 4, topic 1 the terms 5 and 6. The reader searches for
    topic 0:

    >>> from manyminds.preprocessing import label_viewed_words
    >>> label_viewed_words(
    ...     terms=[3, 5, 9, 3, 5],
    ...     search_topics=[0, 0, 0, 0, 0],
    ...     is_relevant=[True, True, True, False, False],
    ...     topic_words=[[3, 4], [5, 6]],
    ... )
    array([ 1, -1, -1, -1,  0])
    """
    terms, topics = (
        _read_codes(terms, "terms"),
        _read_codes(search_topics, "search_topics"),
    )
    is_relevant = column_or_1d(is_relevant).astype(bool)
    check_consistent_length(terms, topics, is_relevant)
    topic_words = np.asarray(topic_words)
    if topic_words.ndim != 2 or topic_words.dtype.kind not in "iu":
        raise ValueError(
            "topic_words must have one row of integers per topic; got the shape "
            f"{topic_words.shape} and the dtype {topic_words.dtype}."
        )
    n_topics = len(topic_words)
    if len(topics) and topics.max() >= n_topics:
        raise ValueError(
            f"search_topics must be rows of topic_words, from 0 to {n_topics - 1}; "
            f"got {topics.max()}."
        )

    n_terms = max(topic_words.max(initial=0), terms.max(initial=0)) + 1
    listed = np.zeros((n_topics, n_terms), dtype=bool)
    np.put_along_axis(listed, topic_words, True, axis=1)
    of_search = listed[topics, terms]
    of_others = listed.sum(axis=0)[terms] > of_search
    labels = np.full(len(terms), NO_EXAMPLE)
    labels[is_relevant & of_search] = 1
    labels[~is_relevant & of_others] = 0
    return labels


def _read_codes(codes, name):
    """Return integers of 0 or more."""
    codes = column_or_1d(codes)
    if codes.dtype.kind not in "iu" or codes.min(initial=0) < 0:
        raise ValueError(f"{name} must be integers of 0 or more; got {codes!r}.")
    return codes
