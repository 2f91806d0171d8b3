"""The plan on eye movements: outlines and folds."""

from manyminds.experiments.splits import WholeData
from manyminds.reproductions.eye_movements.plan import N_STUDIES, REPRODUCTION, TRIALS
from manyminds.reproductions.eye_movements.protocol import READER, make_ensembles


def test_number_of_folds_is_that_of_the_description():
    n_folds = sum(len(part.outline()) for part in REPRODUCTION.parts)
    assert n_folds == REPRODUCTION.n_folds
    assert len(TRIALS.outline()) == N_STUDIES * len(make_ensembles()) * 3


def test_trials_use_all_words_of_a_study():
    trial = next(TRIALS.outline().splits.split([0] * 3700, stratified=True))
    assert len(trial.train) == 3330 and len(trial.test) == 370


def test_quick_plans_have_one_study_of_each_kind():
    for part in REPRODUCTION.parts:
        plan = part.outline(quick=True)
        assert len(plan.datasets) == len({one.name.split()[0] for one in plan.datasets})
        assert len(plan.splits) == 1


def test_only_folds_of_readers_know_the_reader():
    for part in REPRODUCTION.parts:
        data = part.outline().datasets[0].load()
        assert (READER in data.X) == ("unseen readers" in part.name)
        if READER in data.X:
            assert isinstance(part.outline().splits, WholeData)
