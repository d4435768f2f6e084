package io.powercut.instrumentation.trace;

/**
 * The numbers of instrumentation/native/powercut_trace.h; a test compares the two.
 *
 * <p>All integers are little-endian; records are aligned to 8 bytes.
 */
final class TraceFormat {
  static final int VERSION = 4;

  static final String CONTROL_NAME = "control";
  static final String CONTROL_MAGIC = "PWCTRACE";
  static final int CONTROL_VERSION = 8;
  static final int CONTROL_CHUNK_SIZE = 16;
  static final int CONTROL_CHUNK_COUNT = 32;
  static final int CONTROL_LIVE = 44;
  static final int CONTROL_ENDED = 76;
  static final int CONTROL_STOPPED = 80;
  static final int CONTROL_STOP_STACK = 84;
  static final int CONTROL_STOP_ID = 88;
  static final int CONTROL_STORES = 96;
  static final int CONTROL_FLUSHES = 104;
  static final int CONTROL_FENCES = 112;
  static final int CONTROL_SYNCS = 120;
  static final int CONTROL_FAILURE_POINTS = 128;
  static final int CONTROL_MAPPED_FILES = 144;
  static final int CONTROL_SEEN_FILES = 148;
  static final int CONTROL_MARKS = 152;
  static final int CONTROL_STACK_REPAIRS = 156;
  static final int CONTROL_OCCURRENCE = 160;
  static final int CONTROL_ERROR_KIND = 164;
  static final int CONTROL_ERROR = 256;
  static final int ERROR_INSTRUCTION = 2;
  static final int CONTROL_ERROR_SIZE = 2048;

  static final String CHUNK_PREFIX = "chunk-";
  static final String CHUNK_MAGIC = "PWCCHUNK";
  static final int CHUNK_VERSION = 8;
  static final int CHUNK_HEADER_SIZE = 12;
  static final int CHUNK_NUMBER = 16;
  static final int CHUNK_USED = 24;
  static final int CHUNK_CLOSED = 32;
  static final int CHUNK_HEADER_BYTES = 64;

  static final int RECORD_HEADER_BYTES = 8;
  static final int STORE_HEADER_BYTES = 24;
  static final int STORE_PADDING_SHIFT = 4;
  static final int STORE_PADDING_MASK = 0x70;

  static final int STORE = 1;
  static final int FLUSH = 2;
  static final int FENCE = 3;
  static final int SYNC = 4;
  static final int FILE_DEF = 5;
  static final int FILE_RESIZE = 6;
  static final int FILE_PUNCH = 7;
  static final int FILE_RENAME = 8;
  static final int FILE_DELETE = 9;
  static final int DIR_CREATE = 10;
  static final int DIR_DELETE = 11;
  static final int MAP = 12;
  static final int UNMAP = 13;
  static final int DIR_RENAME = 14;
  static final int FILE_LINK = 15;
  static final int MODULE_DEF = 16;
  static final int SITE_DEF = 17;
  static final int STACK_DEF = 18;
  static final int SYMLINK = 19;
  static final int SYNC_END = 20;
  static final int STORE_ELEMENT = 21;
  static final int CHECK = 22;
  static final int ATTRIBUTES = 23;
  static final int THREAD_START = 24;
  static final int THREAD_EXIT = 25;
  static final int THREAD_JOIN = 26;
  static final int PROCESS_START = 27;
  static final int EXEC = 28;
  static final int PROCESS_EXIT = 29;
  static final int OUTPUT = 32;
  static final int OUTSIDE = 33;
  static final int MARK = 40;
  static final int STOP = 41;
  static final int END = 42;
  static final int READ = 64;
  static final int FIRST_RESERVED = 64;
  static final int LAST_RESERVED = 127;

  static final int FILE_NEW = 1;
  static final int FILE_UNNAMED = 2;
  static final int PATH_OUTSIDE = 1;
  static final int DELETE_HAS_NAMES = 1;
  static final int STACK_EXCLUDED = 1;
  static final int OUTPUT_KIND_MASK = 0x0f;
  static final int OUTPUT_UNKNOWN = 0x40;
  static final int OUTPUT_MORE = 0x80;
  static final int READ_NAMES = 1;
  static final int EXIT_UNFINISHED = 1;
  static final int CHECK_BYTES = 4096;
  static final int LINE_BYTES = 64;

  static final String LEAVES_MAGIC = "PWCLEAF1";
  static final int LEAVES_HEADER_BYTES = 16;
  static final int LEAF_BYTES = 16;
  static final int LEAF_STATE = 8;
  static final int LEAF_UNVISITED = 0;
  static final int LEAF_VISITED = 1;

  private TraceFormat() {}

  static String chunkName(long number) {
    return String.format("%s%08d", CHUNK_PREFIX, number);
  }
}
