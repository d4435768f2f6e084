# SPDX-License-Identifier: Apache-2.0
"""A recovery without a compiler: the first words are valid when they add up."""
import mmap
import struct
import sys

with open(sys.argv[1], "r+b") as file:
    memory = mmap.mmap(file.fileno(), 512)
words = struct.unpack("<64Q", memory[:512])
print("valid" if sum(words[8:12]) % 2**64 == words[0] else "odd" if words[9] & 1 else "even")
