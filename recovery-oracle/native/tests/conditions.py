#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what powercut-reads says of other files: a recovery does the same on them.

judge.c looks at a file, and some of its bytes are replaced. Where those that count as read are as they were, and the
conditions hold on the others, it has to say the same.
"""
import argparse
import os
import random
import struct
import subprocess
import sys
import tempfile

from check import HEADER, LINE, MAGIC

NODE = "<BBBBIIIQ"
ROOM = 8192
LINES = 8
MASK = 2**64 - 1
(CONSTANT, BYTES, ADDITION, SUBTRACTION, CONJUNCTION, DISJUNCTION, EXCLUSIVE, PRODUCT, SHIFT_LEFT, SHIFT_RIGHT, SIGN,
 CONDITION_SUBTRACTION, CONDITION_ADDITION, CONDITION_LOGIC) = range(14)
# Of which it has to be known that it does the same on most files.
FOLLOWED = ("checksum", "lanes")


def fletcher(words):
    low = high = 0
    for word in words:
        for half in (word & 0xFFFFFFFF, word >> 32):
            low = (low + half) & 0xFFFFFFFF
            high = (high + low) & 0xFFFFFFFF
    return high << 32 | low


def content(source, way):
    """Words that are often equal, small, or right."""
    words = [source.choice((0, 1, 5, 51, 0x97, 77, source.getrandbits(64))) for _ in range(64)]
    if source.random() < 0.5:
        words[24:40] = words[8:24]
    if way == "lanes":
        for lane in range(4):
            words[16 * lane + 1:16 * lane + 3] = source.choice(((0, 0), (1, 2)))
            words[16 * lane] = fletcher(words[16 * lane + 1:16 * lane + 8]) if source.random() < 0.5 else 1
    elif source.random() < 0.5:
        words[0] = fletcher(words[8:24]) if way != "vectors" else sum(words[8:40]) & MASK
    return words


def flags_hold(kind, code, size, left, right):
    bits = 8 * size
    mask, top = 2**bits - 1, bits - 1
    result, carry, overflow = left, False, False
    if kind == CONDITION_SUBTRACTION:
        result = (left - right) & mask
        carry = left < right
        overflow = ((left ^ right) & (left ^ result)) >> top & 1 != 0
    elif kind == CONDITION_ADDITION:
        result = (left + right) & mask
        carry = result < left
        overflow = (~(left ^ right) & (left ^ result)) >> top & 1 != 0
    zero, sign = result == 0, result >> top & 1 != 0
    holds = (overflow, carry, zero, carry or zero, sign, bin(result & 0xFF).count("1") % 2 == 0, sign != overflow,
             zero or sign != overflow)[code >> 1]
    return holds != bool(code & 1)


def hold(nodes, data):
    """Whether all conditions hold on other content."""
    values = [0]
    for kind, at, size, _, left, right, _, value in nodes:
        if kind == BYTES:
            was = value.to_bytes(8, "little")
            now = bytes(data[64 * left + at + i] if right >> i & 1 else was[i] for i in range(size))
            values.append(int.from_bytes(now, "little"))
            continue
        one, other = (values[left], values[right]) if kind != CONSTANT else (0, 0)
        if kind >= CONDITION_SUBTRACTION:
            if flags_hold(kind, at, size, one, other) != bool(value):
                return False
            values.append(value)
            continue
        extended = (one ^ 1 << 8 * size - 1) - (1 << 8 * size - 1) if kind == SIGN else 0
        values.append((value, None, one + other, one - other, one & other, one | other, one ^ other, one * other,
                       one << at, one >> at, extended)[kind] & MASK)
    return True


def watch(program, path, command):
    """What it printed, what counts as read of each line, and the nodes."""
    status = os.stat(path)
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(path)) as file:
        file.write(struct.pack(HEADER, MAGIC, LINES, 0, 0, ROOM, 0, 0, 0, b""))
        for line in range(LINES):
            file.write(struct.pack(LINE, status.st_dev, status.st_ino, line * 64, MASK, 0, 0, 0))
        file.write(bytes(ROOM * struct.calcsize(NODE)))
        file.flush()
        done = subprocess.run([program, file.name] + command, capture_output=True, timeout=60)
        with open(file.name, "rb") as answers:
            data = answers.read()
    header = struct.unpack_from(HEADER, data)
    size = struct.calcsize(HEADER)
    reads = [struct.unpack_from(LINE, data, size + i * struct.calcsize(LINE))[4] for i in range(LINES)]
    size += LINES * struct.calcsize(LINE)
    nodes = [struct.unpack_from(NODE, data, size + i * struct.calcsize(NODE)) for i in range(header[5])]
    problem = "" if header[2] == 1 else "not known: %s" % header[8].rstrip(b"\0").decode()
    return (done.returncode, done.stdout), reads, nodes, problem or ("%d wrong" % header[6] if header[6] else "")


def other(source, words, way):
    """The same with a few words as they are in another one."""
    changed = list(words)
    from_there = content(source, way)
    for _ in range(source.choice((1, 1, 2, 5, 64))):
        place = source.randrange(64)
        changed[place] = from_there[place]
    return changed


def write(path, words):
    with open(path, "r+b") as file:
        file.write(struct.pack("<64Q", *words))


def check(arguments, command, way, path, trials):
    source = random.Random(way + str(command[:1]))
    alike = tried = 0
    for _ in range(trials):
        words = content(source, way)
        write(path, words)
        said, reads, nodes, problem = watch(arguments.program, path, command)
        if problem or said[0] != 0:
            return ["%s: ended with %d %s" % (command, said[0], problem)], 0
        was = struct.pack("<64Q", *words)
        for _ in range(12):
            now = struct.pack("<64Q", *other(source, words, way))
            is_read = any(was[i] != now[i] and reads[i // 64] >> i % 64 & 1 for i in range(512))
            if was == now:
                continue
            tried += 1
            if is_read or not hold(nodes, now):
                continue
            alike += 1
            with open(path, "r+b") as file:
                file.write(now)
            done = subprocess.run(command, capture_output=True, timeout=60)
            if (done.returncode, done.stdout) != said:
                return ["%s says %s on a file that should be like one with %s" % (command, done.stdout, said[1])], 0
    return [], alike / max(1, tried)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--trials", type=int, default=6)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    problems, count = [], 0
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = os.path.join(folder, "pm")
        with open(path, "wb") as file:
            file.truncate(4096)
        ways = subprocess.run([os.path.join(arguments.bin, "judge")], capture_output=True, text=True).stdout.split()
        for judge in ("judge", "judge-O2", "judge-O3", "judge-static"):
            for way in ways:
                if arguments.only and arguments.only != way:
                    continue
                found, share = check(arguments, [os.path.join(arguments.bin, judge), path, way], way, path,
                                     arguments.trials)
                if not found and share < 0.3 and way in FOLLOWED and judge != "judge":
                    found = ["%s %s: only %.2f of the files are known to be alike" % (judge, way, share)]
                problems += found
                count += 1
        script = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "recovery.py"), path]
        problems += check(arguments, script, "python", path, 2)[0]
    for problem in problems:
        print(problem)
    print("powercut-reads: %d tests of conditions, %d failed" % (count + 1, len(problems)))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
