import pytest

from manyminds.datasets import load_dataset

ADDRESS = "/search/iris-search"


def test_the_page_offers_files_and_lines(client):
    page = client.get(f"{ADDRESS}/model").text
    assert "load_model(&#39;iris-search&#39;)" in page
    assert "manyminds predict iris-search new.csv" in page
    assert "read_features(&#34;new.csv&#34;, model.columns)" in page
    assert "read_csv" not in page
    assert "/search/iris-search/download/model.skops" in page


@pytest.mark.slow
def test_an_uploaded_file_is_predicted_and_scored(client, wait):
    data = load_dataset("iris")
    text = data.X.assign(target=data.y).to_csv(index=False)
    found = client.post(
        f"{ADDRESS}/predict",
        params={"csrf": client.csrf},
        files={"file": ("new.csv", text)},
        data={"interval": "0.9", "flag_unlike": "1"},
        follow_redirects=False,
    )
    address = found.headers["location"]
    page = wait(client, address).text
    assert "accuracy of these 150 rows" in page
    assert '<th scope="col">set</th>' in page and ">unlike</th>" in page
    made = client.get(f"{address}/download").text.splitlines()
    assert len(made) == 151 and made[0].startswith("prediction,probability ")


@pytest.mark.slow
def test_a_file_without_the_columns_fails_in_one_sentence(client, served, wait):
    (served / "other.csv").write_text("a,b\n1,2\n3,4\n")
    found = client.post(
        f"{ADDRESS}/predict-table",
        data={"csrf": client.csrf, "table": "other.csv"},
        follow_redirects=False,
    )
    page = wait(client, found.headers["location"]).text
    assert 'role="alert"' in page and "needs the column" in page


def test_tables_outside_of_the_folder_are_refused(client):
    found = client.post(
        f"{ADDRESS}/predict-table", data={"csrf": client.csrf, "table": "../x.csv"}
    )
    assert found.status_code == 404


def test_a_job_of_another_kind_is_no_prediction(client):
    assert client.get("/prediction/0123").status_code == 404
