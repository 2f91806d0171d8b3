"""BIF: read, write, read again; what is wrong in a file is named."""

import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets import load_network, read_bif, write_bif

TEXT = """network unknown { property "made up" ; }
variable rain { type discrete [ 2 ] { yes, no }; }
// a comment
variable wet { type discrete [ 3 ] { "very wet", damp, dry }; }
probability ( rain ) { table 0.2, 0.8; }
probability ( wet | rain ) {
  (yes) 0.7, 0.2, 0.1;
  (no) 0.1, 0.2, 0.7;
}
"""


def test_worked_example():
    network = read_bif(TEXT)
    assert network.names == ("rain", "wet")
    assert network.states[1] == ("very wet", "damp", "dry")
    assert network.parents == ((), (0,))
    assert_allclose(network.tables[1], [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]])


def test_default_rows_and_flat_tables():
    rows = TEXT.replace("(no) 0.1, 0.2, 0.7;", "default 0.1, 0.2, 0.7;")
    flat = TEXT.replace("(yes) 0.7, 0.2, 0.1;", "").replace(
        "(no) 0.1, 0.2, 0.7;", "table 0.7, 0.1, 0.2, 0.2, 0.1, 0.7;"
    )
    for text in (rows, flat):
        assert_array_equal(read_bif(text).tables[1], read_bif(TEXT).tables[1])


@pytest.mark.parametrize("name", ["asia", "insurance"])
@pytest.mark.parametrize("end", [".bif", ".bif.gz"])
def test_round_trip(name, end, tmp_path):
    network = load_network(name)
    write_bif(network, tmp_path / f"a{end}")
    again = read_bif(tmp_path / f"a{end}")
    assert (again.names, again.states) == (network.names, network.states)
    assert again.parents == network.parents
    for table, other in zip(network.tables, again.tables):
        assert_allclose(table, other, rtol=1e-15)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[ 2 ]", "[ 4 ]", "'rain' must have 4 states"),
        ("(no) 0.1, 0.2, 0.7;", "", "rows of the probabilities of 'wet' are missing"),
        ("(no) 0.1, 0.2, 0.7;", "(no) 0.1, 0.9;", "do not fit its states"),
        ("wet | rain", "wet | snow", r"parents \['snow'\] of 'wet'"),
        ("variable rain", "variables rain", "got 'variables'"),
        ("(no) 0.1, 0.2, 0.7;\n}\n", "(no) 0.1", "ends where"),
    ],
)
def test_what_is_wrong_is_named(old, new, message):
    with pytest.raises(ValueError, match=message):
        read_bif(TEXT.replace(old, new))


def test_a_quote_in_a_name_cannot_be_written():
    network = read_bif(TEXT.replace("damp", "damp'"))
    assert read_bif(write_bif(network)).states == network.states
    with pytest.raises(ValueError, match="quote"):
        write_bif(type(network)(('a"', "b"), network.states, network.parents,
                                network.tables))  # fmt: skip
