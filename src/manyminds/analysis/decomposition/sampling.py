"""Draw the rows that learners are trained on, and those that they are asked about."""

import numpy as np

from manyminds.analysis._checks import check_option
from manyminds.analysis.decomposition.sscv import SubsampledCV, check_whole

RESAMPLINGS = ("auto", "sscv", "bootstrap", "subsample")


def list_samples(resampling, X, y, n_predictors, size, has_test, n_asked, rng):
    """List the rows that each learner is trained on, and those that it is asked."""
    n_rows, everything = len(y), np.arange(n_asked)
    if resampling == "auto":
        resampling = "bootstrap" if has_test else "sscv"
    if not isinstance(resampling, str) and hasattr(resampling, "split"):
        samples = list(resampling.split(X, y))
    elif resampling == "sscv":
        if has_test:
            raise ValueError(
                "resampling='sscv' asks about rows of X; leave X_test out, or take "
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
    _check_all_asked(samples, n_rows)
    return samples


def _draw_samples(with_replacement, n_rows, n_samples, size, rng):
    if size is None:
        size = n_rows if with_replacement else n_rows // 2
    check_whole("train_size", size, 1)
    if not with_replacement and size > n_rows:
        raise ValueError(f"train_size={size} is more than the {n_rows} rows of X.")
    samples = []
    for _ in range(n_samples):
        train = rng.choice(n_rows, size, replace=with_replacement)
        samples.append((train, np.setdiff1d(np.arange(n_rows), train)))
    return samples


def _check_all_asked(samples, n_rows):
    is_asked = np.zeros(n_rows, dtype=bool)
    for _, test in samples:
        is_asked[test] = True
    if not is_asked.all():
        raise ValueError(
            f"{n_rows - is_asked.sum()} rows of X were never left out of training: "
            "take more n_predictors, another resampling, or give X_test."
        )


def draw_seed(rng):
    """Draw a seed that any ``random_state`` takes."""
    return int(rng.randint(np.iinfo(np.int32).max))
