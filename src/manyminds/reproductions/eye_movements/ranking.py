"""Ranking documents by the words that a reader's eyes found relevant."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_regressor
from sklearn.dummy import DummyRegressor
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.utils import Bunch

from manyminds.ensemble import RandomForestClassifier, RandomForestRegressor
from manyminds.experiments.measures import Fold
from manyminds.preprocessing import score_documents
from manyminds.reproductions.eye_movements.protocol import N_FOLDS, draw_study

SOFT, QUERY, EQUAL = "Soft votes", "Implicit query", "All viewed words alike"


def make_rankers() -> dict[str, Any]:
    """Return what scores viewed words: by votes, by a predicted weight, all alike."""
    return {
        SOFT: RandomForestClassifier(50, min_samples_leaf=10),
        QUERY: RandomForestRegressor(50, min_samples_leaf=10, max_features=1 / 3),
        EQUAL: DummyRegressor(strategy="constant", constant=1.0),
    }


@dataclass(frozen=True)
class RankingScores:
    """Area under the ROC curve of unseen documents, ranked after each search.

    Words are scored by a model of other readers' words: a classifier by the share of
    its votes for relevance, a regressor by the weight that it predicts for the word in
    the query of the search topic. The documents are those about a topic of which the
    search has shown a document, without the shown ones; those of the search topic
    should come first.
    """

    def __call__(self, estimator: Any, fold: Fold) -> dict[str, float]:
        """Rank after each search of each reader; return the mean area."""
        kind, _, number = fold.data.name.partition(" ")
        study = draw_study(kind, int(number))
        return {"auc": float(np.mean(rank_after_searches(estimator, study)))}


def rank_after_searches(estimator: Any, study: Bunch) -> list[float]:
    """Return the area under the curve of each search, by models of other readers.

    Parameters
    ----------
    estimator : classifier or regressor
    study : Bunch
        See `draw_study`.

    Returns
    -------
    areas : list of float
    """
    reader = study.sessions["reader"].to_numpy()[study.session]
    scores = np.empty(len(reader))
    for train, test in GroupKFold(N_FOLDS).split(scores, groups=reader):
        scores[test] = score_words(estimator, study, train, test)
    searches = study.sessions.groupby(["reader", "search_topic"]).groups
    areas = []
    for (_, wanted), sessions in searches.items():
        mine = np.isin(study.session, sessions)
        found = score_documents(study.counts, study.terms[mine], scores[mine])
        shown = study.sessions["document"].to_numpy()[sessions]
        topics = np.unique(study.document_topics[shown])
        about = np.flatnonzero(np.isin(study.document_topics, topics))
        unseen = np.setdiff1d(about, shown)
        is_wanted = study.document_topics[unseen] == wanted
        areas.append(float(roc_auc_score(is_wanted, found[unseen])))
    return areas


def score_words(
    estimator: Any, study: Bunch, train: np.ndarray, test: np.ndarray
) -> np.ndarray:
    """Return the scores of viewed words by a model of other viewed words."""
    X = study.features.to_numpy()
    if is_regressor(estimator):
        topic = study.sessions["search_topic"].to_numpy()[study.session]
        weight = study.queries[topic, study.terms]
        return clone(estimator).fit(X[train], weight[train]).predict(X[test])
    train = train[study.labels[train] >= 0]
    model = clone(estimator).fit(X[train], study.labels[train])
    return model.predict_proba(X[test])[:, 1]
