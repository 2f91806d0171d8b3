"""Made-up studies of the chapter on eye movements, its ensembles and its measures."""

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GroupKFold
from sklearn.utils import Bunch

from manyminds.datasets import Dataset, make_reading_sessions
from manyminds.ensemble import (
    DivBoostClassifier,
    RandomRotationClassifier,
    ResampledAdaBoostClassifier,
    RFLocalClassifier,
)
from manyminds.ensemble.boosting.diversity_curves import q_path
from manyminds.experiments.measures import Fold
from manyminds.feature_selection import LocalRelevance, TopicWordSelector
from manyminds.preprocessing import (
    extract_fixation_features,
    label_viewed_words,
    learn_topic_queries,
)
from manyminds.reproductions.protocols.rogers_2007 import ThesisForest
from manyminds.trees import MDLTreeClassifier

READER = "reader"
STUDY, NULL = "study", "null"  # eyes react to words that are recognized, or do not
FOREST, LOCAL, ADABOOST, BAGGING = "RF", "Local RF", "AdaBoost", "Bagging"
DIVBOOST, DIVBOOST_W2 = "DIVBOOST W1", "DIVBOOST W2"
ROTATION, PCA, SCALED = "Random Rotation", "PCA Rotation", "Random Rotation, scaled"
N_FOLDS = 3  # of readers
N_EARLY = 10  # members of which the first Q is measured


@lru_cache(maxsize=4)
def draw_study(kind: str, number: int) -> Bunch:
    """Draw a study, and add its viewed words and the words of its topics.

    Parameters
    ----------
    kind : {"study", "null"}
    number : int
        Seed.

    Returns
    -------
    study : Bunch
        See `make_reading_sessions`; ``features``, ``terms``, ``session`` and
        ``labels`` of viewed words, -1 for those that are no example; and the
        ``queries`` of the topics.
    """
    signal = 1.0 if kind == STUDY else 0.0
    study = make_reading_sessions(signal=signal, random_state=number)
    features = extract_fixation_features(study.fixations, study.words)
    selector = TopicWordSelector().fit(study.counts, study.document_topics)
    session = features.index.get_level_values("session").to_numpy()
    word = features.index.get_level_values("word").to_numpy()
    study.terms, study.session = study.words["term"].to_numpy()[word], session
    study.features = features.reset_index(drop=True)
    study.labels = label_viewed_words(
        study.terms,
        study.sessions["search_topic"].to_numpy()[session],
        study.sessions["marked"].to_numpy()[session],
        selector.topic_words_,
    )
    study.queries = learn_topic_queries(study.counts, study.document_topics)
    return study


def load_examples(kind: str, number: int, with_reader: bool = False) -> Dataset:
    """Return the examples of a study: viewed words, relevant to the search or not.

    Parameters
    ----------
    kind, number
        See `draw_study`.
    with_reader : bool, default=False
        Whether the reader is a column, which `ReaderMeasures` takes away.

    Returns
    -------
    data : Dataset
    """
    study = draw_study(kind, number)
    chosen = np.flatnonzero(study.labels >= 0)
    X = study.features.iloc[chosen].reset_index(drop=True)
    if with_reader:
        reader = study.sessions["reader"].to_numpy()[study.session[chosen]]
        X = X.assign(**{READER: reader.astype(np.float64)})
    return Dataset(f"{kind} {number}", X, study.labels[chosen], "classification")


def make_ensembles(n_estimators: int = 100) -> dict[str, Any]:
    """Return the ensembles of the thesis; of DIVBOOST both, as it names none."""
    tree = MDLTreeClassifier(max_bins=1000)
    rotate = partial(RandomRotationClassifier, tree, n_estimators)
    forest = ThesisForest(n_estimators)
    return {
        FOREST: forest,
        LOCAL: RFLocalClassifier(n_estimators, estimator=forest, redraw_constant=False),
        ADABOOST: ResampledAdaBoostClassifier(tree, n_estimators),
        DIVBOOST: DivBoostClassifier(tree, n_estimators),
        DIVBOOST_W2: DivBoostClassifier(tree, n_estimators, weighting="w2"),
        BAGGING: rotate(rotation=None, scale=None),
        ROTATION: rotate(scale=None),
        SCALED: rotate(),
        PCA: rotate(rotation="pca", scale=None),
    }


@dataclass(frozen=True)
class TrialMeasures:
    """Error of the ensemble and of the majority class, error and Q of the members.

    ``q_early`` is the mean Q of the first ten members.
    """

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the ensemble; predict the test samples with it and with each member."""
        X, y = np.asarray(fold.X_train), np.asarray(fold.y_train)
        return measure_trial(
            estimator, X, y, np.asarray(fold.X_test), np.asarray(fold.y_test)
        )


def measure_trial(
    estimator: Any, X: np.ndarray, y: np.ndarray, X_test: np.ndarray, truth: np.ndarray
) -> dict[str, float]:
    """Fit an ensemble and return its measures on test samples."""
    estimator.fit(X, y)
    correct = estimator.predict_all(X_test) == truth
    q = np.nan_to_num(q_path(correct))
    majority = np.bincount(y).argmax()
    return {
        "error": float(np.mean(estimator.predict(X_test) != truth)),
        "base_error": float(1.0 - correct.mean()),
        "q": float(q[-1]),
        "q_early": float(q[min(N_EARLY, len(q)) - 1]),
        "majority_error": float(np.mean(majority != truth)),
    }


@dataclass(frozen=True)
class ReaderMeasures:
    """The same measures on readers that the ensemble has not seen, in three folds.

    They are means over the folds, weighted by their numbers of words.
    """

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit without the readers of each fold and predict their words."""
        table, y = fold.X_train, np.asarray(fold.y_train)
        reader, X = table[READER], table.drop(columns=READER).to_numpy()
        rows, sizes = [], []
        for train, test in GroupKFold(N_FOLDS).split(X, y, reader):
            model = clone(estimator)
            rows.append(measure_trial(model, X[train], y[train], X[test], y[test]))
            sizes.append(len(test))
        return {
            name: float(np.average([row[name] for row in rows], weights=sizes))
            for name in rows[0]
        }


@dataclass(frozen=True)
class RelevanceMeasures:
    """The relevance of each feature, summed over all samples, as a share of all."""

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Fit the forest and return the shares by the names of features."""
        scores = estimator.fit(fold.X_train, fold.y_train).scores_
        shares = scores / scores.sum()
        return dict(zip(fold.X_train.columns, shares.tolist()))


def make_relevance() -> dict[str, Any]:
    """Return the forest whose local gains are summed."""
    return {"Local relevance": LocalRelevance(estimator=ThesisForest(100))}
