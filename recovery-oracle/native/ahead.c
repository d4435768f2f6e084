/* SPDX-License-Identifier: Apache-2.0 */
#include "ahead.h"

#include "effect.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#define BREAKPOINT 0xcc
#define UNKNOWN INT64_MAX
#define RBP_BIT (1U << 5)

enum {
	PAGES_KEPT = 64,
	MOST_LOOKED_AT = 1500,
	PLACES = 8192,
	FAR_ENOUGH = 8,
	MOST_RANGES = 512,
	MOST_WAITING = 512,
	MOST_FUNCTIONS = 128,
	MOST_CALLS = 512,
	MOST_STOPS = 256,
	MOST_PLANS = 128,
	MOST_RETURNS = 16,
	MOST_SLOTS = 64
};

/* Somewhere in a function, called there. */
struct point {
	uint64_t address;
	unsigned function;
	uint32_t kept; /* registers that may be of interest there */
	int64_t depth; /* of the stack since the function was called; UNKNOWN */
	int64_t frame; /* what it was when RBP got its value; UNKNOWN */
};

/* What is known of an instruction: where many ways lead to it, of all of them. */
struct place {
	struct point point;
	uint32_t look; /* in which it was */
};

struct call {
	unsigned function;
	struct point back; /* to which it returns */
};

static struct {
	uint64_t address;
	bool is_used;
	uint8_t bytes[PAGE];
} pages[PAGES_KEPT];

/* What the program cannot write to. */
static struct {
	uint64_t from;
	uint64_t end;
} ranges[MOST_RANGES];
static unsigned range_count;
static bool is_refreshed;
static pid_t owner; /* whose code all of this is */

static struct place places[PLACES];
static uint32_t look;

static struct {
	uint64_t address;
	uint32_t returned; /* registers that are of interest when it returns */
	bool returns;
} functions[MOST_FUNCTIONS]; /* the first one is where it begins */
static unsigned function_count;
static struct call calls[MOST_CALLS];
static unsigned call_count;
/* Words of the stack that are used where the look began, by depth. */
static int64_t slots[MOST_SLOTS];
static unsigned slot_count;
static bool is_any_slot_used;
static struct point waiting[MOST_WAITING];
static unsigned waiting_count;

/* What a look found out, for another one from there. */
struct plan {
	uint64_t address;
	uint32_t kept;
	uint64_t stack; /* RSP */
	int64_t frame; /* so far RBP is below RSP */
	enum ahead ahead;
	bool is_old; /* the stack may no longer be as it was then */
	struct { /* where functions return to that were called before */
		int64_t depth;
		uint64_t address;
	} returns[MOST_RETURNS];
	unsigned return_count;
	unsigned count;
	uint64_t stops[MOST_STOPS];
	uint32_t kept_there[MOST_STOPS];
};
static struct plan plans[MOST_PLANS];
static unsigned plan_count;
static struct plan *last;
static bool is_last_fresh; /* places are those of the last plan */

/* The program's memory, and where stops are in it. */
static int memory = -1;
static struct {
	uint64_t address;
	uint8_t byte; /* that was there */
} stops[2 * MOST_STOPS];
static unsigned stop_count;

void ahead_begin(void)
{
	plan_count = 0;
}

void ahead_changed(void)
{
	for (unsigned i = 0; i < PAGES_KEPT; i++)
		pages[i].is_used = false;
	range_count = 0;
	is_refreshed = false;
}

static void remove_stop(unsigned number)
{
	/* Nothing is written when the program has ended, and its memory with it. */
	if (pwrite(memory, &stops[number].byte, 1, (off_t)stops[number].address) < 0)
		lines_give_up("a breakpoint could not be removed");
	stops[number] = stops[--stop_count];
}

void ahead_end(struct task *task)
{
	(void)task;
	while (stop_count > 0)
		remove_stop(stop_count - 1);
	if (memory >= 0)
		close(memory);
	memory = -1;
}

static bool stop_at(struct task *task, uint64_t address)
{
	const uint8_t breakpoint = BREAKPOINT;
	char path[32];
	uint8_t byte;
	for (unsigned i = 0; i < stop_count; i++)
		if (stops[i].address == address)
			return true;
	snprintf(path, sizeof path, "/proc/%d/mem", task->tid);
	if (memory < 0)
		memory = open(path, O_RDWR | O_CLOEXEC);
	if (memory < 0 || stop_count == sizeof stops / sizeof *stops || !ahead_code(task, address, &byte, 1) ||
			pwrite(memory, &breakpoint, 1, (off_t)address) != 1)
		return false;
	stops[stop_count].address = address;
	stops[stop_count++].byte = byte;
	return true;
}

void ahead_pass(struct task *task, uint64_t address)
{
	(void)task;
	for (unsigned i = 0; i < stop_count; i++)
		if (stops[i].address == address) {
			remove_stop(i);
			return;
		}
}

bool ahead_stopped(struct user_regs_struct *registers)
{
	for (unsigned i = 0; i < stop_count; i++)
		if (stops[i].address == registers->rip - 1) {
			registers->rip--;
			return true;
		}
	return false;
}

static void read_ranges(pid_t tid)
{
	char path[32], line[512];
	snprintf(path, sizeof path, "/proc/%d/maps", tid);
	FILE *file = fopen(path, "re");
	range_count = 0;
	if (file == NULL)
		return;
	while (range_count < MOST_RANGES && fgets(line, sizeof line, file) != NULL) {
		unsigned long from, end;
		char mode[5];
		if (sscanf(line, "%lx-%lx %4s", &from, &end, mode) == 3 && mode[0] == 'r' && mode[1] == '-' && mode[3] == 'p') {
			ranges[range_count].from = from;
			ranges[range_count++].end = end;
		}
	}
	fclose(file);
}

static bool is_in_ranges(uint64_t address)
{
	for (unsigned i = 0; i < range_count; i++)
		if (address >= ranges[i].from && address < ranges[i].end)
			return true;
	return false;
}

static bool is_constant(pid_t tid, uint64_t address)
{
	if (is_refreshed)
		return is_in_ranges(address);
	is_refreshed = true;
	read_ranges(tid);
	return is_in_ranges(address);
}

static const uint8_t *page_at(struct task *task, uint64_t address)
{
	unsigned number = address / PAGE % PAGES_KEPT;
	if (owner != task->tid)
		ahead_changed();
	owner = task->tid;
	if (pages[number].is_used && pages[number].address == address)
		return pages[number].bytes;
	pages[number].address = address;
	pages[number].is_used =
			is_constant(task->tid, address) && tracee_read(task->tid, address, pages[number].bytes, PAGE) == PAGE;
	for (unsigned i = 0; i < stop_count; i++)
		if (stops[i].address - address < PAGE)
			pages[number].bytes[stops[i].address - address] = stops[i].byte;
	return pages[number].is_used ? pages[number].bytes : NULL;
}

bool ahead_code(struct task *task, uint64_t address, uint8_t *to, size_t size)
{
	while (size > 0) {
		size_t part = PAGE - address % PAGE < size ? PAGE - address % PAGE : size;
		const uint8_t *page = page_at(task, address - address % PAGE);
		if (page == NULL)
			return false;
		memcpy(to, page + address % PAGE, part);
		address += part;
		to += part;
		size -= part;
	}
	return true;
}

static unsigned hash(uint64_t address)
{
	return (address * 0x9e3779b97f4a7c15ULL) >> 51;
}

/* There are always more places than are looked at. */
static struct place *place_of(uint64_t address, unsigned function)
{
	for (unsigned number = hash(address);; number++) {
		struct place *place = &places[number % PLACES];
		if (place->look != look) {
			*place = (struct place){.point = {.address = address, .function = function}, .look = look};
			return place;
		}
		if (place->point.address == address && place->point.function == function)
			return place;
	}
}

static bool wait_at(struct point point)
{
	if (waiting_count == MOST_WAITING)
		return false;
	waiting[waiting_count++] = point;
	return true;
}

static int64_t deeper(int64_t depth, int64_t bytes)
{
	return depth == UNKNOWN ? UNKNOWN : depth + bytes;
}

/* What the instruction does to the stack. A called function does not use what is above its return address. */
static void move_stack(struct point *point, const struct effect *effect)
{
	switch (effect->stack) {
	case DEEPER: point->depth = deeper(point->depth, effect->bytes); break;
	case FRAME: point->frame = point->depth; return;
	case TO_FRAME:
	case LEAVES: point->depth = deeper(point->frame, effect->bytes); break;
	default: point->depth = UNKNOWN; break;
	}
	if (point->function != 0 && point->depth < 0)
		point->depth = UNKNOWN;
	if (effect->changes & RBP_BIT)
		point->frame = UNKNOWN;
}

/* Whether it may read or write where the function returns to. */
static bool is_of_return(const struct point *point, const struct effect *effect)
{
	int64_t least = effect->is_at_stack ? point->depth : effect->is_at_frame ? point->frame : UNKNOWN;
	return least != UNKNOWN && effect->offset > least - 8 && effect->offset < least + 8;
}

static bool target_of(struct task *task, uint64_t end, const struct effect *effect, uint64_t *target)
{
	*target = end + effect->distance;
	return !effect->is_through || ahead_code(task, *target, (uint8_t *)target, sizeof *target);
}

static bool calls_function(struct point point, uint64_t end, uint64_t target)
{
	unsigned function = 1;
	while (function < function_count && functions[function].address != target)
		function++;
	if (function == MOST_FUNCTIONS || call_count == MOST_CALLS)
		return false;
	if (function == function_count) {
		functions[function_count].address = target;
		functions[function_count].returned = 0;
		functions[function_count++].returns = false;
	}
	struct point back = point;
	back.address = end;
	calls[call_count++] = (struct call){function, back};
	point.address = target;
	point.function = function;
	point.depth = 0;
	/* RBP is what the function does not change, or gives back: the compiler's word, checked where it is used. */
	point.frame = UNKNOWN;
	if (!wait_at(point))
		return false;
	back.kept = functions[function].returned;
	return back.kept == 0 || wait_at(back);
}

static bool returns(const struct point *point)
{
	functions[point->function].returned |= point->kept;
	for (unsigned i = 0; i < call_count; i++)
		if (calls[i].function == point->function) {
			struct point back = calls[i].back;
			back.kept = functions[point->function].returned;
			if (!wait_at(back))
				return false;
		}
	return true;
}

/* Notes which words of the stack it may use. False when one is a return address that was read. */
static bool uses_slots(const struct plan *plan, const struct point *point, const struct effect *effect)
{
	bool is_pushed = effect->stack == DEEPER && effect->bytes == 8;
	int64_t base = effect->is_at_stack || is_pushed ? point->depth : point->frame;
	if (!effect->is_at_stack && !effect->is_at_frame && !is_pushed)
		return true;
	if (base == UNKNOWN) {
		is_any_slot_used |= !effect->is_at_frame;
		return effect->is_at_frame || plan->return_count == 0;
	}
	int64_t slot = is_pushed ? base + 8 : base - effect->offset;
	for (unsigned i = 0; i < plan->return_count; i++)
		if (slot > plan->returns[i].depth - 8 && slot < plan->returns[i].depth + 8)
			return false;
	if (slot_count == MOST_SLOTS)
		is_any_slot_used = true;
	else
		slots[slot_count++] = slot;
	return true;
}

static bool is_used(int64_t depth)
{
	for (unsigned i = 0; i < slot_count; i++)
		if (slots[i] > depth - 8 && slots[i] < depth + 8)
			return true;
	return is_any_slot_used;
}

static bool word_at_depth(struct task *task, uint64_t stack, int64_t depth, uint64_t *word)
{
	return tracee_read(task->tid, stack - (uint64_t)depth, word, sizeof *word) == sizeof *word;
}

/* From where the look began, to where the stack says. */
static bool leaves(struct task *task, struct plan *plan, struct point point)
{
	unsigned i = 0;
	if (point.depth == UNKNOWN || point.depth > 0 || is_used(point.depth))
		return false;
	while (i < plan->return_count && plan->returns[i].depth != point.depth)
		i++;
	if (i == plan->return_count) {
		uint64_t back;
		if (plan->is_old || i == MOST_RETURNS || !word_at_depth(task, plan->stack, point.depth, &back))
			return false;
		plan->returns[plan->return_count].depth = point.depth;
		plan->returns[plan->return_count++].address = back;
	}
	point.address = plan->returns[i].address;
	point.depth -= 8;
	return wait_at(point);
}

/* Goes on from an instruction. False when the thread has to stop there. */
static bool goes_on(struct task *task, struct plan *plan, struct point point)
{
	uint8_t bytes[LONGEST_INSTRUCTION + 8] = {0};
	uint64_t target;
	if (!ahead_code(task, point.address, bytes, LONGEST_INSTRUCTION))
		return false;
	struct effect effect = effect_of(bytes);
	if (effect.way == ELSEWHERE || (effect.reads & point.kept) != 0)
		return false;
	bool is_inner = point.function != 0;
	if (is_inner ? is_of_return(&point, &effect) : !uses_slots(plan, &point, &effect))
		return false;
	if (effect.way == RETURN)
		return is_inner ? point.depth == 0 && returns(&point) : leaves(task, plan, point);
	uint64_t end = point.address + effect.length;
	point.kept &= ~effect.writes;
	if (point.kept == 0)
		return true;
	move_stack(&point, &effect);
	if (effect.way != ON && !target_of(task, end, &effect, &target))
		return false;
	if (effect.way == CALL)
		return calls_function(point, end, target);
	if (effect.way != JUMP) {
		point.address = end;
		if (!wait_at(point))
			return false;
	}
	point.address = target;
	return effect.way == ON || wait_at(point);
}

static bool add_stop(struct plan *plan, uint64_t address, uint32_t kept)
{
	for (unsigned i = 0; i < plan->count; i++)
		if (plan->stops[i] == address) {
			plan->kept_there[i] |= kept;
			return true;
		}
	if (plan->count == MOST_STOPS)
		return false;
	plan->stops[plan->count] = address;
	plan->kept_there[plan->count++] = kept;
	return true;
}

static void look_from(struct task *task, struct plan *plan)
{
	unsigned looked_at = 0;
	bool is_loop = false;
	look++;
	plan->count = 0;
	waiting_count = call_count = slot_count = 0;
	is_any_slot_used = false;
	function_count = 1;
	is_last_fresh = true;
	plan->ahead = NEAR;
	wait_at((struct point){.address = plan->address, .kept = plan->kept, .frame = plan->frame});
	while (waiting_count > 0) {
		struct point next = waiting[--waiting_count];
		struct place *place = place_of(next.address, next.function);
		struct point *point = &place->point;
		if (point->kept != 0) {
			bool is_alike = next.depth == point->depth && next.frame == point->frame;
			is_loop = true;
			if (is_alike && (next.kept & ~point->kept) == 0)
				continue;
			if (next.depth != point->depth)
				next.depth = UNKNOWN;
			if (next.frame != point->frame)
				next.frame = UNKNOWN;
			if (next.depth == point->depth && next.frame == point->frame && (next.kept & ~point->kept) == 0)
				continue;
			next.kept |= point->kept;
		}
		*point = next;
		if (looked_at++ < MOST_LOOKED_AT && goes_on(task, plan, next))
			continue;
		if (next.address == plan->address || looked_at > PLACES / 2 || !add_stop(plan, next.address, next.kept))
			return;
	}
	if (plan->count == 0)
		plan->ahead = NEVER;
	else if (is_loop || looked_at > FAR_ENOUGH)
		plan->ahead = FAR;
}

/* Whether what it depends on is as it was: the stack may be elsewhere. */
static bool is_valid(struct task *task, const struct plan *plan, const struct user_regs_struct *at, uint32_t kept)
{
	if (plan->address != at->rip || plan->kept != kept || plan->frame != (int64_t)(at->rsp - at->rbp))
		return false;
	for (unsigned i = 0; i < plan->return_count; i++) {
		uint64_t back;
		if (!word_at_depth(task, at->rsp, plan->returns[i].depth, &back) || back != plan->returns[i].address)
			return false;
	}
	return true;
}

static struct plan *plan_from(struct task *task, const struct user_regs_struct *at, uint32_t kept)
{
	for (unsigned i = 0; i < plan_count; i++)
		if (is_valid(task, &plans[i], at, kept)) {
			plans[i].stack = at->rsp;
			is_last_fresh = false;
			return &plans[i];
		}
	struct plan *plan = &plans[plan_count < MOST_PLANS ? plan_count++ : look % MOST_PLANS];
	plan->address = at->rip;
	plan->kept = kept;
	plan->stack = at->rsp;
	plan->frame = (int64_t)(at->rsp - at->rbp);
	plan->is_old = false;
	plan->return_count = 0;
	look_from(task, plan);
	plan->is_old = true;
	return plan;
}

enum ahead ahead_look(struct task *task, const struct user_regs_struct *at, uint32_t kept)
{
	struct plan *plan = plan_from(task, at, kept);
	last = plan;
	if (plan->ahead != FAR)
		return plan->ahead;
	for (unsigned i = 0; i < plan->count; i++)
		if (!stop_at(task, plan->stops[i]))
			return NEAR;
	ahead_pass(task, at->rip);
	return FAR;
}

uint32_t ahead_kept(struct task *task, uint64_t address)
{
	uint32_t kept = 0;
	for (unsigned i = 0; i < last->count; i++)
		if (last->stops[i] == address)
			kept |= last->kept_there[i];
	if (kept != 0)
		return kept;
	if (!is_last_fresh)
		look_from(task, last);
	for (unsigned function = 0; function < function_count; function++)
		kept |= place_of(address, function)->point.kept;
	return kept;
}
