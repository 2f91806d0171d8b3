"""Problems of pure logic: exclusive or, the multiplexer, the three monks."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.datasets.generators._drawing import (
    all_rows,
    check_count,
    check_number,
    check_option,
    flip_labels,
)
from manyminds.datasets.generators._paragraphs import document_generator

# The attributes of the monks' robots and the number of values of each.
MONKS_LEVELS = (3, 3, 2, 3, 4, 2)


@document_generator
def make_xor(
    n_samples=500,
    *,
    n_bits=2,
    n_irrelevant=8,
    continuous=False,
    label_noise=0.0,
    random_state=None,
):
    """Draw rows whose class is the exclusive or of their first columns.

    With more than two bits it is their parity: whether an odd number is set. Each
    column alone, and each proper subset of the bits, is independent of the class; all
    of them together determine it. Bayes error 0, or ``label_noise`` if that is
    up to one half.

    Parameters
    ----------
    n_samples : int or None, default=500
        Number of rows; None for each of the ``2 ** (n_bits + n_irrelevant)`` rows of
        bits once.
    n_bits : int, default=2
        Number of leading columns that determine the class.
    n_irrelevant : int, default=8
        Number of additional columns, drawn like the first.
    continuous : bool, default=False
        Whether columns are uniform from 0 to 1, a bit being set above one half,
        rather than 0 or 1.
    {label_noise}
    {random_state}

    Returns
    -------
    X : ndarray of shape (n_samples, n_bits + n_irrelevant)
        Samples.
    {classes}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_xor
    >>> X, y = make_xor(None, n_irrelevant=0)
    >>> for row, label in zip(X, y):
    ...     print(row, label)
    [0. 0.] 0
    [0. 1.] 1
    [1. 0.] 1
    [1. 1.] 0
    """
    n_bits = check_count("n_bits", n_bits)
    n_features = n_bits + check_count("n_irrelevant", n_irrelevant, low=0)
    if n_samples is None and continuous:
        raise ValueError("n_samples must be an integer with continuous=True; got None.")
    rng = check_random_state(random_state)

    X = _rows_of_bits(n_samples, n_features, rng, continuous)
    y = (X[:, :n_bits] > 0.5).sum(axis=1) % 2
    return X, flip_labels(y, label_noise, rng)


@document_generator
def make_multiplexer(
    n_samples=None,
    *,
    n_control=2,
    n_irrelevant=0,
    label_noise=0.0,
    random_state=None,
):
    """Draw rows whose first bits select which of the following bits is the class.

    The ``n_control`` bits, as a binary number whose first bit is the highest, select
    one of ``2 ** n_control`` input bits. All these columns are relevant, but in each
    row only ``n_control + 1`` of them are. Bayes error 0, or ``label_noise`` if that
    is up to one half.

    Parameters
    ----------
    n_samples : int or None, default=None
        Number of rows, drawn with replacement; None for each row once.
    n_control : int, default=2
        Number of control bits; with 2 there are 6 columns and 64 rows.
    n_irrelevant : int, default=0
        Number of additional bits that are independent of the class.
    {label_noise}
    {random_state}

    Returns
    -------
    X : ndarray of shape (n_samples, n_control + 2 ** n_control + n_irrelevant)
        The rows, 0 or 1.
    {classes}

    Examples
    --------
    >>> from manyminds.datasets.generators import make_multiplexer
    >>> X, y = make_multiplexer(n_control=1)
    >>> print(X[5], y[5])  # the control bit is 1: the second input bit counts
    [1. 0. 1.] 1
    """
    n_control = check_count("n_control", n_control, high=4)
    n_irrelevant = check_count("n_irrelevant", n_irrelevant, low=0)
    rng = check_random_state(random_state)

    n_inputs = 2**n_control
    X = _rows_of_bits(n_samples, n_control + n_inputs + n_irrelevant, rng)
    chosen = X[:, :n_control] @ 2 ** np.arange(n_control)[::-1]
    y = X[np.arange(len(X)), n_control + chosen.astype(np.intp)].astype(np.intp)
    return X, flip_labels(y, label_noise, rng)


def _rows_of_bits(n_samples, n_features, rng, continuous=False):
    """Return every row of bits once, or draw ``n_samples`` rows."""
    if n_samples is None:
        # Each bit doubles the table; 20 of them take 160 megabytes.
        if n_features > 20:
            raise ValueError(
                "n_samples=None lists all rows, for at most 20 columns; "
                f"there are {n_features}."
            )
        return all_rows(*[[0, 1]] * n_features)
    shape = check_count("n_samples", n_samples), n_features
    draws = rng.uniform(size=shape)
    return draws if continuous else np.round(draws)


@document_generator
def make_monks(n_samples=None, *, problem=1, label_noise=0.0, random_state=None):
    """Return all robots, or a sample, of one of the three monk's problems.

    Robots have six attributes with values from 1 to 3, 3, 2, 3, 4 and 2 [1]_. A
    robot is of class 1

    1. if its first two attributes are equal or its fifth is 1;
    2. if exactly two of its six attributes are 1;
    3. if its fifth is 3 and its fourth 1, or its fifth is not 4 and its second not 3.

    Parameters
    ----------
    n_samples : int or None, default=None
        Number of rows, drawn without replacement; None for all 432. The training
        sets in wide use are such samples of 124, 169 and 122 rows.
    problem : {1, 2, 3}, default=1
        Which of the problems.
    label_noise : float, default=0.0
        Fraction of rows, rounded to a number of rows, whose label is flipped: 0.05 in
        the training set of the third problem, 0 in the others.
    {random_state}

    Returns
    -------
    X : ndarray of shape (n_samples, 6)
        Attributes. They are nominal: encode them as the learner needs.
    y : ndarray of shape (n_samples,)
        The classes, 0 or 1: 216, 142 and 228 of the 432 robots are of class 1.

    References
    ----------
    .. [1] Thrun et al., "The MONK's problems: a performance comparison of different
       learning algorithms", CMU-CS-91-197, Carnegie Mellon University, 1991.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_monks
    >>> [int(make_monks(problem=p)[1].sum()) for p in (1, 2, 3)]
    [216, 142, 228]
    """
    check_option("problem", problem, (1, 2, 3))
    rng = check_random_state(random_state)
    X = all_rows(*(np.arange(1, n_levels + 1) for n_levels in MONKS_LEVELS))
    if n_samples is not None:
        n_samples = check_count("n_samples", n_samples, high=len(X))
        X = X[rng.permutation(len(X))[:n_samples]]

    a1, a2, _, a4, a5, _ = X.T
    if problem == 1:
        y = (a1 == a2) | (a5 == 1)
    elif problem == 2:
        y = (X == 1).sum(axis=1) == 2
    else:
        y = ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3))
    return X, flip_labels(y.astype(np.intp), label_noise, rng)


def exact_rule_error(label_noise=0.0):
    """Return the Bayes error of a rule that is exact but for flipped labels."""
    share = check_number("label_noise", label_noise, high=1.0)
    return min(share, 1.0 - share)
