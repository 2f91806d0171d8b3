"""Messages of commands have options in them, no names of Python."""

import pytest

from manyminds.cli.wording import as_command_line
from manyminds.datasets import find_dataset


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("holds dates. Name it in `drop`, declare it categorical, or put it", "--drop"),
        ("give drop_missing_target=True", "--drop-missing-target"),
        ("in the time given; raise budget.", "--budget"),
    ],
)
def test_options_stand_for_parameters(said, wanted):
    told = as_command_line(said)
    assert wanted in told
    assert "`" not in told and "=True" not in told


def test_a_set_that_is_not_found_is_told_without_functions():
    with pytest.raises(LookupError) as caught:
        find_dataset("no-such-set", online=False)
    told = as_command_line(caught.value.args[0])
    assert "()" not in told and "`" not in told
    assert "--data" in told
