"""The page of a table: rows by page, types to correct, the target."""

import re

import pytest

CSV = "id,x,color,class\n" + "".join(
    f"{k},{k % 7},{'red' if k % 3 else ''},{'ab'[k % 2]}\n" for k in range(60)
)


@pytest.fixture
def page(plain_client):
    (plain_client.folder / "t.csv").write_text(CSV)

    def get(address="/table", **query):
        return plain_client.get(address, params={"table": "t.csv", **query})

    return get


def test_rows_columns_and_target(page):
    text = page().text
    assert "60 rows, 4 columns" in text and "Rows 1 to 25 of 60" in text
    assert "class: 2 classes" in text and "<svg" in text
    assert "Search a model" in text and "target=class" in text


def test_pages_of_rows(page):
    text = page("/table/rows", page=3).text
    assert "Rows 51 to 60 of 60" in text and "Page 3 of 3" in text
    assert "<html" not in text
    for odd in ("0", "-1", "99", "x", "9" * 40):
        assert page("/table/rows", page=odd).status_code == 200


def test_missing_cells_are_marked(page):
    assert '<td class="cell missing">–</td>' in page().text


def test_another_target(page):
    text = page(target="x").text
    assert re.search(r"x: (numbers|7 classes)", text)
    text = page(target="x", task="regression").text
    assert "x: numbers" in text
    text = page(target="nothing").text
    assert "is not a column" in text and "Rows 1 to 25" in text


def test_types_are_corrected(page, plain_client):
    form = {"csrf": plain_client.csrf, "table": "t.csv", "target": "class"}
    form |= {"name": ["id", "x"], "kind": ["drop", "category"]}
    answer = plain_client.post("/table/types", data=form)
    assert answer.status_code == 200 and "left out" in answer.text
    schema = (plain_client.folder / "t.schema.json").read_text()
    assert '"id"' in schema and '"categorical"' in schema
    assert re.search(
        r'aria-label="Type of x">.*?value="category" selected', answer.text, re.S
    )


def test_types_of_bundled_sets_stay(plain_client):
    form = {
        "csrf": plain_client.csrf,
        "table": "bundled:iris",
        "name": "x",
        "kind": "drop",
    }
    answer = plain_client.post("/table/types", data=form)
    assert answer.status_code == 400 and "cannot be changed" in answer.text
    assert "Correct it" not in plain_client.get("/table?table=bundled:iris").text


def test_a_wrong_type_is_explained_and_can_be_corrected(page, plain_client):
    (plain_client.folder / "t.schema.json").write_text('{"numeric": ["color"]}')
    text = page().text
    assert "declared numeric" in text and 'aria-label="Type of color"' in text


def test_very_many_columns(plain_client):
    names = [f"c{k}" for k in range(10_000)]
    rows = [",".join(str((k * j) % 5) for k in range(10_000)) for j in range(1, 21)]
    text = "\n".join([",".join(names), *rows])
    (plain_client.folder / "wide.csv").write_text(text)
    first = plain_client.get("/table?table=wide.csv").text
    assert "20 rows, 10,000 columns" in first and len(first) < 100_000
    assert "data-fragment" in first and "columns 1 to 40 of 10,000" in first
    right = plain_client.get("/table/rows?table=wide.csv&part=250").text
    assert "columns 9,961 to 10,000" in right and "c9999" in right


@pytest.mark.slow
def test_facts_on_very_many_columns(plain_client):
    names = [f"c{k}" for k in range(10_000)]
    rows = [",".join(str((k * j) % 5) for k in range(10_000)) for j in range(1, 21)]
    (plain_client.folder / "wide.csv").write_text("\n".join([",".join(names), *rows]))
    text = plain_client.get("/table/columns?table=wide.csv&target=c3").text
    assert "page 1 of 100" in text and len(text) < 300_000


def test_columns_of_a_large_file_are_described_a_moment_later(page, monkeypatch):
    monkeypatch.setattr("manyminds.serve.pages.tables.MAX_INSTANT_BYTES", 10)
    text = page().text
    assert "data-fragment" in text and "Rows 1 to 25 of 60" in text
    assert "class: 2 classes" in page("/table/columns").text
    assert "data-fragment" not in page().text  # they are known now


def test_a_table_that_does_not_exist(page, plain_client):
    assert plain_client.get("/table?table=absent.csv").status_code == 404
    assert plain_client.get("/table").status_code == 404
    assert plain_client.get("/table?table=../secret.csv").status_code == 404


def test_several_targets_are_labels(plain_client):
    rows = "".join(f"{k},{k % 2},{k % 3 == 0:d}\n" for k in range(30))
    (plain_client.folder / "tags.csv").write_text("x,odd,third\n" + rows)
    query = [("table", "tags.csv"), ("task", "multilabel"), ("target", "odd")]
    page = plain_client.get("/table", params=query).text
    assert "Choose two or more targets" in page and "multiple" in page
    page = plain_client.get("/table", params=[*query, ("target", "third")]).text
    assert "2 labels" in page and page.count('tag good">target') == 2
    assert "/searches/new?table=tags.csv&amp;target=odd%2Cthird" in page
    form = plain_client.get(
        "/searches/new",
        params={"table": "tags.csv", "target": "odd,third", "task": "multilabel"},
    ).text
    assert "micro f1" in form and '<option value="third">' not in form
