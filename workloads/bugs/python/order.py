"""
Pages of a mapped file, written through struct.pack_into and a memoryview and persisted by mmap.flush. The bug persists
the root page before the page that it leads to.
"""

import struct

import pool

PAGES = 6


def write_page(pm, index):
    struct.pack_into("<Q", pm, (1 + index) * pool.PAGE, index + 1)  # AT number
    words = memoryview(pm)[(1 + index) * pool.PAGE + 8 : (2 + index) * pool.PAGE].cast("Q")
    words[0] = index
    words[500] = index
    pm.flush((1 + index) * pool.PAGE, pool.PAGE)


def set_root(pm, index):
    struct.pack_into("<Q", pm, 0, index)  # AT root
    pm.flush(0, pool.PAGE)


def create(pm):
    struct.pack_into("<Q", pm, pool.PAGE, 1)


def run(pm, bug):
    for index in range(1, PAGES):
        if bug:
            set_root(pm, index)  # BUG-AT
            write_page(pm, index)
        else:
            write_page(pm, index)
            set_root(pm, index)


def check(pm):
    (root,) = struct.unpack_from("<Q", pm)
    if root >= PAGES:
        return "no such page"
    page = struct.unpack_from("<%dQ" % (pool.PAGE // 8), pm, (1 + root) * pool.PAGE)
    whole = page[0] == root + 1 and page[1] == root and page[501] == root
    return None if whole else "the root leads to a page that was not written"


SIZE = (1 + PAGES) * pool.PAGE
