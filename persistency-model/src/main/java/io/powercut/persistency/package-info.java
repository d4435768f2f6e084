/**
 * What x86 promises about persistent memory: which of a trace's stores have reached it, and in
 * which order.
 */
@NullMarked
package io.powercut.persistency;

import org.jspecify.annotations.NullMarked;
