"""`python -m tapisvert.cli` is `tapis`."""

from tapisvert.cli import main

if __name__ == "__main__":  # a server's processes import this too
    main()
