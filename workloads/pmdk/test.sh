#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests of the drivers: run by `make check`. Needs about 10 s and a tmpfs at /dev/shm.
set -euo pipefail
cd "$(dirname "$0")"
export PMEM_IS_PMEM_FORCE=1

maps=(btree ctree rbtree rtree hashmap_atomic hashmap_tx hashmap_rp skiplist)
transactional=(btree ctree rbtree rtree hashmap_tx skiplist)
area=$(mktemp -d /dev/shm/powercut-pmdk-check.XXXXXX)
background=()
finish() {
  local process
  for process in "${background[@]}"; do kill -KILL "$process" 2>/dev/null || true; done
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

# wait_for_progress FILE SNAPSHOT: until the file differs from the snapshot; no sleeping for a guessed time
wait_for_progress() {
  local tries
  for ((tries = 0; tries < 2000; tries++)); do
    cmp -s "$1" "$2" || return 0
    sleep 0.005
  done
  fail "$1 does not change"
}

# killed_in_the_middle FILE COMMAND...: starts the command and kills it with -9 once it writes the file
killed_in_the_middle() {
  local file=$1 process
  shift
  cp --sparse=always "$file" "$area/before"
  "$@" >/dev/null 2>&1 &
  process=$!
  background+=("$process")
  wait_for_progress "$file" "$area/before"
  kill -KILL "$process" 2>/dev/null || fail "ended before it could be killed: $*"
  wait "$process" 2>/dev/null || true
}

# Changes one bit in every copy of a pool's spread-out keys (see key_of), or in the values of libart's.
corrupt() {
  python3 - "$1" <<'PYTHON'
import re
import sys

MASK = (1 << 64) - 1

def scatter(number):
    number = (number + 0x9E3779B97F4A7C15) & MASK
    number = ((number ^ number >> 30) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ number >> 27) * 0x94D049BB133111EB) & MASK
    return number ^ number >> 31

with open(sys.argv[1], "r+b") as pool:
    data = pool.read()
    places = [match.start() for match in re.finditer(rb"\d{11}:\d{11}\0", data)]
    for index in range(1, 200, 2):
        key = (scatter(index) | 1 << 63).to_bytes(8, "little")
        places += [match.start() for match in re.finditer(re.escape(key), data)]
    assert places, "found nothing to corrupt"
    for place in places:
        pool.seek(place)
        pool.write(bytes([data[place] ^ 4]))
PYTHON
}

same_operations() {
  build/map_workload operations 3000 --seed "$1" >"$area/first"
  build/map_workload operations 3000 --seed "$2" >"$area/second"
  cmp -s "$area/first" "$area/second"
}

echo "operations: the same for the same seed, others for another, a third of each kind"
same_operations 7 7 || fail "seed 7 gives two different sequences"
! same_operations 7 8 || fail "seeds 7 and 8 give the same sequence"
for kind in put get delete; do
  [[ $(grep -c "^$kind " "$area/first") -eq 1000 ]] || fail "not a third of the operations is a $kind"
done

for map in "${maps[@]}"; do
  echo "$map: create, run, check; check again; run on; killed in the middle; damaged"
  pool=$area/$map
  expect 0 build/map_workload create "$map" "$pool" --size 16
  expect 0 build/map_workload check "$map" "$pool"
  expect_text "0 entries after 0 operations"
  cp --sparse=always "$pool" "$pool.new"
  expect 0 build/map_workload run "$map" "$pool" 1000
  expect 0 build/map_workload check "$map" "$pool"
  expect_text "151 entries after 1000 operations"
  cp --sparse=always "$pool" "$pool.same"
  expect 0 build/map_workload dump "$map" "$pool"
  [[ $(wc -l <"$area/output") -eq 151 ]] || fail "not a line for each entry"
  sort -n -c "$area/output" 2>/dev/null || fail "the keys are not in order"
  cp "$area/output" "$area/dumped"
  expect 0 build/map_workload dump "$map" "$pool.same"
  cmp -s "$area/output" "$area/dumped" || fail "two dumps of the same contents"
  rm "$pool.same"
  expect 0 build/map_workload check "$map" "$pool"
  expect 0 build/map_workload run "$map" "$pool" 100
  expect 0 build/map_workload check "$map" "$pool"
  expect_text "after 1100 operations"
  expect 2 build/map_workload run "$map" "$pool" 100 --seed 43
  corrupt "$pool"
  actual=0
  build/map_workload check "$map" "$pool" >"$area/output" 2>&1 || actual=$?
  [[ $actual -eq 1 || $actual -gt 128 ]] || fail "check of a damaged $map ends with $actual"

  killed_in_the_middle "$pool.new" build/map_workload run "$map" "$pool.new" 1000000 --keys 300
  expect 0 build/map_workload check "$map" "$pool.new"
  rm -f "$pool" "$pool.new"
done

for map in "${transactional[@]}"; do
  echo "$map: a transaction for each put, and one for all"
  for puts in per-transaction in-one-transaction; do
    expect 0 build/map_workload create "$map" "$area/pool" --size 16
    expect 0 build/map_workload run "$map" "$area/pool" 600 --puts $puts
    expect 0 build/map_workload check "$map" "$area/pool"
    rm "$area/pool"
  done
done
expect 0 build/map_workload create hashmap_rp "$area/pool"
expect 2 build/map_workload run hashmap_rp "$area/pool" 10 --put-per-transaction
expect 1 build/map_workload check btree "$area/pool"
expect 2 build/map_workload check btre "$area/pool"
expect 2 build/map_workload run btree "$area/pool" ten
rm "$area/pool"

echo "acknowledged operations: all there, or it is told which is not; one may be done and not acknowledged"
for map in "${maps[@]}"; do
  rm -f "$area/pool"
  expect 0 build/map_workload create "$map" "$area/pool"
  expect 0 build/map_workload run "$map" "$area/pool" 200 --acknowledge
  cp "$area/output" "$area/all"
  [[ $(wc -l <"$area/all") -eq 200 ]] || fail "not a line for each operation"
  expect 0 build/map_workload check "$map" "$area/pool" --acknowledged "$area/all"
  head -n 199 "$area/all" >"$area/some"
  printf 200 >>"$area/some"
  expect 0 build/map_workload check "$map" "$area/pool" --acknowledged "$area/some"
  head -n 190 "$area/all" >"$area/some"
  expect 1 build/map_workload check "$map" "$area/pool" --acknowledged "$area/some"
  expect_text "after 190 acknowledged operations"
  (cat "$area/all" && echo "201 put 1") >"$area/some"
  expect 1 build/map_workload check "$map" "$area/pool" --acknowledged "$area/some"
  expect_text "201 operations were acknowledged, and the pool knows of 200"
done
rm "$area/pool"
expect 0 build/map_workload create btree "$area/pool" --size 16
expect 0 build/map_workload run btree "$area/pool" 300 --puts in-one-transaction --acknowledge
head -n 10 "$area/output" >"$area/some"
expect 1 build/map_workload check btree "$area/pool" --acknowledged "$area/some"
rm "$area/pool"
expect 0 build/art_workload create "$area/art" --size 16
expect 0 build/art_workload run "$area/art" 200 --acknowledge
cp "$area/output" "$area/all"
cp --sparse=always "$area/art" "$area/art.new"
expect 0 build/art_workload check "$area/art" --acknowledged "$area/all"
cp --sparse=always "$area/art.new" "$area/art"
head -n 190 "$area/all" >"$area/some"
expect 1 build/art_workload check "$area/art" --acknowledged "$area/some"
expect_text "after 190 acknowledged operations"
echo nonsense >"$area/some"
expect 3 build/art_workload check "$area/art" --acknowledged "$area/some"
rm "$area/art" "$area/art.new"

echo "libart: create, run, check; killed in the middle; keys that it cannot cope with"
expect 0 build/art_workload create "$area/art" --size 16
expect 0 build/art_workload check "$area/art"
cp --sparse=always "$area/art" "$area/art.new"
expect 0 build/art_workload run "$area/art" 5000
expect 0 build/art_workload check "$area/art"
corrupt "$area/art"
actual=0
build/art_workload check "$area/art" >"$area/output" 2>&1 || actual=$?
[[ $actual -eq 1 || $actual -gt 128 ]] || fail "check of a damaged libart ends with $actual"
cp --sparse=always "$area/art.new" "$area/art"
killed_in_the_middle "$area/art" build/art_workload run "$area/art" 1000000
expect 0 build/art_workload check "$area/art"
expect 134 build/art_workload run "$area/art.new" 1000 --keys any --seed 1
expect_text "Assertion"

echo "kv_server: a client's operations, checked; killed in the middle; the server goes on with what is left"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
start_server() {
  build/kv_server btree "$area/kv" "$port" >/dev/null 2>&1 &
  server=$!
  background+=("$server")
  local tries
  for ((tries = 0; tries < 1000; tries++)); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return
    sleep 0.01
  done
  fail "kv_server does not listen"
}
expect 0 build/map_workload create-kv-server btree "$area/kv"
cp --sparse=always "$area/kv" "$area/kv.new"
start_server
expect 0 build/kv_client run "$port" 1000
expect 0 build/kv_client probe "$port"
expect 0 build/kv_client stop "$port"
wait "$server" || fail "kv_server ended with $?"
expect 0 build/map_workload check-kv-server btree "$area/kv" 1000
expect_text "151 entries"
expect 0 build/map_workload dump-kv-server btree "$area/kv"
[[ $(wc -l <"$area/output") -eq 151 ]] || fail "not a line for each entry"
expect 1 build/map_workload check-kv-server btree "$area/kv" 1000 --seed 43
cp --sparse=always "$area/kv.new" "$area/kv"
start_server
build/kv_client run "$port" 100000 >/dev/null 2>&1 &
client=$!
background+=("$client")
wait_for_progress "$area/kv" "$area/kv.new"
kill -KILL "$server"
wait "$server" 2>/dev/null || true
wait "$client" && fail "kv_client does not notice that the server is gone"
start_server
expect 0 build/kv_client probe "$port"
expect 0 build/kv_client stop "$port"
wait "$server" || fail "kv_server ended with $?"
expect 0 build/map_workload check-kv-server btree "$area/kv" 100000

echo "all right"
