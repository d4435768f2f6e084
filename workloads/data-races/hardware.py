#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs programs with the backends that use hardware, and compares what they report with what they should.

  ./hardware.py mte [PROGRAM...]   HMTRace with memory tagging, on an emulated AArch64 processor
  ./hardware.py mpk [PROGRAM...]   KARD with protection keys: here, or in a guest where the processor has none

Without names: all programs. What is missing for a backend is said, and then nothing is tried.
"""
import concurrent.futures
import glob
import json
import os
import shutil
import subprocess
import sys

import check
import guest

# Programs that are left out unless they are named.
UNABLE = {
    ("mte", "forked-by-thread.c"): "the emulator fails where a process with several threads forks",
    ("mpk", "forked-by-thread.c"): "nearly every access of its twin is a fault, and the guest is too slow for that",
    ("mpk", "page-passed-on.c"): "nearly every access of its twin is a fault, and the guest is too slow for that",
}
GUEST = os.path.join(check.HERE, "build", "guest")
EMULATOR = ["qemu-aarch64", "-cpu", "max", "-L", "/usr/aarch64-linux-gnu"]
CROSS = {"aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu", "aarch64-linux-gnu-g++": "g++-aarch64-linux-gnu",
         "qemu-aarch64": "qemu-user"}


def has_keys():
    with open("/proc/cpuinfo", encoding="utf-8") as processor:
        return " ospke" in processor.read()


def missing(backend):
    """Debian's packages without which the backend cannot be tried."""
    if backend == "mpk":
        return [] if has_keys() else guest.missing(GUEST)
    return [package for tool, package in CROSS.items() if shutil.which(tool) is None]


def run_here(backend, emulator, programs):
    def one(program):
        path = program + ".json"
        if os.path.exists(path):
            os.remove(path)
        environment = dict(os.environ, **settings(backend, path))
        try:
            code = subprocess.run(emulator + [program], env=environment, timeout=60).returncode
        except subprocess.TimeoutExpired:
            return -1, ""
        with open(path, encoding="utf-8") as text:
            return code, text.read()

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, programs))


def settings(backend, path):
    detector = "hmtrace" if backend == "mte" else "kard"
    return {"POWERCUT_RACES": path, "POWERCUT_RACE_DETECTOR": detector, "POWERCUT_RACE_BACKEND": backend}


def run_all(backend, programs):
    if backend == "mte":
        return run_here(backend, EMULATOR, programs)
    if has_keys():
        return run_here(backend, [], programs)
    jobs = [(program, settings(backend, "/tmp/races.json")) for program in programs]
    return guest.run(jobs, GUEST)


def problem(backend, source, correct, program, code, text):
    """What is wrong with a run; None = nothing."""
    lines = [json.loads(line) for line in text.split("\n") if line]
    if code != 0:
        return "it ends with %d" % code
    if [line["name"] for line in lines if line["line"] == "backend"] != [backend]:
        return "it was not watched by %s: %s" % (backend, text)
    limits = [line["text"] for line in lines if line["line"] == "limit"]
    if limits:
        return "it has limits: %s" % limits
    path = program + ".races"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text if text.endswith("\n") else text + "\n")
    races = check.reported(program, source, path)
    expected = check.Expected(source, "hmtrace" if backend == "mte" else "kard")
    if correct:
        return "reported lines %s, expected none" % sorted(races) if races else None
    # KARD sees sections that overlap, and hardware makes others overlap. What HMTRace has to report is a race for sure.
    known = check.Expected(source, "hmtrace")
    needed = expected.pairs if backend == "mte" or check.is_for_kard(source) else set()
    if races >= needed and all(expected.allows(pair) or known.allows(pair) for pair in races):
        return None
    return "reported lines %s, expected %s" % (sorted(races), sorted(expected.pairs))


def main():
    backend, names = sys.argv[1], sys.argv[2:]
    if missing(backend):
        print("data-races: backend %s is not tried; remedy: apt-get install %s" % (backend, " ".join(missing(backend))))
        return
    if backend == "mte":
        os.environ.update(POWERCUT_CC="aarch64-linux-gnu-gcc", POWERCUT_CXX="aarch64-linux-gnu-g++")
    check.BUILD = os.path.join(check.HERE, "build", backend)
    os.makedirs(check.BUILD, exist_ok=True)
    sources = [os.path.join(check.HERE, name) for name in names]
    patterns = ("/*.c", "/*.cpp", "/openmp/*.c")
    for name in [] if sources else [name for known, name in UNABLE if known == backend]:
        print("data-races: %s is not tried with %s: %s" % (name, backend, UNABLE[backend, name]))
    sources = sources or [source for source in sorted(sum((glob.glob(check.HERE + pattern) for pattern in patterns), []))
                          if (backend, os.path.basename(source)) not in UNABLE]
    more = ["--pages"] if backend == "mpk" else []
    facts = check.compiler_facts() + backend.encode()
    jobs = [(source, option, correct) for source in sources for option in check.OPTIONS for correct in (False, True)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = list(pool.map(lambda job: check.compile_program(*job, facts, *more), jobs))
    failures = 0
    for (source, option, correct), program, result in zip(jobs, programs, run_all(backend, programs)):
        wrong = problem(backend, source, correct, program, *result)
        if wrong is not None:
            failures += 1
            print("data-races: %s %s%s with %s: %s"
                  % (check.name_of(source), option, " correct" if correct else "", backend, wrong))
    if failures > 0:
        sys.exit(1)
    print("data-races: %d programs, racy and correct, at -O0 and -O2, %s: as expected" % (len(sources), backend))


main()
