"""The challenge's selections: chains, loading, measures."""

import numpy as np

from manyminds.datasets.folder import DataFolder
from manyminds.experiments.measures import Fold
from manyminds.experiments.record import Record
from manyminds.experiments.splits import Split
from manyminds.reproductions.challenge_selections.judging import (
    LEADS,
)
from manyminds.reproductions.challenge_selections.plan import (
    REPRODUCTION,
)
from manyminds.reproductions.challenge_selections.protocol import (
    ChallengeMeasures,
)
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.protocols.challenge_2003 import (
    UNION,
    load_short,
    make_models,
)

PARTS = {part.name.split(": ")[1]: part for part in REPRODUCTION.parts}


def make_record(part, method, value, repeat, fold):
    dataset, _ = next(iter(part.table.cells))
    key = f"{method} {repeat} {fold}"
    return Record(key, dataset, method, repeat, fold, {"error": value})


def test_every_printed_number_has_a_chain():
    for part in REPRODUCTION.parts:
        plan = part.outline()
        methods = {method.name for method in plan.methods}
        (source,) = plan.datasets
        assert part.table.cells
        for dataset, method in part.table.cells:
            assert dataset == source.name and method in methods
        assert len(part.outline(quick=True)) < len(plan)


def test_the_paper_s_rows_of_its_summary():
    printed = {
        place: value.mean
        for part in REPRODUCTION.parts
        if part.reference == "paper"
        for place, value in part.table.cells.items()
    }
    assert printed["arcene", "SSV 7000, linear SVM"] == 7.8
    assert printed["dexter", "CC 8000, linear SVM"] == 4.8
    assert printed["gisette-valid", "CC 700, RBF SVM"] == 1.5
    assert PARTS["dorothea"].table.metric == "balanced_error"


def test_three_repetitions_excuse_nothing():
    # Old rule: three standard errors of three repetitions.
    part = PARTS["arcene"]
    (method,) = (method for _, method in part.table.cells)
    records = [
        make_record(part, method, 0.12 + 0.03 * repeat, repeat, fold)
        for repeat in range(3)
        for fold in range(9)
    ]
    (cell,) = judge(part, records).cells
    assert cell.verdict == "undecided" and cell.margin is None


def test_a_committee_that_was_fitted_to_the_print_is_not_counted():
    (cell,) = judge(PARTS["madelon"], []).cells
    assert "chosen so" in cell.apart
    assert [name for name, part in PARTS.items() if part.apart] == ["madelon"]


def test_a_check_is_not_called_the_paper():
    for name, part in PARTS.items():
        assert ("not the paper" in part.rule) == ("check" in name)


def test_sets_have_the_shapes_of_the_challenge(shared_data):
    find = DataFolder(shared_data).load
    assert load_short(find, "madelon").X.shape == (2600, 500)
    assert load_short(find, "dexter").X.shape == (600, 20_000)
    assert load_short(find, "dorothea").X.shape == (1150, 100_000)


def test_union_beats_single_selectors_on_madelon(shared_data):  # acceptance 8
    data = load_short(DataFolder(shared_data).load, "madelon")
    models = make_models("madelon")
    rows = np.random.default_rng(0).permutation(2600)
    fold = Fold(data, Split(0, 0, rows[:2300], rows[2300:]), 0)
    names = (UNION, *LEADS["madelon"][1])
    found = {
        name: ChallengeMeasures()(_with_seed(models[name]), fold) for name in names
    }
    assert 12 <= found[UNION]["n_features"] <= 20
    assert found[UNION]["error"] < 0.16
    for rival in names[1:]:
        assert found[UNION]["error"] < found[rival]["error"]


def _with_seed(model):
    seeded = [name for name in model.get_params() if name.endswith("random_state")]
    return model.set_params(**dict.fromkeys(seeded, 0))
