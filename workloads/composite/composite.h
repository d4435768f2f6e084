/*
 * What the composite programs share. FIXED_MISTAKES is a mask of the mistakes that this variant has not: bit N is
 * mistake N of truth.yaml. It is known to the compiler, so that a variant holds its own instructions only, and every
 * variant has the same lines.
 */
#ifndef POWERCUT_COMPOSITE_H
#define POWERCUT_COMPOSITE_H

#ifndef FIXED_MISTAKES
#error "compile with -DFIXED_MISTAKES=MASK"
#endif

#define FIXED(mistake) (((FIXED_MISTAKES) >> (mistake)) & 1)

#define BUG (~(FIXED_MISTAKES) != 0)
#include "../bugs/pm.h"

#endif
