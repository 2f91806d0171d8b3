"""The cost of mRMR and of its ensembles, in passes over the samples."""

from numbers import Integral


def count_passes(n_features, n_selected, n_members=1, n_swept=None):
    """Count the pairs of columns that mRMR evaluates: passes over the samples.

    One search takes :math:`pk - (k^2 - k) / 2` passes, and :math:`e` independent
    searches :math:`e` times as many. A fast ensemble whose members selected :math:`s`
    different features in all steps but the last takes :math:`p + sp - s(s + 1) / 2`.

    Parameters
    ----------
    n_features : int
        :math:`p`, number of features.
    n_selected : int
        :math:`k`, number of selected features.
    n_members : int, default=1
        :math:`e`, number of independent searches. Ignored if ``n_swept`` is given.
    n_swept : int, default=None
        :math:`s`, for a fast ensemble.

    Returns
    -------
    n_passes : int

    Examples
    --------
    Three members that select three of five features take at most 15 passes in a fast
    ensemble, and 36 passes as independent searches.

    >>> from manyminds.feature_selection import count_passes
    >>> count_passes(5, 3, n_swept=5), count_passes(5, 3, n_members=3)
    (15, 36)
    """
    p, k = _check_counts(n_features=n_features, n_selected=n_selected)
    if n_swept is not None:
        (s,) = _check_counts(n_swept=n_swept, minimum=0)
        return p + s * p - s * (s + 1) // 2
    (e,) = _check_counts(n_members=n_members)
    return e * (p * k - (k * k - k) // 2)


def estimate_passes(n_features, n_selected, n_members, jaccard):
    """Estimate the passes of a fast ensemble before it is run.

    If the selections of two members have a mean Jaccard index :math:`J`, a member
    shares :math:`c = 2J / (J + 1)` of its features with another one, and the ensemble
    needs [1]_

    .. math:: T = p + (k - 1) \\Bigl(p - \\frac{k - 1}{2}\\Bigr)
                  \\frac{1 - (1 - c)^e}{c}.

    For one member it exceeds the exact count by :math:`(k - 1) / 2`, and it may exceed
    the number of pairs of features.

    Parameters
    ----------
    n_features, n_selected, n_members : int
        :math:`p`, :math:`k` and :math:`e`.
    jaccard : float
        :math:`J`, between 0 and 1.

    Returns
    -------
    n_passes : float

    References
    ----------
    .. [1] Schowe and Morik, "Fast-Ensembles of Minimum Redundancy Feature Selection",
       in Ensembles in Machine Learning Applications, Springer, 2011, equation 8.

    Examples
    --------
    >>> from manyminds.feature_selection import estimate_passes
    >>> round(estimate_passes(34, 10, 20, jaccard=0.385))
    512
    """
    p, k, e = _check_counts(
        n_features=n_features, n_selected=n_selected, n_members=n_members
    )
    if not 0.0 <= jaccard <= 1.0:
        raise ValueError(f"jaccard must lie between 0 and 1; got {jaccard!r}.")
    c = 2.0 * jaccard / (jaccard + 1.0)
    n_searches = float(e) if c == 0.0 else (1.0 - (1.0 - c) ** e) / c
    return p + (k - 1) * (p - (k - 1) / 2) * n_searches


def _check_counts(minimum=1, **counts):
    for name, value in counts.items():
        if not isinstance(value, Integral) or value < minimum:
            raise ValueError(f"{name} must be an integer >= {minimum}; got {value!r}.")
    return tuple(int(value) for value in counts.values())
