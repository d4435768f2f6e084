"""terminal.py DIALOGUE COMMAND...: runs a command on a terminal of its own and talks to it.

Each line of DIALOGUE is text to wait for, a bar, and what is then typed, with Python's escapes. All that the command prints is
printed; the exit code is the command's, or 99 when it did not say what was waited for.
"""
import os
import pty
import select
import sys
import time

PATIENCE_SECONDS = 60

dialogue = [line.rstrip("\n").split("|", 1) for line in open(sys.argv[1])]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])


def read_until(wanted):
    said = b""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end and (wanted is None or wanted not in said):
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # the command has ended
                return wanted is None
            said += piece
            os.write(1, piece)
    return wanted is not None and wanted in said


for wait_for, typed in dialogue:
    if not read_until(wait_for.encode()):
        os.kill(pid, 9)
        sys.exit(99)
    os.write(terminal, typed.encode().decode("unicode_escape").encode())
read_until(None)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
