"""Histograms of local binary patterns of images."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_array
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import DocLinkMixin
from manyminds.kernels.local_patterns import code_pixels, count_in_tiles

N_BINS = 59  # 58 uniform patterns, and the rest


class LocalBinaryPatterns(TransformerMixin, DocLinkMixin, BaseEstimator):
    r"""Describe images by histograms of local binary patterns.

    A pixel is compared with eight neighbors on a circle around it: each that is at
    least as bright is a bit of its pattern. The 58 *uniform* patterns, whose bits
    change at most twice around the circle, are edges, corners and spots; all others
    share one bin. For each radius, and each size of tiles, the image is tiled without
    overlap, and a histogram of 59 bins is taken of each tile [1]_, [2]_. Patterns do
    not change with brightness and contrast.

    Parameters
    ----------
    radii : array-like of float, default=range(1, 11)
        Radii of the circles, in pixels.
    tile_sizes : list, default=(12, 15, 18, 25, 37, None)
        Sizes of the tiles in pixels: a number for squares, a pair of height and width,
        or None for the whole image. Pixels at the right and at the bottom that fill no
        tile are left out. On images of 75 by 150 pixels the default makes 181 tiles.
    image_shape : tuple of two int, default=None
        Height and width of the images, if they are passed as rows of a table; None:
        images are passed as an array with three dimensions.
    normalize : bool, default=True
        Whether histograms are divided by the number of pixels of a tile.
    n_jobs : int, default=None
        Number of threads. The result does not depend on it.

    Attributes
    ----------
    image_shape_ : tuple of two int
        Height and width of the images.
    n_features_out_ : int
        Number of bins of all histograms.

    Notes
    -----
    Codes are those of scikit-image's ``local_binary_pattern(image, 8, radius,
    method="nri_uniform")``. The paper [2]_ does not list its tile sizes; the default
    makes 106,790 features of its images, where it reports about 107,000.

    References
    ----------
    .. [1] Ojala, Pietikäinen and Mäenpää, "Multiresolution gray-scale and rotation
       invariant texture classification with local binary patterns", IEEE Transactions
       on Pattern Analysis and Machine Intelligence 24, 2002.
    .. [2] Smith and Windeatt, "Facial action unit recognition using filtered local
       binary pattern features with bootstrapped and weighted ECOC classifiers", SUEMA,
       2010.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from manyminds.preprocessing import LocalBinaryPatterns
    >>> images = load_digits().images
    >>> patterns = LocalBinaryPatterns(radii=[1], tile_sizes=[4, None])
    >>> patterns.fit_transform(images).shape  # four tiles, and the whole image
    (1797, 295)
    """

    _parameter_constraints = {
        "radii": ["array-like"],
        "tile_sizes": ["array-like"],
        "image_shape": [tuple, list, None],
        "normalize": ["boolean"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        radii=range(1, 11),
        *,
        tile_sizes=(12, 15, 18, 25, 37, None),
        image_shape=None,
        normalize=True,
        n_jobs=None,
    ):
        self.radii = radii
        self.tile_sizes = tile_sizes
        self.image_shape = image_shape
        self.normalize = normalize
        self.n_jobs = n_jobs

    def fit(self, X, y=None):
        """Learn the shape of the images.

        Parameters
        ----------
        X : array-like of shape (n_images, height, width) or (n_images, n_pixels)
            Images.
        y : None
            Not used.

        Returns
        -------
        self : object
            The fitted transformer.
        """
        self._validate_params()
        _check_radii(self.radii)
        images = self._read_images(X)
        self.image_shape_ = images.shape[1:]
        self._tiles = [_read_tile(size, self.image_shape_) for size in self.tile_sizes]
        if not self._tiles:
            raise ValueError("tile_sizes must have one size or more; got none.")
        n_tiles = sum(_count_tiles(tile, self.image_shape_) for tile in self._tiles)
        self.n_features_out_ = len(self.radii) * n_tiles * N_BINS
        if np.ndim(X) == 2:
            self.n_features_in_ = int(np.prod(self.image_shape_))
        return self

    def transform(self, X):
        """Compute the histograms of images.

        Parameters
        ----------
        X : array-like of shape (n_images, height, width) or (n_images, n_pixels)
            Images of the shape seen during ``fit``.

        Returns
        -------
        histograms : ndarray of shape (n_images, n_features)
            For each radius, each size and each tile, row by row, 59 bins.
        """
        check_is_fitted(self)
        images = self._read_images(X)
        if images.shape[1:] != self.image_shape_:
            raise ValueError(
                f"X must have images of the shape {self.image_shape_} as in fit; got "
                f"{images.shape[1:]}."
            )
        run = Parallel(self.n_jobs, prefer="threads")
        rows = run(delayed(self._describe)(image) for image in images)
        return np.array(rows).reshape(len(images), self.n_features_out_)

    def _describe(self, image):
        """Return the histograms of one image, one after the other."""
        labels, parts = np.empty(image.shape, dtype=np.int64), []
        for radius in self.radii:
            code_pixels(image, float(radius), PATTERN_LABELS, labels)
            for height, width in self._tiles:
                n_tiles = _count_tiles((height, width), image.shape)
                counts = np.empty((n_tiles, N_BINS))
                count_in_tiles(labels, height, width, N_BINS, counts)
                parts.append(counts / (height * width) if self.normalize else counts)
        return np.concatenate(parts).ravel()

    def _read_images(self, X):
        """Check images; return them as an array with three dimensions."""
        X = check_array(X, dtype=np.float64, allow_nd=True, order="C", input_name="X")
        if X.ndim == 3 and self.image_shape is None:
            return X
        if X.ndim != 2 or self.image_shape is None:
            raise ValueError(
                "X must be images of shape (n_images, height, width), or rows of "
                f"pixels together with image_shape; got the shape {X.shape} and "
                f"image_shape={self.image_shape!r}."
            )
        if len(self.image_shape) != 2 or np.prod(self.image_shape) != X.shape[1]:
            raise ValueError(
                "image_shape must be height and width of the images, whose product is "
                f"the number of columns {X.shape[1]}; got {self.image_shape!r}."
            )
        return X.reshape(len(X), *self.image_shape)

    def get_feature_names_out(self, input_features=None):
        """Return the names of the features.

        Parameters
        ----------
        input_features : None
            Not used.

        Returns
        -------
        names : ndarray of shape (n_features,)
            Radius, height and width of the tile, its number, and the bin.
        """
        check_is_fitted(self)
        return np.array(
            [
                f"lbp_r{radius:g}_{height}x{width}_{tile}_{bin}"
                for radius in self.radii
                for height, width in self._tiles
                for tile in range(_count_tiles((height, width), self.image_shape_))
                for bin in range(N_BINS)
            ],
            dtype=object,
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = self.image_shape is not None
        tags.input_tags.three_d_array = self.image_shape is None
        return tags


def _list_pattern_labels():
    """Return the bin of each of the 256 patterns.

    No bits are the first bin, all bits the last but one; in between, uniform patterns
    by their number of bits and by how far these are turned, as in scikit-image.
    """
    labels = np.full(256, N_BINS - 1)
    for pattern in range(256):
        bits = [pattern >> p & 1 for p in range(8)]
        n_ones = sum(bits)
        n_changes = sum(bits[p] != bits[p - 1] for p in range(8))
        if n_ones in (0, 8):
            labels[pattern] = 0 if n_ones == 0 else N_BINS - 2
        elif n_changes == 2:
            first_one, first_zero = bits.index(1), bits.index(0)
            # How far the run of ones is turned; bits at the end belong to its start.
            turn = n_ones - first_zero if first_one == 0 else 8 - first_one
            labels[pattern] = 1 + (n_ones - 1) * 8 + turn
    return labels


PATTERN_LABELS = _list_pattern_labels()


def _check_radii(radii):
    """Raise if radii are not positive numbers."""
    radii = list(radii)
    wrong = [r for r in radii if not isinstance(r, Real) or not 0 < r < np.inf]
    if wrong or not radii:
        raise ValueError(f"radii must be positive numbers; got {radii!r}.")


def _read_tile(size, image_shape):
    """Return height and width of the tiles of a size."""
    if size is None:
        return tuple(image_shape)
    height, width = (size, size) if isinstance(size, Integral) else tuple(size)
    if not 0 < height <= image_shape[0] or not 0 < width <= image_shape[1]:
        raise ValueError(
            f"tile_sizes must be from 1 to the size {tuple(image_shape)} of the "
            f"images; got {size!r}."
        )
    return int(height), int(width)


def _count_tiles(tile, image_shape):
    """Return how many tiles fit into an image."""
    return (image_shape[0] // tile[0]) * (image_shape[1] // tile[1])
