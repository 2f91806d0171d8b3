"""The checks that every store of records must pass, ours and those of others."""

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
        fails. ``open_store()`` opens the same place again each time; what is in it
        already does not matter, and the check leaves its own records behind. It must
        be one that other processes can import, such as ``functools.partial`` of a
        function of a module.

    Examples
    --------
    >>> from manyminds.testing import store_checks
    >>> "check_first_record_stays" in [check.__name__ for check in store_checks()]
    True
    """
    yield from CHECKS


def check_store(open_store: OpenStore) -> None:
    """Hold a store to all of our checks for stores.

    Parameters
    ----------
    open_store : callable
        Opens the same place again each time, see `store_checks`.

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


def check_keeps_the_contract(open_store: OpenStore) -> None:
    """Everything that `Store` names is there."""
    with closing(open_store()) as store:
        assert isinstance(store, Store)


def check_gives_back_what_was_put(open_store: OpenStore) -> None:
    """All fields come back as they were, by another handle, too."""
    good, bad = _records(2)
    values = {"accuracy": 0.1 + 0.2, "n": -3.0, "größte Fläche": math.inf}
    good = replace(good, values=values, estimator="f('x', \"y\", '\\n')")
    bad = replace(bad, values={}, error="ValueError: naïve — 'quoted'; DROP TABLE")
    with closing(open_store()) as store:
        store.put([good, bad])
    with closing(open_store()) as store:
        assert store.get([good.key, bad.key]) == {good.key: good, bad.key: bad}


def check_keeps_not_a_number(open_store: OpenStore) -> None:
    """A measured NaN comes back as NaN."""
    (record,) = _records(1)
    with closing(open_store()) as store:
        store.put([replace(record, values={"score": math.nan})])
        found = store.get([record.key])[record.key]
    assert math.isnan(found.values["score"])


def check_takes_nothing(open_store: OpenStore) -> None:
    """No records and no keys are no error."""
    with closing(open_store()) as store:
        store.put([])
        store.enroll("nothing", [])
        assert store.get([]) == {}
        assert store.delete([]) == 0
        assert store.claim([], "nobody", LONG) == []
        assert store.owners([]) == {}


def check_first_record_stays(open_store: OpenStore) -> None:
    """A key that has a record keeps it."""
    (record,) = _records(1)
    with closing(open_store()) as store:
        store.put([record])
        store.put([replace(record, values={"accuracy": 0.0})])
        assert store.get([record.key])[record.key] == record


def check_put_is_all_or_nothing(open_store: OpenStore) -> None:
    """When one record of several cannot be kept, none is."""
    good, bad = _records(2)
    bad = replace(bad, values={"score": object()})  # type: ignore[dict-item]
    with closing(open_store()) as store:
        try:
            store.put([good, bad])
        except Exception:
            assert store.get([good.key]) == {}
        else:
            raise AssertionError("a value that is no number was kept")


def check_many_keys_at_once(open_store: OpenStore) -> None:
    """Thousands of keys in one call are no trouble."""
    records = _records(2000)
    keys = [record.key for record in records]
    with closing(open_store()) as store:
        store.put(records)
        assert store.get([*keys, "no such key"]).keys() == set(keys)
        assert store.delete(keys) == len(keys)
        assert store.delete(keys) == 0
        assert store.get(keys) == {}


def check_finds_by_name(open_store: OpenStore) -> None:
    """Records are found by data set and method; no condition finds them all."""
    first, second = _records(2)
    second = replace(second, dataset=first.dataset + "2", method=first.method + "2")
    with closing(open_store()) as store:
        store.put([first, second])
        assert store.find(dataset=first.dataset, method=first.method) == [first]
        assert store.find(dataset=first.dataset, method=second.method) == []
        everything = store.find()
        assert first in everything and second in everything


def check_finds_by_plan(open_store: OpenStore) -> None:
    """A plan gives its records under its names, ordered, and only those it has."""
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


def check_newest_notes_of_a_plan_hold(open_store: OpenStore) -> None:
    """A plan has the places that were noted last, of each of its data sets."""
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


def check_tells_how_far_plans_are(open_store: OpenStore) -> None:
    """The state of a plan counts folds, records and failures."""
    plan, records = _name("plan"), _records(4)
    slots = [Slot("d", "m", 0, i, record.key) for i, record in enumerate(records)]
    with closing(open_store()) as store:
        store.enroll(plan, slots)
        store.put([records[0], replace(records[1], values={}, error="no")])
        (state,) = [state for state in store.plans() if state.plan == plan]
    assert (state.n_folds, state.n_recorded, state.n_failed) == (4, 2, 1)
    assert math.isclose(state.seconds, 2 * records[0].seconds)
    assert state.finished == records[0].finished


def check_a_claim_is_for_one(open_store: OpenStore) -> None:
    """What one owner holds another cannot have, until it is released."""
    keys = [record.key for record in _records(3)]
    one, other = _name("one"), _name("other")
    with closing(open_store()) as store, closing(open_store()) as again:
        assert store.claim(keys[:2], one, LONG) == keys[:2]
        assert again.claim(keys, other, LONG) == keys[2:]
        assert again.owners(keys) == {keys[0]: one, keys[1]: one, keys[2]: other}
        store.release(one)
        assert again.claim(keys, other, LONG) == keys[:2]
        again.release(other)


def check_a_recorded_fold_is_not_free(open_store: OpenStore) -> None:
    """Nobody gets to do a fold that has a record."""
    done, open_ = _records(2)
    with closing(open_store()) as store:
        store.put([done])
        owner = _name("owner")
        assert store.claim([done.key, open_.key], owner, LONG) == [open_.key]
        assert store.owners([done.key, open_.key]) == {open_.key: owner}
        store.release(owner)


def check_a_claim_runs_out(open_store: OpenStore) -> None:
    """A claim holds no longer than it was renewed for."""
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


def check_threads_share_the_work(open_store: OpenStore) -> None:
    """Of many threads that want the same folds, each fold goes to one."""
    with ThreadPoolExecutor(4) as pool:
        _check_each_is_claimed_once(open_store, pool)


def check_processes_share_the_work(open_store: OpenStore) -> None:
    """Of several processes that want the same folds, each fold goes to one."""
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
    """Make records that no other check has."""
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
    check_keeps_the_contract,
    check_gives_back_what_was_put,
    check_keeps_not_a_number,
    check_takes_nothing,
    check_first_record_stays,
    check_put_is_all_or_nothing,
    check_many_keys_at_once,
    check_finds_by_name,
    check_finds_by_plan,
    check_newest_notes_of_a_plan_hold,
    check_tells_how_far_plans_are,
    check_a_claim_is_for_one,
    check_a_recorded_fold_is_not_free,
    check_a_claim_runs_out,
    check_threads_share_the_work,
    check_processes_share_the_work,
)
