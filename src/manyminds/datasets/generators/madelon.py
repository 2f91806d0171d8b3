"""Data like Madelon: few relevant columns among many, none relevant alone."""

from sklearn.datasets import make_classification

from manyminds.datasets.generators._drawing import check_count
from manyminds.datasets.generators._paragraphs import document_generator


@document_generator
def make_madelon_like(
    n_samples=2600,
    *,
    n_features=500,
    n_informative=5,
    n_redundant=15,
    class_sep=1.0,
    flip_y=0.01,
    shuffle=True,
    random_state=None,
):
    """Draw clusters at the corners of a cube, hidden among columns of noise.

    Every corner of a cube of ``n_informative`` dimensions has a cluster; a random half
    of them is of class 1. Redundant columns are random linear
    combinations of the informative ones; all others are noise. The data of the
    feature selection challenge of 2003 was generated this way [1]_. The Bayes error
    depends on the random clusters.

    Parameters
    ----------
    n_samples : int, default=2600
        Number of rows.
    n_features : int, default=500
        Number of columns in all.
    n_informative : int, default=5
        Number of dimensions of the cube, from 2 to 12.
    n_redundant : int, default=15
        Number of linear combinations of these.
    class_sep : float, default=1.0
        Half of the cube's edge, in standard deviations of the clusters.
    flip_y : float, default=0.01
        Fraction of rows with a random label.
    shuffle : bool, default=True
        Whether to shuffle the rows and the columns. Otherwise the informative columns
        come first, then the redundant ones.
    {random_state}

    Returns
    -------
    {rows}
    {classes}

    See Also
    --------
    sklearn.datasets.make_classification : The generator behind this function.

    References
    ----------
    .. [1] Guyon, "Design of experiments of the NIPS 2003 variable selection
       benchmark", 2003.

    Examples
    --------
    >>> from manyminds.datasets.generators import make_madelon_like
    >>> X, y = make_madelon_like(random_state=0)
    >>> X.shape
    (2600, 500)
    """
    n_samples = check_count("n_samples", n_samples)
    n_informative = check_count("n_informative", n_informative, low=2, high=12)
    return make_classification(
        n_samples,
        n_features,
        n_informative=n_informative,
        n_redundant=n_redundant,
        n_clusters_per_class=2 ** (n_informative - 1),
        hypercube=True,
        class_sep=class_sep,
        flip_y=flip_y,
        shuffle=shuffle,
        random_state=random_state,
    )
