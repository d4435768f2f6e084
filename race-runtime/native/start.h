/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning of the runtime, and its functions of the C library. */
#ifndef RACE_START_H
#define RACE_START_H

/* Before anything else of the program; again: does nothing. */
void race_start(void);
/* The next definition of a function that the runtime stands for. */
void *real_function(const char *name);

/* Defines real_NAME(), which gives the function. */
#define REAL(result, name, ...) \
	static result (*real_##name(void))(__VA_ARGS__) \
	{ \
		static result (*function)(__VA_ARGS__); \
		if (__builtin_expect(function == NULL, 0)) \
			function = (result(*)(__VA_ARGS__))real_function(#name); \
		return function; \
	}

#define EXPORT __attribute__((visibility("default")))

#endif
