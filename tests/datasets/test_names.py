"""Names are unique, and similar ones are suggested."""

import pytest

from manyminds.datasets.names import check_unique, list_some, suggest_close


def test_similar_names_are_suggested():
    assert suggest_close("IRSI", ["iris", "wine"]) == "Close: iris. "
    assert suggest_close("zzz", ["iris", "wine"]) == ""


def test_lists_are_cut_short():
    assert list_some(["a", "b"]) == "'a', 'b'"
    assert list_some(list("abc"), 1, str) == "a and 2 more"


def test_names_that_occur_twice_are_refused():
    check_unique(["a", "b"])
    with pytest.raises(ValueError, match=r"Labels must have .* twice: \['a'\]"):
        check_unique(["a", "b", "a"], "Labels")
