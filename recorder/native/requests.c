/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --requests=yes: what the target tells by powercut.h. They are Valgrind's client requests, of a tool that is called
 * PC. Without the option they do nothing, as outside the recorder.
 */
#include "requests.h"

#include "pub_tool_tooliface.h"

#include "events.h"
#include "options.h"
#include "outputs.h"
#include "trace.h"

/* As in powercut.h. */
enum {
	REQUEST_WAIT = 0x50430000,
	REQUEST_BEGIN,
	REQUEST_END,
	REQUEST_ACKNOWLEDGE,
};

static Bool on_request(ThreadId tid, UWord *words, UWord *answer)
{
	if (words[0] < REQUEST_WAIT || words[0] > REQUEST_ACKNOWLEDGE)
		return False;
	*answer = 0;
	if (!pc_options.requests)
		return True;
	switch (words[0]) {
	case REQUEST_WAIT:
		/* A program that another one starts inside the tested part does not end it. */
		if (pc_control->marks == 0)
			pc_mark(tid, POWERCUT_MARK_END);
		break;
	case REQUEST_BEGIN: pc_mark(tid, POWERCUT_MARK_BEGIN); break;
	case REQUEST_END: pc_mark(tid, POWERCUT_MARK_END); break;
	default: pc_outputs_acknowledged(tid, words[1], words[2]); break;
	}
	return True;
}

void pc_requests_init(void)
{
	VG_(needs_client_requests)(on_request);
}
