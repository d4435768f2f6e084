"""What the Python programs of the suite share: a file that is mapped, and the command line."""

import mmap
import os
import sys

PAGE = mmap.PAGESIZE


def main(program, bug):
    command, directory = sys.argv[1:]
    path = os.path.join(directory, "pool")
    if command == "create":
        with open(path, "wb") as file:
            file.truncate(program.SIZE)
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as pm:
        if command == "create":
            program.create(pm)
            pm.flush()
        elif command == "run":
            program.run(pm, bug)
        else:
            sys.exit(program.check(pm))
