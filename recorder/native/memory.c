/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of the target, whose pointers may point anywhere. */
#include "memory.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "paths.h"

#define MAX_VECTOR 1024 /* the kernel takes no more */

Bool pc_is_readable(Addr address, SizeT size)
{
	return VG_(am_is_valid_for_client)(address, size, VKI_PROT_READ);
}

Bool pc_copy_text(UWord from, HChar *to)
{
	Addr checked = 0;
	for (SizeT i = 0; i < PATH_SIZE; i++) {
		Addr page = (from + i) & ~(Addr)(VKI_PAGE_SIZE - 1);
		if (page != checked && !VG_(am_is_valid_for_client)(from + i, 1, VKI_PROT_READ))
			return False;
		checked = page;
		to[i] = *(const HChar *)(from + i);
		if (to[i] == 0)
			return i != 0;
	}
	return False;
}

ULong pc_vector_size(UWord vectors, UWord count)
{
	const struct vki_iovec *vector = (const struct vki_iovec *)vectors;
	ULong size = 0;
	if (count > MAX_VECTOR || !VG_(am_is_valid_for_client)(vectors, count * sizeof *vector, VKI_PROT_READ))
		return 0;
	for (UWord i = 0; i < count; i++)
		size += vector[i].iov_len;
	return size;
}

const struct vki_iocb *pc_aio_request(UWord requests, UWord index)
{
	struct vki_iocb **pointers = (struct vki_iocb **)requests;
	if (!pc_is_readable((Addr)&pointers[index], sizeof *pointers) ||
			!pc_is_readable((Addr)pointers[index], sizeof **pointers))
		return NULL;
	return pointers[index];
}

SizeT pc_read_memory(UInt pid, Addr address, void *to, SizeT size)
{
	struct vki_iovec local = {to, size};
	struct vki_iovec remote = {(void *)address, size};
	SysRes read = VG_(do_syscall)(__NR_process_vm_readv, pid, (UWord)&local, 1, (UWord)&remote, 1, 0, 0, 0);
	return sr_isError(read) ? 0 : sr_Res(read);
}
