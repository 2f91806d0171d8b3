"""Rows with several labels that depend on each other."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.datasets.generators._drawing import (
    check_count,
    check_number,
    flip_labels,
)
from manyminds.datasets.generators._paragraphs import document_generator

# Six action units of the upper face, the combinations in which they were seen, and
# how often. A row of zeros is the face without any.
_UNITS = (1, 2, 4, 5, 6, 7)
_GROUPS = {
    (): 152,
    (1, 2): 23,
    (1, 2, 5): 62,
    (4,): 26,
    (6,): 66,
    (1, 4): 20,
    (1, 4, 7): 11,
    (4, 7): 48,
    (4, 6, 7): 22,
    (6, 7): 13,
    (1,): 7,
    (1, 2, 4): 6,
}
LABEL_GROUPS = np.array([[unit in group for unit in _UNITS] for group in _GROUPS], int)
GROUP_COUNTS = np.array(list(_GROUPS.values()))


@document_generator
def make_multilabel_xor(
    n_samples=500, *, n_irrelevant=0, label_noise=0.0, random_state=None
):
    """Draw rows with two labels, the second an exclusive or with the first.

    Columns are uniform from 0 to 1. The first label is whether the first column is
    above one half; the second, whether exactly one of the first label and "the second
    column is above one half" holds. The second label is hard to learn from the columns
    alone, and easy from the columns and the first label.

    Parameters
    ----------
    n_samples : int, default=500
        Number of rows.
    n_irrelevant : int, default=0
        Number of additional columns that are independent of the labels.
    label_noise : float, default=0.0
        Fraction of rows, rounded to a number of rows, whose first label is flipped
        before the second is computed. At one half, the first label is random, and only
        a joint prediction of both labels is better than random guessing.
    {random_state}

    Returns
    -------
    X : ndarray of shape (n_samples, 2 + n_irrelevant)
        Samples.
    Y : ndarray of shape (n_samples, 2)
        Their labels, 0 or 1.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_multilabel_xor
    >>> X, Y = make_multilabel_xor(label_noise=0.2, random_state=0)
    >>> bool(((Y[:, 0] ^ Y[:, 1]) == (X[:, 1] > 0.5)).all())
    True
    """
    n_samples = check_count("n_samples", n_samples)
    n_irrelevant = check_count("n_irrelevant", n_irrelevant, low=0)
    rng = check_random_state(random_state)

    X = rng.uniform(size=(n_samples, 2 + n_irrelevant))
    bits = (X[:, :2] > 0.5).astype(np.intp)
    first = flip_labels(bits[:, 0], label_noise, rng)
    return X, np.column_stack([first, first ^ bits[:, 1]])


@document_generator
def make_label_groups(n_samples=456, *, n_features=20, signal=2.0, random_state=None):
    """Draw rows with six labels that occur in twelve combinations only.

    The combinations and their probabilities are those of six facial action units in
    456 pictures [1]_; a third of the rows has no label. Each label shifts a row by
    ``signal`` in its own random direction, plus standard normal noise.

    Parameters
    ----------
    n_samples : int, default=456
        Number of rows.
    n_features : int, default=20
        Number of columns.
    signal : float, default=2.0
        Shift of a row by a label, in standard deviations of the noise.
    {random_state}

    Returns
    -------
    {rows}
    Y : ndarray of shape (n_samples, 6)
        Their labels, 0 or 1: action units 1, 2, 4, 5, 6 and 7.

    References
    ----------
    .. [1] Smith and Windeatt, on facial action units by error-correcting output
       codes, SUEMA, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.datasets.generators import make_label_groups
    >>> X, Y = make_label_groups(2000, random_state=0)
    >>> len(np.unique(Y, axis=0))
    12
    """
    n_samples = check_count("n_samples", n_samples)
    n_features = check_count("n_features", n_features)
    signal = check_number("signal", signal)
    rng = check_random_state(random_state)

    share = GROUP_COUNTS / GROUP_COUNTS.sum()
    Y = LABEL_GROUPS[rng.choice(len(LABEL_GROUPS), size=n_samples, p=share)]
    direction = rng.standard_normal((len(_UNITS), n_features))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    X = signal * Y @ direction + rng.standard_normal((n_samples, n_features))
    return X, Y
