"""A reproduction runs as the command runs it."""

import pytest

from manyminds.utils.errors import InputError, MissingFileError
from manyminds.workflows import run_reproduction

NAME = "forests-of-local-trees-baselines"


def test_wrong_names_and_folders_are_named(tmp_path):
    store = str(tmp_path / "r.sqlite")
    with pytest.raises(InputError, match=r"name has 'table 4\.5'"):
        run_reproduction("table 4.5", store=store)
    with pytest.raises(MissingFileError, match=r"INDEX\.csv"):
        run_reproduction(NAME, folder=tmp_path, store=store)
    assert list(tmp_path.iterdir()) == []
