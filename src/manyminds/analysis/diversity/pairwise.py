"""Measures of pairs: Q, correlation, double fault, shared errors, agreement, kappa."""

import numpy as np

from manyminds.analysis._checks import check_option, read_scores
from manyminds.analysis.diversity._reading import (
    encode_labels,
    read_predictions,
    read_where,
    row_blocks,
)
from manyminds.analysis.diversity.averaging import average_pairs
from manyminds.analysis.diversity.counting import (
    count_agreements,
    count_pairs,
    divide,
    kappa_from_counts,
)

__all__ = [
    "coincident_errors",
    "disagreement",
    "double_fault",
    "error_correlation",
    "kappa",
    "output_correlation",
    "q_statistic",
]


def q_statistic(y, predictions, *, average="pairs", undefined="skip", where=None):
    r"""Measure Yule's Q of the members' errors.

    .. math:: Q = \frac{N_{11} N_{00} - N_{01} N_{10}}{N_{11} N_{00} + N_{01} N_{10}}

    where :math:`N_{ab}` counts the samples that one member gets right (1) or wrong (0)
    and the other so. It is 0 for members whose errors are independent, and 1 if the
    errors of one are among those of the other [1]_.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels.
    predictions : array-like of shape (n_members, n_samples)
        What each member predicts, such as ``predict_all`` gives; two members or more.
    average : {"pairs", "members", "path", None}, default="pairs"
        Over all pairs, the pairs of each member, the pairs of the first 1, 2, 3 ...
        members, or not at all.
    undefined : {"skip", "zero"}, default="skip"
        What to do with a pair whose Q is 0 / 0, such as two perfect members: leave it
        out, or count it as 0.
    where : array-like of bool of shape (n_members, n_samples), default=None
        Which member's answers count, such as those to samples out of its bag.

    Returns
    -------
    q : float, ndarray of shape (n_members,) or (n_members, n_members)
        Between -1 and 1: lower, more diverse. NaN where there is no pair.

    References
    ----------
    .. [1] Kuncheva and Whitaker, "Measures of diversity in classifier ensembles and
       their relationship with the ensemble accuracy", Machine Learning 51, 2003.

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


def error_correlation(y, predictions, *, average="pairs", undefined="skip", where=None):
    """Measure Pearson's correlation of being right.

    For two classes it is also the correlation of the members' raw margins.

    Parameters
    ----------
    y, predictions, average, where
        As in `q_statistic`.
    undefined : {"skip", "zero"}, default="skip"
        What to do with pairs of which one member is always right, or always wrong.

    Returns
    -------
    correlation : float, ndarray of shape (n_members,) or (n_members, n_members)
        Between -1 and 1: lower, more diverse.

    Examples
    --------
    >>> from manyminds.analysis.diversity import error_correlation
    >>> error_correlation([1, 1, 1, 1], [[1, 1, 0, 0], [0, 0, 1, 1]])
    -1.0
    """
    matrix = count_pairs(y, predictions, where=where).correlation()
    return average_pairs(matrix, average, undefined=undefined)


def double_fault(y, predictions, *, average="pairs", where=None):
    """Measure the share of samples that both members get wrong.

    It says how often a vote of the two cannot be right [1]_.

    Parameters
    ----------
    y, predictions, average, where
        As in `q_statistic`.

    Returns
    -------
    share : float, ndarray of shape (n_members,) or (n_members, n_members)
        Between 0 and 1: lower, more diverse.

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


def coincident_errors(y, predictions, *, average="pairs", undefined="skip", where=None):
    r"""Measure how many of two members' errors both of them make.

    .. math:: \frac{2 N_{00}}{N_{10} + N_{01} + 2 N_{00}}

    with the counts of `q_statistic` [1]_.

    Parameters
    ----------
    y, predictions, average, where
        As in `q_statistic`.
    undefined : {"skip", "zero"}, default="skip"
        What to do with pairs of members that make no error.

    Returns
    -------
    share : float, ndarray of shape (n_members,) or (n_members, n_members)
        Between 0 and 1: lower, more diverse.

    See Also
    --------
    ensemble_coincident_errors : The same of all members together.

    References
    ----------
    .. [1] Goebel and Yan, "Choosing classifiers for decision fusion", 7th
       International Conference on Information Fusion, 2004.

    Examples
    --------
    >>> from manyminds.analysis.diversity import coincident_errors
    >>> coincident_errors([1, 1, 1, 1], [[1, 1, 0, 0], [1, 0, 1, 0]])
    0.5
    """
    matrix = count_pairs(y, predictions, where=where).coincident_errors()
    return average_pairs(matrix, average, undefined=undefined)


def disagreement(y, predictions, *, on="labels", average="pairs", where=None):
    """Measure the share of samples on which members differ.

    One less this is their agreement [1]_.

    Parameters
    ----------
    y : array-like of shape (n_samples,), or None
        True labels; not looked at if ``on="labels"``.
    predictions, average, where
        As in `q_statistic`. With ``average="members"`` it is a member's mean Hamming
        distance from all others.
    on : {"labels", "correctness"}, default="labels"
        Whether to differ is to give other labels, or that exactly one is right. For
        two classes that is the same.

    Returns
    -------
    share : float, ndarray of shape (n_members,) or (n_members, n_members)
        Between 0 and 1: higher, more diverse.

    References
    ----------
    .. [1] Ho, "The random subspace method for constructing decision forests", IEEE
       Transactions on Pattern Analysis and Machine Intelligence 20, 1998.

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


def kappa(y, predictions, *, on="labels", average="pairs", where=None):
    r"""Measure the agreement of members beyond that of chance.

    .. math:: \kappa = \frac{\theta_1 - \theta_2}{1 - \theta_2}

    where :math:`\theta_1` is the share of samples on which two members agree, and
    :math:`\theta_2` the share on which they would if they gave the same answers, as
    often each, at random [1]_. Two members that always give the same one answer have 1.

    Parameters
    ----------
    y : array-like of shape (n_samples,), or None
        True labels; not looked at if ``on="labels"``.
    predictions, average, where
        As in `q_statistic`.
    on : {"labels", "correctness"}, default="labels"
        Whether an answer is the label, as in the paper, or only right or wrong, as in
        some later texts. The two differ even for two classes.

    Returns
    -------
    kappa : float, ndarray of shape (n_members,) or (n_members, n_members)
        1 for equal members, 0 for the agreement of chance: lower, more diverse.

    References
    ----------
    .. [1] Margineantu and Dietterich, "Pruning adaptive boosting", ICML, 1997.

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


def output_correlation(outputs, *, average="pairs", undefined="skip"):
    """Measure Pearson's correlation of members' numbers: outputs, errors, margins.

    Parameters
    ----------
    outputs : array-like of float of shape (n_members, n_samples)
        A number of each member for each sample, such as its residual.
    average : {"pairs", "members", "path", None}, default="pairs"
        As in `q_statistic`.
    undefined : {"skip", "zero"}, default="skip"
        What to do with pairs of which one member gives the same number to all samples.

    Returns
    -------
    correlation : float, ndarray of shape (n_members,) or (n_members, n_members)
        Between -1 and 1: lower, more diverse.

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
    spread[is_constant] = 0.0  # whatever rounding has left of it
    matrix = divide(product, np.outer(spread, spread))
    return average_pairs(np.clip(matrix, -1.0, 1.0), average, undefined=undefined)
