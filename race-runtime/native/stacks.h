/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks as nodes of one tree: a node is a return address below another node. Nodes stay for ever. */
#ifndef RACE_STACKS_H
#define RACE_STACKS_H

#include "threads.h"

#include <stdint.h>

#define STACK_NONE 0
#define STACK_MOST 128 /* frames that a report shows */

void stacks_start(void);
/* The node of a place called from the node parent. */
uint32_t stack_child(struct thread *me, uint32_t parent, uintptr_t pc);
/* As stack_of, where something has to be found out first. */
uint32_t stack_find(struct thread *me, uintptr_t pc, uintptr_t sp);

static inline struct known_node *stack_known(struct thread *me, uint32_t parent, uintptr_t pc)
{
	return &me->cache[(pc ^ parent * 0x9e3779b1u >> 8) % STACK_CACHE];
}

/* The stack of the access at pc by the thread that runs, which calls this from a hook with this frame address. */
static inline uint32_t stack_of(struct thread *me, uintptr_t pc, uintptr_t sp)
{
	unsigned depth = me->depth;
	if (depth == 0 || depth > MOST_FRAMES)
		return stack_find(me, pc, sp);
	const struct frame *top = &me->frames[depth - 1];
	const struct known_node *known = stack_known(me, top->node, pc);
	bool is_alive = sp >= me->stack_low && sp <= top->sp && top->sp < me->stack_high;
	if (!is_alive || top->node == 0 || known->pc != pc || known->parent != top->node)
		return stack_find(me, pc, sp);
	return known->node;
}

/* The place of a node; sets the node that it was called from. */
uintptr_t stack_place(uint32_t node, uint32_t *parent);

/* Functions entered and left. They find back after longjmp and exceptions: frames that are dead lie below sp. */
void stack_enter(struct thread *me, uintptr_t pc, uintptr_t sp);
void stack_leave(struct thread *me, uintptr_t sp);

#endif
