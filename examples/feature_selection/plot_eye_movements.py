"""
From eye movements to ranked documents
======================================

Readers search for a topic and view documents. From how the eyes of *other* readers
moved over words, a forest learns which words are relevant to a search. The words that
one reader viewed, weighted by its votes, then rank documents that the search has not
shown. The sessions are made up: see `manyminds.datasets.make_reading_sessions`.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import GroupKFold

from manyminds.datasets import make_reading_sessions
from manyminds.ensemble import RandomForestClassifier
from manyminds.feature_selection import TopicWordSelector
from manyminds.preprocessing import (
    extract_fixation_features,
    label_viewed_words,
    score_documents,
)

study = make_reading_sessions(random_state=1)
features = extract_fixation_features(study.fixations, study.words)
session, word = (features.index.get_level_values(k) for k in ("session", "word"))
seen, term = study.sessions.loc[session], study.words.term[word].to_numpy()

# %%
# The best 15 words of each topic are examples: those of the search topic in documents
# marked as relevant, and those of other topics in documents that were not.
best = TopicWordSelector(15).fit(study.counts, study.document_topics).topic_words_
y = label_viewed_words(term, seen.search_topic, seen.marked, best)
X, vote, forest = (
    features.to_numpy(),
    np.empty(len(y)),
    RandomForestClassifier(min_samples_leaf=10, random_state=0),
)
for train, test in GroupKFold(3).split(X, groups=seen.reader):
    train = train[y[train] >= 0]
    vote[test] = forest.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
right = np.mean((vote > 0.5)[y >= 0] == y[y >= 0])
print(f"right {right:.3f}, majority class {np.mean(y[y >= 0] == 0):.3f}")

# %%
# One page of a search as its reader saw it, and the documents after the whole search.
shown = int(np.flatnonzero(study.sessions.marked)[4])
wanted, who = study.sessions.search_topic[shown], study.sessions.reader[shown]
mine = ((seen.search_topic == wanted) & (seen.reader == who)).to_numpy()
score = score_documents(study.counts, term[mine], vote[mine])
score[np.unique(seen.document[mine])] = -np.inf  # shown already
order = np.argsort(-score)[:30]
fig, (page, bars) = plt.subplots(
    1, 2, figsize=(11, 4.6), width_ratios=[2, 1], layout="constrained"
)
votes = dict(zip(word[session == shown], vote[session == shown]))
for row in study.words[
    study.words.document == study.sessions.document[shown]
].itertuples():
    color = plt.cm.cividis_r(votes[row.Index]) if row.Index in votes else "lightgray"
    name = study.vocabulary[row.term]
    page.text(row.left, row.bottom - 8, name, color=color, size=9, weight="bold")
path = study.fixations[study.fixations.session == shown]
page.plot(path.x, path.y, color="tab:red", linewidth=0.6, alpha=0.6)
page.scatter(path.x, path.y, s=path.duration / 8, color="tab:red", alpha=0.25)
page.set(xlim=(-5, 680), ylim=(study.words.bottom.max(), -10), xticks=[], yticks=[])
page.set_title(f"Searching for {study.topic_names[wanted]}: votes for viewed words")
colors = np.where(study.document_topics[order] == wanted, "tab:blue", "lightgray")
bars.bar(np.arange(1, 31), score[order], color=colors)
bars.set(xlabel="rank of unseen document", ylabel="score")
bars.set_title("Blue: about the search topic")
plt.show()
