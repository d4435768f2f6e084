/* SPDX-License-Identifier: Apache-2.0 */
#include "start.h"

#include "detector.h"
#include "kard.h"
#include "keys.h"
#include "known.h"
#include "locksets.h"
#include "modules.h"
#include "noise.h"
#include "objects.h"
#include "pages.h"
#include "report.h"
#include "shadow.h"
#include "stacks.h"
#include "syncs.h"
#include "tags.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool is_on, with_hmtrace, with_kard, is_pure;

void *real_function(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);
	if (function == NULL) {
		static const char message[] = "powercut: the C library lacks a function that the race detector needs: ";
		if (write(2, message, sizeof message - 1) >= 0 && write(2, name, strlen(name)) >= 0 && write(2, "\n", 1) >= 0)
			_exit(127);
		_exit(127);
	}
	return function;
}

static void before_fork(void)
{
	struct thread *me = self;
	if (me != NULL)
		me->inside++;
	keys_open();
	keys_before_fork();
}

static void after_fork_in_parent(void)
{
	struct thread *me = self;
	keys_after_fork_in_parent();
	if (me != NULL)
		me->inside--;
	keys_close();
}

static void after_fork_in_child(void)
{
	pages_after_fork();
	shadow_after_fork();
	syncs_after_fork();
	locksets_after_fork();
	objects_after_fork();
	modules_after_fork();
	threads_after_fork(self);
	report_after_fork();
	if (with_kard)
		kard_after_fork(self);
	keys_after_fork_in_child(self);
	if (self != NULL)
		self->inside--;
	keys_close();
}

static bool is_detector(const char *wanted)
{
	const char *name = getenv("POWERCUT_RACE_DETECTOR");
	return strcmp(name != NULL ? name : "hmtrace", wanted) == 0;
}

/* What the processor does for the algorithms; what it cannot do is said, and then nothing is watched. */
static bool choose_backend(void)
{
	const char *name = getenv("POWERCUT_RACE_BACKEND"), *problem = NULL;
	if (name == NULL || strcmp(name, "auto") == 0 || strcmp(name, "software") == 0)
		return true;
	if (strcmp(name, "mte") == 0)
		problem = is_detector("hmtrace") ? tags_start() : "it serves the detector hmtrace alone";
	else if (strcmp(name, "mpk") == 0)
		problem = is_detector("kard") ? keys_start() : "it serves the detector kard alone";
	else
		problem = "the runtime does not know this backend";
	if (problem == NULL) {
		report_backend(name);
		return true;
	}
	report_unavailable(problem);
	return false;
}

static void choose_detectors(void)
{
	const char *name = getenv("POWERCUT_RACE_DETECTOR");
	bool both = name != NULL && strcmp(name, "both") == 0;
	with_kard = both || (name != NULL && strcmp(name, "kard") == 0);
	with_hmtrace = both || !with_kard;
	const char *pure = getenv("POWERCUT_RACE_PURE");
	is_pure = pure != NULL && strcmp(pure, "1") == 0;
	with_known = with_hmtrace && !with_kard && !with_noise && !with_tags;
	if (with_kard)
		kard_start();
	is_on = true;
}

__attribute__((constructor(101))) void race_start(void)
{
	static bool started;
	if (started)
		return;
	started = true;
	if (!report_start())
		return;
	if (!choose_backend())
		return;
	stacks_start();
	shadow_start();
	noise_start();
	syncs_start();
	locksets_start();
	objects_start();
	choose_detectors();
	threads_start();
	modules_refresh();
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
