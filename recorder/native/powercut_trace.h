/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that the recorder and its readers share: the control file, the
 * chunks of the trace, and the file of leaves. docs/trace-format.md says in
 * words what is here in numbers; the Java reader holds a copy of the numbers
 * and a test compares the two.
 *
 * All integers are little endian. Records and their headers are 8-byte aligned.
 * This header needs nothing but fixed-width integers, so that it compiles both
 * inside Valgrind and in ordinary programs.
 */
#ifndef POWERCUT_TRACE_H
#define POWERCUT_TRACE_H

#ifndef POWERCUT_NO_STDINT
#include <stdint.h>
#endif

#define POWERCUT_TRACE_VERSION 5

/* ------------------------------------------------------------------ control */

#define POWERCUT_CONTROL_MAGIC "PWCTRACE" /* 8 bytes, no final NUL */
#define POWERCUT_CONTROL_SIZE 811008 /* of the whole file, in bytes; the space for most files comes when it is needed */
#define POWERCUT_ERROR_SIZE 2048
#define POWERCUT_MAX_FILES 32767 /* bit 63 of a location stays 0 */
#define POWERCUT_FILE_BUCKETS 4096
#define POWERCUT_MAX_PROCESSES 1024
#define POWERCUT_MAX_MODULE_NAMES 64

/* From here on comments stand in columns: offsets are part of the format. */
/* clang-format off */

/* What the error text is about. */
enum powercut_error_kind {
	POWERCUT_ERROR_NONE = 0,
	POWERCUT_ERROR_RECORDER = 1,    /* the recorder gave up and ended the target */
	POWERCUT_ERROR_INSTRUCTION = 2, /* the target met an instruction Valgrind cannot decode, and got SIGILL */
	POWERCUT_ERROR_SCHEDULE = 3,    /* a recorded schedule of threads cannot be followed, so the target was ended */
};

/* A PM file, shared so that every process of the execution gives it the same id. */
struct powercut_file {
	uint64_t device;
	uint64_t inode;
	uint32_t next;  /* id of the next file in its bucket, 0 = it is the last one */
	uint32_t state; /* bit 0: no name is left (deleted); bit 1: was mapped shared; bit 2: had several names */
};

/* Which of several modules with one base name has it as its name. */
struct powercut_module_name {
	uint64_t name;   /* hash of the base name; 0: free entry */
	uint64_t module; /* hash of its build id, or of its path if it has none */
};

/* The control file's beginning; offsets are part of the format. */
struct powercut_control {
	char magic[8];          /*   0 */
	uint32_t version;       /*   8 */
	uint32_t header_size;   /*  12 sizeof(struct powercut_control) */
	uint32_t chunk_size;    /*  16 bytes of every chunk file */
	uint32_t window;        /*  20 chunks that may exist at once, 0 = any number */
	uint64_t current_chunk; /*  24 number of the chunk being written; earlier ones exist, or the reader deleted them */
	uint32_t chunk_count;   /*  32 chunks created so far (0 when nothing was recorded) */
	uint32_t lock;          /*  36 pid of the process in the trace, 0 = free */
	uint32_t shared;        /*  40 1 as soon as there is more than one process */
	uint16_t live;          /*  44 processes running */
	int16_t starting;       /*  46 children of fork that have not run yet; -1 = one ran before its parent went on */
	uint32_t next_thread;   /*  48 next id to hand out; ids begin at 1 */
	uint32_t next_site;     /*  52 */
	uint32_t next_module;   /*  56 */
	uint32_t next_stack;    /*  60 */
	uint32_t next_file;     /*  64 */
	uint32_t pending;       /*  68 since the last failure point: 1 = a PM store, 2 = an acknowledgement, 4 = metadata */
	uint32_t active;        /*  72 1 = between --begin and --end */
	uint32_t ended;         /*  76 1 = all processes are over, the trace is complete */
	uint32_t stopped;       /*  80 1 = stopped at a leaf */
	uint32_t stop_stack;    /*  84 its stack id */
	uint64_t stop_id;       /*  88 its failure point id */
	uint64_t stores;        /*  96 counters: STORE events (a large one that was split counts once) */
	uint64_t flushes;       /* 104 FLUSH of PM */
	uint64_t fences;        /* 112 */
	uint64_t syncs;         /* 120 the last one's number */
	uint64_t failure_points;/* 128 failure points reached (occurrences, not unique ones) */
	uint64_t clock;         /* 136 the virtual clock of --deterministic, nanoseconds since its start */
	uint32_t mapped_files;  /* 144 PM files mapped shared at least once; 0 = the target used no PM */
	uint32_t seen_files;    /* 148 PM files seen at all */
	uint32_t marks;         /* 152 entries of --begin and --end functions */
	uint32_t stack_repairs; /* 156 stacks whose return addresses were not where the shadow stack said */
	uint32_t occurrence;    /* 160 occurrences so far of the leaf of --occurrence */
	uint32_t error_kind;    /* 164 enum powercut_error_kind */
	uint64_t random;        /* 168 state of --deterministic's random numbers */
	uint64_t output_device; /* 176 where the execution's standard output went when it began */
	uint64_t output_inode;  /* 184 */
	uint64_t error_device;  /* 192 ... and standard error */
	uint64_t error_inode;   /* 200 */
	uint64_t adopted;       /* 208 files that were mapped elsewhere, perhaps, and then came below --pm-dir */
	/* Sets of the functions of --synchronise and --allocator, a bit for each, in their order: */
	uint64_t declared_found;   /* 216 a symbol has the name */
	uint64_t declared_entered; /* 224 it was called */
	uint64_t declared_took;    /* 232 ... and acquired or released a lock, or allocated memory */
	uint32_t pm_process;       /* 240 a process that has mapped PM, while it runs */
	uint32_t pm_shared;        /* 244 1 as soon as several processes have mapped PM */
	uint64_t reserved_to;      /* 248 bytes of this file that have disk space */
	char error[POWERCUT_ERROR_SIZE]; /* 256 UTF-8, NUL-terminated; empty = no error */
	uint32_t processes[POWERCUT_MAX_PROCESSES];      /* 2304 pids of the execution's processes, 0 = free */
	struct powercut_module_name names[POWERCUT_MAX_MODULE_NAMES]; /* 6400 */
	uint32_t buckets[POWERCUT_FILE_BUCKETS]; /* 7424 by a hash of device and inode: the id of the newest file, 0 = none */
	struct powercut_file files[POWERCUT_MAX_FILES]; /* 23808 by id - 1 */
};

/* ------------------------------------------------------------------- chunks */

#define POWERCUT_CHUNK_MAGIC "PWCCHUNK"   /* 8 bytes, no final NUL */
#define POWERCUT_CHUNK_NAME "chunk-%08llu"
#define POWERCUT_CONTROL_NAME "control"
#define POWERCUT_DEATH_NAME "death-%d" /* the stack of a process that a signal ended */
#define POWERCUT_MAX_STORE_DATA 65536     /* a STORE record holds at most this many bytes of data */

struct powercut_chunk {
	char magic[8];        /*  0 */
	uint32_t version;     /*  8 */
	uint32_t header_size; /* 12 = 64 */
	uint64_t number;      /* 16 */
	uint64_t used;        /* 24 offset of the first byte that is not yet part of a record */
	uint32_t closed;      /* 32 1 = the next record is in the next chunk */
	uint32_t reserved_to; /* 36 the writer's: bytes of the file that have disk space */
	uint64_t zero[3];     /* 40 */
};

/* ------------------------------------------------------------------ records */

enum powercut_kind {
	POWERCUT_STORE = 1,
	POWERCUT_FLUSH = 2,
	POWERCUT_FENCE = 3,
	POWERCUT_SYNC = 4,
	POWERCUT_FILE_DEF = 5,
	POWERCUT_FILE_RESIZE = 6,
	POWERCUT_FILE_PUNCH = 7,
	POWERCUT_FILE_RENAME = 8,
	POWERCUT_FILE_DELETE = 9,
	POWERCUT_DIR_CREATE = 10,
	POWERCUT_DIR_DELETE = 11,
	POWERCUT_MAP = 12,
	POWERCUT_UNMAP = 13,
	POWERCUT_DIR_RENAME = 14,
	POWERCUT_FILE_LINK = 15,
	POWERCUT_MODULE_DEF = 16,
	POWERCUT_SITE_DEF = 17,
	POWERCUT_STACK_DEF = 18,
	POWERCUT_SYMLINK = 19,
	POWERCUT_SYNC_END = 20,
	POWERCUT_STORE_ELEMENT = 21,
	POWERCUT_CHECK = 22,
	POWERCUT_ATTRIBUTES = 23,
	POWERCUT_THREAD_START = 24,
	POWERCUT_THREAD_EXIT = 25,
	POWERCUT_THREAD_JOIN = 26,
	POWERCUT_PROCESS_START = 27,
	POWERCUT_EXEC = 28,
	POWERCUT_PROCESS_EXIT = 29,
	POWERCUT_PROCESS_JOIN = 30,
	POWERCUT_OUTPUT = 32,
	POWERCUT_OUTSIDE = 33,
	POWERCUT_RANGE = 34,
	POWERCUT_METADATA = 35,
	POWERCUT_MARK = 40,
	POWERCUT_STOP = 41,
	POWERCUT_END = 42,
	POWERCUT_READ = 64,
	POWERCUT_LOAD = 65,
	POWERCUT_ALLOCATING = 66,
	POWERCUT_ALLOCATED = 67,
	POWERCUT_ALLOCATION_END = 68,
	POWERCUT_ACCESS = 69,
	POWERCUT_ACQUIRE = 96,
	POWERCUT_RELEASE = 97,
};

struct powercut_record {
	uint8_t kind;    /* 0 enum powercut_kind */
	uint8_t flags;   /* 1 by kind */
	uint16_t thread; /* 2 the thread that did it; dense over all processes, from 1 */
	uint32_t length; /* 4 of the whole record in bytes, a multiple of 8 */
};

/* location = (file id << 48) | offset in the file; file id 0: volatile memory, the rest its address */
#define POWERCUT_LOCATION_FILE_SHIFT 48
#define POWERCUT_LOCATION_OFFSET_MASK 0xffffffffffffULL

/* STORE: data follows, padded with zeros to a multiple of 8: size = length - 24 - padding */
#define POWERCUT_STORE_NON_TEMPORAL 0x01
#define POWERCUT_STORE_KERNEL 0x02     /* a system call wrote into mapped PM */
#define POWERCUT_STORE_LOCKED 0x04     /* locked read-modify-write or xchg */
#define POWERCUT_STORE_FILE_WRITE 0x08 /* write() and the like on a PM file, not through a mapping */
/* With FILE_WRITE the bit of LOCKED says that the data were durable when the call returned (O_SYNC, O_DSYNC). */
#define POWERCUT_STORE_SYNCHRONOUS POWERCUT_STORE_LOCKED
/* With FILE_WRITE the bit of KERNEL says that the range was made to read as zero (a hole, for example). */
#define POWERCUT_STORE_ZEROED POWERCUT_STORE_KERNEL
#define POWERCUT_STORE_PADDING_SHIFT 4 /* bits 4..6: bytes of padding, 0..7 */
#define POWERCUT_STORE_PADDING_MASK 0x70
#define POWERCUT_STORE_MORE 0x80       /* one store in several records, and this is not the last */
struct powercut_store {
	struct powercut_record record;
	uint32_t site;     /*  8 */
	uint32_t stack;    /* 12 0 = not collected */
	uint64_t location; /* 16 */
	uint8_t data[];    /* 24 */
};

enum powercut_flush_kind { POWERCUT_CLFLUSH = 1, POWERCUT_CLFLUSHOPT = 2, POWERCUT_CLWB = 3 };
struct powercut_flush { /* record.flags: enum powercut_flush_kind */
	struct powercut_record record;
	uint32_t site;
	uint32_t stack;
	uint64_t location; /* of the first byte of the cache line */
};

enum powercut_fence_kind { POWERCUT_SFENCE = 1, POWERCUT_MFENCE = 2, POWERCUT_LOCKED = 3 };
struct powercut_fence { /* record.flags: enum powercut_fence_kind */
	struct powercut_record record;
	uint32_t site;
	uint32_t stack;
};

enum powercut_sync_kind {
	POWERCUT_MSYNC_SYNC = 1,
	POWERCUT_MSYNC_ASYNC = 2,
	POWERCUT_FSYNC = 3,
	POWERCUT_FDATASYNC = 4,
	POWERCUT_SYNC_FILE_RANGE = 5,
	POWERCUT_SYNC_ALL = 6,       /* sync, syncfs: location 0, size 0 */
	POWERCUT_SYNC_DIRECTORY = 7, /* fsync or fdatasync of a directory below --pm-dir: location 0, size 0 */
};
struct powercut_sync { /* record.flags: enum powercut_sync_kind */
	struct powercut_record record;
	uint32_t site;
	uint32_t stack;
	uint64_t location;
	uint64_t size;   /* bytes; 0 = to the end of the file */
	uint64_t number; /* the execution's syncs are counted from 1 */
};
struct powercut_sync_end { /* the call of a SYNC returned; record.flags as there */
	struct powercut_record record;
	uint32_t error;  /* 0 = success */
	uint32_t zero;
	uint64_t number; /* of the SYNC */
};

/* METADATA: a system call is about to change a name below --pm-dir, or the size of a PM file without a STORE */
enum powercut_metadata_kind {
	POWERCUT_CREATE = 1, /* open with O_CREAT, creat, mknod, mkdir, symlink */
	POWERCUT_RENAME = 2,
	POWERCUT_LINK = 3,
	POWERCUT_UNLINK = 4, /* unlink, rmdir */
	POWERCUT_RESIZE = 5, /* truncate, ftruncate, fallocate, open with O_TRUNC */
};
#define POWERCUT_METADATA_KIND_MASK 0x0f
#define POWERCUT_METADATA_COUNTS 0x10 /* as a store does: the next candidate is a failure point */
#define POWERCUT_METADATA_DURABLE 0x20 /* once the call has returned: fallocate through a descriptor with O_DSYNC */
struct powercut_metadata { /* record.flags: enum powercut_metadata_kind and the above */
	struct powercut_record record;
	uint32_t site;
	uint32_t stack;
	uint32_t path_length;  /* 16 of the name that it is about; 0 = it lies outside --pm-dir, or is not known */
	uint32_t other_length; /* 20 of the name that RENAME and LINK make */
	char path[];           /* 24 path, then other, both relative to --pm-dir, then padding */
};

#define POWERCUT_FILE_NEW 0x01     /* created during the run, empty */
#define POWERCUT_FILE_UNNAMED 0x02 /* has no name (O_TMPFILE, or deleted before it was first seen) */
struct powercut_file_def { /* FILE_DEF; record.flags as above */
	struct powercut_record record;
	uint32_t file;
	uint32_t path_length; /* bytes */
	uint64_t size;        /* of the file now, bytes */
	char path[];          /* UTF-8, relative to --pm-dir, not NUL-terminated; padded */
};

struct powercut_file_resize {
	struct powercut_record record;
	uint32_t file;
	uint32_t zero;
	uint64_t size; /* new size; what it gains reads as zero */
};

struct powercut_file_punch {
	struct powercut_record record;
	uint32_t file;
	uint32_t zero;
	uint64_t offset;
	uint64_t size; /* bytes that read as zero from now on; never beyond the file's end */
};
/* FILE_PUNCH: record.flags 1 = the STORE records before it say which bytes became zero. */
#define POWERCUT_PUNCH_STORED 1

struct powercut_file_path { /* FILE_RENAME (new path), FILE_LINK (one more path) and FILE_DELETE (the path that went) */
	struct powercut_record record;
	uint32_t file;
	uint32_t path_length;
	char path[];
};
/* FILE_RENAME, FILE_LINK: record.flags 1 = the path lies outside --pm-dir (the file left).
   FILE_DELETE: record.flags 1 = it has other names still. */
#define POWERCUT_PATH_OUTSIDE 0x01
#define POWERCUT_DELETE_HAS_NAMES 0x01

/* DIR_CREATE, DIR_DELETE (other empty), DIR_RENAME (path old, other new), SYMLINK (path, other target) */
struct powercut_paths {
	struct powercut_record record;
	uint32_t path_length;
	uint32_t other_length;
	char path[]; /* path, then other, then padding */
};

/* ATTRIBUTES: what a file, a directory or a symbolic link has beside its content now */
#define POWERCUT_MAX_EXTENDED 65536 /* bytes of all extended attributes of one */
struct powercut_attributes {
	struct powercut_record record;
	uint32_t file;            /*  8 0 = no regular file, but what has the path */
	uint32_t path_length;     /* 12 0 without a file: --pm-dir itself */
	uint32_t mode;            /* 16 the bits of 07777 */
	uint32_t owner;           /* 20 */
	uint32_t group;           /* 24 */
	uint32_t extended_length; /* 28 bytes of all extended attributes */
	/* path, then for each extended attribute: u32 name length, u32 value length, name, value; then padding */
	char path[]; /* 32 */
};

struct powercut_map { /* MAP; UNMAP has file 0 and offset 0 */
	struct powercut_record record;
	uint32_t file;
	uint32_t pid;
	uint64_t offset;
	uint64_t address;
	uint64_t size;
};

#define POWERCUT_MODULE_SOURCE 0x01 /* no binary but a script: offsets are line << 32 | place in the function's bytecode */
struct powercut_module_def { /* record.flags as above */
	struct powercut_record record;
	uint32_t module;
	uint32_t path_length;
	uint32_t build_id_length; /* bytes; 0 = none */
	uint32_t name_length;     /* bytes */
	uint64_t load_bias; /* address in memory - address in the file */
	char path[];        /* path, then the build id's bytes, then the module's name in failure point ids, then padding */
};

/*
 * SITE_DEF: a place in the code. What the compiler inlined there follows as
 * further frames, innermost first; frame 0 is the innermost.
 */
struct powercut_site_def {
	struct powercut_record record;
	uint32_t site;
	uint32_t module;      /* 0 = code outside any file */
	uint64_t offset;      /* link-time address in the module, what addr2line takes */
	uint32_t frame_count; /* 1 or more */
	uint32_t text_length; /* bytes of all texts together */
	/* frame_count times struct powercut_site_frame, then the texts: function, source file, function, ... */
};
struct powercut_site_frame {
	uint32_t function_length; /* 0 = unknown */
	uint32_t file_length;     /* 0 = unknown */
	uint32_t line;            /* 0 = unknown */
	uint32_t zero;
};

#define POWERCUT_STACK_EXCLUDED 0x01 /* holds a function of --exclude: never a failure point */
struct powercut_stack_def { /* record.flags as above */
	struct powercut_record record;
	uint32_t stack;
	uint32_t depth;
	uint64_t failure_point_id;
	uint32_t sites[]; /* innermost first; call sites are the return address - 1 */
};

/*
 * CHECK: what a page of a mapped PM file holds at this moment, as the recorder finds it in memory. The hash starts at
 * POWERCUT_FNV_BASIS; each word makes it (hash ^ word) * POWERCUT_FNV_PRIME, and then hash ^ hash >> 32.
 */
#define POWERCUT_CHECK_SIZE 4096
struct powercut_check {
	struct powercut_record record;
	uint64_t location; /*  8 of the page's first byte */
	uint64_t hash;     /* 16 over its words of 8 bytes */
};

/*
 * THREAD_START: thread, creator, pid; THREAD_EXIT: thread, 0, pid; THREAD_JOIN: thread joined, 0, pid;
 * PROCESS_JOIN: 0, 0, pid of a child that has ended, and that the thread waited for
 */
struct powercut_thread {
	struct powercut_record record;
	uint32_t thread;
	uint32_t creator;
	uint32_t pid;
	uint32_t os_thread; /* 0 = not known */
};

/* PROCESS_EXIT: record.flags 1 = a call that may store into PM files was interrupted, or its end was not seen */
#define POWERCUT_EXIT_UNFINISHED 0x01
/* PROCESS_START: pid, parent pid, thread = creator; EXEC: pid, 0; PROCESS_EXIT: pid, status */
struct powercut_process {
	struct powercut_record record;
	uint32_t pid;
	uint32_t other;
	uint32_t thread;
	uint32_t path_length; /* EXEC: of the new program's path */
	char path[];
};

/* OUTPUT (--outputs=yes): written after the call, with as many bytes as it returned */
enum powercut_output_kind {
	POWERCUT_STDOUT = 1,
	POWERCUT_STDERR = 2,
	POWERCUT_SOCKET = 3,
	POWERCUT_PIPE = 4,
	POWERCUT_FILE = 5, /* a regular file that is no PM file */
	POWERCUT_ACKNOWLEDGED = 6, /* nowhere: the target says by powercut.h that it is acknowledged */
};
#define POWERCUT_OUTPUT_KIND_MASK 0x0f
#define POWERCUT_OUTPUT_ACKNOWLEDGES 0x10 /* --acknowledged=yes: after a PM store; counts as a store does */
#define POWERCUT_OUTPUT_UNKNOWN 0x40 /* the kernel took the bytes from elsewhere; only their number is known */
#define POWERCUT_OUTPUT_MORE 0x80    /* one call in several records, and this is not the last */
struct powercut_output { /* record.flags: kind and the above */
	struct powercut_record record;
	uint32_t site;
	int32_t fd;
	uint64_t size;        /* 16 bytes written */
	uint32_t path_length; /* 24 of a FILE's absolute path, else 0 */
	uint32_t stack;       /* 28 0 in traces of re-executions, and of older versions */
	char path[];          /* 32 UTF-8, then size bytes that were written (none with UNKNOWN), then padding */
};

/* OUTSIDE: an ordinary file that is no PM file was made durable, by msync, or by fsync after writes */
struct powercut_outside {
	struct powercut_record record;
	uint32_t path_length;
	uint32_t zero;
	uint64_t times; /* 16 calls to write or msync made durable since the last record of this file */
	char path[];    /* 24 absolute path, UTF-8, not NUL-terminated; padded */
};

/*
 * READ (--reads=yes): 64-byte lines that were read for the first time, except those that the execution had filled
 * itself
 */
#define POWERCUT_LINE_SIZE 64
#define POWERCUT_READ_NAMES 0x01 /* the file has or had several names */
struct powercut_read { /* record.flags as above */
	struct powercut_record record;
	uint64_t location; /*  8 of the first line's first byte */
	uint64_t size;     /* 16 a multiple of 64; may go beyond the file's end */
};

/* LOAD (--races=yes): loaded from PM; once for each stack between two synchronisations of the thread */
#define POWERCUT_LOAD_LOCKED 0x01 /* a locked read-modify-write or xchg, whether it stores or not */
#define POWERCUT_LOAD_KERNEL 0x02 /* a system call read it from mapped PM */
struct powercut_load { /* record.flags as above */
	struct powercut_record record;
	uint32_t site;     /*  8 */
	uint32_t stack;    /* 12 */
	uint64_t location; /* 16 */
	uint64_t size;     /* 24 bytes, all in one file */
};

/*
 * ACCESS (--accesses=all): a struct powercut_load whose location is an address of the thread's process; before the
 * access, once for each stack between two synchronisations of any thread. The C library's own are left out.
 */
#define POWERCUT_ACCESS_LOCKED POWERCUT_LOAD_LOCKED
#define POWERCUT_ACCESS_STORE 0x02

/* ALLOCATING, ALLOCATION_END (--races=yes): a thread enters a function that allocates memory; it returned, or was left */
struct powercut_allocation {
	struct powercut_record record;
	uint32_t depth; /* 8 in how many others it is */
	uint32_t zero;
};

/*
 * ALLOCATED: a piece of PM that it allocated; between the two. With --accesses=all also what the C library allocated, at
 * an address, and the stack of a thread that begins.
 */
#define POWERCUT_ALLOCATED_STACK 0x01
struct powercut_allocated {
	struct powercut_record record;
	uint32_t site;     /*  8 */
	uint32_t stack;    /* 12 */
	uint64_t location; /* 16 */
	uint64_t size;     /* 24 bytes, all in one file */
	uint32_t depth;    /* 32 */
	uint32_t zero;
};

/*
 * ACQUIRE, RELEASE (--races=yes): a thread has a lock, or gives it back; or it goes on after another one's release of
 * what is no lock
 */
enum powercut_lock_kind {
	POWERCUT_MUTEX = 1,
	POWERCUT_RWLOCK = 2,
	POWERCUT_SPIN = 3,
	POWERCUT_CONDITION = 4, /* from here on nothing is held: release and acquire order threads only */
	POWERCUT_BARRIER = 5,
	POWERCUT_SEMAPHORE = 6,
	POWERCUT_ONCE = 7,
	POWERCUT_DECLARED = 8, /* held again from here on: by a function of --synchronise */
	POWERCUT_WORD = 9,     /* --atomics=yes: a word that was compared and swapped, or exchanged */
	POWERCUT_OPENMP = 10,  /* a lock or a critical section of OpenMP; the object of one without a name is a number */
	POWERCUT_FILE_LOCK = 11, /* of flock, fcntl or lockf; the object is a number, as of a pipe */
	POWERCUT_PIPE_ORDER = 12,      /* not held: what was written comes before what follows the read */
};
#define POWERCUT_SHARED_MEMORY 0xffffU /* instead of a file, in the location of a lock that several processes share */
#define POWERCUT_SHARED 0x01 /* of ACQUIRE: with other readers */
struct powercut_lock { /* record.flags as above */
	struct powercut_record record;
	uint32_t site;   /*  8 */
	uint32_t stack;  /* 12 */
	uint64_t object; /* 16 location of the lock; in volatile memory, of the process that the thread belongs to */
	uint32_t what;   /* 24 enum powercut_lock_kind */
	uint32_t zero;
};

enum powercut_mark_kind { POWERCUT_MARK_BEGIN = 1, POWERCUT_MARK_END = 2 };
struct powercut_mark { /* record.flags: enum powercut_mark_kind */
	struct powercut_record record;
	uint32_t site;
	uint32_t zero;
};

/* RANGE (--requests=yes or ranges): what the target says of bytes, from here on; file 0 = no PM is mapped there */
enum powercut_range_kind {
	POWERCUT_RANGE_PERSISTENT = 1, /* as all other PM */
	POWERCUT_RANGE_TRANSIENT = 2,  /* nobody needs them after a crash */
	POWERCUT_RANGE_IGNORED = 3,    /* no analysis is to look at stores to them */
};
struct powercut_range { /* record.flags: enum powercut_range_kind */
	struct powercut_record record;
	uint32_t site;     /*  8 */
	uint32_t zero;
	uint64_t location; /* 16 of the first byte */
	uint64_t size;     /* 24 bytes, 1 or more, all in one file */
};

struct powercut_stop {
	struct powercut_record record;
	uint32_t stack;
	uint32_t zero;
	uint64_t failure_point_id;
};

/* END is a bare struct powercut_record. */

/* ------------------------------------------------------------------- leaves */

#define POWERCUT_LEAVES_MAGIC "PWCLEAF1" /* 8 bytes, no final NUL */
enum powercut_leaf_state { POWERCUT_UNVISITED = 0, POWERCUT_VISITED = 1 };
struct powercut_leaf {
	uint64_t id;
	uint32_t state;
	uint32_t zero;
};
struct powercut_leaves {
	char magic[8];
	uint32_t version; /* POWERCUT_TRACE_VERSION */
	uint32_t count;
	struct powercut_leaf leaf[]; /* sorted by id, as unsigned numbers */
};

/* ------------------------------------------------------- failure point's id */

/* FNV-1a, 64 bits, over each frame, innermost first: the bytes of the module's
   name, a zero byte, the 8 bytes of the offset. */
#define POWERCUT_FNV_BASIS 0xcbf29ce484222325ULL
#define POWERCUT_FNV_PRIME 0x100000001b3ULL

#endif
