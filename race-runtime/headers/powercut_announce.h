/* SPDX-License-Identifier: Apache-2.0 */
/* For the headers beside this one. Programs that include none of those see nothing of it. */
#ifndef POWERCUT_ANNOUNCE_H
#define POWERCUT_ANNOUNCE_H

/* As gcc's own: a frame of its own would be the place of the race. */
#define POWERCUT_ANNOUNCES extern __inline __attribute__((__gnu_inline__, __always_inline__, __artificial__))

#ifdef __cplusplus
extern "C" {
#endif
void __tsan_write_range(void *address, __PTRDIFF_TYPE__ size);
#ifdef __cplusplus
}
#endif

#endif
