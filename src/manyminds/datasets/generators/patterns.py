"""Two classes as regions of the plane: test patterns on a grid."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.datasets.generators._drawing import all_rows, check_count, check_option
from manyminds.datasets.generators._paragraphs import document_generator


@document_generator
def make_test_pattern(
    n_samples=None, *, pattern="annulus", grid_size=81, random_state=None
):
    """Label the points of a grid by the region of the plane in which they lie.

    The grid covers the square from 0 to 4, by default in steps of 0.05, and the
    pattern determines which points are of class 1 [1]_, [2]_:

    ===================== ==========================================================
    ``sine``              above y = 0.84 sin(1.78 x) + 2
    ``sine_printed``      the same without the 2: mostly below the grid
    ``linear_plus``       above y = 1.87 x + 1.74
    ``linear_minus``      above y = 1.87 x - 1.74
    ``linear_band``       between these two lines
    ``parity``            in an odd number of nine circles of radius 0.9 around the
                          centers of the tiles of a 3 by 3 checkerboard
    ``annulus``           between 0.75 and 1.5 away from (2, 2)
    ``parabolic``         above y = (x - 2)² + 1
    ``parabolic_printed`` above y = (x - 2)² / 2
    ``disjunctive``       in one of four arrowheads, one in each quarter
    ``polynomial``        above y = (x - 2)³ / 2 + (x - 2.2)² / 2 + 2
    ``checkerboard``      in a tile of a 3 by 3 checkerboard colored as its corners
    ===================== ==========================================================

    The classes do not overlap: the Bayes error is 0.

    Parameters
    ----------
    n_samples : int or None, default=None
        Number of points, drawn from the grid without replacement and with the
        classes in the grid's proportions; None for the whole grid.
    pattern : str, default="annulus"
        Name of the pattern.
    grid_size : int, default=81
        Number of points on each side of the grid.
    {classes_of_points}

    Notes
    -----
    The paper [1]_ states formulas for the curves; where a formula is ambiguous, each
    interpretation has its own name here. It does not state radii, circles or
    polygons; those here are our choice.

    References
    ----------
    .. [1] Casale, Pujol and Radeva, "Embedding random projections in regularized
       gradient boosting machines", SUEMA, 2010.
    .. [2] Fawcett's gallery of test patterns for classifiers.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_test_pattern
    >>> X, y = make_test_pattern(pattern="checkerboard")
    >>> print(X.shape, X.min(), X.max())
    (6561, 2) 0.0 4.0
    >>> X_train, y_train = make_test_pattern(
    ...     1000, pattern="checkerboard", random_state=0
    ... )
    >>> print(y.mean().round(2), y_train.mean().round(2))
    0.56 0.56
    """
    check_option("pattern", pattern, tuple(PATTERNS))
    grid_size = check_count("grid_size", grid_size, low=2)
    rng = check_random_state(random_state)

    side = 4.0 * np.arange(grid_size) / (grid_size - 1)
    X = all_rows(side, side)
    y = PATTERNS[pattern](X[:, 0], X[:, 1]).astype(np.intp)
    if n_samples is None:
        return X, y
    rows = _stratified(y, check_count("n_samples", n_samples, high=len(X)), rng)
    return X[rows], y[rows]


def _stratified(y, n_samples, rng):
    """Draw rows of both classes in their proportions, in random order."""
    n_ones = round(n_samples * y.mean())
    ones = rng.permutation(np.flatnonzero(y == 1))[:n_ones]
    zeros = rng.permutation(np.flatnonzero(y == 0))[: n_samples - n_ones]
    return rng.permutation(np.concatenate([ones, zeros]))


def _above_sine(x, y):
    return y > 0.84 * np.sin(1.78 * x) + 2


def _above_printed_sine(x, y):
    return y > 0.84 * np.sin(1.78 * x)


def _above_upper_line(x, y):
    return y > 1.87 * x + 1.74


def _above_lower_line(x, y):
    return y > 1.87 * x - 1.74


def _between_lines(x, y):
    return np.abs(y - 1.87 * x) < 1.74


def _in_odd_number_of_circles(x, y):
    around = all_rows(*[[-4 / 3, 0.0, 4 / 3]] * 2)
    x, y = _from_center(x), _from_center(y)
    squared = (x[:, None] - around[:, 0]) ** 2 + (y[:, None] - around[:, 1]) ** 2
    return (squared <= 0.81).sum(axis=1) % 2 == 1


def _in_annulus(x, y):
    squared = np.round(_from_center(x) ** 2 + _from_center(y) ** 2, 12)
    return (squared >= 0.75**2) & (squared <= 1.5**2)


def _above_parabola(x, y):
    return y > (x - 2) ** 2 + 1


def _above_printed_parabola(x, y):
    return y > (x - 2) ** 2 / 2


def _in_an_arrowhead(x, y):
    across, up = _from_center(x), _from_center(y)
    inside = np.zeros(len(x), dtype=bool)
    for _ in range(4):
        # In the lower left quarter the arrow flies right: its tip is at (1.8, 1), its
        # barbs end at (0.2, 0.2) and (0.2, 1.8), the notch between them is at (0.8, 1).
        along, aside = across + 2, np.abs(up + 1)
        inside |= (aside >= (0.8 - along) * 4 / 3) & (aside <= (1.8 - along) / 2)
        across, up = -up, across
    return inside


def _above_polynomial(x, y):
    return y > (x - 2) ** 3 / 2 + (x - 2.2) ** 2 / 2 + 2


def _on_dark_tile(x, y):
    column, row = (np.minimum(values * 3 // 4, 2) for values in (x, y))
    return (column + row) % 2 == 0


def _from_center(values):
    # 1.95 and 2.05 do not lie equally far from 2 in floating point; rounded, they do,
    # so that symmetric patterns come out symmetric.
    return np.round(values - 2.0, 12)


PATTERNS = {
    "sine": _above_sine,
    "sine_printed": _above_printed_sine,
    "linear_plus": _above_upper_line,
    "linear_minus": _above_lower_line,
    "linear_band": _between_lines,
    "parity": _in_odd_number_of_circles,
    "annulus": _in_annulus,
    "parabolic": _above_parabola,
    "parabolic_printed": _above_printed_parabola,
    "disjunctive": _in_an_arrowhead,
    "polynomial": _above_polynomial,
    "checkerboard": _on_dark_tile,
}
