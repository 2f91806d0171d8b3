"""Each check of stores finds the store that breaks its promise."""

from dataclasses import replace
from functools import partial

import pytest

from manyminds.experiments import open_store
from manyminds.experiments.sql_store import SqlStore
from manyminds.testing import check_store, store_checks, stores


class ForgetsErrors(SqlStore):
    def put(self, records):
        super().put([replace(one, error=None) for one in records])


class KeepsTheLast(SqlStore):
    def put(self, records):
        records = list(records)
        self.delete([one.key for one in records])
        super().put(records)


class StoresOneByOne(SqlStore):
    def put(self, records):
        for record in records:
            super().put([record])


class FindsByDataSetOnly(SqlStore):
    def find(self, *, plan=None, dataset=None, method=None):
        return super().find(plan=plan, dataset=dataset)


class FindsInReverse(SqlStore):
    def find(self, **names):
        return super().find(**names)[::-1]


class CountsNoDeletions(SqlStore):
    def delete(self, keys):
        super().delete(keys)
        return 0


class ClaimsWhatIsTaken(SqlStore):
    def claim(self, keys, owner, seconds):
        super().claim(keys, owner, seconds)
        return list(keys)


class NeverRenews(SqlStore):
    def renew(self, owner, seconds):
        pass


class NeverReleases(SqlStore):
    def release(self, owner):
        pass


class CountsNoFailures(SqlStore):
    def plans(self):
        return [replace(state, n_failed=0) for state in super().plans()]


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        (ForgetsErrors, stores.check_round_trip),
        (ForgetsErrors, stores.check_plan_states),
        (KeepsTheLast, stores.check_first_record_is_kept),
        (StoresOneByOne, stores.check_put_is_atomic),
        (FindsByDataSetOnly, stores.check_find_by_name),
        (FindsInReverse, stores.check_find_by_plan),
        (FindsInReverse, stores.check_newest_enrollment),
        (CountsNoDeletions, stores.check_many_keys),
        (ClaimsWhatIsTaken, stores.check_claims_are_exclusive),
        (ClaimsWhatIsTaken, stores.check_recorded_folds_are_not_claimed),
        (ClaimsWhatIsTaken, stores.check_threads),
        (NeverRenews, stores.check_claims_expire),
        (NeverReleases, stores.check_claims_are_exclusive),
        (CountsNoFailures, stores.check_plan_states),
    ],
)
def test_a_broken_store_is_found(kind, check, tmp_path):
    with pytest.raises(AssertionError):
        check(partial(kind, str(tmp_path / "records.sqlite")))


def test_what_is_no_store_is_found():
    class Box:
        def close(self):
            """Close nothing."""

    with pytest.raises(AssertionError):
        stores.check_protocol(Box)


def test_checks_have_names_and_words():
    checks = list(store_checks())
    assert len({check.__name__ for check in checks}) == len(checks)
    assert all(check.__doc__.startswith("Check that ") for check in checks)
    defined = {name for name in vars(stores) if name.startswith("check_")}
    assert defined == {check.__name__ for check in checks} | {"check_store"}


def test_all_checks_are_run_in_their_order(monkeypatch, tmp_path):
    ran = []
    fakes = tuple(partial(lambda n, open_again: ran.append(n), n) for n in range(3))
    monkeypatch.setattr(stores, "CHECKS", fakes)
    check_store(partial(open_store, str(tmp_path / "records.sqlite")))
    assert ran == [0, 1, 2]
