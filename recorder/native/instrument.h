/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is added to the code of the target. */
#ifndef RECORDER_INSTRUMENT_H
#define RECORDER_INSTRUMENT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

IRSB *pc_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout, const VexGuestExtents *extents,
		const VexArchInfo *host, IRType guest_word, IRType host_word);
/* A call of a helper that gets the guest state and may change the shadow stack. Used by the decoder, too. */
IRDirty *pc_dirty_with_guest(const HChar *name, void *function, IRExpr **args);

#endif
