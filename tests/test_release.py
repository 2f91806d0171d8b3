"""A release has one version, and its checks find what is wrong with a wheel."""

import re
import tomllib
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import manyminds

ROOT = Path(__file__).parents[1]
METADATA = """Metadata-Version: 2.4
Name: manyminds
Version: {version}
License-Expression: BSD-3-Clause
License-File: LICENSE
"""


@pytest.fixture(scope="module")
def tool():
    """Return the script of ``make release-check``."""
    spec = spec_from_file_location("release_check", ROOT / "tools/release_check.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_wheel(folder, *, version="0.1.0", more=(), without=()):
    names = {"manyminds/py.typed", "manyminds/__init__.py", "manyminds/cli/main.py"}
    file = folder / "manyminds.whl"
    with zipfile.ZipFile(file, "w") as wheel:
        for name in (names | set(more)) - set(without):
            wheel.writestr(name, "")
        about = f"manyminds-{version}.dist-info/METADATA"
        wheel.writestr(about, METADATA.format(version=version))
    return file


def test_one_version_everywhere():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {manyminds.__version__}\n" in cited
    assert (Path(manyminds.__file__).parent / "py.typed").is_file()


def test_the_workflow_covers_what_is_declared():
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    marks = project["project"]["classifiers"]
    versions = {one.split()[-1] for one in marks if re.search(r":: 3\.\d+$", one)}
    assert versions == {"3.11", "3.12", "3.13", "3.14"}
    tested = set(re.findall(r'target: test, python: "([\d.]+)"', workflow))
    assert tested == versions
    targets = ("test-oldest", "test-deploy", "docs", "demo", "release-check")
    for word in (*targets, "macos-latest", "windows-latest"):
        assert word in workflow


def test_a_good_wheel_passes(tool, tmp_path):
    assert "version 0.1.0" in tool.check_contents(make_wheel(tmp_path))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"without": ["manyminds/py.typed"]}, "lacks .*py.typed"),
        ({"more": ["tests/test_x.py"]}, "should not have .*test_x"),
        ({"version": "0.1.0.dev0"}, "not the version of a release"),
    ],
)
def test_a_bad_wheel_is_refused(tool, tmp_path, wrong, message):
    with pytest.raises(SystemExit, match=message):
        tool.check_contents(make_wheel(tmp_path, **wrong))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", True),
        ("Apache-2.0 OR BSD-2-Clause", True),
        ("BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", True),
        ("GPL-3.0-or-later OR MIT", True),
        ("MIT License", True),
        ("3-Clause BSD License", True),
        ("Apache License, Version 2.0", True),
        ("MPL-2.0 AND MIT", False),
        ("GPL-3.0-or-later", False),
        ("LGPL-2.1", False),
        ("LicenseRef-NVIDIA-Proprietary", False),
        ("MIT AND GPL-2.0", False),
    ],
)
def test_licenses(tool, expression, expected):
    assert tool.is_permissive(expression) == expected


def test_the_most_exact_statement_of_a_license_counts(tool):
    text = "BSD 3-Clause\n\nCopyright ..."
    mark = "License :: OSI Approved :: BSD License"
    package = {"name": "x", "license": text, "classifier": [mark]}
    assert tool.list_licenses(package) == ["BSD License"]
    package["license_expression"] = "MIT"
    assert tool.list_licenses(package) == ["MIT"]
    assert "1 packages" in tool.check_licenses([package])


@pytest.mark.parametrize("package", [{"license": "GPL"}, {}])
def test_a_package_that_is_not_free_is_refused(tool, package):
    with pytest.raises(SystemExit, match="strange has no permissive license"):
        tool.check_licenses([{"name": "strange", **package}])
    known = tool.check_licenses([{"name": "tqdm", "license": "MPL-2.0 AND MIT"}])
    assert "tqdm" in known
