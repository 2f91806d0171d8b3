import warnings

import pytest

from manyminds.serve.notes import collect_notes


def test_warnings_for_users_are_collected_once():
    with collect_notes() as notes:
        warnings.warn("first", UserWarning, stacklevel=1)
        warnings.warn("first", UserWarning, stacklevel=1)
        warnings.warn("internal", DeprecationWarning, stacklevel=1)
    assert notes == ["first"]


def test_an_error_passes_and_the_lock_is_free_again():
    with pytest.raises(ValueError), collect_notes():
        raise ValueError
    with collect_notes() as notes:
        pass
    assert notes == []
