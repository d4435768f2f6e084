# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the test programs under the recorder and holds their traces against the truth.

usage: check.py --lib DIR --bin DIR [--seeds N] [--programs N] [--program SEED] [--only TEXT]
"""

import argparse
import difflib
import glob
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import programs
import trace as t

TESTS = []


def test(function):
    TESTS.append(function)
    return function


class Run:
    """One execution of a program under the recorder, with the PM directory in front of it and behind it."""

    def __init__(self, place, program, *args, options=(), before=None, limit=60, fails=None, meanwhile=None, stdin=subprocess.DEVNULL):
        self.place = place
        # Deep enough that what a program moves out of its directories stays in the test's.
        self.root = os.path.join(tempfile.mkdtemp(prefix="run-", dir=place.root), "deep", "inside")
        os.makedirs(self.root)
        self.pm = os.path.join(self.root, "pm")
        self.before = os.path.join(self.root, "before")
        trace = os.path.join(self.root, "trace")
        os.mkdir(trace)
        os.mkdir(self.pm)
        if before:
            before(self.pm)
        t.copy(self.pm, self.before)
        command = ["valgrind", "--tool=powercut", "--trace-children=yes", "-q", "--vgdb=no", "--check-blocks=yes", "--pm-dir=" + self.pm]
        command += ["--trace=" + trace, "--chunk-size=256K", *options, "--"]
        command += [place.program(program)] if isinstance(program, str) else program
        command += [self.pm, *args]
        process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.root,
            env=dict(os.environ, VALGRIND_LIB=place.lib),
            start_new_session=True,
        )
        watchdog = threading.Timer(limit, os.killpg, (process.pid, signal.SIGKILL))
        watchdog.start()
        if meanwhile:
            meanwhile(process, trace)
        out, error = process.communicate()
        assert watchdog.is_alive(), "time limit of %s s\n%s%s" % (limit, out.decode(), error.decode())
        watchdog.cancel()
        self.status, self.out, self.error = process.returncode, out.decode(), error.decode()
        assert self.status in (fails if isinstance(fails, tuple) else (fails or 0,)), "status %d, want %s\n%s" % (self.status, fails or 0, self.error[-3000:])
        self.trace_directory = trace
        self.trace = t.Trace(trace)

    def kinds(self, *kinds):
        return [record for record in self.trace.records if record.kind in kinds]

    def image(self, records):
        return t.replay(records, self.before, self.pm)

    def verify(self, every_store=False, begins_active=True):
        """What holds for every complete trace."""
        differences = self.image(self.trace.records)
        assert not differences, "\n".join(differences)
        assert not self.trace.unannounced(), self.trace.unannounced()
        return self.verify_counts(every_store, begins_active)

    def verify_counts(self, every_store=False, begins_active=True, repairs=False):
        """The same without what the files hold; repairs: some stacks may have been repaired."""
        trace = self.trace
        assert trace.error == "", trace.error
        assert trace.ended and [r.kind for r in trace.records].index(t.END) == len(trace.records) - 1
        points = trace.failure_points(begins_active, every_store)
        assert len(points) == trace.failure_point_count, (len(points), trace.failure_point_count)
        assert repairs or trace.stack_repairs == 0, trace.stack_repairs
        for identity, _, sites in trace.stacks.values():
            assert identity == trace.id_of(sites)
        single = [r for r in trace.records if r.kind == t.STORE and not r.flags & t.MORE]
        assert len(single) == trace.stores, (len(single), trace.stores)
        return self


def write_leaves(path, ids, unvisited):
    with open(path, "wb") as file:
        file.write(b"PWCLEAF1" + struct.pack("<II", t.VERSION, len(ids)))
        for identity in sorted(ids):
            file.write(struct.pack("<QII", identity, 0 if identity in unvisited else 1, 0))


def stop_at(run, program, *args, identity, options=(), before=None, every_store=False, same_image=True):
    """Runs again to one failure point; the files there must equal the trace up to there, and the first run's image."""
    place = run.place
    points = run.trace.failure_points(every_store=every_store)
    leaves = os.path.join(run.root, "leaves-%016x" % identity)
    write_leaves(leaves, {point for _, point in points}, {identity})
    options = [*options, "--leaves=" + leaves]
    # With several threads a run may take another way, and not come past the leaf again.
    fails = -signal.SIGKILL if same_image else (-signal.SIGKILL, 0)
    stopped = Run(place, program, *args, options=options, before=before, fails=fails)
    trace = stopped.trace
    if stopped.status == 0:
        assert trace.ended and not trace.stopped
        return stopped
    assert trace.stopped and trace.stop_id == identity, (trace.stopped, trace.stop_id, identity)
    last = trace.records[-1]
    assert last.kind == t.STOP and last.u64(16) == identity and trace.stacks[last.u32(8)][0] == identity
    differences = stopped.image(trace.records)
    assert not differences, "stopped at %016x: %s" % (identity, "\n".join(differences))
    with open(leaves, "rb") as file:
        states = [state for _, state, _ in struct.iter_unpack("<QII", file.read()[16:])]
    assert all(states)
    if same_image:
        first = next(index for index, point in points if point == identity)
        differences = t.replay(run.trace.records[:first], run.before, stopped.pm)
        assert not differences, "image at %016x: %s" % (identity, "\n".join(differences))
    return stopped


def stop_somewhere(run, program, *args, seed=0, times=1, every_store=False, **more):
    chance = random.Random(seed)
    ids = sorted({point for _, point in run.trace.failure_points(every_store=every_store)})
    for identity in chance.sample(ids, min(times * run.place.thoroughness, len(ids))):
        stop_at(run, program, *args, identity=identity, every_store=every_store, **more)


def check_order(run, program):
    """What the program says it did, in this order, is what the trace holds of thread 1."""
    events = [r for r in run.kinds(t.STORE, t.FLUSH, t.FENCE, t.SYNC) if r.thread == 1]
    # The C library has locks of its own.
    events = [r for r in events if not (r.kind == t.FENCE and r.flags == 3 and run.trace.module_name(r.u32(8)) != program)]
    at = 0
    for line in run.out.splitlines():
        word, *rest = line.split(" ")
        if word == "store":
            start, size, flags = (int(value) for value in rest[:3])
            missing = set(range(start, start + size))
            while missing:
                r = events[at]
                at += 1
                covered = set(range(r.offset(), r.offset() + len(r.data())))
                assert r.kind == t.STORE, "%s: kind %d at line %d" % (line, r.kind, run.trace.line(r.u32(8)))
                assert r.flags & 0xF == flags, "%s: flags %d" % (line, r.flags)
                assert r.element == ("rep" in rest and len(missing) != size), "%s: element %d" % (line, r.element)
                assert covered <= missing, "%s: stores %d bytes at %d" % (line, len(covered), r.offset())
                missing -= covered
        elif word == "copy":
            wanted = set(range(int(rest[0]), int(rest[0]) + int(rest[1])))
            covered = set()
            while at < len(events) and events[at].kind == t.STORE and events[at].offset() in wanted:
                covered |= set(range(events[at].offset(), events[at].offset() + len(events[at].data())))
                at += 1
            assert covered == wanted, "%s: %d bytes" % (line, len(covered))
        elif word in ("flush", "fence"):
            r = events[at]
            at += 1
            assert r.kind == (t.FLUSH if word == "flush" else t.FENCE), "%s: kind %d at line %d" % (
                line,
                r.kind,
                run.trace.line(r.u32(8)),
            )
            assert r.flags == int(rest[0]), "%s: flags %d" % (line, r.flags)
            if word == "flush":
                assert r.offset() == int(rest[1]), "%s: at %d" % (line, r.offset())
        elif word == "sync":
            r = events[at]
            at += 1
            assert r.kind == t.SYNC and r.flags == int(rest[0]), "%s: kind %d, %d" % (line, r.kind, r.flags)
            assert (r.offset(), r.u64(24)) == (int(rest[1]), int(rest[2])), "%s: %d" % (line, r.offset())
    assert at == len(events), "%d more events than the program says" % (len(events) - at)


# ------------------------------------------------------------------ tests


@test
def every_kind_of_store_is_recorded_with_its_place_size_and_kind(place):
    run = Run(place, "stores").verify()
    check_order(run, "stores")


@test
def stores_stop_in_front_of_a_leaf(place):
    run = Run(place, "stores")
    stop_somewhere(run, "stores", seed=1, times=1)


@test
def stores_are_failure_points_of_their_own_when_asked(place):
    options = ["--granularity=store"]
    run = Run(place, "stores", options=options).verify(every_store=True)
    stop_somewhere(run, "stores", seed=2, times=1, options=options, every_store=True)


def kinds_at(run, kind, function):
    """Flags of the events of a kind whose innermost frame is the function, in order."""
    return [r.flags for r in run.kinds(kind) if run.trace.function(r.u32(8)).lstrip("_").startswith(function)]


@test
def system_calls_write_to_pm(place):
    run = Run(place, "calls", options=["--outputs=yes"]).verify()
    for call in ("io_uring_setup", "openat2", "userfaultfd", "remap_file_pages"):
        assert run.error.count("ENOSYS from " + call) == 1, run.error
    assert kinds_at(run, t.SYNC, "msync") == [1, 2], kinds_at(run, t.SYNC, "msync")
    assert kinds_at(run, t.SYNC, "fsync") == [3, 3, 7], kinds_at(run, t.SYNC, "fsync")
    assert kinds_at(run, t.SYNC, "fdatasync") == [4, 4]
    assert kinds_at(run, t.SYNC, "sync_file_range") == [5]
    assert kinds_at(run, t.SYNC, "sync") and set(kinds_at(run, t.SYNC, "syncfs")) == {6}
    writes = {t.FILE_WRITE, t.FILE_WRITE | t.SYNCHRONOUS, t.FILE_WRITE | t.ZEROED}
    assert {r.flags & 0xF for r in run.kinds(t.STORE)} == {0, t.KERNEL} | writes
    synchronous = [r for r in run.kinds(t.STORE) if r.flags & t.FILE_WRITE and r.flags & t.SYNCHRONOUS]
    sized = [r.u32(8) for r in run.kinds(t.FILE_DEF) if r.text(24, r.u32(12)) == "sized"]
    shifted = [r.offset() for r in synchronous if r.file() in sized]  # not on every file system
    assert shifted in ([4096, 4096], []), shifted
    assert [r.u64(16) & 0xFFFF for r in synchronous if r.file() not in sized] == [7]
    assert [r.data() for r in run.kinds(t.STORE)].count(b"END") == 1  # what a file gains is not told apart from it
    check_outputs(run)
    stop_somewhere(run, "calls", seed=3, times=2, same_image=False)  # fstat's result holds times


@test
def what_a_call_zeroes_is_stored_where_it_was_not_zero(place):
    run = Run(place, "calls")
    numbers = {r.u32(8): r.text(24, r.u32(12)) for r in run.kinds(t.FILE_DEF)}
    zeroed = [r for r in run.kinds(t.STORE) if r.flags & 0xF == t.FILE_WRITE | t.ZEROED]
    assert all(not any(r.data()) for r in zeroed)
    assert {numbers[r.file()] for r in zeroed} == {"sized"}
    places = [(r.offset(), len(r.data())) for r in zeroed]
    assert [one for one in places if one != (8000, 100)] == [(1000, 5000), (15000, 1384), (4096, 4096)], places
    assert {r.flags for r in run.kinds(t.FILE_PUNCH)} == {1}


@test
def a_program_that_runs_another_one_as_another_user_is_told_what_to_do(place):
    if os.geteuid() != 0:
        return  # nobody else can
    run = Run(place, ["setpriv", "--reuid=65534", "--clear-groups", "true"], fails=1)
    assert "user 65534 may not create" in run.error and "run Powercut itself as that user" in run.error, run.error


def check_outputs(run):
    """Output is in order with the stores around it, behind its call."""
    files = {r.u32(8): r.text(24, r.u32(12)) for r in run.kinds(t.FILE_DEF)}
    events = []
    for r in run.kinds(t.STORE, t.OUTPUT):
        if r.kind == t.STORE and files[r.file()] == "ordered":
            events.append(r.offset())
        elif r.kind == t.OUTPUT and events:
            events.append(r.output()[::2])
    want = [0, (t.STDOUT, b"one\n"), 1, (t.STDERR, b"two\n"), (t.SOCKET, b"three"), (t.SOCKET, b"four"), 2, (t.PIPE, b"pipe"), 3]
    assert events == want, events


def ends_of_syncs(run):
    """(kind, function, error or None when it never ended) of every sync."""
    ends = {r.u64(16): r for r in run.kinds(t.SYNC_END)}
    syncs = run.kinds(t.SYNC)
    assert all((r.u64(16) & (1 << 48) - 1) + r.u64(24) < 1 << 48 for r in syncs)
    assert [r.u64(32) for r in syncs] == list(range(1, len(syncs) + 1)) and ends.keys() <= {r.u64(32) for r in syncs}
    found = []
    for r in syncs:
        end = ends.get(r.u64(32))
        assert end is None or (end.flags == r.flags and run.trace.records.index(end) > run.trace.records.index(r))
        found.append((r.flags, run.trace.function(r.u32(8)).strip("_"), end and end.u32(8)))
    return found


@test
def syncs_count_when_they_return(place):
    run = Run(place, "syncs").verify()
    wanted = [line.split() for line in run.out.splitlines() if line.startswith("sync ")]
    wanted = [(int(kind), function, None if error == "never" else int(error)) for _, kind, function, error in wanted]
    found = ends_of_syncs(run)
    assert found == wanted, (found, wanted)
    assert not run.kinds(t.OUTSIDE), "a PM file"
    durable = [r.flags & t.SYNCHRONOUS != 0 for r in run.kinds(t.STORE) if r.flags & t.FILE_WRITE]
    assert durable == [line.split()[1] == "durable" for line in run.out.splitlines() if line.startswith("write ")], durable
    points = {index for index, _ in run.trace.failure_points()}
    writes = [(index, r) for index, r in enumerate(run.trace.records) if r.kind == t.STORE and r.flags & t.FILE_WRITE]
    assert any(durable), durable
    for index, r in writes:
        assert (index in points) <= bool(r.flags & t.SYNCHRONOUS), "a write that is not durable is no failure point"
    assert any(index in points for index, _ in writes), "a durable write behind a store is a failure point"


def content(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def all_output(run, kind, path=""):
    """What went there, in one piece."""
    return b"".join(data for kind_of, path_of, data in (r.output() for r in run.kinds(t.OUTPUT)) if (kind_of, path_of) == (kind, path))


@test
def what_is_written_to_others_is_recorded_when_it_is_out(place):
    for record in ("yes", "no"):
        outside = tempfile.mkdtemp(dir=place.root)
        run = Run(place, "outputs", outside, options=["--outputs=yes", "--record=" + record])
        assert all_output(run, t.STDOUT) == run.out.encode()
        assert all_output(run, t.STDERR) == run.error.encode() == b"to error\n"
        for r in run.kinds(t.OUTPUT):
            stack = r.u32(28)
            assert (stack != 0) == (record == "yes"), stack
            assert stack == 0 or "main" in [run.trace.function(site) for site in run.trace.stacks[stack][2]]
        assert all_output(run, t.SOCKET) == content(run.pm, "received") and len(content(run.pm, "received")) > 70000
        assert all_output(run, t.PIPE) == content(run.pm, "piped") + pattern(70, 4) and len(content(run.pm, "piped")) == 150214
        file = [r.output()[2] for r in run.kinds(t.OUTPUT) if r.output()[1] == os.path.join(outside, "file")]
        assert file.pop() == 70  # out of a pipe: not known
        assert b"".join(file) == content(outside, "file")[:-70]
        assert all_output(run, t.FILE, os.path.join(outside, "redirected")) == b"into a file"
        assert all_output(run, t.FILE, os.path.join(outside, "of the child")) == b"again\n"
        records = run.kinds(t.OUTPUT)
        assert max(r.u64(16) for r in records) == 65536
        assert len([r for r in records if r.flags & t.MORE]) >= 4
        assert bool(run.kinds(t.STORE)) == (record == "yes")
    assert not Run(place, "outputs", outside).kinds(t.OUTPUT)


def pattern(size, seed):
    return bytes((i * 13 + i // 251 + seed) & 0xFF for i in range(size))


def files_to_read(place):
    def make(directory):
        old = bytes(range(1, 251)) * 263
        for name in ("old", "sent", "copied", "spliced", "private", "code", "left", "aio", "untouched"):
            with open(os.path.join(directory, name), "wb") as file:
                file.write(old[: 65536 + 100])
        shutil.copy(place.program("reads"), os.path.join(directory, "program"))
        with open(os.path.join(directory, "script"), "w") as file:
            file.write("#!/bin/true\n")
        shutil.copy(os.path.join(directory, "old"), os.path.join(directory, "no program"))
        for name in ("script", "no program"):
            os.chmod(os.path.join(directory, name), 0o755)

    return make


def lines_read(run):
    """(path, number of the line) of all that were read of files of before."""
    files = {r.u32(8): r for r in run.kinds(t.FILE_DEF)}
    found = set()
    for r in run.kinds(t.READ):
        location, size = r.u64(8), r.u64(16)
        assert location % 64 == 0 and size % 64 == 0 and size > 0
        definition = files[location >> 48]
        if not definition.flags & 1:
            first = (location & 0xFFFFFFFFFFFF) // 64
            name = definition.text(24, definition.u32(12))
            found |= {(name, line) for line in range(first, first + size // 64)}
    return found


@test
def what_is_read_is_recorded_once_a_line(place):
    for record in ("yes", "no"):
        run = Run(place, "reads", options=["--reads=yes", "--record=" + record], before=files_to_read(place))
        want = set()
        for line in run.out.splitlines():
            word, rest = line.split(" ", 1)
            name, *range_of_it = [rest] if word == "all" else rest.split(" ")
            offset, size = (int(value) for value in range_of_it) if range_of_it else (0, os.path.getsize(os.path.join(run.before, name)))
            want |= {(name, number) for number in range(offset // 64, (offset + size + 63) // 64)}
        found = lines_read(run)
        assert found == want, (sorted(found - want), sorted(want - found))
        assert bool(run.kinds(t.STORE)) == (record == "yes")
    assert not Run(place, "reads", before=files_to_read(place)).kinds(t.READ)


def lines_by_lackey(place, seed):
    """The same from the addresses that another tool tells."""
    directory = tempfile.mkdtemp(dir=place.root)
    files_to_read(place)(directory)
    log = os.path.join(directory, "log")
    command = ["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-file=" + log, place.program("reads"), directory, str(seed), "3000"]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    stored, found = set(), set()
    with open(log) as file:
        for line in file:
            if line[:2] not in (" L", " S", " M"):
                continue
            address, size = line[3:].split(",")
            begin = int(address, 16) - 0x7100000000
            bytes_of_it = set(range(begin, begin + int(size))) if 0 <= begin < 65536 else set()
            if line[1] != "S":
                found |= {("old", byte // 64) for byte in bytes_of_it - stored}
            if line[1] != "L":
                stored |= bytes_of_it
    return found


def random_reads(seed):
    def run(place):
        recorded = Run(place, "reads", str(seed), "3000", options=["--reads=yes"], before=files_to_read(place)).verify()
        found, want = lines_read(recorded), lines_by_lackey(place, seed)
        assert found == want and 200 < len(want) < 1024, (len(want), sorted(found - want), sorted(want - found))

    run.__name__ = "random_loads_are_those_that_another_tool_sees_with_seed_%d" % seed
    return run


@test
def system_calls_are_failure_points_when_every_store_is(place):
    options = ["--granularity=store"]
    run = Run(place, "calls", options=options).verify(every_store=True)
    stop_somewhere(run, "calls", seed=4, times=1, options=options, every_store=True, same_image=False)


def old_file(directory):
    with open(os.path.join(directory, "old"), "wb") as file:
        file.write(bytes(range(256)) * 32)


@test
def mappings_are_followed(place):
    run = Run(place, "maps", before=old_file).verify()
    assert run.trace.mapped_files >= 10
    stop_somewhere(run, "maps", seed=5, times=1, before=old_file)


@test
def stores_to_a_stack_in_pm_are_recorded(place):
    for way in ("coroutine", "jump", "thread"):
        run = Run(place, "pm_stacks", way).verify()
        assert len(run.kinds(t.STORE)) >= (2 if way == "jump" else 20), way


def files_with_names(directory):
    os.mkdir(os.path.join(directory, "tree"))
    for name in ("kept", "emptied", "removed", "moved", "linked", "tree/leaf"):
        with open(os.path.join(directory, name), "w") as file:
            file.write("content of " + name)
    os.link(os.path.join(directory, "linked"), os.path.join(directory, "twin"))


@test
def what_looks_alike_is_distinguished(place):
    run = Run(place, "identity").verify()
    flushes = [r for r in run.kinds(t.FLUSH) if run.trace.function(r.u32(8)) in ("twin", "alpha of jit", "beta", "")]
    modules = [run.trace.module_name(r.u32(8)) for r in flushes]
    assert modules[0] == "libtwin.so" and modules[1].startswith("libtwin.so~") and modules[2:] == 4 * [""], modules
    assert [run.trace.function(r.u32(8)) for r in flushes] == ["twin", "twin", "", "", "alpha of jit", "beta"]
    sites = [run.trace.sites[r.u32(8)][:2] for r in flushes]
    assert sites[0][1] == sites[1][1] and len(set(sites)) == 6, sites
    assert len({run.trace.stacks[r.u32(12)][0] for r in flushes}) == 6
    again = Run(place, "identity").verify()
    assert [r.u64(8) for r in again.kinds(t.STACK_DEF)] == [r.u64(8) for r in run.kinds(t.STACK_DEF)]


@test
def code_of_a_file_that_changes_runs_as_it_is(place):
    run = Run(place, "code").verify()
    assert [struct.unpack("<I", r.data())[0] for r in run.kinds(t.STORE)] == 4 * [1, 2, 3]


def kernel_test(what):
    def run(place):
        Run(place, "kernel", what).verify()

    run.__name__ = "what_the_kernel_stores_beside_a_call_is_recorded_" + what
    return run


TESTS.extend(kernel_test(what) for what in ("futexes", "lengths", "results", "sized", "numbers", "removals", "owners", "memory", "before", "shared", "masked", "signals"))


@test
def names_of_files_are_followed(place):
    Run(place, "names", before=files_with_names).verify()


def files_with_attributes(directory):
    for name in ("old", "other", "unseen"):
        with open(os.path.join(directory, name), "w") as file:
            file.write("content of " + name)
    os.chmod(os.path.join(directory, "old"), 0o640)
    os.mkdir(os.path.join(directory, "folder"))
    os.link(os.path.join(directory, "old"), os.path.join(directory, "folder", "twin"))
    os.symlink("old", os.path.join(directory, "link"))
    os.symlink("unseen", os.path.join(directory, "to unseen"))


@test
def attributes_of_files_are_followed(place):
    run = Run(place, "attributes", before=files_with_attributes).verify()
    found = [r.attributes() for r in run.kinds(t.ATTRIBUTES)]
    assert len(found) == run.out.count("change"), (len(found), run.out.count("change"))
    # Readers that know nothing of the file system: what chown takes away and what is inherited is told as well.
    assert any(mode & 0o7000 for mode, _, _, _ in found)


def random_changes(seed):
    def run(place):
        Run(place, "changes", str(seed), "1500").verify()

    run.__name__ = "random_changes_of_names_and_attributes_are_followed_with_seed_%d" % seed
    return run


def check_threads(run):
    trace = run.trace
    starts = [(r.u32(8), r.u32(12)) for r in run.kinds(t.THREAD_START)]
    exits = [r.u32(8) for r in run.kinds(t.THREAD_EXIT)]
    joins = [r.u32(8) for r in run.kinds(t.THREAD_JOIN)]
    assert [creator for _, creator in starts] == [1] * 8, starts
    threads = [thread for thread, _ in starts]
    assert len(set(threads)) == 8 and sorted(joins) == sorted(threads), (threads, joins)
    assert set(threads) <= set(exits), exits
    # A thread's exit is in front of its join, and what main stores after a join is behind its record.
    over, joined, after = set(), 0, 0
    for r in trace.records:
        if r.kind == t.THREAD_EXIT:
            over.add(r.u32(8))
        elif r.kind == t.THREAD_JOIN:
            assert r.thread == 1 and r.u32(8) in over, r.u32(8)
            joined += 1
        elif r.kind == t.STORE and trace.function(r.u32(8)) == "after_join":
            after += 1
            assert r.thread == 1 and joined == (after if after <= 4 else 8), (joined, after)
    assert after == 5
    assert {r.thread for r in run.kinds(t.STORE)} == {1, *threads}


@test
def threads_are_distinguished_and_joined(place):
    run = Run(place, "threads").verify()
    check_threads(run)
    stop_somewhere(run, "threads", seed=6, times=1, same_image=False)


@test
def very_many_threads_live_at_once(place):
    run = Run(place, "crowd").verify()
    threads = {r.u32(8) for r in run.kinds(t.THREAD_START)}
    assert len(threads) == 400
    assert {r.thread for r in run.kinds(t.STORE)} == threads


@test
def what_a_thread_has_to_order_is_still_known_when_it_runs_again(place):
    run = Run(place, "switches").verify()
    fences = [(r.thread, run.trace.function(r.u32(8)), r.flags) for r in run.kinds(t.FENCE)]
    ours = [fence for fence in fences if fence[1] in ("locked_behind_a_flush", "locked_without_work")]
    assert ours == [(1, "locked_behind_a_flush", 3)], ours


LOCK_KINDS = ["", "mutex", "rwlock", "spin", "condition", "barrier", "semaphore", "once", "declared", "word", "openmp"]


def check_orders(run):
    """What the first thread did with the objects that the program told, in its order."""
    header, *wanted = run.out.splitlines()
    start, size = (int(word, 0) for word in header.split()[1:])
    found = []
    for record in run.kinds(t.ACQUIRE, t.RELEASE):
        place = (record.u64(16) & t.OFFSET) - start  # robust mutexes look as if processes shared them
        if record.thread == 1 and 0 <= place < size:
            what = "ACQUIRE" if record.kind == t.ACQUIRE else "RELEASE"
            shared = " shared" if record.flags & 1 else ""
            found.append("%s %s %d%s" % (what, LOCK_KINDS[record.u32(24)], place, shared))
    assert found == wanted, "\n".join(difflib.unified_diff(wanted, found, "said", "recorded", lineterm=""))


def check_locks(run, loads):
    check_orders(run)
    found = [(r.offset() // 8, r.u64(24)) for r in run.kinds(t.LOAD) if r.thread == 1]
    assert found == loads, found
    stacks = {run.trace.stacks[r.u32(12)][0] for r in run.kinds(t.ACQUIRE)}
    assert len(stacks) > 10


@test
def locks_and_loads_of_threads_are_recorded(place):
    for program in ("locks", "static-locks"):
        check_locks(Run(place, program, options=["--races=yes"]).verify(), [(100, 8), (100, 8), (101, 8)])


@test
def what_orders_the_threads_of_openmp_is_recorded(place):
    run = Run(place, "openmp", options=["--races=yes"]).verify()
    check_orders(run)
    unnamed = [
        (r.kind, LOCK_KINDS[r.u32(24)], r.u64(16)) for r in run.kinds(t.ACQUIRE, t.RELEASE) if r.thread == 1 and r.u64(16) < 4096
    ]
    critical, atomic = ([(t.ACQUIRE, "openmp", number), (t.RELEASE, "openmp", number)] for number in (1, 2))
    assert unnamed == critical + atomic + [(t.RELEASE, "barrier", 3), (t.ACQUIRE, "barrier", 3)], unnamed


DECLARED = [
    "acquire:exclusive:1:-:my_lock",
    "release:exclusive:1:-:same_as_my_unlock",
    "acquire:exclusive:1:1r!0:my_trylock",
    "acquire:exclusive:6:4r=0:my_timedlock",
    "acquire:exclusive:r:8r!0:lock_of",
    "acquire:exclusive:*2:-:lock_for",
    "release:exclusive:*1:-:unlock_by",
    "acquire:exclusive:1+8:-:lock_node",
    "release:exclusive:1+8:-:unlock_node",
    "acquire:exclusive:1+48*2:-:lock_slot",
    "release:exclusive:1+48*2:-:unlock_slot",
    "acquire:exclusive:1+1*2:1r!0:bit_try_lock",
    "release:exclusive:1+1*2:-:bit_unlock",
    "acquire:exclusive:+7:-:lock_everything",
    "release:exclusive:+7:-:unlock_everything",
    "acquire:exclusive:1:1@2=0:VersionLock::writeLockOrRestart",
    "acquire:exclusive:1:1@3=0:VersionLock::lock*(long&, bool&)",
    "acquire:shared:1:4@2=0:_ZNK11VersionLock17readLockOrRestartERi",
    "release:shared:1:-:VersionLock::readUnlock*",
    "release:exclusive:1:-:VersionLock::writeUnlock()",
    "acquire:exclusive:1:-:jumping_l???",
    "release:exclusive:1:-:jumping_unlock",
    "acquire:exclusive:1:-:throwing_lock",
    "acquire:exclusive:1:-:never_called",
    "acquire:exclusive:1:-:no_such_function",
    "acquire:exclusive:1:-:pthread_mutex_*lock",
]


@test
def locks_of_the_programs_own_making_are_recorded_as_declared(place):
    options = ["--races=yes", *("--synchronise=" + one for one in DECLARED)]
    run = Run(place, "declared", options=options).verify()
    check_orders(run)
    everything = [(r.kind, r.u64(16)) for r in run.kinds(t.ACQUIRE, t.RELEASE) if r.u32(24) == 8 and r.u64(16) < 4096]
    assert everything == [(t.ACQUIRE, 7), (t.RELEASE, 7)], everything
    found, entered, took = run.trace.declared
    never = 1 << DECLARED.index("acquire:exclusive:1:-:never_called")
    others = 7 << DECLARED.index("acquire:exclusive:1:-:never_called")
    assert found & others == never and not entered & others and not took & others, (found, entered, took)
    assert found | others == entered | others == took | others == (1 << len(DECLARED)) - 1, (found, entered, took)


ALLOCATORS = [
    "r:1:-:-:my_alloc",
    "r:+256:-:-:my_alloc_alias",
    "*1:2x3:-:4r=0:my_alloc_to",
    "r:2:1:8r!0:my_realloc",
    "r:1:-:-:no_such_function",
]


@test
def allocations_are_recorded_as_the_program_does_them(place):
    options = ["--races=yes", *("--allocator=" + one for one in ALLOCATORS)]
    run = Run(place, "allocators", options=options).verify()
    said = []
    for record in run.kinds(t.ALLOCATING, t.ALLOCATED, t.ALLOCATION_END):
        assert record.thread == 2, record
        if record.kind == t.ALLOCATED:
            said.append("allocated %#x %d %d" % (record.offset(), record.u64(24), record.u32(32)))
            assert record.file() == 1 and run.trace.stacks[record.u32(12)]
        else:
            said.append("%s %d" % ("enters" if record.kind == t.ALLOCATING else "leaves", record.u32(8)))
    wanted = run.out.splitlines()
    assert said == wanted, "\n".join(difflib.unified_diff(wanted, said, "said", "recorded", lineterm=""))
    assert run.trace.declared == (15, 15, 15), run.trace.declared


@test
def swaps_are_locks_where_that_is_asked_for(place):
    run = Run(place, "words", options=["--races=yes", "--atomics=yes"]).verify()
    check_orders(run)
    start, size = (int(word, 0) for word in run.out.splitlines()[0].split()[1:])
    elsewhere = [r for r in run.kinds(t.ACQUIRE, t.RELEASE) if r.thread == 1 and r.u32(24) == 9 and not start <= r.u64(16) < start + size]
    elsewhere = [r for r in elsewhere if run.trace.function(r.u32(8)) == "on_the_stack()"]
    assert [r.kind for r in elsewhere] == 5 * [t.ACQUIRE, t.RELEASE], elsewhere
    others = Run(place, "words", options=["--races=yes"]).verify()
    assert not [r for r in others.kinds(t.ACQUIRE, t.RELEASE) if r.u32(24) == 9]


@test
def only_its_holder_gives_a_checked_mutex_back(place):
    run = Run(place, "owners", options=["--races=yes"]).verify()
    check_orders(run)
    last = [r.kind for r in run.kinds(t.ACQUIRE, t.RELEASE) if r.thread == 4]
    assert last == [t.ACQUIRE, t.RELEASE], last


def check_refused(place, option, message):
    with open(os.devnull) as nothing:
        command = ["valgrind", "--tool=powercut", "--pm-dir=/", "--trace=/", option, "/bin/true"]
        ended = subprocess.run(command, stdin=nothing, capture_output=True, env=dict(os.environ, VALGRIND_LIB=place.lib))
    assert ended.returncode == 1 and message in ended.stderr, (option, ended)


@test
def what_is_no_declaration_is_refused(place):
    for wrong in ("acquire:exclusive:7:-:f", "acquire:1:-:f", "acquire:shared:1:2r=0:f", "take:shared:1:-:f", "acquire:shared:1:4r:f",
                  "acquire:shared:1+:-:f", "acquire:shared:1:-:", "acquire:shared:1+2*2+3*3:-:f"):
        check_refused(place, "--synchronise=" + wrong, b"want ROLE")
    for wrong in ("7:1:-:-:f", "r:1:-:-:", "r:1x2x3:-:-:f", "r:*1:-:-:f", "r:1:-:f", "r:1::-:f", "r:1:-:2r=0:f"):
        check_refused(place, "--allocator=" + wrong, b"want ADDRESS")


@test
def loads_of_a_program_with_one_thread_are_not_recorded(place):
    check_locks(Run(place, "locks", "alone", options=["--races=yes"]).verify(), [])
    assert not Run(place, "locks").verify().kinds(t.ACQUIRE, t.RELEASE, t.LOAD)


@test
def a_static_program_is_like_any_other(place):
    run = Run(place, "static").verify()
    check_threads(run)
    assert any(run.trace.function(r.u32(8)) == "all_at_once" for r in run.kinds(t.STORE))


@test
def processes_share_one_trace(place):
    run = Run(place, "processes").verify()
    starts = [(r.u32(8), r.u32(12)) for r in run.kinds(t.PROCESS_START)]
    ends = [r.u32(8) for r in run.kinds(t.PROCESS_EXIT)]
    assert len(starts) >= 9 and sorted(pid for pid, _ in starts) == sorted(ends), (starts, ends)
    assert starts[0][1] == 0 and all(parent in [pid for pid, _ in starts] for _, parent in starts[1:])
    paths = [r.text(24, r.u32(20)) for r in run.kinds(t.EXEC)]
    assert paths.count(place.program("processes")) == 3, paths
    threads = [r.thread for r in run.kinds(t.PROCESS_START, t.EXEC)]
    assert len(threads) == len(set(threads)), threads
    ended, joined = [], []
    for r in run.kinds(t.PROCESS_EXIT, t.PROCESS_JOIN):
        if r.kind == t.PROCESS_EXIT:
            ended.append(r.u32(8))
        else:
            assert r.u32(16) in ended, "its parent knows before it has ended"
            joined.append(r.u32(16))
    assert len(set(joined)) == 8, joined  # not the daemon, and not the first
    stop_somewhere(run, "processes", seed=7, times=1, same_image=False)


def matches(functions, want):
    """Whether the names are as wanted; * stands for any number of them."""
    if not want:
        return True
    if want[0] == "*":
        return any(matches(functions[i:], want[1:]) for i in range(len(functions) + 1))
    return bool(functions) and functions[0] == want[0] and matches(functions[1:], want[1:])


@test
def stacks_are_those_of_the_program(place):
    run = Run(place, "stacks").verify()
    wanted = [line.split()[1:] for line in run.out.splitlines()]
    found = []
    for r in run.kinds(t.FLUSH):
        if run.trace.function(r.u32(8)) != "flush":
            assert r.u32(12) != 0
            names = [run.trace.function(site).split("(")[0] for site in run.trace.stacks[r.u32(12)][2]]
            found.append(names)
    assert len(wanted) == len(found), (len(wanted), len(found))
    for want, names in zip(wanted, found):
        assert matches(names, want), "%s: %s" % (" ".join(want), " ".join(names))
        if "main" in want:
            assert names[names.index("main") + 1 :], names
        elif "*" not in want:
            assert names == want, "%s: %s" % (" ".join(want), " ".join(names))


@test
def time_and_random_numbers_can_be_the_same_in_every_run(place):
    options = ["--deterministic=yes"]
    first = Run(place, "clocks", options=options).verify()
    second = Run(place, "clocks", options=options).verify()
    assert first.out == second.out, first.out + second.out
    assert t.listing(first.pm) == t.listing(second.pm)
    for line in first.out.splitlines():
        if line.split()[0] in ("nanosleep", "clock_nanosleep", "poll", "ppoll", "select", "pselect", "epoll", "cond"):
            assert line.split()[-1] == "30", line


@test
def time_goes_on_as_it_does_when_nothing_is_said(place):
    first = Run(place, "clocks").verify()
    second = Run(place, "clocks").verify()
    numbers = [dict(line.split(" ", 1) for line in run.out.splitlines()) for run in (first, second)]
    for name in ("getrandom", "urandom", "uuid", "AT_RANDOM", "gettimeofday", "rdtsc"):
        assert numbers[0][name] != numbers[1][name], name


@test
def client_has_a_moment_when_its_server_has_ended(place):
    pids = os.path.join(os.path.dirname(place.lib), "powercut-pids")
    where, stop = os.path.join(place.root, "namespace"), os.path.join(place.root, "stop")
    server = [pids, "--as=" + where, "sh", "-c", "until test -e %s; do sleep 0.01; done" % stop]
    for client, status in (("sleep 0.3", 0), ("sleep 20", -signal.SIGKILL)):
        begin = time.monotonic()
        with subprocess.Popen(server) as first:
            while not os.path.exists(where) or not os.path.getsize(where):
                time.sleep(0.01)
            alone = os.readlink("/proc/%d/ns/pid_for_children" % first.pid) == os.readlink("/proc/self/ns/pid")
            second = subprocess.run([pids, "--with=" + where, "sh", "-c", "touch %s; %s" % (stop, client)])
            assert first.wait() == 0
        assert alone or second.returncode == status, second
        assert alone or time.monotonic() - begin < 15
        os.unlink(where)
        os.unlink(stop)


THREADED = [
    ["schedules", kind]
    for kind in (
        "mutex condition barrier queue spin pause yield sync sleep timed fork signal detached many join pipe exit"
        " exit-beside-a-sleeper wake-up"
    ).split()
] + [["tasks"]]


def scheduled(place, program, *options, fails=None, limit=60):
    order = os.path.join(place.root, "order")
    for name in os.listdir(place.root):
        if name.startswith("order-"):
            os.unlink(os.path.join(place.root, name))
    options = ["--deterministic=yes", "--schedule-out=" + order, *options]
    run = Run(place, *program, options=options, fails=fails, limit=limit)
    run.order = {name: content(place.root, name) for name in os.listdir(place.root) if name.startswith("order-")}
    return run


def all_but_pids(run):
    """The trace, process by process: they run at once, and their numbers are the system's."""
    records = []
    forked = {record.thread for record in run.trace.records if record.kind == t.PROCESS_START}
    for record in run.trace.records:
        body = record.body
        if record.kind in (t.THREAD_START, t.THREAD_EXIT, t.THREAD_JOIN, t.PROCESS_JOIN):
            body = body[:8] + body[12:]
        elif record.kind in (t.MAP, t.UNMAP):
            body = body[:4] + body[8:]
        elif record.kind in (t.ACQUIRE, t.RELEASE) and record.u32(24) in (11, 12):  # made of the number of a file
            body = body[:8] + body[16:]
        elif record.kind in (t.PROCESS_START, t.EXEC):
            body = body[8:]
        elif record.kind == t.PROCESS_EXIT:
            body = body[4:]
        records.append((record.kind, record.flags, record.thread, body))
    return sorted(records, key=lambda record: record[2] if record[2] in forked else 0)


def orders_of(program):
    @test
    def threads_run_in_the_same_order_again(place):
        orders = set()
        for policy in ("default", "pct", "delay"):
            options = ["--schedule=" + policy, "--schedule-seed=5", "--quantum=5000", "--races=yes"]
            first = scheduled(place, program, *options).verify()
            second = scheduled(place, program, *options)
            assert first.order == second.order and len(first.order) == 1, policy
            assert all_but_pids(first) == all_but_pids(second), policy
            recorded = os.path.join(place.root, policy)
            for name, text in first.order.items():
                with open(recorded + name[len("order") :], "wb") as file:
                    file.write(text)
            # Other options of the recorder change nothing.
            again = scheduled(place, program, "--schedule-in=" + recorded, *(["--races=yes"] if policy == "delay" else []))
            assert again.order == first.order, policy
            orders.add(first.order["order-1"])
        assert len(orders) > 1

    threads_run_in_the_same_order_again.__name__ += "_" + "_".join(program)


for each in THREADED:
    orders_of(each)


@test
def others_run_while_a_thread_waits_for_a_disk(place):
    for policy, alternates in (("default", True), ("pct", False)):
        run = scheduled(place, ["schedules", "sync"], "--schedule=" + policy)
        turns = [line.split() for line in run.order["order-1"].decode().splitlines()[1:-1]]
        syncing = [thread for thread, _, end, *_ in turns if end == "y" and thread != "1"]
        assert len(syncing) == (60 if alternates else 0), (policy, syncing)
        assert all(one != next for one, next in zip(syncing, syncing[1:50])), syncing


@test
def another_seed_gives_another_schedule(place):
    for policy in ("pct", "delay"):
        options = ["--schedule=" + policy, "--quantum=3000"]
        orders = {scheduled(place, ["schedules", "mutex"], *options, "--schedule-seed=%d" % seed).order["order-1"] for seed in range(4)}
        assert len(orders) == 4, (policy, len(orders))


@test
def a_thread_pauses_behind_the_release_of_a_declared_lock(place):
    own = ["acquire:exclusive:1:-:own_lock", "release:exclusive:1:-:own_unlock"]
    run = scheduled(place, ["schedules", "own"], "--schedule=delay", *("--synchronise=" + one for one in own)).verify()
    records = [r for r in run.kinds(t.ACQUIRE, t.RELEASE, t.STORE) if r.kind == t.STORE or LOCK_KINDS[r.u32(24)] == "declared"]
    first = next(at for at, record in enumerate(records) if record.kind == t.RELEASE)
    following = records[first + 1]
    assert following.kind == t.ACQUIRE and following.thread != records[first].thread, (following.kind, following.thread)


@test
def a_schedule_that_cannot_be_followed_ends_the_execution(place):
    program = ["schedules", "condition"]
    lines = scheduled(place, program).order["order-1"].decode().splitlines()
    turn = lines[10].split()
    changes = {
        "went on after %s blocks" % turn[1]: lines[:10] + [" ".join([turn[0], str(int(turn[1]) + 1)] + turn[2:])] + lines[11:],
        "does not exist now": lines[:10] + [" ".join(["9"] + turn[1:])] + lines[11:],
        "is damaged": lines[:10] + ["x"] + lines[11:],
        "does not begin with": ["powercut schedule 2"] + lines[1:],
        "the process goes on": lines[:10] + ["end 10"],
    }
    changed = os.path.join(place.root, "changed")
    for message, text in changes.items():
        with open(changed + "-1", "w") as file:
            file.write("\n".join(text) + "\n")
        run = scheduled(place, program, "--schedule-in=" + changed, fails=-signal.SIGKILL)
        assert run.trace.error_kind == 3 and "cannot be followed" in run.trace.error, run.trace.error
        assert message in run.trace.error, (message, run.trace.error)
    os.unlink(changed + "-1")
    run = scheduled(place, program, "--schedule-in=" + changed, fails=-signal.SIGKILL)
    assert "this process had one thread only" in run.trace.error, run.trace.error
    # Where the recording was cut off, the policy goes on.
    with open(changed + "-1", "w") as file:
        file.write("\n".join(lines[:20]) + "\n17 3")
    assert scheduled(place, program, "--schedule-in=" + changed).order["order-1"].decode().splitlines() == lines


def stores_and_persists(run):
    chosen = (t.STORE, t.FLUSH, t.FENCE)
    return [(record.thread, record.kind) for record in run.trace.records if record.kind in chosen and record.thread != 1]


def hand_over(place, kind, *options):
    """Whether the reader has stored something after the writer's store and before its flush; and the run."""
    run = scheduled(place, ["schedules", kind], "--stacks=all", *options)
    kinds = stores_and_persists(run)
    at = kinds.index((2, t.STORE))
    behind = kinds[at + 1 :]
    return (3, t.STORE) in behind[: behind.index((2, t.FLUSH))], run


@test
def a_writer_can_be_held_between_store_and_persist(place):
    free = stores_and_persists(scheduled(place, ["schedules", "read"], "--stacks=all"))
    assert free[:3] == [(2, t.STORE), (2, t.FLUSH), (2, t.FENCE)], free
    held = stores_and_persists(scheduled(place, ["schedules", "read"], "--stacks=all", "--hold=2:1:1000000"))
    assert held[0] == (2, t.STORE) and held[-2:] == [(2, t.FLUSH), (2, t.FENCE)], held
    assert {thread for thread, kind in held[1:-2]} == {3} and (3, t.FENCE) in held, held


@test
def a_writer_that_is_held_gives_its_lock_back_if_it_does_so_before_it_persists(place):
    for kind, happens in (("hand-over", True), ("hand-over-spinning", True), ("hand-over-late", False), ("hand-over-late-spinning", False)):
        assert not hand_over(place, kind)[0], kind
        for more in ("", ":3"):
            hold = "--hold=2:1:1000000" + more
            overtakes, first = hand_over(place, kind, hold)
            # Who comes to the barrier last is the reader. If it is not kept, it has read all before the first store.
            assert overtakes == (happens and more != ""), (kind, more)
            text = first.order["order-1"].decode()
            # Whoever spins has some time only, before the writer goes on to where it gives the lock back.
            assert not overtakes or int(text.split()[-1]) < 500000, (kind, more, text.split()[-1])
            assert text.splitlines()[0].endswith(" hold " + hold[len("--hold=") :]), text.splitlines()[0]
            recorded = os.path.join(place.root, "held")
            with open(recorded + "-1", "w") as file:
                file.write(text)
            again = scheduled(place, ["schedules", kind], "--stacks=all", "--schedule-in=" + recorded)
            assert again.order == first.order, (kind, more)
            assert stores_and_persists(again) == stores_and_persists(first), (kind, more)


@test
def a_writer_is_not_held_for_long_among_others_that_yield(place):
    run = scheduled(place, ["schedules", "wait"], "--stacks=all", "--hold=2:1:10000000")
    lines = run.order["order-1"].decode().splitlines()
    assert 5000 < len(lines) < 15000, len(lines)
    assert int(lines[-1].split()[-1]) < 1000000, lines[-1]


@test
def a_recorded_schedule_is_followed_up_to_the_store_of_a_hold(place):
    for policy in ("default", "pct", "delay"):
        options = ["--schedule=" + policy, "--schedule-seed=3", "--quantum=500", "--races=yes"]
        first = scheduled(place, ["schedules", "mutex"], *options)
        recorded = os.path.join(place.root, "base")
        with open(recorded + "-1", "wb") as file:
            file.write(first.order["order-1"])
        held = scheduled(place, ["schedules", "mutex"], "--races=yes", "--schedule-in=" + recorded, "--hold=3:21:1000000")
        orders = [[record for record in run.trace.records if record.kind in (t.STORE, t.FLUSH, t.FENCE)] for run in (first, held)]
        same = [at for at, record in enumerate(orders[0]) if (record.kind, record.thread) == (t.STORE, 3)][20] + 1
        before, behind = ([(record.thread, bytes(record.body)) for record in order[:same]] for order in orders)
        assert before == behind, policy


@test
def a_store_from_before_the_second_thread_can_be_held(place):
    def is_read_before_its_flush(run, by):
        kinds = [(record.thread, record.kind) for record in run.trace.records]
        return kinds.index((3, t.STORE)) < kinds.index((by, t.FLUSH))

    recorded = os.path.join(place.root, "base")
    for kind, by, hold in (("find", 1, "1:1:1000000"), ("find-and-persist", 2, "1:1:1000000:0:2")):
        program = ["schedules", kind]
        for more in ([], ["--schedule-in=" + recorded]):
            free = scheduled(place, program, "--stacks=all")
            assert not is_read_before_its_flush(free, by), kind
            with open(recorded + "-1", "wb") as file:
                file.write(free.order["order-1"])
            held = scheduled(place, program, "--stacks=all", "--hold=" + hold, *more)
            assert is_read_before_its_flush(held, by), (kind, more)
            assert held.order["order-1"].splitlines()[0].endswith(b" hold " + hold.encode()), held.order["order-1"][:80]
            with open(recorded + "-1", "wb") as file:
                file.write(held.order["order-1"])
            again = scheduled(place, program, "--stacks=all", "--schedule-in=" + recorded)
            assert again.order == held.order, (kind, more)
            assert all_but_pids(again) == all_but_pids(held), (kind, more)


@test
def threads_that_wait_for_one_another_forever_are_left_to_the_time_limit(place):
    def kill(process, trace):
        time.sleep(4)
        os.killpg(process.pid, signal.SIGKILL)

    Run(place, "schedules", "deadlock", options=["--schedule-out=" + os.path.join(place.root, "order")], fails=-signal.SIGKILL, meanwhile=kill)
    lines = content(place.root, "order-1").splitlines()
    assert len(lines) > 3 and not lines[-1].startswith(b"end")


@test
def code_for_avx_512_is_named(place):
    run = Run(place, "evex", fails=-signal.SIGILL)
    for text in ("AVX-512", "62 f1", "wide_store", "evex.c"):
        assert text in run.trace.error and text in run.error, (text, run.trace.error, run.error)
    assert run.trace.error_kind == 2
    assert not run.image(run.trace.records)


@test
def code_for_avx_512_may_be_tried(place):
    run = Run(place, "evex", "catch")
    assert run.trace.error_kind == 2 and run.trace.ended
    assert not run.image(run.trace.records)
    assert len(run.kinds(t.STORE)) == 2


def wait_until(process, condition):
    while process.poll() is None and not condition():
        time.sleep(0.005)


def kill_in_chunk_4(process, trace):
    wait_until(process, lambda: os.path.exists(os.path.join(trace, "chunk-00000004")))
    process.kill()


@test
def a_trace_survives_the_target_being_killed(place):
    run = Run(place, "killed", "forever", fails=-signal.SIGKILL, meanwhile=kill_in_chunk_4)
    assert not run.trace.ended and run.trace.chunk_count > 3
    # It may be killed between a store and its record: the next store, and no other, may be missing.
    stores = run.kinds(t.STORE)
    last = struct.unpack("<q", stores[-1].data())[0]
    assert last == len(stores) - 1
    with open(os.path.join(run.pm, "killed"), "rb") as file:
        words = [word for (word,) in struct.iter_unpack("<q", file.read())]
    assert max(words) in (last, last + 1), (max(words), last)
    for at, word in enumerate(words):
        assert word % len(words) == at and word > max(words) - len(words)


@test
def a_process_takes_over_from_one_that_was_killed(place):
    run = Run(place, "heirs", options=["--chunk-size=256K"])
    own = [struct.unpack("<q", store.data())[0] for store in run.kinds(t.STORE) if store.offset() >= 32768]
    assert own == list(range(1, 61)), own
    assert run.trace.ended and run.trace.chunk_count > 60


@test
def an_execution_is_not_over_before_a_forked_child_has_run(place):
    run = Run(place, "orphans").verify()
    assert len(run.kinds(t.PROCESS_EXIT)) == 31 and len(run.kinds(t.STORE)) == 30


@test
def an_execution_is_not_over_when_two_generations_end_at_once(place):
    run = Run(place, "grandchildren").verify()
    assert len(run.kinds(t.PROCESS_EXIT)) == 401 and len(run.kinds(t.STORE)) == 200


def consume(process, trace):
    """Deletes each chunk when it is over, as a reader with little space does; never more than two may be there."""
    kept = tempfile.mkdtemp(dir=os.path.dirname(trace))
    number = 0
    while process.poll() is None:
        names = sorted(name for name in os.listdir(trace) if name.startswith("chunk-"))
        assert len(names) <= 2, names
        if len(names) == 2:
            path = os.path.join(trace, "chunk-%08d" % number)
            shutil.copy(path, kept)
            os.unlink(path)
            number += 1
        time.sleep(0.002)
    for name in os.listdir(kept):
        with open(os.path.join(kept, name), "rb") as file:
            assert file.read(40)[32] == 1  # closed
        shutil.move(os.path.join(kept, name), trace)


@test
def the_recorder_waits_for_a_reader_when_space_is_bounded(place):
    run = Run(place, "killed", options=["--window=2"], meanwhile=consume).verify()
    assert run.trace.chunk_count > 3


@test
def excluded_functions_are_no_failure_points(place):
    whole = Run(place, "stacks").verify()
    run = Run(place, "stacks", options=["--exclude=deep,signals*"]).verify()
    flags = {stack: flag for stack, (_, flag, _) in run.trace.stacks.items()}
    assert any(flags.values())
    for stack, (_, _, sites) in run.trace.stacks.items():
        names = [run.trace.function(site).split("(")[0] for site in sites]
        assert flags[stack] == ("deep" in names or "signals" in names), names
    assert run.trace.failure_point_count < whole.trace.failure_point_count


def stacks_of_failure_points(run):
    """(module, function) of each frame, innermost first, of each failure point."""
    stacks = {identity: sites for identity, _, sites in run.trace.stacks.values()}
    named = [[(run.trace.module_name(site), run.trace.function(site)) for site in stacks[point]] for _, point in run.trace.failure_points()]
    return named


def is_of_loader(stack):
    outer = [module for module, _ in stack if module != "libc.so.6"]
    return outer != [] and outer[0].startswith("ld-linux")  # [] is a thread that begins


@test
def the_dynamic_loader_makes_no_failure_points(place):
    for program in ("loading", "bound"):
        arguments = (program, place.program("plugin.so"))
        told = stacks_of_failure_points(Run(place, *arguments, options=["--loader=yes"]).verify())
        usual = stacks_of_failure_points(Run(place, *arguments).verify())
        loading = [stack for stack in told if is_of_loader(stack) and stack[0][1] != "msync"]
        assert any(function == "_dl_fixup" for stack in loading for _, function in stack) == (program == "loading")
        assert any(function.startswith("_dl_open") for stack in loading for _, function in stack), loading
        for stack in usual:
            assert not is_of_loader(stack) or stack[0][1] == "msync", stack
        # A jump at a constructor's end is no call, so that the loader seems to call msync.
        assert [stack[0][1] for stack in usual].count("msync") == 2, usual
        assert (program, "_dl_fixup") in [stack[0] for stack in usual], usual
        assert ("plugin.so", "") in [stack[0][:1] + ("",) for stack in usual], usual
        assert any(("binds" in stack[1][1] or "binds" in stack[0][1]) for stack in usual), usual


@test
def the_analysis_begins_and_ends_at_functions(place):
    options = ["--begin=after_longjmp", "--end=coroutines"]
    run = Run(place, "stacks", options=options).verify(begins_active=False)
    assert [r.flags for r in run.kinds(t.MARK)] == [1, 2] and run.trace.marks == 2
    whole = Run(place, "stacks").verify()
    assert 5 < run.trace.failure_point_count < whole.trace.failure_point_count


def requests(place, what, *options):
    return Run(place, "requests", what, options=["--requests=yes", *options])


def marks(run):
    return [r.flags for r in run.kinds(t.MARK)]


def acknowledgements(run):
    return [r.output()[2] for r in run.kinds(t.OUTPUT) if r.output()[0] == t.ACKNOWLEDGED]


@test
def locks_of_files_and_pipes_order_processes(place):
    run = Run(place, "file_locks", options=["--races=yes"]).verify()
    found = []
    for r in run.kinds(t.ACQUIRE, t.RELEASE):
        what = {11: "file", 12: "pipe"}.get(r.u32(24))
        if what and r.kind == t.ACQUIRE:
            found.append("+ %s %s" % (what, "shared" if r.flags & 1 else "exclusive"))
        elif what and not (what == "pipe" and r.u64(16) not in [one.u64(16) for one in run.kinds(t.ACQUIRE)]):
            found.append("- " + what)  # standard output is a pipe, too
    assert found == run.out.splitlines(), found


@test
def a_program_says_where_the_tested_part_begins_and_ends(place):
    run = requests(place, "parts").verify()
    assert marks(run) == [2, 2, 1, 1, 2, 1] and run.trace.failure_point_count == 3, (marks(run), run.trace.failure_point_count)
    run = requests(place, "nothing that it knows").verify()
    assert marks(run) == [2] and run.trace.failure_point_count == 0
    run = Run(place, "requests", "parts").verify()
    assert marks(run) == [] and run.trace.failure_point_count == 6


@test
def a_program_that_waits_does_not_end_the_tested_part_of_another(place):
    run = requests(place, "child").verify()
    assert marks(run) == [2, 1] and run.trace.failure_point_count == 2, marks(run)


@test
def a_program_says_what_is_acknowledged(place):
    options = ["--outputs=yes", "--acknowledged=yes"]
    told = acknowledgements(requests(place, "threads", *options).verify())
    assert sorted(told) == sorted(b"%d of %d\n" % (i, j) for i in range(100) for j in range(4)), told[:5]
    run = requests(place, "wrong", *options).verify()
    assert acknowledgements(run) == [b"\n", b"x" * 65535 + b"\n", b"\n", b"\n", b"before the fence\n"]
    assert not acknowledgements(requests(place, "wrong").verify())
    assert not acknowledgements(Run(place, "requests", "wrong", options=options).verify())


@test
def a_program_says_what_becomes_of_ranges(place):
    run = requests(place, "ranges").verify()
    told = [(r.flags, *struct.unpack_from("<QQ", r.body, 8)) for r in run.kinds(t.RANGE)]
    pool = 1 << 48
    assert told[:-1] == [(3, pool + 10, 20), (2, pool + 100, 1), (1, pool, 100), (3, pool, 4096)], told
    assert told[-1][0] == 3 and told[-1][1] >> 48 == 0 and told[-1][2] == 1, told
    assert not Run(place, "requests", "ranges").verify().kinds(t.RANGE)
    alone = Run(place, "requests", "ranges", options=["--requests=ranges"]).verify()
    assert [(r.flags, *struct.unpack_from("<QQ", r.body, 8)) for r in alone.kinds(t.RANGE)] == told
    run = Run(place, "requests", "parts", options=["--requests=ranges"]).verify()
    assert marks(run) == [] and run.trace.failure_point_count == 6


@test
def every_dialect_of_c_takes_the_header(place):
    """Warnings are errors. With -masm=intel the compiler wants the other syntax for the same sequences."""
    header = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../include/powercut.h")
    sequence = bytes.fromhex("48c1c703 48c1c70d 48c1c73d 48c1c733 4887db")
    calls = ["begin()", "transient(p, 8)", "ignore(p, 8)", "persistent(p, 8)", 'acknowledge("x")', 'acknowledge_bytes("x", 1)', "end()"]
    source, made = os.path.join(place.root, "all.c"), os.path.join(place.root, "all.o")
    with open(source, "w") as file:
        file.write('#include "%s"\nint all(void *p);\nint all(void *p)\n{\n' % header)
        file.writelines("powercut_%s;\n" % call for call in calls)
        file.write("return p != 0;\n}\n")

    def sequences(*command):
        subprocess.run([*command, "-pedantic", "-Wall", "-Wextra", "-Werror", "-c", source, "-o", made], check=True)
        with open(made, "rb") as file:
            return file.read().count(sequence)

    for compiler in (["gcc", "-std=c89"], ["gcc", "-std=c17"], ["g++", "-x", "c++", "-std=c++98"], ["g++", "-x", "c++", "-std=c++20"]):
        for options in (["-O0"], ["-O2"], ["-O2", "-fPIC"]):
            for dialect in ("att", "intel"):
                # One more for what runs before main.
                assert sequences(*compiler, *options, "-masm=" + dialect) == len(calls) + 1, (compiler, options, dialect)
        assert sequences(*compiler, "-O2", "-DPOWERCUT_DISABLE") == 0


@test
def what_another_process_overtakes_is_recorded_all_the_same(place):
    Run(place, "overtaken").verify()


@test
def what_one_process_saw_of_another_is_in_front_of_what_it_then_stored(place):
    run = Run(place, "turns").verify()
    turns = [(r.offset(), struct.unpack("<i", r.data())[0]) for r in run.kinds(t.STORE)]
    wanted = [(place, turn) for turn in range(1, 4001) for place in (0, 256)] + [(0, 4001)]
    wrong = [(at, have, want) for at, (have, want) in enumerate(zip(turns, wanted)) if have != want]
    assert len(turns) == len(wanted) and not wrong, (len(turns), len(wrong), wrong[:4])


@test
def very_many_files_are_followed(place):
    run = Run(place, "files").verify()
    assert run.trace.seen_files == 9000, run.trace.seen_files
    assert len(os.listdir(run.pm)) == 15


@test
def limits_of_open_files_are_those_that_the_target_set(place):
    recorded = Run(place, "limits").verify()
    native = subprocess.run(
        [place.program("limits"), recorded.pm], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert native.returncode == 0, native.stderr
    assert sorted(recorded.out.splitlines()) == sorted(native.stdout.splitlines()), recorded.out + "--- natively:\n" + native.stdout


@test
def the_stack_of_a_target_that_dies_is_kept(place):
    for how, number in (("segv", signal.SIGSEGV), ("abort", signal.SIGABRT), ("term", signal.SIGTERM), ("kill", signal.SIGKILL)):
        run = Run(place, "dies", how, options=["--read-inline-info=yes"], fails=-number)
        deaths = [name for name in os.listdir(run.trace_directory) if name.startswith("death-")]
        assert len(deaths) == (0 if how == "kill" else 1), (how, deaths)
        for name in deaths:
            with open(os.path.join(run.trace_directory, name)) as file:
                frames = file.read().splitlines()
            at = next(index for index, frame in enumerate(frames) if " die (dies.c:" in frame)
            assert " main (dies.c:" in frames[at + 1], frames
            assert how != "segv" or at == 0, frames


@test
def the_stack_of_a_target_that_dies_goes_on_to_what_a_handler_interrupted(place):
    ends = ["fault", "die", "main"]
    for how, number in (("handler", signal.SIGABRT), ("alternate", signal.SIGABRT), ("returned", signal.SIGSEGV)):
        run = Run(place, "dies", how, options=["--read-inline-info=yes"], fails=-number)
        (death,) = [name for name in os.listdir(run.trace_directory) if name.startswith("death-")]
        with open(os.path.join(run.trace_directory, death)) as file:
            functions = [frame.split()[1] for frame in file.read().splitlines()]
        assert functions[-3:] == ends, (how, functions)
        assert len(functions) == 3 if how == "returned" else functions[-5:-3] == ["abort", "on_fault"], (how, functions)
        assert run.trace.stack_repairs == 0


@test
def debug_information_that_valgrind_cannot_read_is_left_out(place):
    for program in ("split", "clang"):
        run = Run(place, program, "abort", options=["--read-inline-info=yes"], fails=-signal.SIGABRT)
        (death,) = [name for name in os.listdir(run.trace_directory) if name.startswith("death-")]
        with open(os.path.join(run.trace_directory, death)) as file:
            assert " main (in " in file.read(), program


@test
def a_failure_of_valgrind_itself_is_reported_with_the_targets_stack(place):
    run = Run(place, "threads", options=["--max-threads=4"], fails=1)
    assert run.trace.error.startswith("Valgrind, which records the target, failed: Max number of threads"), run.trace.error
    (death,) = [name for name in os.listdir(run.trace_directory) if name.startswith("death-")]
    with open(os.path.join(run.trace_directory, death)) as file:
        assert " main (threads.c:" in file.read()


@test
def without_records_it_still_stops(place):
    run = Run(place, "stacks")
    identity = run.trace.failure_points()[-1][1]
    leaves = os.path.join(run.root, "leaves")
    write_leaves(leaves, {point for _, point in run.trace.failure_points()}, {identity})
    stopped = Run(place, "stacks", options=["--record=no", "--leaves=" + leaves], fails=-signal.SIGKILL)
    assert stopped.trace.stopped and stopped.trace.stop_id == identity
    assert not stopped.kinds(t.STORE, t.FLUSH, t.FENCE)
    assert stopped.kinds(t.STOP) and stopped.trace.stacks[stopped.trace.stop_stack][0] == identity


@test
def it_stops_at_the_visit_that_was_asked_for(place):
    run = Run(place, "killed")
    points = [identity for _, identity in run.trace.failure_points()]
    leaves = os.path.join(run.root, "leaves")
    identity = points[10]
    assert points.count(identity) > 7
    write_leaves(leaves, set(points), {identity})
    stopped = Run(place, "killed", options=["--occurrence=7", "--leaves=" + leaves], fails=-signal.SIGKILL)
    assert not stopped.image(stopped.trace.records)
    seventh = [index for index, point in run.trace.failure_points() if point == identity][6]
    stores = [r for r in run.trace.records[:seventh] if r.kind == t.STORE]
    assert len(stores) == len(stopped.kinds(t.STORE))


def run_programs(place, arguments, options, snapshots):
    def answer(process, trace):
        snapshots.take(process, os.path.join(os.path.dirname(trace), "pm"))

    return Run(place, "random", *arguments, options=options, meanwhile=answer, stdin=subprocess.PIPE, limit=120, fails=(0, -signal.SIGKILL))


def random_programs(seed, count):
    """Seeds of one kind; all those that one process runs."""

    def run(place):
        snapshots = programs.Snapshots()
        options = programs.options(seed)
        every_store = "--granularity=store" in options
        try:
            run = run_programs(place, programs.arguments(seed, count, programs.EVERY), options, snapshots)
            programs.compare(run, snapshots)
            run.verify_counts(every_store=every_store, repairs=programs.has_stacks_in_pm(seed))
        except programs.Difference as difference:
            raise AssertionError(programs.explain(place, run_programs, difference)) from None
        except Exception as error:
            raise AssertionError("seed %s: %s\n%s" % (snapshots.last_seed, error, programs.run_again(snapshots.last_seed or seed))) from error

    run.__name__ = "what_random_programs_do_is_recorded_seeds_%d_to_%d" % (seed, seed + (count - 1) * len(programs.KINDS))
    return run


def all_random_programs(first, count):
    kinds = len(programs.KINDS)
    for kind in range(min(kinds, count)):
        seeds = range(first + kind, first + count, kinds)
        for at in range(0, len(seeds), programs.MOST_AT_ONCE):
            TESTS.append(random_programs(seeds[at], min(programs.MOST_AT_ONCE, len(seeds) - at)))


# ----------------------------------------------------------------- Python


def interpreters():
    """Of this machine, by version: Debian's, that which runs this, and what pyenv has."""
    found = {}
    patterns = ["/usr/bin/python3.*", os.path.realpath(sys.executable), os.path.expanduser("~/.pyenv/versions/*/bin/python3.*")]
    for path in [path for pattern in patterns for path in glob.glob(pattern)]:
        if re.fullmatch(r"python3\.\d+", os.path.basename(path)):
            found[path] = tuple(int(number) for number in os.path.basename(path)[6:].split("."))
    return found


KNOWN_PYTHONS = [(3, 11), (3, 12), (3, 13)]


def python_stack(trace, stack):
    """Its Python frames as the program says them."""
    sites = [site for site in trace.stacks[stack][2] if trace.sites[site][0] in trace.sources]
    return " ".join("%s %d" % (trace.function(site), trace.line(site)) for site in sites)


def python(path):
    def runs_python(place):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "python_frames.py")
        run = Run(place, [path, script]).verify()
        said = run.out.splitlines()
        syncs = [r for r in run.kinds(t.SYNC, t.STORE) if r.kind == t.SYNC or r.flags & t.FILE_WRITE]
        recorded = [python_stack(run.trace, r.u32(12)) for r in syncs]
        assert recorded == said, "\n".join(difflib.unified_diff(said, recorded, "said", "recorded", lineterm="", n=1))
        # What persists at one place in the script is one failure point, whichever way the interpreter took.
        points = defaultdict(set)
        for index, identity in run.trace.failure_points():
            record = run.trace.records[index]
            if record.kind == t.SYNC:
                points[python_stack(run.trace, record.u32(12))].add(identity)
        assert all(len(identities) == 1 for identities in points.values()), points
        assert len(set.union(*points.values())) == len(points) > 0.8 * len(set(said)), (len(points), len(set(said)))
        stores = [r for r in run.kinds(t.STORE) if not r.flags & (t.FILE_WRITE | t.KERNEL)]
        assert all("say" in python_stack(run.trace, r.u32(12)) for r in stores)

    runs_python.__name__ = "frames_of_" + path.replace("/", "_")
    return runs_python


def unknown_python(path):
    def has_frames_of_the_interpreter(place):
        code = "import mmap, sys; f = open(sys.argv[1] + '/file', 'w+b'); f.truncate(4096); m = mmap.mmap(f.fileno(), 4096); m[0] = 1; m.flush()"
        run = Run(place, [path, "-c", code]).verify()
        [sync] = run.kinds(t.SYNC)
        assert not run.trace.sources
        assert "_PyEval_EvalFrameDefault" in [run.trace.function(site) for site in run.trace.stacks[sync.u32(12)][2]]

    has_frames_of_the_interpreter.__name__ = "unknown_" + path.replace("/", "_")
    return has_frames_of_the_interpreter


TESTS.extend(python(path) for path, version in interpreters().items() if version in KNOWN_PYTHONS)
TESTS.extend(unknown_python(path) for path, version in interpreters().items() if (3, 9) <= version < KNOWN_PYTHONS[0])

# ------------------------------------------------------------------- main


class Place:
    def __init__(self, arguments, root):
        self.lib = os.path.abspath(arguments.lib)
        self.bin = os.path.abspath(arguments.bin)
        self.root = root
        self.thoroughness = max(1, arguments.seeds // 30)

    def program(self, name):
        return name if name.startswith("/") else os.path.join(self.bin, name)


def run_test(function, arguments):
    begin = time.monotonic()
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    root = tempfile.mkdtemp(prefix="powercut-check-", dir=base)
    try:
        function(Place(arguments, root))
        return function.__name__, None, time.monotonic() - begin
    except Exception:
        return function.__name__, traceback.format_exc(), time.monotonic() - begin
    finally:
        shutil.rmtree(root, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lib", required=True)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--programs", type=int, default=0, help="how many random programs, each with a seed of its own")
    parser.add_argument("--program", type=int, help="only the random program with this seed")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    TESTS.extend(random_reads(seed) for seed in range(1, 1 + (arguments.seeds + 3) // 4))
    TESTS.extend(random_changes(seed) for seed in range(arguments.seeds))
    if arguments.program is not None:
        TESTS[:] = [random_programs(arguments.program, 1)]
    first = programs.seed_number(time.time_ns() // 1000)
    all_random_programs(first, arguments.programs)
    chosen = [function for function in TESTS if arguments.only in function.__name__]
    failed = 0
    with ThreadPoolExecutor(2) as pool:
        for name, error, seconds in pool.map(lambda function: run_test(function, arguments), chosen):
            print("%s %5.1f s  %s" % ("FAILED" if error else "ok    ", seconds, name.replace("_", " ")))
            if error:
                failed += 1
                print(error)
    if arguments.programs:
        print("random programs: seeds %d to %d; one of them: check.py --program SEED" % (first, first + arguments.programs - 1))
    print("%d tests, %d failed" % (len(chosen), failed))
    sys.exit(1 if failed or not chosen else 0)


if __name__ == "__main__":
    main()
