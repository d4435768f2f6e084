#!/usr/bin/env python3
"""Checks truth.yaml against the programs, without Powercut.

Each program is run one instruction at a time (step.c). From that log this script builds the state after any number of
stores, and with a model of x86 all states that a power cut may leave, gives each to the program's own `check`, and compares
what it says with truth.yaml:
- both variants are consistent after `create` and after a clean end;
- a correct twin is consistent in front of every persistency instruction, after every store, and in every crash state there;
- a bug of analysis `program-order` shows at the first visit of every line marked BUG-AT, with the verdict of the truth,
  and nowhere else; a bug of granularity `store` does not show at granularity `persistency`;
- a bug of analysis `crash-states` alone does not show in program order, but does at the lines marked BUG-AT, and the
  smallest sets of stores whose loss breaks recovery there are those of the truth, and lack what it says;
- the patterns of misuse (patterns.py) are exactly those of the truth, in both variants;
- the number of unique failure points is the one of the truth.

    brute.py [--show] [--all] [NAME...]     --show prints each failure point and its verdict
                                            --all takes in the programs that step takes long for
"""
import bisect
import collections
import concurrent.futures
import functools
import hashlib
import itertools
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import yaml

import patterns

SUITE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# libpmem fences in the middle of a long copy on processors without AVX-512, unless told not to.
ENVIRONMENT = dict(os.environ, PMEM_IS_PMEM_FORCE="1", PMEM_WC_WORKAROUND="0")
CHECK_LIMIT = 1.0  # seconds; a check takes milliseconds
PATIENT_LIMIT = 8.0  # until a check of the program has hung this long, so that a busy machine is not taken for a hang
SLOW = ("late-growth", "pmdk-")  # half a million instructions each
MOST_IMAGES = 200  # of one kind and program; beyond that a sample
LINE = 64
UNIT = 8  # bytes that reach the medium together
MOST_CONTENTS = 1100  # of a line
MOST_STATES = 5000  # at one point of the run; beyond that a sample


PLACE = re.compile(r"(?<![-\w])AT ([-\w]+)")


class Mistake(Exception):
    pass


class Event:
    """One line of step's log."""

    def __init__(self, line):
        head, _, stack = line.partition(" | ")
        fields = head.split()
        self.what, self.task = fields[0], fields[1]
        self.stack = tuple(int(address, 16) for address in stack.split())
        self.file, self.offset, self.data, self.kind, self.length, self.more = None, 0, b"", "", 0, False
        if self.what == "store":
            self.file, self.offset, self.data = fields[2], int(fields[3]), bytes.fromhex(fields[5])
            self.kind, self.more = fields[4].rstrip("+"), fields[4].endswith("+")
        elif self.what == "flush":
            self.file, self.offset, self.kind = fields[2], int(fields[3]), fields[4]
        elif self.what == "fence":
            self.kind = fields[2]
        elif self.what in ("sync", "hint", "vain"):
            self.file, self.offset, self.length = fields[2], int(fields[3]), int(fields[4])
        else:  # size
            self.file, self.length = fields[2], int(fields[3])

    def is_candidate(self):
        """Whether it is an instruction that a failure point can be in front of."""
        return self.what in ("fence", "sync", "hint", "vain") or self.what == "flush" and self.file != "-"


class Image:
    """The contents of all PM files."""

    def __init__(self, files):
        self.files = {name: bytearray(data) for name, data in files.items()}

    def copy(self):
        return Image(self.files)

    def store(self, file, offset, data):
        self.files[file][offset:offset + len(data)] = data

    def resize(self, file, length):
        content = self.files[file]
        del content[length:]
        content.extend(bytes(length - len(content)))

    def key(self):
        digest = hashlib.sha1()
        for name in sorted(self.files):
            digest.update(name.encode() + b"\0")
            digest.update(self.files[name])
        return digest.digest()

    @staticmethod
    def read(directory):
        files = {}
        for name in os.listdir(directory):
            with open(os.path.join(directory, name), "rb") as file:
                files[name] = file.read()
        return Image(files)

    def write(self, directory):
        for name, data in self.files.items():
            with open(os.path.join(directory, name), "wb") as file:
                if len(data) > 1 << 20:  # leave holes, or PMDK's pools cost time
                    file.truncate(len(data))
                    for at in range(0, len(data), 4096):
                        page = data[at:at + 4096]
                        if any(page):
                            file.seek(at)
                            file.write(page)
                else:
                    file.write(data)


class Program:
    """One variant of one program: its binary, its run as a list of events, and its recovery as an oracle."""

    def __init__(self, truth, variant, scratch):
        self.name, self.variant = truth["name"], variant
        self.is_pmdk = self.name.startswith("pmdk-")
        self.crash_exit = truth.get("exit")
        self.binary = os.path.join(SUITE, "build", variant, self.name)
        self.source = os.path.join(SUITE, source_of(truth))
        self.pm = os.path.join(scratch, "pm")
        self.start = os.path.join(scratch, "start")  # the PM files as they are when stepping begins
        self.scratch = scratch
        self.verdicts = {}
        self.limit = PATIENT_LIMIT
        os.mkdir(self.pm)
        os.mkdir(self.start)

    def call(self, verb):
        return subprocess.run([self.binary, verb, self.pm], env=ENVIRONMENT, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=60)

    def must(self, verb):
        done = self.call(verb)
        if done.returncode != 0:
            raise Mistake(f"{verb} of a whole run fails with {done.returncode}: {done.stdout.decode()}")

    def record(self):
        """Returns the state at the start of the workload, and what the workload did."""
        self.must("create")
        self.must("check")
        # Opening a PMDK pool is long, and PMDK's own.
        begin = next(address for address, _, name in self.symbols() if name == ("run" if self.is_pmdk else "main"))
        log = os.path.join(self.scratch, "log")
        subprocess.run([os.path.join(SUITE, "build/step"), begin, self.pm, self.start, log, self.binary, "run", self.pm],
                       env=ENVIRONMENT, check=True, timeout=120, stdout=subprocess.DEVNULL)
        initial, final = Image.read(self.start), Image.read(self.pm)
        with open(log, encoding="ascii") as file:
            lines = file.read().splitlines()
        self.base = int(lines[0].split()[1], 16)
        events = [Event(line) for line in lines[1:]]
        self.must("check")
        return initial, final, events

    @staticmethod
    def tool(*command, **keywords):
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **keywords).stdout

    @functools.cache
    def symbols(self):
        """(address, kind, name without parameters) of each symbol that the binary defines; the address as nm prints it."""
        rows = (row.split(" ", 2) for row in self.tool("nm", "-C", "--defined-only", self.binary).splitlines())
        return [(address, kind, name.partition("(")[0]) for address, kind, name in rows]

    def name_addresses(self, addresses):
        """Address -> (function, file, line) for the frames in the binary itself.

        Read from the line table as objdump prints it: addr2line of binutils 2.40 takes headers for the main file when the
        debug information is DWARF 5. Nothing is inlined in the suite, so a symbol is a frame."""
        lines = []
        for row in self.tool("objdump", "--dwarf=decodedline", self.binary).splitlines():
            fields = row.split()
            if len(fields) >= 3 and fields[1].isdigit() and fields[2].startswith("0x"):
                lines.append((int(fields[2], 16), fields[0], int(fields[1])))
        functions = sorted((int(address, 16), name) for address, kind, name in self.symbols() if kind in "tTwW")
        lines.sort(key=lambda row: row[0])
        named = {}
        for address in addresses:
            offset = address - self.base
            line = bisect.bisect_right(lines, offset, key=lambda row: row[0]) - 1
            function = bisect.bisect_right(functions, offset, key=lambda row: row[0]) - 1
            if line >= 0 and function >= 0 and lines[0][0] <= offset <= lines[-1][0]:
                named[address] = (functions[function][1], lines[line][1], lines[line][2])
        return named

    def judge(self, image):
        key = image.key()
        if key not in self.verdicts:
            for name in os.listdir(self.pm):
                if name not in image.files:
                    os.unlink(os.path.join(self.pm, name))
            image.write(self.pm)
            self.verdicts[key] = self.run_check()
        return self.verdicts[key]

    def run_check(self):
        try:
            done = subprocess.run([self.binary, "check", self.pm], env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, timeout=self.limit, check=False)
        except subprocess.TimeoutExpired:
            self.limit = CHECK_LIMIT
            return "HUNG"
        if done.returncode < 0:
            return "CRASHED " + signal.Signals(-done.returncode).name
        if done.returncode == self.crash_exit:  # truth.yaml says that a process it started has crashed
            return "CRASHED " + signal.Signals(done.returncode - 128).name
        return "CONSISTENT" if done.returncode == 0 else "UNRECOVERABLE"


def source_of(truth):
    if "source" in truth:
        return truth["source"]
    return truth["name"] + (".cpp" if os.path.exists(os.path.join(SUITE, truth["name"] + ".cpp")) else ".c")


def marked_lines(path, marker):
    with open(path, encoding="utf-8") as file:
        return {number for number, line in enumerate(file, 1) if marker in line.partition("/*")[2]}


def place_names(path):
    """Line -> name for the lines of a source that are marked `AT name`."""
    with open(path, encoding="utf-8") as file:
        found = [(number, PLACE.search(line.partition("/*")[2])) for number, line in enumerate(file, 1)]
    return {number: match.group(1) for number, match in found if match}


def describe_pattern(key):
    kind, severity, because, places = key
    return f"{severity} {kind} {'(' + because + ') ' if because else ''}at {', '.join(places)}"


def sample(items, most=MOST_IMAGES, generator=None):
    return items if len(items) <= most else (generator or random.Random(1)).sample(items, most)


class Failure:
    """A failure point: the events before it, its stack, and whether this is the first visit of its leaf."""

    def __init__(self, position, stack, first):
        self.position, self.stack, self.first = position, stack, first


def failure_points(events):
    pending, seen, found = False, set(), []
    for position, event in enumerate(events):
        if event.what == "store":
            pending = True
        elif pending and event.is_candidate():
            found.append(Failure(position, event.stack, event.stack not in seen))
            seen.add(event.stack)
            pending = False
    return found


def replay(initial, events, positions):
    """Yields (position, image) with all stores before that position, for rising positions; the image is shared."""
    image, at = initial.copy(), 0
    for position in positions:
        for event in events[at:position]:
            if event.what == "store":
                image.store(event.file, event.offset, event.data)
            elif event.what == "size":
                image.resize(event.file, event.length)
        at = position
        yield position, image


class Part:
    """What one store puts into one failure-atomic unit: it reaches the medium as a whole or not at all."""

    def __init__(self, store, instruction, offset, data):
        self.store, self.instruction, self.offset, self.data = store, instruction, offset, data
        self.unit, self.is_nt = offset // UNIT, store.kind == "nt"

    def needs(self, earlier):
        """Whether it cannot be on the medium without EARLIER, a part of the same line that came before."""
        return earlier.unit == self.unit or not (
            self.is_nt or earlier.is_nt or earlier.instruction == self.instruction)


class Content:
    """What a cache line may hold after a crash: the parts that are there, and those that are lost, as few as lead to it."""

    def __init__(self, there, lost):
        self.there, self.lost = there, lost


class Cache:
    """What x86 promises: the parts of stores in the order of the run, by line, as long as they may be lost."""

    def __init__(self, initial):
        self.medium = initial.copy()  # the stores that are surely there
        self.rows = collections.defaultdict(list)  # line -> parts beyond that, in order
        self.waiting = collections.defaultdict(set)  # task -> parts that its next fence completes
        self.instructions = 0

    def see(self, event):
        line = (event.file, event.offset // LINE)
        if event.what == "store":
            self.store(event, line)
        elif event.what == "size":
            self.resize(event)
        elif event.what in ("hint", "vain") or event.what == "flush" and event.file == "-":
            pass
        elif event.what == "flush":
            cached = {part for part in self.rows.get(line, ()) if not part.is_nt}
            if event.kind == "clflush":
                self.complete(cached)
            else:
                self.waiting[event.task] |= cached
        elif event.what == "fence":
            self.complete(self.waiting.pop(event.task, set()))
        else:
            end = event.offset + event.length if event.length else sys.maxsize
            self.complete({part for (file, number), row in self.rows.items() for part in row
                           if event.file in ("-", file) and event.offset <= number * LINE < end})

    def store(self, event, line):
        self.instructions += not event.more
        end = event.offset + len(event.data)
        for start in range(event.offset // UNIT * UNIT, end, UNIT):
            at, behind = max(start, event.offset), min(start + UNIT, end)
            part = Part(event, self.instructions, at, event.data[at - event.offset:behind - event.offset])
            self.rows[line].append(part)
            if part.is_nt:
                self.waiting[event.task].add(part)

    def resize(self, event):
        """What is cut off is gone from the caches as well."""
        self.medium.resize(event.file, event.length)
        for line in list(self.rows):
            if line[0] == event.file and line[1] * LINE >= event.length:
                del self.rows[line]

    def complete(self, certain):
        """Parts are surely there, and with them those that they cannot be there without."""
        for line, row in list(self.rows.items()):
            there = {part for part in row if part in certain}
            for number in reversed(range(len(row))):
                if row[number] in there:
                    there.update(earlier for earlier in row[:number] if row[number].needs(earlier))
            for part in row:
                if part in there:
                    self.medium.store(line[0], part.offset, part.data)
            self.rows[line] = [part for part in row if part not in there]
            if not self.rows[line]:
                del self.rows[line]

    def contents(self, line):
        """All that a line may hold, each once, what it holds in program order first; None if that is too much."""
        row = self.rows[line]
        choices = [frozenset()]
        for number, part in enumerate(row):
            needed = {earlier for earlier in row[:number] if part.needs(earlier)}
            choices += [there | {part} for there in choices if needed <= there]
            if len(choices) > MOST_CONTENTS:
                return None
        found = {}
        base = line[1] * LINE
        before = bytes(self.medium.files[line[0]][base:base + LINE])
        for there in sorted(choices, key=len, reverse=True):
            content = bytearray(before)
            for part in row:
                if part in there:
                    content[part.offset - base:part.offset - base + len(part.data)] = part.data
            found.setdefault(bytes(content), Content([part for part in row if part in there], frozenset(row) - there))
        return list(found.values())

    def image(self, chosen):
        """The state in which lines hold CHOSEN, and all others nothing that may be lost."""
        image = self.medium.copy()
        for (file, _), content in chosen.items():
            for part in content.there:
                image.store(file, part.offset, part.data)
        return image

    def space(self):
        """Line -> all that it may hold, where that is known; else program order, nothing, and some of what is between."""
        space, is_whole = {}, True
        for line in sorted(self.rows):
            space[line] = self.contents(line)
            if space[line] is None:
                row, is_whole = self.rows[line], False
                cuts = sorted({0, len(row), *range(0, len(row), max(1, len(row) // 8))}, reverse=True)
                space[line] = [Content(row[:cut], frozenset(row[cut:])) for cut in cuts]
        return space, is_whole

    def states(self, generator):
        """(line -> content) for all states that a power cut may leave here; a sample of them if there are too many."""
        space, is_whole = self.space()
        lines = list(space)
        if is_whole and math.prod(map(len, space.values())) <= MOST_STATES:
            return [dict(zip(lines, chosen)) for chosen in itertools.product(*space.values())], True
        kept = {line: space[line][0] for line in lines}
        lost = {line: space[line][-1] for line in lines}
        choices = [kept, lost]
        for line in lines:
            some = [space[line][-1], *sample(space[line][1:-1], 40, generator)]
            choices += [{**kept, line: content} for content in some]
            choices.append({**lost, line: space[line][0]})
        for _ in range(100):
            choices.append({line: generator.choice(space[line]) for line in lines})
        return choices, False

    def forget_whole(self, lost):
        """The state of program order without LOST, the rest of the lines that they are in and of their instructions."""
        instructions = {part.instruction for part in lost}
        lines = {line for line, row in self.rows.items()
                 if any(part in lost or part.instruction in instructions for part in row)}
        return self.image({line: Content(row, frozenset()) for line, row in self.rows.items() if line not in lines})

    def first_of_lines(self, lost):
        """Those of LOST parts that are not lost just because an earlier part of their line is."""
        return {part for row in self.rows.values() for number, part in enumerate(row)
                if part in lost and not any(earlier in lost and part.needs(earlier) for earlier in row[:number])}

    def is_torn(self, lost):
        """Whether of one instruction something is lost, and something not."""
        instructions = {part.instruction for part in lost}
        return any(part.instruction in instructions and part not in lost for row in self.rows.values() for part in row)

    def lack(self, part):
        """What keeps a part from being certain."""
        return "fence" if any(part in waiting for waiting in self.waiting.values()) else "flush"


def minimal(sets):
    return [one for one in sets if not any(other < one for other in sets)]


class Examination:
    """All comparisons of one variant of one program with its truth."""

    def __init__(self, truth, variant, scratch, show):
        self.truth, self.variant, self.show = truth, variant, show
        self.program = Program(truth, variant, scratch)
        self.mistakes = []
        self.is_whole = False  # whether all states beyond program order were judged

    def expect(self, condition, message):
        if not condition:
            self.mistakes.append(message)

    def run(self):
        self.initial, final, self.events = self.program.record()
        self.named = self.program.name_addresses({a for event in self.events for a in event.stack})
        self.failures = failure_points(self.events)
        self.unique = len({failure.stack for failure in self.failures})
        if not self.program.is_pmdk:  # which goes on to close its pool
            self.compare_end(final)
        self.check_program_order()
        self.is_whole = self.is_small()
        if self.is_small():
            self.check_crash_states()
            self.check_patterns()
        self.compare_count()
        if "tree" in self.truth:
            self.compare_tree()
        return self.mistakes

    def is_small(self):
        """step saw every single store, so that states beyond program order can be told."""
        return sum(len(data) for data in self.initial.files.values()) <= 64 * 1024

    def compare_end(self, final):
        for _, image in replay(self.initial, self.events, [len(self.events)]):
            self.expect(image.key() == final.key(), "the log does not lead to the final files")

    def frames(self, stack):
        return [self.named[address] for address in stack if address in self.named]

    def is_at(self, stack, marker):
        lines, file = marked_lines(self.program.source, marker), os.path.basename(self.program.source)
        return any(frame[1] == file and frame[2] in lines for frame in self.frames(stack))

    def describe(self, stack):
        return " <- ".join(f"{function} {file}:{line}" for function, file, line in self.frames(stack))

    def check_program_order(self):
        """Judges the image at the failure points, and after each store."""
        chosen = {f.position: f for f in [f for f in self.failures if f.first] + sample(self.failures)}
        bad = []
        for position, image in replay(self.initial, self.events, sorted(chosen)):
            failure, verdict = chosen[position], self.program.judge(image)
            if self.show:
                print(f"  {'first' if failure.first else 'later'} {verdict:15} {self.describe(failure.stack)}")
            if verdict != "CONSISTENT":
                bad.append((failure, verdict))
        granular = []
        stores = self.store_ends() if self.is_small() else []
        for position, image in replay(self.initial, self.events, sorted(sample(stores))):
            # the state in front of the next store, or what else comes
            if position < len(self.events) and self.program.judge(image) != "CONSISTENT":
                granular.append((Failure(position, self.events[position].stack, False), self.program.judge(image)))
        if self.variant == "correct" or "program-order" not in self.truth["analysis"]:
            for failure, verdict in bad + granular:
                self.expect(False, f"{verdict} in program order at {self.describe(failure.stack)}")
        elif self.truth.get("granularity", "persistency") == "persistency":
            self.compare_places(bad)
        else:
            self.expect(not bad, "shows at granularity persistency already")
            self.compare_places([(Failure(f.position, f.stack, True), v) for f, v in granular])

    def store_ends(self):
        """The positions behind each store, which may be several events."""
        return [i + 1 for i, event in enumerate(self.events)
                if event.what == "store" and not (i + 1 < len(self.events) and self.events[i + 1].more)]

    def compare_places(self, bad):
        expected = self.truth["verdict"] + (" " + self.truth["signal"] if "signal" in self.truth else "")
        file, functions = os.path.basename(self.program.source), set()
        for failure, verdict in bad:
            if failure.first:
                self.expect(verdict == expected, f"{verdict} instead of {expected} at {self.describe(failure.stack)}")
                self.expect(self.is_at(failure.stack, "BUG-AT"), f"{verdict} at an unmarked {self.describe(failure.stack)}")
        for line in sorted(marked_lines(self.program.source, "BUG-AT")):
            frames = [frame for failure, _ in bad if failure.first for frame in self.frames(failure.stack)
                      if frame[1:] == (file, line)]
            self.expect(frames, f"nothing bad at the first visit of line {line}")
            functions.update(frame[0].rpartition("::")[2] for frame in frames)
        self.expect(functions <= {self.truth["function"]}, f"the marked lines are in {functions}")

    def check_crash_states(self):
        """Judges what a power cut may leave: in a twin before all that is no store, in a bug at its failure points."""
        if self.variant == "correct":
            # Between these points the states only grow by those of program order, which are judged anyway.
            positions = [p for p, event in enumerate(self.events) if event.what != "store"] + [len(self.events)]
        elif "crash-states" in self.truth["analysis"]:
            positions = [failure.position for failure in self.failures if failure.first]
        else:
            return
        first = {failure.position: failure for failure in self.failures if failure.first}
        cache, generator, at, bad, guilty = Cache(self.initial), random.Random(2), 0, [], {}
        for position in positions:
            for event in self.events[at:position]:
                cache.see(event)
            at = position
            states, is_whole = cache.states(generator)
            self.is_whole &= is_whole
            stack = self.events[position].stack if position < len(self.events) else ()
            failure = first.get(position, Failure(position, stack, False))
            culprits = {}
            for state in states:
                verdict = self.program.judge(cache.image(state))
                if verdict != "CONSISTENT":
                    bad.append((failure, verdict))
                    culprits[frozenset().union(*(content.lost for content in state.values()))] = verdict
            if failure.first:
                for lost in minimal(culprits):
                    guilty[self.describe_loss(cache, lost)] = failure
        self.compare_crash_states(bad, guilty)

    def describe_loss(self, cache, lost):
        """The names of the lines whose stores have to be lost, and what they lack."""
        to_blame = cache.first_of_lines(lost)
        names = tuple(sorted({self.own_place(part.store.stack) for part in to_blame}))
        if cache.is_torn(lost) and self.program.judge(cache.forget_whole(lost)) == "CONSISTENT":
            return names, "atomicity"
        return names, "+".join(sorted({cache.lack(part) for part in to_blame}))

    def compare_crash_states(self, bad, guilty):
        if self.show:
            for (failure, verdict), count in collections.Counter(bad).items():
                print(f"  {count} crash states {verdict} {self.describe(failure.stack)}")
            for (names, missing), failure in guilty.items():
                print(f"  lost {', '.join(names)}, {missing} at {self.describe(failure.stack)}")
        if self.variant == "correct":
            for failure, verdict in bad:
                self.expect(False, f"{verdict} in a crash state at {self.describe(failure.stack)}")
            return
        self.compare_places(bad)
        expected = {(tuple(sorted(entry["at"])), entry["missing"]) for entry in self.truth.get("lost", [])}
        for names, missing in guilty.keys() - expected:
            self.expect(False, f"unexpected: lost {', '.join(names)}, {missing} missing")
        for names, missing in expected - guilty.keys():
            self.expect(False, f"nothing bad when lost is {', '.join(names)}, {missing} missing")

    def check_patterns(self):
        """Compares what patterns.py finds with the truth, which names the program's own line of each instruction."""
        sizes = {name: len(content) for name, content in self.initial.files.items()}
        found = collections.Counter()
        for report, count in patterns.reports(self.events, sizes).items():
            places = tuple(f"{role} {self.own_place(stack)}" for role, stack in report.involved)
            found[(report.kind, report.severity, report.because, places)] += count
        if self.show:
            for key, count in sorted(found.items(), key=str):
                print(f"  pattern {key} {count}")
        if "exclude" in self.truth:
            return
        expected = {(entry["kind"], entry["severity"], entry.get("because"), tuple(entry["at"])): entry.get("count")
                    for entry in self.truth["patterns"][self.variant]}
        for key, count in found.items():
            self.expect(key in expected, f"unexpected: {describe_pattern(key)}, {count} times")
            if key in expected:
                self.expect(expected[key] in (None, count), f"{describe_pattern(key)}: {count} times, not {expected[key]}")
        for key in expected.keys() - found.keys():
            self.expect(False, f"missing: {describe_pattern(key)}")

    def own_place(self, stack):
        """The name of the innermost line of the program's own source that the stack holds, or the line if it has none."""
        file = os.path.basename(self.program.source)
        for function, name, line in self.frames(stack):
            if name == file:
                return place_names(self.program.source).get(line, f"{function}:{line}")
        return self.describe(stack)

    def compare_count(self):
        expected = self.truth.get("failurePoints", {}).get(self.variant)
        self.expect(expected in (None, self.unique), f"{self.unique} unique failure points instead of {expected}")

    def compare_tree(self):
        file = os.path.basename(self.program.source)
        drawn = {tuple(leaf) for leaf in self.truth["tree"]}
        seen = {tuple(f"{function} {name}:{line}" for function, name, line in self.frames(f.stack) if name == file)
                for f in self.failures}
        self.expect(seen == drawn, f"the tree is {sorted(seen)}")


def examine(arguments):
    truth, variant, show = arguments
    scratch = tempfile.mkdtemp(prefix="bug-suite-", dir="/dev/shm")
    try:
        examination = Examination(truth, variant, scratch, show)
        try:
            mistakes = examination.run()
        except (Mistake, subprocess.SubprocessError) as mistake:
            return [str(mistake)], ""
        return mistakes, f"{examination.unique:4} unique failure points" + ("" if examination.is_whole else ", not all crash states")
    finally:
        shutil.rmtree(scratch)


def is_wanted(name, names, slow):
    return name in names if names else slow or not name.startswith(SLOW)


def main():
    names = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    show, slow = "--show" in sys.argv[1:], "--all" in sys.argv[1:]
    with open(os.path.join(SUITE, "truth.yaml"), encoding="utf-8") as file:
        # An interpreter takes too many steps, and they say nothing of the script's lines.
        truths = [truth for truth in yaml.safe_load(file) if not source_of(truth).endswith(".py")]
    truths = [truth for truth in truths if is_wanted(truth["name"], names, slow)]
    jobs = [(truth, variant, show) for truth in truths for variant in ("bug", "correct")]
    failed = 0
    with concurrent.futures.ProcessPoolExecutor(1 if show else os.cpu_count()) as pool:
        for (truth, variant, _), (mistakes, what) in zip(jobs, pool.map(examine, jobs)):
            print(f"{'FAIL' if mistakes else 'ok':4} {variant:7} {truth['name']:22} {what}")
            for mistake in sorted(set(mistakes)):
                print(f"       {mistake}")
            failed += bool(mistakes)
    print(f"{len(jobs) - failed} of {len(jobs)} programs are as truth.yaml says")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
