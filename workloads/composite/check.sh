#!/bin/sh
# Makes, runs and checks each program given, in a directory of its own. SPDX-License-Identifier: Apache-2.0
export PMEM_IS_PMEM_FORCE=1
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
failed=0
for program in "$@"; do
	rm -rf "$directory/pm"
	mkdir "$directory/pm"
	for step in create run check; do
		"$program" "$step" "$directory/pm" || { echo "$program: $step failed"; failed=1; break; }
	done
done
[ $failed = 0 ] && echo "$# programs are content with themselves"
exit $failed
