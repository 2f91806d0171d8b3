"""Majority vote and its ties."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.analysis._checks import check_option
from manyminds.analysis.diversity._paragraphs import document_measure
from manyminds.analysis.diversity._reading import (
    encode_labels,
    read_predictions,
    row_blocks,
)

__all__ = ["majority_vote"]

TIE_BREAKS = ("first", "prior", "random")


@document_measure
def majority_vote(predictions, *, tie_break="first", prior=None, random_state=None):
    """Return the label that most members predict for each sample.

    Parameters
    ----------
    {predictions}
    tie_break : {"first", "prior", "random"}, default="first"
        Winner of a tie: the first label in sorted order, the one with the largest prior
        (of equal priors the first), or a random one.
    prior : dict of label to float, default=None
        For ``tie_break="prior"``: probability of each label; 0 if absent. By default,
        the frequency among all predictions.
    random_state : int, RandomState instance or None, default=None
        For ``tie_break="random"``.

    Returns
    -------
    labels : ndarray of shape (n_samples,)

    Examples
    --------
    >>> from manyminds.analysis.diversity import majority_vote
    >>> predictions = [["a", "a", "b"], ["b", "a", "b"]]
    >>> print(*majority_vote(predictions))
    a a b
    >>> print(*majority_vote(predictions, tie_break="prior", prior={"b": 0.7}))
    b a b
    """
    check_option("tie_break", tie_break, TIE_BREAKS)
    predictions = read_predictions(predictions, min_members=1)
    classes, codes, _ = encode_labels(predictions)
    votes = count_votes(codes, len(classes))
    rank = _rank_classes(classes, votes, tie_break, prior)
    if tie_break == "random":
        rank = check_random_state(random_state).uniform(size=votes.shape)
    tied = votes == votes.max(axis=1, keepdims=True)
    return classes[np.where(tied, rank, -1.0).argmax(axis=1)]


def _rank_classes(classes, votes, tie_break, prior):
    """Return the prior of each class, which breaks ties."""
    if tie_break != "prior":
        return np.zeros(len(classes))
    if prior is None:
        return votes.sum(axis=0) / votes.sum()
    rank = np.array([prior.get(label, 0.0) for label in classes.tolist()], dtype=float)
    if not (np.isfinite(rank).all() and (rank >= 0.0).all()):
        raise ValueError(f"prior must hold numbers of 0 or more; got {prior}.")
    return rank


@document_measure
def count_votes(codes, n_classes, where=None):
    """Count the members that predict each label for each sample.

    Parameters
    ----------
    {codes}
    where : ndarray of bool of shape (n_members, n_samples), default=None
        Mask of the votes that count.

    Returns
    -------
    votes : ndarray of int64 of shape (n_samples, n_classes)
    """
    n_members, n_samples = codes.shape
    votes = np.empty((n_samples, n_classes), dtype=np.int64)
    for block in row_blocks(n_members, n_samples, n_values=2**20):
        # One bin for each class of each sample, and one for votes that do not count.
        box = codes[:, block].astype(np.intp)
        if where is not None:
            box[~where[:, block]] = n_classes
        n_rows = box.shape[1]
        box += (n_classes + 1) * np.arange(n_rows)
        counts = np.bincount(box.ravel(), minlength=n_rows * (n_classes + 1))
        votes[block] = counts.reshape(n_rows, n_classes + 1)[:, :n_classes]
    return votes
