"""Paragraphs that the docstrings of diversity measures share."""

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import GOEBEL_2004, KUNCHEVA_2003, PARTRIDGE_1997, cite

__all__ = ["document_measure"]


document_measure = fill_docstring(
    codes="""
codes : ndarray of int of shape (n_members, n_samples)
    Encoded labels.
n_classes : int
""",
    y="""
y : array-like of shape (n_samples,)
    True labels.
""",
    predictions="""
predictions : array-like of shape (n_members, n_samples)
    Predictions of each member, such as those of ``predict_all``.
""",
    pair_predictions="""
y : array-like of shape (n_samples,)
    True labels.
predictions : array-like of shape (n_members, n_samples)
    Predictions of two members or more, such as those of ``predict_all``.
""",
    where="""
where : array-like of bool of shape (n_members, n_samples), default=None
    Mask of the predictions that count, such as out-of-bag ones; by default all.
""",
    as_whole="""
y, predictions
    As in `kohavi_wolpert_variance`.
""",
    as_pairs="""
y, predictions, average, where
    As in `q_statistic`.
""",
    kuncheva=cite(KUNCHEVA_2003),
    partridge=cite(PARTRIDGE_1997),
    goebel=cite(GOEBEL_2004),
    correlation="""
correlation : float, ndarray of shape (n_members,) or (n_members, n_members)
    Between -1 and 1: lower is more diverse.
""",
    fraction="""
fraction : float, ndarray of shape (n_members,) or (n_members, n_members)
    Between 0 and 1: lower is more diverse.
""",
)
