import json

import pytest

pytest.importorskip("starlette")
from manyminds.persistence import load_model
from manyminds.serve.folder import ServedFolder
from manyminds.serve.training_rows import (
    find_table,
    load_search_model,
    load_training_rows,
)
from manyminds.utils.errors import MissingFileError


def write_command(folder, command):
    file = folder / "search.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"command": command}))


def test_a_bundled_table_is_found(served):
    table, options = find_table(ServedFolder(served), served / "iris-search")
    assert table == "iris" and options["cv"] == "5"


def test_rows_are_those_of_the_table(client, served):
    state, folder = client.app.state.serve, served / "iris-search"
    model = load_search_model(state, folder)
    rows = load_training_rows(state, folder, model)
    assert len(rows) == 150
    assert list(rows.columns) == [one.name for one in load_model(folder).columns]
    assert load_training_rows(state, folder, model) is rows  # from the cache


@pytest.mark.parametrize(
    "command",
    ["", "manyminds search ../secret.csv", "manyminds search /etc/passwd", "x y z"],
)
def test_tables_elsewhere_are_not_read(served, command):
    write_command(served / "iris-search", command)
    with pytest.raises(MissingFileError):
        find_table(ServedFolder(served), served / "iris-search")


def test_a_table_that_was_moved_with_its_search_is_found(served):
    (served / "sales.csv").write_text("a,b\n1,2\n")
    write_command(served / "iris-search", "manyminds search /elsewhere/sales.csv")
    table, _ = find_table(ServedFolder(served), served / "iris-search")
    assert table == served / "sales.csv"


def test_a_link_out_of_the_folder_is_not_followed(served, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.csv"
    secret.write_text("a,b\n1,2\n")
    (served / "link.csv").symlink_to(secret)
    write_command(served / "iris-search", "manyminds search link.csv")
    with pytest.raises(MissingFileError):
        find_table(ServedFolder(served), served / "iris-search")


def test_a_search_without_a_model(client, served):
    (served / "iris-search" / "model.skops").unlink()
    with pytest.raises(MissingFileError, match="no model"):
        load_search_model(client.app.state.serve, served / "iris-search")
