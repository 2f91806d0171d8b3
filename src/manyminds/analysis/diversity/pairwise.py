"""Pairwise measures: Q, correlation, double fault, coincident errors, kappa."""

import numpy as np

from manyminds.analysis._checks import check_option, read_scores
from manyminds.analysis.diversity._paragraphs import document_measure
from manyminds.analysis.diversity._reading import (
    encode_labels,
    read_predictions,
    read_where,
    row_blocks,
)
from manyminds.analysis.diversity.averaging import average_pairs
from manyminds.analysis.diversity.pair_counts import (
    count_agreements,
    count_pairs,
    divide,
    kappa_from_counts,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import HO_1998, MARGINEANTU_1997, cite

__all__ = [
    "coincident_errors",
    "disagreement",
    "double_fault",
    "error_correlation",
    "kappa",
    "output_correlation",
    "q_statistic",
]


@document_measure
def q_statistic(y, predictions, *, average="pairs", undefined="skip", where=None):
    r"""Compute Yule's Q of the members' errors.

    .. math:: Q = \frac{N_{11} N_{00} - N_{01} N_{10}}{N_{11} N_{00} + N_{01} N_{10}}

    where :math:`N_{ab}` is the number of samples that one member gets right (a = 1) or
    wrong (a = 0), and the other one right or wrong by b. It is 0 if the errors are
    independent, and 1 if those of one member are a subset of the other's [1]_.

    Parameters
    ----------
    {pair_predictions}
    average : {"pairs", "members", "path", None}, default="pairs"
        Average over all pairs, over the pairs of each member, over the pairs of the
        first 1, 2, 3 ... members, or none.
    undefined : {"skip", "zero"}, default="skip"
        Treatment of pairs whose Q is 0 / 0, such as two perfect members: leave them
        out, or count them as 0.
    {where}

    Returns
    -------
    q : float, ndarray of shape (n_members,) or (n_members, n_members)
        Between -1 and 1: lower is more diverse. NaN if there is no pair.

    {kuncheva}

    Examples
    --------
    >>> from manyminds.analysis.diversity import q_statistic
    >>> y = [1, 1, 1, 1]
    >>> q_statistic(y, [[1, 1, 1, 0], [1, 1, 0, 0]])
    1.0
    >>> q_statistic(y, [[1, 1, 0, 0], [1, 0, 1, 0]])
    0.0
    """
    matrix = count_pairs(y, predictions, where=where).q_statistic()
    return average_pairs(matrix, average, undefined=undefined)


@document_measure
def error_correlation(y, predictions, *, average="pairs", undefined="skip", where=None):
    """Compute Pearson's correlation of the members' errors.

    For two classes it is also the correlation of the members' raw margins.

    Parameters
    ----------
    {as_pairs}
    undefined : {"skip", "zero"}, default="skip"
        Treatment of pairs in which a member is always right, or always wrong.

    Returns
    -------
    {correlation}

    Examples
    --------
    >>> from manyminds.analysis.diversity import error_correlation
    >>> error_correlation([1, 1, 1, 1], [[1, 1, 0, 0], [0, 0, 1, 1]])
    -1.0
    """
    matrix = count_pairs(y, predictions, where=where).correlation()
    return average_pairs(matrix, average, undefined=undefined)


@document_measure
def double_fault(y, predictions, *, average="pairs", where=None):
    """Compute the fraction of samples that both members get wrong [1]_.

    Parameters
    ----------
    {as_pairs}

    Returns
    -------
    {fraction}

    References
    ----------
    .. [1] Giacinto and Roli, "Design of effective neural network ensembles for image
       classification purposes", Image and Vision Computing 19, 2001.

    Examples
    --------
    >>> from manyminds.analysis.diversity import double_fault
    >>> double_fault([1, 1, 1, 1], [[1, 1, 0, 0], [1, 0, 1, 0]])
    0.25
    """
    matrix = count_pairs(y, predictions, where=where).double_fault()
    return average_pairs(matrix, average)


@document_measure
def coincident_errors(y, predictions, *, average="pairs", undefined="skip", where=None):
    r"""Compute the fraction of two members' errors that both make.

    .. math:: \frac{2 N_{00}}{N_{10} + N_{01} + 2 N_{00}}

    with the counts of `q_statistic` [1]_.

    Parameters
    ----------
    {as_pairs}
    undefined : {"skip", "zero"}, default="skip"
        Treatment of pairs without errors.

    Returns
    -------
    {fraction}

    See Also
    --------
    ensemble_coincident_errors : The same for all members together.

    {goebel}

    Examples
    --------
    >>> from manyminds.analysis.diversity import coincident_errors
    >>> coincident_errors([1, 1, 1, 1], [[1, 1, 0, 0], [1, 0, 1, 0]])
    0.5
    """
    matrix = count_pairs(y, predictions, where=where).coincident_errors()
    return average_pairs(matrix, average, undefined=undefined)


@fill_docstring(references=cite(HO_1998))
def disagreement(y, predictions, *, on="labels", average="pairs", where=None):
    """Compute the fraction of samples on which members differ [1]_.

    Parameters
    ----------
    y : array-like of shape (n_samples,), or None
        True labels; ignored if ``on="labels"``.
    predictions, average, where
        As in `q_statistic`. With ``average="members"`` it is the mean Hamming distance
        of a member from all others.
    on : {"labels", "correctness"}, default="labels"
        Whether members differ if their labels do, or if exactly one is right. For two
        classes both are equal.

    Returns
    -------
    fraction : float, ndarray of shape (n_members,) or (n_members, n_members)
        Between 0 and 1: higher is more diverse.

    {references}

    Examples
    --------
    >>> from manyminds.analysis.diversity import disagreement
    >>> predictions = [["a", "b", "c"], ["a", "c", "c"]]
    >>> print(f"{disagreement(None, predictions):.3f}")
    0.333
    >>> disagreement(["a", "a", "a"], predictions, on="correctness")
    0.0
    """
    check_option("on", on, ("labels", "correctness"))
    if on == "correctness":
        matrix = count_pairs(y, predictions, where=where).disagreement()
    else:
        n_agree, _, n_samples = _label_counts(predictions, where)
        matrix = divide(n_samples - n_agree, n_samples)
    return average_pairs(matrix, average)


@fill_docstring(references=cite(MARGINEANTU_1997))
def kappa(y, predictions, *, on="labels", average="pairs", where=None):
    r"""Compute the kappa statistic, the agreement corrected for random agreement.

    .. math:: \kappa = \frac{\theta_1 - \theta_2}{1 - \theta_2}

    where :math:`\theta_1` is the fraction of samples on which two members agree, and
    :math:`\theta_2` that expected for random predictions with the same frequencies
    [1]_. It is 1 for two members that always predict the same label.

    Parameters
    ----------
    y : array-like of shape (n_samples,), or None
        True labels; ignored if ``on="labels"``.
    predictions, average, where
        As in `q_statistic`.
    on : {"labels", "correctness"}, default="labels"
        Agreement of labels, as in the paper, or of being right or wrong, as in some
        later texts. They differ even for two classes.

    Returns
    -------
    kappa : float, ndarray of shape (n_members,) or (n_members, n_members)
        1 for equal members, 0 for random agreement: lower is more diverse.

    {references}

    Examples
    --------
    >>> from manyminds.analysis.diversity import kappa
    >>> kappa(None, [["a", "a", "b", "b"], ["a", "b", "b", "b"]])
    0.5
    """
    check_option("on", on, ("labels", "correctness"))
    if on == "correctness":
        matrix = count_pairs(y, predictions, where=where).kappa()
    else:
        matrix = kappa_from_counts(*_label_counts(predictions, where))
    return average_pairs(matrix, average)


def _label_counts(predictions, where):
    predictions = read_predictions(predictions)
    where = read_where(where, predictions.shape)
    classes, codes, _ = encode_labels(predictions)
    return count_agreements(codes, len(classes), where)


@document_measure
def output_correlation(outputs, *, average="pairs", undefined="skip"):
    """Compute Pearson's correlation of numeric outputs of members.

    Parameters
    ----------
    outputs : array-like of float of shape (n_members, n_samples)
        Outputs, such as predictions, residuals or margins.
    average : {"pairs", "members", "path", None}, default="pairs"
        As in `q_statistic`.
    undefined : {"skip", "zero"}, default="skip"
        Treatment of pairs in which a member's output is constant.

    Returns
    -------
    {correlation}

    Examples
    --------
    >>> from manyminds.analysis.diversity import output_correlation
    >>> print(output_correlation([[1.0, 2.0, 3.0], [6.0, 4.0, 2.0]]))
    -1.0
    """
    outputs = read_scores("outputs", read_predictions(outputs))
    mean = outputs.mean(axis=1, keepdims=True)
    is_constant = np.ptp(outputs, axis=1) == 0.0
    product = np.zeros((len(outputs), len(outputs)))
    for block in row_blocks(*outputs.shape):
        centered = outputs[:, block] - mean
        product += centered @ centered.T
    spread = np.sqrt(np.diag(product))
    spread[is_constant] = 0.0  # exactly, without rounding errors
    matrix = divide(product, np.outer(spread, spread))
    return average_pairs(np.clip(matrix, -1.0, 1.0), average, undefined=undefined)
