"""Search chains of transformations and learners, and validate them as one model."""

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import check_array
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from manyminds.search.base import BaseComplexModelSearch


def _has_probabilities(search):
    """Return whether the chosen model gives probabilities."""
    return not hasattr(search, "model_") or hasattr(search.model_, "predict_proba")


class ComplexModelSearchClassifier(ClassifierMixin, BaseComplexModelSearch):
    """Search a classifier: transformations, selection, learner and committee at once.

    A chain encodes, scales, reduces and selects columns and ends in a learner, and is
    fitted and validated as a whole [1]_: every step that looks at labels is fitted anew
    inside each fold. First, all learners are tried, then selectors in front of the best
    of them, then their values are tuned, parts of good chains exchanged, and committees
    made. A chain that falls behind after some folds is stopped, and so is one that
    takes more than its share of the budget, unless it is ahead of all others.

    The best of many looks better than it is. So the choice is replayed on bootstrap
    samples of the out-of-fold predictions [2]_, and ``honest_score_`` is the score less
    the selection bias that is found.

    Parameters
    ----------
    budget : float, str or None, default="60s"
        Seconds, or a text such as "90s", "5m" or "1h". Four fifths are for the search,
        the rest for judging and fitting what was chosen. Compiling, once after an
        installation, is not counted. None: no limit but ``n_trials``, and the same
        result for any ``n_jobs``.
    n_trials : int or None, default=None
        Number of chains to try in this call.
    metric : str or callable, default="auto"
        What counts: "accuracy" by default, "balanced_accuracy",
        "auc", "log_loss", the name of a
        scorer of scikit-learn, or a scorer.
    cv : int, "auto" or cross-validation generator, default="auto"
        Folds by which chains are validated; each row must be in exactly one. "auto":
        ten below 500 rows, five up to 20,000 rows, then three.
    space : Space or None, default=None
        What chains are made of; None: `default_space`.
    committee : bool, default=True
        Whether a committee of good chains may be chosen in place of the best one.
    validation : {"bootstrap", "nested"}, default="bootstrap"
        Where ``honest_score_`` comes from: bootstrap samples of the predictions that
        the search has made anyway, or whole searches repeated outside of folds, each
        with the same budget.
    outer_cv : int, default=3
        Folds of the nested validation.
    alpha : float, default=0.0
        Chains are ranked by their score less ``alpha`` standard deviations over folds;
        the paper takes 1.
    storage : str, path or None, default=None
        Where the study is kept: a SQLite file or the URL of a database of SQLite or
        PostgreSQL. A search with a storage, on the same rows and with the same
        whole number as ``random_state``, goes on where an earlier one has ended or was
        killed, and several processes may share it. None: memory, which is
        quicker, and gone at the end; ``manyminds search`` always keeps a file.
    study_name : str, default="search"
        Name of the study in the storage.
    on_progress : callable or None, default=None
        Called with a `SearchProgress` after each trial.
    n_jobs : int or None, default=None
        Processes that try chains at a time; -1 for all cores. With more than one, a
        fit that takes too long is ended.
    random_state : int, RandomState instance or None, default=None
        Draws folds, chains and bootstrap samples.

    Attributes
    ----------
    model_ : estimator
        What predicts: ``committee_`` if there is one, or else ``best_model_``.
    best_model_ : estimator
        The best chain, fitted to all rows.
    committee_ : VotingClassifier or None
        Committee of chains, if it does better.
    weights_ : list of (str, float)
        The chains of ``model_`` and what they weigh.
    honest_score_ : HonestScore
        What to expect on new rows, with an interval, and the naive score: that of
        the pooled out-of-fold predictions of ``model_``. NaN, with a reason, where it
        cannot be estimated.
    leaderboard_ : DataFrame
        Chains that went through all folds, the best first. Their score is that of
        their pooled out-of-fold predictions.
    trace_ : DataFrame
        All trials in their order.
    selection_ : DataFrame
        How often the best chain selected each column, over the folds.
    selection_stability_ : float
        How much these selections agree, by Nogueira's measure.
    importance_ : DataFrame
        By how much the score of the best chain falls where a column is shuffled in
        rows that the chain was not fitted to: mean and deviation over up to five folds.
        Of at most a hundred columns, those selected most often.
    oof_predictions_ : ndarray of shape (n_samples, n_classes)
        Predictions of ``model_`` out of fold.
    folds_ : list of (train, test)
        Positions of the rows.
    metric_ : str
        Name of what counts.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, of a dataframe.

    References
    ----------
    .. [1] Grąbczewski and Jankowski, "Mining for complex models comprising feature
       selection and classification", in Feature Extraction, Springer, 2006.
    .. [2] Tsamardinos, Greasidou and Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107,
       2018.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.search import ComplexModelSearchClassifier, default_space
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> space = default_space("classification").only("learner", "logistic", "nrbf")
    >>> search = ComplexModelSearchClassifier(
    ...     None, n_trials=3, space=space, random_state=0
    ... )
    >>> search.fit(X, y).leaderboard_["learner"].iloc[0]
    'logistic'
    >>> search.honest_score_.score <= search.honest_score_.naive
    True
    """

    _task = "classification"

    @available_if(_has_probabilities)
    def predict_proba(self, X):
        """Return the probability of each class by the chosen model.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        return self.model_.predict_proba(self._read_again(X))

    def _read_target(self, y):
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                "y must have at least two classes; it has one class only, "
                f"{self.classes_[0]}."
            )
        return codes


class ComplexModelSearchRegressor(RegressorMixin, BaseComplexModelSearch):
    """Search a regressor: transformations, selection, learner and committee at once.

    A chain encodes, scales, reduces and selects columns and ends in a learner, and is
    fitted and validated as a whole [1]_: every step that looks at labels is fitted anew
    inside each fold. First, all learners are tried, then selectors in front of the best
    of them, then their values are tuned, parts of good chains exchanged, and committees
    made. A chain that falls behind after some folds is stopped, and so is one that
    takes more than its share of the budget, unless it is ahead of all others.

    The best of many looks better than it is. So the choice is replayed on bootstrap
    samples of the out-of-fold predictions [2]_, and ``honest_score_`` is the score less
    the selection bias that is found.

    Parameters
    ----------
    budget : float, str or None, default="60s"
        Seconds, or a text such as "90s", "5m" or "1h". Four fifths are for the search,
        the rest for judging and fitting what was chosen. Compiling, once after an
        installation, is not counted. None: no limit but ``n_trials``, and the same
        result for any ``n_jobs``.
    n_trials : int or None, default=None
        Number of chains to try in this call.
    metric : str or callable, default="auto"
        What counts: "rmse" by default, "mae", "r2", the name of a
        scorer of scikit-learn, or a scorer.
    cv : int, "auto" or cross-validation generator, default="auto"
        Folds by which chains are validated; each row must be in exactly one. "auto":
        ten below 500 rows, five up to 20,000 rows, then three.
    space : Space or None, default=None
        What chains are made of; None: `default_space`.
    committee : bool, default=True
        Whether a committee of good chains may be chosen in place of the best one.
    validation : {"bootstrap", "nested"}, default="bootstrap"
        Where ``honest_score_`` comes from: bootstrap samples of the predictions that
        the search has made anyway, or whole searches repeated outside of folds, each
        with the same budget.
    outer_cv : int, default=3
        Folds of the nested validation.
    alpha : float, default=0.0
        Chains are ranked by their score less ``alpha`` standard deviations over folds;
        the paper takes 1.
    storage : str, path or None, default=None
        Where the study is kept: a SQLite file or the URL of a database of SQLite or
        PostgreSQL. A search with a storage, on the same rows and with the same
        whole number as ``random_state``, goes on where an earlier one has ended or was
        killed, and several processes may share it. None: memory, which is
        quicker, and gone at the end; ``manyminds search`` always keeps a file.
    study_name : str, default="search"
        Name of the study in the storage.
    on_progress : callable or None, default=None
        Called with a `SearchProgress` after each trial.
    n_jobs : int or None, default=None
        Processes that try chains at a time; -1 for all cores. With more than one, a
        fit that takes too long is ended.
    random_state : int, RandomState instance or None, default=None
        Draws folds, chains and bootstrap samples.

    Attributes
    ----------
    model_ : estimator
        What predicts: ``committee_`` if there is one, or else ``best_model_``.
    best_model_ : estimator
        The best chain, fitted to all rows.
    committee_ : VotingRegressor or None
        Committee of chains, if it does better.
    weights_ : list of (str, float)
        The chains of ``model_`` and what they weigh.
    honest_score_ : HonestScore
        What to expect on new rows, with an interval, and the naive score: that of
        the pooled out-of-fold predictions of ``model_``. NaN, with a reason, where it
        cannot be estimated.
    leaderboard_ : DataFrame
        Chains that went through all folds, the best first. Their score is that of
        their pooled out-of-fold predictions.
    trace_ : DataFrame
        All trials in their order.
    selection_ : DataFrame
        How often the best chain selected each column, over the folds.
    selection_stability_ : float
        How much these selections agree, by Nogueira's measure.
    importance_ : DataFrame
        By how much the score of the best chain falls where a column is shuffled in
        rows that the chain was not fitted to: mean and deviation over up to five folds.
        Of at most a hundred columns, those selected most often.
    oof_predictions_ : ndarray of shape (n_samples,)
        Predictions of ``model_`` out of fold.
    folds_ : list of (train, test)
        Positions of the rows.
    metric_ : str
        Name of what counts.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, of a dataframe.

    References
    ----------
    .. [1] Grąbczewski and Jankowski, "Mining for complex models comprising feature
       selection and classification", in Feature Extraction, Springer, 2006.
    .. [2] Tsamardinos, Greasidou and Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107,
       2018.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.search import ComplexModelSearchRegressor, default_space
    >>> X, y = load_diabetes(return_X_y=True)
    >>> space = default_space("regression").only("learner", "ridge", "forest")
    >>> search = ComplexModelSearchRegressor(
    ...     None, n_trials=3, metric="r2", space=space, random_state=0
    ... )
    >>> round(search.fit(X, y).honest_score_.score, 1)
    0.5
    """

    _task = "regression"

    def _read_target(self, y):
        return check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
