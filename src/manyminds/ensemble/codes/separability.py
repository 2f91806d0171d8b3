"""Class separability: how well a column tells a class from all others."""

import numpy as np


def csep_counts(hard, bits, label, sample_weight=None):
    r"""Count, for each class and column, the pairs that the column gets right or wrong.

    Over all pairs of a row of class :math:`c` and a row of another class, a column
    counts 1 if it gets both rows right, and -1 if both wrong [1]_. With :math:`r` right
    ones of the :math:`n` rows of the class, and :math:`R` of the :math:`m` others, the
    sum over the pairs is :math:`n R + r m - n m`: no loop over pairs is needed.

    Parameters
    ----------
    hard : ndarray of shape (n_samples, n_columns)
        Hard outputs of the columns, 0 or 1.
    bits : ndarray of shape (n_classes, n_columns)
        Codewords, 0 or 1.
    label : ndarray of shape (n_samples,)
        Class numbers.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weights: how often each row counts.

    Returns
    -------
    counts : ndarray of shape (n_classes, n_columns)
    n_pairs : ndarray of shape (n_classes,)
        Number of pairs of each class, :math:`n m`.

    References
    ----------
    .. [1] Smith and Windeatt, "Facial action unit recognition using filtered local
       binary pattern features with bootstrapped and weighted ECOC classifiers", SUEMA,
       2010.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.codes.separability import csep_counts
    >>> hard = np.array([[1], [1], [0]])  # the second row is wrong
    >>> csep_counts(hard, np.array([[1], [0]]), np.array([0, 1, 1]))
    (array([[1.],
           [1.]]), array([2., 2.]))
    """
    weight = np.ones(len(label)) if sample_weight is None else sample_weight
    of_class = np.zeros((len(bits), len(label)))
    of_class[label, np.arange(len(label))] = weight
    right = of_class @ (hard == bits[label])
    size = of_class.sum(axis=1)
    others = size.sum() - size
    right_others = right.sum(axis=0) - right
    n_pairs = size * others
    counts = size[:, None] * right_others + right * others[:, None] - n_pairs[:, None]
    return counts, n_pairs


def csep_weights(hard, bits, label, sample_weight=None):
    """Weigh the columns for each class by class separability.

    Parameters
    ----------
    hard, bits, label, sample_weight : ndarray
        As `csep_counts` takes them.

    Returns
    -------
    weights : ndarray of shape (n_classes, n_columns)
        Counts, negative ones set to 0, divided by their sum for each class. A class
        that no column separates weighs all columns equally.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.codes.separability import csep_weights
    >>> hard = np.array([[1, 1, 0], [1, 0, 1]])  # right, half right, wrong
    >>> csep_weights(hard, np.array([[1, 1, 1], [1, 1, 0]]), np.array([0, 1]))
    array([[1., 0., 0.],
           [1., 0., 0.]])
    """
    weights = csep_counts(hard, bits, label, sample_weight)[0].clip(0.0)
    total = weights.sum(axis=1, keepdims=True)
    equal = np.full_like(weights, 1.0 / weights.shape[1])
    return np.divide(weights, total, out=equal, where=total > 0.0)
