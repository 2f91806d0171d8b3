"""The protocol: subject-wise folds, arcs of the first study, counted errors."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from manyminds.datasets import make_visual_field_study
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.reproductions.combined_networks.protocol import (
    StudyScores,
    count_errors,
    load_study,
    make_methods,
)


def test_studies_are_those_of_the_generator():
    data = load_study("longitudinal", 3)
    study = make_visual_field_study("longitudinal", random_state=3)
    assert data.X.shape == (629, 13)
    assert (np.asarray(data.y).astype(int) == study.target).all()
    null = load_study("null", 3)
    labels = np.asarray(null.y).astype(int)
    shuffled = labels != study.target
    assert shuffled.any()
    # Still one label for each subject, of as many subjects.
    first = np.unique(study.subject, return_index=True)[1]
    assert (labels == labels[first][study.subject]).all()
    assert labels[first].sum() == 43


def test_errors_at_90_percent_specificity_worked_by_hand():
    # Ten controls allow one false positive.
    y = np.repeat([0, 1], [10, 5])
    p = np.concatenate([np.linspace(0.0, 0.45, 9), [0.95], [0.9, 0.8, 0.3, 0.2, 0.1]])
    assert count_errors(y, p) == (4.0, 4.0)


@pytest.mark.slow
def test_a_strong_classifier_scores_well_on_the_easy_study():
    data = load_study("cross_sectional", 0)
    fold = Fold(data, Split(0, 0, np.arange(180), np.arange(0)), 0)
    values = StudyScores()(GaussianNB(), fold)
    assert values["auroc"] > 0.9
    assert values["errors"] <= values["errors_at_90"]
    assert len(make_methods()) == 6
