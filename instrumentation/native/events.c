/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What instrumented code and system calls report: stores, flushes, fences, syncs; and which of them are failure points. */
#include "recorder.h"

#include "libvex_guest_offsets.h"

#define O_DSYNC_ 010000 /* also a bit of O_SYNC */

/*
 * Set by a PM store or flush of the running thread, cleared by its fence. A locked instruction is worth a record only while it
 * could order something. One variable for the running thread, so that inline code finds it at a fixed place.
 */
UInt pc_work;

static UInt* work_of_thread;
static ThreadId running;

/* The stack of a store's candidate, from in front of the store (pc_before_store) to behind it (pc_on_store). */
static UInt store_stack;

/* A system call that may store, as a candidate of --granularity=store: one for all that it stores. */
typedef struct {
   Bool seen;   /* the candidate came */
   Bool taken;  /* it was a failure point, and no store followed yet */
   UInt stack;  /* for the first store's record */
} CallCandidate;

static CallCandidate* calls; /* by thread */

void pc_events_init(void)
{
   work_of_thread = VG_(calloc)("pc.work", VG_N_THREADS, sizeof(UInt));
   calls = VG_(calloc)("pc.calls", VG_N_THREADS, sizeof(CallCandidate));
}

void pc_events_thread_runs(ThreadId tid)
{
   if (tid == running)
      return;
   work_of_thread[running] = pc_work;
   running = tid;
   pc_work = work_of_thread[tid];
}

static void has_work(ThreadId tid)
{
   if (tid == running)
      pc_work = 1;
   else
      work_of_thread[tid] = 1;
}

/* ------------------------------------------------------- failure points */

/* Counts the failure point if this candidate is one, and stops in front of it if it is a leaf not visited yet. */
static void take(ThreadId tid, Stack* stack, SiteIndex site)
{
   if (pc_options.leaves != NULL ? stack->leaf < 0 : stack->excluded)
      return;
   pc_control->pending = 0;
   pc_control->failure_points++;
   if (stack->leaf >= 0)
      pc_leaf_reached(tid, stack, site);
}

/* Candidates call this in front of their effect; gives the stack id for the record, 0 = none. Lock held. */
static UInt candidate(ThreadId tid, Stack* (*stack_now)(const void*, SiteIndex), const void* where, SiteIndex site,
                      Bool always_stack)
{
   Bool counts = pc_control->pending && pc_control->active;
   if (!counts && !(pc_options.record && (pc_options.stacks_all || always_stack)))
      return 0;
   Stack* stack = stack_now(where, site);
   UInt id = pc_options.record ? pc_stack_id(stack) : 0;
   if (counts)
      take(tid, stack, site);
   return id;
}

static Stack* stack_in_helper(const void* guest, SiteIndex site)
{
   return pc_stack_in_helper(guest, site);
}

static Stack* stack_in_syscall(const void* tid, SiteIndex site)
{
   return pc_stack_in_syscall(*(const ThreadId*)tid, site);
}

static UInt candidate_in_helper(const VexGuestAMD64State* guest, SiteIndex site, Bool always_stack)
{
   return candidate(VG_(get_running_tid)(), stack_in_helper, guest, site, always_stack);
}

static UInt candidate_in_syscall(ThreadId tid, SiteIndex site, Bool always_stack)
{
   return candidate(tid, stack_in_syscall, &tid, site, always_stack);
}

/* --------------------------------------------------------------- stores */

/* One store into one file, from memory that holds its data; split when it is large. Lock held. */
static void append_store(ThreadId tid, UInt flags, SiteIndex site, UInt stack, ULong location, const UChar* data,
                         SizeT size)
{
   if (pc_options.record) {
      UInt site_id = pc_site_id(site);
      while (size > 0) {
         SizeT piece = size < POWERCUT_MAX_STORE_DATA ? size : POWERCUT_MAX_STORE_DATA;
         UInt padding = (UInt)(pc_round8(piece) - piece);
         UInt more = piece < size ? POWERCUT_STORE_MORE : 0;
         struct powercut_store* record = pc_append(POWERCUT_STORE, flags | padding << POWERCUT_STORE_PADDING_SHIFT | more,
                                                   tid, sizeof *record + piece + padding);
         record->site = site_id;
         record->stack = stack;
         record->location = location;
         if (piece == 8)
            *(ULong*)record->data = *(const ULong*)data;
         else
            VG_(memcpy)(record->data, data, piece);
         pc_commit();
         data += piece;
         location += piece;
         size -= piece;
      }
   }
}

static void count_store(ThreadId tid)
{
   has_work(tid);
   pc_control->stores++;
   if (pc_control->active)
      pc_control->pending = 1;
}

static inline ULong location_of(UInt file, ULong offset)
{
   return (ULong)file << POWERCUT_LOCATION_FILE_SHIFT | offset;
}

/* What of [address, address+size) is PM; data are read from memory, behind the store. */
static void mapped_store(ThreadId tid, UInt flags, SiteIndex site, UInt stack, Addr address, SizeT size)
{
   Addr end = address + size;
   for (const Mapping* mapping = pc_mapping_from(address); mapping != NULL && mapping->start < end;
        mapping = pc_mapping_from(address)) {
      Addr from = address > mapping->start ? address : mapping->start;
      Addr to = end < mapping->end ? end : mapping->end;
      ULong offset = mapping->offset + (from - mapping->start);
      append_store(tid, flags, site, stack, location_of(mapping->file, offset), (const UChar*)from, to - from);
      if (pc_options.reads && (flags & POWERCUT_STORE_KERNEL) == 0) /* Valgrind may say more than the kernel wrote */
         pc_overwritten(mapping->file, offset, to - from);
      count_store(tid);
      address = to;
      if (pc_options.every_store)
         stack = 0; /* one store, one candidate */
      if (address >= end)
         return;
   }
}

static Bool touches_pm(Addr address, SizeT size)
{
   const Mapping* mapping = pc_mapping_from(address);
   return mapping != NULL && mapping->start < address + size;
}

void pc_before_store(VexGuestAMD64State* guest, Addr address, UWord size, UWord site)
{
   store_stack = 0;
   if (!touches_pm(address, size))
      return;
   pc_lock();
   store_stack = candidate_in_helper(guest, (SiteIndex)site, True);
   pc_unlock();
}

void pc_on_store(Addr address, UWord what)
{
   SizeT size = what >> STORE_SIZE_SHIFT;
   if (!touches_pm(address, size))
      return;
   pc_lock();
   mapped_store(VG_(get_running_tid)(), (what >> STORE_FLAGS_SHIFT) & 0xff, (SiteIndex)what, store_stack, address, size);
   pc_unlock();
}

void pc_on_store_with_stack(const VexGuestAMD64State* guest, Addr address, UWord what)
{
   SizeT size = what >> STORE_SIZE_SHIFT;
   if (!touches_pm(address, size))
      return;
   pc_lock();
   UInt stack = pc_stack_id(pc_stack_in_helper(guest, (SiteIndex)what));
   mapped_store(VG_(get_running_tid)(), (what >> STORE_FLAGS_SHIFT) & 0xff, (SiteIndex)what, stack, address, size);
   pc_unlock();
}

/* ------------------------------------------------------ flushes, fences */

void pc_on_flush(VexGuestAMD64State* guest, Addr address, UWord kind, UWord site)
{
   Addr line = address & ~63UL;
   const Mapping* mapping = pc_mapping_from(line);
   Bool is_pm = mapping != NULL && mapping->start <= line;
   UInt stack = 0;
   pc_lock();
   if (is_pm) {
      stack = candidate_in_helper(guest, (SiteIndex)site, False);
      pc_control->flushes++;
      pc_work = 1;
   } else if (pc_options.stacks_all && pc_options.record) {
      stack = pc_stack_id(pc_stack_in_helper(guest, (SiteIndex)site));
   }
   if (pc_options.record) {
      UInt site_id = pc_site_id((SiteIndex)site);
      struct powercut_flush* record = pc_append(POWERCUT_FLUSH, (UInt)kind, VG_(get_running_tid)(), sizeof *record);
      record->site = site_id;
      record->stack = stack;
      record->location = is_pm ? location_of(mapping->file, mapping->offset + (line - mapping->start))
                               : line & POWERCUT_LOCATION_OFFSET_MASK;
      pc_commit();
   }
   pc_unlock();
}

void pc_on_fence(VexGuestAMD64State* guest, UWord kind, UWord site)
{
   pc_lock();
   UInt stack = candidate_in_helper(guest, (SiteIndex)site, False);
   pc_control->fences++;
   pc_work = 0;
   if (pc_options.record) {
      UInt site_id = pc_site_id((SiteIndex)site);
      struct powercut_fence* record = pc_append(POWERCUT_FENCE, (UInt)kind, VG_(get_running_tid)(), sizeof *record);
      record->site = site_id;
      record->stack = stack;
      pc_commit();
   }
   pc_unlock();
}

void pc_on_mark(UWord kind, UWord site)
{
   pc_lock();
   pc_control->active = kind == POWERCUT_MARK_BEGIN;
   pc_control->marks++;
   if (pc_options.record) {
      UInt site_id = pc_site_id((SiteIndex)site);
      struct powercut_mark* record = pc_append(POWERCUT_MARK, (UInt)kind, VG_(get_running_tid)(), sizeof *record);
      record->site = site_id;
      pc_commit();
   }
   pc_unlock();
}

/* --------------------------------------------------------- system calls */

SiteIndex pc_syscall_site(ThreadId tid)
{
   return pc_site_of(VG_(get_IP)(tid) - 2); /* the syscall instruction has two bytes and lies behind us */
}

void pc_events_syscall_begins(ThreadId tid)
{
   VG_(memset)(&calls[tid], 0, sizeof calls[tid]);
}

/* What was thought to store did not, as read does at a file's end: there was no failure point. */
void pc_events_syscall_ends(ThreadId tid)
{
   if (calls[tid].taken) {
      pc_lock();
      pc_control->failure_points--;
      pc_control->pending = 1;
      pc_unlock();
   }
   calls[tid].taken = False;
}

static void candidate_of_call(ThreadId tid)
{
   if (calls[tid].seen)
      return;
   pc_lock();
   ULong before = pc_control->failure_points;
   calls[tid].seen = True;
   calls[tid].stack = candidate_in_syscall(tid, pc_syscall_site(tid), True);
   calls[tid].taken = pc_control->failure_points != before;
   pc_unlock();
}

/* The stack for the record of a call's store. Lock held. */
static UInt stack_of_call(ThreadId tid, SiteIndex site)
{
   UInt stack = calls[tid].stack;
   calls[tid].taken = False;
   if (pc_options.every_store) {
      calls[tid].stack = 0;
      return stack;
   }
   return pc_options.record && pc_options.stacks_all ? pc_stack_id(pc_stack_in_syscall(tid, site)) : 0;
}

void pc_before_kernel_store(ThreadId tid, Addr address, SizeT size)
{
   if (pc_options.every_store && size != 0 && touches_pm(address, size))
      candidate_of_call(tid);
}

void pc_kernel_store(ThreadId tid, Addr address, SizeT size)
{
   if (size == 0 || !touches_pm(address, size))
      return;
   SiteIndex site = pc_syscall_site(tid);
   pc_lock();
   mapped_store(tid, POWERCUT_STORE_KERNEL, site, stack_of_call(tid, site), address, size);
   pc_unlock();
}

void pc_before_file_store(ThreadId tid)
{
   if (pc_options.every_store)
      candidate_of_call(tid);
}

/* Opened anew for each: the target's descriptor may be for writing only. */
static Int open_for_reading(Int fd)
{
   HChar path[64];
   VG_(sprintf)(path, "/proc/self/fd/%d", fd);
   Int opened = VG_(fd_open)(path, VKI_O_RDONLY | VKI_O_CLOEXEC, 0);
   if (opened < 0)
      pc_give_up("cannot read back what the target wrote to a PM file (descriptor %d); the file must be readable", fd);
   return opened;
}

static UInt flags_of_write(Int fd)
{
   SysRes flags = VG_(do_syscall)(__NR_fcntl, (UWord)fd, VKI_F_GETFL, 0, 0, 0, 0, 0, 0);
   Bool synchronous = !sr_isError(flags) && (sr_Res(flags) & O_DSYNC_) != 0;
   return POWERCUT_STORE_FILE_WRITE | (synchronous ? POWERCUT_STORE_SYNCHRONOUS : 0);
}

void pc_file_store_grows(ThreadId tid, Int fd, UInt file, ULong offset)
{
   UChar byte;
   if (!pc_options.every_store || !pc_options.record)
      return;
   Int reader = open_for_reading(fd);
   SysRes read = VG_(do_syscall)(__NR_pread64, (UWord)reader, (UWord)&byte, 1, offset, 0, 0, 0, 0);
   VG_(close)(reader);
   if (sr_isError(read) || sr_Res(read) != 1)
      return;
   pc_lock();
   append_store(tid, POWERCUT_STORE_FILE_WRITE | POWERCUT_STORE_MORE, pc_syscall_site(tid), calls[tid].stack,
                location_of(file, offset), &byte, 1);
   pc_unlock();
}

void pc_file_store(ThreadId tid, Int fd, UInt file, ULong offset, ULong size)
{
   static UChar buffer[POWERCUT_MAX_STORE_DATA];
   if (size == 0)
      return;
   SiteIndex site = pc_syscall_site(tid);
   Int reader = pc_options.record ? open_for_reading(fd) : -1;
   pc_lock();
   UInt stack = stack_of_call(tid, site);
   UInt flags = flags_of_write(fd);
   for (ULong done = 0; done < size && reader >= 0;) {
      ULong piece = size - done < sizeof buffer ? size - done : sizeof buffer;
      SysRes read = VG_(do_syscall)(__NR_pread64, (UWord)reader, (UWord)buffer, piece, offset + done, 0, 0, 0, 0);
      if (sr_isError(read) || sr_Res(read) == 0)
         break; /* another process made it shorter in the meantime */
      UInt more = done + sr_Res(read) < size ? POWERCUT_STORE_MORE : 0;
      append_store(tid, flags | more, site, stack, location_of(file, offset + done), buffer,
                   sr_Res(read));
      done += sr_Res(read);
   }
   count_store(tid);
   pc_unlock();
   if (reader >= 0)
      VG_(close)(reader);
}

void pc_sync(ThreadId tid, UInt kind, ULong location, ULong size)
{
   SiteIndex site = pc_syscall_site(tid);
   pc_lock();
   UInt stack = candidate_in_syscall(tid, site, False);
   pc_control->syncs++;
   if (pc_options.record) {
      UInt site_id = pc_site_id(site);
      struct powercut_sync* record = pc_append(POWERCUT_SYNC, kind, tid, sizeof *record);
      record->site = site_id;
      record->stack = stack;
      record->location = location;
      record->size = size;
      pc_commit();
   }
   pc_unlock();
}
