/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#ifdef __x86_64__

#include "detector.h"
#include "kard.h"
#include "modules.h"
#include "operands.h"
#include "pages.h"
#include "report.h"
#include "signals.h"
#include "spin.h"
#include "variables.h"

#include <cpuid.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE 4096u
#define ROUND(size, unit) (((size) + (unit)-1) & ~((size_t)(unit)-1))

#define SIGNAL_OF_KEY 4 /* SEGV_PKUERR */
#define WRITES 2 /* of a page fault's error code */
#define STEP 0x100 /* of the flags register */
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF 0
#define PR_SYS_DISPATCH_ON 1
#endif
#ifndef SYSCALL_DISPATCH_FILTER_ALLOW
#define SYSCALL_DISPATCH_FILTER_ALLOW 0
#define SYSCALL_DISPATCH_FILTER_BLOCK 1
#endif
#define CALL_WAITS 2 /* SYS_USER_DISPATCH */
#define CALL_SIZE 2 /* bytes of the instruction syscall */
#define STATE_OF_KEYS 9 /* in the saved state of the processor */
#define SAVED_STATES 512 /* where it says which of them are saved */

#define ARENA ((size_t)1 << 38)
#define MOST_BLOCKS 60000 /* mappings; the kernel allows 65,530 */
#define SMALL 4096
#define UNIT 32 /* bytes; blocks are multiples of it (6) */
#define GROWTH ((size_t)1 << 20)

bool with_keys;

static size_t state_offset;
static struct lone_spin lock;
static int memory_file = -1;
static size_t file_size, file_used;
static char *arena, *arena_used;
static unsigned blocks;

/* A page of the arena: what its block is. */
struct block {
	size_t size; /* that was asked for */
	size_t room;
	size_t offset, mapped; /* in the file, and bytes of whole pages */
	void *next; /* unused block of the same room */
};

static struct block *block_of_page; /* by page of the arena */
static void *unused[SMALL / UNIT + 1];

static void set_rights(uint32_t rights)
{
	__asm__ volatile("wrpkru" ::"a"(rights), "c"(0), "d"(0) : "memory");
}

static uint32_t deny(unsigned key)
{
	return 3u << 2 * key;
}

static uint32_t deny_writes(unsigned key)
{
	return 2u << 2 * key;
}

/* What the thread may do now (5.2): its key, in sections; all others are for what is not used in sections. */
static uint32_t rights_of(struct thread *me)
{
	if (me == NULL || me->gates > 0 || me->inside > 0 || !atomic_load_explicit(&several, memory_order_relaxed))
		return 0;
	uint32_t rights = deny_writes(KEY_READ_ONLY);
	if (kard_is_inside(me))
		rights |= deny(KEY_NOT_ACCESSED);
	for (unsigned key = 1; key <= KEYS_OF_OBJECTS; key++)
		if ((me->keys_written & 1u << key) == 0)
			rights |= (me->keys_read & 1u << key) != 0 ? deny_writes(key) : deny(key);
	return rights;
}

/* The kernel has the rights of the thread that calls it. So calls wait where the thread has not all of them. */
static void calls_wait(struct thread *me, bool wait)
{
	if (me != NULL)
		me->calls_wait = wait ? SYSCALL_DISPATCH_FILTER_BLOCK : SYSCALL_DISPATCH_FILTER_ALLOW;
}

static void use_rights(struct thread *me, uint32_t rights)
{
	calls_wait(me, rights != 0);
	set_rights(rights);
}

void keys_open(void)
{
	struct thread *me = self;
	if (!with_keys || me == NULL)
		return;
	me->gates++;
	use_rights(me, 0);
}

void keys_close(void)
{
	struct thread *me = self;
	if (!with_keys || me == NULL)
		return;
	me->gates--;
	use_rights(me, rights_of(me));
}

void keys_section(struct thread *me)
{
	me->keys_read = me->keys_written = 0;
}

void keys_protect(uintptr_t address, size_t size, unsigned key)
{
	if (!with_keys || (!keys_has((void *)address) && address % PAGE != 0))
		return;
	uintptr_t from = address & ~(uintptr_t)(PAGE - 1);
	syscall(SYS_pkey_mprotect, from, ROUND(address + size, PAGE) - from, PROT_READ | PROT_WRITE, key);
}

static uint32_t *saved_rights(ucontext_t *context)
{
	char *state = (char *)context->uc_mcontext.fpregs;
	uint64_t *saved = (uint64_t *)(state + SAVED_STATES);
	uint32_t *rights = (uint32_t *)(state + state_offset);
	if ((*saved & (uint64_t)1 << STATE_OF_KEYS) == 0) {
		*saved |= (uint64_t)1 << STATE_OF_KEYS;
		*rights = 0;
	}
	return rights;
}

/* When the handler returns. */
static void go_on(struct thread *me, ucontext_t *context, uint32_t rights)
{
	*saved_rights(context) = rights;
	calls_wait(me, rights != 0);
}

/* One instruction may do everything. */
static void step(struct thread *me, ucontext_t *context)
{
	go_on(me, context, 0);
	context->uc_mcontext.gregs[REG_EFL] |= STEP;
}

static bool permits(uint32_t rights, unsigned key, bool writes)
{
	return (rights >> 2 * key & (writes ? 3u : 1u)) == 0;
}

/* The access itself has not happened yet: it comes again when this returns. */
static bool on_fault(const siginfo_t *info, ucontext_t *context)
{
	if (info->si_code != SIGNAL_OF_KEY)
		return false;
	struct thread *me = self;
	use_rights(me, 0);
	bool writes = (context->uc_mcontext.gregs[REG_ERR] & WRITES) != 0;
	unsigned key = info->si_pkey;
	/* A handler of the program begins with the rights that the kernel gives. */
	if (permits(rights_of(me), key, writes)) {
		go_on(me, context, rights_of(me));
		return true;
	}
	uintptr_t address = (uintptr_t)info->si_addr, pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	/* Where a hook of this function would have its frame. */
	struct site site = {pc + 1, (uintptr_t)context->uc_mcontext.gregs[REG_RSP] - 16};
	me->inside++;
	kard_access(me, address, operand_size((const unsigned char *)pc), writes ? ACCESS_WRITE : ACCESS_READ, site);
	unsigned permitted = kard_permits(me, address, writes, &key);
	me->inside--;
	if (permitted != 0) {
		me->keys_read |= (uint16_t)(1u << key);
		if (writes)
			me->keys_written |= (uint16_t)(1u << key);
		go_on(me, context, rights_of(me));
	} else {
		step(me, context);
	}
	return true;
}

static bool on_step(const siginfo_t *info, ucontext_t *context)
{
	if (info->si_code != TRAP_TRACE || (context->uc_mcontext.gregs[REG_EFL] & STEP) == 0)
		return false;
	context->uc_mcontext.gregs[REG_EFL] &= ~STEP;
	go_on(self, context, rights_of(self));
	return true;
}

/* The call is made again as a single step. */
static bool on_call(const siginfo_t *info, ucontext_t *context)
{
	if (info->si_code != CALL_WAITS || self == NULL)
		return false;
	context->uc_mcontext.gregs[REG_RIP] -= CALL_SIZE;
	step(self, context);
	return true;
}

/* What returns from handlers must not wait. */
static uintptr_t end_of_handlers(void)
{
	struct {
		void *handler;
		unsigned long flags;
		uintptr_t restorer;
		uint64_t mask;
	} action = {0};
	syscall(SYS_rt_sigaction, SIGSEGV, NULL, &action, sizeof action.mask);
	return action.restorer;
}

static int dispatch_calls(struct thread *me)
{
	return prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, end_of_handlers(), 16ul, &me->calls_wait);
}

void keys_thread_begin(struct thread *me)
{
	if (!with_keys)
		return;
	me->gates = 0;
	calls_wait(me, false);
	if (dispatch_calls(me) != 0)
		report_limit("this kernel cannot hold up system calls (Linux 5.11 can): some of them may fail with EFAULT");
}

void keys_thread_end(struct thread *me)
{
	if (!with_keys)
		return;
	me->gates++;
	use_rights(me, 0);
	prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0ul, 0ul, 0ul);
}

const char *keys_start(void)
{
	unsigned a, b, c, d;
	if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (c & bit_PKU) == 0)
		return "this processor has no protection keys (pku in /proc/cpuinfo); remedy: backend software";
	if ((c & bit_OSPKE) == 0)
		return "this kernel has no protection keys (CONFIG_X86_INTEL_MEMORY_PROTECTION_KEYS)";
	__cpuid_count(0xd, STATE_OF_KEYS, a, b, c, d);
	state_offset = b;
	for (int key = 1; key <= KEY_NOT_ACCESSED; key++)
		if (syscall(SYS_pkey_alloc, 0, 0) != key)
			return "the program has protection keys of its own";
	memory_file = (int)syscall(SYS_memfd_create, "powercut-race", MFD_CLOEXEC);
	if (memory_file < 0)
		return "this kernel has no memfd_create";
	arena = (char *)syscall(SYS_mmap, NULL, ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (arena == MAP_FAILED)
		return "no address space is left";
	arena_used = arena;
	block_of_page = pages_reserve(ARENA / PAGE * sizeof *block_of_page);
	with_keys = true;
	signals_start(on_fault, on_step, on_call);
	return NULL;
}

bool keys_has(const void *block)
{
	return with_keys && (const char *)block >= arena && (const char *)block < arena + ARENA;
}

static struct block *block_of(const void *block)
{
	return &block_of_page[((const char *)block - arena) / PAGE];
}

size_t keys_size(const void *block)
{
	return block_of(block)->size;
}

/* Pages of the file at an offset, on unique pages of memory. */
static char *map(size_t offset, size_t size)
{
	while (offset + size > file_size) {
		if (ftruncate(memory_file, (off_t)(file_size + GROWTH)) != 0)
			return NULL;
		file_size += GROWTH;
	}
	if (blocks >= MOST_BLOCKS || arena_used + size > arena + ARENA)
		return NULL;
	char *memory = (char *)syscall(SYS_mmap, arena_used, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			memory_file, offset);
	if (memory == MAP_FAILED)
		return NULL;
	syscall(SYS_pkey_mprotect, memory, size, PROT_READ | PROT_WRITE, KEY_NOT_ACCESSED);
	block_of(memory)->offset = offset;
	block_of(memory)->mapped = size;
	arena_used += size;
	blocks++;
	return memory;
}

/* Small blocks share a page of the file, each at another place in it (figure 2). */
static char *new_block(size_t room)
{
	if (room >= SMALL || file_used % PAGE + room > PAGE)
		file_used = ROUND(file_used, PAGE);
	size_t offset = file_used;
	char *page = map(offset & ~(size_t)(PAGE - 1), ROUND(room, PAGE));
	if (page == NULL)
		return NULL;
	file_used += room;
	return page + offset % PAGE;
}

void *keys_allocate(size_t size, size_t alignment)
{
	if (!with_keys || alignment > UNIT || size > ARENA / 4)
		return NULL;
	size_t room = ROUND(size == 0 ? 1 : size, UNIT);
	if (room > SMALL)
		room = ROUND(room, PAGE);
	void **first = room <= SMALL ? &unused[room / UNIT] : NULL;
	spin_lock(&lock.spin);
	char *block = first == NULL ? NULL : *first;
	if (block != NULL)
		*first = block_of(block)->next;
	else
		block = new_block(room);
	spin_unlock(&lock.spin);
	if (block == NULL) {
		static atomic_bool told;
		if (!atomic_exchange(&told, true))
			report_limit("too many blocks: those beyond the limit have no protection keys and are not watched");
		return NULL;
	}
	block_of(block)->size = size;
	block_of(block)->room = room;
	return block;
}

void keys_free(void *block)
{
	struct block *known = block_of(block);
	keys_protect((uintptr_t)block, known->room, KEY_NOT_ACCESSED);
	if (known->room > SMALL) {
		/* The address is not used again; the memory is. */
		madvise(block, known->room, MADV_REMOVE);
		return;
	}
	spin_lock(&lock.spin);
	known->next = unused[known->room / UNIT];
	unused[known->room / UNIT] = block;
	spin_unlock(&lock.spin);
}

/* The child of a fork has a memory of its own. What it will have is copied before the parent goes on. */
static int child_file = -1;

void keys_before_fork(void)
{
	if (!with_keys)
		return;
	child_file = (int)syscall(SYS_memfd_create, "powercut-race", MFD_CLOEXEC);
	void *all = (void *)syscall(SYS_mmap, NULL, file_size + 1, PROT_READ, MAP_SHARED, memory_file, 0);
	for (size_t done = 0; child_file >= 0 && all != MAP_FAILED && done < file_size;) {
		ssize_t part = write(child_file, (char *)all + done, file_size - done);
		if (part <= 0)
			break;
		done += (size_t)part;
	}
	if (all != MAP_FAILED)
		pages_return(all, file_size + 1);
}

void keys_after_fork_in_parent(void)
{
	if (with_keys)
		close(child_file);
}

void keys_after_fork_in_child(struct thread *me)
{
	if (!with_keys)
		return;
	spin_unlock(&lock.spin);
	close(memory_file);
	memory_file = child_file;
	for (char *at = arena; at < arena_used; at += block_of(at)->mapped) {
		const struct block *block = block_of(at);
		syscall(SYS_mmap, at, block->mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory_file,
				block->offset);
		/* No section of it is known to the child, but the one that forked. */
		syscall(SYS_pkey_mprotect, at, block->mapped, PROT_READ | PROT_WRITE, 0);
	}
	if (me != NULL)
		dispatch_calls(me);
}

static void protect_variable(uintptr_t begin, size_t size, uintptr_t next, void *unused_argument)
{
	(void)unused_argument;
	if (begin % PAGE == 0 && next >= ROUND(begin + size, PAGE))
		keys_protect(begin, size, KEY_NOT_ACCESSED);
}

void keys_module(int module)
{
	if (with_keys)
		variables_each(module, protect_variable, NULL);
}

#endif
