"""`python -m tapisvert.cli` is `tapis`."""

from tapisvert.cli import main

if __name__ == "__main__":  # worker processes import this module too
    main()
