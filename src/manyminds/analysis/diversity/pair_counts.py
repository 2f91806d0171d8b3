"""Count correct and wrong predictions of all pairs of members at once."""

from dataclasses import dataclass

import numpy as np

from manyminds.analysis.diversity._paragraphs import document_measure
from manyminds.analysis.diversity._reading import (
    read_correct,
    read_predictions,
    read_where,
    row_blocks,
)

__all__ = ["PairCounts", "count_correct_pairs", "count_pairs"]


@dataclass(frozen=True, eq=False, repr=False)
class PairCounts:
    """Numbers of samples that two members predict right or wrong, for all pairs.

    The methods compute measures of diversity: a matrix of all pairs, NaN where a
    measure is undefined.

    Parameters
    ----------
    both_right : ndarray of shape (n_members, n_members)
        Number of samples that both get right.
    only_first : ndarray of shape (n_members, n_members)
        Number of samples that the row's member gets right and the column's wrong.
    both_wrong : ndarray of shape (n_members, n_members)
        Number of samples that both get wrong.

    See Also
    --------
    count_pairs : Count from labels.
    count_correct_pairs : Count from a mask of correct predictions.
    """

    both_right: np.ndarray
    only_first: np.ndarray
    both_wrong: np.ndarray

    def __repr__(self):
        return f"<PairCounts: {len(self.both_right)} members>"

    @property
    def only_second(self):
        """Number of samples that the column's member gets right and the row's wrong."""
        return self.only_first.T

    @property
    def n_samples(self):
        """Number of samples that both members predict."""
        split = self.only_first + self.only_second
        return self.both_right + self.both_wrong + split

    @property
    def n_agree(self):
        """Number of samples that both members get right, or both wrong."""
        return self.both_right + self.both_wrong

    @property
    def n_chance(self):
        """Expected number of random agreements, times the number of samples."""
        right, wrong = self._right(), self._wrong()
        return right * right.T + wrong * wrong.T

    def q_statistic(self):
        """Return Yule's Q of the members' errors."""
        same = self.both_right * self.both_wrong
        split = self.only_first * self.only_second
        return divide(same - split, same + split)

    def correlation(self):
        """Return Pearson's correlation of the members' errors."""
        variance = self._right() * self._wrong()
        same = self.both_right * self.both_wrong
        split = self.only_first * self.only_second
        return divide(same - split, np.sqrt(variance * variance.T))

    def agreement(self):
        """Return the fraction of samples that both get right or both get wrong."""
        return divide(self.n_agree, self.n_samples)

    def disagreement(self):
        """Return the fraction of samples that exactly one of the two gets right."""
        return divide(self.only_first + self.only_second, self.n_samples)

    def double_fault(self):
        """Return the fraction of samples that both get wrong."""
        return divide(self.both_wrong, self.n_samples)

    def coincident_errors(self):
        """Return the fraction of the two members' errors that both make."""
        twice = 2.0 * self.both_wrong
        return divide(twice, self.only_first + self.only_second + twice)

    def kappa(self):
        """Return the agreement of errors, corrected for random agreement."""
        return kappa_from_counts(self.n_agree, self.n_chance, self.n_samples)

    def _right(self):
        return self.both_right + self.only_first

    def _wrong(self):
        return self.both_wrong + self.only_second


def divide(numerator, denominator):
    """Divide; NaN where the denominator is 0."""
    out = np.full(np.shape(numerator), np.nan)
    return np.divide(numerator, denominator, out=out, where=denominator != 0)


def kappa_from_counts(n_agree, n_chance, n_samples):
    """Return Cohen's kappa; 1 for two members that always predict the same label.

    ``n_chance`` is the probability of random agreement times ``n_samples`` squared.
    """
    kappa = divide(n_agree * n_samples - n_chance, n_samples**2 - n_chance)
    kappa[(n_samples > 0) & (n_samples**2 == n_chance)] = 1.0
    return kappa


@document_measure
def count_pairs(y, predictions, *, where=None):
    """Count the samples that both, one or none of two members get right.

    All counts, and so all pairwise measures, come from one matrix product.

    Parameters
    ----------
    {pair_predictions}
    where : array-like of bool of shape (n_members, n_samples), default=None
        Mask of the predictions that count, such as out-of-bag ones; by default all. A
        pair counts the samples of both.

    Returns
    -------
    counts : PairCounts

    Examples
    --------
    >>> from manyminds.analysis.diversity import count_pairs
    >>> counts = count_pairs([0, 1, 1, 0], [[0, 1, 1, 1], [0, 1, 0, 1]])
    >>> counts.both_right
    array([[3., 2.],
           [2., 2.]])
    >>> counts.disagreement()
    array([[0.  , 0.25],
           [0.25, 0.  ]])
    """
    correct = read_correct(y, predictions)
    return _count(correct, read_where(where, correct.shape))


@document_measure
def count_correct_pairs(correct, *, where=None):
    """Count the samples that both, one or none of two members get right.

    Parameters
    ----------
    correct : array-like of bool of shape (n_members, n_samples)
        Mask of correct predictions.
    {where}

    Returns
    -------
    counts : PairCounts

    Examples
    --------
    >>> from manyminds.analysis.diversity import count_correct_pairs
    >>> counts = count_correct_pairs([[1, 1, 1, 0], [1, 1, 0, 0]])
    >>> print(counts.q_statistic()[0, 1])
    1.0
    """
    correct = read_predictions(correct, min_members=1)
    if correct.dtype != bool:
        if not np.isin(correct, (0, 1)).all():
            raise ValueError("correct must have only 0 and 1, or False and True.")
        correct = correct.astype(bool)
    return _count(correct, read_where(where, correct.shape))


def _count(correct, where):
    if where is not None:
        return _count_where(correct & where, where)
    both_right = gram(correct)
    right = np.diag(both_right)
    only_first = right[:, None] - both_right
    both_wrong = correct.shape[1] - right - only_first
    return PairCounts(both_right, only_first, both_wrong)


def _count_where(correct, where):
    both_right = gram(correct)
    only_first = gram(correct, where) - both_right
    both_wrong = gram(where) - both_right - only_first - only_first.T
    return PairCounts(both_right, only_first, both_wrong)


def gram(left, right=None):
    """Compute exact inner products of small integers for all pairs of members.

    Parameters
    ----------
    left : ndarray of bool or int8 of shape (n_members, n_samples)
    right : ndarray of the same shape, default=None
        By default ``left``, which halves the work.

    Returns
    -------
    product : ndarray of shape (n_members, n_members)
        ``left @ right.T`` as float64.
    """
    product = np.zeros((len(left), len(left)))
    for block in row_blocks(*left.shape):
        # BLAS needs floats; float32 sums of a block are exact, far below 2**24.
        first = left[:, block].astype(np.float32)
        second = first if right is None else right[:, block].astype(np.float32)
        product += first @ second.T
    return product


@document_measure
def count_agreements(codes, n_classes, where=None):
    """Count the samples on which members agree, and agree at random.

    Parameters
    ----------
    {codes}
    where : ndarray of bool of shape (n_members, n_samples), default=None

    Returns
    -------
    n_agree, n_chance, n_samples : ndarray of shape (n_members, n_members)
        Number of samples with the same label; sum over classes of the products of the
        members' counts; number of samples that both predict.
    """
    if n_classes == 2:  # both classes have the same counts
        counts = _count(codes == 1, where)
        return counts.n_agree, counts.n_chance, counts.n_samples
    n_agree = np.zeros((len(codes), len(codes)))
    n_chance = np.zeros_like(n_agree)
    for label in range(n_classes):
        is_label = codes == label
        if where is None:
            n_label = is_label.sum(axis=1, dtype=np.float64)[:, None]
        else:
            is_label &= where
            n_label = gram(is_label, where)
        n_agree += gram(is_label)
        n_chance += n_label * n_label.T
    if where is not None:
        return n_agree, n_chance, gram(where)
    return n_agree, n_chance, np.full(n_agree.shape, float(codes.shape[1]))
