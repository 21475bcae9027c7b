"""Bundles the vendored libraries and updates VENDOR.md (`make vendor`).

The bundles are committed, so playing needs neither node nor npm. VENDOR.md lists them: versions
come from package.json, checksums from the files.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "tapisvert" / "web" / "static"
PAGE = STATIC / "vendor" / "VENDOR.md"
BUNDLES = {"vendor/lit.js": "lit-html", "vendor/signals.js": "@preact/signals-core"}
_ROW = re.compile(
    r"^\| `(?P<file>[^`]+)` \| (?P<name>[^|]+) \| (?P<version>[^|]+) \| (?P<licence>[^|]+)"
    r" \| `(?P<sha256>[0-9a-f]*)` \|$",
    re.MULTILINE,
)


def versions() -> dict[str, str]:
    """Return the exact version of every package in package.json."""
    asked = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    found: dict[str, str] = asked["devDependencies"]
    return found


def bundle(file: str) -> bytes:
    """Make one bundle from its entry file; keep licence comments."""
    package = BUNDLES[file]
    banner = f"/*! {package} {versions()[package]}, licence: see VENDOR.md */"
    made = subprocess.run(
        [
            Path(sys.executable).with_name("node"),  # node from the wheel; none may be on PATH
            "node_modules/esbuild/bin/esbuild",
            f"tools/{file}",
            "--bundle",
            "--minify",
            "--format=esm",
            "--target=es2022",
            "--charset=utf8",
            "--legal-comments=eof",
            f"--banner:js={banner}",
        ],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    return made.stdout


def rows(page: str) -> dict[str, Mapping[str, str]]:
    """Return the row of each file in VENDOR.md."""
    return {row["file"]: row.groupdict() for row in _ROW.finditer(page)}


def sha256(file: str) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256((STATIC / file).read_bytes()).hexdigest()


def up_to_date(page: str) -> str:
    """Return VENDOR.md with current versions and checksums; a font keeps its version."""

    def row(told: re.Match[str]) -> str:
        file, name = told["file"], told["name"]
        version = versions()[BUNDLES[file]] if file in BUNDLES else told["version"]
        return f"| `{file}` | {name} | {version} | {told['licence']} | `{sha256(file)}` |"

    return _ROW.sub(row, page)


def main() -> None:
    """Write the bundles and VENDOR.md."""
    for file in BUNDLES:
        (STATIC / file).write_bytes(bundle(file))
    PAGE.write_text(up_to_date(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
