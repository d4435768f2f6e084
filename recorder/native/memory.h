/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of the target, whose pointers may point anywhere. */
#ifndef RECORDER_MEMORY_H
#define RECORDER_MEMORY_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"

Bool pc_is_readable(Addr address, SizeT size);
/* A path of the target's; at most PATH_SIZE bytes. False when there is none. */
Bool pc_copy_text(UWord from, HChar *to);
/* Bytes of a vector of the target's; 0 when it cannot be read. */
ULong pc_vector_size(UWord vectors, UWord count);
/* One request of an io_submit, NULL when it cannot be read. */
const struct vki_iocb *pc_aio_request(UWord requests, UWord index);
/* How many bytes a system call could read there: it fails where memory that is mapped cannot be touched. */
SizeT pc_read_memory(UInt pid, Addr address, void *to, SizeT size);

#endif
