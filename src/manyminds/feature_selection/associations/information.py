"""Associations of columns of codes: mutual information, gain ratio, uncertainty."""

import numpy as np

from manyminds.feature_selection.associations.code_tables import (
    CodeTable,
    count_table,
    divide_information,
    joint_entropy,
    share_information,
)


def mutual_information(
    table,
    target_codes,
    n_target_levels,
    features=None,
    sample_weight=None,
    n_jobs=None,
):
    """Compute the mutual information of one column with many, in bits.

    :math:`I(X, Y) = H(X) + H(Y) - H(X, Y)`.

    Parameters
    ----------
    table : CodeTable
        The many columns.
    target_codes : ndarray of int of shape (n_samples,)
        Codes of the one column: of the target, or ``table.codes[j]``.
    n_target_levels : int
        Number of its levels.
    features : array-like of int, default=None
        Which columns of the table; None: all of them.
    sample_weight : ndarray of shape (n_samples,), default=None
        Sample weights; None: each counts as one.
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    information : ndarray of shape (n_features,)
        Information of each of the columns, 0 or more.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.associations import (
    ...     CodeTable,
    ...     mutual_information,
    ... )
    >>> codes = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8)
    >>> table = CodeTable(codes, np.array([2, 2]))
    >>> mutual_information(table, np.array([1, 1, 0, 0]), 2)
    array([1., 0.])
    """
    found = _measure(
        table, target_codes, n_target_levels, features, sample_weight, n_jobs
    )
    return share_information(*found)


def information_gain(
    table,
    target_codes,
    n_target_levels,
    features=None,
    sample_weight=None,
    n_jobs=None,
):
    """Compute the decrease of a column's entropy by knowing another column, in bits.

    :math:`H(Y) - H(Y \\mid X)`, another name of mutual information.

    Parameters
    ----------
    table, target_codes, n_target_levels, features, sample_weight, n_jobs
        See `mutual_information`.

    Returns
    -------
    gain : ndarray of shape (n_features,)
        In bits, 0 or more.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.associations import (
    ...     CodeTable,
    ...     information_gain,
    ... )
    >>> table = CodeTable(np.array([[0, 1, 2, 3]], dtype=np.uint8), np.array([4]))
    >>> information_gain(table, np.array([0, 0, 1, 1]), 2)
    array([1.])
    """
    return mutual_information(
        table, target_codes, n_target_levels, features, sample_weight, n_jobs
    )


def gain_ratio(
    table,
    target_codes,
    n_target_levels,
    features=None,
    sample_weight=None,
    n_jobs=None,
):
    """Divide the information gain of columns by their entropy.

    Columns with many levels have a high gain by random variation alone, and a high
    entropy too. A column with one level has a ratio of 0.

    Parameters
    ----------
    table, target_codes, n_target_levels, features, sample_weight, n_jobs
        See `mutual_information`.

    Returns
    -------
    ratio : ndarray of shape (n_features,)
        Between 0 and 1; 1 if the target determines the column.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.associations import CodeTable, gain_ratio
    >>> table = CodeTable(np.array([[0, 1, 2, 3]], dtype=np.uint8), np.array([4]))
    >>> gain_ratio(table, np.array([0, 0, 1, 1]), 2)
    array([0.5])
    """
    h_x, h_y, h_xy = _measure(
        table, target_codes, n_target_levels, features, sample_weight, n_jobs
    )
    return divide_information(share_information(h_x, h_y, h_xy), h_x)


def symmetrical_uncertainty(
    table,
    target_codes,
    n_target_levels,
    features=None,
    sample_weight=None,
    n_jobs=None,
):
    """Divide the mutual information of two columns by their mean entropy.

    :math:`2 I(X, Y) / (H(X) + H(Y))`; 0 if both columns have one level only.

    Parameters
    ----------
    table, target_codes, n_target_levels, features, sample_weight, n_jobs
        See `mutual_information`.

    Returns
    -------
    uncertainty : ndarray of shape (n_features,)
        Between 0 and 1; 1 if each column determines the other.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.associations import (
    ...     CodeTable,
    ...     symmetrical_uncertainty,
    ... )
    >>> codes = np.array([[0, 0, 1, 1], [0, 1, 2, 3]], dtype=np.uint8)
    >>> table = CodeTable(codes, np.array([2, 4]))
    >>> symmetrical_uncertainty(table, np.array([1, 1, 0, 0]), 2).round(3)
    array([1.   , 0.667])
    """
    h_x, h_y, h_xy = _measure(
        table, target_codes, n_target_levels, features, sample_weight, n_jobs
    )
    return divide_information(2.0 * share_information(h_x, h_y, h_xy), h_x + h_y)


def entropy(table, features=None, sample_weight=None):
    """Compute the entropy of columns of codes, in bits.

    Parameters
    ----------
    table, features, sample_weight
        See `mutual_information`.

    Returns
    -------
    entropy : ndarray of shape (n_features,)
        0 or more.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.associations import CodeTable, entropy
    >>> codes = np.array([[0, 0, 1, 1], [3, 3, 3, 3]], dtype=np.uint8)
    >>> entropy(CodeTable(codes, np.array([2, 4])))
    array([1., 0.])
    """
    counted = _count(table, sample_weight)
    return counted.entropy[0] if features is None else counted.entropy[0, features]


def _measure(table, target_codes, n_target_levels, features, sample_weight, n_jobs):
    """Return H(X) of each column, H(Y) of the target and H(X, Y) of each pair."""
    if features is None:
        features = np.arange(table.n_features)
    dtype = np.uint8 if n_target_levels <= 256 else np.uint16
    target = CodeTable(np.asarray(target_codes, dtype)[None, :], [n_target_levels])
    target, table = _count(target, sample_weight), _count(table, sample_weight)
    h_xy = joint_entropy(target, [0], table, features, n_jobs=n_jobs)
    return table.entropy[0, features], target.entropy[0, 0], h_xy[0, 0]


def _count(table, sample_weight):
    return table.counted if sample_weight is None else count_table(table, sample_weight)
