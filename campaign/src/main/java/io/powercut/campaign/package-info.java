/**
 * The campaign file: what one campaign builds, runs, cuts and judges. The records are the reference
 * manual; the binding, the JSON Schema, the template of {@code powercut init} and the tables of
 * docs/campaign-file.md all come from them.
 */
@NullMarked
package io.powercut.campaign;

import org.jspecify.annotations.NullMarked;
