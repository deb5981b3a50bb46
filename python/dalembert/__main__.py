"""python -m dalembert: the program, as the command `dalembert` runs it."""

import os
import sys

from ._program import program


def main() -> None:
    path = program()
    os.execv(path, ["dalembert", *sys.argv[1:]])


if __name__ == "__main__":
    main()
