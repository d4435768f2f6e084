/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the runtime: never the program's allocator, which is watched too. */
#ifndef RACE_PAGES_H
#define RACE_PAGES_H

#include <stddef.h>

/* Zeroed address space that takes memory where it is touched. Ends the program when there is none. */
void *pages_reserve(size_t size);
void pages_return(void *memory, size_t size);
/* Zeroed memory that is never given back. */
void *pages_keep(size_t size);
/* Zeroed memory of at most 64 KiB; give it back with the same size. */
void *pages_take(size_t size);
void pages_give(void *memory, size_t size);
/* The calling thread ends. */
void pages_thread_end(void);
/* In a child process: nobody else works there. */
void pages_after_fork(void);

#endif
