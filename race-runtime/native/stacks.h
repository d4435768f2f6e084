/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks as nodes of one tree: a node is a return address below another node. Nodes stay for ever. */
#ifndef RACE_STACKS_H
#define RACE_STACKS_H

#include <stdint.h>

struct thread;

#define STACK_NONE 0
#define STACK_MOST 128 /* frames that a report shows */

void stacks_start(void);
/* The node of a place called from the node parent. */
uint32_t stack_child(struct thread *me, uint32_t parent, uintptr_t pc);
/* The stack of the access at pc by the thread that runs, which calls this from a hook with this frame address. */
uint32_t stack_of(struct thread *me, uintptr_t pc, uintptr_t sp);
/* The place of a node; sets the node that it was called from. */
uintptr_t stack_place(uint32_t node, uint32_t *parent);

/* Functions entered and left. They find back after longjmp and exceptions: frames that are dead lie below sp. */
void stack_enter(struct thread *me, uintptr_t pc, uintptr_t sp);
void stack_leave(struct thread *me, uintptr_t sp);

#endif
