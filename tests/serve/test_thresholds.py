import numpy as np

from manyminds.serve.measures import LabelPredictions, Predictions
from manyminds.serve.thresholds import N_STEPS, count_by_threshold, decide


def make(share, has):
    share = np.asarray(share)
    target = np.where(has, "yes", "no").astype(object)
    shares = np.column_stack([1 - share, share])
    return Predictions(np.arange(len(share)), target, target, ("no", "yes"), shares)


def test_counts_by_hand():
    table = count_by_threshold(
        make([0.1, 0.3, 0.3, 0.9], [False, True, False, True]), "yes"
    )
    place = round(0.3 * N_STEPS)
    assert (table.true_positives[place], table.false_positives[place]) == (2, 1)
    assert (table.true_positives[place + 1], table.false_positives[place + 1]) == (1, 0)
    assert table.true_positives[0] == 2 and table.false_positives[0] == 2
    found = decide(table, place + 1, false_positive=1.0, false_negative=10.0)
    assert (found.false_negatives, found.true_negatives, found.cost) == (1, 2, 10.0)


def test_probabilities_of_labels_need_not_add_up():
    has = np.array([[True, False], [True, True]])
    found = LabelPredictions(("a", "b"), has, np.array([[0.9, 0.8], [0.4, 0.7]]))
    table = count_by_threshold(found, "a")
    place = round(0.5 * N_STEPS)
    assert (table.n_with, table.n_without) == (2, 0)
    assert (table.true_positives[place], table.false_positives[place]) == (1, 0)


def test_counts_agree_with_a_loop(seed):
    rng = np.random.default_rng(seed)
    share, has = rng.uniform(size=300), rng.uniform(size=300) < 0.3
    table = count_by_threshold(make(share, has), "yes")
    for place in range(0, N_STEPS + 1, 7):
        chosen = share >= place / N_STEPS - 1e-12
        assert table.true_positives[place] == (chosen & has).sum()
        assert table.false_positives[place] == (chosen & ~has).sum()
