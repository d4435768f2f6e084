// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

/**
 * The numbers of recorder/native/powercut_trace.h; a test compares the two.
 *
 * <p>All integers are little-endian; records are aligned to 8 bytes.
 */
public final class TraceFormat {
  public static final int VERSION = 5;

  public static final String CONTROL_NAME = "control";
  public static final String CONTROL_MAGIC = "PWCTRACE";
  public static final int CONTROL_VERSION = 8;
  public static final int CONTROL_CHUNK_SIZE = 16;
  public static final int CONTROL_CHUNK_COUNT = 32;
  public static final int CONTROL_LIVE = 44;
  public static final int CONTROL_ENDED = 76;
  public static final int CONTROL_STOPPED = 80;
  public static final int CONTROL_STOP_STACK = 84;
  public static final int CONTROL_STOP_ID = 88;
  public static final int CONTROL_STORES = 96;
  public static final int CONTROL_FLUSHES = 104;
  public static final int CONTROL_FENCES = 112;
  public static final int CONTROL_SYNCS = 120;
  public static final int CONTROL_FAILURE_POINTS = 128;
  public static final int CONTROL_MAPPED_FILES = 144;
  public static final int CONTROL_SEEN_FILES = 148;
  public static final int CONTROL_MARKS = 152;
  public static final int CONTROL_STACK_REPAIRS = 156;
  public static final int CONTROL_OCCURRENCE = 160;
  public static final int CONTROL_ERROR_KIND = 164;
  public static final int CONTROL_DECLARED_FOUND = 216;
  public static final int CONTROL_DECLARED_ENTERED = 224;
  public static final int CONTROL_DECLARED_TOOK = 232;
  public static final int CONTROL_ERROR = 256;
  public static final int ERROR_INSTRUCTION = 2;
  public static final int ERROR_SCHEDULE = 3;
  public static final int CONTROL_ERROR_SIZE = 2048;

  public static final String CHUNK_PREFIX = "chunk-";
  public static final String CHUNK_MAGIC = "PWCCHUNK";
  public static final int CHUNK_VERSION = 8;
  public static final int CHUNK_HEADER_SIZE = 12;
  public static final int CHUNK_NUMBER = 16;
  public static final int CHUNK_USED = 24;
  public static final int CHUNK_CLOSED = 32;
  public static final int CHUNK_HEADER_BYTES = 64;

  public static final int RECORD_HEADER_BYTES = 8;
  public static final int STORE_HEADER_BYTES = 24;
  public static final int STORE_PADDING_SHIFT = 4;
  public static final int STORE_PADDING_MASK = 0x70;

  public static final int STORE = 1;
  public static final int FLUSH = 2;
  public static final int FENCE = 3;
  public static final int SYNC = 4;
  public static final int FILE_DEF = 5;
  public static final int FILE_RESIZE = 6;
  public static final int FILE_PUNCH = 7;
  public static final int FILE_RENAME = 8;
  public static final int FILE_DELETE = 9;
  public static final int DIR_CREATE = 10;
  public static final int DIR_DELETE = 11;
  public static final int MAP = 12;
  public static final int UNMAP = 13;
  public static final int DIR_RENAME = 14;
  public static final int FILE_LINK = 15;
  public static final int MODULE_DEF = 16;
  public static final int SITE_DEF = 17;
  public static final int STACK_DEF = 18;
  public static final int SYMLINK = 19;
  public static final int SYNC_END = 20;
  public static final int STORE_ELEMENT = 21;
  public static final int CHECK = 22;
  public static final int ATTRIBUTES = 23;
  public static final int THREAD_START = 24;
  public static final int THREAD_EXIT = 25;
  public static final int THREAD_JOIN = 26;
  public static final int PROCESS_START = 27;
  public static final int EXEC = 28;
  public static final int PROCESS_EXIT = 29;
  public static final int PROCESS_JOIN = 30;
  public static final int OUTPUT = 32;
  public static final int OUTSIDE = 33;
  public static final int RANGE = 34;
  public static final int METADATA = 35;
  public static final int MARK = 40;
  public static final int STOP = 41;
  public static final int END = 42;
  public static final int READ = 64;
  public static final int LOAD = 65;
  public static final int ALLOCATING = 66;
  public static final int ALLOCATED = 67;
  public static final int ALLOCATION_END = 68;
  public static final int ACQUIRE = 96;
  public static final int RELEASE = 97;
  public static final int FIRST_RESERVED = 64;
  public static final int LAST_RESERVED = 127;

  public static final int FILE_NEW = 1;

  /** Of a FILE_PUNCH: STORE records before it say which bytes became zero. */
  public static final int PUNCH_STORED = 1;

  public static final int FILE_UNNAMED = 2;
  public static final int PATH_OUTSIDE = 1;
  public static final int DELETE_HAS_NAMES = 1;
  public static final int STACK_EXCLUDED = 1;
  public static final int METADATA_KIND_MASK = 0x0f;
  public static final int METADATA_COUNTS = 0x10;
  public static final int METADATA_DURABLE = 0x20;
  public static final int OUTPUT_KIND_MASK = 0x0f;
  public static final int OUTPUT_ACKNOWLEDGES = 0x10;
  public static final int OUTPUT_UNKNOWN = 0x40;
  public static final int OUTPUT_MORE = 0x80;
  public static final int READ_NAMES = 1;
  public static final int LOAD_LOCKED = 1;
  public static final int LOAD_KERNEL = 2;
  public static final int LOAD_BYTES = 32;
  public static final int LOCK_SHARED = 1;
  public static final int EXIT_UNFINISHED = 1;
  public static final int CHECK_BYTES = 4096;
  public static final int LINE_BYTES = 64;

  public static final String LEAVES_MAGIC = "PWCLEAF1";
  public static final int LEAVES_HEADER_BYTES = 16;
  public static final int LEAF_BYTES = 16;
  public static final int LEAF_STATE = 8;
  public static final int LEAF_UNVISITED = 0;
  public static final int LEAF_VISITED = 1;

  private TraceFormat() {}

  public static String chunkName(long number) {
    return String.format("%s%08d", CHUNK_PREFIX, number);
  }
}
