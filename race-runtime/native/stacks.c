/* SPDX-License-Identifier: Apache-2.0 */
#include "stacks.h"

#include "pages.h"
#include "threads.h"

#include <stdatomic.h>
#include <stddef.h>

#define NODES (1u << 24)
#define HEADS (1u << 18)

struct node {
	uintptr_t pc;
	uint32_t parent;
	uint32_t next;
};

static struct node *nodes;
static _Atomic uint32_t *heads;
static atomic_uint count = 1;

void stacks_start(void)
{
	nodes = pages_reserve(NODES * sizeof *nodes);
	heads = pages_reserve(HEADS * sizeof *heads);
}

static uint64_t hash(uint32_t parent, uintptr_t pc)
{
	uint64_t mixed = (pc ^ (uint64_t)parent << 40 ^ parent) * 0x9e3779b97f4a7c15u;
	return mixed ^ mixed >> 29;
}

static uint32_t find(uint32_t first, uint32_t end, uint32_t parent, uintptr_t pc)
{
	for (uint32_t node = first; node != end; node = nodes[node].next)
		if (nodes[node].pc == pc && nodes[node].parent == parent)
			return node;
	return 0;
}

static uint32_t intern(uint32_t parent, uintptr_t pc, uint64_t mixed)
{
	_Atomic uint32_t *head = &heads[mixed % HEADS];
	uint32_t first = atomic_load_explicit(head, memory_order_acquire);
	uint32_t node = find(first, 0, parent, pc);
	if (node != 0)
		return node;
	if (atomic_load_explicit(&count, memory_order_relaxed) >= NODES - SLOTS)
		return parent;
	node = atomic_fetch_add(&count, 1);
	nodes[node] = (struct node){.pc = pc, .parent = parent};
	uint32_t seen = first;
	do {
		uint32_t other = find(first, seen, parent, pc);
		if (other != 0)
			return other;
		seen = first;
		nodes[node].next = first;
	} while (!atomic_compare_exchange_weak_explicit(head, &first, node, memory_order_release, memory_order_acquire));
	return node;
}

uint32_t stack_child(struct thread *me, uint32_t parent, uintptr_t pc)
{
	struct known_node *known = stack_known(me, parent, pc);
	if (known->node == 0 || known->pc != pc || known->parent != parent)
		*known = (struct known_node){.pc = pc, .parent = parent, .node = intern(parent, pc, hash(parent, pc))};
	return known->node;
}

/* Frames on another stack than the thread's (sigaltstack, coroutines) cannot be compared by address. */
static int is_dead(const struct thread *me, const struct frame *frame, uintptr_t sp)
{
	if (sp < me->stack_low || sp >= me->stack_high)
		return 0;
	return frame->sp < sp || frame->sp >= me->stack_high;
}

static void drop_dead(struct thread *me, uintptr_t sp)
{
	while (me->top > me->frames && is_dead(me, me->top, sp)) {
		me->beyond = 0; /* they are above it */
		me->top--;
	}
}

uint32_t stack_find(struct thread *me, uintptr_t pc, uintptr_t sp)
{
	drop_dead(me, sp);
	struct frame *frame = me->top;
	while (frame > me->frames && frame->node == 0)
		frame--;
	uint32_t node = frame->node;
	while (frame++ < me->top) {
		node = stack_child(me, node, frame->pc);
		frame->node = node;
	}
	return stack_child(me, node, pc);
}

uintptr_t stack_place(uint32_t node, uint32_t *parent)
{
	*parent = nodes[node].parent;
	return nodes[node].pc;
}

void stack_enter(struct thread *me, uintptr_t pc, uintptr_t sp)
{
	drop_dead(me, sp + 1);
	if (me->top == me->frames + MOST_FRAMES) {
		me->beyond++;
		return;
	}
	/* The place first: a signal handler that comes in between must not use the same one. */
	struct frame *frame = ++me->top;
	atomic_signal_fence(memory_order_seq_cst);
	*frame = (struct frame){.sp = sp, .pc = pc};
}

void stack_leave(struct thread *me, uintptr_t sp)
{
	drop_dead(me, sp);
	if (me->beyond > 0)
		me->beyond--;
	else if (me->top > me->frames)
		me->top--;
}
