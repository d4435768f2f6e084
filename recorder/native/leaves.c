/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The leaves to stop at: a sorted table of failure points, in a file that parallel executions share. */
#include "leaves.h"

#include "pub_tool_gdbserver.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "mappings.h"
#include "options.h"
#include "sites.h"
#include "stacks.h"
#include "trace.h"

static struct powercut_leaves *leaves;

static void check_leaves(const HChar *path, ULong size)
{
	if (size < sizeof *leaves || VG_(memcmp)(leaves->magic, POWERCUT_LEAVES_MAGIC, 8) != 0 ||
			leaves->version != POWERCUT_TRACE_VERSION)
		pc_give_up("%s is not a file of leaves of version %d", path, POWERCUT_TRACE_VERSION);
	if (size < sizeof *leaves + leaves->count * sizeof(struct powercut_leaf))
		pc_give_up("%s says it holds %u leaves, but is only %llu bytes long", path, leaves->count, size);
}

void pc_leaves_open(void)
{
	if (pc_options.leaves == NULL)
		return;
	struct vg_stat status;
	Int fd = VG_(fd_open)(pc_options.leaves, VKI_O_RDWR, 0);
	if (fd < 0 || VG_(fstat)(fd, &status) != 0)
		pc_give_up("cannot open the file of leaves %s for reading and writing", pc_options.leaves);
	SysRes mapped = VG_(am_shared_mmap_file_float_valgrind)((SizeT)status.size, VKI_PROT_READ | VKI_PROT_WRITE, fd, 0);
	if (sr_isError(mapped))
		pc_give_up("cannot map the file of leaves %s (error %lu)", pc_options.leaves, sr_Err(mapped));
	VG_(close)(fd);
	leaves = (struct powercut_leaves *)sr_Res(mapped);
	check_leaves(pc_options.leaves, (ULong)status.size);
}

Int pc_leaf_find(ULong failure_point)
{
	if (leaves == NULL)
		return -1;
	UInt low = 0;
	UInt high = leaves->count;
	while (low < high) {
		UInt middle = low + (high - low) / 2;
		if (leaves->leaf[middle].id < failure_point)
			low = middle + 1;
		else
			high = middle;
	}
	return low < leaves->count && leaves->leaf[low].id == failure_point ? (Int)low : -1;
}

/*
 * A killed process is not cut off from its memory at once: the kernel still marks its robust mutexes. That must not
 * reach PM, since after a power cut there is no kernel to do it.
 */
static void unmap_pm(void)
{
	const Mapping *mapping = pc_mapping_from(0);
	for (; mapping != NULL; mapping = pc_mapping_from(mapping->end))
		VG_(do_syscall)(__NR_munmap, mapping->start, mapping->end - mapping->start, 0, 0, 0, 0, 0, 0);
}

static void stop(ThreadId tid, Stack *stack, SiteIndex site)
{
	UInt stack_id = pc_stack_id(stack);
	struct powercut_stop *record = pc_append(POWERCUT_STOP, 0, tid, sizeof *record);
	record->stack = stack_id;
	record->failure_point_id = stack->failure_point;
	pc_commit();
	pc_control->stop_id = stack->failure_point;
	pc_control->stop_stack = stack_id;
	__atomic_store_n(&pc_control->stopped, 1, __ATOMIC_RELEASE);
	if (!pc_options.gdbserver) {
		unmap_pm();
		pc_kill_everything();
	}
	VG_(set_IP)(tid, pc_site(site)->address);
	VG_(umsg)("powercut: stopped before failure point %016llx\n", stack->failure_point);
	VG_(gdbserver)(tid);
}

void pc_leaf_reached(ThreadId tid, Stack *stack, SiteIndex site)
{
	struct powercut_leaf *leaf = &leaves->leaf[stack->leaf];
	UInt unvisited = POWERCUT_UNVISITED;
	if (leaf->state != POWERCUT_UNVISITED || pc_control->stopped)
		return;
	if (++pc_control->occurrence < pc_options.occurrence)
		return;
	if (__atomic_compare_exchange_n(&leaf->state, &unvisited, POWERCUT_VISITED, False, __ATOMIC_ACQ_REL,
				__ATOMIC_RELAXED))
		stop(tid, stack, site);
}
