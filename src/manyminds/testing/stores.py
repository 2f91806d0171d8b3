"""Checks for every store of records, of this package and of others."""

import math
import multiprocessing
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

from manyminds.experiments import Record, Slot, Store

__all__ = ["check_store", "store_checks"]

OpenStore = Callable[[], Store]
StoreCheck = Callable[[OpenStore], None]
LONG = 60.0  # seconds that no check takes


def store_checks() -> Iterator[StoreCheck]:
    """Yield the checks for stores of records.

    Yields
    ------
    check : callable
        A function ``check(open_store)`` that raises AssertionError when the store
        fails. ``open_store()`` opens the same store each time; its content does not
        matter, and the check does not delete its own records. Other processes must be
        able to import it, such as a ``functools.partial`` of a function of a module.

    Examples
    --------
    >>> from manyminds.testing import store_checks
    >>> "check_first_record_is_kept" in [check.__name__ for check in store_checks()]
    True
    """
    yield from CHECKS


def check_store(open_store: OpenStore) -> None:
    """Run all checks of stores.

    Parameters
    ----------
    open_store : callable
        Opens the same store each time, see `store_checks`.

    Raises
    ------
    AssertionError
        From the first check that fails.

    Examples
    --------
    >>> import os, tempfile
    >>> from functools import partial
    >>> from manyminds.experiments import open_store
    >>> from manyminds.testing import check_store
    >>> folder = tempfile.TemporaryDirectory()
    >>> check_store(partial(open_store, os.path.join(folder.name, "s.sqlite")))
    >>> folder.cleanup()
    """
    for check in store_checks():
        check(open_store)


def check_protocol(open_store: OpenStore) -> None:
    """Check that the store implements `Store`."""
    with closing(open_store()) as store:
        assert isinstance(store, Store)


def check_round_trip(open_store: OpenStore) -> None:
    """Check that all fields of records are stored, for other handles, too."""
    good, bad = _records(2)
    values = {"accuracy": 0.1 + 0.2, "n": -3.0, "größte Fläche": math.inf}
    good = replace(good, values=values, estimator="f('x', \"y\", '\\n')")
    bad = replace(bad, values={}, error="ValueError: naïve — 'quoted'; DROP TABLE")
    with closing(open_store()) as store:
        store.put([good, bad])
    with closing(open_store()) as store:
        assert store.get([good.key, bad.key]) == {good.key: good, bad.key: bad}


def check_nan(open_store: OpenStore) -> None:
    """Check that NaN is stored as NaN."""
    (record,) = _records(1)
    with closing(open_store()) as store:
        store.put([replace(record, values={"score": math.nan})])
        found = store.get([record.key])[record.key]
    assert math.isnan(found.values["score"])


def check_empty_calls(open_store: OpenStore) -> None:
    """Check that empty lists of records and keys are accepted."""
    with closing(open_store()) as store:
        store.put([])
        store.enroll("nothing", [])
        assert store.get([]) == {}
        assert store.delete([]) == 0
        assert store.claim([], "nobody", LONG) == []
        assert store.owners([]) == {}


def check_first_record_is_kept(open_store: OpenStore) -> None:
    """Check that a record of a key is not overwritten."""
    (record,) = _records(1)
    with closing(open_store()) as store:
        store.put([record])
        store.put([replace(record, values={"accuracy": 0.0})])
        assert store.get([record.key])[record.key] == record


def check_put_is_atomic(open_store: OpenStore) -> None:
    """Check that either all or none of the records of a call are stored."""
    good, bad = _records(2)
    bad = replace(bad, values={"score": object()})  # type: ignore[dict-item]
    with closing(open_store()) as store:
        try:
            store.put([good, bad])
        except Exception:
            assert store.get([good.key]) == {}
        else:
            raise AssertionError("a value that is not a number was stored")


def check_many_keys(open_store: OpenStore) -> None:
    """Check that thousands of keys in one call are supported."""
    records = _records(2000)
    keys = [record.key for record in records]
    with closing(open_store()) as store:
        store.put(records)
        assert store.get([*keys, "no such key"]).keys() == set(keys)
        assert store.delete(keys) == len(keys)
        assert store.delete(keys) == 0
        assert store.get(keys) == {}


def check_find_by_name(open_store: OpenStore) -> None:
    """Check that records are found by data set and method, or all of them."""
    first, second = _records(2)
    second = replace(second, dataset=first.dataset + "2", method=first.method + "2")
    with closing(open_store()) as store:
        store.put([first, second])
        assert store.find(dataset=first.dataset, method=first.method) == [first]
        assert store.find(dataset=first.dataset, method=second.method) == []
        everything = store.find()
        assert first in everything and second in everything


def check_find_by_plan(open_store: OpenStore) -> None:
    """Check that a plan finds its own records only, under its names, in order."""
    plan, records = _name("plan"), _records(4)
    slots = [Slot("d", "m", 0, 3 - i, r.key) for i, r in enumerate(records)]
    with closing(open_store()) as store:
        store.put(records[:3])
        store.enroll(plan, slots)
        found = store.find(plan=plan)
        assert [record.key for record in found] == [r.key for r in records[2::-1]]
        assert {(record.dataset, record.method) for record in found} == {("d", "m")}
        assert store.find(plan=plan, method="other") == []
        assert store.find(plan=_name("plan")) == []


def check_newest_enrollment(open_store: OpenStore) -> None:
    """Check that a plan has the slots that were enrolled last for each data set."""
    plan, (old, gone, other, new) = _name("plan"), _records(4)
    with closing(open_store()) as store:
        store.put([old, gone, other, new])
        store.enroll(
            plan, [Slot("d", "m", 0, i, r.key) for i, r in enumerate([old, gone])]
        )
        store.enroll(plan, [Slot("other", "m", 0, 0, other.key)])
        store.enroll(plan, [Slot("d", "m", 0, 0, new.key)])
        found = [record.key for record in store.find(plan=plan)]
        assert found == [new.key, other.key]
        assert store.get([old.key]) == {old.key: old}


def check_plan_states(open_store: OpenStore) -> None:
    """Check that the state of a plan counts folds, records and failures."""
    plan, records = _name("plan"), _records(4)
    slots = [Slot("d", "m", 0, i, record.key) for i, record in enumerate(records)]
    with closing(open_store()) as store:
        store.enroll(plan, slots)
        store.put([records[0], replace(records[1], values={}, error="no")])
        (state,) = [state for state in store.plans() if state.plan == plan]
    assert (state.n_folds, state.n_recorded, state.n_failed) == (4, 2, 1)
    assert math.isclose(state.seconds, 2 * records[0].seconds)
    assert state.finished == records[0].finished


def check_claims_are_exclusive(open_store: OpenStore) -> None:
    """Check that claimed keys are not available to others until released."""
    keys = [record.key for record in _records(3)]
    one, other = _name("one"), _name("other")
    with closing(open_store()) as store, closing(open_store()) as again:
        assert store.claim(keys[:2], one, LONG) == keys[:2]
        assert again.claim(keys, other, LONG) == keys[2:]
        assert again.owners(keys) == {keys[0]: one, keys[1]: one, keys[2]: other}
        store.release(one)
        assert again.claim(keys, other, LONG) == keys[:2]
        again.release(other)


def check_recorded_folds_are_not_claimed(open_store: OpenStore) -> None:
    """Check that a fold with a record cannot be claimed."""
    done, open_ = _records(2)
    with closing(open_store()) as store:
        store.put([done])
        owner = _name("owner")
        assert store.claim([done.key, open_.key], owner, LONG) == [open_.key]
        assert store.owners([done.key, open_.key]) == {open_.key: owner}
        store.release(owner)


def check_claims_expire(open_store: OpenStore) -> None:
    """Check that a claim expires unless it is renewed."""
    (record,) = _records(1)
    dead, living, heir = _name("dead"), _name("living"), _name("heir")
    other = record.key + "x"
    with closing(open_store()) as store:
        store.claim([record.key], dead, 0.05)
        store.claim([other], living, 0.05)
        store.renew(living, LONG)
        time.sleep(0.1)
        assert store.owners([record.key, other]) == {other: living}
        assert store.claim([record.key, other], heir, LONG) == [record.key]
        store.release(dead)  # too late: it is another's now
        assert store.owners([record.key]) == {record.key: heir}
        store.release(heir)
        store.release(living)


def check_threads(open_store: OpenStore) -> None:
    """Check that each fold is claimed by one of many threads."""
    with ThreadPoolExecutor(4) as pool:
        _check_each_is_claimed_once(open_store, pool)


def check_processes(open_store: OpenStore) -> None:
    """Check that each fold is claimed by one of several processes."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        _check_each_is_claimed_once(open_store, pool)


def _check_each_is_claimed_once(open_store: OpenStore, pool: Executor) -> None:
    records = _records(50)
    workers = [pool.submit(_claim_and_put, open_store, records) for _ in range(4)]
    claimed = [key for worker in workers for key in worker.result()]
    assert sorted(claimed) == sorted(record.key for record in records)
    with closing(open_store()) as store:
        assert len(store.get(claimed)) == len(records)


def _claim_and_put(open_store: OpenStore, records: list[Record]) -> list[str]:
    owner, mine = _name("worker"), []
    with closing(open_store()) as store:
        for record in records:
            if store.claim([record.key], owner, LONG):
                store.put([record])
                mine.append(record.key)
        store.release(owner)
    return mine


def _records(count: int) -> list[Record]:
    """Return records with keys that no other check uses."""
    name = _name("set")
    return [
        Record(
            key=f"{name}-{i:05d}",
            dataset=name,
            method="method",
            repeat=i // 10,
            fold=i % 10,
            values={"accuracy": 1.0 / (i + 1)},
            seconds=0.25,
            finished="2015-03-01T12:00:00+00:00",
            estimator="Method()",
            fingerprint="0123",
            versions="manyminds 0.1",
        )
        for i in range(count)
    ]


def _name(kind: str) -> str:
    return f"{kind}-{uuid.uuid4().hex}"


CHECKS: tuple[StoreCheck, ...] = (
    check_protocol,
    check_round_trip,
    check_nan,
    check_empty_calls,
    check_first_record_is_kept,
    check_put_is_atomic,
    check_many_keys,
    check_find_by_name,
    check_find_by_plan,
    check_newest_enrollment,
    check_plan_states,
    check_claims_are_exclusive,
    check_recorded_folds_are_not_claimed,
    check_claims_expire,
    check_threads,
    check_processes,
)
