"""The `tapis` command line."""

from tapisvert.cli.app import main as main
