/* SPDX-License-Identifier: Apache-2.0 */
/* What functions that stand for those of libraries say of the calling thread; nothing if it is not watched. */
#ifndef RACE_INTERPOSE_H
#define RACE_INTERPOSE_H

#include "detector.h"

/* After a lock was taken, before it is given back, and when it is one no more. */
void lock_is_taken(const void *lock, enum lock_mode mode, struct site site);
void lock_is_given_back(const void *lock);
void lock_is_forgotten(const void *lock);

/* As the functions of syncs.h. */
void order_join(const void *object);
void order_acquire(const void *object);
void order_release(const void *object);
void order_forget(const void *object);

/* Where the program called a library that may create threads for it; pc is 0 elsewhere. */
extern __thread struct site creator __attribute__((tls_model("initial-exec")));

#endif
