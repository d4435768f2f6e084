# SPDX-License-Identifier: GPL-2.0-or-later
"""Random programs (random/main.c): what the recorder says of them against what the files hold, and what the programs say they did."""

import os
import struct
from collections import defaultdict

import trace as t

MOST_AT_ONCE = 50  # seeds in one process
OPERATIONS = 200  # of each actor
EVERY = 50  # operations between two looks at the files
TRIES = 5  # to see a difference again behind each operation
CHECKPOINT = 63
OPERATION, STORED, ELEMENTS, COPIED, KERNEL, FLUSHED, FENCED, SYNCED, WRITTEN, ANYTHING, CHOICE = range(11)
VOLATILE_MEMORY, ANY_FILE, POOL = -2, -1, 0

# Threads, further processes, whether stacks lie in PM, how often each forks, options of the recorder: by the remainder of the seed.
# A call that waits is a failure point where it begins and a store where it ends, so that with others meanwhile and
# --granularity=store the recorder's count is not the readers'.
KINDS = [
    (1, 0, 0, 0, []),
    (3, 0, 0, 1, []),
    (2, 2, 0, 2, []),
    (1, 0, 0, 0, ["--granularity=store"]),
    (1, 0, 1, 2, []),
    (2, 0, 0, 0, ["--stacks=all", "--outputs=yes", "--reads=yes"]),
]


class Difference(Exception):
    """What is not as it should be, with its seed and, when it is known, the operation."""

    def __init__(self, seed, text, operation=None):
        super().__init__(text)
        self.seed = seed
        self.text = text
        self.operation = operation


class Entry:
    """One thing that a program says it did."""

    def __init__(self, fields):
        self.kind, self.flags, self.file, self.extra, self.offset, self.size = fields

    def __str__(self):
        name = "OPERATION STORED ELEMENTS COPIED KERNEL FLUSHED FENCED SYNCED WRITTEN ANYTHING CHOICE".split()[self.kind]
        return "%s file %d, offset %d, %d bytes, flags %d, %d" % (name, self.file, self.offset, self.size, self.flags, self.extra)


def seed_number(number):
    """Fits into the marker beside the number of an operation."""
    return number & 0x7FFFFFFF


class Snapshots:
    """Answers a program that waits to be looked at."""

    def __init__(self):
        self.of_number = {}
        self.operations = []
        self.last_seed = None

    def take(self, process, pm):
        for line in process.stdout:
            word, *rest = line.decode().split(maxsplit=1)
            if word == "operation":
                self.operations.append(rest[0].strip())
            elif word == "checkpoint":
                number, seed = rest[0].split()
                self.last_seed = int(seed)
                self.of_number[int(number)] = t.listing(pm)
                process.stdin.write(b".")
                process.stdin.flush()


class Events:
    """What the trace holds of each operation: (seed, slot, number) -> records."""

    def __init__(self, trace):
        self.trace = trace
        self.of_operation = defaultdict(list)
        self.current = {}  # by thread
        self.paths = {}

    def add(self, record):
        operation = self.current.get(record.thread)
        if operation is None or record.kind not in (t.STORE, t.FLUSH, t.FENCE, t.SYNC, t.SYNC_END):
            return
        if record.kind == t.FENCE and record.flags == 3 and self.trace.module_name(record.u32(8)) != "random":
            return  # the C library's locks
        if record.kind in (t.STORE, t.FLUSH) and record.file() and self.file(record) == ANY_FILE:
            return
        if record.kind == t.STORE and record.flags & 0xF == t.FILE_WRITE | t.ZEROED:
            return  # where it was not zero, which a program does not know; the files are compared
        self.of_operation[operation].append(record)

    def file(self, record):
        """The number that the programs give the record's file."""
        if record.file() == 0:
            return VOLATILE_MEMORY
        name = os.path.basename(self.paths[record.file()])
        return POOL if name == "pool" else 1 + int(name[4:]) if name.startswith("own-") else ANY_FILE


def without_signal_stack(names):
    """What Valgrind puts there for signals that interrupt one another is not told to the last byte."""
    return {name: entry for name, entry in names.items() if not name.endswith("/signal-stack")}


def walk(run, snapshots):
    """Replays the trace, looks at the files where the program waited; gives the events of all operations."""
    replay, events = t.Replay(run.before), Events(run.trace)
    events.paths = replay.paths
    seed = None
    for record in run.trace.records:
        try:
            replay.apply(record)
        except (AssertionError, KeyError, ValueError) as error:
            operation = events.current.get(record.thread)
            raise Difference(seed, "a record of kind %d does not fit: %r" % (record.kind, error), operation) from error
        if record.kind != t.STORE or replay.paths[record.file()] != "marker":
            events.add(record)
            continue
        slot, (value,) = record.offset() // 8, struct.unpack("<Q", record.data())
        if slot == CHECKPOINT:
            found = t.differences(*(without_signal_stack(names) for names in (replay.listing(), snapshots.of_number[value])))
            if found:
                raise Difference(seed, "the replay and the files: " + "\n".join(found[:5]), ("checkpoint", value))
        else:
            seed = value >> 32
            operation = value & 0xFFFFFFFF
            events.current[record.thread] = (seed, slot, operation) if operation else None
    return events


def read_log(path):
    """(seed, slot, number of the operation) -> (place in the table, what it says)."""
    with open(path, "rb") as file:
        log = file.read()
    operations, at = {}, 0
    while at < len(log):
        seed, slot, count = struct.unpack_from("<qqq", log, at)
        at += 24
        for fields in struct.iter_unpack("<BBhIqq", log[at : at + 24 * count]):
            entry = Entry(fields)
            if entry.kind == OPERATION:
                said = operations[(seed, slot, entry.extra)] = (entry.flags, [])
            else:
                said[1].append(entry)
        at += 24 * count
    return operations


class Comparison:
    """One operation's events against what the program says."""

    def __init__(self, events, records):
        self.events = events
        self.records = records
        self.at = 0

    def next(self, entry, *kinds):
        assert self.at < len(self.records), "%s: is missing" % entry
        record = self.records[self.at]
        assert record.kind in kinds, "%s: there is a record of kind %d" % (entry, record.kind)
        self.at += 1
        return record

    def check(self, entries):
        for entry in entries:
            self.entry(entry)
        assert self.at == len(self.records), "%d records more than said, the first: %s" % (
            len(self.records) - self.at,
            self.describe(self.records[self.at]),
        )

    def describe(self, record):
        if record.kind == t.STORE:
            return "STORE file %d, offset %d, %d bytes, flags %d" % (self.events.file(record), record.offset(), len(record.data()), record.flags & 0xF)
        return "kind %d, flags %d" % (record.kind, record.flags)

    def entry(self, entry):
        if entry.kind in (STORED, WRITTEN):
            self.stored(entry)
        elif entry.kind == ELEMENTS:
            self.elements(entry)
        elif entry.kind in (COPIED, KERNEL):
            self.covered(entry)
        elif entry.kind == FLUSHED:
            record = self.next(entry, t.FLUSH)
            assert (self.events.file(record), record.flags, record.offset()) == (entry.file, entry.flags, entry.offset), "%s: %s at %d" % (
                entry,
                self.describe(record),
                record.offset(),
            )
        elif entry.kind == FENCED:
            record = self.next(entry, t.FENCE)
            assert record.flags == entry.flags, "%s: %s" % (entry, self.describe(record))
        elif entry.kind == SYNCED:
            self.synced(entry)

    def store(self, entry, flags):
        while flags & t.LOCKED and not flags & t.FILE_WRITE and self.at + 1 < len(self.records) and self.records[self.at].kind == t.FENCE:
            self.at += 1  # somebody else was faster, so that the instruction was tried again
        record = self.next(entry, t.STORE)
        assert self.events.file(record) == entry.file and record.flags & 0xF == flags, "%s: %s" % (entry, self.describe(record))
        return record.offset(), record.offset() + len(record.data()), record

    def stored(self, entry):
        """Each byte once, in some records."""
        missing = set(range(entry.offset, entry.offset + entry.size))
        while missing:
            start, end, record = self.store(entry, entry.flags)
            covered = set(range(start, end))
            assert covered <= missing and not record.element, "%s: %s" % (entry, self.describe(record))
            missing -= covered

    def elements(self, entry):
        """One record for each, in the order of the direction."""
        places = range(entry.offset, entry.offset + entry.size, entry.extra)
        for index, place in enumerate(reversed(places) if entry.flags else places):
            start, end, record = self.store(entry, 0)
            assert (start, end, record.element) == (place, place + entry.extra, index > 0), "%s: element %d: %s" % (
                entry,
                index,
                self.describe(record),
            )

    def covered(self, entry):
        """All of it, and nothing but what may be."""
        missing = set(range(entry.offset, entry.offset + entry.size))
        room = entry.offset + max(entry.size, entry.extra)
        while missing or self.goes_on(entry, room):
            start, end, record = self.store(entry, t.KERNEL if entry.kind == KERNEL else 0)
            assert entry.offset <= start and end <= room, "%s: %s" % (entry, self.describe(record))
            missing -= set(range(start, end))

    def goes_on(self, entry, room):
        if self.at == len(self.records) or self.records[self.at].kind != t.STORE:
            return False
        record = self.records[self.at]
        return self.events.file(record) == entry.file and entry.offset <= record.offset() < room

    def synced(self, entry):
        record = self.next(entry, t.SYNC)
        location = (self.events.file(record), record.flags, record.offset(), record.u64(24))
        assert location == (entry.file, entry.flags, entry.offset, entry.size), "%s: %s" % (entry, location)
        end = self.next(entry, t.SYNC_END, t.SYNC)
        if end.kind == t.SYNC:  # a signal interrupted the call, which was made again
            record, end = end, self.next(entry, t.SYNC_END)
        assert (end.u64(16), end.u32(8)) == (record.u64(32), entry.extra), "%s: it ended with %d" % (entry, end.u32(8))


def compare(run, snapshots):
    """Raises Difference at the first one; returns how many operations were compared."""
    events = walk(run, snapshots)
    log = read_log(os.path.join(run.root, "log"))
    for operation, (_, entries) in log.items():
        if any(entry.kind == ANYTHING for entry in entries):
            continue
        records = events.of_operation.get(operation, [])
        try:
            Comparison(events, records).check(entries)
        except AssertionError as error:
            said = "".join("\n  said: %s" % entry for entry in entries)
            raise Difference(operation[0], str(error) + said, operation) from error
    return len(log)


def arguments(seed, count, every, operations=OPERATIONS):
    threads, processes, stacks, forks, _ = KINDS[seed % len(KINDS)]
    return [str(value) for value in (seed, len(KINDS), count, threads, processes, stacks, forks, operations, every)]


def options(seed):
    return KINDS[seed % len(KINDS)][-1]


def has_stacks_in_pm(seed):
    """Where a program also stores over its own old stacks, and leaves handlers by jumps while further signals come."""
    return bool(KINDS[seed % len(KINDS)][2])


def run_again(seed):
    return "again: python3 check.py --lib DIR --bin DIR --program %d" % seed


def name_of(operations, said):
    which, entries = said
    return " ".join([operations[which], *(str(entry.extra) for entry in entries if entry.kind == CHOICE)])


def look_closely(place, make_run, seed):
    """The same seed alone, looked at behind each operation; gives what differs, or None."""
    snapshots = Snapshots()
    run = make_run(place, arguments(seed, 1, 1), options(seed), snapshots)
    try:
        compare(run, snapshots)
        return None
    except Difference as again:
        text, operation = again.text, again.operation
    log = read_log(os.path.join(run.root, "log"))
    if operation and operation[0] == "checkpoint":
        # Behind the n-th operation of each actor comes the n-th look.
        names = sorted("%d: %s" % (slot, name_of(snapshots.operations, said)) for (_, slot, n), said in log.items() if n == operation[1])
        return "%s\noperation %d (actor: operation) %s" % (text, operation[1], ", ".join(names))
    if operation in log:
        text += "\noperation %d of actor %d: %s" % (operation[2], operation[1], name_of(snapshots.operations, log[operation]))
    return text


def explain(place, make_run, difference):
    """With threads it may take some runs until it is seen again."""
    for _ in range(TRIES):
        again = look_closely(place, make_run, difference.seed)
        if again:
            return "seed %d, %s\n%s" % (difference.seed, again, run_again(difference.seed))
    return "seed %d, %s\n(not seen again in %d runs of the seed alone)\n%s" % (difference.seed, difference.text, TRIES, run_again(difference.seed))
