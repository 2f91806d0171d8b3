"""What selectors of selectors do with tables and members: check, part, fit, choose."""

from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_consistent_length

from manyminds.ensemble.base import route_weight
from manyminds.feature_selection.base import read_weight
from manyminds.feature_selection.committees.supports import read_choice
from manyminds.utils.tables import is_frame


def read_inputs(selector, X, y, sample_weight):
    """Check what a selector of selectors is given; frames stay frames for members.

    Parameters
    ----------
    selector : Selector
        Its names and number of features are set.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or None
    sample_weight : array-like of shape (n_samples,) or None

    Returns
    -------
    X : ndarray, sparse CSC matrix or dataframe of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or None
    sample_weight : ndarray of shape (n_samples,) or None
        Checked, if there are any.
    """
    floats, _ = selector._read_features(X)
    if y is None and get_tags(selector).target_tags.required:
        raise ValueError(
            f"This {type(selector).__name__} estimator requires y to be passed, but "
            "the target y is None."
        )
    if y is not None:
        check_consistent_length(floats, y)
    if sample_weight is not None:
        sample_weight = read_weight(floats, sample_weight)
    return (X if is_frame(X) else floats), y, sample_weight


def fit_member(name, selector, X, y, sample_weight=None):
    """Fit a clone of a selector; return it, its support and its ranking.

    Parameters
    ----------
    name : str
        What errors call the selector.
    selector : selector or Pipeline
        Whatever `read_choice` can read.
    X, y, sample_weight : object
        What to fit it to.

    Returns
    -------
    member : selector
        The fitted clone.
    support : ndarray of bool of shape (n_features,)
    ranking : ndarray of int of shape (n_features,) or None
    """
    member = clone(selector)
    options = {}
    if sample_weight is not None:
        options = route_weight(member, sample_weight)
        if not options:
            raise ValueError(f"sample_weight was given, but {name} takes none in fit.")
    member.fit(X, y, **options)
    support, ranking = read_choice(member)
    if len(support) != X.shape[1]:
        raise ValueError(
            f"{name} selects among {len(support)} features, but X has {X.shape[1]}."
        )
    return member, support, ranking
