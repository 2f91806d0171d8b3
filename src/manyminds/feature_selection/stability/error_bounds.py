"""Upper bounds on the number of false selections of stability selection."""

from math import inf

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import MEINSHAUSEN_2010, SHAH_2013, cite


@fill_docstring(references=cite(MEINSHAUSEN_2010, SHAH_2013))
def bound_false_selections(
    threshold, n_selected, n_features, *, n_pairs=None, shape="any"
):
    r"""Bound the expected number of false selections of stability selection.

    A selector selects :math:`q` of p features on average on half of the samples, and
    those with a frequency of at least :math:`\pi` are selected. With
    :math:`\theta = q/p`, the expected number of false selections is at most

    .. math:: \frac{\theta q}{2 \pi - 1} = \frac{q^2}{(2 \pi - 1) p} .

    False selections are irrelevant features if these are exchangeable and the selector
    is better than random guessing [1]_; without any assumption, but on complementary
    pairs of halves, they are the features that the selector selects with a probability
    of at most :math:`\theta` [2]_. If, for pairs, the frequencies of such features have
    a unimodal distribution, the bound is about half as large or better.

    Parameters
    ----------
    threshold : float
        Minimum frequency :math:`\pi` of a selected feature, above 0.5.
    n_selected : float
        Mean number q of features that the selector selects.
    n_features : int
        Number p of features.
    n_pairs : int, default=None
        Number of complementary pairs; needed for ``shape="unimodal"``.
    shape : {"any", "unimodal"}, default="any"
        Assumption on the distribution of the frequencies of such features over data
        sets.

    Returns
    -------
    bound : float
        At most ``n_features``, also where the theory has no bound.

    {references}

    Examples
    --------
    >>> from manyminds.feature_selection import bound_false_selections
    >>> bound_false_selections(0.9, n_selected=10, n_features=1000)
    0.125
    >>> bound_false_selections(0.9, 10, 1000, n_pairs=50, shape="unimodal")
    0.043
    """
    if not 0.5 < threshold <= 1.0:
        raise ValueError(
            f"threshold must be above 0.5 and at most 1; got {threshold!r}."
        )
    if not 0.0 <= n_selected <= n_features:
        raise ValueError(
            f"n_selected must lie between 0 and n_features={n_features}; got "
            f"{n_selected!r}."
        )
    if shape not in ("any", "unimodal"):
        raise ValueError(f"shape must be 'any' or 'unimodal'; got {shape!r}.")
    share = n_selected / n_features
    factor = 1.0 / (2.0 * threshold - 1.0)
    if shape == "unimodal":
        factor = min(factor, _unimodal_factor(threshold, share, n_pairs))
    return float(min(factor * share * n_selected, n_features))


def _unimodal_factor(threshold, share, n_pairs):
    """Return the factor of Theorem 2 of Shah and Samworth; infinite where undefined."""
    if n_pairs is None or n_pairs < 1:
        raise ValueError(
            f"shape='unimodal' needs n_pairs, a number of pairs; got {n_pairs!r}."
        )
    step = 1.0 / (2.0 * n_pairs)
    if threshold > 0.75:
        return 4.0 * (1.0 - threshold + step) / (1.0 + 2.0 * step)
    lowest = 0.5 + min(share**2, step + 0.75 * share**2)
    if threshold <= lowest or 2.0 * threshold - 1.0 - step <= 0.0:
        return inf
    return 1.0 / (2.0 * (2.0 * threshold - 1.0 - step))
