import pytest

pytest.importorskip("starlette")
from manyminds.serve.pages.table_jobs import list_choices, list_targets, read_whole
from manyminds.utils.errors import InputError, MissingFileError


@pytest.fixture
def state(client, served):
    (served / "sales.csv").write_text("a,price,b\n1,2,3\n4,5,6\n")
    return client.app.state.serve


def test_tables_of_the_folder_and_bundled_ones(state):
    choices = list_choices(state)
    assert choices["In the folder"] == ["sales.csv"]
    assert "bundled:wine" in choices["Bundled"]


def test_targets_of_a_file_are_its_columns(state):
    assert list_targets(state, "sales.csv") == (["a", "price", "b"], "b")
    assert list_targets(state, "bundled:wine") == ([], "")
    with pytest.raises(MissingFileError):
        list_targets(state, "../sales.csv")


def test_whole_numbers_of_a_form():
    assert read_whole(" 5 ", "N", 1, 9) == 5
    assert read_whole("", "N", 1, 9) is None
    for text in ("0", "10", "-3", "2.5", "x"):
        with pytest.raises(InputError, match="N must be between 1 and 9"):
            read_whole(text, "N", 1, 9)
