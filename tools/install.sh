#!/bin/sh
# Install packages into an environment: tools/install.sh .venv -r requirements/run.txt
# uv does it in a third of pip's time. It comes with the environment, by pip, at the version and
# hash of requirements/dev.txt. uv does not read pip's configuration, so where it cannot install
# (a mirror that only pip knows) pip does.
set -e

bin=$1/bin
shift
lock=requirements/dev.txt

if [ ! -x "$bin/uv" ]; then
    only_uv=$(mktemp)
    sed -n '/^uv==/,/^    # via/p' "$lock" >"$only_uv"
    "$bin/pip" --disable-pip-version-check --quiet install --require-hashes -r "$only_uv" || true
    rm -f "$only_uv"
fi
"$bin/uv" pip install --python "$bin/python" --quiet --compile-bytecode "$@" ||
    { echo "Not installed by uv; again with pip ..." &&
        "$bin/pip" --disable-pip-version-check --quiet install "$@"; }
