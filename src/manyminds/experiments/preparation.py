"""One preparation of tables for all methods, so that a comparison is fair."""

from typing import Any

from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils import get_tags


def prepare_table(scale: bool = False) -> ColumnTransformer:
    """Return a transformer of missing values and categories into plain numbers.

    A missing number becomes the median of its column, a category column one column of
    0 and 1 per category seen in training. A missing category is a category of its own;
    an unseen one is 0 in all of them. The columns are found by their dtype when the
    transformer is fitted: it depends on no data set.

    Parameters
    ----------
    scale : bool, default=False
        Whether the numbers get mean 0 and variance 1. The 0 and 1 of categories stay:
        scaled, a rare category would outweigh everything else.

    Returns
    -------
    transformer : ColumnTransformer
        Not fitted.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.experiments.preparation import prepare_table
    >>> X = pd.DataFrame({"size": [1.0, None, 3.0], "hue": ["red", "blue", "red"]})
    >>> prepare_table().fit_transform(X.astype({"hue": "category"}))
    array([[1., 0., 1.],
           [2., 1., 0.],
           [3., 0., 1.]])
    """
    steps = [("fill", SimpleImputer(strategy="median", keep_empty_features=True))]
    steps += [("scale", StandardScaler())] if scale else []
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    numbers = Columns(dtype_exclude="category")
    categories = Columns(dtype_include="category")
    return ColumnTransformer(
        [("numbers", Pipeline(steps), numbers), ("categories", encoder, categories)]
    )


def prepared(estimator: Any, scale: bool = False) -> Pipeline:
    """Put the preparation of tables in front of an estimator.

    Parameters
    ----------
    estimator : estimator
        Not fitted.
    scale : bool, default=False
        Whether the numbers get mean 0 and variance 1, for estimators that depend on
        the units of the columns; see `manyminds.experiments.needs_scaling`.

    Returns
    -------
    pipeline : Pipeline
        Of the steps ``"prepare"`` and ``"estimator"``, not fitted.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from manyminds.experiments.preparation import prepared
    >>> list(prepared(SVC(), scale=True).named_steps)
    ['prepare', 'estimator']
    """
    return Pipeline([("prepare", prepare_table(scale)), ("estimator", estimator)])


def takes_raw_tables(estimator: Any) -> bool:
    """Return whether an estimator takes missing values and categories itself.

    Parameters
    ----------
    estimator : estimator

    Returns
    -------
    takes : bool
        By its tags; where it does not tag categories, by having
        ``categorical_features="from_dtype"``, as trees do.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from manyminds.ensemble import RandomForestClassifier
    >>> from manyminds.experiments.preparation import takes_raw_tables
    >>> takes_raw_tables(RandomForestClassifier()), takes_raw_tables(SVC())
    (True, False)
    """
    tags = get_tags(estimator).input_tags
    parameters = estimator.get_params(deep=False)
    from_dtype = parameters.get("categorical_features", None) == "from_dtype"
    return bool(tags.allow_nan and (tags.categorical or from_dtype))


class Columns(make_column_selector):
    """Select columns by their dtype; its representation is short."""

    # Records store estimators as text; without this, it would contain memory addresses.
    def __repr__(self) -> str:
        if self.dtype_exclude is None:
            return f"columns({self.dtype_include})"
        return f"columns(not {self.dtype_exclude})"
