"""Made-up pictures of eye regions with facial action units."""

import numpy as np
from scipy.ndimage import gaussian_filter
from sklearn.utils import check_random_state

from manyminds.datasets.generators._drawing import check_count, check_number
from manyminds.datasets.generators._paragraphs import document_generator
from manyminds.datasets.generators.multilabel import GROUP_COUNTS, LABEL_GROUPS

HEIGHT, WIDTH = 75, 150


@document_generator
def make_faces(n_samples=456, *, strength=1.0, noise=0.05, random_state=None):
    """Draw pictures of made-up eye regions with six labels, facial action units.

    Two eyes and two brows are drawn on a skin with shades of its own; place, size,
    shape and light vary from picture to picture. Labels occur in twelve combinations
    with the frequencies of a closed data base [1]_, and move what they move in a face:
    1 raises the inner ends of the brows, 2 the outer ends, 4 lowers the brows and draws
    them together, 5 raises the upper lids, 6 the cheeks, 7 the lower lids.

    Parameters
    ----------
    n_samples : int, default=456
        Number of pictures.
    strength : float, default=1.0
        How far labels move things, about four pixels at 1; 0: not at all.
    noise : float, default=0.05
        Standard deviation of the noise of single pixels.
    {random_state}

    Returns
    -------
    images : ndarray of shape (n_samples, 75, 150)
        Brightness, from 0 to 1.
    Y : ndarray of shape (n_samples, 6)
        Their labels, 0 or 1: action units 1, 2, 4, 5, 6 and 7.

    References
    ----------
    .. [1] Smith and Windeatt, "Facial action unit recognition using filtered local
       binary pattern features with bootstrapped and weighted ECOC classifiers", SUEMA,
       2010.

    Examples
    --------
    >>> from manyminds.datasets import make_faces
    >>> images, Y = make_faces(20, random_state=0)
    >>> images.shape, Y.shape
    ((20, 75, 150), (20, 6))
    """
    n_samples = check_count("n_samples", n_samples)
    strength = check_number("strength", strength)
    noise = check_number("noise", noise)
    rng = check_random_state(random_state)

    share = GROUP_COUNTS / GROUP_COUNTS.sum()
    Y = LABEL_GROUPS[rng.choice(len(LABEL_GROUPS), size=n_samples, p=share)]
    images = np.stack([_draw_face(strength * labels, rng) for labels in Y])
    images += noise * rng.standard_normal(images.shape)
    return images.clip(0.0, 1.0), Y


def _draw_face(labels, rng):
    """Draw one picture; labels say how far each action unit is carried out."""
    inner, outer, frown, upper, cheek, lower = labels * rng.uniform(0.7, 1.3, size=6)
    down, right = np.mgrid[:HEIGHT, :WIDTH].astype(np.float64)
    down = down - 42.0 - rng.normal(0.0, 1.0)
    right = right - 0.5 * WIDTH - rng.normal(0.0, 1.0)
    skin = gaussian_filter(rng.standard_normal((HEIGHT, WIDTH)), 8.0)
    image = rng.uniform(0.6, 0.8) + 0.6 * skin + rng.normal(0.0, 8e-4) * right
    apart, size = rng.normal(36.0, 1.5), rng.normal(13.0, 0.8)
    brow_height, arch = rng.normal(-19.0, 1.2), rng.normal(3.0, 0.7)
    brow_width, dark = rng.uniform(2.0, 3.0), rng.uniform(0.3, 0.5)
    for side in (-1.0, 1.0):
        across = side * right - apart  # from the middle of the eye, outwards
        _draw_eye(image, across, down, size, 4.0 * upper, 3.0 * lower)
        along = (across + 3.0 * frown) / 20.0  # -1 at the inner end, 1 at the outer
        height = brow_height + arch * along**2 + 4.0 * frown
        height -= 4.0 * inner * (1.0 - along) / 2.0 + 4.0 * outer * (1.0 + along) / 2.0
        brow = _soften(brow_width - np.abs(down - height)) * _soften(
            20.0 * (1.0 - np.abs(along))
        )
        image -= dark * brow
        crease = down - 15.0 + 4.0 * cheek - 0.01 * across**2
        image -= (
            (0.05 + 0.15 * cheek)
            * np.exp(-0.5 * (crease / 1.5) ** 2)
            * (np.abs(across) < 22.0)
        )
    for place in (-3.0, 3.0):  # furrows between the brows
        line = np.exp(-0.5 * ((right - place) / 1.2) ** 2) * (np.abs(down + 20.0) < 8.0)
        image -= 0.25 * frown * line
    return image


def _draw_eye(image, across, down, size, raised, squeezed):
    """Draw the white of an eye between the lids, and the iris, onto a picture."""
    arc = 1.0 - (across / size) ** 2
    top, bottom = -(5.5 + raised) * arc, (4.5 - squeezed) * arc
    inside = _soften(np.minimum(down - top, bottom - down))
    iris = _soften(5.0 - np.hypot(across, down))
    image += inside * (0.9 - image) - 0.75 * inside * iris
    lid = np.exp(-0.5 * (down - top) ** 2) * (np.abs(across) < size)
    image -= 0.35 * lid


def _soften(distance):
    """Return 1 well inside, 0 well outside, and a soft edge between."""
    return 1.0 / (1.0 + np.exp(-2.0 * distance.clip(-15.0, 15.0)))
