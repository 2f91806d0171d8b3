"""
From eye movements to ranked documents
======================================

Readers search for a topic and view documents. A forest learns from the eye movements of
other readers which viewed words are relevant to a search; these words then rank unseen
documents. The sessions are made up, see `manyminds.datasets.make_reading_sessions`.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import GroupKFold

from manyminds import preprocessing
from manyminds.datasets import make_reading_sessions
from manyminds.ensemble import RandomForestClassifier
from manyminds.feature_selection import TopicWordSelector

study = make_reading_sessions(random_state=1)
words, fixations = study.words, study.fixations
features = preprocessing.extract_fixation_features(fixations, words)
session, word = (features.index.get_level_values(k) for k in (0, 1))
seen, term = study.sessions.loc[session], words.term[word].to_numpy()
# %%
# The best 15 words of each topic are examples: those of the search topic in documents
# marked as relevant, and those of other topics in documents that were not.
best = TopicWordSelector(15).fit(study.counts, study.document_topics).topic_words_
y = preprocessing.label_viewed_words(term, seen.search_topic, seen.marked, best)
X, vote = features.to_numpy(), np.empty(len(y))
forest = RandomForestClassifier(min_samples_leaf=10, random_state=0)
for train, test in GroupKFold(3).split(X, groups=seen.reader):
    train = train[y[train] >= 0]
    vote[test] = forest.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
right = np.mean((vote > 0.5)[y >= 0] == y[y >= 0])
print(f"right {right:.3f}, majority class {np.mean(y[y >= 0] == 0):.3f}")
# %%
# A page as its reader saw it, and unseen documents of the topics that the search had.
# Half of these pages are about the search topic; the guide shows what the eyes add.
shown = int(np.flatnonzero(study.sessions.marked)[4])
reader, wanted, document, _ = study.sessions.loc[shown]
mine = ((seen.search_topic == wanted) & (seen.reader == reader)).to_numpy()
score = preprocessing.score_documents(study.counts, term[mine], vote[mine])
topics = np.unique(study.document_topics[seen.document[mine]])
score[~np.isin(study.document_topics, topics)] = 0.0
score[seen.document[mine]] = 0.0
order, on_page = np.argsort(-score)[:20], session == shown
fig, (page, bars) = plt.subplots(1, 2, figsize=(12, 4), width_ratios=[5, 2])
votes = dict(zip(word[on_page], vote[on_page]))
for row in words[words.document == document].itertuples():
    color = plt.cm.viridis_r(votes[row.Index]) if row.Index in votes else "silver"
    page.text(row.left, row.bottom - 8, study.vocabulary[row.term], color=color, size=8)
path = fixations[fixations.session == shown]
page.plot(path.x, path.y, "o-", color="tab:red", linewidth=0.6, alpha=0.25)
page.set(xlim=(-5, 680), ylim=(row.bottom + 5, -5), xticks=[], yticks=[])
page.set_title(f"Search for {study.topic_names[wanted]}: dark words have more votes")
is_wanted = study.document_topics[order] == wanted
bars.bar(range(1, 21), score[order], color=np.where(is_wanted, "tab:blue", "silver"))
bars.set(title="Unseen; blue: of the topic", xlabel="rank", ylabel="score")
plt.show()
