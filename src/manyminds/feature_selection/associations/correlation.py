"""Association of numeric columns with classes or numbers: F, correlation."""

import numpy as np
from scipy.sparse import issparse

TILE = (256, 512)  # rows and columns that are centered at a time: they stay in cache
TINY = 1e-12  # relative size of a sum below which it is a rounding error


def anova_f(X, codes, n_classes, sample_weight=None):
    """Compute the F statistic of a one-way analysis of variance for each column.

    The mean square between the classes divided by the mean square within them,

    .. math:: F = \\frac{(n - C) \\sum_c n_c (\\bar x_c - \\bar x)^2}
                        {(C - 1) \\sum_c (n_c - 1) s_c^2}.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Finite numbers.
    codes : ndarray of int of shape (n_samples,)
        Class of each sample, from 0.
    n_classes : int
        Number of classes. Classes without samples, or without weight, are ignored.
    sample_weight : ndarray of shape (n_samples,), default=None
        A weight of 2 counts as two samples.

    Returns
    -------
    f : ndarray of shape (n_features,)
        0 for a constant column, infinite for one that varies only between classes.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.associations import anova_f
    >>> X = np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0], [5.0, 5.0]])
    >>> anova_f(X, np.array([0, 0, 1, 1]), 2)
    array([18.,  0.])
    """
    weight = _ones_or(sample_weight, X.shape[0])
    member = codes == np.arange(n_classes)[:, None]
    _, squares, sums = sum_centered(X, weight, member)
    size = member @ weight
    sums, size = sums[size > 0.0], size[size > 0.0]
    between = (sums**2 / size[:, None]).sum(axis=0)
    return divide_squares(between, squares, size.sum(), len(size))


def divide_squares(between, all_squares, total, n_classes):
    """Compute F from the sums of squares between classes and in total."""
    within = all_squares - between
    within[within <= TINY * all_squares] = 0.0
    f = np.zeros_like(within)
    varies = (all_squares > 0.0) & (n_classes > 1) & (between > TINY * all_squares)
    numerator = (total - n_classes) * between
    with np.errstate(divide="ignore"):
        np.divide(numerator, (n_classes - 1) * within, out=f, where=varies)
    return f


def absolute_pearson(X, x, sample_weight=None):
    """Compute the absolute Pearson correlation of one column with many.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Finite numbers, the many columns.
    x : ndarray of shape (n_samples,)
        Finite numbers, the one column.
    sample_weight : ndarray of shape (n_samples,), default=None
        Sample weights; None: each counts as one.

    Returns
    -------
    correlation : ndarray of shape (n_features,)
        Between 0 and 1; 0 if one of the two is constant.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.associations import absolute_pearson
    >>> X = np.array([[3.0, 1.0], [2.0, 1.0], [1.0, 1.0]])
    >>> absolute_pearson(X, np.array([10.0, 20.0, 30.0]))
    array([1., 0.])
    """
    _, covariance, variances, variance = _measure(X, x, sample_weight)
    scale = np.sqrt(variances * variance)
    correlation = np.zeros_like(covariance)
    np.divide(np.abs(covariance), scale, out=correlation, where=scale > 0.0)
    return np.minimum(correlation, 1.0)


def compression_index(X, x, sample_weight=None):
    """Compute the maximum information compression index of one column with many.

    The index [1]_ of two columns is the smaller eigenvalue of their covariance matrix,

    .. math:: \\lambda_2 = \\tfrac 1 2 \\Bigl( v_1 + v_2
              - \\sqrt{(v_1 + v_2)^2 - 4 v_1 v_2 (1 - \\rho^2)} \\Bigr).

    It is 0 if the two are linearly dependent, is invariant under rotation, and has the
    square of their unit: small values mean similar columns.

    Parameters
    ----------
    X, x, sample_weight
        See `absolute_pearson`. Variances are divided by the sum of the weights.

    Returns
    -------
    index : ndarray of shape (n_features,)
        0 or more.

    References
    ----------
    .. [1] Mitra, Murthy and Pal, "Unsupervised feature selection using feature
       similarity", IEEE Transactions on Pattern Analysis and Machine Intelligence
       24(3), 2002.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.associations import compression_index
    >>> x = np.array([-1.0, -1.0, 1.0, 1.0])
    >>> X = np.column_stack([2.0 * x, [-1.0, 1.0, -1.0, 1.0]])
    >>> compression_index(X, x)
    array([0., 1.])
    """
    total, covariance, variances, variance = _measure(X, x, sample_weight)
    covariance, variances = covariance / total, variances / total
    half_sum = 0.5 * (variances + variance / total)
    half_difference = 0.5 * (variances - variance / total)
    index = half_sum - np.hypot(half_difference, covariance)
    index[index <= TINY * half_sum] = 0.0
    return index


def sum_centered(X, weight, targets):
    """Sum squares of centered columns, and their products with targets.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Finite numbers.
    weight : ndarray of shape (n_samples,)
        Sample weights.
    targets : ndarray of shape (n_targets, n_samples)
        Factors of the products; they need not be centered.

    Returns
    -------
    mean : ndarray of shape (n_features,)
    squares : ndarray of shape (n_features,)
        Exactly 0 for a column that is constant up to rounding.
    products : ndarray of shape (n_targets, n_features)
    """
    total, targets = weight.sum(), targets * weight
    mean = (X.T @ weight) / total if issparse(X) else weight @ X / total
    add = _add_sparse if issparse(X) else _add_dense
    squares, products = add(X, weight, mean, targets)
    is_constant = squares <= total * (TINY * mean) ** 2
    squares[is_constant], products[:, is_constant] = 0.0, 0.0
    return mean, squares, products


def _add_dense(X, weight, mean, targets):
    squares, products = np.zeros(X.shape[1]), np.zeros((len(targets), X.shape[1]))
    n_rows, n_columns = TILE
    for left in range(0, X.shape[1], n_columns):
        columns = slice(left, left + n_columns)
        for top in range(0, X.shape[0], n_rows):
            rows = slice(top, top + n_rows)
            tile = X[rows, columns] - mean[columns]
            products[:, columns] += targets[:, rows] @ tile
            np.square(tile, out=tile)
            squares[columns] += weight[rows] @ tile
    return squares, products


def _add_sparse(X, weight, mean, targets):
    """Center sums rather than values, so that the matrix stays sparse."""
    squares = X.power(2).T @ weight - weight.sum() * mean**2
    products = (X.T @ targets.T).T - np.outer(targets.sum(axis=1), mean)
    squares[squares <= TINY * weight.sum() * mean**2] = 0.0
    return squares, products


def _measure(X, x, sample_weight):
    """Return the total weight and centered products of X and x, X and X, x and x."""
    weight = _ones_or(sample_weight, X.shape[0])
    x = np.asarray(x, dtype=np.float64)
    mean, (square,), _ = sum_centered(x[:, None], weight, np.zeros((0, len(x))))
    _, squares, products = sum_centered(X, weight, (x - mean)[None, :])
    return weight.sum(), products[0], squares, square


def _ones_or(sample_weight, n_samples):
    if sample_weight is None:
        return np.ones(n_samples)
    return np.asarray(sample_weight, dtype=np.float64)
