#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the backend `recorder` finds in programs that a usual compiler made (gcc -O1), and which correct twins it suspects.

  ./recorded.py [PROGRAM...]            locked instructions order threads
  ./recorded.py --relaxed [PROGRAM...]  they order nothing
  ./recorded.py --detector kard         KARD, not HMTRace
  ./recorded.py --check PROGRAM...      fails unless each race is found and no twin is suspected

Without names: all programs, pthread's and OpenMP's each in a row of the table in docs/data-races.md.
"""
import argparse
import concurrent.futures
import glob
import os
import subprocess
import sys

import check

RECORDED = os.path.join(check.RUNTIME, "recorded")
BUILD = os.path.join(check.BUILD, "recorded")


def compiled(source, correct):
    """The path of the program, or None if gcc does not make it."""
    program = os.path.join(BUILD, check.name_of(source) + ("-correct" if correct else ""))
    compiler = "g++" if source.endswith(".cpp") else "gcc"
    flags = ["-O1", "-g", "-w", "-pthread"] + (["-fopenmp"] if check.is_openmp(source) else [])
    flags += ["-DCORRECT"] if correct else []
    result = subprocess.run([compiler] + flags + [source, "-o", program, "-latomic"], capture_output=True)
    return program if result.returncode == 0 else None


def suspected(program, source, relaxed, detector):
    """The pairs of lines, or None if the run failed."""
    path = program + ".json"
    if os.path.exists(path):
        os.remove(path)
    environment = dict(os.environ, POWERCUT_RACES=path, POWERCUT_RACE_DETECTOR=detector,
                       POWERCUT_RACE_RELAXED="1" if relaxed else "0")
    try:
        result = subprocess.run([RECORDED, "--", program], env=environment, timeout=120, capture_output=True)
    except subprocess.TimeoutExpired:
        return None
    return check.reported(program, source, path, True) if result.returncode == 0 else None


def outcome(source, correct, relaxed, detector):
    """What is to be said of a program: found, missed, clean, suspected or failed."""
    program = compiled(source, correct)
    races = suspected(program, source, relaxed, detector) if program else None
    if races is None:
        return "failed"
    if correct:
        return "suspected" if races else "clean"
    # The optimiser joins lines of one statement and its neighbours, so any pair shows that the race was seen.
    return "found" if races else "missed"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--relaxed", action="store_true")
    arguments.add_argument("--detector", choices=("hmtrace", "kard"), default="hmtrace")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("programs", nargs="*")
    options = arguments.parse_args()
    os.makedirs(BUILD, exist_ok=True)
    sources = [os.path.join(check.HERE, name) for name in options.programs]
    sources = sources or sorted(sum((glob.glob(check.HERE + each) for each in ("/*.c", "/*.cpp", "/openmp/*.c")), []))
    jobs = [(source, correct, options.relaxed, options.detector) for source in sources for correct in (False, True)
            if correct or check.Expected(source, options.detector).pairs]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(jobs, pool.map(lambda job: outcome(*job), jobs)))
    wrong = [(job, result) for job, result in results.items() if result not in ("found", "clean")]
    for (source, correct, *_), result in wrong:
        print("recorded: %s%s: %s" % (check.name_of(source), " correct" if correct else "", result))
    if options.check:
        if wrong:
            sys.exit(1)
        print("recorded: %d programs, racy and correct: as expected" % len(sources))
        return
    print("| programs | racy | found | twins suspected | failed |\n| --- | ---: | ---: | ---: | ---: |")
    for name in ("pthread", "OpenMP"):
        group = [result for (source, *_), result in results.items() if check.is_openmp(source) == (name == "OpenMP")]
        count = group.count
        print("| %s | %d | %d | %d | %d |" % (
            name, count("found") + count("missed"), count("found"), count("suspected"), count("failed")))


if __name__ == "__main__":
    main()
