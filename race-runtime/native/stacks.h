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
	return &me->cache[(pc ^ (uintptr_t)parent << 3) % STACK_CACHE];
}

/* Holds the stack of the access at pc by the thread that runs; NULL if something has to be found out for it. */
static inline const struct known_node *stack_at_hand(struct thread *me, uintptr_t pc, uintptr_t sp)
{
	const struct frame *top = me->top;
	const struct known_node *known = stack_known(me, top->node, pc);
	bool is_alive = top->sp - sp < me->stack_high - sp; /* sp <= top->sp < stack_high; elsewhere none is dead */
	return is_alive && top->node != STACK_NONE && known->pc == pc && known->parent == top->node ? known : NULL;
}

/* The same in any case. The caller is a hook with this frame address. */
static inline uint32_t stack_of(struct thread *me, uintptr_t pc, uintptr_t sp)
{
	const struct known_node *known = stack_at_hand(me, pc, sp);
	return known != NULL ? known->node : stack_find(me, pc, sp);
}

/* The place of a node; sets the node that it was called from. */
uintptr_t stack_place(uint32_t node, uint32_t *parent);

/* Functions entered and left. They find back after longjmp and exceptions: frames that are dead lie below sp. */
void stack_enter(struct thread *me, uintptr_t pc, uintptr_t sp);
void stack_leave(struct thread *me, uintptr_t sp);

#endif
