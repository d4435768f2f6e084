/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"

#define NO_TAG UINT64_MAX /* no thread has this slot */

__thread uint64_t known_here;
bool with_known;

void known_next_segment(struct thread *me)
{
	me->known = with_known ? known_tag(me->slot, me->segment) | KNOWN_ALL : NO_TAG;
	known_here = me->known;
}
