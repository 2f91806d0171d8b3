"""Names of labels from Mulan's XML files."""

import pytest

from manyminds.datasets import TableError, read_table
from manyminds.datasets.formats.mulan import find_label_file, read_label_names

ARFF = """@relation music
@attribute tempo numeric
@attribute calm {0,1}
@attribute sad {0,1}
@data
1.5,1,0
2.5,0,1
0.5,1,1
"""
XML = """<?xml version="1.0" encoding="utf-8"?>
<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="calm"><label name="sad"></label></label>
</labels>
"""


@pytest.fixture
def folder(tmp_path):
    for name in ("music.arff", "music-train.arff"):
        (tmp_path / name).write_text(ARFF)
    (tmp_path / "music.xml").write_text(XML)
    return tmp_path


@pytest.mark.parametrize("name", ["music.arff", "music-train.arff"])
def test_labels_of_the_xml_file_are_the_targets(folder, name):
    data = read_table(folder / name)
    assert data.task == "multilabel"
    assert list(data.X.columns) == ["tempo"]
    assert data.y.to_dict("list") == {"calm": [1, 0, 1], "sad": [0, 1, 1]}


def test_a_target_that_is_passed_goes_first(folder):
    data = read_table(folder / "music.arff", target="sad")
    assert data.task == "classification"
    assert data.X.shape == (3, 2)


def test_other_xml_files_have_no_labels(folder):
    (folder / "music.xml").write_text("<page><p>labels</p></page>")
    assert read_label_names(folder / "music.xml") == ()
    assert read_table(folder / "music.arff").target_name == "sad"


def test_broken_files_raise_an_error_that_names_them(folder):
    (folder / "music.xml").write_text("<labels>")
    with pytest.raises(TableError, match=r"music\.xml"):
        read_table(folder / "music.arff")


def test_without_a_file_there_is_none(tmp_path):
    assert find_label_file(tmp_path / "other.arff.gz") is None
