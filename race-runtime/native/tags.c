/* SPDX-License-Identifier: Apache-2.0 */
#include "tags.h"

#ifdef __aarch64__

#include "mappings.h"
#include "pages.h"
#include "shadow.h"
#include "signals.h"
#include "spin.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef PROT_MTE
#define PROT_MTE 0x20
#endif
#ifndef HWCAP2_MTE
#define HWCAP2_MTE (1 << 18)
#endif
#ifndef SEGV_MTESERR
#define SEGV_MTESERR 9
#endif
#define TCO (1u << 25) /* of PSTATE: tags are not compared */
#define TAG_SHIFT 56
#define TAGS 16 /* 0 is what memory has that no thread has */
#define MOST_GRANTED 1024
#define OWN 1024
#define SMALL (1 << 16) /* bytes whose tags are set one by one */
#define DUMMY_LOAD 0x3940015fu /* ldrb wzr, [x10] */

#define PAGE 4096
#define CHUNK_BITS 30
#define CHUNKS (1u << (ADDRESS_BITS - CHUNK_BITS))
#define CHUNK_WORDS ((1u << CHUNK_BITS) / PAGE / 64)

bool with_tags;

static struct lone_spin lock;
static unsigned tags_taken = 1;
static _Atomic(_Atomic uint64_t *) *enabled; /* a bit for each page */
static uintptr_t never_low = UINTPTR_MAX, never_high;

#define MEMTAG ".arch armv8.5-a+memtag\n"

/* Sets a granule's tag to that of an alias. The memory may be gone; then on_fault goes past the instruction. */
void tags_store(uintptr_t alias, uintptr_t granule);
extern const char tags_stored[];
__asm__(MEMTAG ".text\n"
			   ".hidden tags_store\n.hidden tags_stored\n.globl tags_store\n.globl tags_stored\n"
			   ".type tags_store, %function\n"
			   "tags_store:\n"
			   "	stg x0, [x1]\n"
			   "tags_stored:\n"
			   "	ret\n"
			   ".size tags_store, . - tags_store\n");

static void set_tag(uintptr_t granule, uint64_t tag)
{
	tags_store(granule | tag, granule);
}

static void tags_are_compared(bool yes)
{
	if (yes)
		__asm__ volatile(MEMTAG "msr tco, #0" ::: "memory");
	else
		__asm__ volatile(MEMTAG "msr tco, #1" ::: "memory");
}

/* What a thread did in its segment to a granule that has its tag: a bit for each byte. */
struct own_bytes {
	uintptr_t granule;
	uint16_t used, written;
};

static struct own_bytes *own_bytes(const struct thread *me, uintptr_t granule)
{
	return &me->own[granule / GRANULE % OWN];
}

/*
 * Tags are compared for the dummy load alone. The program's own accesses have no alias of a thread: C passes one pointer
 * from thread to thread.
 */
bool tags_fit(const struct thread *me, uintptr_t address, size_t size, unsigned kind)
{
	unsigned from = address % GRANULE;
	if (me->tag == 0 || from + size > GRANULE || (address < never_high && address >= never_low))
		return false;
	const struct own_bytes *own = own_bytes(me, address - from);
	unsigned bytes = (0xffffu >> (GRANULE - size)) << from;
	if (own->granule != address - from || (bytes & ~(kind == ACCESS_WRITE ? own->written : own->used)) != 0)
		return false;
	register uint64_t mismatch __asm__("x9") = 0; /* set by on_fault */
	register uintptr_t alias __asm__("x10") = address | me->tag;
	__asm__ volatile(MEMTAG "msr tco, #0\n"
							"ldrb wzr, [x10]\n"
							"msr tco, #1\n"
					 : "+r"(mismatch)
					 : "r"(alias)
					 : "memory");
	return mismatch == 0;
}

void tags_jump(void)
{
	if (with_tags)
		tags_are_compared(false);
}

static bool on_fault(const siginfo_t *info, ucontext_t *context)
{
	uintptr_t pc = context->uc_mcontext.pc;
	if (pc == (uintptr_t)tags_store) {
		context->uc_mcontext.pc = (uintptr_t)tags_stored;
		return true;
	}
	if (info->si_code != SEGV_MTESERR)
		return false;
	if (*(const uint32_t *)pc == DUMMY_LOAD) {
		context->uc_mcontext.regs[9] = 1;
		context->uc_mcontext.pc += 4;
	} else {
		/* A handler of the program: the kernel begins it with tags that are compared. */
		context->uc_mcontext.pstate |= TCO;
		tags_jump(); /* qemu-aarch64 7.2 goes on with what is set here */
	}
	return true;
}

static bool was_enabled(uintptr_t page)
{
	uintptr_t index = page >> CHUNK_BITS, at = page % (1u << CHUNK_BITS) / PAGE;
	if (index >= CHUNKS)
		return true;
	_Atomic uint64_t *chunk = atomic_load(&enabled[index]);
	if (chunk == NULL) {
		_Atomic uint64_t *fresh = pages_reserve(CHUNK_WORDS * sizeof *fresh), *there = NULL;
		if (atomic_compare_exchange_strong(&enabled[index], &there, fresh)) {
			chunk = fresh;
		} else {
			pages_return(fresh, CHUNK_WORDS * sizeof *fresh);
			chunk = there;
		}
	}
	uint64_t bit = (uint64_t)1 << at % 64;
	return (atomic_fetch_or(&chunk[at / 64], bit) & bit) != 0;
}

static bool enable_pages(uintptr_t from, uintptr_t to)
{
	return syscall(SYS_mprotect, from, to - from, PROT_READ | PROT_WRITE | PROT_MTE) == 0;
}

void tags_enable(uintptr_t address, size_t size)
{
	if (!with_tags || size == 0)
		return;
	uintptr_t from = address & ~(uintptr_t)(PAGE - 1), to = (address + size + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	bool is_new = false;
	for (uintptr_t page = from; page < to; page += PAGE)
		is_new |= !was_enabled(page);
	if (is_new && !enable_pages(from, to))
		tags_never(from, to - from);
}

void tags_never(uintptr_t address, size_t size)
{
	if (!with_tags)
		return;
	spin_lock(&lock.spin);
	if (address < never_low)
		never_low = address;
	if (address + size > never_high)
		never_high = address + size;
	spin_unlock(&lock.spin);
}

/* Puts an anonymous mapping with the same contents in the place of one of a file. */
static bool detach(uintptr_t from, uintptr_t to)
{
	size_t size = to - from;
	void *copy = (void *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE | PROT_MTE, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);
	if (copy == MAP_FAILED)
		return false;
	memcpy(copy, (const void *)from, size);
	return (uintptr_t)syscall(SYS_mremap, copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, from) == from;
}

struct range {
	uintptr_t low, high;
	bool files; /* too */
};

static void enable_mapping(uintptr_t from, uintptr_t to, bool is_file, void *argument)
{
	const struct range *range = argument;
	if (from < range->low || from >= range->high || (is_file && !range->files))
		return;
	if (is_file ? !detach(from, to) : !enable_pages(from, to))
		tags_never(from, to - from);
}

void tags_enable_module(uintptr_t low, uintptr_t high)
{
	if (with_tags)
		mappings_each_writable(enable_mapping, &(struct range){low, high, true});
}

const char *tags_start(void)
{
	if ((getauxval(AT_HWCAP2) & HWCAP2_MTE) == 0)
		return "this processor has no memory tagging (MTE)";
	if (prctl(PR_SET_TAGGED_ADDR_CTRL, PR_TAGGED_ADDR_ENABLE | PR_MTE_TCF_SYNC | (0xfffe << PR_MTE_TAG_SHIFT), 0, 0,
				0) != 0)
		return "this kernel has no memory tagging (CONFIG_ARM64_MTE)";
	tags_are_compared(false);
	enabled = pages_reserve(CHUNKS * sizeof *enabled);
	with_tags = true;
	signals_start(on_fault, NULL, NULL);
	mappings_each_writable(enable_mapping, &(struct range){0, UINTPTR_MAX, false});
	return NULL;
}

void tags_thread_begin(struct thread *me)
{
	if (!with_tags)
		return;
	tags_are_compared(false);
	tags_enable(me->stack_low, me->stack_high - me->stack_low);
	if (me->granted == NULL)
		me->granted = pages_keep(MOST_GRANTED * sizeof *me->granted);
	if (me->own == NULL)
		me->own = pages_keep(OWN * sizeof *me->own);
	me->granted_count = 0;
	me->tag = 0;
	/* Threads beyond the fifteenth have none: then each of their accesses goes to the algorithm. */
	spin_lock(&lock.spin);
	for (unsigned tag = 1; tag < TAGS && me->tag == 0; tag++)
		if ((tags_taken & 1u << tag) == 0) {
			tags_taken |= 1u << tag;
			me->tag = (uint64_t)tag << TAG_SHIFT;
		}
	spin_unlock(&lock.spin);
}

void tags_thread_end(struct thread *me)
{
	if (!with_tags || me->tag == 0)
		return;
	tags_revoke_all(me);
	spin_lock(&lock.spin);
	tags_taken &= ~(1u << (me->tag >> TAG_SHIFT));
	spin_unlock(&lock.spin);
	me->tag = 0;
}

static uint64_t tag_of(uintptr_t granule)
{
	uintptr_t alias = granule;
	__asm__ volatile(MEMTAG "ldg %0, [%0]" : "+r"(alias)::"memory");
	return alias & (uint64_t)(TAGS - 1) << TAG_SHIFT;
}

void tags_grant(struct thread *me, uintptr_t address, unsigned bytes, unsigned kind)
{
	if (!with_tags || me->tag == 0 || (kind & ACCESS_ATOMIC) != 0)
		return;
	uintptr_t granule = address & ~(uintptr_t)(GRANULE - 1);
	struct own_bytes *own = own_bytes(me, granule);
	if (own->granule != granule || tag_of(granule) != me->tag) {
		if (me->granted_count == MOST_GRANTED)
			tags_revoke_all(me);
		me->granted[me->granted_count++] = granule;
		*own = (struct own_bytes){0};
		atomic_signal_fence(memory_order_seq_cst); /* a handler may jump out of this */
		own->granule = granule;
		set_tag(granule, me->tag);
	}
	own->used |= (uint16_t)bytes;
	if (kind == ACCESS_WRITE)
		own->written |= (uint16_t)bytes;
}

void tags_revoke(uintptr_t address)
{
	if (with_tags)
		set_tag(address & ~(uintptr_t)(GRANULE - 1), 0);
}

void tags_revoke_all(struct thread *me)
{
	if (!with_tags)
		return;
	for (unsigned i = 0; i < me->granted_count; i++)
		set_tag(me->granted[i], 0);
	me->granted_count = 0;
}

void tags_revoke_range(struct thread *me, uintptr_t address, size_t size)
{
	if (!with_tags)
		return;
	uintptr_t from = address & ~(uintptr_t)(GRANULE - 1), to = address + size;
	for (uintptr_t at = from; size <= SMALL && at < to; at += GRANULE)
		set_tag(at, 0);
	for (unsigned i = 0; size > SMALL && i < me->granted_count; i++)
		if (me->granted[i] >= from && me->granted[i] < to)
			set_tag(me->granted[i], 0);
}

#endif
