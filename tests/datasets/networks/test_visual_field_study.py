"""The made-up study has the published sizes and the promised structure."""

import numpy as np
import pytest

from manyminds.datasets import make_visual_field_study


def test_sizes_are_those_of_the_paper(seed):
    study = make_visual_field_study(random_state=seed)
    assert study.data.shape == (180, 12) and study.target.sum() == 78
    assert len(np.unique(study.subject)) == 180
    study = make_visual_field_study("longitudinal", random_state=seed)
    assert study.data.shape == (629, 12) and study.target.sum() == 474
    controls = np.unique(study.subject[study.target == 0])
    assert len(controls) == 19 and len(np.unique(study.subject)) == 62
    assert np.bincount(study.subject).min() >= 3
    assert (study.visit == 0).sum() == 62


def test_visits_of_one_subject_are_alike(seed):
    study = make_visual_field_study("longitudinal", random_state=seed)
    controls = study.target == 0
    retina = study.data.loc[controls, "retina_6"]
    within = retina.groupby(study.subject[controls]).std().mean()
    assert within < retina.std()


def test_label_noise_hits_patients_only(seed):
    study = make_visual_field_study(label_noise=0.3, random_state=seed)
    wrong = study.target != study.disease
    assert wrong.sum() == round(0.3 * 78)
    assert (study.disease[wrong] == 1).all()
    with pytest.raises(ValueError, match="kind must be one of"):
        make_visual_field_study("random")
