"""Check a built release: contents, licenses, a clean installation, known weaknesses.

`make release-check` builds the wheel and calls this script with its path. Only the
standard library and pip are used, and nothing of the repository but the wheel.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

EXTRAS = "parquet,postgresql,cluster,serve,xlsx,onnx"  # installed for the demo
ALL_EXTRAS = f"{EXTRAS},ray,boosters"  # whose licenses are checked
NEEDED = ("manyminds/py.typed", "manyminds/__init__.py", "manyminds/cli/main.py")

# Words of license expressions, of the field License and of classifiers.
PERMISSIVE = re.compile(
    r"MIT|MIT-0|MIT-CMU|HPND|0BSD|Zlib|CC0-1\.0|Unlicense|PSF-2\.0|Python-2\.0"
    r"|BSD|BSD-[23]-Clause|(new |modified |[23]-Clause )?BSD( [23]-Clause)?( License)?"
    r"|ISC|ISC License( \(ISCL\))?|MIT License"
    r"|Apache[- ]2\.0|Apache License, Version 2\.0|Apache Software License"
    r"|Python Software Foundation License",
    re.IGNORECASE,
)
# An exception of this kind adds a permission to the license before it.
PERMITTED = re.compile(r" WITH (LLVM-exception|GCC-exception-3\.1)")
# Packages whose license is not permissive or not in their metadata, and why they may
# be used.
KNOWN = {
    "certifi": "MPL-2.0: comes with Ray's requests, used unchanged as a list",
    "skops": "MIT by its file LICENSE; its metadata name none",
    "tqdm": "MPL-2.0 and MIT: comes with Optuna, used unchanged as a library",
}


def main() -> None:
    """Run all checks; the first that fails ends the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    wheel = parser.parse_args().wheel.resolve()
    say("contents", check_contents(wheel))
    say("licenses", check_licenses(resolve_metadata(wheel)))
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        python = install(wheel, Path(folder) / "environment")
        say("installed", run(python, "-m", "manyminds", "--version", cwd=folder))
        say("types", check_types(python, folder))
        demo = run(python, "-m", "manyminds.demo", cwd=folder, timeout=900)
        say("demo", demo.strip().splitlines()[-1])
        say("audit", audit(python, folder))


def say(step: str, result: str) -> None:
    """Print the result of a step."""
    print(f"{step:>10}: {result.strip()}", flush=True)


def check_contents(wheel: Path) -> str:
    """Check that a wheel has all files of the package, and nothing but the package."""
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(file.read(about).decode())
    missing = [name for name in NEEDED if name not in names]
    if "License-File" not in metadata or not metadata["License-Expression"]:
        missing.append("a license")
    strange = [name for name in names if not name.startswith("manyminds")]
    if missing or strange:
        sys.exit(f"{wheel.name} lacks {missing} and should not have {strange}.")
    if re.search(r"dev|rc|a\d|b\d", metadata["Version"]):
        sys.exit(f"{metadata['Version']} is not the version of a release.")
    return f"{len(names)} files, version {metadata['Version']}"


def resolve_metadata(wheel: Path) -> list[dict]:
    """Return the metadata of the wheel and of all its dependencies, from pip."""
    wanted = f"manyminds[{ALL_EXTRAS}] @ {wheel.as_uri()}"
    words = "install --dry-run --ignore-installed --quiet --report -".split()
    report = json.loads(run(sys.executable, "-m", "pip", *words, wanted, timeout=900))
    return [one["metadata"] for one in report["install"]]


def check_licenses(packages: list[dict]) -> str:
    """Check that all packages have a permissive license, or are known."""
    exceptions = []
    for one in packages:
        licenses = list_licenses(one)
        if licenses and all(is_permissive(text) for text in licenses):
            continue
        name = one["name"].lower()
        if name not in KNOWN:
            sys.exit(f"{name} has no permissive license: {licenses or 'none named'}.")
        exceptions.append(f"{name} ({KNOWN[name]})")
    return f"{len(packages)} packages, permissive but for {'; '.join(exceptions) or 0}"


def list_licenses(package: dict) -> list[str]:
    """Return the licenses of a package, by the most exact of its fields."""
    if expression := package.get("license_expression"):
        return [expression]
    marks = [one for one in package.get("classifier", []) if "License ::" in one]
    marks = [one.split(" :: ")[-1] for one in marks]
    stated = (package.get("license") or "").strip()
    if stated and "\n" not in stated:  # else it is the text of the license
        return [stated]
    return [one for one in marks if one != "OSI Approved"]


def is_permissive(expression: str) -> bool:
    """Return whether a license, or an expression of SPDX, is permissive.

    Of licenses joined by OR, one is enough.
    """
    plain = PERMITTED.sub("", expression).replace("(", "").replace(")", "")
    choices = plain.split(" OR ") if " OR " in plain else [plain]
    return any(
        all(PERMISSIVE.fullmatch(part.strip()) for part in choice.split(" AND "))
        for choice in choices
    )


def install(wheel: Path, folder: Path) -> str:
    """Install the wheel in a new environment; return the path of its Python."""
    venv.create(folder, with_pip=True)
    python = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    wanted = f"manyminds[{EXTRAS}] @ {wheel.as_uri()}"
    run(python, "-m", "pip", "install", "--quiet", wanted, timeout=1800)
    run(python, "-m", "pip", "check")
    return python


def check_types(python: str, folder: str) -> str:
    """Check that the package is imported from the environment, with its types."""
    code = "import manyminds, pathlib; print(pathlib.Path(manyminds.__file__).parent)"
    place = Path(run(python, "-c", code, cwd=folder).strip())
    if not place.is_relative_to(folder) or not (place / "py.typed").exists():
        sys.exit(f"manyminds is imported from {place}, or has no py.typed.")
    return "py.typed is installed"


def audit(python: str, folder: str) -> str:
    """Look up known weaknesses of what is installed, as far as the network allows."""
    listed = Path(folder) / "installed.txt"
    frozen = run(python, "-m", "pip", "freeze", "--exclude", "manyminds")
    listed.write_text("\n".join(one for one in frozen.splitlines() if "@" not in one))
    words = "--no-deps --disable-pip --progress-spinner off --format json".split()
    command = [sys.executable, "-m", "pip_audit", *words, "-r", str(listed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    try:
        found = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        last = (done.stderr.strip().splitlines() or ["no output"])[-1]
        return f"NOT DONE, pip-audit cannot run here ({last})"
    weak = [f"{one['name']} {one['version']}" for one in found if one.get("vulns")]
    if weak:
        sys.exit(f"Known weaknesses: {', '.join(weak)}. pip-audit shows more.")
    n_skipped = sum("skip_reason" in one for one in found)
    if n_skipped == len(found):
        return "NOT DONE, the database of weaknesses cannot be reached from here"
    return f"{len(found) - n_skipped} packages, no known weakness; {n_skipped} skipped"


def run(*command: str, cwd: str | None = None, timeout: float = 300) -> str:
    """Run a command without the repository on its path; return its output."""
    hidden = ("PYTHONPATH", "PYTHONHOME", "MANYMINDS_STORE", "MANYMINDS_DATA")
    env = {name: text for name, text in os.environ.items() if name not in hidden}
    done = subprocess.run(
        command, cwd=cwd, env=env, timeout=timeout, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
