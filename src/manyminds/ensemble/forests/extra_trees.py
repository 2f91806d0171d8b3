"""Extra-trees: forests whose thresholds are drawn, too."""

from manyminds.ensemble.forests._parameters import PARAGRAPHS
from manyminds.ensemble.forests.base import ForestClassifier, ForestRegressor
from manyminds.trees.scikit_learn import TreeExport
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import GEURTS_2006, cite


@fill_docstring(**PARAGRAPHS, references=cite(GEURTS_2006))
class ExtraTreesClassifier(TreeExport, ForestClassifier):
    """Classify by the mean vote of trees with random thresholds.

    Each node considers ``max_features`` features drawn anew and draws one threshold for
    each of them; the best of these splits is taken [1]_. The trees grow on binned
    columns; numbers, missing values and categories need no preprocessing. Parameters
    that scikit-learn's forest has mean the same here.

    Parameters
    ----------
    {classifier_growth}
    {no_bootstrap}
    {classifier_options}

    Attributes
    ----------
    {classifier_attributes}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import ExtraTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ExtraTreesClassifier(random_state=0).fit(X, y)
    >>> round(forest.score(X, y), 1)
    1.0
    """

    _reads_stored_tables = True
    _splitter = "random"

    def __init__(
        self,
        n_estimators=100,
        *,
        criterion="gini",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features="sqrt",
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        bootstrap=False,
        oob_score=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        warm_start=False,
        class_weight=None,
        ccp_alpha=0.0,
        max_samples=None,
        feature_weights=None,
        max_bins=255,
        categorical_features="from_dtype",
    ):
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.feature_weights = feature_weights
        self.max_bins = max_bins
        self.categorical_features = categorical_features


@fill_docstring(**PARAGRAPHS, references=cite(GEURTS_2006))
class ExtraTreesRegressor(TreeExport, ForestRegressor):
    """Predict a number by the mean of trees with random thresholds.

    Each node considers ``max_features`` features drawn anew and draws one threshold for
    each of them; the best of these splits is taken [1]_. The trees grow on binned
    columns; numbers, missing values and categories need no preprocessing. Parameters
    that scikit-learn's forest has mean the same here.

    Parameters
    ----------
    {regressor_growth}
    {no_bootstrap}
    {regressor_options}

    Attributes
    ----------
    {regressor_attributes}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.ensemble import ExtraTreesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = ExtraTreesRegressor(random_state=0).fit(X, y)
    >>> round(forest.score(X, y), 1)
    1.0
    """

    _reads_stored_tables = True
    _splitter = "random"

    def __init__(
        self,
        n_estimators=100,
        *,
        criterion="squared_error",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features=1.0,
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        bootstrap=False,
        oob_score=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        warm_start=False,
        ccp_alpha=0.0,
        max_samples=None,
        feature_weights=None,
        max_bins=255,
        categorical_features="from_dtype",
    ):
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.feature_weights = feature_weights
        self.max_bins = max_bins
        self.categorical_features = categorical_features
