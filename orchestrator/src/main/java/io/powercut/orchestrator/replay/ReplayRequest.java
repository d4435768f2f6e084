// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import java.util.Optional;

/**
 * What a person wants to have replayed, as typed: ids are texts here, since their first digits do.
 *
 * @param id a failure point or the fingerprint of a finding, or the first digits of one; nothing
 *     for the report's first finding
 * @param occurrence of the failure point, from 1; nothing for that of the finding
 * @param order in which order of threads: 0 for that of the recorded run, else one in which a
 *     writer was held; nothing for that of the finding
 * @param state a crash state, or its first digits; nothing for that of the finding
 * @param recoveryCrash a failure point of recovery, or its first digits; nothing for that of the
 *     finding
 */
public record ReplayRequest(
    Optional<String> id,
    Optional<Long> occurrence,
    Optional<Integer> order,
    Optional<String> state,
    Optional<String> recoveryCrash) {}
