"""The competitors of Forests of Local Trees: tables, folds, votes and the plan."""

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold

from manyminds.datasets import Dataset
from manyminds.datasets.bundled import load_dataset
from manyminds.datasets.folder import DataFolder
from manyminds.ensemble import RandomForestClassifier
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
from manyminds.reproductions.forests_of_local_trees_baselines.protocol import (
    FoldsOf2014,
)
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.protocols.tamponi_2015.competitors import (
    ENCODED_COLUMNS,
    NOT_AT_HAND,
    WITH_MISSING_NUMBERS,
)
from manyminds.reproductions.protocols.tamponi_2015.preparation import (
    HardVote,
    add_identifier,
    encode,
    fill_by_class,
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


def table():
    X = pd.DataFrame(
        {
            "size": [1.0, np.nan, 3.0, np.nan],
            "flat": [7.0, 7.0, 7.0, 7.0],
            "rare": [0.0, np.nan, 0.0, np.nan],
            "empty": [np.nan] * 4,
            "two": pd.Categorical(["n", "y", "y", "n"]),
            "gap": pd.Categorical(["n", "y", None, "n"]),
            "hue": pd.Categorical(list("rgbr"), categories=list("bgrx")),
            "same": pd.Categorical(["k"] * 4),
        }
    )
    y = np.array(["a", "a", "b", "c"], dtype=object)
    return Dataset("toy", X, y, "classification")


def test_worked_example_of_the_encoding():
    X = encode(table()).X
    assert list(X) == [
        *("size", "rare", "two=y", "gap=n", "gap=y"),
        *("hue=b", "hue=g", "hue=r", "hue=x"),
    ]
    assert_array_equal(X["two=y"], [0, 1, 1, 0])
    assert_array_equal(X.loc[2, ["gap=n", "gap=y"]], [0, 0])  # a gap is no value
    assert_array_equal(X["hue=x"], [0, 0, 0, 0])  # declared, though it never occurs
    assert_array_equal(X["size"].isna(), [False, True, False, True])


def test_worked_example_of_the_leak():
    # The gap of row 1 takes the mean of class a, that of row 3 finds no value of c.
    X = fill_by_class(encode(table())).X
    assert_array_equal(X["size"], [1, 1, 3, 0])
    assert not X.isna().any(axis=None)


def test_stand_in_for_names_is_a_column_for_each_row():
    named = add_identifier(fill_by_class(encode(table())))
    assert named.X.shape == (4, 9 + 4)
    assert_array_equal(named.X[:, [9, 10, 11, 12]].toarray(), np.eye(4))


def test_hard_vote_counts_trees(seed):
    X, y = load_iris(return_X_y=True)
    y = np.array(["x", "y", "z"])[y]
    forest = RandomForestClassifier(4, max_depth=1, random_state=seed % 1000)
    vote = HardVote(forest).fit(X, y)
    for predicted, votes in zip(vote.predict(X), vote.forest_.predict_all(X).T):
        # max() takes the first of equals, and the labels are sorted.
        assert predicted == max("xyz", key=list(votes).count)
    assert not hasattr(forest, "trees_")


def test_folds_of_2014_pile_rare_classes_into_the_first():
    # Rows in order: a of 5, b of 2, three folds: blocks 2, 2, 1 and rows 0, 1.
    splits = FoldsOf2014(3, 1).split(np.array(list("aaaaabb")), stratified=True)
    assert [len(split.test) for split in splits] == [3, 3, 1]


def test_folds_of_2014_are_those_of_today_without_rare_classes(seed):
    # With as many rows of each class as divide evenly, both deal out the same blocks.
    y = np.random.default_rng(seed).permutation(np.repeat([0, 1, 2], 20))
    for split in FoldsOf2014(10, 2).split(y, stratified=True):
        order = np.random.RandomState(split.repeat).permutation(60)
        _, test = list(StratifiedKFold(10).split(y[order], y[order]))[split.fold]
        assert_array_equal(np.sort(split.test), np.sort(order[test]))
        assert_array_equal(np.sort(np.r_[split.train, split.test]), np.arange(60))


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
