"""When gradient boosting stops: on held-out rows, or on the folds of all rows."""

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv, train_test_split

from manyminds.trees.folds import renumber_folds
from manyminds.utils.folds import (
    assign_folds,
    hold_out_groups,
    keep_classes,
    list_parts,
)
from manyminds.utils.threads import run_in_threads

_ROUNDS_AT_A_TIME = 10


def split_rows(y, fraction, stratify, seed, groups=None):
    """Return training and held-out rows, both in increasing order.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
    fraction : float or int
        Share or number of held-out rows.
    stratify : bool
        Whether to keep the shares of the classes, as far as classes have rows enough.
    seed : int
    groups : ndarray of int of shape (n_samples,), default=None
        Codes of groups that stay together; classes are not stratified then.

    Returns
    -------
    rows, held_out : ndarray of uint32
    """
    everything = np.arange(len(y), dtype=np.uint32)
    n_held_out = fraction if fraction >= 1 else max(1, round(fraction * len(y)))
    if n_held_out >= len(y):
        raise ValueError(
            f"validation_fraction={fraction} holds out {n_held_out} of {len(y)} rows: "
            "none would be left to train on."
        )
    if groups is not None:
        is_held_out = hold_out_groups(groups, n_held_out / len(y), seed)
        parts = everything[~is_held_out], everything[is_held_out]
        parts = keep_classes(y, *parts) if stratify else parts
        if len(parts[1]):
            return parts
    classes = None
    if stratify:
        counts = np.bincount(y.astype(np.intp))
        counts = counts[counts > 0]
        room = min(n_held_out, len(y) - n_held_out)
        classes = y if counts.min() >= 2 and room >= len(counts) else None
    rows, held_out = train_test_split(
        everything, test_size=int(n_held_out), stratify=classes, random_state=seed
    )
    return np.sort(rows), np.sort(held_out)


def choose_rounds(run, cv, max_rounds):
    """Find the number of rounds with the least mean loss over the folds.

    The folds run side by side, some rounds at a time, until their mean loss has not
    improved for ``n_iter_no_change`` rounds. They share the binned table.

    Parameters
    ----------
    run : object
        With ``make_booster``, ``model``, ``tolerance``, ``X``, ``y``, ``raw`` and
        ``curves``; the mean curves are written to ``curves``.
    cv : int, splitter or iterable
    max_rounds : int

    Returns
    -------
    n_rounds : int
    boosters : list of Booster
        Of each fold; they have run that many rounds or more.
    """
    boosters, sizes = [], []
    for rows, held_out in _list_folds(run, cv):
        boosters.append(
            run.make_booster(
                rows, held_out, patience=2**62, raw=run.raw.copy(), n_jobs=1
            )
        )
        sizes.append(_weigh(run.weights, held_out))
    sizes, best, n_done = np.array(sizes) / np.sum(sizes), 0, 0
    patience = run.model.n_iter_no_change
    watch = run.watch(max_rounds)
    while n_done < max_rounds:
        n_more = min(_ROUNDS_AT_A_TIME, max_rounds - n_done)
        run_folds(boosters, n_more, run.model.n_jobs)
        n_done += n_more
        curve = sizes @ np.array([booster.curves[1] for booster in boosters])
        best = find_best_round(curve, run.tolerance)
        if watch is not None:
            watch(n_done)
        if n_done - best >= patience:
            break
    run.curves = {
        "train_score_": sizes @ np.array([booster.curves[0] for booster in boosters]),
        "validation_score_": curve,
    }
    return min(max_rounds, best), boosters


def run_folds(boosters, n_rounds, n_jobs):
    """Run more rounds of all boosters, each in a thread of its own."""
    n_threads = min(effective_n_jobs(n_jobs), len(boosters))
    run_in_threads(lambda booster: booster.run(n_rounds), boosters, n_threads)


def find_best_round(curve, tolerance):
    """Return the number of rounds after which the loss improves no more.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.boosting.gradient.stopping import find_best_round
    >>> find_best_round(np.array([3.0, 1.0, 2.0, 1.0]), tolerance=1e-7)
    2
    """
    best = 0
    for k in range(1, len(curve)):
        if curve[k] < curve[best] - tolerance:
            best = k
    return best + 1


def _list_folds(run, cv):
    """Return training and held-out rows of each fold."""
    X, y = run.X, run.y
    stratify = is_classifier(run.model)
    if isinstance(cv, int):
        n_folds = min(cv, len(y))
        if n_folds < 2:
            raise ValueError("Cross-validated early stopping needs two rows or more.")
        label = y.astype(np.intp) if stratify else np.zeros(len(y), np.intp)
        rng = np.random.RandomState(run.seed)
        pairs = _list_group_folds(label, n_folds, rng, run.groups)
        pairs = pairs or list_parts(assign_folds(label, n_folds, rng))
    else:
        cv = renumber_folds(cv, run.model._has_weight)
        pairs = check_cv(cv, y, classifier=stratify).split(X, y, run.groups)
    return [_read_fold(*pair, len(y)) for pair in pairs]


def _list_group_folds(label, n_folds, rng, groups):
    """Return folds of whole groups; none if each class is in one group alone."""
    if groups is None:
        return []
    pairs = list_parts(assign_folds(label, n_folds, rng, groups))
    pairs = [keep_classes(label, *pair) for pair in pairs]
    return [pair for pair in pairs if len(pair[1])]


def _read_fold(rows, held_out, n):
    """Return the rows of a fold in increasing order, each once.

    Folds may be masks, or indices from the end. A round adds to the predictions of both
    training and held-out rows, hence no row may be both.
    """
    everything = np.arange(n, dtype=np.uint32)
    rows, held_out = np.unique(everything[rows]), np.unique(everything[held_out])
    if not len(rows) or not len(held_out) or np.isin(held_out, rows).any():
        raise ValueError(
            "cv must yield folds with training and test rows, none of them both; got "
            f"{len(rows)} training and {len(held_out)} test rows of {n}."
        )
    return rows, held_out


def _weigh(weights, rows):
    """Return the sum of the weights of rows."""
    return len(rows) if weights is None else weights[rows].sum()
