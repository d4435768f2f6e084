// SPDX-License-Identifier: Apache-2.0
/**
 * What compilers of other languages than C make of names, and which functions they add to each
 * program.
 */
@NullMarked
package io.powercut.tree.language;

import org.jspecify.annotations.NullMarked;
