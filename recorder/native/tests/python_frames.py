# SPDX-License-Identifier: GPL-2.0-or-later
"""Persists from all kinds of Python code, and says before each time in which frames it is.

usage: python_frames.py PMDIR
"""

import ctypes
import mmap
import os
import sys
import threading


def frames():
    """Of the caller: innermost first, as "name line name line ..."."""
    frame = sys._getframe(2)
    found = []
    while frame:
        found += [frame.f_code.co_qualname, str(frame.f_lineno)]
        frame = frame.f_back
    return " ".join(found)


def say(result=None):
    """The store comes last, since the interpreter's locks are failure points too."""
    value = os.urandom(8)
    os.write(1, (frames() + "\n").encode())
    pm[8:16] = value
    return result


def plain():
    say(pm).flush()
    say(pm).flush()


class Größe:
    """A name that is not ASCII."""

    def method(self):
        say(pm).flush()

    @property
    def attribute(self):
        return say(pm).flush()

    @staticmethod
    def static():
        say(pm).flush()

    def __getitem__(self, index):
        return say(pm).flush()

    def __enter__(self):
        say(pm).flush()

    def __exit__(self, *how):
        say(pm).flush()

    class Inner:
        def method(self):
            say(pm).flush()


def generator():
    for _ in range(2):
        yield say(pm).flush()


async def coroutine():
    say(pm).flush()


def deep(depth):
    if depth == 0:
        say(pm).flush()
    else:
        deep(depth - 1)


def closure():
    def inner():
        say(pm).flush()

    (lambda: (say(pm).flush(), inner()))()


def fails():
    try:
        raise ValueError
    except ValueError:
        say(pm).flush()
    finally:
        say(pm).flush()


def kernel():
    os.fsync(say(fd))  # without the interpreter's lock
    os.pwrite(say(fd), b"1234", 16)
    os.fdatasync(say(fd))


def foreign():
    libc = ctypes.CDLL(None)
    libc.fsync(say(fd))
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
    # A C function in between: Python, C, Python.
    libc.qsort((ctypes.c_int * 2)(2, 1), 2, 4, compare(lambda a, b: say(pm).flush() or 0))


def long_jump():
    # The table of lines has an entry for a jump of many lines.
    x = 1























































































    say(pm).flush()
    return x


def in_thread():
    def body():
        say(pm).flush()
        plain()

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()


def in_child():
    child = os.fork()
    if child == 0:
        say(pm).flush()
        os._exit(0)
    os.waitpid(child, 0)


def everything():
    plain()
    it = Größe()
    it.method()
    it.attribute
    it.static()
    it[1]
    with it:
        pass
    it.Inner().method()
    list(generator())
    try:
        coroutine().send(None)
    except StopIteration:
        pass
    deep(300)
    closure()
    fails()
    sorted([1, 2], key=lambda key: say(pm).flush() or key)
    [say(pm).flush() for _ in range(2)]
    {say(pm).flush(): 1 for _ in range(2)}
    eval("say(pm).flush()")
    exec("def made():\n  pass\n  say(pm).flush()\nmade()")
    for line in range(3):  # code after code, perhaps at one address
        exec("\n" * line + "say(pm).flush()")
    kernel()
    foreign()
    long_jump()
    in_thread()
    in_child()


path = os.path.join(sys.argv[1], "file")
fd = os.open(path, os.O_RDWR | os.O_CREAT)
os.ftruncate(fd, 8192)
pm = mmap.mmap(fd, 8192)
# Code that ran some times takes other ways through the interpreter.
for _ in range(20):
    everything()
say(pm).flush()
