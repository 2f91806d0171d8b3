"""The competitors of Forests of Local Trees: tables, folds, votes and the plan."""

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import Dataset
from manyminds.datasets.bundled import load_dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments import Record, open_store
from manyminds.reproductions import get_reproduction
from manyminds.reproductions.forests_of_local_trees_baselines.plan import (
    AS_IN_THESIS,
    FOLDS_OF_2014,
    HONEST_IMPUTATION,
    NAME,
    WITH_RARE_CLASSES,
    WITHOUT_IDENTIFIERS,
)
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.protocols.tamponi_2015.competitors import (
    ENCODED_COLUMNS,
    NOT_AT_HAND,
    WITH_MISSING_NUMBERS,
)
from manyminds.reproductions.reproducing import reproduce

# Columns that the thesis's files have after its encoding.
THESIS_COLUMNS = {
    **{"anneal": 93, "anneal-orig": 70, "audiology": 94, "autos": 72},
    **{"balance-scale": 4, "breast-cancer": 49, "breast-w": 9, "colic": 61},
    **{"colic-orig": 472, "credit-a": 44, "credit-g": 61, "diabetes": 8, "glass": 9},
    **{"heart-c": 22, "heart-h": 24, "heart-statlog": 13, "hepatitis": 29},
    **{"hypothyroid": 32, "ionosphere": 33, "iris": 4, "kr-vs-kp": 40, "labor": 29},
    **{"letter": 16, "lymph": 38, "primary-tumor": 26, "rootstock": 4, "segment": 18},
    **{"sick": 32, "sonar": 60, "soybean": 99, "splice": 3465, "vehicle": 18},
    **{"vote": 32, "vowel": 27, "waveform": 40, "zoo": 116},
}


@pytest.mark.slow
def test_quick_run_on_bundled_sets(tmp_path):
    store = open_store(str(tmp_path / "records.sqlite"))
    parts = reproduce(get_reproduction(NAME), load_dataset, store, quick=True)
    store.close()
    first = parts[0]
    assert sorted(first.outcome.missing) == ["hepatitis", "labor", "vowel", "zoo"]
    assert not first.outcome.failed
    run = {c.dataset for c in first.verdicts.cells if c.verdict != "not run"}
    assert run == {"balance-scale", "iris"}
    for cell in first.verdicts.cells:
        # One repetition scatters by about a point; six would be five deviations.
        assert cell.difference is None or abs(cell.difference) < 6


def records_of(part, accuracy):
    """Return each place of a part a hundred folds of this accuracy."""
    plan = part.outline()
    return [
        Record(f"{part.name}{place}{i}", *place, i // 10, i % 10, {"accuracy": one})
        for place in [(s.name, m.name) for s in plan.datasets for m in plan.methods]
        for i, one in enumerate(accuracy(*place) + 0.02 * np.tile([-1.0, 1.0], 50))
    ]


def judge_changes(**gains):
    """Judge the claims where each change of the preparation adds so much."""
    parts = {
        "leak": HONEST_IMPUTATION,
        "folds": FOLDS_OF_2014,
        "names": WITHOUT_IDENTIFIERS,
    }
    records = {AS_IN_THESIS.name: records_of(AS_IN_THESIS, lambda *_: 0.8)}
    for name, part in parts.items():
        accuracy = 0.8 + gains.get(name, 0.0)
        records[part.name] = records_of(part, lambda *_, one=accuracy: one)
    claims = get_reproduction(NAME).claims(records)
    return {claim.text.split()[0]: claim for claim in claims}


def test_only_the_printed_experiment_is_counted():
    assert AS_IN_THESIS.apart == ""
    for part in (FOLDS_OF_2014, HONEST_IMPUTATION, WITHOUT_IDENTIFIERS):
        found = judge(part, records_of(part, lambda *_: 0.8))
        assert all(cell.apart for cell in found.cells)
        assert "not counted" in found.overall


def test_what_a_change_does_is_judged_by_our_own_parts():
    # Without the leak five points less, with old folds nothing, without names more.
    found = judge_changes(leak=-0.05, folds=0.0, names=0.03)
    assert found["Filling"].verdict == "holds"
    assert found["Filling"].effect == pytest.approx(5.0)
    assert found["Filling"].n == len(WITH_MISSING_NUMBERS)
    assert found["Folds"].verdict == "does not hold"
    assert found["Names"].verdict == "holds"
    assert found["Names"].effect == pytest.approx(3.0)


def test_claims_need_records():
    assert get_reproduction(NAME).claims(defaultdict(list)) == []


def load_all(part, folder):
    found, missing = {}, set()
    for source in part.make_plan(DataFolder(folder).load, False).datasets:
        try:
            found[source.name] = source.load()
        except LookupError:
            missing.add(source.name)
    return found, missing


def test_columns_are_those_of_the_thesis_where_the_files_are(shared_data):
    found, missing = load_all(AS_IN_THESIS, shared_data)
    assert missing == set(NOT_AT_HAND)
    differ = {
        name: (THESIS_COLUMNS[name], data.n_features)
        for name, data in found.items()
        if data.n_features != THESIS_COLUMNS[name]
    }
    assert differ == ENCODED_COLUMNS
    assert not any(data.n_missing for data in found.values())
    counts = {name: pd.Series(data.y).value_counts() for name, data in found.items()}
    rare = {name for name, count in counts.items() if count.min() < 10}
    assert rare == set(WITH_RARE_CLASSES)


def test_honest_part_has_the_sets_with_missing_numbers(shared_data):
    folder, gaps = DataFolder(shared_data), set()
    for name in {source.name for source in AS_IN_THESIS.outline().datasets}:
        numbers = (
            folder.load(name).X.select_dtypes("number") if name in folder else None
        )
        if numbers is not None and numbers.dropna(axis=1, how="all").isna().any(
            axis=None
        ):
            gaps.add(name)
    assert gaps | {"colic-orig"} == set(WITH_MISSING_NUMBERS)
    found, _ = load_all(HONEST_IMPUTATION, shared_data)
    assert all(data.n_missing for data in found.values())


def test_without_identifiers_only_questions_about_the_rows_are_left(shared_data):
    found, _ = load_all(WITHOUT_IDENTIFIERS, shared_data)
    columns = {name: data.n_features for name, data in found.items()}
    assert columns == {"splice": 287, "zoo": 16}


def test_identifiers_of_the_source_are_kept_or_dropped():
    # As other copies of zoo have it: with the animals' names.
    X = pd.DataFrame(
        {
            "animal": pd.Categorical(["ant", "bat", "cow", "ant"]),
            "legs": [6.0, 2.0, 4.0, 6.0],
        }
    )
    zoo = Dataset("zoo", X, np.array(list("abba"), dtype=object), "classification")

    def columns(part):
        sources = part.make_plan(lambda name: zoo, False).datasets
        return list(next(one for one in sources if one.name == "zoo").load().X)

    assert columns(AS_IN_THESIS) == ["animal=ant", "animal=bat", "animal=cow", "legs"]
    assert columns(WITHOUT_IDENTIFIERS) == ["legs"]


@pytest.mark.parametrize("part", [HONEST_IMPUTATION])
def test_honest_part_fills_from_training_rows(part):
    for method in part.outline().methods:
        imputer = method.estimator[0]
        filled = imputer.fit([[1.0], [3.0]]).transform([[np.nan]])
        assert filled.item() == 2.0
