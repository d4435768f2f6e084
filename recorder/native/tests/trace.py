# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads a trace and replays it: written from docs/trace-format.md, knowing nothing of the recorder's or the Java reader's code."""

import os
import stat
import struct
import subprocess

VERSION = 5
STORE, FLUSH, FENCE, SYNC, SYNC_END, STORE_ELEMENT = 1, 2, 3, 4, 20, 21
FILE_DEF, FILE_RESIZE, FILE_PUNCH, FILE_RENAME, FILE_DELETE = 5, 6, 7, 8, 9
DIR_CREATE, DIR_DELETE, MAP, UNMAP, DIR_RENAME, FILE_LINK = 10, 11, 12, 13, 14, 15
MODULE_DEF, SITE_DEF, STACK_DEF, SYMLINK = 16, 17, 18, 19
THREAD_START, THREAD_EXIT, THREAD_JOIN, PROCESS_START, EXEC, PROCESS_EXIT, PROCESS_JOIN = 24, 25, 26, 27, 28, 29, 30
OUTPUT, OUTSIDE, RANGE, MARK, STOP, END, READ, CHECK, ATTRIBUTES = 32, 33, 34, 40, 41, 42, 64, 22, 23
LOAD, ACQUIRE, RELEASE = 65, 96, 97
METADATA = 35
ALLOCATING, ALLOCATED, ALLOCATION_END = 66, 67, 68

NON_TEMPORAL, KERNEL, LOCKED, FILE_WRITE, MORE = 1, 2, 4, 8, 0x80
SYNCHRONOUS, ZEROED = LOCKED, KERNEL  # with FILE_WRITE
COUNTS = 0x10  # of METADATA
STDOUT, STDERR, SOCKET, PIPE, FILE, ACKNOWLEDGED, UNKNOWN = 1, 2, 3, 4, 5, 6, 0x40  # of OUTPUT
MASK64 = (1 << 64) - 1
OFFSET = (1 << 48) - 1  # in a location


class Record:
    """One record: body is what follows its header of 8 bytes."""

    def __init__(self, kind, flags, thread, body):
        self.element = kind == STORE_ELEMENT  # of a string instruction, behind its first
        self.kind = STORE if self.element else kind
        self.flags = flags
        self.thread = thread
        self.body = body

    def u32(self, at):
        return struct.unpack_from("<I", self.body, at - 8)[0]

    def u64(self, at):
        return struct.unpack_from("<Q", self.body, at - 8)[0]

    def text(self, at, length):
        return self.body[at - 8 : at - 8 + length].decode()

    def data(self):
        padding = self.flags >> 4 & 7
        return self.body[16 : len(self.body) - padding]

    def output(self):
        """(kind, path, the bytes or their number) of an OUTPUT."""
        path = self.u32(24)
        size = 0 if self.flags & UNKNOWN else self.u64(16)
        data = self.body[24 + path : 24 + path + size]
        assert len(data) == size and len(self.body) - (24 + path + size) < 8
        return self.flags & 0xF, self.text(32, path), self.u64(16) if self.flags & UNKNOWN else data

    def attributes(self):
        """(mode, owner, group, extended attributes by name) of an ATTRIBUTES."""
        at, extended = 32 + self.u32(12), {}
        end = at + self.u32(28)
        while at < end:
            name, value = self.u32(at), self.u32(at + 4)
            key = self.text(at + 8, name)
            assert key not in extended
            extended[key] = self.body[at + name : at + name + value]
            at += 8 + name + value
        assert at == end and len(self.body) - (end - 8) < 8
        return self.u32(16), self.u32(20), self.u32(24), sorted(extended.items())

    def names(self):
        """(what it is about, the name that it makes) of a METADATA."""
        path = self.u32(16)
        return self.text(24, path), self.text(24 + path, self.u32(20))

    def file(self):
        return self.u64(16) >> 48

    def offset(self):
        return self.u64(16) & 0xFFFFFFFFFFFF


class Trace:
    """The whole trace of an execution that is over."""

    def __init__(self, directory):
        with open(os.path.join(directory, "control"), "rb") as file:
            control = file.read()
        assert control[:8] == b"PWCTRACE", control[:8]
        fields = struct.unpack_from("<IIII", control, 8)
        assert fields[0] == VERSION and fields[1] <= len(control), fields
        self.chunk_size = fields[2]
        self.chunk_count = struct.unpack_from("<I", control, 32)[0]
        self.live, self.starting = struct.unpack_from("<Hh", control, 44)
        self.ended, self.stopped, self.stop_stack = struct.unpack_from("<III", control, 76)
        self.stop_id, self.stores, self.flushes, self.fences, self.syncs, self.failure_point_count, self.clock = (
            struct.unpack_from("<7Q", control, 88)
        )
        self.mapped_files, self.seen_files, self.marks, self.stack_repairs, self.occurrence, self.error_kind = (
            struct.unpack_from("<6I", control, 144)
        )
        # Of the functions of --synchronise and --allocator, a bit for each: found, called, did something.
        self.declared = struct.unpack_from("<3Q", control, 216)
        self.error = control[256 : 256 + 2048].split(b"\0")[0].decode()
        self.records = []
        for number in range(self.chunk_count):
            path = os.path.join(directory, "chunk-%08d" % number)
            if os.path.exists(path):
                self.read_chunk(path, number)
        self.read_definitions()

    def read_chunk(self, path, number):
        with open(path, "rb") as file:
            chunk = file.read()
        assert len(chunk) == self.chunk_size
        magic, version, header, own, used, closed = struct.unpack_from("<8sIIQQI", chunk)
        assert (magic, version, header, own) == (b"PWCCHUNK", VERSION, 64, number)
        assert closed or number == self.chunk_count - 1
        at = header
        while at < used:
            kind, flags, thread, length = struct.unpack_from("<BBHI", chunk, at)
            assert length >= 8 and length % 8 == 0 and at + length <= used, (number, at, kind, length)
            self.records.append(Record(kind, flags, thread, chunk[at + 8 : at + length]))
            at += length

    def read_definitions(self):
        self.modules, self.sites, self.stacks = {}, {}, {}
        self.sources = set()  # modules that are scripts
        for record in self.records:
            if record.kind == MODULE_DEF:
                path, build_id = record.u32(12), record.u32(16)
                self.modules[record.u32(8)] = record.text(32 + path + build_id, record.u32(20))
                if record.flags & 1:
                    self.sources.add(record.u32(8))
            elif record.kind == SITE_DEF:
                self.define_site(record)
            elif record.kind == STACK_DEF:
                sites = [record.u32(24 + 4 * i) for i in range(record.u32(12))]
                self.stacks[record.u32(8)] = (record.u64(16), record.flags & 1, sites)

    def define_site(self, record):
        module, offset, frame_count = record.u32(12), record.u64(16), record.u32(24)
        assert module == 0 or module in self.modules
        at = 32 + 16 * frame_count
        frames = []
        for i in range(frame_count):
            function, file, line = (record.u32(32 + 16 * i + 4 * k) for k in range(3))
            frames.append((record.text(at, function), record.text(at + function, file), line))
            at += function + file
        assert record.u32(8) not in self.sites
        self.sites[record.u32(8)] = (module, offset, frames)

    def module_name(self, site):
        module = self.sites[site][0]
        return self.modules[module] if module else ""

    def function(self, site):
        return self.sites[site][2][0][0]

    def line(self, site):
        return self.sites[site][2][0][2]

    def id_of(self, sites):
        """The failure point's id over these sites."""
        value = 0xCBF29CE484222325
        for site in sites:
            for byte in self.module_name(site).encode() + b"\0" + struct.pack("<Q", self.sites[site][1]):
                value = (value ^ byte) * 0x100000001B3 & MASK64
        return value

    def failure_points(self, begins_active=True, every_store=False):
        """(index of the record, failure point's id) of every failure point reached."""
        pending, active, found, goes_on = False, begins_active, [], {}
        for index, record in enumerate(self.records):
            if record.kind == MARK:
                active = record.flags == 1
                continue
            is_store = record.kind == STORE
            is_first = is_store and not goes_on.get(record.thread)
            if is_store:
                goes_on[record.thread] = bool(record.flags & MORE)
            is_durable = is_first and record.flags & FILE_WRITE and record.flags & SYNCHRONOUS
            candidate = (
                record.kind in (FENCE, SYNC, METADATA)
                or is_durable
                or (record.kind == FLUSH and record.file() != 0)
                or (every_store and is_first and record.u32(12) != 0)
            )
            if candidate and active and pending:
                stack = record.u32(12)
                assert stack != 0, "a candidate with a store pending has no stack"
                if not self.stacks[stack][1]:
                    found.append((index, self.stacks[stack][0]))
                    pending = False
            if is_store and active and not record.flags & MORE:
                pending = True
            if record.kind == METADATA and active and record.flags & COUNTS:
                pending = True
        return found

    def unannounced(self):
        """Changes of names that no METADATA of their thread announced."""
        announced, found = {}, []
        for record in self.records:
            if record.kind == METADATA:
                announced[record.thread] = record.names()
                continue
            if record.kind in (FILE_RENAME, FILE_LINK, FILE_DELETE):
                is_outside = record.kind != FILE_DELETE and record.flags & 1
                path = None if is_outside else record.text(16, record.u32(12))
            elif record.kind in (DIR_CREATE, DIR_DELETE, DIR_RENAME, SYMLINK):
                path = record.text(16, record.u32(8))
            else:
                continue
            if path not in (None, ".powercut-exchange") and path not in announced.get(record.thread, ()):
                found.append((record.kind, path, announced.get(record.thread)))
        return found


class Entry:
    """What a name of a replay leads to: a "file" with its bytes, a "directory", or a "link" with its target."""

    def __init__(self, kind, content=None, attributes=None):
        self.kind = kind
        self.content = bytearray(content) if kind == "file" else content
        self.attributes = attributes

    def resize(self, size):
        if size < len(self.content):
            del self.content[size:]
        else:
            self.content.extend(bytes(size - len(self.content)))


class Replay:
    """Applies records to what the PM directory held in front of the run; in memory."""

    def __init__(self, directory):
        self.files = {}  # id -> Entry
        self.names = {}  # path -> Entry
        self.paths = {}  # id -> where it was first seen
        known = {}
        for path, (kind, content, attributes, *twins) in listing(directory).items():
            first = (twins or [[path]])[0][0]
            self.names[path] = known.setdefault(first, Entry(kind, content, attributes))
        self.root = self.names.pop(".")

    def run(self, records):
        for record in records:
            self.apply(record)
        return self

    def listing(self):
        """As that of a directory."""
        twins = {}
        for path, entry in sorted(self.names.items()):
            twins.setdefault(id(entry), []).append(path)
        return {
            path: described(entry.kind, entry.content, entry.attributes, twins.get(id(entry)))
            for path, entry in [(".", self.root), *self.names.items()]
        }

    def apply(self, record):
        kind = record.kind
        if kind == STORE:
            self.store(record)
        elif kind == CHECK:
            self.check(record)
        elif kind == FILE_DEF:
            self.define(record)
        elif kind == FILE_RESIZE:
            self.files[record.u32(8)].resize(record.u64(16))
        elif kind == FILE_PUNCH:
            content, offset = self.files[record.u32(8)].content, record.u64(16)
            end = min(offset + record.u64(24), len(content))
            content[offset:end] = bytes(max(0, end - offset))
        elif kind in (FILE_RENAME, FILE_LINK, FILE_DELETE):
            self.name(record, record.u32(8), record.text(16, record.u32(12)))
        elif kind == ATTRIBUTES:
            number, path = record.u32(8), record.text(32, record.u32(12))
            assert not (number and path)
            entry = self.files[number] if number else self.names[path] if path else self.root
            mode, *others = record.attributes()
            entry.attributes = (None if entry.kind == "link" else mode, *others)
        elif kind in (DIR_CREATE, DIR_DELETE, DIR_RENAME, SYMLINK):
            length = record.u32(8)
            self.directory_entry(kind, record.text(16, length), record.text(16 + length, record.u32(12)))

    def store(self, record):
        content, offset, data = self.files[record.file()].content, record.offset(), record.data()
        size = len(content)
        assert data
        if record.flags & FILE_WRITE and not record.flags & MORE:
            assert offset + len(data) <= size, "a file write beyond the end must come behind a resize"
        elif offset + len(data) > size:
            data = data[: max(0, size - offset)]
        if data:
            content[offset : offset + len(data)] = data

    def check(self, record):
        location, value = record.u64(8), 0xCBF29CE484222325
        offset = location & 0xFFFFFFFFFFFF
        page = self.files[location >> 48].content[offset : offset + 4096]
        for (word,) in struct.iter_unpack("<Q", page if len(page) == 4096 else b""):
            value = (value ^ word) * 0x100000001B3 & MASK64
            value ^= value >> 32
        assert len(page) < 4096 or value == record.u64(16), "the check of file %d, page %#x" % (location >> 48, offset)

    def define(self, record):
        number, size, is_new, unnamed = record.u32(8), record.u64(16), record.flags & 1, record.flags & 2
        assert number not in self.files
        path = record.text(24, record.u32(12))
        self.paths[number] = path
        if unnamed or is_new:
            self.files[number] = Entry("file", bytes(size))
            if not unnamed:
                self.add(path, self.files[number])
            return
        self.files[number] = self.names[path]
        assert self.files[number].kind == "file", path
        real = len(self.files[number].content)
        assert real == size, "%s is defined with %d bytes and has %d" % (path, size, real)

    def add(self, path, entry):
        """A new name, in a directory that is there."""
        assert path and not path.startswith("/") and ".." not in path.split("/"), path
        assert path not in self.names, "%s is there already: what is replaced is deleted first" % path
        parent = os.path.dirname(path)
        assert not parent or self.names[parent].kind == "directory", path
        self.names[path] = entry

    def name(self, record, number, path):
        if record.kind == FILE_DELETE:
            gone = self.names.pop(path)
            assert gone.kind != "directory", path
            if number:
                assert gone is self.files[number], path
                has_more = any(entry is gone for entry in self.names.values())
                assert record.flags & 1 or not has_more, path  # names elsewhere count, too
            return
        outside, file = record.flags & 1, self.files[number]
        if record.kind == FILE_LINK:
            if not outside:
                self.add(path, file)
            return
        (old,) = [name for name, entry in self.names.items() if entry is file]  # a rename does not say which name
        del self.names[old]
        if not outside:
            self.add(path, file)

    def directory_entry(self, kind, path, other):
        if kind == DIR_CREATE:
            self.add(path, Entry("directory"))
        elif kind == SYMLINK:
            self.add(path, Entry("link", other))
        else:
            directory = self.names.pop(path)
            assert directory.kind == "directory", path
            inside = [name for name in self.names if name.startswith(path + "/")]
            assert kind == DIR_RENAME or not inside, path
            if kind == DIR_RENAME:
                self.add(other, directory)
                for name in sorted(inside):
                    self.add(other + name[len(path) :], self.names.pop(name))


def described(kind, content, attributes, twins):
    """An entry of a listing; of a file with all its names."""
    return (kind, bytes(content), attributes, twins) if kind == "file" else (kind, content, attributes)


def attributes_of(path, status):
    """(mode, but of a link; owner, group, extended attributes)"""
    extended = sorted((name, os.getxattr(path, name, follow_symlinks=False)) for name in os.listxattr(path, follow_symlinks=False))
    mode = None if stat.S_ISLNK(status.st_mode) else stat.S_IMODE(status.st_mode)
    return mode, status.st_uid, status.st_gid, extended


def listing(directory):
    """Relative path -> what is there: kind, content, attributes, and of a file all its names below the directory."""
    found = {".": ("directory", None, attributes_of(directory, os.lstat(directory)))}
    names = {}
    for parent, directories, files in os.walk(directory):
        for name in directories + files:
            path = os.path.join(parent, name)
            relative = path[len(directory) + 1 :]
            status = os.lstat(path)
            attributes = attributes_of(path, status)
            if stat.S_ISLNK(status.st_mode):
                found[relative] = ("link", os.readlink(path), attributes)
            elif stat.S_ISDIR(status.st_mode):
                found[relative] = ("directory", None, attributes)
            elif stat.S_ISREG(status.st_mode):
                twins = names.setdefault(status.st_ino, [])
                twins.append(relative)
                with open(path, "rb") as file:
                    found[relative] = ("file", file.read(), attributes, twins)
    for twins in names.values():
        twins.sort()
    return found


def first_difference(a, b):
    if len(a) != len(b):
        return "%d and %d bytes" % (len(a), len(b))
    low = next(i for i in range(len(a)) if a[i] != b[i])
    return "offset %d: %s and %s" % (low, a[low : low + 16].hex(), b[low : low + 16].hex())


def differences(a, b):
    """A sentence for each difference between two listings, of a replay and of a directory."""
    found = ["%s is only in the replay" % name for name in a.keys() - b.keys()]
    found += ["%s is missing in the replay" % name for name in b.keys() - a.keys()]
    for name in sorted(a.keys() & b.keys()):
        if a[name] == b[name]:
            continue
        if a[name][0] == "file" and b[name][0] == "file" and a[name][1] != b[name][1]:
            found.append("%s: %s" % (name, first_difference(a[name][1], b[name][1])))
        else:
            found.append("%s: %r and %r" % (name, a[name][2:], b[name][2:]))
    return found


def copy(directory, to):
    """Links, too, and files with two names."""
    subprocess.run(["cp", "-a", directory, to], check=True)


def replay(records, before, real):
    """Replays the records over what `before` holds and compares with `real`."""
    return differences(Replay(before).run(records).listing(), listing(real))
