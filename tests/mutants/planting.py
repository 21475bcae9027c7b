"""Activation of a mutant, in a process that is about to end.

A mutation inside a function replaces the code object of the function, which others have already
imported. A mutation in code that runs at import needs a process without the module.
"""

from __future__ import annotations

import importlib.abc
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, FunctionType, ModuleType

from mutants.mutant import SOURCE, Mutant


def plant(mutant: Mutant) -> None:
    """Activate a mutant in this process, permanently."""
    if mutant.planted_in is None:
        loaded = module_of(mutant)
        assert loaded not in sys.modules, f"{loaded} has run already"
        sys.meta_path.insert(0, _Finder(mutant))
        return
    function = _function(sys.modules[module_of(mutant)], mutant.planted_in)
    code = _code(mutant.site.code(mutant.path), mutant.planted_in)
    assert code != function.__code__, f"{mutant.name} changes nothing"
    function.__code__ = code


def module_of(mutant: Mutant) -> str:
    """Return the dotted name of a mutant's module."""
    parts = mutant.path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


class _Loader(SourceFileLoader):
    """Loads the mutant of a module, without a bytecode file."""

    def __init__(self, name: str, mutant: Mutant) -> None:
        super().__init__(name, str(mutant.path))
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        return self._mutant.site.code(self._mutant.path)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the mutant in place of the module."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != module_of(self._mutant):
            return None
        loader = _Loader(name, self._mutant)
        return spec_from_file_location(name, self._mutant.path, loader=loader)


def _function(module: ModuleType, name: str) -> FunctionType:
    found: object = module
    for part in name.split("."):
        found = vars(found)[part]
    if isinstance(found, property):
        found = found.fget
    found = getattr(found, "__wrapped__", found)  # a cache around it
    assert isinstance(found, FunctionType), name
    return found


def _code(outer: CodeType, name: str) -> CodeType:
    inside = [const for const in outer.co_consts if isinstance(const, CodeType)]
    for each in inside:
        if each.co_qualname == name:
            return each
        if name.startswith(f"{each.co_qualname}."):
            return _code(each, name)
    raise LookupError(name)
