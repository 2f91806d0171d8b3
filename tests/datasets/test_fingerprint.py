"""A fingerprint depends on the content and on nothing else."""

import hashlib
import struct
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csr_array

from manyminds.datasets.dataset import Dataset
from manyminds.datasets.fingerprint import fingerprint


def table(seed, n_rows=30):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_rows, 3)), columns=["a", "b", "c"])
    X["d"] = pd.Categorical(rng.choice(["x", "y", "ü"], n_rows), ["x", "y", "ü", "z"])
    X.iloc[3, 1], X.iloc[4, 3] = np.nan, None
    return X, rng.integers(0, 3, n_rows)


def digits(X, y, task="classification"):
    return fingerprint(X, y, task)


def test_worked_example():
    # One row, one number, one integer label: the parts, each after its length.
    def part(content):
        content = content.encode() if isinstance(content, str) else content
        return len(content).to_bytes(8, "little") + content

    parts = ["manyminds data set, form 1", "classification", "frame", "1", "1", "a"]
    parts += ["numbers", struct.pack("<d", 1.5), "target", "1"]
    parts += ["integers", struct.pack("<q", 7)]
    expected = hashlib.sha256(b"".join(map(part, parts))).hexdigest()[:32]
    assert digits(pd.DataFrame({"a": [1.5]}), np.array([7])) == expected


def test_storage_does_not_matter(seed):
    X, y = table(seed)
    same = digits(X, y)
    assert digits(X.copy(), y.astype(np.int32)) == same
    assert digits(pd.concat([X[:10], X[10:]]), y) == same
    in_other_order = pd.DataFrame(np.asfortranarray(X[["a", "b", "c"]].to_numpy()))
    in_other_order = in_other_order.set_axis(["a", "b", "c"], axis=1).assign(d=X["d"])
    assert digits(in_other_order, y) == same
    assert digits(X.set_axis(range(5, len(X) + 5), axis=0), y) == same
    numbers = X[["a", "b"]]
    apart = pd.DataFrame({"a": X["a"].tolist()}).assign(b=X["b"].tolist())
    assert digits(apart, y) == digits(numbers, y)


@pytest.mark.parametrize("categories", [["ü", "x", "y"], ["y", "q", "ü", "x"]])
def test_order_of_categories_and_unused_ones_do_not_matter(seed, categories):
    X, y = table(seed)
    other = X.assign(d=X["d"].cat.set_categories(categories))
    assert digits(other, y) == digits(X, y)


def test_kinds_of_nan_and_of_zero_do_not_matter():
    y = np.array([0, 1])
    payload = np.array([0x7FF8000000000001, 0x8000000000000000], np.uint64)
    odd = pd.DataFrame({"a": payload.view(np.float64)})
    assert np.isnan(odd.iloc[0, 0]) and np.signbit(odd.iloc[1, 0])
    assert digits(odd, y) == digits(pd.DataFrame({"a": [np.nan, 0.0]}), y)


def changed_cell(X):
    X.iloc[0, 0] = np.nextafter(X.iloc[0, 0], np.inf)
    return X


def changed_category(X):
    X.iloc[0, 3] = "x" if X.iloc[0, 3] != "x" else "y"
    return X


@pytest.mark.parametrize(
    "change",
    [
        changed_cell,
        changed_category,
        lambda X: X.rename(columns={"a": "A"}),
        lambda X: X[["b", "a", "c", "d"]],
        lambda X: X.iloc[::-1],
        lambda X: X.fillna({"b": 0.0}),
        lambda X: X.assign(d=X["d"].fillna("x")),
        lambda X: X.assign(d=X["d"].cat.rename_categories({"y": "Y"})),
        lambda X: X.assign(d=X["d"].cat.codes.astype(float)),
        lambda X: X.drop(columns="c"),
    ],
)
def test_any_change_of_the_table_matters(seed, change):
    X, y = table(seed)
    assert digits(change(X.copy()), y) != digits(X, y)


def test_any_change_of_the_target_matters(seed):
    X, y = table(seed)
    other = y.copy()
    other[0] = 3
    as_text = y.astype(str).astype(object)
    seen = [digits(X, labels) for labels in (y, other, y.astype(float), as_text)]
    seen.append(digits(X, y, "regression"))
    assert len(set(seen)) == 5
    swapped = np.where(y == 0, "1", np.where(y == 1, "0", "2")).astype(object)
    assert digits(X, swapped) != digits(X, as_text)


def test_texts_do_not_run_together():
    one = pd.DataFrame({"a": pd.Categorical(["xy", "z"])})
    two = pd.DataFrame({"a": pd.Categorical(["x", "yz"])})
    y = np.array([0, 1])
    assert digits(one, y) != digits(two, y)


def test_several_labels(seed):
    X, _ = table(seed)
    y = pd.DataFrame({"p": np.arange(30) % 2, "q": np.arange(30) % 3 // 2})
    assert digits(X, y) == digits(X, y.astype(np.int8))
    assert digits(X, y) != digits(X, y.rename(columns={"p": "r"}))
    assert digits(X, y) != digits(X, 1 - y)


def test_sparse_tables(seed):
    rng = np.random.default_rng(seed)
    dense = rng.integers(0, 2, (20, 10)) * rng.normal(size=(20, 10))
    y, X = np.arange(20) % 2, csr_array(dense)
    row, column = X.nonzero()
    order = rng.permutation(len(row))
    twice = np.tile(X.data[order] / 2, 2)
    places = (np.tile(row[order], 2), np.tile(column[order], 2))
    in_halves = csr_array(coo_array((twice, places), shape=X.shape))
    explicit_zero = X.copy()
    explicit_zero.data[0] = 0.0
    without = csr_array(explicit_zero.toarray())
    assert digits(in_halves, y) == digits(X, y)
    assert digits(explicit_zero, y) == digits(without, y) != digits(X, y)
    assert digits(csr_array(dense[:, :9]), y) != digits(X, y)


def test_name_and_source_do_not_matter(seed):
    X, y = table(seed)
    data = Dataset("one", X, y, "classification", source="here")
    assert replace(data, name="two", source="there").fingerprint == data.fingerprint
    assert len(data.fingerprint) == 32
