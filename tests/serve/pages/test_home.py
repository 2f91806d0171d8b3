"""The first page lists tables, searches and bundled sets."""


def test_an_empty_folder(plain_client):
    text = plain_client.get("/").text
    assert "There are none yet" in text and "table=bundled%3Awine" in text
    assert "up to 2.0 GB" in text and ".parquet" in text


def test_tables_and_searches(client):
    (client.app.state.serve.folder.root / "sub").mkdir()
    (client.app.state.serve.folder.root / "sub" / "my data.csv").write_text(
        "a,b\n1,2\n"
    )
    text = client.get("/").text
    assert "/table?table=sub%2Fmy+data.csv" in text
    assert "/search/iris-search" in text and "accuracy" in text


def test_names_are_text(plain_client):
    (plain_client.folder / "<img src=x onerror=alert(1)>.csv").write_text("a\n1\n")
    text = plain_client.get("/").text
    assert "<img" not in text and "&lt;img src=x onerror=alert(1)&gt;.csv" in text
