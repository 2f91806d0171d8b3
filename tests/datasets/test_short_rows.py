"""Rows that are too short are refused, gaps at the end of a row are not."""

import pytest

from manyminds.datasets import read_table


def test_a_short_row_is_named_by_its_line(tmp_path):
    file = tmp_path / "short.csv"
    file.write_text("a,b,class\n1,2,x\n3\n4,5,y\n")
    with pytest.raises(ValueError, match=r"short\.csv: line 3 has 1 cells"):
        read_table(file)


def test_gaps_and_empty_lines_are_no_short_rows(tmp_path):
    file = tmp_path / "gaps.csv"
    file.write_text("class,a,b\nx,1,2\n\ny,4,\n")
    data = read_table(file)
    assert data.n_samples == 2 and data.n_missing == 1
