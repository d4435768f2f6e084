#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each program with powercut cc, racy and correct, at -O0 and -O2, runs it, and compares the reported races.

A line of a racy program that ends with the comment "race 1" is one place of race 1; a race with one place is one of that
line with itself. "race 1 hmtrace" is found by that detector only. "race 1 too" is a line of the same statements: another
schedule or the optimiser may report it as well. Programs in pure/ run with and without edges of library calls; "race 1
pure" is one that is reported without them.

  ./check.py [PROGRAM...]             every program reports what it should
  ./check.py --seeds 5 [PROGRAM...]   accuracy, precision and recall over so many seeds of scheduling noise

Compiled programs are kept in build/ under a hash of all that they are made of.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.join(HERE, "../../race-runtime")
BUILD = os.path.join(HERE, "build")
DETECTORS = os.environ.get("DETECTORS", "hmtrace kard").split()
OPTIONS = ("-O0", "-O2")


class Expected:
    """The pairs of lines that have to be reported, and for each race the lines whose pairs may be."""

    def __init__(self, source, detector):
        races, also = {}, {}
        with open(source, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                found = re.search(r"/\* race (\d+)(?: (\w+))? \*/", line)
                if found and found.group(2) in (None, "too", detector):
                    (also if found.group(2) == "too" else races).setdefault(found.group(1), set()).add(number)
        self.pairs = {tuple(sorted(places)) if len(places) > 1 else tuple(places) * 2 for places in races.values()}
        self.lines = [places | also.get(race, set()) for race, places in races.items()]

    def allows(self, pair):
        return any(set(pair) <= lines for lines in self.lines)

    # A statement that reads and writes is one place; its read and its write may each be reported.
    def is_met_by(self, reported):
        return reported >= self.pairs and all(map(self.allows, reported))


def lines_of(program, source, stacks, number=0):
    """For each stack the line of the innermost frame that is in the source. Number: the module that the program is."""
    offsets = sorted({offset for stack in stacks for module, offset in stack if module == number})
    if not offsets:
        return [0 for _ in stacks]
    command = ["addr2line", "-a", "-i", "-e", program] + list(map(hex, offsets))
    lines, offset = {}, None
    for text in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n"):
        if text.startswith("0x"):
            offset = int(text, 16)
            continue
        name, _, line = text.partition(" ")[0].rpartition(":")
        if os.path.basename(name) == os.path.basename(source):
            lines.setdefault(offset, int(line))
    return [next((lines[offset] for module, offset in stack if module == number and offset in lines), 0) for stack in stacks]


def reported(program, source, path, unconfirmed=False):
    with open(path, encoding="utf-8") as file:
        lines = list(map(json.loads, file))
    races = [line for line in lines if line["line"] == "race" and (unconfirmed or not line.get("unconfirmed"))]
    numbers = [line["module"] for line in lines if line["line"] == "module" and line["path"] == program]
    stacks = [race[side]["stack"] for race in races for side in ("first", "second")]
    lines = lines_of(program, source, stacks, numbers[0] if numbers else 0)
    return {tuple(sorted(pair)) for pair in zip(lines[::2], lines[1::2])}


def is_openmp(source):
    return os.path.basename(os.path.dirname(source)) == "openmp"


def is_for_kard(source):
    """KARD finds only races of sections that overlap. Of OpenMP's programs, kard-* let them overlap each time."""
    return not is_openmp(source) or os.path.basename(source).startswith("kard-")


def name_of(source):
    return os.path.splitext(os.path.relpath(source, HERE))[0].replace("/", "-")


def content(path):
    with open(path, "rb") as file:
        return file.read()


def compiler_facts():
    """What all programs depend on; the runtime is a shared library, so not its code."""
    versions = subprocess.run(["gcc", "--version"], capture_output=True, check=True).stdout
    shared = [os.path.join(RUNTIME, "compiler")] + sorted(glob.glob(HERE + "/*.h"))
    return versions + b"".join(map(content, shared)) + os.path.realpath(RUNTIME).encode()


def compile_program(source, option, correct, facts, *more):
    """The path of the program."""
    flags = [option, "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-pthread"]
    flags += ["-DCORRECT"] if correct else []
    flags += more
    flags += ["-fopenmp"] if is_openmp(source) else []
    known = hashlib.sha256(facts + content(source) + " ".join(flags).encode()).hexdigest()[:16]
    name = name_of(source) + option + ("-correct" if correct else "")
    program = os.path.join(BUILD, "%s-%s" % (name, known))
    if not os.path.exists(program):
        for old in glob.glob(os.path.join(BUILD, name + "-" + "[0-9a-f]" * 16 + "*")):
            os.remove(old)
        language = "c++" if source.endswith(".cpp") else "cc"
        unfinished = program + ".part"
        subprocess.run([os.path.join(RUNTIME, "compiler"), language] + flags + [source, "-o", unfinished], check=True)
        os.rename(unfinished, program)
    return program


def detectors_of(source, correct):
    if os.path.basename(os.path.dirname(source)) == "pure":
        return ["hmtrace", "pure"]
    return [detector for detector in DETECTORS
            if (correct or detector != "kard" or is_for_kard(source))]


def run(program, source, detector, seed=0):
    """What it reported, and what is wrong with the run itself."""
    path = "%s.%s.%d.json" % (program, detector, seed)
    if os.path.exists(path):
        os.remove(path)
    environment = dict(os.environ, POWERCUT_RACES=path, POWERCUT_RACE_DETECTOR=detector.replace("pure", "hmtrace"),
                       POWERCUT_RACE_PURE="1" if detector == "pure" else "0", POWERCUT_RACE_SEED=str(seed))
    try:
        result = subprocess.run([program], env=environment, timeout=60)
    except subprocess.TimeoutExpired:
        return set(), "it hangs"
    if result.returncode != 0:
        return set(), "it ends with %d" % result.returncode
    races = reported(program, source, path)
    os.remove(path)
    return races, None


def check(source, option, correct, facts):
    program = compile_program(source, option, correct, facts)
    failures = []
    for detector in detectors_of(source, correct):
        races, wrong = run(program, source, detector)
        expected = Expected(source, detector)
        if wrong is None and correct and races:
            wrong = "reported lines %s, expected none" % sorted(races)
        if wrong is None and not correct and not expected.is_met_by(races):
            wrong = "reported lines %s, expected %s" % (sorted(races), sorted(expected.pairs))
        if wrong is not None:
            failures.append("%s %s%s with %s: %s" % (name_of(source), option, " correct" if correct else "", detector, wrong))
    return failures


def accepted(option):
    """What is wrong if the compiler takes an option with which the runtime could not tell the truth."""
    command = [os.path.join(RUNTIME, "compiler"), "cc", option, "-c", "x.c"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 2 and "remedy: " in result.stderr and option in result.stderr:
        return None
    return "%s is not refused: %d %s" % (option, result.returncode, result.stderr)


def check_all(sources, facts):
    jobs = [(source, option, correct, facts) for source in sources for option in OPTIONS for correct in (False, True)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [text for texts in pool.map(lambda job: check(*job), jobs) for text in texts]
    failures += filter(None, map(accepted, ("-static", "-fopenacc")))
    for text in failures:
        print("data-races: " + text)
    if failures:
        sys.exit(1)
    print("data-races: %d programs, racy and correct, at -O0 and -O2: as expected" % len(sources))


class Tally:
    """Runs of one detector over one group of programs: found and missed races, clean and accused twins."""

    def __init__(self):
        self.found, self.missed, self.clean, self.accused = 0, [], 0, []

    def add(self, source, seed, correct, races):
        correct = correct or not any(Expected(source, detector).pairs for detector in ("hmtrace", "kard"))
        wrong = races if correct else {pair for pair in races if not Expected(source, "hmtrace").allows(pair)}
        label = "%s%s with seed %d" % (name_of(source), " correct" if correct else "", seed)
        if wrong:
            self.accused.append("%s: lines %s" % (label, sorted(wrong)))
        elif correct:
            self.clean += 1
        elif races:
            self.found += 1
        else:
            self.missed.append(label)

    def row(self):
        runs = self.found + len(self.missed) + self.clean + len(self.accused)
        return "%d | %.3f | %.3f | %.3f" % (
            runs,
            (self.found + self.clean) / runs,
            self.found / max(1, self.found + len(self.accused)),
            self.found / max(1, self.found + len(self.missed)))


def measure(sources, seeds, facts):
    """A run is right if a racy program reports races of its own and no others, and a correct twin none."""
    jobs = [(source, correct) for source in sources for correct in (False, True)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = list(pool.map(lambda job: compile_program(job[0], "-O0", job[1], facts), jobs))
        runs = [(job, program, detector, seed) for job, program in zip(jobs, programs)
                for detector in DETECTORS for seed in range(1, seeds + 1)]
        results = list(pool.map(lambda one: run(one[1], one[0][0], one[2], one[3]), runs))
    tallies, broken = {}, []
    for ((source, correct), _, detector, seed), (races, wrong) in zip(runs, results):
        if wrong is not None:
            broken.append("%s with %s and seed %d: %s" % (name_of(source), detector, seed, wrong))
            continue
        groups = ["all", "OpenMP" if is_openmp(source) else "pthread"]
        # The races that KARD claims to find: one thread is in a critical section with the other's object.
        if detector == "kard":
            groups = ["all"] + (["its kind of race"] if is_for_kard(source) and Expected(source, "kard").pairs else [])
        for group in groups:
            tallies.setdefault((detector, group), Tally()).add(source, seed, correct, races)
    print("| detector | programs | runs | accuracy | precision | recall |\n| --- | --- | ---: | ---: | ---: | ---: |")
    for (detector, group), tally in sorted(tallies.items()):
        print("| %s | %s | %s |" % (detector, group, tally.row()))
    for detector in DETECTORS:
        tally = tallies[detector, "all"]
        for label in tally.accused + (tally.missed if detector == "hmtrace" else []):
            print("%s: %s" % (detector, label))
    for text in broken:
        print("failed: " + text)
    hmtrace = tallies.get(("hmtrace", "all"))
    accused = any(tally.accused for tally in tallies.values())
    if broken or accused or (hmtrace and hmtrace.found + hmtrace.clean < 0.93 * (hmtrace.found + hmtrace.clean + len(hmtrace.missed))):
        sys.exit(1)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seeds", type=int, default=0)
    arguments.add_argument("programs", nargs="*")
    options = arguments.parse_args()
    os.makedirs(BUILD, exist_ok=True)
    sources = [os.path.join(HERE, name) for name in options.programs]
    patterns = ("/*.c", "/*.cpp", "/openmp/*.c", "/openmp/*.cpp") + (() if options.seeds else ("/pure/*.c",))
    sources = sources or sorted(sum((glob.glob(HERE + pattern) for pattern in patterns), []))
    facts = compiler_facts()
    if options.seeds > 0:
        measure(sources, options.seeds, facts)
    else:
        check_all(sources, facts)


if __name__ == "__main__":
    main()
