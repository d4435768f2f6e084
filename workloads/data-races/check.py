#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each program with powercut cc, racy and correct, at -O0 and -O2, runs it, and compares the reported races.

A line of a racy program that ends with the comment "race 1" is one place of race 1; a race with one place is one of that
line with itself. "race 1 hmtrace" is found by that detector only.

  ./check.py [PROGRAM...]
"""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.join(HERE, "../../race-runtime")
BUILD = os.path.join(HERE, "build")
DETECTORS = os.environ.get("DETECTORS", "hmtrace kard").split()


def expected(source, detector):
    races = {}
    with open(source, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            found = re.search(r"/\* race (\d+)(?: (\w+))? \*/", line)
            if found and found.group(2) in (None, detector):
                races.setdefault(found.group(1), set()).add(number)
    return {tuple(sorted(places)) if len(places) > 1 else tuple(places) * 2 for places in races.values()}


def line_of(program, source, stack):
    """The line of the innermost frame that is in the source."""
    for module, offset in stack:
        text = subprocess.run(["addr2line", "-i", "-e", program, hex(offset)], capture_output=True, text=True, check=True)
        for place in text.stdout.split("\n"):
            name, _, line = place.partition(" ")[0].rpartition(":")
            if module == 0 and os.path.basename(name) == os.path.basename(source):
                return int(line)
    return 0


def reported(program, source, path):
    races = set()
    with open(path, encoding="utf-8") as lines:
        for text in lines:
            line = json.loads(text)
            if line["line"] == "race" and not line.get("unconfirmed"):
                races.add(tuple(sorted(line_of(program, source, line[side]["stack"]) for side in ("first", "second"))))
    return races


def is_openmp(source):
    return os.path.basename(os.path.dirname(source)) == "openmp"


def check(source, detector, option, correct):
    name = os.path.splitext(os.path.relpath(source, HERE))[0].replace("/", "-")
    program = os.path.join(BUILD, name + "-" + detector + option + ("-correct" if correct else ""))
    what = "%s %s%s with %s" % (name, option, " correct" if correct else "", detector)
    compiler = [os.path.join(RUNTIME, "compiler"), "c++" if source.endswith(".cpp") else "cc"]
    flags = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-pthread"] + (["-DCORRECT"] if correct else [])
    flags += ["-fopenmp"] if is_openmp(source) else []
    subprocess.run(compiler + flags + [option, source, "-o", program], check=True)
    path = program + "." + detector + ".json"
    if os.path.exists(path):
        os.remove(path)
    environment = dict(os.environ, POWERCUT_RACES=path, POWERCUT_RACE_DETECTOR=detector)
    try:
        result = subprocess.run([program], env=environment, timeout=60)
    except subprocess.TimeoutExpired:
        return what + ": it hangs"
    if result.returncode != 0:
        return "%s: it ends with %d" % (what, result.returncode)
    wanted = set() if correct else expected(source, detector)
    races = reported(program, source, path)
    # A statement that reads and writes is one place; its read and its write may each be reported.
    if races != wanted and not (races >= wanted and all(any(set(race) <= set(one) for one in wanted) for race in races)):
        return "%s: reported lines %s, expected %s" % (what, sorted(races), sorted(wanted))
    return None


def accepted(option):
    """What is wrong if the compiler takes an option with which the runtime could not tell the truth."""
    command = [os.path.join(RUNTIME, "compiler"), "cc", option, "-c", "x.c"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 2 and "remedy: " in result.stderr and option in result.stderr:
        return None
    return "%s is not refused: %d %s" % (option, result.returncode, result.stderr)


def main():
    os.makedirs(BUILD, exist_ok=True)
    sources = [os.path.join(HERE, name) for name in sys.argv[1:]]
    sources = sources or sorted(glob.glob(HERE + "/*.c") + glob.glob(HERE + "/openmp/*.c") + glob.glob(HERE + "/*.cpp"))
    jobs = [(source, detector, option, correct)
            for source in sources for detector in DETECTORS for option in ("-O0", "-O2") for correct in (False, True)
            if correct or detector == "hmtrace" or not is_openmp(source)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [text for text in pool.map(lambda job: check(*job), jobs) if text]
    failures += filter(None, map(accepted, ("-static", "-fopenacc")))
    for text in failures:
        print("data-races: " + text)
    if failures:
        sys.exit(1)
    print("data-races: %d programs, racy and correct, at -O0 and -O2: as expected" % len(sources))


main()
