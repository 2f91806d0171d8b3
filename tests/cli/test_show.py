"""``manyminds show`` tells again what a search found, from its files alone."""

import json

import pytest

from manyminds.cli.main import main


def call(capsys, *words):
    try:
        main([*map(str, words)])
        code = 0
    except SystemExit as stop:
        code = stop.code or 0
    written = capsys.readouterr()
    return code, written.out, " ".join(written.err.split())


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Search once."""
    place = tmp_path_factory.mktemp("searched") / "found"
    words = ["iris", "--trials", "3", "--cv", "2", "--jobs", "1", "--no-report"]
    with pytest.raises(SystemExit) as stop:
        main(["search", *words, "--out", str(place)])
    assert not stop.value.code
    return place


@pytest.mark.slow
def test_scores_and_pipelines_are_shown_again(found, capsys):
    summary = json.loads((found / "search.json").read_text())["summary"]
    code, out, err = call(capsys, "show", found)
    assert code == 0 and err == ""
    assert f"{summary['honest']['score']:.4f} " in out
    for row in summary["leaderboard"]:
        assert f"{row['score']:.4f}" in out and row["learner"] in out


def test_fewer_pipelines_may_be_shown(found, capsys):
    code, out, _ = call(capsys, "show", found, "-n", "1", "--json")
    assert code == 0
    told = json.loads(out)["summary"]
    kept = json.loads((found / "search.json").read_text())["summary"]
    assert told == {**kept, "leaderboard": kept["leaderboard"][:1]}


def test_nothing_but_the_result_is_read(found, capsys, tmp_path):
    (tmp_path / "search.json").write_bytes((found / "search.json").read_bytes())
    code, out, _ = call(capsys, "show", tmp_path)
    assert code == 0
    assert out == call(capsys, "show", found)[1]
    assert [file.name for file in tmp_path.iterdir()] == ["search.json"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "There is no search in"),
        ("{", "damaged"),
        ("[]", "damaged"),
        ('{"state": "done", "identity": {}, "summary": {}}', "damaged"),
        (
            '{"state": "running", "identity": {}, "command": "manyminds search x"}',
            "Continue it with manyminds search x --resume",
        ),
    ],
)
def test_what_is_no_search_is_told_in_one_sentence(tmp_path, capsys, content, said):
    if content is not None:
        (tmp_path / "search.json").write_text(content)
    code, out, err = call(capsys, "show", tmp_path)
    assert code == 2 and out == "" and said in err and "Traceback" not in err
