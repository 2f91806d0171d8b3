"""Paragraphs that the docstrings of generators share."""

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BREIMAN_ARCING, CART, ROGERS_2007, ZOR_2010, cite

__all__ = ["document_generator"]

RETURN_POSTERIOR = """
return_posterior : bool, default=False
    Whether to return the exact probability of each class given each row as well.
"""
RANDOM_STATE = """
random_state : int, RandomState instance or None, default=None
    Determines random number generation.
"""
ROWS = """
X : ndarray of shape (n_samples, n_features)
    Samples.
"""
POINTS = """
X : ndarray of shape (n_samples, 2)
    Points of the plane.
"""
CLASSES = """
y : ndarray of shape (n_samples,)
    Classes, 0 or 1.
"""
EQUAL_CLASSES = """
y : ndarray of shape (n_samples,)
    Classes, 0 or 1, equally likely.
"""
POSTERIOR = """
posterior : ndarray of shape (n_samples, 2)
    Probability of each class. Only with ``return_posterior=True``.
"""
POSTERIOR_AND_STATE = RETURN_POSTERIOR.rstrip() + RANDOM_STATE
RETURNS = """
Returns
-------"""
TWO_CLASSES = POSTERIOR_AND_STATE + RETURNS + ROWS.rstrip() + EQUAL_CLASSES.rstrip()
TWO_CLASSES += POSTERIOR
CLASSES_OF_POINTS = RANDOM_STATE + RETURNS + POINTS.rstrip() + CLASSES

document_generator = fill_docstring(
    posterior_and_state=POSTERIOR_AND_STATE,
    two_classes=TWO_CLASSES,
    classes_of_points=CLASSES_OF_POINTS,
    random_state=RANDOM_STATE,
    label_noise="""
label_noise : float, default=0.0
    Fraction of rows, rounded to a number of rows, whose label is flipped.
""",
    rows=ROWS,
    points=POINTS,
    classes=CLASSES,
    equal_classes=EQUAL_CLASSES,
    posterior=POSTERIOR,
    breiman=cite(BREIMAN_ARCING),
    cart=cite(CART),
    rogers=cite(ROGERS_2007),
    zor="""
It is an approximation of a problem of the same name [1]_, of which only the size,
the number of classes and the Bayes error are published: the means are our choice.

"""
    + cite(ZOR_2010),
)
