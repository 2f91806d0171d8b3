"""Paragraphs that the docstrings of diversity measures share."""

from manyminds.utils.docstrings import fill_docstring

__all__ = ["document_measure"]

Y = """
y : array-like of shape (n_samples,)
    True labels.
"""
PREDICTIONS = """
predictions : array-like of shape (n_members, n_samples)
    Predictions of each member, such as those of ``predict_all``.
"""
PAIR_PREDICTIONS = """
y : array-like of shape (n_samples,)
    True labels.
predictions : array-like of shape (n_members, n_samples)
    Predictions of two members or more, such as those of ``predict_all``.
"""
WHERE = """
where : array-like of bool of shape (n_members, n_samples), default=None
    Mask of the predictions that count, such as out-of-bag ones; by default all.
"""
AS_WHOLE = """
y, predictions
    As in `kohavi_wolpert_variance`.
"""
AS_PAIRS = """
y, predictions, average, where
    As in `q_statistic`.
"""
KUNCHEVA = """
.. [1] Kuncheva and Whitaker, "Measures of diversity in classifier ensembles and
   their relationship with the ensemble accuracy", Machine Learning 51, 2003.
"""
PARTRIDGE = """
.. [1] Partridge and Krzanowski, "Software diversity: practical statistics for its
   measurement and exploitation", Information and Software Technology 39, 1997.
"""
GOEBEL = """
.. [1] Goebel and Yan, "Choosing classifiers for decision fusion", 7th
   International Conference on Information Fusion, 2004.
"""
CORRELATION = """
correlation : float, ndarray of shape (n_members,) or (n_members, n_members)
    Between -1 and 1: lower is more diverse.
"""
FRACTION = """
fraction : float, ndarray of shape (n_members,) or (n_members, n_members)
    Between 0 and 1: lower is more diverse.
"""

document_measure = fill_docstring(
    y=Y,
    predictions=PREDICTIONS,
    pair_predictions=PAIR_PREDICTIONS,
    where=WHERE,
    as_whole=AS_WHOLE,
    as_pairs=AS_PAIRS,
    kuncheva=KUNCHEVA,
    partridge=PARTRIDGE,
    goebel=GOEBEL,
    correlation=CORRELATION,
    fraction=FRACTION,
)
