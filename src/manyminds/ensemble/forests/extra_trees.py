"""Extra-trees: forests whose thresholds are drawn, too."""

from manyminds.ensemble.forests.base import ForestClassifier, ForestRegressor


class ExtraTreesClassifier(ForestClassifier):
    """Classify by the mean vote of trees with random thresholds.

    Each node looks at ``max_features`` features drawn anew and draws one threshold for
    each of them; the best of these splits is taken [1]_. The trees grow on binned
    columns; numbers, missing values and categories are taken as they are. Parameters
    that scikit-learn's forest has mean the same here.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {"gini", "entropy", "log_loss", "ssv", "ssv_lexicographic", \
"balanced_error"}, default="gini"
        What a split should lower; see ``manyminds.trees.DecisionTreeClassifier``.
    max_depth : int, default=None
        Largest number of splits between root and leaf.
    min_samples_split : int or float, default=2
        Fewest rows, or smallest share of them, that a node needs to be split.
    min_samples_leaf : int or float, default=1
        Fewest rows, or smallest share of them, on either side of a split.
    min_weight_fraction_leaf : float, default=0.0
        Smallest share of the total weight on either side of a split.
    max_features : int, float, {"sqrt", "log2"} or None, default="sqrt"
        How many features, or which share of them, a node looks at; None: all. If all of
        them are constant in the node, more are drawn until one is not.
    max_leaf_nodes : int, default=None
        Grow the most promising node of a tree first, until it has this many leaves.
    min_impurity_decrease : float, default=0.0
        Smallest fall of the impurity, weighted by the node's share of all rows, that is
        worth a split.
    bootstrap : bool, default=False
        Whether a tree draws as many rows as there are, with replacement, or sees all.
        Sample weights, and weights of the classes, are then the odds of the draw.
    oob_score : bool or callable, default=False
        Whether to predict each row by the trees that did not draw it, and to score that
        by accuracy or by ``oob_score(y_true, y_pred)``.
    n_jobs : int, default=None
        Number of threads; -1: all processors. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Draws rows, features and thresholds.
    verbose : int, default=0
        Above 0: show on the error stream how far the forest has grown.
    warm_start : bool, default=False
        Keep the trees of the last fit and grow only those that ``n_estimators`` asks
        for beyond them.
    class_weight : dict, {"balanced", "balanced_subsample"} or None, default=None
        Weights of the classes. "balanced": inversely to how often they occur;
        "balanced_subsample": to how often a tree drew them.
    ccp_alpha : float, default=0.0
        Cut off branches that lower the impurity by less than this for each leaf.
    max_samples : int or float, default=None
        How many rows a tree draws, or which share of the rows (of the total weight, if
        there are sample weights); None: as many as there are.
    feature_weights : array-like of shape (n_features,) or (n_estimators, n_features), \
default=None
        How likely a feature is to be drawn, for all trees or for each tree. A feature
        with weight 0 is never used.
    max_bins : int, default=255
        Most bins of a column, up to 65,535. A column with no more distinct values is
        split exactly.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions or names, those of a dataframe
        with a categorical dtype, or none.

    Attributes
    ----------
    trees_ : Trees
        The node arrays of all trees.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    n_classes_ : int
        Number of classes.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.
    feature_importances_ : ndarray of shape (n_features,)
        Mean over the trees of each feature's share in the fall of impurity.
    estimators_ : list of DecisionTreeClassifier
        The trees as fitted estimators, made when asked for.
    estimators_samples_ : list of ndarray
        The rows that each tree drew.
    oob_score_ : float
        Score of the out-of-bag predictions; only with ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag probabilities; only with ``oob_score``.

    References
    ----------
    .. [1] Geurts, Ernst and Wehenkel, "Extremely randomized trees", Machine Learning
       63, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import ExtraTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ExtraTreesClassifier(random_state=0).fit(X, y)
    >>> round(forest.score(X, y), 1)
    1.0
    """

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


class ExtraTreesRegressor(ForestRegressor):
    """Predict a number by the mean of trees with random thresholds.

    Each node looks at ``max_features`` features drawn anew and draws one threshold for
    each of them; the best of these splits is taken [1]_. The trees grow on binned
    columns; numbers, missing values and categories are taken as they are. Parameters
    that scikit-learn's forest has mean the same here.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {"squared_error"}, default="squared_error"
        What a split should lower.
    max_depth : int, default=None
        Largest number of splits between root and leaf.
    min_samples_split : int or float, default=2
        Fewest rows, or smallest share of them, that a node needs to be split.
    min_samples_leaf : int or float, default=1
        Fewest rows, or smallest share of them, on either side of a split.
    min_weight_fraction_leaf : float, default=0.0
        Smallest share of the total weight on either side of a split.
    max_features : int, float, {"sqrt", "log2"} or None, default=1.0
        How many features, or which share of them, a node looks at; None: all. If all of
        them are constant in the node, more are drawn until one is not.
    max_leaf_nodes : int, default=None
        Grow the most promising node of a tree first, until it has this many leaves.
    min_impurity_decrease : float, default=0.0
        Smallest fall of the impurity, weighted by the node's share of all rows, that is
        worth a split.
    bootstrap : bool, default=False
        Whether a tree draws as many rows as there are, with replacement, or sees all.
        Sample weights, and weights of the classes, are then the odds of the draw.
    oob_score : bool or callable, default=False
        Whether to predict each row by the trees that did not draw it, and to score that
        by R² or by ``oob_score(y_true, y_pred)``.
    n_jobs : int, default=None
        Number of threads; -1: all processors. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Draws rows, features and thresholds.
    verbose : int, default=0
        Above 0: show on the error stream how far the forest has grown.
    warm_start : bool, default=False
        Keep the trees of the last fit and grow only those that ``n_estimators`` asks
        for beyond them.
    ccp_alpha : float, default=0.0
        Cut off branches that lower the impurity by less than this for each leaf.
    max_samples : int or float, default=None
        How many rows a tree draws, or which share of the rows (of the total weight, if
        there are sample weights); None: as many as there are.
    feature_weights : array-like of shape (n_features,) or (n_estimators, n_features), \
default=None
        How likely a feature is to be drawn, for all trees or for each tree. A feature
        with weight 0 is never used.
    max_bins : int, default=255
        Most bins of a column, up to 65,535. A column with no more distinct values is
        split exactly.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions or names, those of a dataframe
        with a categorical dtype, or none.

    Attributes
    ----------
    trees_ : Trees
        The node arrays of all trees.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.
    feature_importances_ : ndarray of shape (n_features,)
        Mean over the trees of each feature's share in the fall of impurity.
    estimators_ : list of DecisionTreeRegressor
        The trees as fitted estimators, made when asked for.
    estimators_samples_ : list of ndarray
        The rows that each tree drew.
    oob_score_ : float
        Score of the out-of-bag predictions; only with ``oob_score``.
    oob_prediction_ : ndarray of shape (n_samples,)
        Out-of-bag predictions; only with ``oob_score``.

    References
    ----------
    .. [1] Geurts, Ernst and Wehenkel, "Extremely randomized trees", Machine Learning
       63, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.ensemble import ExtraTreesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = ExtraTreesRegressor(random_state=0).fit(X, y)
    >>> round(forest.score(X, y), 1)
    1.0
    """

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
