#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Moves money between two accounts in an SQLite database, and says which transfers are committed.

accounts.py create|run|check DIRECTORY [--journal MODE] [--synchronous LEVEL] [--transfers N] [--acknowledged FILE]
"""
import argparse
import pathlib
import sqlite3
import sys

TOTAL = 1000


def options():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mode", choices=["create", "run", "check"])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--journal", default="delete")
    parser.add_argument("--synchronous", default="full")
    parser.add_argument("--transfers", type=int, default=10)
    parser.add_argument("--acknowledged", type=pathlib.Path)
    return parser.parse_args()


def connect(chosen):
    # Transactions begin and end where this program says so.
    database = sqlite3.connect(chosen.directory / "accounts", isolation_level=None)
    database.execute(f"PRAGMA journal_mode={chosen.journal}")
    database.execute(f"PRAGMA synchronous={chosen.synchronous}")
    return database


def create(database):
    database.execute("CREATE TABLE account (name TEXT PRIMARY KEY, amount INTEGER)")
    database.execute("CREATE TABLE transfer (number INTEGER PRIMARY KEY, amount INTEGER)")
    database.execute("INSERT INTO account VALUES ('ours', ?), ('theirs', 0)", (TOTAL,))


def transfer(database, number):
    database.execute("BEGIN")
    database.execute("UPDATE account SET amount = amount - ? WHERE name = 'ours'", (number,))
    database.execute("UPDATE account SET amount = amount + ? WHERE name = 'theirs'", (number,))
    database.execute("INSERT INTO transfer VALUES (?, ?)", (number, number))
    database.execute("COMMIT")
    print(f"transfer {number}", flush=True)


def need(holds, what):
    if not holds:
        sys.exit(what)


def check(database, acknowledged):
    """What is acknowledged is there, whole; one transfer more may be."""
    need(database.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the file is damaged")
    amounts = dict(database.execute("SELECT name, amount FROM account"))
    numbers = [number for number, in database.execute("SELECT number FROM transfer ORDER BY number")]
    need(numbers == list(range(1, len(numbers) + 1)), f"transfers are missing: {numbers}")
    need(amounts == {"ours": TOTAL - sum(numbers), "theirs": sum(numbers)}, f"wrong: {amounts}")
    lines = acknowledged.read_text().splitlines()
    need(len(numbers) in (len(lines), len(lines) + 1), f"{len(lines)} acknowledged, {len(numbers)} there")


def main():
    chosen = options()
    database = connect(chosen)
    if chosen.mode == "create":
        create(database)
    elif chosen.mode == "run":
        for number in range(1, chosen.transfers + 1):
            transfer(database, number)
    else:
        check(database, chosen.acknowledged)
    database.close()


main()
