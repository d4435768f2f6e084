/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Schedules as files. */
#include "schedule_log.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"

#include "core_api.h"
#include "hold.h"
#include "options.h"
#include "paths.h"
#include "trace.h"

#define NUMBER_OPTION "--schedule-process="
#define HEADER "powercut schedule 1 %s seed %lld quantum %lld%s%s\n"
#define HOLD " hold "
#define MAX_NUMBER 1024
#define READ_SIZE 65536

static HChar number[MAX_NUMBER] = "1"; /* of this process */
static UInt children;
static UInt child; /* the fork that is going on */

static Int out = -1;

static Int in = -1;
static HChar *text; /* what was read and not yet used */
static UInt text_at;
static UInt text_end;
static Turn turn;
static Bool has_turn;
static Bool is_over; /* the last line was reached */
static ULong turns; /* that were followed */
static Bool has_hold; /* the schedule that is followed */

void pc_log_differs(const HChar *format, ...)
{
	HChar reason[512];
	HChar message[POWERCUT_ERROR_SIZE];
	va_list arguments;
	va_start(arguments, format);
	VG_(vsnprintf)(reason, sizeof reason, format, arguments);
	va_end(arguments);
	VG_(snprintf)
	(message, sizeof message,
			"the recorded schedule of threads cannot be followed beyond its turn %llu, in process %s: %s", turns,
			number, reason);
	VG_(umsg)("powercut: %s\n", message);
	pc_set_error(POWERCUT_ERROR_SCHEDULE, message);
	pc_kill_everything();
	VG_(exit)(1);
}

static void file_name(HChar *path, const HChar *prefix)
{
	VG_(snprintf)(path, PATH_SIZE, "%s-%s", prefix, number);
}

/* -------------------------------------------------------------- reading */

/* The next line without its end; NULL when there is none, or it is not complete. */
static HChar *next_line(void)
{
	for (;;) {
		for (UInt i = text_at; i < text_end; i++) {
			if (text[i] != '\n')
				continue;
			HChar *line = text + text_at;
			text[i] = 0;
			text_at = i + 1;
			return line;
		}
		VG_(memmove)(text, text + text_at, text_end - text_at);
		text_end -= text_at;
		text_at = 0;
		if (text_end == READ_SIZE)
			return NULL;
		Int count = VG_(read)(in, text + text_end, (Int)(READ_SIZE - text_end));
		if (count <= 0)
			return NULL;
		text_end += (UInt)count;
	}
}

static Bool parse_number(const HChar **at, ULong *value)
{
	HChar *end;
	while (**at == ' ')
		(*at)++;
	if (**at < '0' || **at > '9')
		return False;
	*value = (ULong)VG_(strtoll10)(*at, &end);
	*at = end;
	return True;
}

static Bool parse_turn(const HChar *line)
{
	ULong tid;
	ULong call;
	if (!parse_number(&line, &tid) || !parse_number(&line, &turn.blocks) || line[0] != ' ' || line[1] == 0)
		return False;
	turn.end = (TurnEnd)line[1];
	line += 2;
	if (VG_(strchr)("qsypxe", (HChar)turn.end) == NULL || !parse_number(&line, &call) || *line != 0)
		return False;
	turn.tid = (ThreadId)tid;
	turn.call = (UInt)call;
	return tid > 0;
}

static void read_turn(void)
{
	HChar *line = next_line();
	has_turn = False;
	if (line == NULL) {
		VG_(close)(in);
		in = -1;
	} else if (VG_(strncmp)(line, "end ", 4) == 0) {
		is_over = True;
	} else if (parse_turn(line)) {
		has_turn = True;
	} else {
		pc_log_differs("line %llu of its file is damaged: \"%s\"", turns + 2, line);
	}
}

/* Nothing, or " hold ..." */
static Bool parse_end_of_header(const HChar *line)
{
	if (*line == 0)
		return True;
	has_hold = VG_(strncmp)(line, HOLD, sizeof HOLD - 1) == 0 && pc_hold_parse(line + sizeof HOLD - 1);
	return has_hold;
}

/* "powercut schedule 1 POLICY seed N quantum N", and what else parse_end_of_header knows */
static Bool parse_header(const HChar *line)
{
	static const HChar beginning[] = "powercut schedule 1 ";
	ULong seed;
	ULong quantum;
	if (VG_(strncmp)(line, beginning, sizeof beginning - 1) != 0)
		return False;
	line += sizeof beginning - 1;
	for (Policy policy = POLICY_DEFAULT; policy <= POLICY_DELAY; policy++) {
		SizeT length = VG_(strlen)(pc_policy_name(policy));
		if (VG_(strncmp)(line, pc_policy_name(policy), length) != 0 || VG_(strncmp)(line + length, " seed ", 6) != 0)
			continue;
		line += length + 6;
		if (!parse_number(&line, &seed) || VG_(strncmp)(line, " quantum ", 9) != 0)
			return False;
		line += 9;
		if (!parse_number(&line, &quantum) || quantum == 0 || !parse_end_of_header(line))
			return False;
		pc_options.policy = policy;
		pc_options.schedule_seed = (Long)seed;
		pc_options.quantum = (Long)quantum;
		return True;
	}
	return False;
}

static void open_in(void)
{
	HChar path[PATH_SIZE];
	file_name(path, pc_options.schedule_in);
	SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
	turns = 0;
	text_at = text_end = 0;
	is_over = has_turn = False;
	if (sr_isError(opened))
		pc_log_differs("there is no file %s, or it cannot be read: this process had one thread only", path);
	in = VG_(safe_fd)((Int)sr_Res(opened));
	if (text == NULL)
		text = VG_(malloc)("pc.schedule", READ_SIZE + 1);
	HChar *header = next_line();
	if (header == NULL || !parse_header(header))
		pc_log_differs("%s does not begin with \"powercut schedule 1 ...\"", path);
	read_turn();
}

Bool pc_log_has_hold(void)
{
	return has_hold;
}

const Turn *pc_log_turn(void)
{
	if (is_over)
		pc_log_differs("there it ended, but the process goes on");
	return has_turn ? &turn : NULL;
}

static const HChar *end_in_words(TurnEnd end)
{
	switch (end) {
	case TURN_SLICE: return "its slice was over";
	case TURN_SLEEPS: return "it slept in a system call";
	case TURN_YIELDS: return "it yielded";
	case TURN_PAUSES: return "it paused";
	case TURN_EXITS: return "it exited";
	case TURN_ENDS: return "the process ended";
	}
	return "?";
}

static void follow(const Turn *actual)
{
	turns++;
	if (actual->tid != turn.tid || actual->blocks != turn.blocks || actual->end != turn.end ||
			actual->call != turn.call)
		pc_log_differs("there thread %u ran %llu blocks until %s (%u); now thread %u ran %llu until %s (%u)", turn.tid,
				turn.blocks, end_in_words(turn.end), turn.call, actual->tid, actual->blocks, end_in_words(actual->end),
				actual->call);
	read_turn();
}

/* -------------------------------------------------------------- writing */

static void append(const HChar *line, Int length)
{
	if (out >= 0 && VG_(write)(out, line, length) != length)
		pc_give_up("cannot write the schedule of threads to %s-%s: is the disk full?", pc_options.schedule_out, number);
}

static void open_out(void)
{
	HChar path[PATH_SIZE];
	HChar line[256];
	HChar hold[HOLD_LENGTH] = "";
	file_name(path, pc_options.schedule_out);
	SysRes opened = VG_(open)(path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_TRUNC, 0644);
	if (sr_isError(opened))
		pc_give_up("cannot create %s for the schedule of threads (error %lu)", path, sr_Err(opened));
	out = VG_(safe_fd)((Int)sr_Res(opened));
	if (pc_hold_is_wanted())
		pc_hold_print(hold);
	append(line,
			(Int)VG_(snprintf)(line, sizeof line, HEADER, pc_policy_name(pc_options.policy), pc_options.schedule_seed,
					pc_options.quantum, hold[0] == 0 ? "" : HOLD, hold));
}

void pc_log_turn_ends(const Turn *actual)
{
	HChar line[96];
	if (has_turn)
		follow(actual);
	append(line,
			(Int)VG_(snprintf)(line, sizeof line, "%u %llu %c %u\n", actual->tid, actual->blocks, (HChar)actual->end,
					actual->call));
}

void pc_log_stops(void)
{
	if (in >= 0)
		VG_(close)(in);
	in = -1;
	has_turn = is_over = False;
}

void pc_log_ends(ULong blocks)
{
	HChar line[64];
	append(line, (Int)VG_(snprintf)(line, sizeof line, "end %llu\n", blocks));
	if (out >= 0)
		VG_(close)(out);
	out = -1;
	pc_log_stops();
}

/* ------------------------------------------------------------ processes */

void pc_log_init(void)
{
	if (pc_options.schedule_process != NULL)
		VG_(snprintf)(number, sizeof number, "%s", pc_options.schedule_process);
}

void pc_log_open(void)
{
	if (pc_options.schedule_in != NULL)
		open_in(); /* its policy is that of the other file, too */
	if (pc_options.schedule_out != NULL)
		open_out();
}

void pc_log_before_fork(void)
{
	child = ++children;
}

void pc_log_after_fork_in_child(void)
{
	SizeT length = VG_(strlen)(number);
	VG_(snprintf)(number + length, (UInt)(sizeof number - length), ".%u", child);
	children = 0;
	if (out >= 0)
		VG_(close)(out);
	out = -1;
	pc_log_stops();
}

void pc_log_before_exec(void)
{
	static HChar option[sizeof NUMBER_OPTION + MAX_NUMBER + 1];
	const HChar *added = option;
	XArray *options = VG_(args_for_valgrind);
	VG_(snprintf)(option, sizeof option, NUMBER_OPTION "%se", number);
	for (Word i = 0; i < VG_(sizeXA)(options); i++) {
		const HChar **known = VG_(indexXA)(options, i);
		if (VG_(strncmp)(*known, NUMBER_OPTION, sizeof NUMBER_OPTION - 1) == 0) {
			*known = added;
			return;
		}
	}
	VG_(addToXA)(options, &added);
}
