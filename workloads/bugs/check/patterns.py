"""The patterns of persistent-memory misuse (Mumak, section 4.2) in a log of step, as Powercut's docs/patterns.md means them.

Written for being obviously right, not for speed: each store is kept by itself, as the set of its bytes that no later store has
overwritten. Shares no code with Powercut.
"""
import collections

LINE = 64

BUG, WARNING, PERFORMANCE = "bug", "warning", "performance"

# Why, where a pattern has more than one reason: words that a report's sentence must have.
NOT_FLUSHED, NOT_FENCED = "without a flush", "without a fence"
NOT_SYNCHRONISED, NOT_WAITED_FOR = "without msync or fsync", "nothing but msync(MS_ASYNC)"
SYNC_FAILED = "was called and failed"
VOLATILE, NON_TEMPORAL, UNTOUCHED, CLFLUSH = "volatile memory", "non-temporal", "not stored to", "clflush"


class Report(collections.namedtuple("Report", "kind severity because involved")):
    """What was seen; INVOLVED is a tuple of (role, stack)."""


class Store:
    """What is left of one store in one cache line, until it is persisted."""

    def __init__(self, event, number):
        self.stack, self.task, self.number = event.stack, event.task, number
        self.bytes = set(range(event.offset, event.offset + len(event.data)))
        self.state = "nt" if event.kind == "nt" else "dirty"  # or "flushed", by self.task
        self.flush = None  # the stack of that flush


class Analysis:
    def __init__(self, sizes):
        self.sizes = dict(sizes)
        self.lines = collections.defaultdict(list)  # (file, number) -> stores that are not persisted, oldest first
        self.ever_flushed = set()
        self.ever_asked = set()  # lines of which a call said that they are meant to last, and promised nothing
        self.ever_in_vain = set()  # lines that a call was to make durable, and failed
        self.last_flush = {}  # line -> stack of the last flush that had something to write back
        self.pending = collections.defaultdict(dict)  # task -> {(line, what): (role, stack)} for its next fence to complete
        self.has_work = set()  # tasks with a flush or a non-temporal store since their last fence that waits for the next
        self.has_ordered = set()  # tasks with a clflush since their last fence, which waits for nothing
        self.reports = collections.Counter()
        self.number = 0
        self.overwritten = set()
        self.flushes_cache, self.synchronises = False, False  # how the run persists

    def report(self, kind, severity, *involved, because=None):
        self.reports[Report(kind, severity, because, involved)] += 1

    def see(self, event):
        getattr(self, event.what)(event)

    def store(self, event):
        if not event.more:
            self.number += 1
            self.overwritten = set()
        line, fresh = (event.file, event.offset // LINE), Store(event, self.number)
        for old in self.lines[line]:
            if old.bytes & fresh.bytes and old.number != fresh.number and old.stack not in self.overwritten:
                self.overwritten.add(old.stack)
                self.report("dirty-overwrite", WARNING, ("store", event.stack), ("overwritten-store", old.stack))
            old.bytes -= fresh.bytes
        self.lines[line] = [old for old in self.lines[line] if old.bytes] + [fresh]
        if event.kind == "nt":
            self.flushes_cache = True
            self.has_work.add(event.task)
            self.pending[event.task].setdefault((line, event.stack), ("store", event.stack))

    def flush(self, event):
        if event.file == "-":
            self.report("redundant-flush", PERFORMANCE, ("flush", event.stack), because=VOLATILE)
            return
        self.flushes_cache = True
        line = (event.file, event.offset // LINE)
        dirty = [store for store in self.lines[line] if store.state == "dirty"]
        if dirty:
            self.last_flush[line] = event.stack
        else:
            self.report_redundant(event, line)
        if len({store.stack for store in dirty}) > 1:
            self.report("multi-store-flush", WARNING, ("flush", event.stack), ("store", dirty[0].stack),
                        ("store", dirty[-1].stack))
        self.ever_flushed.add(line)
        (self.has_ordered if event.kind == "clflush" else self.has_work).add(event.task)
        if event.kind == "clflush":
            self.lines[line] = [store for store in self.lines[line] if store.state == "nt"]
            return
        for store in dirty:
            store.state, store.task, store.flush = "flushed", event.task, event.stack
        if dirty:
            self.pending[event.task].setdefault((line, "flush"), ("flush", event.stack))

    def report_redundant(self, event, line):
        flush = ("flush", event.stack)
        if any(store.state == "nt" for store in self.lines[line]):
            self.report("redundant-flush", PERFORMANCE, flush, because=NON_TEMPORAL)
        elif line in self.last_flush:
            self.report("redundant-flush", PERFORMANCE, flush, ("earlier-flush", self.last_flush[line]), because=UNTOUCHED)
        else:
            self.report("redundant-flush", PERFORMANCE, flush, because=UNTOUCHED)

    def fence(self, event):
        pending = list(self.pending.pop(event.task, {}).values())
        ordered = event.task in self.has_ordered
        if event.task not in self.has_work and event.kind != "locked" and not (ordered and event.kind == "mfence"):
            self.report("redundant-fence", WARNING if event.kind == "mfence" else PERFORMANCE, ("fence", event.stack),
                        because=CLFLUSH if ordered else None)
        if len(pending) > 1:
            self.report("unordered-fence", WARNING, ("fence", event.stack), pending[0], pending[-1])
        self.has_work.discard(event.task)
        self.has_ordered.discard(event.task)
        for line, stores in self.lines.items():
            self.lines[line] = [store for store in stores if store.state == "dirty" or store.task != event.task]

    def sync(self, event):
        """Makes a range durable. A range is nothing to be thrifty with, so it is no flush that could be redundant."""
        self.synchronises = True
        for file, size in self.sizes.items():
            if event.file not in ("-", file):
                continue
            end = event.offset + event.length if event.length else size
            for number in range(event.offset // LINE, -(-end // LINE)):
                self.ever_flushed.add((file, number))
                self.lines.pop((file, number), None)

    def hint(self, event):
        """Promises nothing, but says that the range is meant to last."""
        for number in range(event.offset // LINE, -(-(event.offset + event.length) // LINE)):
            self.ever_asked.add((event.file, number))

    def vain(self, event):
        """Fails, and says that the range is meant to last."""
        self.synchronises = True
        for number in range(event.offset // LINE, -(-(event.offset + event.length) // LINE)):
            self.ever_in_vain.add((event.file, number))

    def size(self, event):
        for file, number in list(self.lines):
            if file == event.file and number * LINE >= event.length:
                del self.lines[(file, number)]
        self.sizes[event.file] = event.length

    def end(self):
        for line, stores in self.lines.items():
            seen = set()  # one report for each line, whatever the number of stores in it
            for store in stores:
                report = self.left(store, line)
                self.reports[report] += report not in seen
                seen.add(report)

    def left(self, store, line):
        involved = (("store", store.stack),) + ((("flush", store.flush),) if store.state == "flushed" else ())
        if line in self.ever_in_vain and store.state == "dirty":
            return Report("not-persisted", WARNING, SYNC_FAILED, involved)
        if line not in self.ever_flushed and line not in self.ever_asked:
            return Report("transient-data", WARNING, None, involved)
        if store.state != "dirty":
            return Report("not-persisted", WARNING, NOT_FENCED, involved)
        if line not in self.ever_flushed:
            return Report("not-persisted", WARNING, NOT_WAITED_FOR, involved)
        by_call = self.synchronises and not self.flushes_cache
        return Report("not-persisted", WARNING, NOT_SYNCHRONISED if by_call else NOT_FLUSHED, involved)


def reports(events, sizes):
    """Report -> how often."""
    analysis = Analysis(sizes)
    for event in events:
        analysis.see(event)
    analysis.end()
    return analysis.reports
