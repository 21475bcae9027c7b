#!/bin/sh
# Run the checks and a quick part of the tests on Python 3.12 and 3.13, where they are installed.
# Each version gets its own environment, .venv-<version>, with the locked requirements.
# Fails if a check or an installation fails. The last line names what passed, what failed and what
# is not installed. VERSIONS=3.13 runs one version.

cd "$(dirname "$0")/.." || exit 1
quick="tests/engine tests/ranking tests/bank tests/games"
passed="" failed="" absent=""

# A pyenv shim can be on the path for a version that is not selected: it exists and does not run.
python_of() {
    for candidate in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python; do
        if "$candidate" -c '' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

checks() {
    bin=$PWD/.venv-$1/bin
    "$bin/ruff" check . &&
        "$bin/lint-imports" &&
        "$bin/mypy" --python-version "$1" &&
        (cd examples/three-card-poker && "$bin/mypy" --python-version "$1") &&
        "$bin/pytest" -q tests/test_house.py &&
        "$bin/pytest" -q -x $quick
}

for version in ${VERSIONS:-3.12 3.13}; do
    if ! python=$(python_of "$version"); then
        absent="$absent $version"
        continue
    fi
    venv=.venv-$version
    echo "== $("$python" --version)"
    if ! make --no-print-directory VENV="$venv" PYTHON="$python" "$venv/.dev-ready"; then
        echo "Python $version: the locked requirements cannot be installed, see above."
        failed="$failed $version"
    elif checks "$version"; then
        passed="$passed $version"
    else
        failed="$failed $version"
    fi
done

echo "Python versions passed:${passed:- none}; failed:${failed:- none}; not installed:${absent:- none}."
[ -z "$failed" ]
