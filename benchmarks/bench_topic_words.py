"""Time topic words on a large corpus, and fixation features on many sessions.

python benchmarks/bench_topic_words.py [part of a name]

Each stump of scikit-learn finds the gain of one word for one topic; it is timed on 200
words of one topic, and its time for all of them is extrapolated.
"""

import time

import numpy as np
from scipy.sparse import random_array
from sklearn.tree import DecisionTreeClassifier

from manyminds.datasets import make_reading_sessions
from manyminds.feature_selection import TopicWordSelector
from manyminds.preprocessing import extract_fixation_features
from timing import run_all

N_STUMPS = 200


def corpus(n_documents=10_000, n_words=30_000, n_topics=20, seed=0):
    """1.5 million counts of random words, 150 words to a document."""
    rng = np.random.default_rng(seed)
    counts = random_array(
        (n_documents, n_words),
        density=0.005,
        format="csr",
        rng=rng,
        data_sampler=lambda size: 1.0 + rng.poisson(0.5, size=size),
    )
    return counts, rng.integers(n_topics, size=n_documents)


def bench_topic_words(benchmark):
    benchmark(TopicWordSelector().fit, *corpus())


def bench_topic_words_against_stumps(benchmark):
    X, y = corpus()
    start = time.perf_counter()
    gains = TopicWordSelector(idf=False).fit(X, y).gains_
    ours = time.perf_counter() - start
    columns, largest = X[:, :N_STUMPS].tocsc(), 0.0
    start = time.perf_counter()
    for j in range(N_STUMPS):
        stump = DecisionTreeClassifier(max_depth=1, criterion="entropy")
        tree = stump.fit(columns[:, [j]], y == 0).tree_
        found = tree.impurity[0] - tree.impurity[1:] @ tree.n_node_samples[1:] / len(y)
        largest = max(largest, abs(found - gains[0, j]) if tree.node_count > 1 else 0.0)
    theirs = (time.perf_counter() - start) * gains.size / N_STUMPS
    print(f"\n  ours {ours:.2f} s, stumps {theirs:.0f} s, largest gap {largest:.1e}")


def bench_fixation_features(benchmark):
    study = make_reading_sessions(100, random_state=0)
    benchmark(extract_fixation_features, study.fixations, study.words)


if __name__ == "__main__":
    run_all(dict(globals()))
