# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads a trace and replays it: written from docs/trace-format.md, knowing nothing of the recorder's or the Java reader's code."""

import os
import shutil
import struct
import subprocess

STORE, FLUSH, FENCE, SYNC, SYNC_END, STORE_ELEMENT = 1, 2, 3, 4, 20, 21
FILE_DEF, FILE_RESIZE, FILE_PUNCH, FILE_RENAME, FILE_DELETE = 5, 6, 7, 8, 9
DIR_CREATE, DIR_DELETE, MAP, UNMAP, DIR_RENAME, FILE_LINK = 10, 11, 12, 13, 14, 15
MODULE_DEF, SITE_DEF, STACK_DEF, SYMLINK = 16, 17, 18, 19
THREAD_START, THREAD_EXIT, THREAD_JOIN, PROCESS_START, EXEC, PROCESS_EXIT = 24, 25, 26, 27, 28, 29
OUTPUT, MARK, STOP, END, READ, CHECK, ATTRIBUTES = 32, 40, 41, 42, 64, 22, 23

NON_TEMPORAL, KERNEL, LOCKED, FILE_WRITE, MORE = 1, 2, 4, 8, 0x80
SYNCHRONOUS = LOCKED  # with FILE_WRITE
STDOUT, STDERR, SOCKET, PIPE, FILE, UNKNOWN = 1, 2, 3, 4, 5, 0x40  # of OUTPUT
MASK64 = (1 << 64) - 1


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
        return self.u32(16), self.u32(20), self.u32(24), extended

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
        assert fields[0] == 4 and fields[1] <= len(control), fields
        self.chunk_size = fields[2]
        self.chunk_count = struct.unpack_from("<I", control, 32)[0]
        self.live = struct.unpack_from("<I", control, 44)[0]
        self.ended, self.stopped, self.stop_stack = struct.unpack_from("<III", control, 76)
        self.stop_id, self.stores, self.flushes, self.fences, self.syncs, self.failure_point_count, self.clock = (
            struct.unpack_from("<7Q", control, 88)
        )
        self.mapped_files, self.seen_files, self.marks, self.stack_repairs, self.occurrence, self.error_kind = (
            struct.unpack_from("<6I", control, 144)
        )
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
        assert (magic, version, header, own) == (b"PWCCHUNK", 4, 64, number)
        assert closed or number == self.chunk_count - 1
        at = header
        while at < used:
            kind, flags, thread, length = struct.unpack_from("<BBHI", chunk, at)
            assert length >= 8 and length % 8 == 0 and at + length <= used, (number, at, kind, length)
            self.records.append(Record(kind, flags, thread, chunk[at + 8 : at + length]))
            at += length

    def read_definitions(self):
        self.modules, self.sites, self.stacks = {}, {}, {}
        for record in self.records:
            if record.kind == MODULE_DEF:
                path, build_id = record.u32(12), record.u32(16)
                self.modules[record.u32(8)] = record.text(32 + path + build_id, record.u32(20))
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
            candidate = (
                record.kind in (FENCE, SYNC)
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
        return found


class Replay:
    """Applies records to a copy of the PM directory as it was in front of the run."""

    def __init__(self, directory):
        self.directory = directory
        self.files = {}  # id -> descriptor
        self.names = {}  # id -> names
        self.descriptors = os.open("/proc/self/fd", os.O_PATH | os.O_DIRECTORY)

    def path(self, relative):
        assert relative and not relative.startswith("/") and ".." not in relative.split("/"), relative
        return os.path.join(self.directory, relative)

    def run(self, records):
        for record in records:
            self.apply(record)
        for descriptor in [*self.files.values(), self.descriptors]:
            os.close(descriptor)
        self.files = {}

    def apply(self, record):
        kind = record.kind
        if kind == STORE:
            self.store(record)
        elif kind == CHECK:
            self.check(record)
        elif kind == FILE_DEF:
            self.define(record)
        elif kind == FILE_RESIZE:
            os.ftruncate(self.files[record.u32(8)], record.u64(16))
        elif kind == FILE_PUNCH:
            descriptor = self.files[record.u32(8)]
            assert record.u64(16) + record.u64(24) <= os.fstat(descriptor).st_size
            os.pwrite(descriptor, bytes(record.u64(24)), record.u64(16))
        elif kind in (FILE_RENAME, FILE_LINK, FILE_DELETE):
            self.name(record, record.u32(8), record.text(16, record.u32(12)))
        elif kind == ATTRIBUTES:
            self.attributes(record)
        elif kind in (DIR_CREATE, DIR_DELETE, DIR_RENAME, SYMLINK):
            length = record.u32(8)
            self.directory_entry(kind, record.text(16, length), record.text(16 + length, record.u32(12)))

    def store(self, record):
        descriptor, offset, data = self.files[record.file()], record.offset(), record.data()
        size = os.fstat(descriptor).st_size
        assert data
        if record.flags & FILE_WRITE and not record.flags & MORE:
            assert offset + len(data) <= size, "a file write beyond the end must come behind a resize"
        else:
            data = data[: max(0, size - offset)]
        os.pwrite(descriptor, data, offset)

    def attributes(self, record):
        number, path = record.u32(8), record.text(32, record.u32(12))
        assert not (number and path)
        where = "/proc/self/fd/%d" % self.files[number] if number else self.path(path) if path else self.directory
        mode, owner, group, extended = record.attributes()
        follow = bool(number) or not os.path.islink(where)
        os.chown(where, owner, group, follow_symlinks=follow)
        for name in os.listxattr(where, follow_symlinks=follow):
            os.removexattr(where, name, follow_symlinks=follow)
        for name, value in extended.items():
            os.setxattr(where, name, value, follow_symlinks=follow)
        if follow:
            os.chmod(where, mode)

    def check(self, record):
        location, value = record.u64(8), 0xCBF29CE484222325
        page = os.pread(self.files[location >> 48], 4096, location & 0xFFFFFFFFFFFF)
        for (word,) in struct.iter_unpack("<Q", page if len(page) == 4096 else b""):
            value = (value ^ word) * 0x100000001B3 & MASK64
            value ^= value >> 32
        assert len(page) < 4096 or value == record.u64(16), "the check of file %d, page %#x" % (location >> 48, location & 0xFFFFFFFFFFFF)

    def define(self, record):
        number, size, is_new, unnamed = record.u32(8), record.u64(16), record.flags & 1, record.flags & 2
        assert number not in self.files
        relative = record.text(24, record.u32(12))
        if unnamed:
            self.files[number] = os.open(self.directory, os.O_TMPFILE | os.O_RDWR)
            os.ftruncate(self.files[number], size)
            self.names[number] = []
            return
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR if is_new else os.O_RDWR | os.O_NOFOLLOW
        self.files[number] = os.open(self.path(relative), flags, 0o644)
        self.names[number] = [relative]
        real = os.fstat(self.files[number]).st_size
        assert real == size, "%s is defined with %d bytes and has %d" % (relative, size, real)

    def name(self, record, number, path):
        if record.kind == FILE_DELETE:
            os.unlink(self.path(path))
            if number:
                if path in self.names[number]:  # else a second name of a file of before the run
                    self.names[number].remove(path)
                assert bool(record.flags & 1) == (os.fstat(self.files[number]).st_nlink > 0), path
            return
        outside = record.flags & 1
        if record.kind == FILE_LINK:
            if not outside:
                # Python asks to follow links only when a directory is given, too.
                os.link(str(self.files[number]), self.path(path), src_dir_fd=self.descriptors, follow_symlinks=True)
                self.names[number].append(path)
            return
        (old,) = self.names[number]  # a rename does not say which name
        if outside:
            os.unlink(self.path(old))
            self.names[number] = []
            return
        assert not os.path.lexists(self.path(path)), "what a rename replaces is deleted first"
        os.rename(self.path(old), self.path(path))
        self.names[number] = [path]

    def directory_entry(self, kind, path, other):
        if kind == DIR_CREATE:
            os.mkdir(self.path(path))
        elif kind == DIR_DELETE:
            os.rmdir(self.path(path))
        elif kind == SYMLINK:
            os.symlink(other, self.path(path))
        else:
            assert not os.path.lexists(self.path(other))
            os.rename(self.path(path), self.path(other))
            for names in self.names.values():
                names[:] = [other + name[len(path) :] if name.startswith(path + "/") else name for name in names]


def attributes_of(path):
    status = os.lstat(path)
    extended = sorted((name, os.getxattr(path, name, follow_symlinks=False)) for name in os.listxattr(path, follow_symlinks=False))
    return "%o %d:%d %r" % (status.st_mode, status.st_uid, status.st_gid, extended)


def listing(directory):
    """Relative path -> what is there: kind, content, attributes, and all names of a file."""
    found = {".": ("directory", None, attributes_of(directory))}
    names = {}
    for parent, directories, files in os.walk(directory):
        for name in directories + files:
            path = os.path.join(parent, name)
            relative = os.path.relpath(path, directory)
            if os.path.islink(path):
                found[relative] = ("link", os.readlink(path), attributes_of(path))
            elif os.path.isdir(path):
                found[relative] = ("directory", None, attributes_of(path))
            elif os.path.isfile(path):
                twins = names.setdefault(os.stat(path).st_ino, [])
                twins.append(relative)
                with open(path, "rb") as file:
                    found[relative] = ("file", file.read(), attributes_of(path), twins)
    for twins in names.values():
        twins.sort()
    return found


def first_difference(a, b):
    if len(a) != len(b):
        return "%d and %d bytes" % (len(a), len(b))
    low = next(i for i in range(len(a)) if a[i] != b[i])
    return "offset %d: %s and %s" % (low, a[low : low + 16].hex(), b[low : low + 16].hex())


def compare(replayed, real):
    """A sentence for each difference between two directories."""
    a, b = listing(replayed), listing(real)
    differences = ["%s is only in the replay" % name for name in a.keys() - b.keys()]
    differences += ["%s is missing in the replay" % name for name in b.keys() - a.keys()]
    for name in sorted(a.keys() & b.keys()):
        if a[name] == b[name]:
            continue
        if a[name][0] == "file" and b[name][0] == "file" and a[name][1] != b[name][1]:
            differences.append("%s: %s" % (name, first_difference(a[name][1], b[name][1])))
        else:
            differences.append("%s: %r and %r" % (name, a[name][2:] or a[name], b[name][2:] or b[name]))
    return differences


def copy(directory, to):
    """Links, too, and files with two names."""
    subprocess.run(["cp", "-a", directory, to], check=True)


def replay(records, before, real, scratch):
    """Replays the records over a copy of `before` and compares with `real`."""
    copy(before, scratch)
    try:
        Replay(scratch).run(records)
        return compare(scratch, real)
    finally:
        shutil.rmtree(scratch)
