"""Structure from controls: the acceptance list's item 7."""

import numpy as np
import pytest

from manyminds.networks import AnnealingSearch, SemiSupervisedNetworkClassifier


def draw_doubtful(seed, n_controls=150, n_patients=150):
    """Draw a chain of six columns; disease moves three, and 30 % are mislabeled."""
    rng = np.random.default_rng(seed)
    n = n_controls + n_patients
    disease = np.repeat([0, 1], [n_controls, n_patients])
    X = rng.normal(size=(n, 6))
    for v in range(1, 6):
        X[:, v] += 0.9 * X[:, v - 1]
    severity = disease * rng.uniform(0.2, 1.5, size=n)
    X -= 2.5 * np.outer(severity, [1, 0, 1, 0, 0, 1])
    label = disease.copy()
    patients = np.flatnonzero(disease)
    label[rng.permutation(patients)[: round(0.3 * n_patients)]] = 0
    return X, label, disease


def count_differences(arcs):
    """Edges missing and extra, against the chain (a distance between skeletons)."""
    chain = {frozenset((v, v + 1)) for v in range(5)}
    return len(chain ^ {frozenset(arc) for arc in arcs})


def test_item_7_structure_of_controls_is_closer_to_the_truth(seed):
    # The label is 30 % wrong for patients but clean for controls: the known controls
    # are a class of their own. Pooled rows have edges between all that disease moves.
    search = AnnealingSearch(n_resamples=10, n_operations=1000, random_state=0)
    of_controls = of_all = 0
    for k in range(3):
        X, label, disease = draw_doubtful([seed, k])
        trusted = np.where(disease == 0, 0, np.where(label == 1, 1, 2))
        one = SemiSupervisedNetworkClassifier(search).fit(X, trusted)
        all_rows = SemiSupervisedNetworkClassifier(search, structure_rows="all")
        of_controls += count_differences(one.arcs_)
        of_all += count_differences(all_rows.fit(X, label).arcs_)
    assert of_controls < of_all


def test_controls_are_a_class(seed):
    X, label, _ = draw_doubtful(seed)
    names = np.where(label == 1, "ill", "well")
    search = AnnealingSearch(n_resamples=3, n_operations=200, random_state=0)
    model = SemiSupervisedNetworkClassifier(search, control_class="well").fit(X, names)
    controls = search.fit(X[label == 0]).arcs_
    assert sorted(model.arcs_) == sorted(controls)
    with pytest.raises(ValueError, match="control_class must be one of"):
        SemiSupervisedNetworkClassifier(search, control_class="?").fit(X, names)
