"""Draw the training rows and the test rows of learners."""

import numpy as np

from manyminds.analysis._checks import check_option
from manyminds.analysis.decomposition.sscv import SubsampledCV, check_count

RESAMPLINGS = ("auto", "sscv", "bootstrap", "subsample")


def list_samples(resampling, X, y, n_predictors, size, has_test, n_points, rng):
    """Return the training rows and the test rows of each learner."""
    n_rows, everything = len(y), np.arange(n_points)
    if resampling == "auto":
        resampling = "bootstrap" if has_test else "sscv"
    if not isinstance(resampling, str) and hasattr(resampling, "split"):
        samples = list(resampling.split(X, y))
    elif resampling == "sscv":
        if has_test:
            raise ValueError(
                "resampling='sscv' predicts rows of X: leave X_test out, or use "
                "another resampling."
            )
        splitter = SubsampledCV(
            n_predictors, train_size=size, random_state=draw_seed(rng)
        )
        samples = list(splitter.split(X))
    else:
        check_option("resampling", resampling, RESAMPLINGS)
        samples = _draw_samples(resampling == "bootstrap", n_rows, n_predictors, size,
                                rng)  # fmt: skip
    if has_test:
        return [(train, everything) for train, _ in samples]
    _check_all_predicted(samples, n_rows)
    return samples


def _draw_samples(with_replacement, n_rows, n_samples, size, rng):
    if size is None:
        size = n_rows if with_replacement else n_rows // 2
    check_count("train_size", size, 1)
    if not with_replacement and size > n_rows:
        raise ValueError(
            f"train_size must be at most the {n_rows} rows of X; got {size}."
        )
    samples = []
    for _ in range(n_samples):
        train = rng.choice(n_rows, size, replace=with_replacement)
        samples.append((train, np.setdiff1d(np.arange(n_rows), train)))
    return samples


def _check_all_predicted(samples, n_rows):
    is_predicted = np.zeros(n_rows, dtype=bool)
    for _, test in samples:
        is_predicted[test] = True
    if not is_predicted.all():
        raise ValueError(
            f"{n_rows - is_predicted.sum()} rows of X were never left out of training: "
            "increase n_predictors, use another resampling, or pass X_test."
        )


def draw_seed(rng):
    """Draw a seed for a ``random_state``."""
    return int(rng.randint(np.iinfo(np.int32).max))
