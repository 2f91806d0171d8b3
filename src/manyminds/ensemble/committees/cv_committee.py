"""CV committee: combine the models of a cross-validation by a vote."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.metrics import accuracy_score, check_scoring, r2_score
from sklearn.model_selection import check_cv
from sklearn.utils import get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from manyminds._compat import (
    DocLinkMixin,
    HasMethods,
    StrOptions,
    check_sample_weight,
)
from manyminds.ensemble.base import (
    EstimatorMembers,
    draw_member_seeds,
    make_member,
    route_weight,
    run_on_members,
    share_votes,
)
from manyminds.ensemble.estimators import Ensemble
from manyminds.trees import DecisionTreeClassifier
from manyminds.trees.folds import limit_folds
from manyminds.utils._paragraphs import ROWS
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import GRABCZEWSKI_2006, cite
from manyminds.utils.tables import take_rows


def _classifies(committee):
    """Return whether there are classes to vote for."""
    return is_classifier(committee)


@fill_docstring(**ROWS, references=cite(GRABCZEWSKI_2006))
class CVCommittee(Ensemble, MetaEstimatorMixin, DocLinkMixin, BaseEstimator):
    """Combine the models of a cross-validation by their votes or their mean.

    Each of the K models is fitted on the rows outside its fold, and scored on the rows
    inside. So the score has a mean and a standard deviation at no further cost, the
    vote has less variance than one model, and members are fitted on as many rows as
    when their parameters were tuned [1]_. The scores are those of single members: the
    committee is usually a little better.

    Parameters
    ----------
    estimator : estimator, default=None
        The model: a classifier or a regressor, also a pipeline. None: a decision tree
        that classifies.
    cv : int, cross-validation generator or iterable, default=9
        How rows are divided into folds; a number is that of stratified folds for a
        classifier, of folds for a regressor, or fewer if no class has so many rows. An
        odd number leaves no ties in a vote of two classes.
    voting : {"majority", "mean"}, default="majority"
        Whether members of a committee of classifiers vote for one class each, or by
        their probabilities, if they have any. Ties go to the class that comes first.
        Numbers are averaged in either case.
    scoring : str or callable, default=None
        What the folds are scored by; by default the model's own ``score``.
    n_jobs : int, default=None
        Number of members that are fitted at a time, in threads.
    random_state : int, RandomState instance or None, default=None
        Seeds the members, each with another seed. None: members keep the
        ``random_state`` that the estimator has.

    Attributes
    ----------
    estimators_ : list of estimators
        The fitted models, in the order of the folds.
    fold_scores_ : ndarray of shape (n_folds,)
        Score of each model on the rows that it has not seen.
    score_mean_ : float
        Mean of ``fold_scores_``.
    score_std_ : float
        Their standard deviation.
    oof_predictions_ : ndarray of shape (n_samples,)
        Out-of-fold prediction of each training row: by the members that have not seen
        it, one member where folds do not overlap. NaN, or None among labels, for a row
        that all members have seen.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted; for a classifier only.
    n_features_in_ : int
        Number of columns of the training set, if the members know it.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if the members know them.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from manyminds.ensemble import CVCommittee
    >>> X, y = load_wine(return_X_y=True)
    >>> committee = CVCommittee(GaussianNB(), cv=5).fit(X, y)
    >>> len(committee.estimators_), round(committee.score_mean_, 2)
    (5, 0.97)
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "cv": ["cv_object"],
        "voting": [StrOptions({"majority", "mean"})],
        "scoring": [str, callable, None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        cv=9,
        *,
        voting="majority",
        scoring=None,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.cv = cv
        self.voting = voting
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None, groups=None):
        """Fit one member outside each fold, and score it inside.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows, as the estimator takes them; a dataframe stays one.
        y : array-like of shape (n_samples,)
            Their classes or targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights, for members that take them; of a pipeline, for all steps
            that do. Folds are scored without.
        groups : array-like of shape (n_samples,), default=None
            Groups of rows, for a ``cv`` that keeps them together.

        Returns
        -------
        self : CVCommittee
            The fitted committee.
        """
        self._validate_params()
        X, y, weight = self._read_training_set(X, y, sample_weight)
        model = self._get_model()
        scorer = check_scoring(model, scoring=self.scoring)
        cv = limit_folds(self.cv, y, is_classifier(model))
        cv = check_cv(2 if cv == 1 else cv, y, classifier=is_classifier(model))

        folds = list(cv.split(X, y, groups))
        members = self._make_members(model, len(folds))
        tasks = [
            (member, scorer, X, y, weight, *fold)
            for member, fold in zip(members, folds)
        ]
        fitted = list(run_on_members(_fit_and_score, tasks, self.n_jobs))
        self.estimators_ = [member for member, _, _ in fitted]
        self.fold_scores_ = np.array([score for _, score, _ in fitted])
        self.score_mean_ = float(self.fold_scores_.mean())
        self.score_std_ = float(self.fold_scores_.std())
        left_out = [test for _, test in folds]
        predicted = [inside for *_, inside in fitted]
        self.oof_predictions_ = self._join(y, left_out, predicted)
        return self

    def _read_training_set(self, X, y, sample_weight):
        """Check the arguments of ``fit`` as far as the members do not."""
        model = self._get_model()
        if y is None:
            raise ValueError(
                "This CVCommittee estimator requires y to be passed, but the target y "
                "is None."
            )
        X, y = indexable(self._read_table(X), np.asarray(y))
        if len(y) == 0:
            raise ValueError("X has no rows: 0 samples cannot be divided into folds.")
        if is_classifier(model):
            y = column_or_1d(y, warn=True)
            check_classification_targets(y)
            self.classes_ = np.unique(y)
        elif not get_tags(model).target_tags.multi_output:
            y = column_or_1d(y, warn=True)
        if sample_weight is not None:
            # Only the number of rows matters: X may be anything that has rows.
            sample_weight = check_sample_weight(sample_weight, np.empty((len(y), 1)))
            if not route_weight(model, sample_weight):
                raise ValueError(
                    "sample_weight was passed, but the fit of estimator="
                    f"{model!r} takes none."
                )
        return X, y, sample_weight

    def _get_model(self):
        return DecisionTreeClassifier() if self.estimator is None else self.estimator

    def _make_members(self, model, n_members):
        """Copy the model for each fold, seeded if need be."""
        if self.random_state is None:
            return [clone(model) for _ in range(n_members)]
        seeds = draw_member_seeds(self.random_state, n_members)
        return [make_member(model, seed) for seed in seeds]

    def _join(self, y, left_out, predicted):
        """Combine the out-of-fold predictions, in the order of all rows."""
        n_times = np.bincount(np.concatenate(left_out), minlength=len(y))
        if not _classifies(self):
            total = np.zeros(y.shape)
            for rows, inside in zip(left_out, predicted):
                total[rows] += np.asarray(inside).reshape(total[rows].shape)
            share = np.divide(
                1.0, n_times, where=n_times > 0, out=np.full(len(y), np.nan)
            )
            return (total.T * share).T
        votes = np.zeros((len(y), len(self.classes_)))
        for rows, inside in zip(left_out, predicted):
            votes[rows, np.searchsorted(self.classes_, inside)] += 1.0
        labels = self.classes_[votes.argmax(axis=1)]
        if (n_times == 0).any():
            labels = labels.astype(object)
            labels[n_times == 0] = None
        return labels

    def _read_table(self, X):
        """Leave the table as it is: the members check it."""
        return X if hasattr(X, "shape") else np.asarray(X)

    def predict(self, X):
        """Predict the class or the target of each row of X.

        {predict_array}
        y : ndarray of shape (n_samples,)
            The class with most votes, the first of equals; or the mean of what the
            members predict.
        """
        check_is_fitted(self)
        if _classifies(self):
            return self.classes_[self.predict_proba(X).argmax(axis=1)]
        predicted = self._predict_members(self._read_table(X))
        return predicted.sum(axis=0) / len(predicted)

    @available_if(_classifies)
    @fill_docstring(**ROWS)
    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_array}
        p : ndarray of shape (n_samples, n_classes)
            Shares of the votes; with ``voting="mean"`` the mean of the members'
            probabilities. Columns in the order of ``classes_``.
        """
        check_is_fitted(self)
        X = self._read_table(X)
        if self.voting == "mean":
            members = EstimatorMembers(
                self.estimators_, self.classes_, n_jobs=self.n_jobs
            )
            return members.mean(X)
        labels = np.searchsorted(self.classes_, self._predict_members(X))
        return share_votes(labels, len(self.classes_))

    def _predict_members(self, X):
        """Return the labels or targets of each member, also of several outputs."""
        members = ((member,) for member in self.estimators_)
        predicted = run_on_members(lambda one: one.predict(X), members, self.n_jobs)
        return np.array(list(predicted))

    def _decode(self, predictions):
        return predictions  # members know the labels

    def score(self, X, y, sample_weight=None):
        """Return the accuracy of the vote, or the R² of the mean, on other rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to predict.
        y : array-like of shape (n_samples,)
            Their classes or targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        score : float
        """
        measure = accuracy_score if _classifies(self) else r2_score
        return measure(y, self.predict(X), sample_weight=sample_weight)

    @property
    def n_features_in_(self):
        """Number of columns of the training set, if the members know it."""
        return self._read_first_member("n_features_in_")

    @property
    def feature_names_in_(self):
        """Names of the columns, if the members know them."""
        return self._read_first_member("feature_names_in_")

    def _read_first_member(self, name):
        if not hasattr(self, "estimators_"):
            raise AttributeError(f"{name} is available only after fit.")
        return getattr(self.estimators_[0], name)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        of_model = get_tags(self._get_model())
        tags.estimator_type = of_model.estimator_type
        tags.classifier_tags = of_model.classifier_tags
        tags.regressor_tags = of_model.regressor_tags
        tags.input_tags = of_model.input_tags
        tags.target_tags = of_model.target_tags
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_label = False
            tags.target_tags.multi_output = False
        return tags


def _fit_and_score(member, scorer, X, y, weight, train, test):
    """Fit a member outside its fold; return it, its score and predictions inside."""
    options = {} if weight is None else route_weight(member, weight[train])
    member.fit(take_rows(X, train), y[train], **options)
    inside = take_rows(X, test)
    return member, scorer(member, inside, y[test]), member.predict(inside)
