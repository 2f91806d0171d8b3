"""Let ``python -m manyminds`` be the command line."""

from manyminds.cli.main import main

main()
