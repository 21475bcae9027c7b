"""Bundles browser modules into one script, for self-contained pages.

Each module becomes a function that returns its exports. Each has its own scope, so two modules may
define the same name. Only the forms of import and export that our modules use are supported; any
other raises an error.
"""

from __future__ import annotations

import base64
import hashlib
import posixpath
import re
from collections.abc import Callable

Read = Callable[[str], str]  # the text of a module, by its path

_IMPORT = re.compile(r"^import\s+([^;'\"`]+?)\s+from\s+'([^']+)';\n", re.MULTILINE)
_EXPORT = re.compile(
    r"^((?:/\*\*.*\*/ )?)export (?=(?:async function|const|function|class) (\w+))", re.MULTILINE
)
_DEFAULT = re.compile(r"^export default (?!async |function|class )", re.MULTILINE)
_NAME = re.compile(r"(\w+)(?: as (\w+))?")
_DEFAULT_NAME = "exportedByDefault"


def bundle(entry: str, read: Read) -> str:
    """Return a module and all it imports as one script; imported modules come first."""
    found: dict[str, str | None] = {}
    _gather(entry, read, found)
    return "const bundledModules = {};\n" + "\n".join(module or "" for module in found.values())


def _gather(path: str, read: Read, found: dict[str, str | None]) -> None:
    """Add a module after those it imports; None marks a module that is being read."""
    if path in found:
        if found[path] is None:
            raise ValueError(f"{path} imports itself by way of others")
        return
    found[path] = None
    module = read(path)
    for _, target in _IMPORT.findall(module):
        _gather(_beside(path, target), read, found)
    del found[path]  # reinserted below, after its imports
    found[path] = scoped(path, module)


def _beside(path: str, target: str) -> str:
    """Resolve an import path relative to a module."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def scoped(path: str, module: str) -> str:
    r"""Return a module wrapped in a function; its exports are stored under its path.

    >>> print(scoped("b.js", "import { one as two } from './a.js';\nexport const three = two + 2;"))
    bundledModules['b.js'] = (() => {
    const { one: two } = bundledModules['a.js'];
    const three = two + 2;
    return { three };
    })();
    """

    def taken(found: re.Match[str]) -> str:
        return f"const {_pattern(found[1])} = bundledModules['{_beside(path, found[2])}'];\n"

    names = [found[2] for found in _EXPORT.finditer(module)]
    if _DEFAULT.search(module):
        names.append(f"default: {_DEFAULT_NAME}")
    body = _escaped(_bare(_IMPORT.sub(taken, module)))
    return f"bundledModules['{path}'] = (() => {{\n{body}\nreturn {{ {', '.join(names)} }};\n}})();"


def _pattern(imported: str) -> str:
    """Return the names of an import as an object destructuring pattern.

    >>> _pattern("{ best, rankOf as rank }")
    '{ best, rankOf: rank }'
    >>> _pattern("settlement")
    '{ default: settlement }'
    """
    if imported.isidentifier():
        return f"{{ default: {imported} }}"
    names = [each.strip() for each in imported.strip("{} \n").rstrip(",").split(",")]
    found = [_NAME.fullmatch(name) for name in names]
    if not imported.startswith("{") or not all(found):
        raise ValueError(f"cannot bundle: import {imported}")
    return f"{{ {', '.join(': '.join(filter(None, each.groups())) for each in found if each)} }}"


def _bare(module: str) -> str:
    """Return a module without its imports and `export` keywords; raise on an unknown form."""
    bare = _DEFAULT.sub(f"const {_DEFAULT_NAME} = ", _EXPORT.sub(r"\1", module))
    for line in bare.splitlines():
        if re.match(r"(?:export|import)\b(?!\()", line):
            raise ValueError(f"cannot bundle: {line}")
    return bare


def _escaped(text: str) -> str:
    """Escape a script, so that no text in it can close the enclosing element."""
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")


def inline(module: str) -> str:
    r"""Return a module without imports as part of an inline script.

    >>> print(inline("export const end = '</script>';"))
    const end = '<\/script>';
    """
    return _escaped(_bare(module))


def put(page: str, marker: str, text: str) -> str:
    """Replace a marker in a page by a text."""
    before, found, after = page.partition(marker)
    if not found or marker in after:
        raise ValueError(f"the page must hold {marker} once")
    return before + text + after


def allowed(text: str) -> str:
    """Return the Content-Security-Policy hash source of an inline script or style.

    >>> allowed("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
