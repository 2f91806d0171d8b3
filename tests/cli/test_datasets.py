"""``manyminds datasets`` lists what can be named."""

import json

from manyminds.datasets import bundled_datasets, load_dataset

COMMAND = "datasets"


def test_all_bundled_sets_are_listed(call):
    code, out, err = call()
    assert code == 0 and err == ""
    for name in bundled_datasets():
        line = next(one for one in out.splitlines() if f" {name} " in one)
        data = load_dataset(name)
        assert f" {data.n_samples} " in line and f" {data.n_features} " in line
        assert data.task in line


def test_sets_of_a_folder_are_listed_as_well(call, folder):
    (folder / "INDEX.csv").write_text(
        "name,rows,features,classes_or_regression\nmine,7,2,regression\niris,5,4,3\n"
    )
    code, out, _ = call("--data", folder, "--json")
    assert code == 0
    listed = {one["name"]: one for one in json.loads(out)["datasets"]}
    assert set(listed) == {"mine", *bundled_datasets()}
    assert listed["mine"] == {
        "name": "mine", "rows": 7, "columns": 2, "task": "regression"
    }  # fmt: skip
    assert listed["iris"]["rows"] == 5  # the folder's, as where it is read
