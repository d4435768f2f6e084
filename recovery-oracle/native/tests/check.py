#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs probe under powercut-reads, with lines watched, and compares what was read with what the way of reading should read."""
import argparse
import os
import signal
import struct
import subprocess
import sys
import tempfile

MAGIC = 0x3453444145524350
HEADER = "<QIIIIIII220s"
LINE = "<QQQQQQQ"
NODE = 24
MOST_TRAPS = 100000
SIZE = 65536
ALL = range(SIZE // 64)


def pages(*numbers):
    return {line for page in numbers for line in range(page * 64, page * 64 + 64)}


# Way: what must be read; what else may be, where that is more than nothing; how the program ends.
WAYS = {
    "loads": ({1, 3, 4, 5, 63, 64}, set(), 0),
    "stores": ({3}, set(), 0),
    "changes": ({1, 2, 3, 4, 5}, set(), 0),
    "flushes": (set(), set(), 0),
    "emulates": ({page * 64 + 5 for page in range(16)}, set(ALL), 0),  # after many traps all counts as read
    "moves": (set(), set(ALL), 0),  # what was stored is compared with what should have been
    "fills": (set(), set(ALL), 0),
    "locals": ({1}, set(), 0),
    "patches": ({1}, set(), 0),
    "rows": ({64, 65, 128, 193}, pages(1, 2, 3, 15), 0),
    "again": ({1, 65}, set(ALL), 0),
    "maps": ({1, 66}, set(), 0),
    "denies": ({67}, set(), 0),
    "fixes": ({130}, set(), 0),
    "sandboxed": ({1}, set(ALL), 0),
    "copies": ({10, 11, 12, 13, 20, 30, 192, 193}, set(), 0),
    "strings": ({2, 3, 4, 5, 6, 9, 11, 12}, set(), 0),
    "calls": ({1, 2, 65, 130, 192, 256, 257, 258}, pages(0, 3), 0),
    "faults": ({1, 130}, {128}, 0),
    "signals": ({1, 7, 65}, pages(0, 1), 0),
    "twice": ({67, 70, 129}, set(), 0),
    "moved": ({193}, set(ALL), 0),
    "forks": ({1, 66, 130}, set(), 0),
    "spawns": ({1, 3, 4, 5, 63, 64}, set(), 0),
    "threads": ({0, 65, 130, 195, 385}, pages(0, 1, 2, 3, 6), 0),
    "often": (set(range(8)), pages(0), 5),
    "dies": ({1}, set(), -signal.SIGABRT),
}

WHOLE = 2**64 - 1
# Way; lines with the bytes that are watched; what is read of them, in this order.
BYTES = (
    ("stores", {3: 0xFF00}, [(3, 0xFF00)]),
    ("stores", {3: 0x8000}, [(3, 0x8000)]),
    ("stores", {3: 0x00FF}, []),
    ("stores", {3: 0xFF << 16}, []),
    ("stores", {3: WHOLE}, [(3, 0xFF00)]),
    ("loads", {5: WHOLE, 4: WHOLE, 3: WHOLE, 1: WHOLE}, [(1, 0xFF), (3, 1 << 63), (4, 3 << 62), (5, 3)]),
    ("parts", {1: WHOLE, 2: WHOLE, 3: WHOLE, 4: WHOLE}, [(4, 1), (2, 0xFF0), (1, 0xFFFF << 16), (3, 1 << 7 | 0xF << 60)]),
)


def shown(lines):
    """The first of them."""
    return "%s of %d" % (sorted(lines)[:20], len(lines))


def watch(program, path, lines, command, bytes_of=lambda line: 2**64 - 1, room=0):
    """The ending, whether all is known, why not, and of the lines that were read the bytes, in the order of reading."""
    status = os.stat(path)
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(path)) as file:
        file.write(struct.pack(HEADER, MAGIC, len(lines), 0, MOST_TRAPS if room else 0, room, 0, 0, 0, b""))
        for line in lines:
            file.write(struct.pack(LINE, status.st_dev, status.st_ino, line * 64, bytes_of(line), 0, 0, 0))
        file.write(bytes(room * NODE))
        file.flush()
        done = subprocess.run([program, file.name] + command, capture_output=True, text=True, timeout=60)
        with open(file.name, "rb") as answers:
            data = answers.read()
    _, _, state, _, _, _, _, _, reason = struct.unpack_from(HEADER, data)
    size = struct.calcsize(HEADER)
    answers = {line: struct.unpack_from(LINE, data, size + i * struct.calcsize(LINE))[4:6] for i, line in enumerate(lines)}
    read = sorted((turn, line, read) for line, (read, turn) in answers.items() if read)
    return done, state == 1, reason.rstrip(b"\0").decode(), {line: read for _, line, read in read}


def check_bytes(arguments, folder):
    """Which bytes are read, of those that are watched, and in which order."""
    path = os.path.join(folder, "pm")
    with open(path, "wb") as file:
        file.truncate(SIZE)
    wrong = []
    for way, watched, expected in BYTES:
        command = [os.path.join(arguments.bin, "probe"), path, way]
        _, is_known, reason, read = watch(arguments.program, path, sorted(watched), command, lambda line: watched[line])
        if not is_known or list(read.items()) != expected:
            wrong.append("bytes of way %s: read %s, not %s %s" % (way, list(read.items()), expected, reason))
    return wrong


# A program that knows nothing of lines: checksums, searches, loops over numbers, stores and copies.
OTHER = """
import hashlib, mmap, re, struct, sys, zlib
with open(sys.argv[1], "r+b") as file:
    pm = mmap.mmap(file.fileno(), 0)
    print(zlib.crc32(pm), zlib.adler32(pm), hashlib.sha256(pm).hexdigest(), len(re.findall(rb"[a-m]+", pm)))
    print(pm.find(b"77"), pm.rfind(b"zz"), sum(number * 3 for number, in struct.iter_unpack("<I", pm)))
    pm[100:5000] = bytes(range(196)) * 25
    pm.move(30000, 100, 10000)
    for at in range(8, 60000, 1009):
        struct.pack_into("<Q", pm, at, struct.unpack_from("<Q", pm, at - 8)[0] // 7)
    print(hashlib.md5(pm).hexdigest(), sorted(pm[:4096])[::64])
"""


def check_other(arguments, folder):
    """A program does the same whether it is watched or not: its instructions are executed in its place."""
    path = os.path.join(folder, "other")
    command = [sys.executable, "-c", OTHER, path]
    content = bytes((at * at * 31 + at // 7) % 251 for at in range(SIZE))

    def result(run):
        with open(path, "wb") as file:
            file.write(content)
        done = run()
        with open(path, "rb") as file:
            return done.returncode, done.stdout, file.read()

    expected = result(lambda: subprocess.run(command, capture_output=True, text=True))
    wrong = [] if expected[0] == 0 else ["another program does not run"]
    for step in (1, 5, 64):
        for room in (0, 1 << 16):
            seen = result(lambda: watch(arguments.program, path, range(0, SIZE // 64, step), command, room=room)[0])
            if seen != expected:
                wrong.append("another program, each line of %d, room %d: %s" % (step, room, seen[:2]))
    return wrong


def check(arguments, probe, way, lines, folder):
    must, may, ending = WAYS[way]
    path = os.path.join(folder, "pm")
    with open(path, "wb") as file:
        file.truncate(SIZE)
    done, is_known, reason, read = watch(arguments.program, path, lines, [os.path.join(arguments.bin, probe), path, way])
    problems = []
    if done.returncode != ending:
        problems.append("ended with %d, not %d" % (done.returncode, ending))
    if ending == 0 and not done.stdout.endswith("done\n"):
        problems.append("printed %r" % done.stdout)
    if not is_known:
        problems.append("is not known: " + reason)
    watched = set(lines)
    if (must & watched) - set(read):
        problems.append("missed %s" % shown((must & watched) - set(read)))
    if set(read) - must - may:
        problems.append("too many: %s %s" % (shown(set(read) - must - may), reason))
    return ["%s %s: %s %s" % (probe, way, problem, done.stderr.strip()) for problem in problems]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    problems, count = [], 0
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for probe in ("probe", "probe-O2", "probe-static"):
            for way in WAYS:
                if arguments.only and arguments.only != way:
                    continue
                # All lines; a few of each page, so that pages open soon; those that are read, and all others.
                must = WAYS[way][0]
                few = sorted({line for line in ALL if line % 64 in (1, 2, 3, 8)} | must)
                for lines in (list(ALL), few, sorted(must), sorted(set(ALL) - must)):
                    problems += check(arguments, probe, way, lines, folder)
                    count += 1
        problems += check_bytes(arguments, folder)
        problems += check_other(arguments, folder)
    for problem in problems:
        print(problem)
    print("powercut-reads: %d tests, %d failed" % (count, len(problems)))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
