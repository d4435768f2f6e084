/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames of Python programs, which the interpreter keeps in memory of its own. */
#ifndef RECORDER_PYTHON_FRAMES_H
#define RECORDER_PYTHON_FRAMES_H

#include "pub_tool_basics.h"

#include "sites.h"

typedef struct {
	Addr in; /* lies in the memory of the C function that runs it */
	SiteIndex site;
} PythonFrame;

/* Looks for an interpreter, if files were loaded or unloaded. */
void pc_python_look(void);
/* An interpreter whose frames are known is loaded. */
Bool pc_python_is_there(void);
/* An address is in the code of the interpreter. */
Bool pc_python_interprets(Addr address);
/* The frames of a thread, innermost first; returns how many, 0 = it runs no Python code, or they cannot be read. */
UInt pc_python_frames(Addr thread_pointer, const PythonFrame **frames);

#endif
