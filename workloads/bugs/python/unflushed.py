"""A ring of records in a mapped file. The bug persists the page of the record's number, but not that of its text."""

import struct

import pool

RECORDS = 5
TEXTS = pool.PAGE  # one to a page, behind the page with how many there are


def text_of(number):
    return b"record %d" % number


def append(pm, number, bug):
    at = TEXTS + number * pool.PAGE
    pm[at : at + 8] = text_of(number)  # AT text
    if not bug:
        pm.flush(at, pool.PAGE)
    struct.pack_into("<Q", pm, 0, number + 1)  # AT count
    pm.flush(0, pool.PAGE)  # BUG-AT
    struct.pack_into("<Q", pm, 8, number + 1)  # AT copy
    pm.flush(0, pool.PAGE)  # BUG-AT


def create(pm):
    pass


def run(pm, bug):
    for number in range(RECORDS):
        append(pm, number, bug)


def check(pm):
    (count,) = struct.unpack_from("<Q", pm)
    for number in range(count):
        at = TEXTS + number * pool.PAGE
        if pm[at : at + 8] != text_of(number):
            return "record %d is not there" % number
    return None


SIZE = TEXTS + RECORDS * pool.PAGE
