"""Preparers: transformations of an encoded sample before a coefficient is computed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Real

import numpy as np
from sklearn.utils import check_random_state

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import TAMPONI_2015, cite

__all__ = ["AddNoise", "Bootstrap"]


@fill_docstring(references=cite(TAMPONI_2015))
@dataclass(frozen=True)
class AddNoise:
    r"""Add normal noise to every component of the encoded vectors.

    .. math:: p(x_i) = x_i + \varepsilon \, \mathcal{N}(0, I)

    breaks ties, for which estimates of entropy are undefined, and makes singular
    matrices regular [1]_. Coefficients of determination and of association do not need
    it.

    Parameters
    ----------
    scale : float, default=1e-6
        Standard deviation of the noise; 1e-4 in the tables of the thesis.
    relative : bool, default=False
        Whether ``scale`` is relative to the standard deviation of each column, so that
        the noise does not depend on units. A constant column then gets no noise.

    {references}

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis import AddNoise
    >>> X, y = AddNoise(0.01)(np.ones((3, 1)), np.array([0, 1, 1]), 0)
    >>> len(np.unique(X))
    3
    """

    scale: float = 1e-6
    relative: bool = False

    def __post_init__(self):
        if not isinstance(self.scale, Real) or not 0.0 <= self.scale < np.inf:
            raise ValueError(f"scale must be a number of 0 or more; got {self.scale}.")

    def __call__(self, X, y, random_state):
        """Return X with noise, and y unchanged."""
        rng = check_random_state(random_state)
        unit = X.std(axis=0) if self.relative else 1.0
        return X + self.scale * unit * rng.normal(size=X.shape), y


@dataclass(frozen=True)
class Bootstrap:
    """Draw samples with replacement.

    Parameters
    ----------
    fraction : float, default=1.0
        Number of samples to draw, as a fraction of all.
    balanced : bool, default=False
        Whether to draw the same number of samples from each class. The thesis
        recommends its bootstrap for imbalanced classes, yet draws from all samples
        uniformly, which does not change the imbalance; this option does.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis import Bootstrap
    >>> y = np.array([0] * 90 + [1] * 10)
    >>> X, y = Bootstrap(balanced=True)(np.arange(100.0).reshape(-1, 1), y, 0)
    >>> np.bincount(y)
    array([50, 50])
    """

    fraction: float = 1.0
    balanced: bool = False

    def __post_init__(self):
        if not isinstance(self.fraction, Real) or not 0.0 < self.fraction < np.inf:
            raise ValueError(
                f"fraction must be a number above 0; got {self.fraction!r}."
            )

    def __call__(self, X, y, random_state):
        """Return the drawn rows of X and y."""
        rng, n_drawn = check_random_state(random_state), int(self.fraction * len(y))
        if n_drawn < 1:
            raise ValueError(
                f"fraction must draw one row or more; got {self.fraction} of {len(y)}."
            )
        if not self.balanced:
            rows = rng.randint(len(y), size=n_drawn)
            return X[rows], y[rows]
        classes = np.unique(y)
        # The remainder of the division goes to the first classes.
        share = np.full(len(classes), n_drawn // len(classes))
        share[: n_drawn % len(classes)] += 1
        rows = [
            rng.choice(np.flatnonzero(y == one), size=n)
            for one, n in zip(classes, share)
        ]
        rows = np.concatenate(rows)
        return X[rows], y[rows]


def prepare(X, labels, preparers, random_state):
    """Apply preparers in order; return the table and its labels."""
    rng, codes = check_random_state(random_state), labels.codes
    for preparer in preparers:
        X, codes = preparer(X, codes, rng)
    return X, labels.take(codes) if len(preparers) else labels


def check_preparers(preparers, needs_noise):
    """Return preparers as a tuple; "auto" is noise if a coefficient needs it."""
    if isinstance(preparers, str) and preparers == "auto":
        return (AddNoise(relative=True),) if needs_noise else ()
    is_many = isinstance(preparers, Iterable) and not isinstance(preparers, str)
    found = tuple(preparers) if is_many else ()
    if not is_many or not all(isinstance(one, Callable) for one in found):
        raise ValueError(
            "preparers must be 'auto' or a sequence of callables such as AddNoise(); "
            f"got {preparers!r}."
        )
    return found
