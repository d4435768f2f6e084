#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests of the driver: run by `make check`. Needs a few seconds and a tmpfs at /dev/shm.
set -euo pipefail
cd "$(dirname "$0")"

area=$(mktemp -d /dev/shm/powercut-lmdb-check.XXXXXX)
process=
finish() {
  [[ -z $process ]] || kill -KILL "$process" 2>/dev/null || true
  rm -rf "$area"
}
trap finish EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# expect CODE COMMAND...: the command must end with that code
expect() {
  local code=$1 actual=0
  shift
  "$@" >"$area/output" 2>&1 || actual=$?
  [[ $actual -eq $code ]] || { cat "$area/output" >&2; fail "exit $actual instead of $code: $*"; }
}

expect_text() {
  grep -q -- "$1" "$area/output" || { cat "$area/output" >&2; fail "output lacks '$1'"; }
}

acknowledged() {
  od -An -tu8 -N8 "$1/acknowledged" | tr -d ' '
}

echo "create, run, check; check again; run on; mdb_dump"
expect 0 build/lmdb_workload create "$area/db" --size 16
expect 0 build/lmdb_workload check "$area/db"
expect_text "0 entries after 0 operations"
expect 0 build/lmdb_workload run "$area/db" 1000
expect 0 build/lmdb_workload check "$area/db"
expect_text "151 entries after 1000 operations"
expect 0 build/lmdb_workload check "$area/db"
expect 0 build/lmdb_workload run "$area/db" 100
expect 0 build/lmdb_workload check "$area/db"
expect_text "after 1220 operations"
expect 2 build/lmdb_workload run "$area/db" 100 --seed 43
expect 2 build/lmdb_workload run "$area/db"
expect 1 build/lmdb_workload check "$area/nowhere"
expect 0 mdb_dump -a -f /dev/null "$area/db"

echo "the same seed makes the same database"
for name in first second; do
  expect 0 build/lmdb_workload create "$area/$name" --size 16
  expect 0 build/lmdb_workload run "$area/$name" 500 --seed 7
  mdb_dump -a "$area/$name" >"$area/$name.dump"
done
cmp -s "$area/first.dump" "$area/second.dump" || fail "seed 7 gives two different databases"

echo "killed in the middle, ten times at different places"
for ((try = 0; try < 10; try++)); do
  rm -rf "$area/killed"
  expect 0 build/lmdb_workload create "$area/killed" --size 16
  build/lmdb_workload run "$area/killed" 1000000 --keys 500 --batch 7 >/dev/null 2>&1 &
  process=$!
  for ((wait = 0; wait < 2000 && $(acknowledged "$area/killed") <= try * 300; wait++)); do
    sleep 0.002
  done
  kill -KILL "$process" || fail "ended before it could be killed"
  wait "$process" 2>/dev/null || true
  process=
  expect 0 build/lmdb_workload check "$area/killed"
done

echo "a damaged value, a lost commit and a cut file are noticed"
cp -a "$area/db" "$area/damaged"
python3 - "$area/damaged/data.mdb" <<'PYTHON'
import sys
with open(sys.argv[1], "r+b") as database:
    data = database.read()
    # One bit in each page behind the two headers.
    for page in range(2, len(data) // 4096):
        if any(data[page * 4096:(page + 1) * 4096]):
            database.seek(page * 4096 + 4000)
            database.write(bytes([data[page * 4096 + 4000] ^ 1]))
PYTHON
actual=0
build/lmdb_workload check "$area/damaged" >"$area/output" 2>&1 || actual=$?
[[ $actual -eq 1 || $actual -gt 128 ]] || fail "check of a damaged database ends with $actual"
cp -a "$area/first" "$area/lost"
python3 - "$area/lost/acknowledged" <<'PYTHON'
import sys
with open(sys.argv[1], "r+b") as acknowledged:
    acknowledged.write((505).to_bytes(8, "little"))
PYTHON
expect 1 build/lmdb_workload check "$area/lost"
expect_text "commits have returned for 505"
truncate -s 8192 "$area/second/data.mdb"
actual=0
build/lmdb_workload check "$area/second" >"$area/output" 2>&1 || actual=$?
[[ $actual -eq 1 || $actual -gt 128 ]] || fail "check of a cut database ends with $actual"

echo "all right"
