"""The summary says what the single measures say."""

from dataclasses import asdict

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis import diversity


@pytest.mark.parametrize("n_classes", [2, 4])
def test_same_as_single_measures(draw_votes, n_classes):
    y, predictions = draw_votes(6, n_classes=n_classes)
    names = np.array(["d", "a", "c", "b"])
    both = names[y], names[predictions]
    expected = {
        "mean_error": np.mean(predictions != y),
        "q_statistic": diversity.q_statistic(*both),
        "correlation": diversity.error_correlation(*both),
        "kappa": diversity.kappa(*both),
        "disagreement": diversity.disagreement(*both),
        "double_fault": diversity.double_fault(*both),
        "coincident_errors": diversity.coincident_errors(*both),
        "kohavi_wolpert_variance": diversity.kohavi_wolpert_variance(*both),
        "interrater_agreement": diversity.interrater_agreement(*both),
        "entropy": diversity.entropy_measure(*both),
        "vote_entropy": diversity.vote_entropy(both[1]).mean(),
        "difficulty": diversity.difficulty(*both),
        "generalized_diversity": diversity.generalized_diversity(*both),
        "coincident_failure": diversity.coincident_failure_diversity(*both),
        "ensemble_coincident_errors": diversity.ensemble_coincident_errors(*both),
        "ambiguity": diversity.member_ambiguity(both[1]).mean(),
        "strength": diversity.vote_margins(*both).mean(),
    }
    found = diversity.measure_diversity(*both)
    assert asdict(found) == pytest.approx(expected, nan_ok=True)

    table = found.to_frame()
    assert table.index.tolist() == list(expected)
    assert_allclose(table["value"], list(expected.values()))
    known = table.dropna(subset="value")
    assert (known["lowest"] <= known["value"]).all()
    assert (known["value"] <= known["highest"]).all()


def test_pairs_without_a_measure_may_count_as_zero():
    y, predictions = [1, 1, 1], [[1, 1, 1], [1, 1, 1], [1, 1, 0]]
    assert np.isnan(diversity.measure_diversity(y, predictions).q_statistic)
    found = diversity.measure_diversity(y, predictions, undefined="zero")
    assert found.q_statistic == 0.0


def test_every_public_name_is_there():
    for name in diversity.__all__:
        assert getattr(diversity, name).__doc__


def test_measures_of_failures_are_undefined_without_any():
    found = diversity.measure_diversity([0, 1, 1], [[0, 1, 1], [0, 1, 1], [0, 1, 1]])
    assert np.isnan(found.generalized_diversity)
    assert np.isnan(found.coincident_failure)
    assert np.isnan(found.ensemble_coincident_errors)
