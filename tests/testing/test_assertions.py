"""Checks name the failed estimator, and clear errors are distinguished from others."""

import warnings
from unittest import SkipTest

import pytest
from sklearn.linear_model import Ridge

from manyminds.testing.assertions import check_for, expect_error, try_or_explain


def _raise(error):
    raise error


def test_a_check_has_the_name_and_the_words_of_its_statement():
    @check_for(lambda estimator: True)
    def check_nothing(estimator):
        """Ask nothing."""

    assert check_nothing.__name__ == "check_nothing"
    assert check_nothing.__doc__ == "Ask nothing."
    check_nothing("Ridge", Ridge())


def test_a_check_is_skipped_where_it_does_not_apply():
    @check_for(lambda estimator: False)
    def check_fails(estimator):
        raise AssertionError

    with pytest.raises(SkipTest, match="check_fails does not apply to Ridge"):
        check_fails("Ridge", Ridge())


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (AssertionError("1 is not 2."), "^Ridge: 1 is not 2.$"),
        (KeyError("a"), "^Ridge: unexpected KeyError: 'a'$"),
    ],
)
def test_whatever_goes_wrong_fails_the_check_by_name(error, message):
    @check_for(lambda estimator: True)
    def check_fails(estimator):
        raise error

    with pytest.raises(AssertionError, match=message):
        check_fails("Ridge", Ridge())


def test_warnings_about_data_are_silenced_and_others_are_not():
    @check_for(lambda estimator: True)
    def check_warns(estimator):
        for category in (UserWarning, RuntimeWarning, FutureWarning):
            warnings.warn("look", category, stacklevel=1)

    with pytest.warns(FutureWarning) as caught:
        check_warns("Ridge", Ridge())
    assert [type(warning.message) for warning in caught] == [FutureWarning]


@pytest.mark.parametrize("error", [ValueError("X has NaN"), TypeError("nan!")])
def test_a_clear_error_is_what_was_expected(error):
    expect_error(_raise, error, match="NaN", when="X has NaN")
    assert try_or_explain(_raise, error, match="NaN", when="X has NaN") is None


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("bad"), "when X has NaN, the error should match 'NaN'"),
        (KeyError("NaN"), "expected ValueError or TypeError"),
    ],
)
def test_a_muddled_error_is_not(error, message):
    for call in (expect_error, try_or_explain):
        with pytest.raises(AssertionError, match=message):
            call(_raise, error, match="NaN", when="X has NaN")


def test_an_answer_is_passed_on_or_refused():
    assert try_or_explain(abs, -1, match="NaN", when="X has NaN") == 1
    with pytest.raises(AssertionError, match="no error when X has NaN"):
        expect_error(abs, -1, match="NaN", when="X has NaN")
