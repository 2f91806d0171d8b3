"""``manyminds warm-up`` says what it compiled, how long it took and where it is."""

import json

import numba
import pytest

COMMAND = "warm-up"


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="is about compiling")
def test_a_second_run_has_nothing_to_compile(call):
    code, out, err = call("--json")
    first = json.loads(out)
    assert code == 0
    assert first["cold"] == [] and first["failures"] == {}
    assert first["n_cached"] >= len(first["kernels"])
    assert "warm-up: 100% of the calls made" in err

    for _ in range(5):  # a test in another process may compile at the same time
        code, out, _ = call()
        assert code == 0
        if "Nothing was left to compile: checked in" in out:
            break
    else:
        pytest.fail(out)
    n = len(first["kernels"])
    assert f"Of {n} functions {n} are cached, for " in " ".join(out.split())
    assert first["folder"] in out.replace("\n", "")


def test_bad_input_gets_a_sentence(call, monkeypatch):
    code, _, err = call("--jobs", 0)
    assert code == 2 and "--jobs must be from 1 to 1024" in err
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    code, _, err = call()
    assert code == 2 and "NUMBA_DISABLE_JIT is set" in err


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="is about compiling")
def test_failures_are_shown_and_end_with_code_1(call, monkeypatch):
    from manyminds.workflows.warm_up_calls import WAVES, Fit

    bad = Fit("trees.MDLTreeClassifier", parameters={"max_bins": 1})
    monkeypatch.setattr(
        "manyminds.workflows.warm_up.WAVES", ({"bad": (bad,)}, *WAVES[2:])
    )
    code, out, _ = call()
    assert code == 1
    assert "Failed: trees.MDLTreeClassifier" in out and "max_bins" in out
