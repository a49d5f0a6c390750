"""`python -m kernelbench`, and the command that `pip install` puts on PATH."""

import os
import sys

from kernelbench._program import ProgramNotFoundError, environment, find_program


def main() -> int:
    """Becomes the program."""
    try:
        program = find_program()
    except ProgramNotFoundError as error:
        print(f"kernelbench: {error}", file=sys.stderr)
        return 3
    os.execve(program, [str(program), *sys.argv[1:]], environment())


if __name__ == "__main__":
    sys.exit(main())
