"""`python -m tapisvert.cli` is `tapis`."""

from tapisvert.cli import main

main()
