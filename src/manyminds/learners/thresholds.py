"""Thresholds that separate two classes on a line."""

import numpy as np

RULES = ("midpoint", "candidates", "class_means")
SCORES = ("accuracy", "balanced_accuracy", "f1")
_ROUNDING = 1e-12  # relative difference of numbers that are equal


def find_threshold(projections, is_first, weight, *, rule="midpoint", score="accuracy"):
    """Return the threshold from which on samples belong to the first class.

    Parameters
    ----------
    projections : ndarray of shape (n_samples,)
        Positions of the training samples; the first class has the higher mean.
    is_first : ndarray of bool of shape (n_samples,)
        Whether each sample is of the first class.
    weight : ndarray of shape (n_samples,)
        Weights of the samples.
    rule : {"midpoint", "candidates", "class_means"}, default="midpoint"
        "candidates": the mean of those distinct projections with the highest score as
        a threshold. "midpoint": the middle of the gap between two neighboring
        projections with the highest score, of the widest one if there are several.
        "class_means": the middle between the mean projections of the classes.
    score : {"accuracy", "balanced_accuracy", "f1"}, default="accuracy"
        What is maximal: the weight of correctly classified samples, the mean recall of
        the classes, or the F-score of the smaller class.

    Returns
    -------
    threshold : float

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.learners.thresholds import find_threshold
    >>> positions, is_first = np.array([4.0, 2.0, 1.0]), np.array([True, True, False])
    >>> find_threshold(positions, is_first, np.ones(3))
    1.5
    >>> find_threshold(positions, is_first, np.ones(3), rule="candidates")
    2.0
    """
    if rule == "class_means":
        means = [
            np.average(projections[group], weights=weight[group])
            for group in (is_first, ~is_first)
        ]
        return float(np.mean(means))
    positions, group = _merge_equal(projections)
    first = np.bincount(group, weights=weight * is_first)
    second = np.bincount(group, weights=weight * ~is_first)
    scores = _score(first, second, score)
    if rule == "candidates":
        return float(positions[_is_best(scores)].mean())
    if len(positions) == 1:
        return float(positions[0])
    gaps = np.where(_is_best(scores[1:]), np.diff(positions), 0.0)
    widest = np.argmax(gaps >= gaps.max() * (1.0 - _ROUNDING))
    return float(positions[widest : widest + 2].mean())


def _merge_equal(projections):
    """Return sorted positions that differ by more than rounding, and that of each."""
    order = np.argsort(projections, kind="stable")
    rising = projections[order]
    step = _ROUNDING * max(np.abs(rising[[0, -1]]).max(), 0.0)
    number = np.cumsum(np.diff(rising, prepend=rising[0]) > step)
    group = np.empty(len(rising), dtype=np.intp)
    group[order] = number
    _, start = np.unique(number, return_index=True)
    return rising[start], group


def _score(first, second, score):
    """Return the score of each position as the lowest one of the first class."""
    n_first, n_second = first.sum(), second.sum()
    hits = np.cumsum(first[::-1])[::-1]  # samples of the first class from here on
    others = np.cumsum(second) - second  # samples of the second class before
    if score == "accuracy":
        return hits + others
    if score == "balanced_accuracy":
        return hits / n_first + others / n_second
    right = hits if n_first <= n_second else others
    wrong = (n_first - hits) + (n_second - others)
    return 2.0 * right / (2.0 * right + wrong)


def _is_best(scores):
    return scores >= scores.max() * (1.0 - _ROUNDING)
