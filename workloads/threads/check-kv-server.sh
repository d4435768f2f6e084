#!/usr/bin/env bash
# kv_server with its clients, without Powercut, in both variants.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

port=$((20000 + $$ % 10000))
trap 'rm -rf build/pm; kill $(jobs -p) 2>/dev/null || true' EXIT
for variant in fixed racy; do
  rm -rf build/pm
  mkdir build/pm
  build/kv_server create build/pm ctree
  build/kv_server run build/pm ctree $variant $port >/dev/null &
  for _ in $(seq 100); do
    (: <>/dev/tcp/127.0.0.1/$port) 2>/dev/null && break
    sleep 0.1
  done
  build/kv_clients run $port 4 400
  build/kv_clients stop $port
  wait %%
  build/kv_server check build/pm ctree
  port=$((port + 1))
done
